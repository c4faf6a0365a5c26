package io.frameloom.gpu.record;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.DynamicState;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthState;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexAttribute;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.pipeline.RasterState.PolygonMode;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.pipeline.ShaderBinding.Kind;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.FormatSupport;
import io.frameloom.gpu.shader.CompiledShader;
import io.frameloom.gpu.shader.MeshOutputs;
import io.frameloom.gpu.shader.PipelineShaders;
import io.frameloom.gpu.shader.StageVariable;
import io.frameloom.gpu.shader.WorkgroupAxis;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * The limits of a device for a pipeline. A pipeline that exceeds one is refused by name before a driver is called, in
 * the same way by all devices. Immutable; any thread.
 */
public final class PipelineLimits {
    private static final int COMPONENTS = 4;

    private static final int LOCATION_BYTES = COMPONENTS * Integer.BYTES;

    /** Most binding sets of a pipeline that Frameloom takes, and the largest number of a set plus one. */
    public static final int MOST_SETS = Integer.SIZE;

    /** Most vertex buffers of a pipeline that Frameloom takes: a mask of them is one long. */
    static final int MOST_VERTEX_BINDINGS = Long.SIZE - 1;

    private final DeviceCapabilities capabilities;
    private final DeviceLimits.Drawing drawing;
    private final DeviceLimits.Rendering rendering;
    private final DeviceLimits.Pipelines pipelines;
    private final Function<Format, FormatSupport> formats;
    private final DeviceLimits.Compute compute;
    private final DeviceLimits.MeshShaders meshes;
    private final DeviceLimits.Shaders most;
    private final int maxStructures;

    private final int maxSets;

    /** The limits of a device. */
    public PipelineLimits(DeviceCapabilities capabilities, Function<Format, FormatSupport> formats) {
        DeviceLimits device = capabilities.limits();
        this.capabilities = capabilities;
        this.drawing = device.drawing();
        this.pipelines = device.pipelines();
        this.rendering = device.rendering();
        this.formats = formats;
        this.compute = device.compute();
        this.meshes = device.meshShaders();
        this.most = device.shaders();
        this.maxStructures = device.accelerationStructures().maxBindings();
        this.maxSets = Math.min(drawing.maxBindingSets(), MOST_SETS);
    }

    /** Checks all of a graphics pipeline but its shaders, which so need not be compiled. */
    public void check(GraphicsPipelineDescription description) {
        String where = "graphics pipeline '" + description.name() + "'";
        attachments(where, description);
        require(
                description.multisample().minSampleShading() == 0 || pipelines.sampleShading(),
                where + " runs its fragment shader for samples, which the device cannot");
        require(
                description.raster().polygonMode() == PolygonMode.FILL || pipelines.polygonModes(),
                where + " draws polygons as " + description.raster().polygonMode() + ", which the device cannot");
        require(
                !description.raster().depthClamp() || pipelines.depthClamp(),
                where + " clamps depth, which the device cannot");
        require(
                description.viewports() <= rendering.maxViewports(),
                where + " has " + description.viewports() + " viewports, the device at most " + rendering.maxViewports()
                        + " (maxViewports)");
        require(
                description.views() == 0 || (rendering.maxViews() > 1 && description.views() <= rendering.maxViews()),
                where + " has " + description.views() + " views, the device at most " + rendering.maxViews()
                        + " (maxViews); views take a device opened with Capability.MULTIVIEW");
        DepthState depth = description.depth();
        require(
                depth == null || depth.biasClamp() == 0 || pipelines.depthBiasClamp(),
                where + " clamps its depth bias, which the device cannot");
        require(
                !description.dynamicStates().contains(DynamicState.VERTEX_INPUT)
                        || capabilities.has(Capability.DYNAMIC_VERTEX_INPUT),
                where + " leaves its vertex input to command lists, which needs "
                        + CapabilityRules.off(capabilities, Capability.DYNAMIC_VERTEX_INPUT));
        require(
                !description.drawsMeshes() || capabilities.has(Capability.MESH_SHADERS),
                where + " has a mesh shader, which needs "
                        + CapabilityRules.off(capabilities, Capability.MESH_SHADERS));
        pushes(where, description.pushDescriptorSet());
        vertices(where, description.vertexBuffers());
    }

    private void pushes(String where, int set) {
        require(
                set < 0 || capabilities.has(Capability.PUSH_DESCRIPTORS),
                where + " pushes set " + set + ", which needs "
                        + CapabilityRules.off(capabilities, Capability.PUSH_DESCRIPTORS));
    }

    private void attachments(String where, GraphicsPipelineDescription description) {
        List<Format> colors = description.colorFormats();
        require(
                colors.size() <= drawing.maxColorAttachments(),
                where + " has " + colors.size() + " colour attachments, the device allows "
                        + drawing.maxColorAttachments());
        boolean alike = description.blends().stream().distinct().count() <= 1;
        require(
                alike || pipelines.independentBlend(),
                where + " blends its attachments differently, which the device cannot");
        int allowed = -1;
        for (int i = 0; i < colors.size(); i++) {
            Format format = colors.get(i);
            FormatSupport support = formats.apply(format);
            require(
                    support.colorAttachment(),
                    where + " has colour attachment " + i + " of format " + format
                            + ", which the device cannot draw to");
            require(
                    !description.blends().get(i).enabled() || support.blend(),
                    where + " blends colour attachment " + i + " of format " + format + ", which the device cannot");
            allowed &= support.sampleCounts();
        }
        Format depth = description.depthFormat() != null ? description.depthFormat() : description.stencilFormat();
        if (depth != null) {
            FormatSupport support = formats.apply(depth);
            require(
                    support.depthAttachment(),
                    where + " has a depth or stencil attachment of format " + depth
                            + ", which the device cannot draw to");
            allowed &= support.sampleCounts();
        }
        int samples = description.multisample().samples();
        require(
                samples == 1 || allowed != -1,
                where + " has " + samples + " samples but no attachments; a render pass without attachments has 1");
        require(
                (samples & allowed) != 0,
                where + " has " + samples + " samples, the device allows those of the mask 0x"
                        + Integer.toHexString(allowed));
    }

    void vertices(String where, List<VertexBuffer> buffers) {
        int most = Math.min(drawing.maxVertexBindings(), MOST_VERTEX_BINDINGS);
        require(
                buffers.size() <= most,
                where + " has " + buffers.size() + " vertex buffers, the device allows " + most
                        + "; put more attributes into one");
        for (VertexBuffer buffer : buffers) {
            require(
                    buffer.stride() >= 0 && buffer.stride() <= pipelines.maxVertexStride(),
                    where + " has vertices " + buffer.stride() + " bytes apart, the device allows 0 to "
                            + pipelines.maxVertexStride());
            for (VertexAttribute attribute : buffer.attributes()) {
                attribute(where, attribute);
                int alignment = VertexAlignment.of(attribute.format());
                require(
                        buffer.stride() % alignment == 0,
                        where + " has vertices " + buffer.stride() + " bytes apart, of which attribute "
                                + attribute.location() + " of format " + attribute.format()
                                + " needs a multiple of " + alignment);
                require(
                        attribute.offset() % alignment == 0,
                        where + " has vertex attribute " + attribute.location() + " of format " + attribute.format()
                                + " at byte " + attribute.offset() + ", it needs a multiple of " + alignment);
            }
        }
    }

    private void attribute(String where, VertexAttribute attribute) {
        require(
                attribute.location() >= 0 && attribute.location() < pipelines.maxVertexAttributes(),
                where + " has a vertex attribute at location " + attribute.location() + ", the device allows 0 to "
                        + (pipelines.maxVertexAttributes() - 1));
        require(
                formats.apply(attribute.format()).vertices(),
                where + " has a vertex attribute of format " + attribute.format() + " at location "
                        + attribute.location() + ", which the device cannot read from vertices");
        require(
                attribute.offset() >= 0 && attribute.offset() <= pipelines.maxVertexOffset(),
                where + " has a vertex attribute at byte " + attribute.offset() + ", the device allows 0 to "
                        + pipelines.maxVertexOffset());
    }

    public void check(RayTracingPipelineDescription description) {
        String where = "ray-tracing pipeline '" + description.name() + "'";
        if (!capabilities.has(Capability.RAY_TRACING_PIPELINES)) {
            throw new IllegalStateException(
                    where + " needs " + CapabilityRules.off(capabilities, Capability.RAY_TRACING_PIPELINES));
        }
        pushes(where, description.pushDescriptorSet());
        int deepest = capabilities.limits().rayTracing().maxRecursion();
        require(
                description.maxRecursion() <= deepest,
                where + " has a recursion of " + description.maxRecursion() + ", the device allows " + deepest
                        + " (DeviceLimits.RayTracing.maxRecursion); trace in a loop of the ray generation shader");
    }

    public void check(RayTracingPipelineDescription description, PipelineShaders shaders) {
        String where = "ray-tracing pipeline '" + description.name() + "'";
        long handedOn = shaders.stages().stream()
                .mapToLong(stage -> stage.rayPayloadBytes(false))
                .max()
                .orElse(0);
        for (PipelineShaders.Stage stage : shaders.stages()) {
            CompiledShader shader = stage.shader();
            long handed = stage.rayPayloadBytes(true);
            // Where no ray begins yet, none has a payload.
            require(
                    handed <= handedOn || handedOn == 0,
                    where + ": shader '" + shader.name() + "' has a rayPayloadInEXT of " + handed
                            + " bytes, and no rayPayloadEXT has more than " + handedOn
                            + "; declare the same payload in both");
            int depth = shader.stage() == ShaderStage.RAY_GENERATION ? 1 : 2;
            require(
                    description.maxRecursion() >= depth || !stage.module().traces(),
                    where + " has a recursion of " + description.maxRecursion() + ", and shader '" + shader.name()
                            + "' of " + shader.stage() + " traces rays; say at least " + depth);
            long attribute = stage.module().hitAttributeBytes(stage.constants());
            int largest = capabilities.limits().rayTracing().maxHitAttributeBytes();
            require(
                    attribute <= largest,
                    where + ": shader '" + shader.name() + "' has a hitAttributeEXT of " + attribute
                            + " bytes, the device allows " + largest
                            + " (DeviceLimits.RayTracing.maxHitAttributeBytes)");
        }
        bindings(where, shaders, 0);
    }

    public void check(ComputePipelineDescription description, PipelineShaders shaders) {
        String where = "compute pipeline '" + description.name() + "'";
        pushes(where, description.pushDescriptorSet());
        PipelineShaders.Stage stage = shaders.stages().get(0);
        workgroup(where, stage, compute.maxGroupSize(), compute.maxInvocations(), compute.maxSharedBytes());
        bindings(where, shaders, 0);
    }

    private static void workgroup(
            String where,
            PipelineShaders.Stage stage,
            DeviceLimits.Groups largest,
            int maxInvocations,
            int maxSharedBytes) {
        int[] allowed = {largest.x(), largest.y(), largest.z()};
        long invocations = 1;
        for (int i = 0; i < allowed.length; i++) {
            WorkgroupAxis axis = stage.shader().reflection().workgroup().get(i);
            long size = Integer.toUnsignedLong(axis.specialized(stage.constants()));
            invocations *= Math.max(1, size);
            require(
                    size >= 1 && size <= allowed[i],
                    where + ": the workgroup of shader '" + stage.shader().name() + "' has " + size + " invocations in "
                            + "xyz".charAt(i) + ", the device allows 1 to " + allowed[i]);
        }
        require(
                invocations <= maxInvocations,
                where + ": the workgroup of shader '" + stage.shader().name() + "' has " + invocations
                        + " invocations, the device allows " + maxInvocations);
        long shared = stage.module().sharedBytes(stage.constants());
        require(
                shared <= maxSharedBytes,
                where + ": the workgroup of shader '" + stage.shader().name() + "' shares " + shared
                        + " bytes of memory, the device allows " + maxSharedBytes);
    }

    private void meshStage(String where, PipelineShaders.Stage stage, DeviceLimits.MeshStage allowed) {
        workgroup(where, stage, allowed.maxGroupSize(), allowed.maxInvocations(), allowed.maxSharedBytes());
        String shader = where + ": shader '" + stage.shader().name() + "'";
        long payload = stage.payloadBytes();
        require(
                payload <= meshes.maxPayloadBytes(),
                shader + " has a payload of " + payload + " bytes, the device allows " + meshes.maxPayloadBytes());
        long both = payload + stage.module().sharedBytes(stage.constants());
        require(
                both <= allowed.maxPayloadAndSharedBytes(),
                shader + " has " + both + " bytes of payload and shared memory, the device allows "
                        + allowed.maxPayloadAndSharedBytes());
        MeshOutputs outputs = stage.shader().reflection().mesh();
        if (outputs != null) {
            require(
                    outputs.vertices() <= meshes.maxVertices(),
                    shader + " gives up to " + outputs.vertices() + " vertices, the device allows "
                            + meshes.maxVertices());
            require(
                    outputs.primitives() <= meshes.maxPrimitives(),
                    shader + " gives up to " + outputs.primitives() + " primitives, the device allows "
                            + meshes.maxPrimitives());
            long bytes = outputBytes(stage, false, outputs.vertices(), meshes.vertexGranularity())
                    + outputBytes(stage, true, outputs.primitives(), meshes.primitiveGranularity());
            require(
                    bytes <= meshes.maxOutputBytes(),
                    shader + " has " + bytes + " bytes of outputs, the device allows " + meshes.maxOutputBytes()
                            + " (DeviceLimits.MeshShaders.maxOutputBytes)");
            require(
                    payload + bytes <= meshes.maxPayloadAndOutputBytes(),
                    shader + " has " + (payload + bytes) + " bytes of payload and outputs, the device allows "
                            + meshes.maxPayloadAndOutputBytes());
        }
    }

    /** The bytes of the outputs for each vertex or primitive, as "Mesh Shader Output" of Vulkan's specification has it. */
    private static long outputBytes(PipelineShaders.Stage stage, boolean perPrimitive, int count, int granularity) {
        long locations = stage.shader().reflection().outputs().stream()
                .filter(output -> output.perPrimitive() == perPrimitive)
                .mapToInt(StageVariable::location)
                .distinct()
                .count();
        long counted = (count + granularity - 1L) / granularity * granularity;
        return (locations + stage.module().builtInOutputs(perPrimitive)) * LOCATION_BYTES * counted;
    }

    public void check(GraphicsPipelineDescription description, PipelineShaders shaders) {
        String where = "graphics pipeline '" + description.name() + "'";
        bindings(where, shaders, description.colorFormats().size());
        for (PipelineShaders.Stage stage : shaders.stages()) {
            CompiledShader shader = stage.shader();
            List<StageVariable> outputs = shader.reflection().outputs();
            switch (shader.stage()) {
                case VERTEX -> components(where, shader, "gives", outputs, most.maxVertexOutputs());
                case TASK -> meshStage(where, stage, meshes.task());
                case MESH -> {
                    meshStage(where, stage, meshes.mesh());
                    components(where, shader, "gives", outputs, meshes.maxOutputComponents());
                }
                default -> {
                    components(where, shader, "takes", shader.reflection().inputs(), most.maxFragmentInputs());
                    targets(where, shader);
                }
            }
        }
    }

    private static void components(
            String where, CompiledShader shader, String does, List<StageVariable> variables, int allowed) {
        for (StageVariable variable : variables) {
            long end = (long) variable.location() * COMPONENTS + variable.component() + variable.components();
            require(
                    end <= allowed,
                    where + ": shader '" + shader.name() + "' " + does + " " + variable
                            + ", the device allows locations 0 to " + (allowed / COMPONENTS - 1));
        }
    }

    private void targets(String where, CompiledShader fragment) {
        for (StageVariable output : fragment.reflection().outputs()) {
            require(
                    output.location() < drawing.maxColorAttachments(),
                    where + ": shader '" + fragment.name() + "' gives " + output + ", the device allows locations 0 to "
                            + (drawing.maxColorAttachments() - 1));
        }
    }

    private void bindings(String where, PipelineShaders shaders, int attachments) {
        List<ShaderBinding> bindings = shaders.bindings();
        require(
                shaders.tableSet() < maxSets,
                where + " has a bindless table as set " + shaders.tableSet() + ", the device allows sets 0 to "
                        + (maxSets - 1));
        long[] counts = new long[Kind.values().length];
        for (ShaderBinding binding : bindings) {
            require(
                    binding.set() < maxSets,
                    where + " has " + BindingRules.describe(binding) + ", the device allows sets 0 to "
                            + (maxSets - 1));
            counts[binding.kind().ordinal()] += binding.count();
        }
        within(where, counts, most.maxSampledTextures(), Kind.SAMPLED_TEXTURE, Kind.SAMPLED_IMAGE);
        within(where, counts, most.maxSamplers(), Kind.SAMPLED_TEXTURE, Kind.SAMPLER);
        within(where, counts, most.maxStorageTextures(), Kind.STORAGE_TEXTURE);
        within(where, counts, most.maxInputAttachments(), Kind.INPUT_ATTACHMENT);
        within(where, counts, most.maxUniformBuffers(), Kind.UNIFORM_BUFFER);
        within(where, counts, most.maxStorageBuffers(), Kind.STORAGE_BUFFER);
        require(
                counts[Kind.ACCELERATION_STRUCTURE.ordinal()] == 0 || maxStructures > 0,
                where + " has a binding of ACCELERATION_STRUCTURE, and the device was opened without; open it with"
                        + " DeviceOptions.require(Capability.RAY_QUERIES)");
        within(where, counts, maxStructures, Kind.ACCELERATION_STRUCTURE);
        long all = attachments + LongStream.of(counts).sum() - counts[Kind.SAMPLER.ordinal()];
        require(
                all <= most.maxResources(),
                where + " has " + all + " bindings and colour attachments with the elements of arrays, the device"
                        + " allows " + most.maxResources());
    }

    private static void within(String where, long[] counts, int allowed, Kind... kinds) {
        long count = 0;
        StringJoiner names = new StringJoiner(" and ");
        for (Kind kind : kinds) {
            long ofKind = counts[kind.ordinal()];
            count += ofKind;
            if (ofKind > 0) {
                names.add(kind.name());
            }
        }
        require(
                count <= allowed,
                where + " has " + count + " bindings of " + names + " with the elements of arrays, the device allows "
                        + allowed);
    }

    private static void require(boolean allowed, String words) {
        if (!allowed) {
            throw new IllegalArgumentException(words);
        }
    }
}
