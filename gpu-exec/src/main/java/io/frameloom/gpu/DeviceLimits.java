package io.frameloom.gpu;

import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.ResolveMode;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.pipeline.RayTracingPipeline.RecordLimits;
import io.frameloom.gpu.resource.FormatSupport;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.Set;

/**
 * How much of everything a device allows; queried, never assumed. Whatever exceeds a limit is refused before the driver
 * is called, by an exception that names the object and the limit. {@link Memory#maxAllocations} is not checked: it
 * depends on what else the process has allocated, and exceeding it ends in {@link GpuOutOfMemoryException}.
 *
 * @param textures shapes of textures
 * @param memory sizes of buffers and allocations
 * @param compute compute work
 * @param drawing raster work
 * @param pipelines graphics pipelines
 * @param shaders what the shaders of a pipeline may use
 * @param depthResolve resolves of depth and stencil at the end of render passes
 * @param rendering sizes of render passes and viewports
 * @param meshShaders task and mesh shaders
 * @param rayTracing ray-tracing pipelines
 */
public record DeviceLimits(
        Textures textures,
        Memory memory,
        Compute compute,
        Drawing drawing,
        Pipelines pipelines,
        Shaders shaders,
        DepthResolve depthResolve,
        Rendering rendering,
        Samplers samplers,
        AccelerationStructures accelerationStructures,
        MeshShaders meshShaders,
        RayTracing rayTracing) {
    private static final DeviceLimits MINIMUM = new DeviceLimits(
            new Textures(256, 4096, 256, 0b101, 0b101),
            new Memory(1L << 30, 1L << 30, 4096, 16_384, false),
            new Compute(
                    new Groups(65_535, 65_535, 65_535),
                    new Groups(128, 128, 64),
                    128,
                    16_384,
                    1,
                    1,
                    1,
                    Set.of(),
                    false,
                    false),
            new Drawing(4, 16, 4, 1, false, false, false, Set.of(QueryKind.ANY_SAMPLE)),
            new Pipelines(16, 2048, 2047, false, false, false, false, false, 1, 1),
            new Shaders(12, 4, 16, 16, 4, 4, 128, 64, 64),
            new DepthResolve(Set.of(ResolveMode.SAMPLE_ZERO), Set.of(ResolveMode.SAMPLE_ZERO), false, false),
            new Rendering(4096, 4096, 256, 1, 1, 4096, 4096, -8192, 8191),
            new Samplers(2, false),
            AccelerationStructures.NONE,
            MeshShaders.NONE,
            RayTracing.NONE);

    /**
     * Acceleration structures; all numbers are 0 where {@link Capability#ACCELERATION_STRUCTURES} is off.
     *
     * @param maxGeometries largest number of geometries of a bottom level
     * @param maxPrimitives largest number of triangles or boxes of a bottom level
     * @param maxInstances largest number of instances of a top level
     * @param maxBindings largest number of bindings of a pipeline, with the elements of arrays
     * @param scratchAlignment alignment of offsets of scratch memory
     */
    public record AccelerationStructures(
            long maxGeometries, long maxPrimitives, long maxInstances, int maxBindings, int scratchAlignment) {
        /** Of a device without. */
        public static final AccelerationStructures NONE = new AccelerationStructures(0, 0, 0, 0, 0);
    }

    /**
     * Task and mesh shaders; all numbers are 0 where {@link Capability#MESH_SHADERS} is off.
     *
     * @param task task shaders. With one, the workgroups of a draw are workgroups of it
     * @param mesh mesh shaders. Without a task shader, the workgroups of a draw are workgroups of it; else those that
     *     each workgroup of the task shader starts
     * @param maxPayloadBytes largest payload that a task shader hands to its mesh shaders
     * @param maxVertices most vertices that a workgroup of a mesh shader may declare as output
     * @param maxPrimitives most primitives that it may declare
     * @param maxOutputComponents most components of outputs of a vertex, and of a primitive, four for each location
     * @param maxOutputBytes most bytes of all outputs of a workgroup: for each vertex and primitive that it may declare,
     *     16 for each location and built-in variable; primitive indices are free
     * @param maxPayloadAndOutputBytes most bytes of these and the payload together
     * @param vertexGranularity vertices count in multiples of this for these bytes
     * @param primitiveGranularity primitives count in multiples of this
     */
    public record MeshShaders(
            MeshStage task,
            MeshStage mesh,
            int maxPayloadBytes,
            int maxVertices,
            int maxPrimitives,
            int maxOutputComponents,
            int maxOutputBytes,
            int maxPayloadAndOutputBytes,
            int vertexGranularity,
            int primitiveGranularity) {
        /** Of a device without. */
        public static final MeshShaders NONE = new MeshShaders(MeshStage.NONE, MeshStage.NONE, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    /**
     * Workgroups of task or of mesh shaders.
     *
     * @param maxGroups most workgroups of a draw in each dimension
     * @param maxTotalGroups most workgroups of a draw, all dimensions multiplied
     * @param maxGroupSize largest workgroup in each dimension
     * @param maxInvocations most invocations of a workgroup
     * @param maxSharedBytes most shared memory of a workgroup
     * @param maxPayloadAndSharedBytes most of payload and shared memory together
     */
    public record MeshStage(
            Groups maxGroups,
            long maxTotalGroups,
            Groups maxGroupSize,
            int maxInvocations,
            int maxSharedBytes,
            int maxPayloadAndSharedBytes) {
        private static final MeshStage NONE = new MeshStage(new Groups(0, 0, 0), 0, new Groups(0, 0, 0), 0, 0, 0);
    }

    /**
     * Ray-tracing pipelines and their binding tables; all numbers are 0 where {@link Capability#RAY_TRACING_PIPELINES}
     * is off.
     *
     * @param records sizes and alignments of records of binding tables
     * @param maxRecursion deepest recursion of traces: a ray generation shader's trace is 1 deep
     * @param maxInvocations most rays of a command, all dimensions multiplied
     * @param maxHitAttributeBytes largest {@code hitAttributeEXT}
     */
    public record RayTracing(RecordLimits records, int maxRecursion, long maxInvocations, int maxHitAttributeBytes) {
        /** Of a device without. */
        public static final RayTracing NONE = new RayTracing(new RecordLimits(0, 0, 0, 0), 0, 0, 0);
    }

    /**
     * Shapes of textures; the extent of 2D textures is {@link DeviceCapabilities#maxTextureExtent}.
     *
     * @param maxExtent3d largest width, height and depth of a 3D texture
     * @param maxCubeExtent largest width and height of a cube
     * @param maxLayers largest number of array layers
     * @param colorSamples sample counts that colour attachments can have: the bit of value {@code n} stands for {@code
     *     n} samples
     * @param depthSamples sample counts that depth attachments can have, in the same way
     */
    public record Textures(int maxExtent3d, int maxCubeExtent, int maxLayers, int colorSamples, int depthSamples) {}

    /**
     * Sizes of buffers and allocations.
     *
     * @param maxBufferBytes largest buffer
     * @param maxAllocationBytes largest heap, and largest memory of one resource
     * @param maxAllocations largest number of allocations at a time; resources of their own share allocations
     * @param maxUniformRange largest range of a uniform buffer binding; {@link DeviceCapabilities#maxStorageRange} is
     *     that of storage buffers
     * @param lazilyAllocated whether textures with {@link TextureUsage#TRANSIENT_ATTACHMENT} take memory only when the
     *     device has to write them to memory, which a tiling one mostly need not
     */
    public record Memory(
            long maxBufferBytes,
            long maxAllocationBytes,
            int maxAllocations,
            long maxUniformRange,
            boolean lazilyAllocated) {}

    /**
     * Compute work.
     *
     * @param maxGroups most workgroups of a dispatch in each dimension
     * @param maxGroupSize largest workgroup in each dimension
     * @param maxInvocations most invocations of a workgroup
     * @param maxSharedBytes most shared memory of a workgroup
     * @param subgroupSize invocations of a subgroup unless another size is asked for
     * @param minSubgroupSize smallest subgroup that can be asked for
     * @param maxSubgroupSize largest subgroup that can be asked for
     * @param subgroupOperations what the invocations of a subgroup can do together in compute shaders
     * @param vulkanMemoryModel whether shaders may declare the Vulkan memory model and use its device scope
     * @param fullSubgroups whether subgroups without gaps can be asked for. Frameloom then asks for them for each
     *     compute shader that uses subgroups and has workgroups of a multiple of {@code maxSubgroupSize} in x.
     *     Otherwise a driver may leave invocations of a subgroup unused, so no shader may count them
     */
    public record Compute(
            Groups maxGroups,
            Groups maxGroupSize,
            int maxInvocations,
            int maxSharedBytes,
            int subgroupSize,
            int minSubgroupSize,
            int maxSubgroupSize,
            Set<SubgroupOperation> subgroupOperations,
            boolean vulkanMemoryModel,
            boolean fullSubgroups) {
        public Compute {
            subgroupOperations = Set.copyOf(subgroupOperations);
        }
    }

    /** What the invocations of a subgroup can do together; each is an extension of GLSL, GL_KHR_shader_subgroup_*. */
    public enum SubgroupOperation {
        /** To elect one, to have barriers. */
        BASIC,
        /** Whether something holds for all or for any. */
        VOTE,
        /** Sums and the like, and scans of them. */
        ARITHMETIC,
        /** A bit of each; the value of one. */
        BALLOT,
        /** The value of any other. */
        SHUFFLE,
        /** The value of the one so many before or after. */
        SHUFFLE_RELATIVE,
        /** Sums and the like of a few. */
        CLUSTERED,
        /** The values of four. */
        QUAD
    }

    /**
     * What the shaders of a pipeline may use; every element of an array of bindings counts. Frameloom shows every
     * binding to all stages, so these are the limits of one stage.
     *
     * @param maxUniformBuffers most uniform buffers
     * @param maxStorageBuffers most storage buffers
     * @param maxSampledTextures most sampled textures, with samplers and without
     * @param maxSamplers most samplers, those of textures with samplers and those alone
     * @param maxStorageTextures most storage textures
     * @param maxInputAttachments most attachments that are read where they are attached
     * @param maxResources most of all these and colour attachments together; samplers alone do not count
     * @param maxVertexOutputs most components of outputs of vertex shaders, four for each location
     * @param maxFragmentInputs most components of inputs of fragment shaders
     */
    public record Shaders(
            int maxUniformBuffers,
            int maxStorageBuffers,
            int maxSampledTextures,
            int maxSamplers,
            int maxStorageTextures,
            int maxInputAttachments,
            int maxResources,
            int maxVertexOutputs,
            int maxFragmentInputs) {}

    /** A number in each dimension. */
    public record Groups(int x, int y, int z) {}

    /**
     * Raster work.
     *
     * @param maxColorAttachments most colour attachments
     * @param maxVertexBindings most vertex buffers of a pipeline; Frameloom takes 63 where a device allows more
     * @param maxBindingSets most binding sets of a pipeline, and the largest number of a set plus one; Frameloom takes
     *     32 where a device allows more
     * @param maxIndirectDraws most draws of one indirect command
     * @param multiDrawIndirect whether an indirect command may draw more than once
     * @param drawIndirectCount whether the number of draws may come from a buffer
     * @param drawIndirectFirstInstance whether the arguments of an indirect draw may name another first instance than 0
     * @param queries what queries can count
     */
    public record Drawing(
            int maxColorAttachments,
            int maxVertexBindings,
            int maxBindingSets,
            long maxIndirectDraws,
            boolean multiDrawIndirect,
            boolean drawIndirectCount,
            boolean drawIndirectFirstInstance,
            Set<QueryKind> queries) {
        public Drawing {
            queries = Set.copyOf(queries);
        }
    }

    /**
     * Graphics pipelines.
     *
     * @param maxVertexAttributes most vertex attributes, and the largest location of one plus one
     * @param maxVertexStride most bytes from one vertex to the next
     * @param maxVertexOffset largest offset of a vertex attribute in bytes
     * @param independentBlend whether colour attachments may be blended differently
     * @param polygonModes whether polygons may be drawn as lines and points
     * @param depthClamp whether depth may be clamped
     * @param depthBiasClamp whether a depth bias may be clamped
     * @param sampleShading whether fragment shaders may run for each sample
     * @param minLineWidth smallest width of lines in texels
     * @param maxLineWidth largest width of lines in texels; 1, as the smallest, on a device without wide lines
     */
    public record Pipelines(
            int maxVertexAttributes,
            int maxVertexStride,
            int maxVertexOffset,
            boolean independentBlend,
            boolean polygonModes,
            boolean depthClamp,
            boolean depthBiasClamp,
            boolean sampleShading,
            float minLineWidth,
            float maxLineWidth) {}

    /**
     * Resolves of depth and stencil at the end of render passes.
     *
     * @param depthModes how depth can be resolved
     * @param stencilModes how stencil can be resolved
     * @param independent whether one render pass may resolve depth and stencil by any two modes
     * @param independentNone whether one render pass with both may resolve only one of them
     */
    public record DepthResolve(
            Set<ResolveMode> depthModes, Set<ResolveMode> stencilModes, boolean independent, boolean independentNone) {
        public DepthResolve {
            depthModes = Set.copyOf(depthModes);
            stencilModes = Set.copyOf(stencilModes);
        }
    }

    /**
     * Sizes of render passes, of the textures that they render to, and of viewports.
     *
     * @param maxWidth largest width of a render area, and of a texture that can be an attachment
     * @param maxHeight largest height of these
     * @param maxLayers most layers of a render pass
     * @param maxViewports most viewports of a pipeline
     * @param maxViews most layers of a render pass with multiview, 1 without {@link Capability#MULTIVIEW}
     * @param maxViewportWidth largest width of a viewport
     * @param maxViewportHeight largest height of a viewport
     * @param minViewportBound lowest coordinate at which a viewport can begin, in both directions
     * @param maxViewportBound highest coordinate at which a viewport can end
     */
    public record Rendering(
            int maxWidth,
            int maxHeight,
            int maxLayers,
            int maxViewports,
            int maxViews,
            int maxViewportWidth,
            int maxViewportHeight,
            float minViewportBound,
            float maxViewportBound) {}

    /**
     * Limits of samplers; {@link DeviceCapabilities#maxAnisotropy} is another one.
     *
     * @param maxLodBias largest bias of the level of detail, up and down
     * @param reductions whether samplers may take the smallest or largest texel of a filter; {@link
     *     FormatSupport#reduction} says for which formats
     */
    public record Samplers(float maxLodBias, boolean reductions) {}

    /**
     * Returns the limits that every device of Vulkan 1.3 has at least ("Required Limits" in the Vulkan specification).
     */
    public static DeviceLimits minimum() {
        return MINIMUM;
    }
}
