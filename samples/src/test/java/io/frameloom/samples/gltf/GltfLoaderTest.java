package io.frameloom.samples.gltf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.samples.scene.Bounds;
import io.frameloom.samples.scene.DrawItem;
import io.frameloom.samples.scene.Material;
import io.frameloom.samples.scene.Mesh;
import io.frameloom.samples.scene.Scene;
import io.frameloom.testing.TestEffort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.joml.Vector3f;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A generated model survives loading; damaged ones give one clear line. */
final class GltfLoaderTest {
    @TempDir
    private Path folder;

    private Scene load(byte[] bytes) throws IOException, ModelException {
        return GltfLoader.load(Files.write(folder.resolve("model.glb"), bytes), note -> {});
    }

    private Material material(Scene scene, String name) {
        return scene.materials().stream()
                .filter(material -> material.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private DrawItem draw(Scene scene, String mesh) {
        return scene.draws().stream()
                .filter(draw -> scene.meshes().get(draw.mesh()).name().equals(mesh))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void refusesNodesThatAreReachedTwice() {
        int levels = 64;
        StringBuilder nodes = new StringBuilder();
        for (int n = 0; n < levels; n++) {
            nodes.append("{\"name\":\"n%d\",\"children\":[%d,%d]},".formatted(n, n + 1, n + 1));
        }
        String json = "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[%s{}]}"
                .formatted(nodes);
        assertThatThrownBy(() -> load(TestModel.withJson(json)))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("more than once");
    }

    @Test
    void saysWhyAFileCannotBeRead() throws IOException {
        Path file = Files.write(folder.resolve("secret.glb"), TestModel.bytes());
        assumeTrue(file.toFile().setReadable(false) && !Files.isReadable(file), "this user may read everything");
        assertThatThrownBy(() -> GltfLoader.load(file, note -> {}))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("access denied");
    }

    @Test
    void keepsMeshesMaterialsTexturesAndHierarchy() throws Exception {
        Scene scene = load(TestModel.bytes());

        assertThat(scene.meshes()).extracting(Mesh::name).containsExactly("box", "sphere", "plate", "floor");
        assertThat(scene.draws()).hasSize(4);
        Mesh box = scene.meshes().get(0);
        assertThat(box.vertexCount()).isEqualTo(24);
        assertThat(box.indices()).hasSize(36);
        assertThat(scene.meshes().get(1).indices()).hasSize(16 * 24 * 6);

        Material checker = material(scene, "checker");
        assertThat(checker.baseColor().image().width()).isEqualTo(64);
        assertThat(checker.baseColor().image().srgb()).isTrue();
        assertThat(checker.baseColor().image().mips()).hasSize(7);
        assertThat(checker.baseColor().image().mips().get(0)).startsWith((byte) 230, (byte) 120, (byte) 40, (byte) 255);
        assertThat(checker.metallicRoughness().image().srgb()).isFalse();
        assertThat(checker.normalScale()).isEqualTo(0.8f);
        Material gold = material(scene, "gold");
        assertThat(gold.metallic()).isEqualTo(1);
        assertThat(gold.roughness()).isEqualTo(0.3f);
        assertThat(gold.baseColorFactor().y()).isEqualTo(0.75f);
        assertThat(gold.emissiveFactor().x()).isEqualTo(0.05f);
        Material holes = material(scene, "holes");
        assertThat(holes.twoSided()).isTrue();
        assertThat(holes.alphaCutoff()).isEqualTo(0.4f);

        // The sphere's centre is 3 along the parent's turned x axis from the box, in the same scale as everything.
        Vector3f boxCenter = draw(scene, "box").transform().transformPosition(new Vector3f());
        Vector3f sphereCenter = draw(scene, "sphere").transform().transformPosition(new Vector3f());
        Vector3f boxEdge = draw(scene, "box").transform().transformDirection(new Vector3f(2, 0, 0));
        Vector3f offset = sphereCenter.sub(boxCenter);
        assertThat(offset.length() / boxEdge.length()).isCloseTo(1.5f, within(1e-4f));
        assertThat(offset.normalize().dot(boxEdge.normalize())).isCloseTo(1f, within(1e-4f));
        assertThat(boxEdge.x).isCloseTo((float) Math.sqrt(0.5), within(1e-4f));
    }

    @Test
    void givesEachTriangleItsNormalWhereNormalsAreMissing() throws Exception {
        Scene scene = load(TestModel.bytes());
        Mesh sphere = scene.meshes().get(1);
        for (int i = 0; i < sphere.vertexCount(); i++) {
            int at = i * Mesh.FLOATS_PER_VERTEX;
            float[] v = sphere.vertices();
            int first = i / 3 * 3 * Mesh.FLOATS_PER_VERTEX;
            Vector3f position = new Vector3f(v[at], v[at + 1], v[at + 2]).normalize();
            // The triangles at the poles have no area, or nearly so.
            if (IntStream.of(0, 1, 2)
                    .allMatch(corner -> Math.abs(v[first + corner * Mesh.FLOATS_PER_VERTEX + 1]) < 0.999f)) {
                assertThat(position.dot(v[at + 3], v[at + 4], v[at + 5])).isGreaterThan(0.97f);
            }
            assertThat(Arrays.copyOfRange(v, at + 3, at + 6)).isEqualTo(Arrays.copyOfRange(v, first + 3, first + 6));
        }
    }

    @Test
    void framesTheCameraToTheBounds() throws Exception {
        Scene scene = load(TestModel.bytes());
        Bounds model = scene.draws().stream()
                .filter(draw -> !scene.meshes().get(draw.mesh()).name().equals("floor"))
                .map(draw -> scene.meshes().get(draw.mesh()).bounds().transformed(draw.transform()))
                .reduce(Bounds::union)
                .orElseThrow();
        assertThat(model.radius()).isCloseTo(10, within(0.01f));
        assertThat(model.center().length()).isLessThan(0.01f);
    }

    static IntStream lengths() {
        int length = TestModel.bytes().length;
        return IntStream.concat(IntStream.range(0, 24), new SplittableRandom(5).ints(60, 24, length));
    }

    @ParameterizedTest
    @MethodSource("lengths")
    void refusesTruncatedFiles(int length) {
        assertThatThrownBy(() -> load(Arrays.copyOf(TestModel.bytes(), length)))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("model.glb")
                .message()
                .doesNotContain("\n");
    }

    @Test
    void refusesAnotherMagic() {
        byte[] bytes = TestModel.bytes();
        bytes[0] = 'x';
        assertThatThrownBy(() -> load(bytes))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("neither binary glTF nor JSON");
    }

    @Test
    void refusesAnotherVersion() {
        byte[] bytes = TestModel.bytes();
        bytes[4] = 1;
        assertThatThrownBy(() -> load(bytes)).isInstanceOf(ModelException.class).hasMessageContaining("version 1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "null",
                "not json",
                "{\"asset\":{\"version\":\"2.0\"}}",
                "{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]}",
                "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[7]}],\"scene\":0}",
                "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"children\":[0]}],\"scenes\":[{\"nodes\":[0]}]}",
                "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],\"scenes\":[{\"nodes\":[0]}],"
                        + "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
                        + "\"accessors\":[{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"bufferView\":4}]}",
                "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],\"scenes\":[{\"nodes\":[0]}],"
                        + "\"meshes\":[{\"primitives\":[{\"attributes\":{}}]}]}"
            })
    void refusesJsonThatIsNoModel(String json) {
        assertThatThrownBy(() -> load(TestModel.withJson(json)))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("model.glb")
                .message()
                .doesNotContain("\n");
    }

    @Test
    void refusesAnIndexBeyondTheVertices() {
        String file = new String(TestModel.bytes(), StandardCharsets.ISO_8859_1);
        int at = file.indexOf("BIN\0") + 4;
        byte[] bytes = TestModel.bytes();
        bytes[at] = 100;
        assertThatThrownBy(() -> load(bytes)).isInstanceOf(ModelException.class).hasMessageContaining("index 100");
    }

    @Test
    void survivesRandomDamage() throws Exception {
        SplittableRandom random = new SplittableRandom(77);
        int refused = 0;
        for (int i = 0; i < TestEffort.of(60, 150); i++) {
            byte[] bytes = TestModel.bytes();
            int changes = 1 + random.nextInt(8);
            for (int change = 0; change < changes; change++) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            try {
                assertThat(load(bytes).draws()).isNotEmpty();
            } catch (ModelException e) {
                refused++;
                assertThat(e.getMessage()).doesNotContain("\n");
            }
        }
        assertThat(refused).isPositive();
    }

    @Test
    void namesAFileThatIsMissing() {
        assertThatThrownBy(() -> GltfLoader.load(folder.resolve("none.glb"), note -> {}))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("none.glb")
                .hasMessageContaining("does not exist");
        assertThatThrownBy(() -> GltfLoader.load(folder, note -> {}))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining("is not a file");
    }
}
