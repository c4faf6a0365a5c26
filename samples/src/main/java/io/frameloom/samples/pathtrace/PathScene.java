package io.frameloom.samples.pathtrace;

import io.frameloom.gpu.resource.SamplerDescription.Address;
import io.frameloom.samples.demo.UsageException;
import io.frameloom.samples.scene.Atmosphere;
import io.frameloom.samples.scene.CameraPath;
import io.frameloom.samples.scene.DrawItem;
import io.frameloom.samples.scene.Material;
import io.frameloom.samples.scene.MaterialTexture;
import io.frameloom.samples.scene.Mesh;
import io.frameloom.samples.scene.Scene;
import io.frameloom.samples.scene.TextureImage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.joml.Matrix3x2fc;
import org.joml.Matrix4fc;
import org.joml.Vector3f;
import org.joml.Vector3fc;

/**
 * A still scene as the buffers of {@code pathtrace.glsl}: meshes one after another, draws as instances of them,
 * materials with their base colours and what they emit. All things are where they are at time 0. Textures are texels in
 * a buffer: the shader takes the nearest one, since samples all over a pixel are filter enough. Not written after
 * construction; buffers are in native order, to be read by absolute places.
 */
final class PathScene {
    /** Bytes of the block {@code View}. */
    static final int VIEW_BYTES = 13 * 16;

    static final int VERTEX_BYTES = Mesh.FLOATS_PER_VERTEX * Float.BYTES;
    static final int INSTANCE_BYTES = 6 * 16;
    static final int MATERIAL_BYTES = 8 * 16;

    /** Radius of the sun at a distance of 1: the one that the demo draws, so that shadows are as soft. */
    private static final float SUN_RADIUS = 0.025f;

    /** Most bytes of one buffer of Java. */
    private static final long MOST_BYTES = 1L << 30;

    /**
     * Where a mesh lies in the buffers.
     *
     * @param firstVertex its first vertex
     * @param vertices number of its vertices
     * @param firstIndex its first index
     * @param triangles number of its triangles
     */
    record MeshPlace(int firstVertex, int vertices, int firstIndex, int triangles) {}

    final List<MeshPlace> meshes = new ArrayList<>();
    final List<DrawItem> draws;
    final ByteBuffer vertices;
    final ByteBuffer indices;
    final ByteBuffer instances;
    final ByteBuffer materials;
    final ByteBuffer texels;
    private final Scene scene;
    private final IdentityHashMap<TextureImage, int[]> places = new IdentityHashMap<>();

    /**
     * Flattens a scene.
     *
     * @param scene one in which nothing is deformed
     * @param maxStorageRange bytes of a buffer that a shader of the device sees at once
     * @param say receives in one line how large textures are shown, if they become smaller until they fit
     * @throws UsageException if the meshes do not fit
     */
    PathScene(Scene scene, long maxStorageRange, Consumer<String> say) throws UsageException {
        this.scene = scene;
        draws = scene.draws();
        long most = Math.min(maxStorageRange, MOST_BYTES);
        long vertexBytes = scene.meshes().stream()
                .mapToLong(mesh -> mesh.vertices().length * (long) Float.BYTES)
                .sum();
        long indexBytes = scene.meshes().stream()
                .mapToLong(mesh -> mesh.indices().length * (long) Integer.BYTES)
                .sum();
        vertices = allocate("vertices", vertexBytes, most);
        indices = allocate("indices", indexBytes, most);
        instances = allocate("instances", (long) draws.size() * INSTANCE_BYTES, most);
        materials = allocate("materials", (long) scene.materials().size() * MATERIAL_BYTES, most);
        for (Mesh mesh : scene.meshes()) {
            meshes.add(new MeshPlace(
                    vertices.position() / VERTEX_BYTES,
                    mesh.vertexCount(),
                    indices.position() / Integer.BYTES,
                    mesh.indices().length / 3));
            for (float number : mesh.vertices()) {
                vertices.putFloat(number);
            }
            for (int index : mesh.indices()) {
                indices.putInt(index);
            }
        }
        for (DrawItem draw : draws) {
            putInstance(draw);
        }
        texels = texels(most, say);
        for (Material material : scene.materials()) {
            putMaterial(material);
        }
        List.of(vertices, indices, instances, materials, texels).forEach(ByteBuffer::clear);
    }

    private ByteBuffer allocate(String what, long bytes, long most) throws UsageException {
        if (bytes > most) {
            throw new UsageException("scene '" + scene.name() + "' has " + bytes + " bytes of " + what
                    + ", and a shader of the device sees " + most + " at once; choose a smaller model");
        }
        return ByteBuffer.allocateDirect((int) bytes).order(ByteOrder.nativeOrder());
    }

    /** Returns three rows of four, from the space of a mesh to the world. */
    static float[] rows(Matrix4fc transform) {
        float[] rows = new float[12];
        for (int row = 0; row < 3; row++) {
            for (int column = 0; column < 4; column++) {
                rows[4 * row + column] = transform.get(column, row);
            }
        }
        return rows;
    }

    private void putInstance(DrawItem draw) {
        for (float number : rows(draw.transform())) {
            instances.putFloat(number);
        }
        put(
                instances,
                draw.tint().x(),
                draw.tint().y(),
                draw.tint().z(),
                draw.tint().w());
        put(instances, draw.mapping().x(), draw.mapping().y(), draw.mapping().z(), 0);
        MeshPlace mesh = meshes.get(draw.mesh());
        put(instances, mesh.firstIndex, mesh.firstVertex, draw.material(), 0);
    }

    /** Puts all textures that count into one buffer, without their finest mips if they would not fit. */
    private ByteBuffer texels(long most, Consumer<String> say) throws UsageException {
        Set<TextureImage> used = new LinkedHashSet<>();
        for (Material material : scene.materials()) {
            used.add(material.baseColor().image());
            used.add(material.emissive().image());
        }
        int whole = used.stream()
                .mapToInt(image -> Math.max(image.width(), image.height()))
                .max()
                .orElse(1);
        int extent = whole;
        while (extent > 1 && bytes(used, extent) > most) {
            extent /= 2;
        }
        if (extent < whole) {
            say.accept("textures of scene '" + scene.name() + "' are shown with sides of at most " + extent
                    + " texels, since a shader of the device sees " + most + " bytes of them at once");
        }
        ByteBuffer data = allocate("textures", bytes(used, extent), most);
        for (TextureImage image : used) {
            TextureImage small = image.limitedTo(extent);
            places.put(image, new int[] {data.position() / Integer.BYTES, small.width(), small.height()});
            data.put(small.mips().get(0));
        }
        return data;
    }

    private static long bytes(Set<TextureImage> images, int extent) {
        return images.stream()
                .mapToLong(image -> image.limitedTo(extent).mips().get(0).length)
                .sum();
    }

    private void putMaterial(Material material) {
        put(
                materials,
                material.baseColorFactor().x(),
                material.baseColorFactor().y(),
                material.baseColorFactor().z(),
                material.vertexColors() ? 1 : 0);
        put(materials, material.emissiveFactor(), material.tintEmissive() ? 1 : 0);
        for (MaterialTexture texture : List.of(material.baseColor(), material.emissive())) {
            int[] place = places.getOrDefault(texture.image(), new int[3]);
            put(materials, place[0], place[1], place[2], texture.texcoord());
            Matrix3x2fc to = texture.transform();
            put(materials, to.m00(), to.m10(), to.m20(), wrap(texture.sampler().addressU()));
            put(materials, to.m01(), to.m11(), to.m21(), wrap(texture.sampler().addressV()));
        }
    }

    private static float wrap(Address address) {
        return switch (address) {
            case REPEAT -> 0;
            case CLAMP_TO_EDGE, CLAMP_TO_BORDER -> 1;
            case MIRRORED_REPEAT -> 2;
        };
    }

    /** Writes the block {@code View} of a sample. */
    void putView(ByteBuffer target, PathOptions options, int sample) {
        CameraPath.Pose pose = new CameraPath.Pose();
        scene.camera().at(0, pose);
        Vector3f forward = pose.target.sub(pose.eye, new Vector3f()).normalize();
        Vector3f right = forward.cross(0, 1, 0, new Vector3f()).normalize();
        Vector3f up = right.cross(forward, new Vector3f());
        float high = (float) Math.tan(0.5 * pose.fovY);
        Atmosphere air = scene.atmosphere();
        put(target, pose.eye, 0);
        put(target, right.mul(high * options.width() / options.height()), 0);
        put(target, up.mul(high), 0);
        put(target, forward, 0);
        put(target, air.toSun(), SUN_RADIUS);
        put(target, air.sun(), 0);
        put(target, air.zenith(), 0);
        put(target, air.horizon(), 0);
        put(target, air.glow(), 0);
        put(target, air.ground(), 0);
        PathRows rows = options.rows();
        put(target, options.width(), options.height(), options.bounces(), rows.count());
        put(target, options.seed(), sample, 0, 0);
        put(target, PathRows.STRIPE, rows.parts(), rows.part(), 0);
    }

    private static void put(ByteBuffer target, Vector3fc xyz, float w) {
        put(target, xyz.x(), xyz.y(), xyz.z(), w);
    }

    private static void put(ByteBuffer target, float x, float y, float z, float w) {
        target.putFloat(x).putFloat(y).putFloat(z).putFloat(w);
    }

    private static void put(ByteBuffer target, int x, int y, int z, int w) {
        target.putInt(x).putInt(y).putInt(z).putInt(w);
    }
}
