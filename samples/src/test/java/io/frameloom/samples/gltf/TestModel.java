package io.frameloom.samples.gltf;

import io.frameloom.samples.scene.Mesh;
import io.frameloom.samples.scene.MeshBuilder;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;

/**
 * Writes a binary glTF file: a textured box below a turned parent node, a sphere with 16-bit indices and without normals
 * and texture coordinates below it, and a two-sided plate with holes.
 */
public final class TestModel {
    private static final int JSON = 0x4E4F534A;
    private static final int BINARY = 0x004E4942;

    private final ByteArrayOutputStream binary = new ByteArrayOutputStream();
    private final List<String> views = new ArrayList<>();
    private final List<String> accessors = new ArrayList<>();

    private TestModel() {}

    /** Returns the file. */
    public static byte[] bytes() {
        return new TestModel().build();
    }

    /** Returns a file with this JSON and no binary chunk. */
    static byte[] withJson(String json) {
        return container(json, new byte[0]);
    }

    private byte[] build() {
        Mesh box = new MeshBuilder().box(-1, -1, -1, 1, 1, 1).build("box");
        Mesh sphere = new MeshBuilder().blob(0, 0, 0, 1, 0, 16, 24, 1).build("sphere");
        Mesh plate =
                new MeshBuilder().face(-1, 0, 1, 2, 0, 0, 0, 0, -2, 0, 1, 0).build("plate");
        int boxIndices = indices(box, false);
        int boxPositions = floats(box, 0, 3, "VEC3");
        int boxNormals = floats(box, 3, 3, "VEC3");
        int boxUvs = floats(box, 6, 2, "VEC2");
        int sphereIndices = indices(sphere, true);
        int spherePositions = floats(sphere, 0, 3, "VEC3");
        int plateIndices = indices(plate, true);
        int platePositions = floats(plate, 0, 3, "VEC3");
        int plateNormals = floats(plate, 3, 3, "VEC3");
        int plateUvs = floats(plate, 6, 2, "VEC2");
        int checker = view(image(
                "png",
                BufferedImage.TYPE_INT_ARGB,
                64,
                (x, y) -> (x / 8 + y / 8) % 2 == 0 ? new Color(230, 120, 40) : new Color(40, 90, 160)));
        int surface = view(image("jpg", BufferedImage.TYPE_INT_RGB, 16, (x, y) -> new Color(0, 120, 30)));
        int normals = view(image(
                "png", BufferedImage.TYPE_INT_RGB, 32, (x, y) -> new Color(128, 128 + (y % 8 < 4 ? 40 : -40), 250)));
        int holes = view(image(
                "png",
                BufferedImage.TYPE_INT_ARGB,
                32,
                (x, y) -> new Color(200, 200, 200, (x / 8 + y / 8) % 2 == 0 ? 255 : 0)));
        String json = """
            {"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,3]}],
             "nodes":[
              {"name":"parent","translation":[0,1,0],"rotation":[0,0.3826834,0,0.9238795],"children":[1,2]},
              {"name":"box node","mesh":0},
              {"name":"sphere node","mesh":1,"translation":[3,0,0],"scale":[1.5,1.5,1.5]},
              {"name":"plate node","mesh":2,"matrix":[2,0,0,0, 0,2,0,0, 0,0,2,0, 0,2.6,0,1]}],
             "meshes":[
              {"name":"box","primitives":[{"attributes":{"POSITION":%d,"NORMAL":%d,"TEXCOORD_0":%d},"indices":%d,"material":0}]},
              {"name":"sphere","primitives":[{"attributes":{"POSITION":%d},"indices":%d,"material":1}]},
              {"name":"plate","primitives":[{"attributes":{"POSITION":%d,"NORMAL":%d,"TEXCOORD_0":%d},"indices":%d,"material":2}]}],
             "materials":[
              {"name":"checker","pbrMetallicRoughness":{"baseColorTexture":{"index":0},"metallicRoughnessTexture":{"index":1}},
               "normalTexture":{"index":2,"scale":0.8}},
              {"name":"gold","emissiveFactor":[0.05,0.02,0],
               "pbrMetallicRoughness":{"baseColorFactor":[1,0.75,0.3,1],"metallicFactor":1,"roughnessFactor":0.3}},
              {"name":"holes","doubleSided":true,"alphaMode":"MASK","alphaCutoff":0.4,
               "pbrMetallicRoughness":{"baseColorTexture":{"index":3},"metallicFactor":0}}],
             "textures":[{"source":0},{"source":1},{"source":2},{"source":3}],
             "images":[{"bufferView":%d,"mimeType":"image/png"},{"bufferView":%d,"mimeType":"image/jpeg"},
              {"bufferView":%d,"mimeType":"image/png"},{"bufferView":%d,"mimeType":"image/png"}],
             "accessors":[%s],"bufferViews":[%s],"buffers":[{"byteLength":%d}]}""".formatted(
                        boxPositions,
                        boxNormals,
                        boxUvs,
                        boxIndices,
                        spherePositions,
                        sphereIndices,
                        platePositions,
                        plateNormals,
                        plateUvs,
                        plateIndices,
                        checker,
                        surface,
                        normals,
                        holes,
                        String.join(",", accessors),
                        String.join(",", views),
                        binary.size());
        return container(json, binary.toByteArray());
    }

    private int floats(Mesh mesh, int from, int components, String type) {
        ByteBuffer data =
                ByteBuffer.allocate(mesh.vertexCount() * components * 4).order(ByteOrder.LITTLE_ENDIAN);
        float[] min = new float[components];
        float[] max = new float[components];
        for (int c = 0; c < components; c++) {
            min[c] = Float.POSITIVE_INFINITY;
            max[c] = Float.NEGATIVE_INFINITY;
        }
        for (int i = 0; i < mesh.vertexCount(); i++) {
            for (int c = 0; c < components; c++) {
                float value = mesh.vertices()[i * Mesh.FLOATS_PER_VERTEX + from + c];
                min[c] = Math.min(min[c], value);
                max[c] = Math.max(max[c], value);
                data.putFloat(value);
            }
        }
        accessors.add("{\"bufferView\":%d,\"componentType\":5126,\"count\":%d,\"type\":\"%s\",\"min\":%s,\"max\":%s}"
                .formatted(
                        view(data.array()),
                        mesh.vertexCount(),
                        type,
                        java.util.Arrays.toString(min),
                        java.util.Arrays.toString(max)));
        return accessors.size() - 1;
    }

    private int indices(Mesh mesh, boolean small) {
        ByteBuffer data =
                ByteBuffer.allocate(mesh.indices().length * (small ? 2 : 4)).order(ByteOrder.LITTLE_ENDIAN);
        for (int index : mesh.indices()) {
            if (small) {
                data.putShort((short) index);
            } else {
                data.putInt(index);
            }
        }
        accessors.add("{\"bufferView\":%d,\"componentType\":%d,\"count\":%d,\"type\":\"SCALAR\"}"
                .formatted(view(data.array()), small ? 5123 : 5125, mesh.indices().length));
        return accessors.size() - 1;
    }

    private int view(byte[] data) {
        while (binary.size() % 4 != 0) {
            binary.write(0);
        }
        views.add("{\"buffer\":0,\"byteOffset\":%d,\"byteLength\":%d}".formatted(binary.size(), data.length));
        binary.writeBytes(data);
        return views.size() - 1;
    }

    /** The colour of a texel. */
    private interface Texel {
        Color at(int x, int y);
    }

    private static byte[] image(String format, int type, int size, Texel texel) {
        BufferedImage image = new BufferedImage(size, size, type);
        Graphics2D graphics = image.createGraphics();
        for (int y = 0; y < size; y++) {
            for (int x = 0; x < size; x++) {
                graphics.setColor(texel.at(x, y));
                graphics.fillRect(x, y, 1, 1);
            }
        }
        graphics.dispose();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            if (!ImageIO.write(image, format, out)) {
                throw new IllegalStateException("no writer for " + format);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** Returns a binary glTF file. */
    static byte[] container(String json, byte[] data) {
        byte[] text = json.getBytes(StandardCharsets.UTF_8);
        int textBytes = (text.length + 3) / 4 * 4;
        int dataBytes = (data.length + 3) / 4 * 4;
        int total = 12 + 8 + textBytes + (dataBytes == 0 ? 0 : 8 + dataBytes);
        ByteBuffer file = ByteBuffer.allocate(total).order(ByteOrder.LITTLE_ENDIAN);
        file.putInt(0x46546C67)
                .putInt(2)
                .putInt(total)
                .putInt(textBytes)
                .putInt(JSON)
                .put(text);
        while ((file.position() & 3) != 0) {
            file.put((byte) ' ');
        }
        if (dataBytes > 0) {
            file.putInt(dataBytes).putInt(BINARY).put(data);
        }
        return file.array();
    }
}
