package io.frameloom.samples.gltf;

import static io.frameloom.samples.gltf.SmallModel.UNSIGNED_BYTE;
import static io.frameloom.samples.gltf.SmallModel.UNSIGNED_SHORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.frameloom.samples.scene.Deformable;
import io.frameloom.samples.scene.Deformation;
import io.frameloom.samples.scene.DrawItem;
import io.frameloom.samples.scene.Mesh;
import io.frameloom.samples.scene.Scene;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.joml.Matrix4f;
import org.joml.Vector3f;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Animations, skins and morph targets that move: what a scene gets, against numbers worked out here. */
@Timeout(60)
final class GltfMotionTest {
    private static final float ROOT = (float) Math.sqrt(0.5);

    @TempDir
    private Path folder;

    private final SmallModel model = new SmallModel();
    private final List<String> notes = new ArrayList<>();

    private Scene load(@Nullable String animation, String rest) throws IOException, ModelException {
        return GltfLoader.load(Files.write(folder.resolve("model.glb"), model.glb(rest)), animation, notes::add);
    }

    private Scene load(String rest) throws IOException, ModelException {
        return load(null, rest);
    }

    private void refused(String rest, String... words) {
        assertThatThrownBy(() -> load(rest))
                .isInstanceOf(ModelException.class)
                .hasMessageContainingAll(words)
                .message()
                .doesNotContain("\n");
    }

    private static DrawItem draw(Scene scene, String mesh) {
        return scene.draws().stream()
                .filter(item -> scene.meshes().get(item.mesh()).name().equals(mesh))
                .findFirst()
                .orElseThrow();
    }

    private static float[] state(Scene scene, double seconds) {
        float[] state = new float[scene.rig().floats()];
        scene.rig().at(seconds, state);
        return state;
    }

    /** Returns where a draw is at a time, in the coordinates of the model. The mesh "still" is at its origin. */
    private static Matrix4f placed(Scene scene, String mesh, double seconds) {
        Matrix4f transform = new Matrix4f();
        Objects.requireNonNull(draw(scene, mesh).motion()).at(seconds, state(scene, seconds), transform);
        return draw(scene, "still").transform().invert(new Matrix4f()).mul(transform);
    }

    private static void assertSame(Matrix4f actual, Matrix4f expected) {
        assertThat(actual.get(new float[16])).containsExactly(expected.get(new float[16]), within(1e-4f));
    }

    private String triangles(String... names) {
        String attributes = "{\"attributes\":{\"POSITION\":%d}}".formatted(model.triangle());
        List<String> meshes = new ArrayList<>();
        for (String name : names) {
            meshes.add("{\"name\":\"%s\",\"primitives\":[%s]}".formatted(name, attributes));
        }
        return "\"meshes\":[%s]".formatted(String.join(",", meshes));
    }

    private String sampler(String interpolation, String type, double[] times, double... values) {
        return "{\"input\":%d,\"output\":%d,\"interpolation\":\"%s\"}"
                .formatted(model.floats("SCALAR", times), model.floats(type, values), interpolation);
    }

    private static String channel(int sampler, int node, String path) {
        return "{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}".formatted(sampler, node, path);
    }

    private static String animation(String name, List<String> samplers, String... channels) {
        return "{\"name\":\"%s\",\"samplers\":[%s],\"channels\":[%s]}"
                .formatted(name, String.join(",", samplers), String.join(",", channels));
    }

    @Test
    void nodesMoveWithTheirParentsAndBeginAgain() throws Exception {
        double[] times = {0, 1, 2};
        String moves = animation(
                "all",
                List.of(
                        sampler("LINEAR", "VEC3", times, 0, 0, 0, 4, 0, 0, 4, 2, 0),
                        sampler("STEP", "VEC4", times, 0, 0, 0, 1, 0, 0, ROOT, ROOT, 0, 0, 0, 1),
                        sampler(
                                "CUBICSPLINE",
                                "VEC3",
                                new double[] {0, 2},
                                0,
                                0,
                                0,
                                1,
                                1,
                                1,
                                1,
                                0,
                                0,
                                0,
                                0,
                                0,
                                3,
                                1,
                                1,
                                0,
                                0,
                                0)),
                channel(0, 1, "translation"),
                channel(1, 1, "rotation"),
                channel(2, 2, "scale"));
        Scene scene = load("\"nodes\":[{\"mesh\":0},{\"children\":[2,3],\"scale\":[2,2,2]},"
                + "{\"mesh\":1,\"translation\":[1,0,0]},{\"mesh\":2,\"translation\":[0,5,0]}],"
                + triangles("still", "child", "other") + ",\"animations\":[" + moves + "]");
        // Halfway of two seconds: h10 is 1/8 of tangent 1 times 2 seconds, h00 and h01 are a half.
        float cubic = 0.5f * 1 + 0.125f * 2 * 1 + 0.5f * 3;
        Matrix4f parent =
                new Matrix4f().translation(4, 0, 0).rotateZ((float) Math.PI / 2).scale(2);
        assertSame(
                placed(scene, "child", 1),
                new Matrix4f(parent).translate(1, 0, 0).scale(cubic, 1, 1));
        assertSame(placed(scene, "other", 1), new Matrix4f(parent).translate(0, 5, 0));
        assertSame(
                placed(scene, "other", 0.75),
                new Matrix4f().translation(3, 0, 0).scale(2).translate(0, 5, 0));
        assertSame(placed(scene, "other", 2.75), placed(scene, "other", 0.75));
        assertThat(draw(scene, "still").motion()).isNull();
        assertThat(state(scene, 1.3)).isEqualTo(state(scene, 1.3)).isNotEqualTo(state(scene, 1.4));
        assertThat(notes).isEmpty();
    }

    @Test
    void theRoomFitsAllThatAModelDoes() throws Exception {
        String moves = animation(
                "far",
                List.of(sampler("LINEAR", "VEC3", new double[] {0, 1, 2}, 0, 0, 0, 0, 40, 0, 0, 0, 0)),
                channel(0, 0, "translation"));
        Scene scene = load("\"nodes\":[{\"mesh\":0}]," + triangles("m") + ",\"animations\":[" + moves + "]");
        Vector3f low = new Vector3f();
        Vector3f high = new Vector3f();
        Matrix4f transform = new Matrix4f();
        DrawItem draw = draw(scene, "m");
        for (double seconds = 0; seconds < 2; seconds += 0.1) {
            float[] state = state(scene, seconds);
            Objects.requireNonNull(draw.motion()).at(seconds, state, transform);
            draw.bounds(scene.meshes().get(draw.mesh()), transform, state, low, high);
            assertThat(low.length()).isLessThan(10.5f);
            assertThat(high.length()).isLessThan(10.5f);
            assertThat(low.y)
                    .isGreaterThan(scene.draws().stream()
                            .map(item -> item.transform().getTranslation(new Vector3f()).y)
                            .min(Float::compare)
                            .orElseThrow());
        }
    }

    @Test
    void jointsTakeVerticesFromTheirBindPose() throws Exception {
        int matrices = model.floats(
                "MAT4", 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -2, 0,
                1);
        String attributes =
                "\"POSITION\":%d,\"NORMAL\":%d,\"JOINTS_0\":%d,\"WEIGHTS_0\":%d,\"JOINTS_1\":%d,\"WEIGHTS_1\":%d"
                        .formatted(
                                model.triangle(),
                                model.floats("VEC3", 1, 0, 0, 1, 0, 0, 1, 0, 0),
                                model.accessor(UNSIGNED_BYTE, "VEC4", "", 0, 1, 0, 0, 1, 7, 0, 0, 1, 0, 0, 0),
                                model.accessor(
                                        UNSIGNED_BYTE,
                                        "VEC4",
                                        ",\"normalized\":true",
                                        102,
                                        51,
                                        0,
                                        0,
                                        254,
                                        0,
                                        0,
                                        0,
                                        0,
                                        0,
                                        0,
                                        0),
                                model.accessor(UNSIGNED_SHORT, "VEC4", "", 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
                                model.floats("VEC4", 0.4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
        String turn = animation(
                "turn",
                List.of(sampler("LINEAR", "VEC4", new double[] {0, 1}, 0, 0, 0, 1, 0, 0, ROOT, ROOT)),
                channel(0, 1, "rotation"));
        Scene scene = load(("\"nodes\":[{\"mesh\":0,\"skin\":0,\"translation\":[99,99,99]},"
                        + "{\"name\":\"a\",\"translation\":[0,0,3],\"children\":[2]},{\"translation\":[10,0,0]}],"
                        + "\"skins\":[{\"joints\":[1,2],\"inverseBindMatrices\":%d}],"
                        + "\"meshes\":[{\"name\":\"m\",\"primitives\":[{\"attributes\":{%s}}]}],\"animations\":[%s]")
                .formatted(matrices, attributes, turn));
        DrawItem draw = draw(scene, "m");
        Deformation deformation = Objects.requireNonNull(draw.deformation());
        Deformable deformable =
                Objects.requireNonNull(scene.meshes().get(draw.mesh()).deformable());
        assertThat(deformation.weights()).isEqualTo(Deformation.NONE);
        float[] state = state(scene, 0.5);
        Matrix4f parent = new Matrix4f().translation(0, 0, 3).rotateZ((float) Math.PI / 4);
        assertSame(new Matrix4f().set(state, deformation.joints()), new Matrix4f(parent).translate(-1, 0, 0));
        assertSame(
                new Matrix4f().set(state, deformation.joints() + 16),
                new Matrix4f(parent).translate(10, 0, 0).translate(0, -2, 0));
        assertThat(deformable.sets()).isEqualTo(2);
        assertThat(deformable.joints())
                .containsExactly(0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        // Their sum is 1, although bytes were rounded; without weights the first joint moves a vertex.
        assertThat(deformable.weights())
                .containsExactly(
                        new float[] {0.4f, 0.2f, 0, 0, 0.4f, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0},
                        within(1e-6f));
    }

    @Test
    void weightsMoveMorphTargets() throws Exception {
        int position = model.triangle();
        int normal = model.floats("VEC3", 0, 0, 1, 0, 0, 1, 0, 0, 1);
        int uv = model.floats("VEC2", 0, 0, 1, 0, 0, 1);
        int up = model.floats("VEC3", 0, 0, 2, 0, 0, 0, 0, 3, 0);
        int slide = model.floats("VEC2", 0.5, 0, 0.5, 0, 0.5, 0.25);
        String mesh = ("\"meshes\":[{\"name\":\"m\",\"weights\":[0.5,0],\"primitives\":[{"
                        + "\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d,\"TEXCOORD_0\":%d},"
                        + "\"targets\":[{\"POSITION\":%d,\"NORMAL\":%d},{%s\"POSITION\":%d}]}]}]")
                .formatted(position, normal, uv, up, up, "%s", up);
        String weights = animation(
                "weights",
                List.of(sampler("LINEAR", "SCALAR", new double[] {0, 1}, 0, 1, 1, -1)),
                channel(0, 0, "weights"));
        String all = "\"nodes\":[{\"mesh\":0}]," + mesh + ",\"animations\":[" + weights + "]";
        Scene narrow = load(all.formatted(""));
        DrawItem draw = draw(narrow, "m");
        Mesh read = narrow.meshes().get(draw.mesh());
        Deformation deformation = Objects.requireNonNull(draw.deformation());
        Deformable deformable = Objects.requireNonNull(read.deformable());
        assertThat(read.vertices()).as("as they are without targets").startsWith(0, 0, 0, 0, 0, 1);
        assertThat(deformation.joints()).isEqualTo(Deformation.NONE);
        assertThat(deformable.targets().get(0)).containsExactly(0, 0, 2, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 3, 0);
        assertThat(deformable.targets().get(1)).startsWith(0, 0, 2, 0, 0, 0);
        float[] state = state(narrow, 0.25);
        assertThat(Arrays.copyOfRange(state, deformation.weights(), deformation.weights() + 2))
                .containsExactly(0.25f, 0.5f);
        Scene wide = load(all.formatted("\"TEXCOORD_0\":%d,".formatted(slide)));
        deformable =
                Objects.requireNonNull(wide.meshes().get(draw(wide, "m").mesh()).deformable());
        assertThat(deformable.targetFloats()).isEqualTo(Mesh.FLOATS_PER_VERTEX);
        assertThat(deformable.targets().get(1)).startsWith(0, 0, 2, 0, 0, 0, 0.5f, 0, 0, 0, 0, 0, 0, 0);

        Scene rest = load("none", all.formatted(""));
        assertThat(rest.meshes().get(0).deformable()).isNull();
        assertThat(rest.meshes().get(0).vertices()).as("by its own weights").startsWith(0, 0, 1, 0, 0, 2);
    }

    @Test
    void meshesWithoutNormalsStayFlatWhileTheyMove() throws Exception {
        String corners = "\"POSITION\":%d".formatted(model.floats("VEC3", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1));
        int offsets = model.floats("VEC3", 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0);
        String weights =
                animation("w", List.of(sampler("STEP", "SCALAR", new double[] {0}, 1)), channel(0, 0, "weights"));
        Scene scene = load(("\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"name\":\"m\",\"primitives\":[{\"mode\":6,"
                        + "\"attributes\":{%s},\"targets\":[{\"POSITION\":%d}]}]}],\"animations\":[%s]")
                .formatted(corners, offsets, weights));
        Deformable deformable = Objects.requireNonNull(scene.meshes().get(0).deformable());
        assertThat(deformable.flat()).isTrue();
        float[] target = deformable.targets().get(0);
        float[] moved = new float[6];
        for (int corner = 0; corner < 6; corner++) {
            moved[corner] = target[Deformable.POSITION_AND_NORMAL * corner];
        }
        assertThat(moved).containsExactly(1, 2, 3, 1, 3, 4);
    }

    @Test
    void playsTheAnimationThatIsAskedFor() throws Exception {
        String step = sampler("STEP", "VEC3", new double[] {0}, 7, 0, 0);
        String other = sampler("STEP", "VEC3", new double[] {0}, 0, 7, 0);
        String rest = "\"nodes\":[{\"mesh\":0},{\"mesh\":1}]," + triangles("still", "m") + ",\"animations\":["
                + animation("walk", List.of(step), channel(0, 1, "translation")) + ","
                + animation("run", List.of(other), channel(0, 1, "translation")) + "]";
        assertSame(placed(load(rest), "m", 0), new Matrix4f().translation(7, 0, 0));
        assertThat(notes)
                .singleElement()
                .asString()
                .contains("2 animations: 'walk' is played; --animation takes 'walk', 'run' or 'none'");
        notes.clear();
        assertSame(placed(load("run", rest), "m", 0), new Matrix4f().translation(0, 7, 0));
        assertSame(placed(load("1", rest), "m", 0), new Matrix4f().translation(0, 7, 0));
        assertThat(draw(load("none", rest), "m").motion()).isNull();
        assertThat(notes).isEmpty();
        assertThatThrownBy(() -> load("fly", rest))
                .isInstanceOf(ModelException.class)
                .hasMessageContainingAll("no animation 'fly'", "'walk', 'run' or 'none'");
        String still = "\"nodes\":[{\"mesh\":0}]," + triangles("m");
        assertThat(draw(load("none", still), "m").motion()).isNull();
        assertThatThrownBy(() -> load("0", still)).hasMessageContaining("--animation takes 'none'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"node\":0,\"path\":\"colour\"} | 0 | channels/0/target: 'colour' is none of",
                "{\"node\":0,\"path\":\"weights\"} | 0 | the node has no morph targets",
                "{\"node\":1,\"path\":\"scale\"} | 0 | the node has a matrix",
                "{\"node\":0,\"path\":\"scale\"} | 3 | channels/0/sampler: the animation has 3 samplers",
                "{\"node\":0,\"path\":\"scale\"} | 1 | input: its times do not increase",
                "{\"node\":0,\"path\":\"rotation\"} | 0 | samplers/0/output",
                "{\"node\":0,\"path\":\"scale\"} | 2 | 6 numbers for 1 times of 3",
                "{\"node\":9,\"path\":\"scale\"} | 0 | target/node = 9"
            })
    void refusesDamagedAnimations(String target, int sampler, String words) {
        String moves = "{\"samplers\":[%s],\"channels\":[{\"sampler\":%d,\"target\":%s}]}"
                .formatted(
                        String.join(
                                ",",
                                sampler("LINEAR", "VEC3", new double[] {0, 1}, 1, 1, 1, 2, 2, 2),
                                sampler("LINEAR", "VEC3", new double[] {1, 0}, 1, 1, 1, 2, 2, 2),
                                sampler("LINEAR", "VEC3", new double[] {0}, 1, 1, 1, 2, 2, 2)),
                        sampler,
                        target);
        refused(
                "\"nodes\":[{\"mesh\":0},{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}]," + triangles("m")
                        + ",\"animations\":[" + moves + "]",
                words);
    }

    @Test
    void channelsWithoutANodeAreForExtensions() throws Exception {
        String moves = "{\"samplers\":[],\"channels\":[{\"sampler\":0,\"target\":{\"path\":\"pointer\"}}]}";
        Scene scene = load("\"nodes\":[{\"mesh\":0}]," + triangles("m") + ",\"animations\":[" + moves
                + "],\"extensionsUsed\":[\"KHR_animation_pointer\"]");
        assertThat(scene.rig().floats()).isZero();
        assertThat(notes).singleElement().asString().contains("KHR_animation_pointer");
    }
}
