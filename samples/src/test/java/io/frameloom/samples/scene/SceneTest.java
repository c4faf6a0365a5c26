package io.frameloom.samples.scene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.frameloom.samples.city.CityGenerator;
import io.frameloom.taskgraph.TaskGraph;
import java.util.Arrays;
import java.util.List;
import org.joml.Matrix4f;
import org.joml.Vector3f;
import org.joml.Vector4f;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Textures, meshes, and the simulation of a frame. */
final class SceneTest {
    private static Scene city;

    @BeforeAll
    static void generate() {
        city = CityGenerator.generate(7);
    }

    @Test
    void halvesTexturesInLinearLight() {
        byte[] halfWhite = {0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0};
        byte[] srgb = TextureImage.of("t", 2, 2, true, halfWhite.clone()).mips().get(1);
        byte[] linear =
                TextureImage.of("t", 2, 2, false, halfWhite.clone()).mips().get(1);
        assertThat(srgb[0] & 255).isEqualTo(188);
        assertThat(srgb[3] & 255).isEqualTo(128);
        assertThat(linear[0] & 255).isEqualTo(128);
    }

    @Test
    void averagesOddSidesByArea() {
        byte[] edge = new byte[5 * 3 * 4];
        for (int y = 0; y < 3; y++) {
            Arrays.fill(edge, (5 * y + 4) * 4, (5 * y + 5) * 4, (byte) 255);
        }
        List<byte[]> mips = TextureImage.of("t", 5, 3, false, edge).mips();
        // Two texels of two and a half each: the white column is two fifths of the second one.
        assertThat(mips.get(1)).startsWith(0, 0, 0, 0).endsWith(102, 102, 102, 102);
        assertThat(mips.get(2)).containsOnly(51);
    }

    @Test
    void makesTheWholeMipChainOfAnySize() {
        TextureImage image = TextureImage.of("t", 13, 5, true, new byte[13 * 5 * 4]);
        assertThat(image.mips()).extracting(mip -> mip.length).containsExactly(13 * 5 * 4, 6 * 2 * 4, 3 * 4, 4);
        TextureImage small = image.limitedTo(6);
        assertThat(small.width()).isEqualTo(6);
        assertThat(small.mips()).hasSize(3);
        assertThatThrownBy(() -> TextureImage.of("t", 2, 2, true, new byte[3]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'t'");
    }

    @Test
    void facesOfSolidsPointOutwards() {
        Mesh box = new MeshBuilder().box(-1, -2, -3, 1, 2, 3).build("box");
        Mesh drum = new MeshBuilder().cylinder(0, 0, 0, 1, 2, 0.5f, 9).build("drum");
        Mesh blob = new MeshBuilder().blob(0, 0, 0, 2, 0, 8, 12, 1).build("blob");
        for (Mesh mesh : new Mesh[] {box, drum, blob}) {
            for (int i = 0; i < mesh.indices().length; i += 3) {
                Vector3f a = position(mesh, i);
                Vector3f normal =
                        position(mesh, i + 1).sub(a).cross(position(mesh, i + 2).sub(a));
                int at = mesh.indices()[i] * Mesh.FLOATS_PER_VERTEX;
                float[] v = mesh.vertices();
                assertThat(normal.dot(v[at + 3], v[at + 4], v[at + 5]))
                        .as("%s, triangle %d", mesh.name(), i / 3)
                        .isGreaterThan(-1e-6f);
            }
        }
    }

    private static Vector3f position(Mesh mesh, int corner) {
        int at = mesh.indices()[corner] * Mesh.FLOATS_PER_VERTEX;
        return new Vector3f(mesh.vertices()[at], mesh.vertices()[at + 1], mesh.vertices()[at + 2]);
    }

    @Test
    void simulatesTheSameFrameWithAnyNumberOfWorkers() {
        FrameSnapshot one = simulate(1);
        FrameSnapshot four = simulate(4);
        assertThat(four.transforms).isEqualTo(one.transforms);
        assertThat(four.lights).isEqualTo(one.lights);
        assertThat(four.cameraCount).isEqualTo(one.cameraCount);
        assertThat(four.cameraDraws).isEqualTo(one.cameraDraws);
        assertThat(four.shadowCount).isEqualTo(one.shadowCount);
    }

    @Test
    void drawsThatMoveWereElsewhereInTheFrameBefore() {
        FrameSnapshot now = simulate(2);
        FrameSnapshot earlier = new FrameSnapshot(city);
        try (TaskGraph tasks = TaskGraph.builder().workers(1).build()) {
            new Simulation(city, tasks, 640, 360, 2048).simulate(earlier, 4, 0.48, 0.46);
        }
        int[] moving = city.moving();
        int elsewhere = 0;
        for (int i = 0; i < moving.length; i++) {
            float[] was = matrix(now.formerTransforms, i);
            assertThat(was).isEqualTo(matrix(earlier.transforms, moving[i]));
            elsewhere += Arrays.equals(was, matrix(now.transforms, moving[i])) ? 0 : 1;
        }
        assertThat(elsewhere).isGreaterThan(100).isLessThanOrEqualTo(moving.length);
    }

    private static float[] matrix(float[] transforms, int number) {
        int from = number * FrameSnapshot.MATRIX_FLOATS;
        return Arrays.copyOfRange(transforms, from, from + FrameSnapshot.MATRIX_FLOATS);
    }

    private static FrameSnapshot simulate(int workers) {
        try (TaskGraph tasks = TaskGraph.builder().workers(workers).build()) {
            FrameSnapshot snapshot = new FrameSnapshot(city);
            new Simulation(city, tasks, 640, 360, 2048).simulate(snapshot, 5, 0.5, 0.48);
            return snapshot;
        }
    }

    @Test
    void seesMostOfTheCityButNotAll() {
        FrameSnapshot snapshot = simulate(1);
        assertThat(snapshot.cameraCount).isBetween(2000, city.draws().size() - 1);
        assertThat(snapshot.shadowCount).isBetween(500, city.draws().size());
    }

    @Test
    void depthIsReversedAndTheSunSeesTheScene() {
        FrameView view = simulate(1).view;
        Vector3f forward = new Vector3f(view.pose.target).sub(view.pose.eye).normalize();
        Vector4f near = clip(
                view.viewProjection, new Vector3f(forward).mul(view.pose.near).add(view.pose.eye));
        Vector4f far = clip(
                view.viewProjection, new Vector3f(forward).mul(view.pose.far).add(view.pose.eye));
        assertThat(near.z / near.w).isCloseTo(1, within(1e-3f));
        assertThat(far.z / far.w).isCloseTo(0, within(1e-3f));
        Vector4f above = clip(view.viewProjection, new Vector3f(view.pose.target).add(0, 1, 0));
        assertThat(above.y / above.w).as("y points down").isNegative();

        Vector4f ahead = clip(view.shadow, new Vector3f(forward).mul(60).add(view.pose.eye));
        assertThat(ahead.x).isBetween(-1f, 1f);
        assertThat(ahead.y).isBetween(-1f, 1f);
        assertThat(ahead.z).isBetween(0f, 1f);
        Vector3f sunward = new Vector3f(forward)
                .mul(60)
                .add(view.pose.eye)
                .add(city.atmosphere().toSun());
        assertThat(clip(view.shadow, sunward).z).as("nearer to the sun").isLessThan(ahead.z);
    }

    @Test
    void reprojectsAPointToWhereItWas() {
        FrameView now = simulate(1).view;
        FrameSnapshot earlier = new FrameSnapshot(city);
        try (TaskGraph tasks = TaskGraph.builder().workers(1).build()) {
            new Simulation(city, tasks, 640, 360, 2048).simulate(earlier, 4, 0.48, 0.46);
        }
        Vector3f point = new Vector3f(3, 5, 40);
        Vector4f here = clip(now.viewProjection, point);
        Vector4f there = clip(earlier.view.viewProjection, point);
        Vector4f reprojected = now.reprojection.transform(here.div(here.w));
        assertThat(reprojected.x / reprojected.w).isCloseTo(there.x / there.w, within(1e-3f));
        assertThat(reprojected.y / reprojected.w).isCloseTo(there.y / there.w, within(1e-3f));
    }

    private static Vector4f clip(Matrix4f matrix, Vector3f point) {
        return matrix.transform(new Vector4f(point, 1));
    }
}
