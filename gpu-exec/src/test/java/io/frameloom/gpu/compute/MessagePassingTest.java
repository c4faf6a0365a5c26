package io.frameloom.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.Access;
import io.frameloom.gpu.BoundResource.BufferRange;
import io.frameloom.gpu.ComputePipeline;
import io.frameloom.gpu.ComputePipelineDescription;
import io.frameloom.gpu.ResourceUse;
import io.frameloom.gpu.ShaderSource;
import io.frameloom.gpu.ShaderStage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a memory model promises workgroups of one dispatch that talk to each other, held against the driver: many thousand
 * pairs of a writer and a reader, in workgroups at several distances, each told what it must never see.
 */
@Timeout(120)
class MessagePassingTest {
    private static final int THREADS = 64;
    private static final int GROUPS = 256;
    private static final int ROUNDS = 20;
    private static final int OUTCOMES = 3;

    private static final String SHADER = """
            #version 450
            #extension GL_KHR_memory_scope_semantics : require
            layout(local_size_x = 64) in;
            layout(set = 0, binding = 0) buffer LitmusMemory { uint memory[]; };
            layout(set = 0, binding = 1) writeonly buffer LitmusSeen { uint seen[]; };
            layout(push_constant) uniform Push { uint groups; uint distance; };
            #define WORDS 5u
            uint load(uint at) { return atomicLoad(memory[at], gl_ScopeDevice, 0, 0); }
            void store(uint at, uint value) { atomicStore(memory[at], value, gl_ScopeDevice, 0, 0); }
            // The state of an item that lies in two words, 0 where they do not agree, and whether its halves belong together.
            uint look(uint at, out bool torn) {
                uint low = load(at);
                uint high = load(at + 1u);
                torn = low >> 16 == high >> 16 && (low & 0xFFFFu) != (high & 0xFFFFu);
                return low >> 16 == high >> 16 ? low >> 16 : 0u;
            }
            void main() {
                uint group = gl_WorkGroupID.x;
                uint thread = gl_LocalInvocationID.x;
                bool writes = group / distance % 2u == 0u;
                uint pair = writes ? group : group - distance;
                uint at = (pair * 64u + (writes ? thread : 63u - thread)) * WORDS;
                if (writes) {
                    store(at, 1u);
                    atomicStore(memory[at + 1u], 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
                    store(at + 2u, 7u);
                    store(at + 3u, 1u << 16 | 21u);
                    store(at + 4u, 1u << 16 | 21u);
                    store(at + 4u, 2u << 16 | 42u);
                    store(at + 3u, 2u << 16 | 42u);
                } else {
                    uint flag =
                        atomicLoad(memory[at + 1u], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
                    uint payload = load(at);
                    uint once = load(at + 2u);
                    uint again = load(at + 2u);
                    bool torn;
                    uint state = look(at + 3u, torn);
                    bool laterTorn;
                    uint later = look(at + 3u, laterTorn);
                    uint to = (pair * 64u + thread) * 3u;
                    seen[to] = flag == 1u && payload == 0u ? 1u : 0u;
                    seen[to + 1u] = once == 7u && again == 0u ? 1u : 0u;
                    seen[to + 2u] = torn || laterTorn || (later != 0u && later < state) ? 1u : 0u;
                }
            }
            """;

    @Test
    void noReaderSeesWhatItMustNot() {
        try (ComputeRig rig = new ComputeRig(ComputeRig.Backend.VULKAN)) {
            ComputePipeline pipeline = rig.own(rig.device.createComputePipeline(new ComputePipelineDescription(
                    "litmus", new ShaderSource("litmus.comp", ShaderStage.COMPUTE, SHADER, Map.of()), null)));
            long memoryBytes = 4L * 5 * THREADS * GROUPS;
            long seenBytes = 4L * OUTCOMES * THREADS * GROUPS;
            BufferRange memory = new BufferRange(rig.storage("memory", memoryBytes), 0, memoryBytes);
            BufferRange seen = new BufferRange(rig.storage("seen", seenBytes), 0, seenBytes);
            for (int round = 0; round < ROUNDS; round++) {
                int distance = 1 << (round % 8);
                run(rig, pipeline, memory, seen, distance);
                int[] outcomes = rig.read(seen);
                for (int group = 0; group < GROUPS; group++) {
                    if (group / distance % 2 == 0) {
                        int from = group * THREADS * OUTCOMES;
                        for (int at = from; at < from + THREADS * OUTCOMES; at += OUTCOMES) {
                            assertThat(outcomes[at])
                                    .as("a flag without what was written before it, distance %d", distance)
                                    .isZero();
                            assertThat(outcomes[at + 1])
                                    .as("an older value after a newer one, distance %d", distance)
                                    .isZero();
                            assertThat(outcomes[at + 2])
                                    .as("halves of two items that agree on the state, distance %d", distance)
                                    .isZero();
                        }
                    }
                }
            }
        }
    }

    private static void run(
            ComputeRig rig, ComputePipeline pipeline, BufferRange memory, BufferRange seen, int distance) {
        ByteBuffer push = ByteBuffer.allocate(8).order(ByteOrder.nativeOrder());
        push.putInt(0, GROUPS).putInt(4, distance);
        rig.execute(list -> {
            list.beginPass("clear", List.of(use(memory, Access.COPY_DST)));
            list.fillBuffer(memory.buffer(), 0, memory.bytes(), 0);
            list.endPass();
            ComputeRig.fill(list, seen.buffer());
            ComputeRig.full(list);
            list.beginPass(
                    "litmus",
                    List.of(use(memory, Access.STORAGE_READ_WRITE_COMPUTE), use(seen, Access.STORAGE_WRITE_COMPUTE)));
            list.bindPipeline(pipeline);
            list.bindBuffer("LitmusMemory", memory.buffer(), 0, memory.bytes());
            list.bindBuffer("LitmusSeen", seen.buffer(), 0, seen.bytes());
            list.pushConstants(push);
            list.dispatch(GROUPS, 1, 1);
            list.endPass();
            ComputeRig.full(list);
        });
    }

    private static ResourceUse use(BufferRange range, Access access) {
        return new ResourceUse.OfBuffer(
                range.buffer(), range.offset(), range.bytes(), access, access == Access.COPY_DST);
    }
}
