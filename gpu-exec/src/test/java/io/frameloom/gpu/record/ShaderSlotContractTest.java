package io.frameloom.gpu.record;

import static io.frameloom.gpu.record.CommandRig.full;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.CpuKernel;
import io.frameloom.gpu.pipeline.ShaderSlot;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import java.util.function.Consumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is bound by slot is what is bound by name, and a slot fits its pipeline alone. */
@Timeout(60)
class ShaderSlotContractTest {
    private static final String SUM = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) buffer Sum { int sum; };
            layout(set = 1, binding = 0) readonly buffer Part { int part; } parts[2];
            void main() { sum = parts[0].part + 10 * parts[1].part; }
            """;
    private static final CpuKernel KERNEL = invocation -> invocation
            .bytes("Sum")
            .putInt(
                    0,
                    invocation.bytes("Part", 0).getInt(0)
                            + 10 * invocation.bytes("Part", 1).getInt(0));

    private static void execute(CommandRig rig, Buffer sum, Buffer back, Consumer<CommandList> recorder) {
        rig.execute(list -> {
            recorder.accept(list);
            full(list);
            list.copyBuffer(sum, 0, back, 0, 4);
            full(list);
        });
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void slotsBindWhatNamesBind(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            ComputePipeline pipeline = rig.compute("sum", SUM, KERNEL);
            Buffer sum = rig.buffer("sum", 4, BufferUsage.STORAGE, BufferUsage.COPY_SRC);
            Buffer two = rig.upload(new int[] {2}, BufferUsage.STORAGE);
            Buffer three = rig.upload(new int[] {3}, BufferUsage.STORAGE);
            Buffer back = rig.readback(4);
            ShaderSlot total = pipeline.slot("Sum");
            ShaderSlot first = pipeline.slot("Part");
            ShaderSlot second = pipeline.slot("Part", 1);
            assertThat(second.binding().name()).isEqualTo("Part");
            assertThat(second.index()).isEqualTo(1);
            assertThat(pipeline.slot("Part", 1)).as("found once").isSameAs(second);
            execute(rig, sum, back, list -> {
                list.bindPipeline(pipeline);
                list.bindBuffer(total, sum, 0, 4);
                list.bindBuffer(first, two, 0, 4);
                list.bindBuffer(second, three, 0, 4);
                list.dispatch(1, 1, 1);
            });
            assertThat(CommandRig.words(back)).containsExactly(32);
            execute(rig, sum, back, list -> {
                list.bindPipeline(pipeline);
                list.bindBuffer("Sum", sum, 0, 4);
                list.bindBuffer(first, two, 0, 4);
                list.bindBuffer("Part", 1, two, 0, 4);
                list.bindBuffer("Part", 0, three, 0, 4);
                list.dispatch(1, 1, 1);
            });
            assertThat(CommandRig.words(back)).containsExactly(23);
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void wrongSlotsAreRefused(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            ComputePipeline pipeline = rig.compute("sum", SUM, KERNEL);
            ComputePipeline twin = rig.compute("twin", SUM, KERNEL);
            Buffer sum = rig.buffer("sum", 4, BufferUsage.STORAGE);
            assertThatThrownBy(() -> pipeline.slot("Total"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("'sum'", "'Total'", "Sum (STORAGE_BUFFER)");
            assertThatThrownBy(() -> pipeline.slot("Part", 2))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("'Part'", "'sum'", "2 elements", "number 2");
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            ShaderSlot slot = pipeline.slot("Sum");
            assertThatThrownBy(() -> list.bindBuffer(slot, sum, 0, 4))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("bindBuffer", "'list'", "bindPipeline");
            list.bindPipeline(twin);
            assertThatThrownBy(() -> list.bindBuffer(slot, sum, 0, 4))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("bindBuffer", "'list'", "'Sum'", "'sum'", "'twin'");
            list.bindPipeline(pipeline);
            assertThatThrownBy(() -> list.bindBuffer(slot, sum, 0, 8))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("0+8", "'Sum'", "'sum'");
            list.bindBuffer(slot, sum, 0, 4);
        }
    }

    /** A draw or dispatch that was allowed does not allow the other. */
    @ParameterizedTest
    @EnumSource(Backend.class)
    void aDispatchThatWasAllowedAllowsNoDraw(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            ComputePipeline pipeline = rig.compute("sum", SUM, KERNEL);
            Buffer sum = rig.buffer("sum", 4, BufferUsage.STORAGE);
            Buffer words = rig.buffer("words", 4, BufferUsage.STORAGE);
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            assertThatThrownBy(() -> list.dispatch(1, 1, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("bindPipeline");
            list.bindPipeline(pipeline);
            list.bindBuffer("Sum", sum, 0, 4);
            list.bindBuffer("Part", 0, words, 0, 4);
            list.bindBuffer("Part", 1, words, 0, 4);
            list.dispatch(1, 1, 1);
            full(list);
            list.dispatch(1, 1, 1);
            assertThatThrownBy(() -> list.draw(3, 1, 0, 0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("outside of a render pass");
            assertThatThrownBy(() -> list.dispatch(-1, 1, 1)).isInstanceOf(IllegalArgumentException.class);
            full(list);
            list.dispatch(1, 1, 1);
            list.end();
            assertThatThrownBy(() -> list.dispatch(1, 1, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no longer recorded");
        }
    }
}
