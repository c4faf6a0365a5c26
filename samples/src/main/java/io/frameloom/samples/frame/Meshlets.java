package io.frameloom.samples.frame;

import static org.lwjgl.util.meshoptimizer.MeshOptimizer.meshopt_buildMeshlets;
import static org.lwjgl.util.meshoptimizer.MeshOptimizer.meshopt_buildMeshletsBound;
import static org.lwjgl.util.meshoptimizer.MeshOptimizer.meshopt_computeMeshletBounds;

import io.frameloom.samples.scene.Bounds;
import io.frameloom.samples.scene.DrawItem;
import io.frameloom.samples.scene.Material;
import io.frameloom.samples.scene.Mesh;
import io.frameloom.samples.scene.Scene;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.util.meshoptimizer.MeshoptBounds;
import org.lwjgl.util.meshoptimizer.MeshoptMeshlet;

/**
 * The meshes of a scene as meshlets, runs of few triangles that lie and face alike, and the meshlets of each draw. Equal
 * scenes give equal meshlets. Immutable as long as no code writes the arrays.
 */
final class Meshlets {
    /** Most vertices of a meshlet. */
    static final int MOST_VERTICES = 64;

    /** Most triangles of a meshlet. */
    static final int MOST_TRIANGLES = 32;

    /** How much it matters that triangles face alike, beside that they lie close together. */
    private static final float CONE_WEIGHT = 0.25f;

    private final List<Meshlet> all = new ArrayList<>();
    private final List<Instance> instances = new ArrayList<>();
    private final List<Batch> batches = new ArrayList<>();
    private final IntBuffer indices;
    private final IntBuffer vertices;
    private final IntBuffer corners;

    /**
     * One run of triangles.
     *
     * @param firstIndex its first index
     * @param indexCount number of its indices
     * @param firstVertex number of the vertex that index 0 means
     * @param vertexCount number of its different vertices
     * @param box box around its vertices
     * @param sphere centre and radius of a sphere around them
     * @param cone axis of its normals, and the sine of their widest angle to it; 1 if they point everywhere
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Meshlet(
            int firstIndex,
            int indexCount,
            int firstVertex,
            int vertexCount,
            Bounds box,
            float[] sphere,
            float[] cone) {}

    /** A meshlet of a draw, both by number. */
    record Instance(int draw, int meshlet) {}

    /**
     * The instances of one material.
     *
     * @param material number of the material
     * @param firstDraw its first draw
     * @param firstInstance its first instance
     * @param instances number of its instances
     */
    record Batch(int material, int firstDraw, int firstInstance, int instances) {}

    /**
     * Builds the meshlets of a scene.
     *
     * @throws IllegalArgumentException if a draw is deformed, or its material is {@link Material#special}
     */
    Meshlets(Scene scene, SceneBuffers buffers) {
        int count =
                scene.meshes().stream().mapToInt(mesh -> mesh.indices().length).sum();
        indices = IntBuffer.allocate(count);
        vertices = IntBuffer.allocate(count);
        corners = IntBuffer.allocate(count / 3);
        int[] firsts = new int[scene.meshes().size() + 1];
        for (int i = 0; i < scene.meshes().size(); i++) {
            firsts[i] = all.size();
            build(scene.meshes().get(i), buffers.mesh(i));
        }
        firsts[scene.meshes().size()] = all.size();
        indices.flip();
        vertices.clear();
        corners.flip();
        for (int i = 0; i < scene.draws().size(); i++) {
            DrawItem draw = scene.draws().get(i);
            if (draw.deformation() != null
                    || scene.materials().get(draw.material()).special()) {
                throw new IllegalArgumentException("scene '" + scene.name() + "' draws mesh '"
                        + scene.meshes().get(draw.mesh()).name()
                        + "' deformed or with more than a plain opaque material");
            }
            int first = instances.size();
            for (int meshlet = firsts[draw.mesh()]; meshlet < firsts[draw.mesh() + 1]; meshlet++) {
                instances.add(new Instance(i, meshlet));
            }
            addToBatch(draw.material(), i, first);
        }
    }

    private void addToBatch(int material, int draw, int first) {
        int end = instances.size();
        int newest = batches.size() - 1;
        if (newest >= 0 && batches.get(newest).material == material) {
            Batch last = batches.get(newest);
            batches.set(newest, new Batch(material, last.firstDraw, last.firstInstance, end - last.firstInstance));
        } else {
            batches.add(new Batch(material, draw, first, end - first));
        }
    }

    private void build(Mesh mesh, SceneBuffers.MeshRange range) {
        int most = Math.toIntExact(meshopt_buildMeshletsBound(mesh.indices().length, MOST_VERTICES, MOST_TRIANGLES));
        IntBuffer source = MemoryUtil.memAllocInt(mesh.indices().length);
        FloatBuffer positions = MemoryUtil.memAllocFloat(mesh.vertices().length);
        IntBuffer vertices = MemoryUtil.memAllocInt(most * MOST_VERTICES);
        ByteBuffer triangles = MemoryUtil.memAlloc(most * MOST_TRIANGLES * 3);
        try (MeshoptMeshlet.Buffer built = MeshoptMeshlet.malloc(most);
                MeshoptBounds bounds = MeshoptBounds.malloc()) {
            source.put(mesh.indices()).flip();
            positions.put(mesh.vertices()).flip();
            int stride = Mesh.FLOATS_PER_VERTEX * Float.BYTES;
            int count = Math.toIntExact(meshopt_buildMeshlets(
                    built,
                    vertices,
                    triangles,
                    source,
                    positions,
                    mesh.vertexCount(),
                    stride,
                    MOST_VERTICES,
                    MOST_TRIANGLES,
                    CONE_WEIGHT));
            for (int i = 0; i < count; i++) {
                MeshoptMeshlet one = built.get(i);
                IntBuffer ownVertices = vertices.slice(one.vertex_offset(), one.vertex_count());
                ByteBuffer ownTriangles = triangles.slice(one.triangle_offset(), one.triangle_count() * 3);
                meshopt_computeMeshletBounds(ownVertices, ownTriangles, positions, mesh.vertexCount(), stride, bounds);
                all.add(meshlet(mesh, range, ownVertices, ownTriangles, bounds));
            }
        } finally {
            MemoryUtil.memFree(source);
            MemoryUtil.memFree(positions);
            MemoryUtil.memFree(vertices);
            MemoryUtil.memFree(triangles);
        }
    }

    private Meshlet meshlet(
            Mesh mesh, SceneBuffers.MeshRange range, IntBuffer own, ByteBuffer triangles, MeshoptBounds bounds) {
        int first = indices.position();
        while (triangles.hasRemaining()) {
            int bytes = 0;
            for (int i = 0; i < 3; i++) {
                int corner = Byte.toUnsignedInt(triangles.get());
                indices.put(own.get(corner));
                bytes |= corner << (Byte.SIZE * i);
            }
            corners.put(bytes);
        }
        float[] positions = new float[3 * own.limit()];
        for (int i = 0; i < positions.length; i++) {
            positions[i] = mesh.vertices()[own.get(i / 3) * Mesh.FLOATS_PER_VERTEX + i % 3];
        }
        for (int i = 0; i < own.limit(); i++) {
            vertices.put(first + i, range.firstVertex() + own.get(i));
        }
        return new Meshlet(
                first,
                indices.position() - first,
                range.firstVertex(),
                own.limit(),
                Bounds.ofVertices(positions, 3),
                new float[] {bounds.center(0), bounds.center(1), bounds.center(2), bounds.radius()},
                new float[] {bounds.cone_axis(0), bounds.cone_axis(1), bounds.cone_axis(2), bounds.cone_cutoff()});
    }

    /** Returns the meshlets of all meshes. */
    List<Meshlet> all() {
        return all;
    }

    /** Returns the meshlets of all draws, in the order of the draws. */
    List<Instance> instances() {
        return instances;
    }

    /** Returns what is drawn one by one: all instances for depth alone, which all materials have, else each material. */
    List<Batch> batches(MeshletDraws.Which which) {
        return which == MeshletDraws.Which.OF_BOTH ? batches : List.of(whole());
    }

    /** Returns all instances as those of the first material. */
    Batch whole() {
        return new Batch(batches.get(0).material, 0, 0, instances.size());
    }

    /** Returns the indices of all meshes, meshlet by meshlet. */
    IntBuffer indices() {
        return indices.duplicate();
    }

    /**
     * Returns the different vertices of each meshlet among those of the scene, from its first index on. There are at
     * most as many as indices.
     */
    IntBuffer vertices() {
        return vertices.duplicate();
    }

    /** Returns the triangles, meshlet by meshlet: numbers of the corners among its vertices, the first one lowest. */
    IntBuffer corners() {
        return corners.duplicate();
    }
}
