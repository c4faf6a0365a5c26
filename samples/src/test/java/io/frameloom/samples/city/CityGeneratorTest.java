package io.frameloom.samples.city;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.samples.scene.DrawItem;
import io.frameloom.samples.scene.Light;
import io.frameloom.samples.scene.Material;
import io.frameloom.samples.scene.Motion;
import io.frameloom.samples.scene.Scene;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.joml.Matrix4f;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The city is large, varied, the same every time, and moves as a pure function of time. */
final class CityGeneratorTest {
    private static Scene city;

    @BeforeAll
    static void generate() {
        city = CityGenerator.generate(7);
    }

    @Test
    void hasTwoThousandDrawsAndMore() {
        assertThat(city.draws()).hasSizeGreaterThanOrEqualTo(2000);
        assertThat(city.meshes()).hasSizeLessThan(30);
        assertThat(city.materials()).hasSizeLessThan(30);
        assertThat(city.lights()).hasSizeBetween(100, Scene.MAX_LIGHTS);
    }

    @Test
    void keepsDrawsOfAMaterialTogether() {
        int changes = 0;
        List<DrawItem> draws = city.draws();
        for (int i = 1; i < draws.size(); i++) {
            changes += draws.get(i).material() != draws.get(i - 1).material() ? 1 : 0;
        }
        assertThat(changes).isEqualTo(city.materials().size() - 1);
    }

    @Test
    void isTheSameForTheSameSeed() {
        Scene again = CityGenerator.generate(7);
        assertThat(again.draws()).hasSameSizeAs(city.draws());
        for (int i = 0; i < city.draws().size(); i++) {
            DrawItem a = city.draws().get(i);
            DrawItem b = again.draws().get(i);
            assertThat(b.mesh()).isEqualTo(a.mesh());
            assertThat(b.material()).isEqualTo(a.material());
            assertThat(b.transform()).isEqualTo(a.transform());
            assertThat(b.tint()).isEqualTo(a.tint());
            assertThat(b.mapping()).isEqualTo(a.mapping());
        }
        for (int i = 0; i < city.materials().size(); i++) {
            Material a = city.materials().get(i);
            Material b = again.materials().get(i);
            assertThat(b.name()).isEqualTo(a.name());
            assertThat(b.baseColor().image().mips().get(0))
                    .isEqualTo(a.baseColor().image().mips().get(0));
            assertThat(b.emissive().image().mips().get(0))
                    .isEqualTo(a.emissive().image().mips().get(0));
        }
        assertThat(lights(again, 3.5)).isEqualTo(lights(city, 3.5));
    }

    @Test
    void isAnotherForAnotherSeed() {
        Scene other = CityGenerator.generate(8);
        boolean same = other.draws().size() == city.draws().size();
        for (int i = 0; same && i < city.draws().size(); i++) {
            same = Objects.equals(
                    other.draws().get(i).transform(), city.draws().get(i).transform());
        }
        assertThat(same).isFalse();
    }

    @Test
    void movesLightsAndDrawsAsFunctionsOfTime() {
        assertThat(lights(city, 2)).isEqualTo(lights(city, 2)).isNotEqualTo(lights(city, 2.5));
        List<Motion> motions = city.draws().stream()
                .map(DrawItem::motion)
                .filter(Objects::nonNull)
                .toList();
        assertThat(motions).hasSizeGreaterThan(100);
        for (Motion motion : motions) {
            Matrix4f now = new Matrix4f();
            Matrix4f same = new Matrix4f();
            Matrix4f later = new Matrix4f();
            motion.at(1, new float[0], now);
            motion.at(1, new float[0], same);
            motion.at(1.5, new float[0], later);
            assertThat(same).isEqualTo(now);
            assertThat(later).isNotEqualTo(now);
        }
    }

    private static float[] lights(Scene scene, double seconds) {
        float[] values = new float[scene.lights().size() * Light.FLOATS];
        for (int i = 0; i < scene.lights().size(); i++) {
            scene.lights().get(i).at(seconds, new float[0], values, i * Light.FLOATS);
        }
        assertThat(Arrays.hashCode(values)).isNotZero();
        return values;
    }
}
