package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderIncludes;
import io.frameloom.gpu.pipeline.ShaderSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Barriers behind loops over shared memory whose number of turns differs between subgroups. Lavapipe 22.3 loses track of a
 * workgroup's barriers after fences in such loops, and reads of shared memory are fences as glslang translates them for the
 * Vulkan memory model: subgroups then go on early, or end without a result. Fences in straight code, in branches and in
 * loops of as many turns everywhere do no harm there, nor do relaxed atomics in any loop.
 */
@Timeout(60)
class DivergentLoopsTest {
    private static final int THREADS = 64;
    /** Words that stand before the output, so that with the canaries it begins where a binding may. */
    private static final int ALIGNED = 61;

    private static final String SHADER = """
            #version 450
            #extension GL_KHR_memory_scope_semantics : require
            #extension GL_KHR_shader_subgroup_basic : require
            layout(local_size_x = 64) in;
            layout(set = 0, binding = 0) writeonly buffer Results { uint results[]; };
            layout(push_constant) uniform Push { uint turns; };
            shared uint cells[64];
            shared uint arrived[64];
            void synchronise() {
                controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, BARRIER_SEMANTICS);
            }
            void main() {
                uint thread = gl_LocalInvocationID.x;
                cells[thread] = 1u;
                arrived[thread] = 0u;
                synchronise();
                uint sum = 0u;
                if (WHO) {
                    for (uint i = 0u; i < TURNS; i++) {
                        sum += cells[(thread + i) & 63u];
                    }
                }
                arrived[thread] = 1u;
                synchronise();
                uint missing = sum == (WHO ? TURNS : 0u) ? 0u : 1000u;
                for (uint i = 0u; i < 64u; i++) {
                    missing += 1u - arrived[i];
                }
                results[thread] = missing;
            }
            """;

    @ParameterizedTest
    @CsvSource({
        "true, true, turns",
        "true, true, gl_SubgroupID * turns",
        "true, thread == 0u, turns",
        "true, thread >= 32u, thread * turns",
        "false, true, gl_SubgroupID * turns",
        "false, thread == 0u, turns"
    })
    void barriersHoldBehindThem(boolean vulkanMemoryModel, String who, String turns) {
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VULKAN)) {
            boolean model = vulkanMemoryModel
                    && rig.device.capabilities().limits().compute().vulkanMemoryModel();
            String text = SHADER.replace("WHO", who).replace("TURNS", turns);
            ShaderSource source = ComputeShaders.source("loops", text, Map.of(), ShaderIncludes.NONE, model);
            ComputePipeline pipeline =
                    rig.own(rig.device.createComputePipeline(new ComputePipelineDescription("loops", source, null)));
            int[] missing = rig.run(rig.upload(new int[1], 0), THREADS, ALIGNED, 1, new ComputeRig.Primitive() {
                @Override
                public List<ResourceUse> uses(BufferRange from, BufferRange to) {
                    return List.of(new ResourceUse.OfBuffer(
                            to.buffer(), 0, to.buffer().description().bytes(), Access.STORAGE_WRITE_COMPUTE, false));
                }

                @Override
                public void record(CommandList list, BufferRange from, BufferRange to) {
                    Dispatches dispatches = new Dispatches(list, StorageLimits.of(rig.device.capabilities()));
                    dispatches.pipeline(pipeline);
                    assertThat(dispatches.bind("Results", to.buffer(), to.offset(), to.bytes()))
                            .isZero();
                    dispatches.dispatch(1, 5);
                }
            });
            assertThat(missing).as(Arrays.toString(missing)).containsOnly(0);
        }
    }
}
