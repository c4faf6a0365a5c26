package io.frameloom.gpu.record;

import static io.frameloom.gpu.record.CommandRig.full;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every dispatch works on what was bound for it, however many there are, and whichever pipelines take turns. */
@Timeout(60)
class ManyBindingsContractTest {
    private static final int RANGE = 256;
    /** More than a descriptor pool has sets. */
    private static final int DISPATCHES = 700;

    private static final String ONE = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) buffer Target { uint target[]; };
            layout(push_constant) uniform Push { uint number; };
            void main() { target[0] = number; }
            """;
    private static final String TWO = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) buffer Target { uint target[]; };
            layout(set = 0, binding = 1) uniform Factor { uint factor; };
            layout(push_constant) uniform Push { uint number; };
            void main() { target[0] = number * factor; }
            """;

    @Test
    void eachDispatchHasItsOwn() {
        try (CommandRig rig = new CommandRig(Backend.VULKAN)) {
            ComputePipeline one = rig.compute("one", ONE, invocation -> {});
            ComputePipeline two = rig.compute("two", TWO, invocation -> {});
            Buffer target = rig.buffer("target", RANGE * DISPATCHES, BufferUsage.STORAGE, BufferUsage.COPY_SRC);
            Buffer factor = rig.upload(new int[] {3}, BufferUsage.UNIFORM);
            Buffer back = rig.readback(RANGE * DISPATCHES);
            for (int frame = 1; frame <= 2; frame++) {
                int first = 1_000 * frame;
                rig.execute(list -> {
                    for (int i = 0; i < DISPATCHES; i++) {
                        // Alone, in short rows and in a long one.
                        boolean factored = i < 50 ? i % 2 == 0 : i < 200 ? i / 7 % 2 == 0 : i > 600;
                        list.bindPipeline(factored ? two : one);
                        if (factored) {
                            list.bindBuffer("Factor", factor, 0, 4);
                        }
                        dispatch(list, target, i, factored ? first + i : 3 * (first + i));
                    }
                    full(list);
                    list.copyBuffer(target, 0, back, 0, RANGE * DISPATCHES);
                    full(list);
                });
                int[] words = CommandRig.words(back);
                assertThat(IntStream.range(0, DISPATCHES).map(i -> words[i * RANGE / 4]))
                        .containsExactlyElementsOf(IntStream.range(0, DISPATCHES)
                                .mapToObj(i -> 3 * (first + i))
                                .toList());
            }
        }
    }

    private static void dispatch(CommandList list, Buffer target, int place, int number) {
        list.bindBuffer("Target", target, (long) place * RANGE, RANGE);
        list.pushConstants(ByteBuffer.allocate(4).order(ByteOrder.nativeOrder()).putInt(0, number));
        list.dispatch(1, 1, 1);
    }
}
