package io.frameloom.samples.gltf;

import static io.frameloom.samples.gltf.SmallModel.BYTE;
import static io.frameloom.samples.gltf.SmallModel.FLOAT;
import static io.frameloom.samples.gltf.SmallModel.SHORT;
import static io.frameloom.samples.gltf.SmallModel.UNSIGNED_BYTE;
import static io.frameloom.samples.gltf.SmallModel.UNSIGNED_INT;
import static io.frameloom.samples.gltf.SmallModel.UNSIGNED_SHORT;
import static io.frameloom.samples.gltf.SmallModel.bytes;
import static io.frameloom.samples.gltf.SmallModel.one;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.SamplerDescription.Address;
import io.frameloom.samples.scene.Material;
import io.frameloom.samples.scene.Mesh;
import io.frameloom.samples.scene.Scene;
import java.awt.color.ColorSpace;
import java.awt.image.BufferedImage;
import java.awt.image.ColorModel;
import java.awt.image.ComponentColorModel;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.awt.image.WritableRaster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import org.joml.Matrix3f;
import org.joml.Vector3f;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Core glTF 2.0, one thing of its specification after another: what a scene gets, what is said and what is refused. */
@Timeout(60)
final class GltfCoreTest {
    private static final String DATA = "data:application/octet-stream;base64,";

    @TempDir
    private Path folder;

    private final SmallModel model = new SmallModel();
    private final List<String> notes = new ArrayList<>();

    private Scene load(String rest) throws IOException, ModelException {
        return load("model.glb", model.glb(rest));
    }

    private Scene load(String name, byte[] file) throws IOException, ModelException {
        return GltfLoader.load(Files.write(folder.resolve(name), file), notes::add);
    }

    private void refused(String rest, String... words) {
        assertThatThrownBy(() -> load(rest))
                .isInstanceOf(ModelException.class)
                .hasMessageContainingAll(words)
                .message()
                .doesNotContain("\n");
    }

    /** Returns some floats of each vertex of the first mesh. */
    private static float[][] vertices(Scene scene, int from, int count) {
        Mesh mesh = scene.meshes().get(0);
        float[][] result = new float[mesh.vertexCount()][];
        for (int i = 0; i < result.length; i++) {
            int at = i * Mesh.FLOATS_PER_VERTEX + from;
            result[i] = Arrays.copyOfRange(mesh.vertices(), at, at + count);
        }
        return result;
    }

    private static float[] corners(float[]... vectors) {
        float[] all = new float[vectors.length * vectors[0].length];
        for (int i = 0; i < vectors.length; i++) {
            System.arraycopy(vectors[i], 0, all, i * vectors[0].length, vectors[0].length);
        }
        return all;
    }

    // Files.

    @Test
    void readsTextWithEmbeddedData() throws Exception {
        String primitive = one("\"attributes\":{\"POSITION\":%d}".formatted(model.triangle()), "");
        String uri = DATA + Base64.getEncoder().encodeToString(model.binary());
        Scene scene = load("model.gltf", model.gltf(primitive, uri).getBytes(StandardCharsets.UTF_8));
        assertThat(vertices(scene, 0, 3)[1]).containsExactly(1, 0, 0);
        assertThat(notes).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"data:;base64", "DATA:application/octet-stream;BASE64", "data:a/b;charset=x;base64"})
    void readsDataWithEscapesAndCapitals(String head) throws Exception {
        model.view(new byte[] {-1, -1, -1, -1, -1, -1, -5, -17, -66, -5, -17, -66});
        String primitive = one("\"attributes\":{\"POSITION\":%d}".formatted(model.triangle()), "");
        String data = Base64.getEncoder().encodeToString(model.binary());
        assertThat(data).contains("/").contains("+");
        for (String text : List.of(data, data.replace("/", "%2F").replace("+", "%2B"))) {
            String json = model.gltf(primitive, head + "," + text);
            assertThat(vertices(load("model.gltf", json.getBytes(StandardCharsets.UTF_8)), 0, 3)[1])
                    .containsExactly(1, 0, 0);
        }
    }

    @ParameterizedTest
    @CsvSource({"my%20model%25%C3%A4.bin, my model%ä.bin", "plain.bin, plain.bin", "with space.bin, with space.bin"})
    void readsBuffersAndImagesBesideTheModel(String uri, String file) throws Exception {
        String textured = textured("\"uri\":\"pictures/grey%20one.png\"");
        Files.write(folder.resolve(file), model.binary());
        Files.write(Files.createDirectory(folder.resolve("pictures")).resolve("grey one.png"), grey(7));
        String json = model.gltf(textured, uri);
        for (byte[] bytes : List.of(json.getBytes(StandardCharsets.UTF_8), TestModel.container(json, new byte[4]))) {
            Scene scene = load("model.gltf", bytes);
            assertThat(vertices(scene, 0, 3)[1]).containsExactly(1, 0, 0);
            assertThat(texels(scene)).startsWith((byte) 7, (byte) 7, (byte) 7, (byte) 255);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "none%20here.bin, there is no",
        "http://example.org/a.bin, only files",
        "data:text/plain;abc, not base64",
        "data:;base64;AA A=, not base64",
        "., no regular file",
        "/dev/zero, is not in the model's folder",
        "../a.bin, is not in the model's folder",
        "sub/../../a.bin, is not in the model's folder",
        "a%00b, no name of a file"
    })
    void refusesOtherPlaces(String uri, String words) {
        String json = model.gltf(one("\"attributes\":{\"POSITION\":%d}".formatted(model.triangle()), ""), uri);
        assertThatThrownBy(() -> load("model.gltf", json.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(ModelException.class)
                .hasMessageContainingAll("model.gltf", words)
                .message()
                .doesNotContain("\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | asset.version",
                "{\"asset\":{\"version\":\"1.0\"}} | asset.version",
                "{\"asset\":{\"version\":\"2.1\",\"minVersion\":\"2.1\"}} | needs glTF 2.1",
                "{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":[\"A\",\"B\"]} | requires A, B",
                "{\"asset\":{\"version\":\"2.0\"},\"accessors\":[{\"count\":\"many\"}]} | malformed",
                "{\"asset\":{\"version\":\"2.0\"},\"scene\":1,\"scenes\":[{}]} | scene 1 of 1",
                "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":4}]} | buffer 0 without data",
                "{\"asset\":{\"version\":\"2.0\"},\"images\":[{}]} | image 0 without data",
                "{\"asset\":{\"version\":\"2.0\"}} more | neither binary glTF nor JSON",
                "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[null]} | nodes/0: it is no object",
                "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"children\":[5]}]} | nodes/0/children/0 = 5",
                "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":7}]} | 'nodes/0/mesh = 7, beyond the 0 in meshes'",
                "{\"asset\":{\"version\":\"2.0\"},\"textures\":[{\"source\":-1}]} | textures/0/source = -1",
                "{\"asset\":{\"version\":\"2.0\"},\"skins\":[{}]} | skin 0 without joints",
                "{\"asset\":{\"version\":\"2.0\"},\"accessors\":[{\"count\":1000000000}]} | accessor 0 of 1000000000 elements",
                "solid cube | neither binary glTF nor JSON"
            })
    void refusesFilesByName(String json, String words) {
        assertThatThrownBy(() -> load("model.gltf", json.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(ModelException.class)
                .hasMessageContainingAll("model.gltf", words);
    }

    // Scenes and nodes.

    @ParameterizedTest
    @CsvSource({"'\"scene\":1,', second", "'', first"})
    void showsTheDefaultScene(String scene, String mesh) throws Exception {
        String primitives = "\"primitives\":[{\"attributes\":{\"POSITION\":%d}}]".formatted(model.triangle());
        Scene loaded = load(
                "%s\"scenes\":[{\"nodes\":[0]},{\"nodes\":[1]}],\"nodes\":[{\"mesh\":0},{\"mesh\":1}],".formatted(scene)
                        + "\"meshes\":[{\"name\":\"first\",%1$s},{\"name\":\"second\",%1$s}]".formatted(primitives));
        assertThat(loaded.meshes()).extracting(Mesh::name).containsExactly(mesh, "floor");
        assertThat(notes).singleElement().asString().contains("model.glb has 2 scenes");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"scale\":[2,1,1]",
                "\"scale\":[-1,1,1]",
                "\"scale\":[1,-2,-1]",
                "\"scale\":[-1,-1,-3]",
                "\"matrix\":[0,1,0,0, 1,0,0,0, 0,0,1,0, 5,5,5,1]"
            })
    void trianglesTurnTheSameWayUnderEveryTransform(String transform) throws Exception {
        String attributes = "\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d}"
                .formatted(model.triangle(), model.floats("VEC3", 0, 0, 1, 0, 0, 1, 0, 0, 1));
        Scene scene = load(
                ("\"nodes\":[{\"mesh\":0,%s},{\"mesh\":0}]," + "\"meshes\":[{\"name\":\"m\",\"primitives\":[{%s}]}]")
                        .formatted(transform, attributes));
        scene.draws().stream()
                .filter(draw -> scene.meshes().get(draw.mesh()).name().equals("m"))
                .forEach(draw -> {
                    Mesh mesh = scene.meshes().get(draw.mesh());
                    Vector3f[] corner = new Vector3f[3];
                    for (int i = 0; i < 3; i++) {
                        int at = mesh.indices()[i] * Mesh.FLOATS_PER_VERTEX;
                        float[] v = mesh.vertices();
                        corner[i] = draw.transform().transformPosition(new Vector3f(v[at], v[at + 1], v[at + 2]));
                    }
                    Vector3f front = corner[1].sub(corner[0]).cross(corner[2].sub(corner[0]));
                    Vector3f normal = draw.transform().normal(new Matrix3f()).transform(new Vector3f(0, 0, 1));
                    assertThat(front.normalize().dot(normal.normalize())).isCloseTo(1, within(1e-5f));
                });
    }

    // Accessors.

    @Test
    void readsComponentsOfEveryType() throws Exception {
        double[] half = {0, 0.5, 0.25, 0, 1, 0};
        int[] types = {FLOAT, UNSIGNED_BYTE, UNSIGNED_SHORT, BYTE, SHORT};
        double[] ones = {1, 255, 65535, 127, 32767};
        int position = model.triangle();
        for (int i = 0; i < types.length; i++) {
            double one = ones[i];
            String normalized = types[i] == FLOAT ? "" : ",\"normalized\":true";
            int uv = model.accessor(
                    types[i],
                    "VEC2",
                    normalized,
                    Arrays.stream(half)
                            .map(value -> Math.rint(value * one * 16) / 16)
                            .toArray());
            Scene scene = load(one("\"attributes\":{\"POSITION\":%d,\"TEXCOORD_0\":%d}".formatted(position, uv), ""));
            assertThat(corners(vertices(scene, 6, 2)))
                    .as("component type %d", types[i])
                    .containsExactly(new float[] {0, 0.5f, 0.25f, 0, 1, 0}, within(0.01f));
        }
        int negative = model.accessor(SHORT, "VEC3", ",\"normalized\":true", -32768, 0, 0, 0, 0, 0, 0, 0, 0);
        assertThat(vertices(load(one("\"attributes\":{\"POSITION\":%d}".formatted(negative), "")), 0, 3)[0])
                .containsExactly(-1, 0, 0);
        refused(
                one(
                        "\"attributes\":{\"POSITION\":%d}"
                                .formatted(model.accessor(UNSIGNED_INT, "VEC3", "", new double[9])),
                        ""),
                "POSITION of mesh 'm'",
                "32 bits");
        refused(
                one("\"attributes\":{\"POSITION\":%d}".formatted(model.floats("VEC2", 0, 0, 1, 0, 0, 1)), ""),
                "malformed POSITION");
    }

    @Test
    void readsIndicesOfEveryType() throws Exception {
        int position = model.triangle();
        String normal = ",\"NORMAL\":" + model.floats("VEC3", 0, 0, 1, 0, 0, 1, 0, 0, 1);
        for (int type : new int[] {UNSIGNED_BYTE, UNSIGNED_SHORT, UNSIGNED_INT}) {
            int indices = model.accessor(type, "SCALAR", "", 2, 0, 1);
            Scene scene = load(
                    one("\"attributes\":{\"POSITION\":%d%s},\"indices\":%d".formatted(position, normal, indices), ""));
            assertThat(scene.meshes().get(0).indices()).containsExactly(2, 0, 1);
        }
        refused(
                one("\"attributes\":{\"POSITION\":0},\"indices\":%d".formatted(model.floats("SCALAR", 0, 1, 2)), ""),
                "indices of mesh 'm'",
                "floats");
        refused(
                one(
                        "\"attributes\":{\"POSITION\":0},\"indices\":%d"
                                .formatted(model.accessor(UNSIGNED_INT, "SCALAR", "", 0, 1, 4294967295.0)),
                        ""),
                "index 4294967295");
    }

    @Test
    void refusesIndicesAndColoursOfOtherTypes() {
        int position = model.triangle();
        String with = "\"attributes\":{\"POSITION\":" + position;
        int signed = model.accessor(BYTE, "SCALAR", "", 0, 1, 2);
        refused(one(with + "},\"indices\":" + signed, ""), "indices of mesh 'm'", "signs");
        int triple = model.accessor(UNSIGNED_BYTE, "VEC3", "", 0, 1, 2);
        refused(one(with + "},\"indices\":" + triple, ""), "indices of mesh 'm'", "VEC3 instead of SCALAR");
        int color = model.accessor(UNSIGNED_SHORT, "VEC3", "", 1, 2, 3, 4, 5, 6, 7, 8, 9);
        refused(one(with + ",\"COLOR_0\":" + color + "}", ""), "COLOR_0 of mesh 'm'", "not normalized");
    }

    @Test
    void refusesAccessorsThatExceedTheirViews() {
        int view = model.view(new byte[24]);
        int position = model.accessor(FLOAT, "VEC3", 3, ",\"bufferView\":" + view);
        refused(
                one("\"attributes\":{\"POSITION\":%d}".formatted(position), ""),
                "accessor 0, which needs 36 bytes of buffer view 0; that has 24");
    }

    /** Multiplied by twelve bytes, the index wraps to the first vertex. */
    @Test
    void refusesSparseIndicesBeyondTheElements() {
        int places = model.view(bytes(UNSIGNED_INT, 0x40000000));
        int values = model.view(bytes(FLOAT, 9, 9, 9));
        int position = model.accessor(
                FLOAT,
                "VEC3",
                3,
                (",\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":%d,\"componentType\":5125},"
                                + "\"values\":{\"bufferView\":%d}}")
                        .formatted(places, values));
        refused(
                one("\"attributes\":{\"POSITION\":%d}".formatted(position), ""),
                "sparse index 1073741824 for 3 elements");
    }

    @Test
    void readsInterleavedValues() throws Exception {
        int view = model.view(
                bytes(FLOAT, 9, 9, 0, 0, 0, 0.1, 0.2, 1, 0, 0, 0.3, 0.4, 0, 1, 0, 0.5, 0.6), ",\"byteStride\":20");
        int position = model.accessor(FLOAT, "VEC3", 3, ",\"bufferView\":%d,\"byteOffset\":8".formatted(view));
        int uv = model.accessor(FLOAT, "VEC2", 3, ",\"bufferView\":%d,\"byteOffset\":20".formatted(view));
        Scene scene = load(one("\"attributes\":{\"POSITION\":%d,\"TEXCOORD_0\":%d}".formatted(position, uv), ""));
        assertThat(corners(vertices(scene, 0, 3))).containsExactly(0, 0, 0, 1, 0, 0, 0, 1, 0);
        assertThat(corners(vertices(scene, 6, 2))).containsExactly(0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f);
    }

    @ParameterizedTest
    @ValueSource(ints = {UNSIGNED_BYTE, UNSIGNED_SHORT, UNSIGNED_INT})
    void readsSparseValuesOverNothingAndOverInterleavedOnes(int type) throws Exception {
        int places = model.view(bytes(type, 9, 1, 2));
        int values = model.view(bytes(FLOAT, 9, 5, 0, 0, 0, 6, 0));
        int offset = bytes(type, 9).length;
        String sparse =
                (",\"sparse\":{\"count\":2,\"indices\":{\"bufferView\":%d,\"byteOffset\":%d,\"componentType\":%d},"
                                + "\"values\":{\"bufferView\":%d,\"byteOffset\":4}}")
                        .formatted(places, offset, type, values);
        int bare = model.accessor(FLOAT, "VEC3", 3, sparse);
        assertThat(corners(vertices(load(one("\"attributes\":{\"POSITION\":%d}".formatted(bare), "")), 0, 3)))
                .containsExactly(0, 0, 0, 5, 0, 0, 0, 6, 0);

        int base = model.view(bytes(FLOAT, 9, 1, 2, 3, 9, 4, 5, 6, 9, 7, 8, 9), ",\"byteStride\":16");
        int over = model.accessor(FLOAT, "VEC3", 3, ",\"bufferView\":%d,\"byteOffset\":4%s".formatted(base, sparse));
        assertThat(corners(vertices(load(one("\"attributes\":{\"POSITION\":%d}".formatted(over), "")), 0, 3)))
                .containsExactly(1, 2, 3, 5, 0, 0, 0, 6, 0);
    }

    // Primitives.

    @ParameterizedTest
    @CsvSource({
        "0, mesh 'm' of points",
        "1, mesh 'm' of lines",
        "2, mesh 'm' of a line loop",
        "3, mesh 'm' of line strips",
        "7, meshes/0/primitives/0/mode: there is no mode 7"
    })
    void refusesWhatAreNoTriangles(int mode, String words) {
        refused(one("\"mode\":%d,\"attributes\":{\"POSITION\":%d}".formatted(mode, model.triangle()), ""), words);
    }

    @Test
    void readsStripsAndFans() throws Exception {
        int position = model.floats("VEC3", 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0);
        String attributes = ",\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d}"
                .formatted(position, model.floats("VEC3", 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1));
        assertThat(load(one("\"mode\":5" + attributes, "")).meshes().get(0).indices())
                .containsExactly(0, 1, 2, 2, 1, 3, 2, 3, 4);
        assertThat(load(one("\"mode\":6" + attributes, "")).meshes().get(0).indices())
                .containsExactly(0, 1, 2, 0, 2, 3, 0, 3, 4);
        refused(one("\"mode\":4" + attributes, ""), "5 indices", "three");
    }

    @Test
    void meshesWithoutNormalsAreFlat() throws Exception {
        int position = model.floats("VEC3", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1);
        int indices = model.accessor(UNSIGNED_BYTE, "SCALAR", "", 0, 1, 2, 0, 2, 3);
        Scene scene = load(one("\"attributes\":{\"POSITION\":%d},\"indices\":%d".formatted(position, indices), ""));
        assertThat(corners(vertices(scene, 3, 3)))
                .containsExactly(0, 0, 1, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0, 0);
        assertThat(scene.meshes().get(0).indices()).containsExactly(0, 1, 2, 3, 4, 5);
    }

    @Test
    void readsColoursAndTwoSetsOfCoordinates() throws Exception {
        int rgb = model.accessor(UNSIGNED_BYTE, "VEC3", ",\"normalized\":true", 255, 0, 51, 0, 0, 0, 0, 0, 0);
        int rgba = model.floats("VEC4", 0.5, 0.25, 0, 0.75, 1, 1, 1, 1, 1, 1, 1, 1);
        int uv = model.floats("VEC2", 0, 0, 1, 0, 0, 1);
        int second = model.floats("VEC2", 0.5, 0.25, 0, 0, 0, 0);
        String attributes = "\"attributes\":{\"POSITION\":%d,\"TEXCOORD_0\":%d,\"TEXCOORD_1\":%d,\"COLOR_0\":%s}"
                .formatted(model.triangle(), uv, second, "%d");
        Scene scene = load(one(attributes.formatted(rgb), ""));
        assertThat(vertices(scene, 6, 8)[0]).containsExactly(0, 0, 0.5f, 0.25f, 1, 0, 0.2f, 1);
        assertThat(scene.materials().get(0).vertexColors()).isTrue();
        scene = load(one(attributes.formatted(rgba), ""));
        assertThat(vertices(scene, 10, 4)[0]).containsExactly(0.5f, 0.25f, 0, 0.75f);
    }

    @Test
    void movesVerticesByMorphTargets() throws Exception {
        int position = model.triangle();
        int normal = model.floats("VEC3", 0, 0, 1, 0, 0, 1, 0, 0, 1);
        int up = model.floats("VEC3", 0, 0, 2, 0, 0, 0, 0, 0, 0);
        int right = model.floats("VEC3", 4, 0, 0, 0, 0, 0, 0, 0, 0);
        String mesh = ("\"meshes\":[{\"name\":\"m\",\"weights\":[0.5,0],\"primitives\":[{"
                        + "\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d},"
                        + "\"targets\":[{\"POSITION\":%d,\"NORMAL\":%d},{\"POSITION\":%d}]}]}]")
                .formatted(position, normal, up, right, right);
        Scene scene = load("\"nodes\":[{\"mesh\":0}]," + mesh);
        assertThat(vertices(scene, 0, 6)[0]).containsExactly(0, 0, 1, 2, 0, 1);
        scene = load("\"nodes\":[{\"mesh\":0,\"weights\":[0,0.25]}]," + mesh);
        assertThat(vertices(scene, 0, 6)[0]).containsExactly(1, 0, 0, 0, 0, 1);
    }

    @Test
    void putsSkinsWhereTheirJointsAre() throws Exception {
        int matrices = model.floats(
                "MAT4", 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0,
                1);
        String attributes = "\"POSITION\":%d,\"NORMAL\":%d,\"JOINTS_0\":%d,\"WEIGHTS_0\":%d"
                .formatted(
                        model.triangle(),
                        model.floats("VEC3", 1, 0, 0, 1, 0, 0, 1, 0, 0),
                        model.accessor(UNSIGNED_BYTE, "VEC4", "", 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0),
                        model.floats("VEC4", 1, 0, 0, 0, 1, 0, 0, 0, 0.5, 0.5, 0, 0));
        // The first joint turns x to y and stands at (0, 0, 3); the second stands at (10, 0, 0).
        String rest = ("\"nodes\":[{\"mesh\":0,\"skin\":0,\"translation\":[99,99,99]},"
                        + "{\"name\":\"a\",\"translation\":[0,0,3],\"rotation\":[0,0,0.70710678,0.70710678]},"
                        + "{\"name\":\"b\",\"translation\":[10,0,0]}],"
                        + "\"skins\":[{\"joints\":[1,2],\"inverseBindMatrices\":%d}],"
                        + "\"meshes\":[{\"name\":\"m\",\"primitives\":[{\"attributes\":{%s}}]}]")
                .formatted(matrices, attributes);
        Scene scene = load(rest);
        assertThat(corners(vertices(scene, 0, 3)))
                .containsExactly(new float[] {0, -1, 3, 11, 0, 0, 4.5f, 0, 1.5f}, within(1e-5f));
        assertThat(vertices(scene, 3, 3)[0]).containsExactly(new float[] {0, 1, 0}, within(1e-5f));
        assertThat(scene.draws()
                        .get(0)
                        .transform()
                        .getTranslation(new Vector3f())
                        .length())
                .as("the node of a skin does not move it")
                .isLessThan(20);
        Scene bare = load(rest.replace(",\"inverseBindMatrices\":" + matrices, ""));
        assertThat(corners(vertices(bare, 0, 3)))
                .as("without matrices, joints take vertices as they are")
                .containsExactly(new float[] {0, 0, 3, 11, 0, 0, 4.5f, 0.5f, 1.5f}, within(1e-5f));
        refused(rest.replace("\"joints\":[1,2]", "\"joints\":[1,2,0]"), "3 joints with 2 inverseBindMatrices");
        refused("\"scenes\":[{\"nodes\":[0,1]}]," + rest, "joint node 'b'", "not in the scene");
        refused(rest.replace("\"JOINTS_0\"", "\"_JOINTS_0\""), "no joint and weight for each vertex of mesh 'm'");
    }

    // Materials.

    private String textured(String image) {
        return textured(image, "", "");
    }

    private String textured(String image, String texture, String more) {
        return one(
                "\"material\":0,\"attributes\":{\"POSITION\":%d,\"TEXCOORD_0\":%d}"
                        .formatted(model.triangle(), model.floats("VEC2", 0, 0, 1, 0, 0, 1)),
                ",\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0}}}],"
                        + "\"textures\":[{\"source\":0%s}],\"images\":[{%s}]%s".formatted(texture, image, more));
    }

    private static byte[] texels(Scene scene) {
        return scene.materials().get(0).baseColor().image().mips().get(0);
    }

    @Test
    void theDefaultMaterialIsThatOfTheSpecification() throws Exception {
        Material material = load(one("\"attributes\":{\"POSITION\":%d}".formatted(model.triangle()), ""))
                .materials()
                .get(0);
        assertThat(material.metallic()).isEqualTo(1);
        assertThat(material.roughness()).isEqualTo(1);
        assertThat(material.baseColorFactor().x()).isEqualTo(1);
        assertThat(material.special()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"alphaMode\":\"OPAQUE\",\"alphaCutoff\":0.3 | 0 | false | 0",
                "\"alphaMode\":\"MASK\" | 0.5 | false | 0",
                "\"alphaMode\":\"MASK\",\"alphaCutoff\":0.3,\"doubleSided\":true | 0.3 | true | 0",
                "\"alphaMode\":\"BLEND\" | 0.5 | false | 1"
            })
    void readsAlphaModes(String json, float cutoff, boolean twoSided, int notes) throws Exception {
        Material material = load(one(
                        "\"material\":0,\"attributes\":{\"POSITION\":%d}".formatted(model.triangle()),
                        ",\"materials\":[{%s}]".formatted(json)))
                .materials()
                .get(0);
        assertThat(material.alphaCutoff()).isEqualTo(cutoff);
        assertThat(material.twoSided()).isEqualTo(twoSided);
        assertThat(this.notes).hasSize(notes).allMatch(note -> note.contains("alpha blending"));
    }

    @Test
    void readsEveryTextureWithItsCoordinates() throws Exception {
        String image = "\"uri\":\"data:image/png;base64,%s\""
                .formatted(Base64.getEncoder().encodeToString(grey(9)));
        int uv = model.floats("VEC2", 0, 0, 1, 0, 0, 1);
        String materials = ",\"materials\":[{\"name\":\"all\",\"pbrMetallicRoughness\":{"
                + "\"baseColorTexture\":{\"index\":0,\"texCoord\":1},\"metallicRoughnessTexture\":{\"index\":0}},"
                + "\"normalTexture\":{\"index\":0,\"scale\":2},\"emissiveTexture\":{\"index\":0},"
                + "\"emissiveFactor\":[1,0.5,0],\"occlusionTexture\":{\"index\":0,\"texCoord\":1,\"strength\":0.5}}],"
                + "\"textures\":[{\"source\":0}],\"images\":[{%s}]".formatted(image);
        String attributes = "\"material\":0,\"attributes\":{\"POSITION\":%d,\"TEXCOORD_0\":%d%s}"
                .formatted(model.triangle(), uv, "%s");
        Material material = load(one(
                        attributes.formatted(",\"TEXCOORD_1\":%d,\"TANGENT\":%d"
                                .formatted(uv, model.floats("VEC4", new double[12]))),
                        materials))
                .materials()
                .get(0);
        assertThat(material.textures())
                .extracting(texture -> texture.texcoord() + (texture.image().srgb() ? "s" : "l"))
                .containsExactly("1s", "0l", "0l", "0s", "1l");
        assertThat(material.textures())
                .extracting(texture -> texture.image().width())
                .containsOnly(2);
        assertThat(material.normalScale()).isEqualTo(2);
        assertThat(material.occlusionStrength()).isEqualTo(0.5f);
        assertThat(material.special()).isTrue();
        assertThat(notes).singleElement().asString().contains("tangents");
        refused(one(attributes.formatted(""), materials), "TEXCOORD_1", "'all'");
        refused(
                one(attributes.formatted(""), materials.replace("\"texCoord\":1", "\"texCoord\":2")),
                "'all'",
                "texture coordinates 2");
    }

    @Test
    void readsEverySampler() throws Exception {
        String image = "\"bufferView\":%d,\"mimeType\":\"image/png\"".formatted(model.view(grey(1)));
        assertThat(sampler(image, null)).isEqualTo(SamplerDescription.LINEAR_REPEAT);
        assertThat(sampler(image, "")).isEqualTo(SamplerDescription.LINEAR_REPEAT);
        Map<Integer, Address> addresses =
                Map.of(10497, Address.REPEAT, 33648, Address.MIRRORED_REPEAT, 33071, Address.CLAMP_TO_EDGE);
        for (int s : addresses.keySet()) {
            for (int t : addresses.keySet()) {
                SamplerDescription sampler = sampler(image, "\"wrapS\":%d,\"wrapT\":%d".formatted(s, t));
                assertThat(sampler.addressU()).isEqualTo(addresses.get(s));
                assertThat(sampler.addressV()).isEqualTo(addresses.get(t));
            }
        }
        String filters = "%s %s %s %s";
        assertThat(List.of(9728, 9729, 9984, 9985, 9986, 9987))
                .extracting(min -> {
                    SamplerDescription sampler = sampler(image, "\"magFilter\":9728,\"minFilter\":" + min);
                    return filters.formatted(
                            sampler.magnification(),
                            sampler.minification(),
                            sampler.mips(),
                            sampler.maxLod() < 0.5f ? "one" : "all");
                })
                .containsExactly(
                        "NEAREST NEAREST NEAREST one",
                        "NEAREST LINEAR NEAREST one",
                        "NEAREST NEAREST NEAREST all",
                        "NEAREST LINEAR NEAREST all",
                        "NEAREST NEAREST LINEAR all",
                        "NEAREST LINEAR LINEAR all");
        assertThat(sampler(image, "\"magFilter\":9729").magnification()).isEqualTo(Filter.LINEAR);
        refused(textured(image, ",\"sampler\":0", ",\"samplers\":[{\"wrapS\":33069}]"), "samplers/0/wrapS", "33069");
        refused(textured(image, ",\"sampler\":0", ",\"samplers\":[{\"minFilter\":1}]"), "samplers/0/minFilter", "1");
    }

    private SamplerDescription sampler(String image, @Nullable String json) {
        try {
            return load(json == null
                            ? textured(image)
                            : textured(image, ",\"sampler\":0", ",\"samplers\":[{%s}]".formatted(json)))
                    .materials()
                    .get(0)
                    .baseColor()
                    .sampler();
        } catch (IOException | ModelException e) {
            throw new AssertionError(e);
        }
    }

    // Images.

    /** A picture of two by two texels, all with these samples. */
    private static byte[] png(ColorSpace space, int type, int... samples) throws IOException {
        boolean alpha = samples.length % 2 == 0;
        ColorModel colors = new ComponentColorModel(space, alpha, false, alpha ? 3 : 1, type);
        WritableRaster raster = colors.createCompatibleWritableRaster(2, 2);
        for (int i = 0; i < 4; i++) {
            raster.setPixel(i % 2, i / 2, samples);
        }
        return written(new BufferedImage(colors, raster, false, null), "png");
    }

    private static byte[] grey(int value) throws IOException {
        return png(ColorSpace.getInstance(ColorSpace.CS_GRAY), DataBuffer.TYPE_BYTE, value);
    }

    private static byte[] written(BufferedImage image, String format) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertThat(ImageIO.write(image, format, out)).isTrue();
        return out.toByteArray();
    }

    private int[] decoded(byte[] image) throws Exception {
        byte[] texels =
                texels(load(textured("\"bufferView\":%d,\"mimeType\":\"image/any\"".formatted(model.view(image)))));
        assertThat(texels).hasSize(16);
        return new int[] {texels[12] & 255, texels[13] & 255, texels[14] & 255, texels[15] & 255};
    }

    @Test
    void readsPngImagesOfEveryKind() throws Exception {
        ColorSpace grey = ColorSpace.getInstance(ColorSpace.CS_GRAY);
        ColorSpace rgb = ColorSpace.getInstance(ColorSpace.CS_sRGB);
        assertThat(decoded(png(grey, DataBuffer.TYPE_BYTE, 128))).containsExactly(128, 128, 128, 255);
        assertThat(decoded(png(grey, DataBuffer.TYPE_BYTE, 128, 9))).containsExactly(128, 128, 128, 9);
        assertThat(decoded(png(grey, DataBuffer.TYPE_USHORT, 0x8000))).containsExactly(128, 128, 128, 255);
        assertThat(decoded(png(grey, DataBuffer.TYPE_USHORT, 0x8000, 0x0900))).containsExactly(128, 128, 128, 9);
        assertThat(decoded(png(rgb, DataBuffer.TYPE_BYTE, 1, 128, 254))).containsExactly(1, 128, 254, 255);
        assertThat(decoded(png(rgb, DataBuffer.TYPE_BYTE, 1, 128, 254, 0))).containsExactly(1, 128, 254, 0);
        assertThat(decoded(png(rgb, DataBuffer.TYPE_USHORT, 0x0100, 0x8000, 0xFFFF, 0xFFFF)))
                .containsExactly(1, 128, 255, 255);
        byte[] palette = {0, 1, (byte) 200, (byte) 255, 2, (byte) 100, (byte) 128};
        IndexColorModel indexed = new IndexColorModel(8, 2, new byte[] {0, 2}, new byte[] {1, 100}, palette, -1);
        BufferedImage picture = new BufferedImage(2, 2, BufferedImage.TYPE_BYTE_INDEXED, indexed);
        for (int i = 0; i < 4; i++) {
            picture.getRaster().setSample(i % 2, i / 2, 0, 1);
        }
        assertThat(decoded(written(picture, "png"))).containsExactly(2, 100, 1, 255);
        BufferedImage bits = new BufferedImage(2, 2, BufferedImage.TYPE_BYTE_BINARY);
        bits.setRGB(1, 1, -1);
        assertThat(decoded(written(bits, "png"))).containsExactly(255, 255, 255, 255);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gif", "bmp"})
    void refusesImagesOfOtherFormats(String format) throws Exception {
        ByteArrayOutputStream image = new ByteArrayOutputStream();
        assertThat(ImageIO.write(new BufferedImage(2, 2, BufferedImage.TYPE_INT_RGB), format, image))
                .isTrue();
        int view = model.view(image.toByteArray());
        refused(textured("\"bufferView\":%d,\"mimeType\":\"image/png\"".formatted(view)), "neither PNG nor JPEG");
    }

    @Test
    void readsJpegImages() throws Exception {
        BufferedImage color = new BufferedImage(2, 2, BufferedImage.TYPE_INT_RGB);
        BufferedImage grey = new BufferedImage(2, 2, BufferedImage.TYPE_BYTE_GRAY);
        for (int i = 0; i < 4; i++) {
            color.setRGB(i % 2, i / 2, 0x406080);
            grey.getRaster().setSample(i % 2, i / 2, 0, 128);
        }
        assertThat(decoded(written(grey, "jpg"))).containsExactly(128, 128, 128, 255);
        ImageWriter writer = ImageIO.getImageWriters(ImageTypeSpecifier.createFromRenderedImage(color), "jpg")
                .next();
        ImageWriteParam progressive = writer.getDefaultWriteParam();
        progressive.setProgressiveMode(ImageWriteParam.MODE_DEFAULT);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (MemoryCacheImageOutputStream stream = new MemoryCacheImageOutputStream(out)) {
            writer.setOutput(stream);
            writer.write(null, new IIOImage(color, null, null), progressive);
        } finally {
            writer.dispose();
        }
        int[] texel = decoded(out.toByteArray());
        assertThat(texel[0]).isCloseTo(0x40, within(4));
        assertThat(texel[1]).isCloseTo(0x60, within(4));
        assertThat(texel[2]).isCloseTo(0x80, within(4));
        refused(
                textured("\"name\":\"pic\",\"bufferView\":%d,\"mimeType\":\"image/webp\""
                        .formatted(model.view(bytes(UNSIGNED_BYTE, 1, 2, 3)))),
                "image 'pic'",
                "neither PNG nor JPEG");
    }

    // What is said.

    @Test
    void saysOnceWhatIsNotShownAsTheFileSays() throws Exception {
        String primitive = "\"material\":0,\"attributes\":{\"POSITION\":%d}".formatted(model.triangle());
        String more = ",\"materials\":[{\"alphaMode\":\"BLEND\"}],\"extensionsUsed\":[\"KHR_one\",\"EXT_two\"],"
                + "\"cameras\":[{\"type\":\"perspective\",\"perspective\":{\"yfov\":1,\"znear\":1}}],"
                + "\"animations\":[{\"channels\":[],\"samplers\":[]}]";
        load(one(primitive + "},{" + primitive, more));
        assertThat(notes)
                .hasSize(3)
                .allMatch(note -> note.startsWith("model " + folder.resolve("model.glb")))
                .anyMatch(note -> note.contains("cameras"))
                .anyMatch(note -> note.contains("KHR_one, EXT_two"))
                .anyMatch(note -> note.contains("alpha blending"));
    }
}
