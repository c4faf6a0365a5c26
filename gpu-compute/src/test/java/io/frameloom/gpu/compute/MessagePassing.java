package io.frameloom.gpu.compute;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderIncludes;
import io.frameloom.gpu.pipeline.ShaderSource;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The litmus test "message passing" on a device: workgroups in pairs of which one writes numbered messages and the other
 * looks at them, both for a fixed number of turns, so that neither waits. Roles follow a ticket, so that a pair runs at
 * about the same time however a driver hands out workgroups.
 */
final class MessagePassing {
    private static final int THREADS = 64;
    /** Words whose bytes every device takes for the offset of a binding. */
    private static final int ALIGNED_WORDS = 64;

    private static final int REGIONS = 3;
    private static final int MESSAGES = 64;

    /** How a message is published. */
    enum Order {
        /** Flags are released at device scope and acquired. */
        RELEASE_ACQUIRE,
        /** Nothing orders payload and flag. */
        RELAXED,
        /** Wrong on purpose: flags are set before their payload. */
        FLAG_FIRST
    }

    /** How what a message says is stored and loaded. */
    enum Payload {
        /** By relaxed atomics, all messages in one word. */
        ATOMIC("", 1),
        /** Plainly, each message in a word of its own, with every access available and visible to the device. */
        COHERENT("devicecoherent", MESSAGES),
        /**
         * Plainly, each message in a word of its own; the release makes available what was stored before, the acquire
         * visible what is loaded behind. Of the Vulkan memory model alone.
         */
        MADE_AVAILABLE("nonprivate", MESSAGES);

        private final String qualifier;
        private final int words;

        Payload(String qualifier, int words) {
            this.qualifier = qualifier;
            this.words = words;
        }
    }

    /**
     * What is tried.
     *
     * @param order how messages are published
     * @param payload how they are stored
     * @param vulkanMemoryModel whether the shader declares it, as shipped shaders do where a device lets them
     */
    record Form(Order order, Payload payload, boolean vulkanMemoryModel) {}

    /** What readers count. */
    enum Outcome {
        /** Looks that saw a flag. */
        SET,
        /** Looks that saw a flag which was not the last: the writer was at work. */
        MIDWAY,
        /** Looks that saw halves of an item in different states. */
        MIDWAY_HALVES,
        /** Looks that saw a flag, but an older payload. */
        STALE_PAYLOAD,
        /** Looks that saw an older value of a word than the look before. */
        OLDER,
        /** Looks that saw a word with bits of two items. */
        TORN
    }

    /** Counts of outcomes. */
    static final class Tally {
        private final Map<Outcome, Long> counts = new EnumMap<>(Outcome.class);

        long of(Outcome outcome) {
            return counts.getOrDefault(outcome, 0L);
        }

        private void add(int[] seen) {
            Outcome[] all = Outcome.values();
            for (int at = 0; at < seen.length; at++) {
                counts.merge(all[at % all.length], (long) seen[at], Long::sum);
            }
        }

        @Override
        public String toString() {
            return counts.toString();
        }
    }

    private static final String SHADER = """
            #version 450
            #extension GL_KHR_memory_scope_semantics : require
            layout(local_size_x = 64) in;
            layout(set = 0, binding = 0) buffer LitmusMemory { uint memory[]; };
            layout(set = 0, binding = 1) writeonly buffer LitmusSeen { uint seen[]; };
            layout(set = 0, binding = 2) QUALIFIER buffer LitmusPayload { uint payload[]; };
            #define WORDS (gl_NumWorkGroups.x / 2u * 64u)
            #ifdef MADE_AVAILABLE
            #define RELEASE (gl_SemanticsRelease | gl_SemanticsMakeAvailable)
            #define ACQUIRE (gl_SemanticsAcquire | gl_SemanticsMakeVisible)
            #else
            #define RELEASE gl_SemanticsRelease
            #define ACQUIRE gl_SemanticsAcquire
            #endif
            shared uint taken;
            uint load(uint at) { return atomicLoad(memory[at], gl_ScopeDevice, 0, 0); }
            void raise(uint at, uint to) { atomicMax(memory[at], to, gl_ScopeDevice, 0, 0); }
            uint part(uint message) { return message << 16 | (message * 40503u & 0xFFFFu); }
            void publish(uint at, uint message) {
            #ifdef RELEASE_ACQUIRE
                atomicMax(memory[at], message, gl_ScopeDevice, gl_StorageSemanticsBuffer, RELEASE);
            #else
                raise(at, message);
            #endif
            }
            uint observe(uint at) {
            #ifdef RELEASE_ACQUIRE
                return atomicLoad(memory[at], gl_ScopeDevice, gl_StorageSemanticsBuffer, ACQUIRE);
            #else
                return load(at);
            #endif
            }
            void say(uint lane, uint message) {
            #ifdef ATOMIC
                atomicStore(payload[lane], message, gl_ScopeDevice, 0, 0);
            #else
                payload[lane * MESSAGES + message - 1u] = message;
            #endif
            }
            // A plain word is only looked at behind its flag, else the look itself would be a race.
            uint hear(uint lane, uint told) {
            #ifdef ATOMIC
                return atomicLoad(payload[lane], gl_ScopeDevice, 0, 0);
            #else
                return told == 0u ? 0u : payload[lane * MESSAGES + told - 1u];
            #endif
            }
            void main() {
                uint thread = gl_LocalInvocationID.x;
                if (thread == 0u) {
                    taken = atomicAdd(memory[0], 1u, gl_ScopeDevice, 0, 0);
                }
                controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, BARRIER_SEMANTICS);
                uint pair = taken / 2u;
                bool writes = (taken + pair) % 2u == 0u;
                uint lane = pair * 64u + (writes ? thread : 63u - thread);
                uint flag = 1u + lane;
                uint low = flag + WORDS;
                uint high = low + WORDS;
                if (writes) {
                    for (uint message = 1u; message <= MESSAGES; message++) {
            #ifdef FLAG_FIRST
                        publish(flag, message);
                        say(lane, message);
            #else
                        say(lane, message);
                        publish(flag, message);
            #endif
                        if (message % 2u == 0u) {
                            raise(low, part(message));
                            raise(high, part(message));
                        } else {
                            raise(high, part(message));
                            raise(low, part(message));
                        }
                    }
                } else {
                    uint counts[6] = uint[6](0u, 0u, 0u, 0u, 0u, 0u);
                    uint messageBefore = 0u;
                    uint lowBefore = 0u;
                    uint highBefore = 0u;
                    for (uint turn = 0u; turn < 2u * MESSAGES; turn++) {
                        uint told = observe(flag);
                        uint message = hear(lane, told);
                        uint a = load(low);
                        uint b = load(high);
                        counts[0] += told > 0u ? 1u : 0u;
                        counts[1] += told > 0u && told < MESSAGES ? 1u : 0u;
                        counts[2] += a >> 16 != b >> 16 ? 1u : 0u;
                        counts[3] += message < told ? 1u : 0u;
                        counts[4] += message < messageBefore || a < lowBefore || b < highBefore ? 1u : 0u;
                        counts[5] += a != part(a >> 16) || b != part(b >> 16) ? 1u : 0u;
                        messageBefore = message;
                        lowBefore = a;
                        highBefore = b;
                    }
                    for (uint outcome = 0u; outcome < 6u; outcome++) {
                        seen[lane * 6u + outcome] = counts[outcome];
                    }
                }
            }
            """;

    private final ComputeRig rig;
    private final int groups;
    private final int atATime;
    private final ComputePipeline pipeline;
    private final BufferRange memory;
    private final BufferRange seen;
    private final BufferRange payload;
    private final int payloadWords;

    /**
     * Prepares repetitions, each a dispatch with memory of its own.
     *
     * @param groups workgroups of a dispatch, an even number
     * @param atATime dispatches that nothing keeps from running at the same time
     */
    MessagePassing(ComputeRig rig, Form form, int groups, int atATime) {
        this.rig = rig;
        this.groups = groups;
        this.atATime = atATime;
        Map<String, String> defines = Map.of(
                form.order().name(),
                "",
                form.payload().name(),
                "",
                "QUALIFIER",
                form.payload().qualifier,
                "MESSAGES",
                MESSAGES + "u");
        ShaderSource shader =
                ComputeShaders.source("litmus", SHADER, defines, ShaderIncludes.NONE, form.vulkanMemoryModel());
        pipeline = rig.own(rig.device.createComputePipeline(new ComputePipelineDescription("litmus", shader, null)));
        payloadWords = groups / 2 * THREADS * form.payload().words;
        payload = range("payload", atATime * payloadWords);
        memory = range("memory", atATime * memoryWords());
        seen = range("seen", atATime * seenWords());
    }

    private int memoryWords() {
        int words = 1 + REGIONS * groups / 2 * THREADS;
        return (words + ALIGNED_WORDS - 1) / ALIGNED_WORDS * ALIGNED_WORDS;
    }

    private int seenWords() {
        return Outcome.values().length * groups / 2 * THREADS;
    }

    private BufferRange range(String name, int words) {
        return new BufferRange(rig.storage(name, 4L * words), 0, 4L * words);
    }

    /** Runs until a predicate holds of all that was counted, or for a number of rounds of all repetitions at a time. */
    Tally run(int rounds, Predicate<Tally> enough) {
        Tally tally = new Tally();
        for (int round = 0; round < rounds && !enough.test(tally); round++) {
            round();
            int[] counts = rig.read(seen);
            if (Arrays.stream(counts).anyMatch(count -> count == ComputeRig.POISON)) {
                throw new AssertionError("a reader told nothing");
            }
            tally.add(counts);
        }
        return tally;
    }

    private void round() {
        rig.execute(list -> {
            list.beginPass("clear", List.of(use(memory, Access.COPY_DST), use(payload, Access.COPY_DST)));
            list.fillBuffer(memory.buffer(), 0, memory.bytes(), 0);
            list.fillBuffer(payload.buffer(), 0, payload.bytes(), 0);
            list.endPass();
            ComputeRig.fill(list, seen.buffer());
            ComputeRig.full(list);
            list.beginPass(
                    "litmus",
                    List.of(
                            use(memory, Access.STORAGE_READ_WRITE_COMPUTE),
                            use(payload, Access.STORAGE_READ_WRITE_COMPUTE),
                            use(seen, Access.STORAGE_WRITE_COMPUTE)));
            list.bindPipeline(pipeline);
            for (int i = 0; i < atATime; i++) {
                list.bindBuffer("LitmusMemory", memory.buffer(), 4L * i * memoryWords(), 4L * memoryWords());
                list.bindBuffer("LitmusPayload", payload.buffer(), 4L * i * payloadWords, 4L * payloadWords);
                list.bindBuffer("LitmusSeen", seen.buffer(), 4L * i * seenWords(), 4L * seenWords());
                list.dispatch(groups, 1, 1);
            }
            list.endPass();
            ComputeRig.full(list);
        });
    }

    private static ResourceUse use(BufferRange range, Access access) {
        return new ResourceUse.OfBuffer(
                range.buffer(), range.offset(), range.bytes(), access, access == Access.COPY_DST);
    }
}
