package io.frameloom.samples.gltf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.frameloom.samples.gltf.Keyframes.Interpolation;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Values between keyframes, against the formulas of the specification. */
final class KeyframesTest {
    private static final float[] TIMES = {1, 2, 4};

    private static float[] at(Keyframes keyframes, float seconds) {
        float[] value = new float[keyframes.width() + 1];
        keyframes.at(seconds, value, 1);
        return Arrays.copyOfRange(value, 1, value.length);
    }

    @Test
    void linearValuesLieBetweenTheirNeighbours() {
        Keyframes keyframes = new Keyframes(TIMES, new float[] {0, 10, 4, 20, 8, 0}, 2, Interpolation.LINEAR, false);
        assertThat(at(keyframes, 0)).containsExactly(0, 10);
        assertThat(at(keyframes, 1)).containsExactly(0, 10);
        assertThat(at(keyframes, 1.25f)).containsExactly(1, 12.5f);
        assertThat(at(keyframes, 2)).containsExactly(4, 20);
        assertThat(at(keyframes, 3)).containsExactly(6, 10);
        assertThat(at(keyframes, 4)).containsExactly(8, 0);
        assertThat(at(keyframes, 99)).containsExactly(8, 0);
        assertThat(keyframes.end()).isEqualTo(4);
    }

    @Test
    void stepsKeepTheFormerValue() {
        Keyframes keyframes = new Keyframes(TIMES, new float[] {1, 2, 3}, 1, Interpolation.STEP, false);
        assertThat(at(keyframes, 0.5f)).containsExactly(1);
        assertThat(at(keyframes, 1.999f)).containsExactly(1);
        assertThat(at(keyframes, 2)).containsExactly(2);
        assertThat(at(keyframes, 3.999f)).containsExactly(2);
        assertThat(at(keyframes, 4)).containsExactly(3);
    }

    @Test
    void cubicSplinesFollowTheFormula() {
        // In-tangent, value, out-tangent of each keyframe.
        float[] values = {7, 1, 3, -2, 5, 6, 4, -1, 9};
        Keyframes keyframes = new Keyframes(TIMES, values, 1, Interpolation.CUBICSPLINE, false);
        assertThat(at(keyframes, 0)).containsExactly(1);
        assertThat(at(keyframes, 5)).containsExactly(-1);
        assertThat(at(keyframes, 2)).containsExactly(5);
        for (double t : new double[] {0.125, 0.5, 0.75}) {
            double length = 2;
            double expected = (2 * t * t * t - 3 * t * t + 1) * 5
                    + length * (t * t * t - 2 * t * t + t) * 6
                    + (-2 * t * t * t + 3 * t * t) * -1
                    + length * (t * t * t - t * t) * 4;
            assertThat(at(keyframes, (float) (2 + length * t))[0]).isCloseTo((float) expected, within(1e-5f));
        }
    }

    @Test
    void rotationsTurnEvenlyTheShortWay() {
        double half = Math.toRadians(40);
        float[] values = {
            0, 0, 0, 1,
            // The same turn of 80 degrees around y, with the other sign.
            0, (float) -Math.sin(half), 0, (float) -Math.cos(half),
            0, 0, 0, 2
        };
        Keyframes keyframes = new Keyframes(TIMES, values, 4, Interpolation.LINEAR, true);
        float[] quarter = at(keyframes, 1.25f);
        assertThat(2 * Math.toDegrees(Math.atan2(quarter[1], quarter[3]))).isCloseTo(20, within(1e-3));
        assertThat(at(keyframes, 4)).as("of length 1").containsExactly(0, 0, 0, 1);
    }

    @Test
    void splinesOfRotationsHaveLengthOne() {
        float[] values = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0};
        Keyframes keyframes = new Keyframes(new float[] {0, 1}, values, 4, Interpolation.CUBICSPLINE, true);
        float root = (float) Math.sqrt(0.5);
        assertThat(at(keyframes, 0.5f)).containsExactly(new float[] {0, root, 0, root}, within(1e-6f));
    }
}
