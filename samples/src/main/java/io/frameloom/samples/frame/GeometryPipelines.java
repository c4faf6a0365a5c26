package io.frameloom.samples.frame;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.IndexType;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.Blend;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.CullMode;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthState;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexAttribute;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.pipeline.Pipeline;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Format;
import io.frameloom.rdg.PassContext;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.samples.scene.DrawItem;
import io.frameloom.samples.scene.Material;
import io.frameloom.samples.scene.Mesh;
import io.frameloom.samples.scene.Scene;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The two pipelines with which a geometry pass draws: one for plain opaque surfaces, one for {@link Material#special}
 * ones. {@link #draw} may be called by several threads at the same time.
 */
final class GeometryPipelines implements AutoCloseable {
    /** Most draws of one pass; larger passes are split so that several workers record them. */
    static final int DRAWS_PER_PASS = 1024;

    /** Position, normal, two sets of texture coordinates, colour. */
    private static final List<VertexAttribute> ATTRIBUTES = List.of(
            new VertexAttribute(0, Format.R32G32B32_SFLOAT, 0),
            new VertexAttribute(1, Format.R32G32B32_SFLOAT, 12),
            new VertexAttribute(2, Format.R32G32_SFLOAT, 24),
            new VertexAttribute(3, Format.R32G32_SFLOAT, 32),
            new VertexAttribute(4, Format.R32G32B32A32_SFLOAT, 40));

    private static final int OPAQUE_ATTRIBUTES = 3;

    /** Position in the frame before, in a buffer of the same shape: that of a mesh that is not deformed is the same. */
    private static final VertexBuffer FORMER = new VertexBuffer(
            Mesh.FLOATS_PER_VERTEX * Float.BYTES, false, List.of(new VertexAttribute(5, Format.R32G32B32_SFLOAT, 0)));

    private final GpuDevice device;
    private final Scene scene;
    private final SceneBuffers buffers;
    private final Shape shape;
    private final GraphicsPipeline opaque;
    private final GraphicsPipeline special;
    private @Nullable GraphicsPipeline meshes;
    private final boolean moves;
    private final List<@Nullable BindingSet> materialSets = new ArrayList<>();

    /**
     * How the pipelines of one pass differ from those of another.
     *
     * @param name name of the pass
     * @param vertex vertex shader of opaque surfaces
     * @param fragment fragment shader of opaque surfaces, or null for depth only; with one, vertex shaders also take
     *     where vertices were in the frame before
     * @param specialVertex vertex shader of the other surfaces
     * @param specialFragment fragment shader of the other surfaces, which drops back faces itself
     * @param cullBack whether back faces of opaque surfaces are dropped
     * @param depth depth test
     * @param colors formats of the colour attachments
     */
    record Shape(
            String name,
            ShaderSource vertex,
            @Nullable ShaderSource fragment,
            ShaderSource specialVertex,
            ShaderSource specialFragment,
            boolean cullBack,
            DepthState depth,
            List<Format> colors) {}

    GeometryPipelines(GpuDevice device, Scene scene, SceneBuffers buffers, Shape shape) {
        this.device = device;
        this.scene = scene;
        this.buffers = buffers;
        this.shape = shape;
        moves = shape.fragment != null;
        opaque = device.createGraphicsPipeline(new GraphicsPipelineDescription(
                shape.name,
                shape.vertex,
                shape.fragment,
                vertices(moves ? OPAQUE_ATTRIBUTES : 1),
                cull(),
                shape.depth,
                Blend.NONE,
                shape.colors,
                FrameResources.DEPTH));
        special = device.createGraphicsPipeline(new GraphicsPipelineDescription(
                shape.name + ", special",
                shape.specialVertex,
                shape.specialFragment,
                vertices(ATTRIBUTES.size()),
                CullMode.NONE,
                shape.depth,
                Blend.NONE,
                shape.colors,
                FrameResources.DEPTH));
        for (int i = 0; i < scene.materials().size(); i++) {
            Material material = scene.materials().get(i);
            boolean bound = moves || material.special();
            materialSets.add(bound ? buffers.materialSet(shape.name, i, material.special() ? special : opaque) : null);
        }
    }

    private CullMode cull() {
        return shape.cullBack ? CullMode.BACK : CullMode.NONE;
    }

    private List<VertexBuffer> vertices(int attributes) {
        VertexBuffer vertices =
                new VertexBuffer(Mesh.FLOATS_PER_VERTEX * Float.BYTES, false, ATTRIBUTES.subList(0, attributes));
        return moves ? List.of(vertices, FORMER) : List.of(vertices);
    }

    /** Returns the passes that {@code draws} draws take, at least one. */
    static int passes(int draws) {
        return Math.max(1, (draws + DRAWS_PER_PASS - 1) / DRAWS_PER_PASS);
    }

    /** Records the draws of one pass of several, {@code number} from 0. */
    void draw(PassContext context, FrameResources resources, int[] draws, int count, int number) {
        CommandList commands = context.commands();
        int to = Math.min(count, (number + 1) * DRAWS_PER_PASS);
        Pipeline bound = null;
        int material = -1;
        boolean deformed = false;
        for (int i = number * DRAWS_PER_PASS; i < to; i++) {
            int index = draws[i];
            DrawItem draw = scene.draws().get(index);
            GraphicsPipeline wanted = scene.materials().get(draw.material()).special() ? special : opaque;
            if (bound != wanted) {
                bind(context, resources, wanted, buffers.indices());
                bound = wanted;
                material = -1;
                deformed = false;
            }
            BindingSet set = materialSets.get(draw.material());
            if (set != null && material != draw.material()) {
                commands.bindSet(set);
                material = draw.material();
            }
            SceneBuffers.MeshRange mesh = buffers.mesh(draw.mesh());
            int first = buffers.firstDeformed(index);
            if (deformed != first >= 0) {
                deformed = first >= 0;
                bindVertices(context, resources, deformed);
            }
            commands.drawIndexed(mesh.indexCount(), 1, mesh.firstIndex(), deformed ? first : mesh.firstVertex(), index);
        }
    }

    /** Compiles the pipeline of {@link #bindMeshes}, unless it is there. */
    void compileMeshes() {
        if (meshes == null) {
            meshes = device.createGraphicsPipeline(GraphicsPipelineDescription.ofMeshes(
                            shape.name + ", meshes",
                            Shaders.load("meshlets.task"),
                            moves ? Shaders.load("meshlets.mesh", "SURFACE") : Shaders.load("meshlets.mesh"),
                            shape.fragment,
                            shape.colors.toArray(Format[]::new))
                    .withCull(cull())
                    .withDepth(shape.depth, FrameResources.DEPTH));
        }
    }

    /** Records the draws of the meshlets that the device has chosen, all of plain opaque surfaces. */
    void draw(PassContext context, FrameResources resources, MeshletDraws.Chosen chosen) {
        chosen.bind(context, resources, this);
        for (int i = 0; i < chosen.batches().size(); i++) {
            BindingSet set = materialSets.get(chosen.batches().get(i).material());
            if (set != null) {
                context.commands().bindSet(set);
            }
            chosen.draw(context, i);
        }
    }

    /** Binds the pipeline of plain opaque surfaces, and what it reads. */
    void bindOpaque(PassContext context, FrameResources resources, Buffer indices) {
        bind(context, resources, opaque, indices);
    }

    /** Binds the pipeline of {@link #compileMeshes}, and what all pipelines read. */
    void bindMeshes(PassContext context, FrameResources resources) {
        bind(context, resources, Objects.requireNonNull(meshes));
    }

    private void bindVertices(PassContext context, FrameResources resources, boolean deformed) {
        context.commands().bindVertexBuffer(0, vertices(context, deformed ? resources.deformed : null), 0);
        if (moves) {
            context.commands().bindVertexBuffer(1, vertices(context, deformed ? resources.former : null), 0);
        }
    }

    private Buffer vertices(PassContext context, @Nullable RdgBuffer moved) {
        return moved == null ? buffers.vertices() : context.buffer(moved);
    }

    private void bind(PassContext context, FrameResources resources, GraphicsPipeline pipeline, Buffer indices) {
        bind(context, resources, pipeline);
        bindVertices(context, resources, false);
        context.commands().bindIndexBuffer(indices, 0, IndexType.UINT32);
    }

    private static void bind(PassContext context, FrameResources resources, GraphicsPipeline pipeline) {
        context.commands().bindPipeline(pipeline);
        bindBlock(context, "Frame", resources.constants);
        bindBlock(context, "Draws", resources.draws);
    }

    /** Binds all of a buffer to a block. */
    static void bindBlock(PassContext context, String block, RdgBuffer buffer) {
        context.commands()
                .bindBuffer(
                        block, context.buffer(buffer), 0, buffer.description().bytes());
    }

    @Override
    public void close() {
        for (BindingSet set : materialSets) {
            if (set != null) {
                set.close();
            }
        }
        opaque.close();
        special.close();
        if (meshes != null) {
            meshes.close();
        }
    }
}
