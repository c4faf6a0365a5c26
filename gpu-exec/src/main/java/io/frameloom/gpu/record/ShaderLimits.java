package io.frameloom.gpu.record;

import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.pipeline.ShaderBinding.Kind;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.shader.CompiledShader;
import io.frameloom.gpu.shader.PipelineShaders;
import io.frameloom.gpu.shader.SpirvModule;
import io.frameloom.gpu.shader.StageVariable;
import io.frameloom.gpu.shader.WorkgroupAxis;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.LongStream;

/**
 * The limits of a device for the shaders of a pipeline; refused by name, in the same way by all devices. Immutable; any
 * thread.
 */
final class ShaderLimits {
    private static final int COMPONENTS = 4;

    private final DeviceLimits.Compute compute;
    private final DeviceLimits.Shaders most;
    private final int maxColorAttachments;
    private final int maxSets;

    ShaderLimits(DeviceLimits limits) {
        compute = limits.compute();
        most = limits.shaders();
        maxColorAttachments = limits.drawing().maxColorAttachments();
        maxSets = Math.min(limits.drawing().maxBindingSets(), PipelineLimits.MOST_SETS);
    }

    void check(ComputePipelineDescription description, PipelineShaders shaders) {
        String where = "compute pipeline '" + description.name() + "'";
        PipelineShaders.Stage stage = shaders.stages().get(0);
        workgroup(where, stage);
        long shared = SpirvModule.of(stage.shader()).sharedBytes(stage.constants());
        PipelineLimits.require(
                shared <= compute.maxSharedBytes(),
                where + ": the workgroup of shader '" + stage.shader().name() + "' shares " + shared
                        + " bytes of memory, the device allows " + compute.maxSharedBytes());
        bindings(where, shaders.bindings(), 0);
    }

    private void workgroup(String where, PipelineShaders.Stage stage) {
        DeviceLimits.Groups largest = compute.maxGroupSize();
        int[] allowed = {largest.x(), largest.y(), largest.z()};
        long invocations = 1;
        for (int i = 0; i < allowed.length; i++) {
            WorkgroupAxis axis = stage.shader().reflection().workgroup().get(i);
            long size = Integer.toUnsignedLong(axis.specialized(stage.constants()));
            invocations *= Math.max(1, size);
            PipelineLimits.require(
                    size >= 1 && size <= allowed[i],
                    where + ": the workgroup of shader '" + stage.shader().name() + "' has " + size + " invocations in "
                            + "xyz".charAt(i) + ", the device allows 1 to " + allowed[i]);
        }
        PipelineLimits.require(
                invocations <= compute.maxInvocations(),
                where + ": the workgroup of shader '" + stage.shader().name() + "' has " + invocations
                        + " invocations, the device allows " + compute.maxInvocations());
    }

    void check(GraphicsPipelineDescription description, PipelineShaders shaders) {
        String where = "graphics pipeline '" + description.name() + "'";
        bindings(where, shaders.bindings(), description.colorFormats().size());
        for (PipelineShaders.Stage stage : shaders.stages()) {
            CompiledShader shader = stage.shader();
            if (shader.stage() == ShaderStage.VERTEX) {
                components(where, shader, "gives", shader.reflection().outputs(), most.maxVertexOutputs());
            } else {
                components(where, shader, "takes", shader.reflection().inputs(), most.maxFragmentInputs());
                targets(where, shader);
            }
        }
    }

    private static void components(
            String where, CompiledShader shader, String does, List<StageVariable> variables, int allowed) {
        for (StageVariable variable : variables) {
            long end = (long) variable.location() * COMPONENTS + variable.component() + variable.components();
            PipelineLimits.require(
                    end <= allowed,
                    where + ": shader '" + shader.name() + "' " + does + " " + variable
                            + ", the device allows locations" + " 0 to " + (allowed / COMPONENTS - 1));
        }
    }

    private void targets(String where, CompiledShader fragment) {
        for (StageVariable output : fragment.reflection().outputs()) {
            PipelineLimits.require(
                    output.location() < maxColorAttachments,
                    where + ": shader '" + fragment.name() + "' gives " + output + ", the device allows locations 0 to "
                            + (maxColorAttachments - 1));
        }
    }

    private void bindings(String where, List<ShaderBinding> bindings, int attachments) {
        long[] counts = new long[Kind.values().length];
        for (ShaderBinding binding : bindings) {
            PipelineLimits.require(
                    binding.set() < maxSets,
                    where + " has " + BindingRules.describe(binding) + ", the device allows sets 0 to "
                            + (maxSets - 1));
            counts[binding.kind().ordinal()] += binding.count();
        }
        within(where, counts, most.maxSampledTextures(), Kind.SAMPLED_TEXTURE, Kind.SAMPLED_IMAGE);
        within(where, counts, most.maxSamplers(), Kind.SAMPLED_TEXTURE, Kind.SAMPLER);
        within(where, counts, most.maxStorageTextures(), Kind.STORAGE_TEXTURE);
        within(where, counts, most.maxUniformBuffers(), Kind.UNIFORM_BUFFER);
        within(where, counts, most.maxStorageBuffers(), Kind.STORAGE_BUFFER);
        long all = attachments + LongStream.of(counts).sum() - counts[Kind.SAMPLER.ordinal()];
        PipelineLimits.require(
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
        PipelineLimits.require(
                count <= allowed,
                where + " has " + count + " bindings of " + names + " with the elements of arrays, the device allows "
                        + allowed);
    }
}
