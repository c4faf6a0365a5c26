package io.frameloom.samples.frame;

import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceKind;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.Pipeline;
import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.samples.scene.Deformable;
import io.frameloom.samples.scene.Material;
import io.frameloom.samples.scene.MaterialTexture;
import io.frameloom.samples.scene.Mesh;
import io.frameloom.samples.scene.Scene;
import io.frameloom.samples.scene.TextureImage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.joml.Matrix3x2fc;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a scene on the device while it is shown: one vertex buffer, one index buffer, what meshes that move
 * consist of, textures and the factors of the materials. Filled by {@link SceneUpload}; never written again, so the
 * passes that read it need not declare it. Any thread.
 */
public final class SceneBuffers implements AutoCloseable {
    /** Bytes of the uniform block {@code MaterialFactors}. */
    private static final int FACTOR_BYTES = 64 + 5 * 2 * 16;

    /** Bytes of a vertex. */
    static final long VERTEX_BYTES = Mesh.FLOATS_PER_VERTEX * Float.BYTES;

    /** Vertices after which storage bindings may begin, since no device asks for more than 256 bytes. */
    private static final int VERTEX_STEP = 32;

    private static final int STORAGE_STEP = 256;

    /** Words of a set of joints: two of joints, four of weights. */
    private static final int SET_WORDS = 6;

    /** Largest side of a material texture in texels; larger ones lose their finest mips. */
    private static final int MAX_TEXTURE_EXTENT = 4096;

    private final GpuDevice device;
    private final Scene scene;
    private final Buffer vertices;
    private final Buffer indices;
    private final @Nullable Buffer deformables;
    private final int[] firstDeformed;
    private final long deformedVertices;
    private final long drawRecords;
    private final Buffer factors;
    private final int factorStride;
    private final int anisotropy;
    private final List<MeshRange> meshes = new ArrayList<>();
    private final IdentityHashMap<TextureImage, Texture> textures = new IdentityHashMap<>();
    private final IdentityHashMap<TextureImage, TextureImage> limited = new IdentityHashMap<>();

    /**
     * Where a mesh lies in the buffers.
     *
     * @param firstIndex first index
     * @param indexCount number of indices
     * @param firstVertex number of the vertex that index 0 means, unless the mesh is deformed
     * @param dataOffset where a mesh that is deformed begins in {@link #deformables}
     * @param dataBytes its bytes there
     */
    record MeshRange(int firstIndex, int indexCount, int firstVertex, long dataOffset, long dataBytes) {}

    /** Creates everything, without contents. */
    public SceneBuffers(GpuDevice device, Scene scene) {
        this.device = device;
        this.scene = scene;
        int vertexCount = 0;
        int indexCount = 0;
        long dataBytes = 0;
        for (Mesh mesh : scene.meshes()) {
            long own = words(mesh) * Integer.BYTES;
            meshes.add(new MeshRange(indexCount, mesh.indices().length, vertexCount, dataBytes, own));
            if (mesh.deformable() == null) {
                vertexCount = Math.addExact(vertexCount, mesh.vertexCount());
            }
            dataBytes += (own + STORAGE_STEP - 1) / STORAGE_STEP * STORAGE_STEP;
            indexCount = Math.addExact(indexCount, mesh.indices().length);
        }
        vertices = device.createBuffer(
                "scene vertices",
                BufferDescription.device(
                        Math.max(1, vertexCount) * VERTEX_BYTES,
                        BufferUsage.VERTEX,
                        BufferUsage.STORAGE,
                        BufferUsage.COPY_DST));
        indices = device.createBuffer(
                "scene indices",
                BufferDescription.device((long) indexCount * Integer.BYTES, BufferUsage.INDEX, BufferUsage.COPY_DST));
        deformables = dataBytes == 0
                ? null
                : device.createBuffer(
                        "deformable meshes",
                        BufferDescription.device(dataBytes, BufferUsage.STORAGE, BufferUsage.COPY_DST));
        drawRecords = (long) scene.draws().size() + scene.moving().length;
        firstDeformed = new int[scene.draws().size()];
        long deformed = 0;
        for (int i = 0; i < firstDeformed.length; i++) {
            Mesh mesh = scene.meshes().get(scene.draws().get(i).mesh());
            boolean moves = mesh.deformable() != null;
            firstDeformed[i] = moves ? Math.toIntExact(deformed) : -1;
            deformed += moves ? (mesh.vertexCount() + VERTEX_STEP - 1) / VERTEX_STEP * VERTEX_STEP : 0;
        }
        deformedVertices = deformed;
        int alignment = Math.max(16, device.capabilities().uniformAlignment());
        factorStride = (FACTOR_BYTES + alignment - 1) / alignment * alignment;
        factors = device.createBuffer(
                "material factors",
                BufferDescription.device(
                        (long) scene.materials().size() * factorStride, BufferUsage.UNIFORM, BufferUsage.COPY_DST));
        anisotropy = anisotropy(device.capabilities());
        for (Material material : scene.materials()) {
            for (MaterialTexture texture : material.textures()) {
                textures.computeIfAbsent(texture.image(), this::create);
            }
        }
    }

    /** A software device pays for every tap, and its pictures are small. */
    private static int anisotropy(DeviceCapabilities capabilities) {
        return Math.min(capabilities.kind() == DeviceKind.CPU ? 2 : 8, capabilities.maxAnisotropy());
    }

    private Texture create(TextureImage image) {
        int extent = Math.min(MAX_TEXTURE_EXTENT, device.capabilities().maxTextureExtent());
        TextureImage small = image.limitedTo(extent);
        limited.put(image, small);
        return device.createTexture(
                image.name(),
                new TextureDescription(
                        small.width(),
                        small.height(),
                        small.mips().size(),
                        1,
                        small.srgb() ? Format.R8G8B8A8_SRGB : Format.R8G8B8A8_UNORM,
                        EnumSet.of(TextureUsage.SAMPLED, TextureUsage.COPY_DST)));
    }

    Buffer vertices() {
        return vertices;
    }

    Buffer indices() {
        return indices;
    }

    /** Returns the meshes that are deformed: vertices, sets of joints, targets; see {@code deform.comp}. */
    Buffer deformables() {
        if (deformables == null) {
            throw new IllegalStateException("scene '" + scene.name() + "' has no mesh that is deformed");
        }
        return deformables;
    }

    /** Returns the bytes of all vertices that are moved in a frame. */
    long deformedBytes() {
        return deformedVertices * VERTEX_BYTES;
    }

    /** Returns the number of the first moved vertex of a draw, or -1 if its vertices stay. */
    int firstDeformed(int draw) {
        return firstDeformed[draw];
    }

    /**
     * Returns why a device cannot show a scene, in words that follow the name of the scene, or null if it can.
     *
     * @param maxStorageRange bytes of a buffer that a shader of the device sees at once
     */
    public static @Nullable String problem(Scene scene, long maxStorageRange) {
        for (Mesh mesh : scene.meshes()) {
            long bytes = Math.max(words(mesh) * Integer.BYTES, mesh.vertexCount() * VERTEX_BYTES);
            if (mesh.deformable() != null && bytes > maxStorageRange) {
                return "moves mesh '" + mesh.name() + "' by " + bytes + " bytes of vertices and morph targets, and a "
                        + "shader of the device sees " + maxStorageRange
                        + " at once; --animation none shows its rest pose";
            }
        }
        return null;
    }

    /** Returns the words of a mesh in {@link #deformables}; 0 for one that is not deformed. */
    private static long words(Mesh mesh) {
        Deformable deformable = mesh.deformable();
        return deformable == null
                ? 0
                : (long) mesh.vertexCount()
                        * (Mesh.FLOATS_PER_VERTEX
                                + deformable.sets() * SET_WORDS
                                + (long) deformable.targets().size() * deformable.targetFloats());
    }

    /** Returns a mesh as {@link #deformables} holds it. */
    static ByteBuffer data(Mesh mesh, Deformable deformable) {
        ByteBuffer data = ByteBuffer.allocate(Math.toIntExact(words(mesh) * Integer.BYTES))
                .order(ByteOrder.nativeOrder());
        for (float value : mesh.vertices()) {
            data.putFloat(value);
        }
        int[] joints = deformable.joints();
        for (int set = 0; set < joints.length; set += Deformable.SET) {
            data.putInt(joints[set] | joints[set + 1] << 16).putInt(joints[set + 2] | joints[set + 3] << 16);
            for (int i = set; i < set + Deformable.SET; i++) {
                data.putFloat(deformable.weights()[i]);
            }
        }
        for (float[] target : deformable.targets()) {
            for (float value : target) {
                data.putFloat(value);
            }
        }
        return data.flip();
    }

    Buffer factors() {
        return factors;
    }

    MeshRange mesh(int index) {
        return meshes.get(index);
    }

    /** Returns the textures, each with the mips that it holds. */
    Map<Texture, TextureImage> uploads() {
        Map<Texture, TextureImage> uploads = new HashMap<>();
        textures.forEach((image, texture) -> uploads.put(texture, limited.getOrDefault(image, image)));
        return uploads;
    }

    /** Writes the factors of all materials as the buffer holds them. */
    void writeFactors(ByteBuffer target) {
        for (int i = 0; i < scene.materials().size(); i++) {
            Material material = scene.materials().get(i);
            target.position(i * factorStride);
            target.putFloat(material.baseColorFactor().x())
                    .putFloat(material.baseColorFactor().y())
                    .putFloat(material.baseColorFactor().z())
                    .putFloat(material.baseColorFactor().w())
                    .putFloat(material.emissiveFactor().x())
                    .putFloat(material.emissiveFactor().y())
                    .putFloat(material.emissiveFactor().z())
                    .putFloat(material.tintEmissive() ? 1 : 0)
                    .putFloat(material.metallic())
                    .putFloat(material.roughness())
                    .putFloat(material.normalScale())
                    .putFloat(material.alphaCutoff())
                    .putFloat(material.occlusionStrength())
                    .putFloat(material.twoSided() ? 1 : 0)
                    .putFloat(secondCoordinates(material))
                    .putFloat(0);
            for (MaterialTexture texture : material.textures()) {
                Matrix3x2fc to = texture.transform();
                target.putFloat(to.m00()).putFloat(to.m10()).putFloat(to.m20()).putFloat(0);
                target.putFloat(to.m01()).putFloat(to.m11()).putFloat(to.m21()).putFloat(0);
            }
        }
    }

    /** Bit n is set if the n-th texture takes the second set of texture coordinates. */
    private static int secondCoordinates(Material material) {
        int bits = 0;
        for (int i = 0; i < material.textures().size(); i++) {
            bits |= material.textures().get(i).texcoord() << i;
        }
        return bits;
    }

    /** Returns the elements of the storage block {@code Draws}: the draws, and where those that move were before. */
    long drawRecords() {
        return drawRecords;
    }

    /** Makes the bindings of descriptor set 1 for a material, as far as the pipeline uses them. */
    BindingSet materialSet(String pass, int index, Pipeline pipeline) {
        Material material = scene.materials().get(index);
        Map<String, BoundResource> resources = new HashMap<>();
        for (ShaderBinding binding : pipeline.bindings()) {
            if (binding.set() == 1) {
                resources.put(
                        binding.name(),
                        switch (binding.name()) {
                            case "baseColorTexture" -> sampled(material.baseColor());
                            case "surfaceTexture" -> sampled(material.metallicRoughness());
                            case "normalTexture" -> sampled(material.normal());
                            case "emissiveTexture" -> sampled(material.emissive());
                            case "occlusionTexture" -> sampled(material.occlusion());
                            case "MaterialFactors" ->
                                new BoundResource.BufferRange(factors, (long) index * factorStride, FACTOR_BYTES);
                            default ->
                                throw new IllegalStateException("pipeline '" + pipeline.name()
                                        + "' asks for material resource '" + binding.name()
                                        + "', which materials do not have");
                        });
            }
        }
        return device.createBindingSet(pass + ": " + material.name(), pipeline, 1, resources);
    }

    private BoundResource sampled(MaterialTexture sampled) {
        Texture texture = textures.get(sampled.image());
        if (texture == null) {
            throw new IllegalStateException(
                    "texture '" + sampled.image().name() + "' is not part of scene '" + scene.name() + "'");
        }
        SamplerDescription sampler = sampled.sampler();
        // Without mips there is nothing to choose; Mesa 25's lavapipe then reads black where coordinates are constant.
        boolean trilinear = sampler.minification() == Filter.LINEAR
                && sampler.mips() == Filter.LINEAR
                && texture.description().mips() > 1;
        return new BoundResource.SampledTexture(
                texture.view(), device.sampler(trilinear ? sampler.withAnisotropy(anisotropy) : sampler));
    }

    @Override
    public void close() {
        textures.values().forEach(Texture::close);
        vertices.close();
        indices.close();
        if (deformables != null) {
            deformables.close();
        }
        factors.close();
    }
}
