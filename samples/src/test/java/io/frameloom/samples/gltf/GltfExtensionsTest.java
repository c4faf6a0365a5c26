package io.frameloom.samples.gltf;

import static io.frameloom.samples.gltf.SmallModel.BYTE;
import static io.frameloom.samples.gltf.SmallModel.FLOAT;
import static io.frameloom.samples.gltf.SmallModel.SHORT;
import static io.frameloom.samples.gltf.SmallModel.UNSIGNED_BYTE;
import static io.frameloom.samples.gltf.SmallModel.bytes;
import static io.frameloom.samples.gltf.SmallModel.one;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.frameloom.samples.scene.Light;
import io.frameloom.samples.scene.Material;
import io.frameloom.samples.scene.MaterialTexture;
import io.frameloom.samples.scene.Mesh;
import io.frameloom.samples.scene.Scene;
import io.frameloom.testing.TestEffort;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.joml.Vector2f;
import org.joml.Vector3f;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lwjgl.BufferUtils;
import org.lwjgl.util.meshoptimizer.MeshOptimizer;

/** The extensions that are read, and what is said of the others. */
@Timeout(60)
final class GltfExtensionsTest {
    @TempDir
    private Path folder;

    private final SmallModel model = new SmallModel();
    private final List<String> notes = new ArrayList<>();

    private Scene load(byte[] file) throws IOException, ModelException {
        return GltfLoader.load(Files.write(folder.resolve("model.glb"), file), notes::add);
    }

    private Scene load(String rest) throws IOException, ModelException {
        return load(model.glb(rest));
    }

    private void refused(String rest, String... words) {
        assertThatThrownBy(() -> load(rest))
                .isInstanceOf(ModelException.class)
                .hasMessageContainingAll(words)
                .message()
                .doesNotContain("\n");
    }

    private static float[] floats(Scene scene, int from, int count) {
        float[] vertices = scene.meshes().get(0).vertices();
        float[] result = new float[vertices.length / Mesh.FLOATS_PER_VERTEX * count];
        for (int i = 0; i < result.length; i++) {
            result[i] = vertices[i / count * Mesh.FLOATS_PER_VERTEX + from + i % count];
        }
        return result;
    }

    // What is not read.

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "KHR_draco_mesh_compression | gltf-transform cp IN OUT",
                "KHR_texture_basisu | as PNG or JPEG",
                "EXT_something | export the model without EXT_something"
            })
    void refusesWhatIsRequiredWithTheWayOut(String extension, String wayOut) {
        refused(
                one("\"attributes\":{\"POSITION\":%d}".formatted(model.triangle()), "")
                        + ",\"extensionsUsed\":[\"%1$s\"],\"extensionsRequired\":[\"KHR_mesh_quantization\",\"%1$s\"]"
                                .formatted(extension),
                "requires " + extension + ", which is not supported; ",
                wayOut);
    }

    @Test
    void namesWhatIsUsedAndNotRead() throws Exception {
        load(one("\"attributes\":{\"POSITION\":%d}".formatted(model.triangle()), "")
                + ",\"extensionsUsed\":[\"KHR_texture_transform\",\"KHR_materials_sheen\",\"KHR_lights_punctual\"]");
        assertThat(notes).singleElement().asString().endsWith("uses KHR_materials_sheen: it is shown without");
    }

    // Materials.

    private Material material(String json) throws Exception {
        ByteArrayOutputStream image = new ByteArrayOutputStream();
        ImageIO.write(new BufferedImage(2, 2, BufferedImage.TYPE_INT_RGB), "png", image);
        return load(one(
                        "\"material\":0,\"attributes\":{\"POSITION\":%d,\"TEXCOORD_0\":%d,\"TEXCOORD_1\":%2$d}"
                                .formatted(model.triangle(), model.floats("VEC2", 0, 0, 1, 0, 0, 1)),
                        (",\"materials\":[{%s}],\"textures\":[{\"source\":0}],"
                                        + "\"images\":[{\"bufferView\":%d,\"mimeType\":\"image/png\"}]")
                                .formatted(json, model.view(image.toByteArray()))))
                .materials()
                .get(0);
    }

    @Test
    void multipliesWhatIsEmitted() throws Exception {
        assertThat(material("\"emissiveFactor\":[1,0.5,0],\"extensions\":{\"KHR_materials_emissive_strength\":"
                                + "{\"emissiveStrength\":8}}")
                        .emissiveFactor())
                .isEqualTo(new Vector3f(8, 4, 0));
    }

    /** The example of the specification: the lower left quarter of the image, turned clockwise by 90 degrees. */
    @Test
    void transformsCoordinates() throws Exception {
        String transform = "\"extensions\":{\"KHR_texture_transform\":{\"offset\":[0,1],\"rotation\":1.57079632679,"
                + "\"scale\":[0.5,0.5],\"texCoord\":1}}";
        Material material = material("\"emissiveTexture\":{\"index\":0,%s}".formatted(transform));
        MaterialTexture texture = material.emissive();
        assertThat(texture.texcoord()).isEqualTo(1);
        assertThat(material.special()).isTrue();
        Vector2f[] corners = {new Vector2f(0, 0), new Vector2f(1, 0), new Vector2f(0, 1), new Vector2f(1, 1)};
        float[] expected = {0, 1, 0, 0.5f, 0.5f, 1, 0.5f, 0.5f};
        for (int i = 0; i < 4; i++) {
            Vector2f at = texture.transform().transformPosition(corners[i]);
            assertThat(at.x).isCloseTo(expected[2 * i], within(1e-6f));
            assertThat(at.y).isCloseTo(expected[2 * i + 1], within(1e-6f));
        }
        Material plain = material("\"emissiveTexture\":{\"index\":0,\"extensions\":{\"KHR_texture_transform\":{}}}");
        assertThat(plain.special()).isFalse();
    }

    // Quantised values.

    @Test
    void readsQuantizedVertices() throws Exception {
        int position = model.accessor(SHORT, "VEC3", "", -300, 0, 0, 500, 0, 0, 0, 200, 0);
        int normal = model.accessor(BYTE, "VEC3", ",\"normalized\":true", 0, 0, 127, 0, 0, 127, 0, -128, 0);
        int uv = model.accessor(UNSIGNED_BYTE, "VEC2", "", 0, 0, 3, 0, 0, 255);
        Scene scene = load(one(
                        "\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d,\"TEXCOORD_0\":%d}"
                                .formatted(position, normal, uv),
                        "")
                + ",\"extensionsUsed\":[\"KHR_mesh_quantization\"],\"extensionsRequired\":[\"KHR_mesh_quantization\"]");
        assertThat(floats(scene, 0, 3)).containsExactly(-300, 0, 0, 500, 0, 0, 0, 200, 0);
        assertThat(floats(scene, 3, 3)).containsExactly(0, 0, 1, 0, 0, 1, 0, -1, 0);
        assertThat(floats(scene, 6, 2)).containsExactly(0, 0, 3, 0, 0, 255);
        assertThat(notes).isEmpty();
    }

    // Compressed buffers.

    private static ByteBuffer direct(byte[] data) {
        return BufferUtils.createByteBuffer(data.length).put(data).flip();
    }

    private static byte[] array(ByteBuffer data, long length) {
        byte[] result = new byte[(int) length];
        data.get(result);
        return result;
    }

    private static byte[] attributes(byte[] data, int stride) {
        int count = data.length / stride;
        ByteBuffer target =
                BufferUtils.createByteBuffer((int) MeshOptimizer.meshopt_encodeVertexBufferBound(count, stride));
        return array(target, MeshOptimizer.meshopt_encodeVertexBuffer(target, direct(data), count, stride));
    }

    private static byte[] triangles(int vertices, int... indices) {
        IntBuffer source =
                BufferUtils.createIntBuffer(indices.length).put(indices).flip();
        ByteBuffer target = BufferUtils.createByteBuffer(
                (int) MeshOptimizer.meshopt_encodeIndexBufferBound(indices.length, vertices));
        return array(target, MeshOptimizer.meshopt_encodeIndexBuffer(target, source));
    }

    private static byte[] sequence(int vertices, int... indices) {
        IntBuffer source =
                BufferUtils.createIntBuffer(indices.length).put(indices).flip();
        ByteBuffer target = BufferUtils.createByteBuffer(
                (int) MeshOptimizer.meshopt_encodeIndexSequenceBound(indices.length, vertices));
        return array(target, MeshOptimizer.meshopt_encodeIndexSequence(target, source));
    }

    /** A file with compressed views of a buffer that has no data. */
    private final class Compressed {
        private final List<String> views = new ArrayList<>();
        private final List<String> accessors = new ArrayList<>();
        private final ByteArrayOutputStream data = new ByteArrayOutputStream();
        private final String extension;

        Compressed(String extension) {
            this.extension = extension;
        }

        int accessor(byte[] compressed, int count, int stride, String mode, String accessor) {
            boolean attributes = mode.startsWith("\"ATTRIBUTES");
            views.add(("{\"buffer\":1,\"byteLength\":%d%s,\"extensions\":{\"%s\":{\"buffer\":0,\"byteOffset\":%d,"
                            + "\"byteLength\":%d,\"byteStride\":%d,\"count\":%d,\"mode\":%s}}}")
                    .formatted(
                            count * stride,
                            attributes ? ",\"byteStride\":" + stride : "",
                            extension,
                            data.size(),
                            compressed.length,
                            stride,
                            count,
                            mode));
            data.writeBytes(compressed);
            accessors.add("{\"bufferView\":%d,\"count\":%d,%s}".formatted(views.size() - 1, count, accessor));
            return accessors.size() - 1;
        }

        byte[] file(String rest) {
            return TestModel.container(
                    ("{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"%1$s\"],\"extensionsRequired\":[\"%1$s\"],"
                                    + "\"accessors\":[%2$s],\"bufferViews\":[%3$s],"
                                    + "\"buffers\":[{\"byteLength\":%4$d},{\"byteLength\":99999}],%5$s}")
                            .formatted(
                                    extension, String.join(",", accessors), String.join(",", views), data.size(), rest),
                    data.toByteArray());
        }

        /** Two triangles with everything that can be filtered. */
        byte[] square() {
            byte[] corners = bytes(FLOAT, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0.25);
            int position = accessor(
                    attributes(corners, 12), 4, 12, "\"ATTRIBUTES\"", "\"componentType\":5126,\"type\":\"VEC3\"");
            ByteBuffer normals = BufferUtils.createByteBuffer(16);
            MeshOptimizer.meshopt_encodeFilterOct(
                    normals,
                    4,
                    4,
                    8,
                    BufferUtils.createFloatBuffer(16)
                            .put(new float[] {0, 0, 1, 0, 0.6f, 0, 0.8f, 0, 0, -1, 0, 0, 0.48f, 0.6f, 0.64f, 0})
                            .flip());
            int normal = accessor(
                    attributes(array(normals, 16), 4),
                    4,
                    4,
                    "\"ATTRIBUTES\",\"filter\":\"OCTAHEDRAL\"",
                    "\"componentType\":5120,\"normalized\":true,\"type\":\"VEC3\"");
            ByteBuffer uvs = BufferUtils.createByteBuffer(32);
            MeshOptimizer.meshopt_encodeFilterExp(
                    uvs,
                    4,
                    8,
                    15,
                    BufferUtils.createFloatBuffer(8)
                            .put(new float[] {0, 0, 1, 0, 0.3f, 100, 1, 1e-3f})
                            .flip(),
                    MeshOptimizer.meshopt_EncodeExpSeparate);
            int uv = accessor(
                    attributes(array(uvs, 32), 8),
                    4,
                    8,
                    "\"ATTRIBUTES\",\"filter\":\"EXPONENTIAL\"",
                    "\"componentType\":5126,\"type\":\"VEC2\"");
            int indices = accessor(
                    triangles(4, 0, 1, 2, 2, 1, 3),
                    6,
                    2,
                    "\"TRIANGLES\"",
                    "\"componentType\":5123,\"type\":\"SCALAR\"");
            return file(one(
                    "\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d,\"TEXCOORD_0\":%d},\"indices\":%d"
                            .formatted(position, normal, uv, indices),
                    ""));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"EXT_meshopt_compression", "KHR_meshopt_compression"})
    void decodesCompressedMeshes(String extension) throws Exception {
        Scene scene = load(new Compressed(extension).square());
        assertThat(floats(scene, 0, 3)).containsExactly(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0.25f);
        assertThat(floats(scene, 3, 3))
                .containsExactly(new float[] {0, 0, 1, 0.6f, 0, 0.8f, 0, -1, 0, 0.48f, 0.6f, 0.64f}, within(0.02f));
        float[] uv = floats(scene, 6, 2);
        float[] expected = {0, 0, 1, 0, 0.3f, 100, 1, 1e-3f};
        for (int i = 0; i < uv.length; i++) {
            assertThat(uv[i]).isCloseTo(expected[i], within(Math.abs(expected[i]) / 8192));
        }
        int[] indices = scene.meshes().get(0).indices();
        assertThat(indices).hasSize(6);
        // The codec may begin triangles with another corner.
        assertThat(turned(indices, 0)).containsExactly(0, 1, 2);
        assertThat(turned(indices, 3)).containsExactly(1, 3, 2);
        assertThat(notes).isEmpty();
    }

    private static int[] turned(int[] indices, int from) {
        int[] corners = Arrays.copyOfRange(indices, from, from + 3);
        while (corners[0] > corners[1] || corners[0] > corners[2]) {
            corners = new int[] {corners[1], corners[2], corners[0]};
        }
        return corners;
    }

    @Test
    void decodesStripsColoursAndRotations() throws Exception {
        Compressed file = new Compressed("KHR_meshopt_compression");
        byte[] corners = bytes(FLOAT, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0);
        int position = file.accessor(
                attributes(corners, 12), 4, 12, "\"ATTRIBUTES\"", "\"componentType\":5126,\"type\":\"VEC3\"");
        ByteBuffer colors = BufferUtils.createByteBuffer(16);
        float[] color = {1, 0, 0, 1, 0, 1, 0, 0.5f, 0.2f, 0.4f, 0.6f, 1, 1, 1, 1, 1};
        MeshOptimizer.meshopt_encodeFilterColor(
                colors, 4, 4, 8, BufferUtils.createFloatBuffer(16).put(color).flip());
        int colour = file.accessor(
                attributes(array(colors, 16), 4),
                4,
                4,
                "\"ATTRIBUTES\",\"filter\":\"COLOR\"",
                "\"componentType\":5121,\"normalized\":true,\"type\":\"VEC4\"");
        int indices = file.accessor(
                sequence(4, 3, 2, 1, 0), 4, 4, "\"INDICES\"", "\"componentType\":5125,\"type\":\"SCALAR\"");
        int times = file.accessor(
                attributes(bytes(FLOAT, 0, 1), 4),
                2,
                4,
                "\"ATTRIBUTES\"",
                "\"componentType\":5126,\"type\":\"SCALAR\"");
        ByteBuffer turns = BufferUtils.createByteBuffer(16);
        MeshOptimizer.meshopt_encodeFilterQuat(
                turns,
                2,
                8,
                16,
                BufferUtils.createFloatBuffer(8)
                        .put(new float[] {0.6f, 0, 0, 0.8f, 0, 0, 0.6f, 0.8f})
                        .flip());
        int turn = file.accessor(
                attributes(array(turns, 16), 8),
                2,
                8,
                "\"ATTRIBUTES\",\"filter\":\"QUATERNION\"",
                "\"componentType\":5122,\"normalized\":true,\"type\":\"VEC4\"");
        Scene scene = load(file.file(one(
                "\"mode\":5,\"attributes\":{\"POSITION\":%d,\"COLOR_0\":%d},\"indices\":%d"
                        .formatted(position, colour, indices),
                (",\"animations\":[{\"samplers\":[{\"input\":%d,\"output\":%d}],"
                                + "\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"rotation\"}}]}]")
                        .formatted(times, turn))));
        // Without normals each triangle has corners of its own: 3, 2, 1, then 1, 2, 0.
        assertThat(floats(scene, 0, 3)).startsWith(1, 1, 0, 0, 1, 0, 1, 0, 0);
        assertThat(floats(scene, 10, 4)).startsWith(new float[] {1, 1, 1, 1}, within(0.01f));
        float[] drawn = floats(scene, 10, 4);
        assertThat(Arrays.copyOfRange(drawn, 4, 12))
                .containsExactly(new float[] {0.2f, 0.4f, 0.6f, 1, 0, 1, 0, 0.5f}, within(0.02f));
        float[] state = new float[scene.rig().floats()];
        scene.rig().at(0, state);
        // A turn around x with the sine 0.6 of half its angle: cosine 0.28, sine 0.96.
        assertThat(Arrays.copyOf(state, 8))
                .containsExactly(new float[] {1, 0, 0, 0, 0, 0.28f, 0.96f, 0}, within(1e-3f));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"count\":4,\"mode\" | \"count\":3,\"mode\" | are not the 48 bytes of the view",
                "\"byteStride\":12,\"count\" | \"byteStride\":10,\"count\" | cannot be ATTRIBUTES",
                "\"mode\":\"ATTRIBUTES\" | \"mode\":\"POINTS\" | 'POINTS' is none of ATTRIBUTES, INDICES, TRIANGLES",
                "\"filter\":\"OCTAHEDRAL\" | \"filter\":\"QUATERNION\" | with filter QUATERNION",
                "\"byteStride\":2,\"count\":6 | \"byteStride\":1,\"count\":12 | cannot be TRIANGLES",
                "\"buffer\":0,\"byteOffset\":0 | \"buffer\":0,\"byteOffset\":9999 | are not in buffer 0",
                "\"buffer\":0,\"byteOffset\":0 | \"buffer\":1,\"byteOffset\":0 | are not in buffer 1",
                "\"buffer\":0,\"byteOffset\":0 | \"buffer\":0,\"byteOffset\":3 | its data are damaged",
                "\"buffer\":0,\"byteOffset\":0 | \"buffer\":2,\"byteOffset\":0 | beyond the 2 in buffers"
            })
    void refusesDamagedViews(String right, String wrong, String words) throws Exception {
        String file = new String(new Compressed("EXT_meshopt_compression").square(), StandardCharsets.ISO_8859_1);
        assertThat(file).contains(right);
        String json = file.substring(20, file.indexOf("BIN\0") - 4)
                .strip()
                .replaceFirst(Pattern.quote(right), Matcher.quoteReplacement(wrong));
        byte[] data = file.substring(file.indexOf("BIN\0") + 4).getBytes(StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> load(TestModel.container(json, data)))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining(words);
    }

    @Test
    void survivesRandomDamageOfWhatIsCompressedOrMoves() throws Exception {
        List<byte[]> files =
                List.of(new Compressed("EXT_meshopt_compression").square(), new MovingModel().bending(0, 90, 0, 1));
        SplittableRandom random = new SplittableRandom(5);
        int refused = 0;
        for (int i = 0; i < TestEffort.of(100, 2000); i++) {
            byte[] file = files.get(i % files.size()).clone();
            for (int change = 1 + random.nextInt(6); change > 0; change--) {
                file[random.nextInt(file.length)] = (byte) random.nextInt(256);
            }
            try {
                Scene scene = load(file);
                scene.rig().at(0.5, new float[scene.rig().floats()]);
            } catch (ModelException e) {
                refused++;
                assertThat(e.getMessage()).doesNotContain("\n");
            }
        }
        assertThat(refused).isPositive();
    }

    // Lights.

    private Scene lit(String lights, String... nodes) throws Exception {
        return load(("\"nodes\":[{\"mesh\":0},%s],\"meshes\":[{\"name\":\"m\",\"primitives\":[{\"attributes\":"
                        + "{\"POSITION\":%d}}]}],\"extensions\":{\"KHR_lights_punctual\":{\"lights\":[%s]}}")
                .formatted(
                        String.join(",", nodes), model.floats("VEC3", -20, -20, -20, 20, 20, 20, 20, -20, 20), lights));
    }

    private static String lamp(int light, String node) {
        return "{%s\"extensions\":{\"KHR_lights_punctual\":{\"light\":%d}}}".formatted(node, light);
    }

    private static float[] light(Scene scene, int number) {
        float[] values = new float[Light.FLOATS];
        scene.lights().get(number).at(0, new float[scene.rig().floats()], values, 0);
        return values;
    }

    /** The model is shown at 10 / sqrt(1200) of its size, and candela grow with the square of it. */
    @Test
    void readsPointAndSpotLights() throws Exception {
        Scene scene = lit(
                "{\"type\":\"point\",\"color\":[1,0.5,0],\"intensity\":12,\"range\":30},"
                        + "{\"type\":\"spot\",\"intensity\":24,\"spot\":{\"innerConeAngle\":0.2,\"outerConeAngle\":0.6}}",
                lamp(0, "\"translation\":[6,0,12],"),
                lamp(1, "\"scale\":[3,3,3],\"rotation\":[-0.70710678,0,0,0.70710678],"));
        float scale = 10 / (float) Math.sqrt(1200);
        assertThat(scene.lights()).hasSize(2);
        float[] point = light(scene, 0);
        assertThat(Arrays.copyOf(point, 7))
                .containsExactly(new float[] {6 * scale, 0, 12 * scale, 30 * scale, 1, 0.5f, 0}, within(1e-3f));
        assertThat(Arrays.copyOfRange(point, 8, 12)).containsExactly(new float[4], within(0f));
        float[] spot = light(scene, 1);
        assertThat(spot[3]).as("without a range").isGreaterThan(1000);
        assertThat(spot[4]).isCloseTo(2, within(1e-4f));
        // Turned to shine down; what is lit at an angle is the formula of the specification.
        for (double angle : new double[] {0, 0.1, 0.3, 0.5, 0.7}) {
            Vector3f toLight = new Vector3f((float) Math.sin(angle), (float) Math.cos(angle), 0);
            double within = Math.min(1, Math.max(0, spot[11] + 1 - toLight.dot(spot[8], spot[9], spot[10])));
            double expected =
                    Math.min(1, Math.max(0, (Math.cos(angle) - Math.cos(0.6)) / (Math.cos(0.2) - Math.cos(0.6))));
            assertThat(within * within).isCloseTo(expected * expected, within(1e-4));
        }
        assertThat(scene.atmosphere().sun().x()).as("daylight stays").isGreaterThan(4);
        assertThat(notes).isEmpty();
    }

    @Test
    void theFirstDirectionalLightIsTheSun() throws Exception {
        String turn = "\"rotation\":[-0.70710678,0,0,0.70710678],";
        Scene scene = lit(
                "{\"type\":\"directional\",\"color\":[1,1,0.5],\"intensity\":3},{\"type\":\"directional\"}",
                lamp(0, turn),
                lamp(1, ""));
        assertThat(scene.atmosphere().sun().distance(3, 3, 1.5f)).isLessThan(1e-6f);
        assertThat(scene.atmosphere().toSun().distance(0, 1, 0)).isLessThan(1e-6f);
        float[] other = light(scene, 0);
        assertThat(Arrays.copyOf(other, 7)).containsExactly(0, 0, 1, 0, 1, 1, 1);
        assertThat(notes).isEmpty();
    }

    @Test
    void dimsLightsThatBlind() throws Exception {
        Scene scene = lit(
                "{\"type\":\"directional\",\"intensity\":1000},{\"type\":\"point\",\"intensity\":1200}",
                lamp(0, ""),
                lamp(1, ""));
        assertThat(scene.atmosphere().sun().x()).isCloseTo(4, within(1e-4f));
        assertThat(light(scene, 0)[4]).isCloseTo(0.4f, within(1e-3f));
        assertThat(notes).singleElement().asString().contains("1000 lux on its middle: all are shown 250 times darker");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | lights/0: it has no type",
                "{\"type\":\"lamp\"} | 'lamp' is none of directional, point, spot",
                "{\"type\":\"spot\",\"spot\":{\"innerConeAngle\":1}} | lights/0/spot: its cones",
                "{\"type\":\"point\",\"color\":[1]} | no list of 3 numbers"
            })
    void refusesDamagedLights(String light, String words) {
        assertThatThrownBy(() -> lit(light, lamp(0, "")))
                .isInstanceOf(ModelException.class)
                .hasMessageContaining(words);
        assertThatThrownBy(() -> lit(light, lamp(7, ""))).hasMessageContaining("beyond the 1 in");
    }
}
