package io.frameloom.samples.clip;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.weisj.jsvg.renderer.output.Output;
import io.frameloom.gpu.compute.ClipBoxes;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A state that is restored has the clips that it had, whatever was done to them since. */
final class ClipRecorderTest {
    private final ClipScene scene = new ClipScene(100, 100);
    private final ClipRecorder recorder = new ClipRecorder(scene);

    private static Rectangle2D square(double side) {
        return new Rectangle2D.Double(0, 0, side, side);
    }

    /** Returns what is drawn at each draw: the sides of the clips around it, outermost first. */
    private List<List<Double>> clipsOfDraws() {
        List<List<Double>> draws = new ArrayList<>();
        List<Double> open = new ArrayList<>();
        for (int i = 0; i < scene.length(); i++) {
            switch (scene.operation(i)) {
                case ClipBoxes.BEGIN -> open.add((double) scene.box(i)[2]);
                case ClipBoxes.END -> open.remove(open.size() - 1);
                default -> draws.add(List.copyOf(open));
            }
        }
        assertThat(open).as("clips that nothing ends").isEmpty();
        return draws;
    }

    @Test
    void clipsBegunSinceAreEnded() {
        recorder.applyClip(square(50));
        Output.SafeState state = recorder.safeState();
        recorder.applyClip(square(30));
        recorder.applyClip(square(20));
        state.restore();
        recorder.fillShape(square(1));
        recorder.dispose();
        assertThat(clipsOfDraws()).containsExactly(List.of(50.0));
    }

    @Test
    void clipsReplacedSinceAreBegunAgain() {
        recorder.applyClip(square(50));
        recorder.applyClip(square(40));
        Output.SafeState state = recorder.safeState();
        recorder.setClip(square(30));
        recorder.fillShape(square(1));
        state.restore();
        recorder.fillShape(square(1));
        recorder.dispose();
        assertThat(clipsOfDraws()).containsExactly(List.of(30.0), List.of(50.0, 40.0));
    }

    @Test
    void clipsTakenAwaySinceAreBegunAgain() {
        recorder.applyClip(square(50));
        Output.SafeState state = recorder.safeState();
        recorder.setClip(null);
        recorder.fillShape(square(1));
        state.restore();
        recorder.fillShape(square(1));
        recorder.dispose();
        assertThat(clipsOfDraws()).containsExactly(List.of(), List.of(50.0));
    }
}
