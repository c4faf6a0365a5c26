package io.frameloom.gpu.pipeline;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.resource.Format;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A graphics pipeline for dynamic rendering, with dynamic viewports and scissors. It makes its vertices in a vertex
 * shader or in a {@linkplain #ofMeshes mesh shader}.
 *
 * @param name debug name
 * @param vertexShader vertex shader, or null with a mesh shader
 * @param taskShader task shader, which starts the mesh shader; null for none
 * @param meshShader mesh shader, or null with a vertex shader
 * @param fragmentShader fragment shader, or null for depth only
 * @param vertexBuffers vertex buffers by binding number; empty when the vertex shader makes its vertices
 * @param raster how vertices become fragments
 * @param cull which faces are dropped
 * @param depth depth test, or null for none
 * @param stencil stencil test, or null for none
 * @param multisample samples of a pixel
 * @param blends how each colour output is combined with its attachment, as many as there are colour formats
 * @param colorFormats formats of the colour attachments in order
 * @param depthFormat format of the depth attachment, or null for none
 * @param stencilFormat format of the stencil attachment, or null for none; equal to that of the depth attachment, if
 *     there is one
 * @param dynamicStates states that command lists set, besides viewports and scissors
 * @param viewports viewports and scissors among which the vertex or mesh shader chooses by {@code gl_ViewportIndex},
 *     mostly 1
 * @param views layers to which each draw goes at once, 0 for a render pass without multiview
 * @param pushDescriptorSet the set whose bindings are written into command lists, -1 for none
 */
public record GraphicsPipelineDescription(
        String name,
        @Nullable ShaderSource vertexShader,
        @Nullable ShaderSource taskShader,
        @Nullable ShaderSource meshShader,
        @Nullable ShaderSource fragmentShader,
        List<VertexBuffer> vertexBuffers,
        RasterState raster,
        CullMode cull,
        @Nullable DepthState depth,
        @Nullable StencilState stencil,
        MultisampleState multisample,
        List<TargetBlend> blends,
        List<Format> colorFormats,
        @Nullable Format depthFormat,
        @Nullable Format stencilFormat,
        Set<DynamicState> dynamicStates,
        int viewports,
        int views,
        int pushDescriptorSet) {

    public GraphicsPipelineDescription {
        Objects.requireNonNull(vertexBuffers, "vertexBuffers must not be null");
        Objects.requireNonNull(raster, "raster must not be null");
        Objects.requireNonNull(cull, "cull must not be null");
        Objects.requireNonNull(multisample, "multisample must not be null");
        Objects.requireNonNull(blends, "blends must not be null");
        Objects.requireNonNull(colorFormats, "colorFormats must not be null");
        Objects.requireNonNull(dynamicStates, "dynamicStates must not be null");
        vertexBuffers = List.copyOf(vertexBuffers);
        blends = List.copyOf(blends);
        colorFormats = List.copyOf(colorFormats);
        EnumSet<DynamicState> states = EnumSet.noneOf(DynamicState.class);
        states.addAll(dynamicStates);
        dynamicStates = Collections.unmodifiableSet(states);
        String where = "graphics pipeline '" + name + "'";
        if (viewports < 1) {
            throw new IllegalArgumentException(where + " needs 1 viewport or more, got " + viewports);
        }
        if (views < 0) {
            throw new IllegalArgumentException(where + " needs 0 views or more, got " + views);
        }
        requireStage(where, vertexShader, ShaderStage.VERTEX);
        requireStage(where, taskShader, ShaderStage.TASK);
        requireStage(where, meshShader, ShaderStage.MESH);
        requireStage(where, fragmentShader, ShaderStage.FRAGMENT);
        if ((vertexShader == null) == (meshShader == null)) {
            throw new IllegalArgumentException(where + " has "
                    + (meshShader == null ? "neither a vertex shader nor a mesh shader" : "a vertex and a mesh shader")
                    + "; give it one of them");
        }
        if (meshShader != null) {
            requireMeshState(where, meshShader, vertexBuffers, raster, dynamicStates, views);
        } else if (taskShader != null) {
            throw new IllegalArgumentException(
                    where + " has task shader '" + taskShader.name() + "' but no mesh shader that it starts; give one");
        }
        if (depth != null && depthFormat == null) {
            throw new IllegalArgumentException(where + " tests depth but names no depth format; give depthFormat");
        }
        if (stencil != null && stencilFormat == null) {
            throw new IllegalArgumentException(
                    where + " tests stencil but names no stencil format; give stencilFormat");
        }
        if (depthFormat != null && !depthFormat.hasDepth()) {
            throw new IllegalArgumentException(where + " has depth format " + depthFormat + ", which has no depth");
        }
        if (stencilFormat != null && !stencilFormat.hasStencil()) {
            throw new IllegalArgumentException(
                    where + " has stencil format " + stencilFormat + ", which has no stencil");
        }
        if (depthFormat != null && stencilFormat != null && depthFormat != stencilFormat) {
            throw new IllegalArgumentException(where + " has depth format " + depthFormat + " and stencil format "
                    + stencilFormat + "; depth and stencil are planes of one texture");
        }
        if (blends.size() != colorFormats.size()) {
            throw new IllegalArgumentException(where + " has " + colorFormats.size() + " colour formats and "
                    + blends.size() + " blends; give one for each");
        }
        for (Format format : colorFormats) {
            if (format.isDepth()) {
                throw new IllegalArgumentException(where + " has colour format " + format + ", which has no colour");
            }
        }
        if (fragmentShader == null && multisample.alphaToCoverage()) {
            throw new IllegalArgumentException(where + " covers by alpha but has no fragment shader that gives it");
        }
        requireDistinctLocations(where, vertexBuffers);
    }

    /** Filled triangle lists without stencil, of one sample, with one way of blending for all attachments. */
    public GraphicsPipelineDescription(
            String name,
            ShaderSource vertexShader,
            @Nullable ShaderSource fragmentShader,
            List<VertexBuffer> vertexBuffers,
            CullMode cull,
            @Nullable DepthState depth,
            Blend blend,
            List<Format> colorFormats,
            @Nullable Format depthFormat) {
        this(
                name,
                Objects.requireNonNull(vertexShader, "vertexShader must not be null"),
                null,
                null,
                fragmentShader,
                vertexBuffers,
                RasterState.TRIANGLES,
                cull,
                depth,
                null,
                MultisampleState.ONE,
                Collections.nCopies(colorFormats.size(), TargetBlend.of(blend)),
                colorFormats,
                depthFormat,
                null,
                Set.of(),
                1,
                0,
                -1);
    }

    /**
     * Returns a pipeline that draws filled triangles and replaces the attachment: without vertex buffers, culling,
     * depth and stencil, of one sample. The methods {@code with...} change that.
     *
     * @param fragmentShader fragment shader, or null for depth only
     * @param colorFormats formats of the colour attachments in order
     * @throws IllegalArgumentException if a shader is of another stage, or a format has no colour
     */
    public static GraphicsPipelineDescription of(
            String name, ShaderSource vertexShader, @Nullable ShaderSource fragmentShader, Format... colorFormats) {
        return new GraphicsPipelineDescription(
                name,
                vertexShader,
                fragmentShader,
                List.of(),
                CullMode.NONE,
                null,
                Blend.NONE,
                List.of(colorFormats),
                null);
    }

    /**
     * Returns a pipeline as {@link #of}, whose vertices and primitives a mesh shader makes. It has neither vertex
     * buffers nor a topology, and no views. {@link CommandList#drawMeshTasks} draws with it. Needs {@link
     * Capability#MESH_SHADERS}.
     *
     * @param taskShader starts the workgroups of the mesh shader, or null: then the draw does
     * @param fragmentShader fragment shader, or null for depth only
     * @param colorFormats formats of the colour attachments in order
     * @throws IllegalArgumentException if a shader is of another stage, or a format has no colour
     */
    public static GraphicsPipelineDescription ofMeshes(
            String name,
            @Nullable ShaderSource taskShader,
            ShaderSource meshShader,
            @Nullable ShaderSource fragmentShader,
            Format... colorFormats) {
        Objects.requireNonNull(meshShader, "meshShader must not be null");
        return new GraphicsPipelineDescription(
                name,
                null,
                taskShader,
                meshShader,
                fragmentShader,
                List.of(),
                RasterState.TRIANGLES,
                CullMode.NONE,
                null,
                null,
                MultisampleState.ONE,
                Collections.nCopies(colorFormats.length, TargetBlend.of(Blend.NONE)),
                List.of(colorFormats),
                null,
                null,
                Set.of(),
                1,
                0,
                -1);
    }

    /** Returns the shaders in the order in which they run. */
    public List<ShaderSource> shaders() {
        return Stream.of(vertexShader, taskShader, meshShader, fragmentShader)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Returns whether a mesh shader makes the vertices, so that mesh tasks are drawn. */
    public boolean drawsMeshes() {
        return meshShader != null;
    }

    private static void requireStage(String where, @Nullable ShaderSource shader, ShaderStage stage) {
        if (shader != null && shader.stage() != stage) {
            throw new IllegalArgumentException(
                    where + " needs a " + stage + " shader, '" + shader.name() + "' is " + shader.stage());
        }
    }

    /** Refuses what a mesh shader leaves without a meaning: it says itself what its vertices and primitives are. */
    private static void requireMeshState(
            String where,
            ShaderSource mesh,
            List<VertexBuffer> vertexBuffers,
            RasterState raster,
            Set<DynamicState> states,
            int views) {
        String unused = null;
        if (!vertexBuffers.isEmpty()) {
            unused = "vertex buffers; let the shader read storage buffers";
        } else if (raster.topology() != RasterState.TRIANGLES.topology() || raster.primitiveRestart()) {
            unused = "a topology; the shader says which primitives it gives";
        } else if (states.contains(DynamicState.VERTEX_INPUT) || states.contains(DynamicState.TOPOLOGY)) {
            unused = "vertex input or a topology that command lists set; leave these states out";
        } else if (views > 0) {
            unused = "views; draw once for each layer";
        }
        if (unused != null) {
            throw new IllegalArgumentException(where + " has mesh shader '" + mesh.name() + "' and " + unused);
        }
    }

    private static void requireDistinctLocations(String where, List<VertexBuffer> buffers) {
        Set<Integer> locations = new HashSet<>();
        for (VertexBuffer buffer : buffers) {
            for (VertexAttribute attribute : buffer.attributes()) {
                if (!locations.add(attribute.location())) {
                    throw new IllegalArgumentException(
                            where + " has two vertex attributes at location " + attribute.location());
                }
            }
        }
    }

    /** The components that can be changed, before another description is made of them. */
    private static final class Draft {
        private String name;
        private List<VertexBuffer> vertexBuffers;
        private RasterState raster;
        private CullMode cull;
        private @Nullable DepthState depth;
        private @Nullable StencilState stencil;
        private MultisampleState multisample;
        private List<TargetBlend> blends;
        private @Nullable Format depthFormat;
        private @Nullable Format stencilFormat;
        private Set<DynamicState> dynamicStates;
        private int viewports;
        private int views;
        private int pushDescriptorSet;

        Draft(GraphicsPipelineDescription from) {
            name = from.name;
            vertexBuffers = from.vertexBuffers;
            raster = from.raster;
            cull = from.cull;
            depth = from.depth;
            stencil = from.stencil;
            multisample = from.multisample;
            blends = from.blends;
            depthFormat = from.depthFormat;
            stencilFormat = from.stencilFormat;
            dynamicStates = from.dynamicStates;
            viewports = from.viewports;
            views = from.views;
            pushDescriptorSet = from.pushDescriptorSet;
        }
    }

    private GraphicsPipelineDescription with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return new GraphicsPipelineDescription(
                draft.name,
                vertexShader,
                taskShader,
                meshShader,
                fragmentShader,
                draft.vertexBuffers,
                draft.raster,
                draft.cull,
                draft.depth,
                draft.stencil,
                draft.multisample,
                draft.blends,
                colorFormats,
                draft.depthFormat,
                draft.stencilFormat,
                draft.dynamicStates,
                draft.viewports,
                draft.views,
                draft.pushDescriptorSet);
    }

    /** As this, with another name. */
    public GraphicsPipelineDescription withName(String other) {
        return with(draft -> draft.name = other);
    }

    /** As this, with other vertex buffers, by binding number. */
    public GraphicsPipelineDescription withVertexBuffers(VertexBuffer... others) {
        return with(draft -> draft.vertexBuffers = List.of(others));
    }

    /** As this, with other faces dropped. */
    public GraphicsPipelineDescription withCull(CullMode other) {
        return with(draft -> draft.cull = other);
    }

    /**
     * As this, with a depth test.
     *
     * @param test the test, or null for none
     * @param format format of the depth attachment
     */
    public GraphicsPipelineDescription withDepth(@Nullable DepthState test, Format format) {
        return with(draft -> {
            draft.depth = test;
            draft.depthFormat = format;
        });
    }

    /** As this, with one way of blending for all colour formats. */
    public GraphicsPipelineDescription withBlend(Blend blend) {
        return withBlends(Collections.nCopies(colorFormats.size(), TargetBlend.of(blend)));
    }

    /** As this, with another way from vertices to fragments. */
    public GraphicsPipelineDescription withRaster(RasterState other) {
        return with(draft -> draft.raster = other);
    }

    /**
     * As this, with a stencil test.
     *
     * @param format format of the stencil attachment
     */
    public GraphicsPipelineDescription withStencil(@Nullable StencilState test, Format format) {
        return with(draft -> {
            draft.stencil = test;
            draft.stencilFormat = format;
        });
    }

    /** As this, with other samples. */
    public GraphicsPipelineDescription withMultisample(MultisampleState other) {
        return with(draft -> draft.multisample = other);
    }

    /** As this, with other blending, one for each colour format. */
    public GraphicsPipelineDescription withBlends(List<TargetBlend> others) {
        return with(draft -> draft.blends = others);
    }

    /** As this, with other states that command lists set. */
    public GraphicsPipelineDescription withDynamicStates(Set<DynamicState> states) {
        return with(draft -> draft.dynamicStates = states);
    }

    /**
     * As this, with several viewports and scissors. The vertex or mesh shader chooses one by {@code gl_ViewportIndex} of
     * {@code GL_ARB_shader_viewport_layer_array}. At most {@link DeviceLimits.Rendering#maxViewports}.
     */
    public GraphicsPipelineDescription withViewports(int count) {
        return with(draft -> draft.viewports = count);
    }

    /**
     * As this, for render passes {@linkplain io.frameloom.gpu.command.RenderingInfo#withMultiview with multiview}.
     *
     * @param count layers of the render pass, to each of which each draw goes; at most {@link
     *     DeviceLimits.Rendering#maxViews}
     */
    public GraphicsPipelineDescription withViews(int count) {
        return with(draft -> draft.views = count);
    }

    /**
     * As this, with a set whose bindings are written into the command list, in place of a descriptor set: for bindings
     * that are new in each draw. Those that repeat from frame to frame are cheaper without. They are bound by name or
     * slot; a {@link BindingSet} is not. Needs {@link Capability#PUSH_DESCRIPTORS}.
     *
     * @param set its number, with at most 32 bindings, elements of arrays among them; -1 for none
     */
    public GraphicsPipelineDescription withPushDescriptorSet(int set) {
        return with(draft -> draft.pushDescriptorSet = set);
    }

    /** Which faces are dropped. */
    public enum CullMode {
        /** None. */
        NONE,
        /** Back faces. */
        BACK,
        /** Front faces. */
        FRONT
    }

    /** How all colour outputs are combined with the attachments, in usual ways; {@link TargetBlend} has others. */
    public enum Blend {
        /** Replace. */
        NONE,
        /** Source plus destination. */
        ADD,
        /** Source over destination by source alpha. */
        ALPHA
    }

    /** Comparison of the new value with the stored one, in this order, in depth or stencil tests. */
    public enum DepthCompare {
        /** Never passes. */
        NEVER,
        /** Less. */
        LESS,
        /** Equal. */
        EQUAL,
        /** Less or equal. */
        LESS_OR_EQUAL,
        /** Greater. */
        GREATER,
        /** Not equal. */
        NOT_EQUAL,
        /** Greater or equal. */
        GREATER_OR_EQUAL,
        /** Always passes. */
        ALWAYS
    }

    /**
     * Depth test. The bias is unused with {@link DynamicState#DEPTH_BIAS}.
     *
     * @param compare comparison
     * @param write whether passing fragments write their depth
     * @param biasConstant constant depth bias, 0 for none
     * @param biasSlope slope-scaled depth bias, 0 for none
     * @param biasClamp the largest bias, or the smallest if it is negative; 0 for no limit
     */
    public record DepthState(
            DepthCompare compare, boolean write, float biasConstant, float biasSlope, float biasClamp) {
        /** A test whose bias has no limit. */
        public DepthState(DepthCompare compare, boolean write, float biasConstant, float biasSlope) {
            this(compare, write, biasConstant, biasSlope, 0);
        }
    }

    /**
     * A vertex buffer.
     *
     * @param stride bytes from one element to the next
     * @param perInstance advances per instance instead of per vertex
     */
    public record VertexBuffer(int stride, boolean perInstance, List<VertexAttribute> attributes) {
        public VertexBuffer {
            attributes = List.copyOf(attributes);
        }
    }

    /**
     * A vertex attribute.
     *
     * @param location shader location
     * @param offset bytes from the start of the element
     */
    public record VertexAttribute(int location, Format format, int offset) {}
}
