package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.shader.CompiledShader;
import io.frameloom.gpu.shader.PipelineShaders;
import io.frameloom.gpu.shader.SpirvModule;
import java.util.Map;

/**
 * The shaders that ask the driver for subgroups without gaps. Otherwise a driver may leave invocations of a subgroup
 * unused although a workgroup would fill them. Then a shuffle among all of them, or an invocation's number taken for
 * its subgroup and lane, goes wrong. The workgroup must have a multiple of the largest subgroup in x; others cannot
 * consist of full subgroups, so their shaders cannot rely on it. Immutable; any thread.
 */
final class FullSubgroups {
    private static final int FIRST_CAPABILITY = 61;
    private static final int LAST_CAPABILITY = 68;

    private final boolean on;
    private final int largest;

    FullSubgroups(DeviceLimits.Compute limits) {
        on = limits.fullSubgroups();
        largest = limits.maxSubgroupSize();
    }

    /** Returns whether a shader of a compute pipeline, with the values of its constants, asks for full subgroups. */
    boolean areWantedBy(PipelineShaders.Stage stage) {
        return on && usesSubgroups(stage.module()) && width(stage.shader(), stage.constants()) % largest == 0;
    }

    private static long width(CompiledShader shader, Map<Integer, Integer> constants) {
        return Integer.toUnsignedLong(shader.reflection().workgroup().get(0).specialized(constants));
    }

    private static boolean usesSubgroups(SpirvModule module) {
        return module.capabilities().stream()
                .anyMatch(capability -> capability >= FIRST_CAPABILITY && capability <= LAST_CAPABILITY);
    }
}
