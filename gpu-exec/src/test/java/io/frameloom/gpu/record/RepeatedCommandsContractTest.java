package io.frameloom.gpu.record;

import static io.frameloom.gpu.record.CommandRig.transition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.RenderingFormats;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.DepthAttachment;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.SubmissionObserver;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.internal.PassParts;
import io.frameloom.gpu.internal.RepeatedCommand;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.testing.TestEffort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is remembered of commands that are recorded again holds where they are recorded, and while it is true. */
@Timeout(120)
class RepeatedCommandsContractTest {
    private static final int ROUNDS = TestEffort.of(5, 50);

    /** A repeated command that names one texture, and what ends what it begins. */
    private record Kind(String name, Function<Texture, BiConsumer<PassParts, CommandList>> of) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static final List<Kind> KINDS = List.of(
            new Kind("barrier", target -> {
                var barrier = new RepeatedCommand<>(discarded(target));
                return (parts, list) -> parts.barrier(barrier);
            }),
            new Kind("beginPass", target -> {
                var uses = new RepeatedCommand<List<ResourceUse>>(List.of(drawn(target)));
                return (parts, list) -> {
                    parts.beginPass("pass", uses);
                    list.endPass();
                };
            }),
            new Kind("beginRendering", target -> {
                var rendering = new RepeatedCommand<>(new RenderingInfo(
                        4,
                        4,
                        List.of(new RenderingInfo.ColorAttachment(
                                target.view(),
                                LoadOp.CLEAR,
                                StoreOp.STORE,
                                RenderingInfo.ClearColor.BLACK_TRANSPARENT)),
                        null));
                return (parts, list) -> {
                    parts.beginRendering(rendering);
                    list.endRendering();
                };
            }));

    private static BarrierBatch discarded(Texture target) {
        BarrierBatch.Scope scope = new BarrierBatch.Scope(
                PipelineStage.COLOR_OUTPUT.bit(),
                MemoryAccess.NONE,
                PipelineStage.COLOR_OUTPUT.bit(),
                MemoryAccess.COLOR_WRITE.bit());
        return new BarrierBatch(
                List.of(new BarrierBatch.TextureBarrier(
                        target, SubresourceRange.mip(0), scope, TextureLayout.UNDEFINED, TextureLayout.COLOR, null)),
                List.of(),
                List.of());
    }

    private static ResourceUse drawn(Texture target) {
        return new ResourceUse.OfTexture(
                target, SubresourceRange.mip(0), Access.COLOR_WRITE, true, TextureLayout.COLOR);
    }

    static Stream<Arguments> kinds() {
        return Stream.of(Backend.values()).flatMap(backend -> KINDS.stream().map(kind -> Arguments.of(backend, kind)));
    }

    private static Texture target(CommandRig rig) {
        return rig.texture("target", TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT));
    }

    private static CommandList recorded(CommandRig rig, BiConsumer<PassParts, CommandList> command) {
        CommandList list = rig.frame.beginCommands(rig.queue(), "list");
        command.accept((PassParts) list, list);
        return list;
    }

    private static void execute(CommandRig rig, BiConsumer<PassParts, CommandList> command) {
        rig.execute(list -> {
            CommandRig.full(list);
            command.accept((PassParts) list, list);
        });
    }

    private static void submit(CommandRig rig, CommandList list) {
        rig.queue().submit(new Submission("batch", List.of(list), List.of()));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void itIsRefusedOnceSomethingIsClosed(Backend backend, Kind kind) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture target = target(rig);
            BiConsumer<PassParts, CommandList> command = kind.of.apply(target);
            rig.execute(list -> transition(list, target, TextureLayout.UNDEFINED, TextureLayout.COLOR));
            for (int i = 0; i < 2; i++) {
                execute(rig, command);
            }
            rig.buffer("other", 16, BufferUsage.COPY_DST).close();
            execute(rig, command);
            target.close();
            CommandList list = rig.frame.beginCommands(rig.queue(), "late");
            assertThatThrownBy(() -> command.accept((PassParts) list, list))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'target'")
                    .hasMessageContaining("'late'")
                    .hasMessageContaining("closed");
            list.end();
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aListNamesWhatItNames(Backend backend, Kind kind) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture target = target(rig);
            BiConsumer<PassParts, CommandList> command = kind.of.apply(target);
            rig.execute(list -> transition(list, target, TextureLayout.UNDEFINED, TextureLayout.COLOR));
            execute(rig, command);
            CommandList ended = recorded(rig, command);
            ended.end();
            CommandList open = recorded(rig, command);
            target.close();
            assertThatThrownBy(() -> submit(rig, ended))
                    .hasMessageContaining("names texture 'target', which was closed");
            assertThatThrownBy(open::end).hasMessageContaining("names texture 'target', which was closed");
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void itIsRefusedInTheWrongPlace(Backend backend, Kind kind) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture target = target(rig);
            BiConsumer<PassParts, CommandList> command = kind.of.apply(target);
            rig.execute(list -> transition(list, target, TextureLayout.UNDEFINED, TextureLayout.COLOR));
            execute(rig, command);
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            list.beginRendering(new RenderingInfo(4, 4, List.of(), null));
            assertThatThrownBy(() -> command.accept((PassParts) list, list))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("inside a render pass");
            list.endRendering();
            list.end();
            assertThatThrownBy(() -> command.accept((PassParts) list, list))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no longer recorded");
        }
    }

    /** What a device knows and looks at besides. */
    private enum Device {
        CHECKED,
        UNCHECKED,
        OBSERVED;

        CommandRig open(Backend backend, @Nullable SubmissionObserver observer) {
            return new CommandRig(backend, true, this == OBSERVED ? observer : null, this != UNCHECKED);
        }
    }

    static Stream<Arguments> devices() {
        return Stream.of(Backend.values())
                .flatMap(backend -> Stream.of(Device.values()).map(device -> Arguments.of(backend, device)));
    }

    /** The second list finds everything known, unless somebody is to be told of all of it. */
    @ParameterizedTest
    @MethodSource("devices")
    void itDoesTheSameAgain(Backend backend, Device device) {
        List<List<SubmissionRecord.Command>> told = new ArrayList<>();
        SubmissionObserver observer = new SubmissionObserver() {
            @Override
            public void submitted(SubmissionRecord record) {
                told.add(record.commands());
            }

            @Override
            public void hostWaited(TimelinePoint point) {}
        };
        try (CommandRig rig = device.open(backend, observer)) {
            TextureDescription shape = TextureDescription.of(
                    4, 4, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_SRC);
            Texture first = rig.texture("first", shape);
            Texture second = rig.texture("second", shape);
            Texture depth = rig.texture(
                    "depth",
                    TextureDescription.of(
                            4, 4, Format.D32_SFLOAT, TextureUsage.DEPTH_ATTACHMENT, TextureUsage.COPY_SRC));
            Buffer texels = rig.readback(192);
            var drawn = new RepeatedCommand<>(batch(
                    to(first, TextureLayout.UNDEFINED, TextureLayout.COLOR),
                    to(second, TextureLayout.UNDEFINED, TextureLayout.COLOR),
                    to(depth, TextureLayout.UNDEFINED, TextureLayout.DEPTH)));
            var copied = new RepeatedCommand<>(batch(
                    to(first, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC),
                    to(second, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC),
                    to(depth, TextureLayout.DEPTH, TextureLayout.TRANSFER_SRC)));
            var rendering = new RepeatedCommand<>(new RenderingInfo(
                    4,
                    4,
                    List.of(cleared(first, 1), cleared(second, 0)),
                    new DepthAttachment(depth.view(), LoadOp.CLEAR, StoreOp.STORE, 0.75f, false)));
            for (int i = 0; i < 2; i++) {
                texels.mapped().put(new byte[192]);
                execute(rig, (parts, list) -> {
                    parts.barrier(drawn);
                    parts.beginRendering(rendering);
                    list.endRendering();
                    parts.barrier(copied);
                    list.copyTextureToBuffer(first, 0, 0, texels, 0);
                    list.copyTextureToBuffer(second, 0, 0, texels, 64);
                    list.copyTextureToBuffer(depth, 0, 0, texels, 128);
                });
                int[] words = CommandRig.words(texels);
                assertThat(Arrays.copyOf(words, 16)).containsOnly(-1);
                assertThat(Arrays.copyOfRange(words, 16, 32)).containsOnly(0);
                assertThat(Arrays.copyOfRange(words, 32, 48)).containsOnly(Float.floatToIntBits(0.75f));
            }
        }
        if (device == Device.OBSERVED) {
            assertThat(told).hasSize(2);
            assertThat(told.get(1)).isNotEmpty().isEqualTo(told.get(0));
        } else {
            assertThat(told).isEmpty();
        }
    }

    /**
     * Another thread closes what lists name, between two of them or while one is submitted: it is refused from then on,
     * and done until then.
     */
    @ParameterizedTest
    @MethodSource("kinds")
    void aCloseByAnotherThreadIsFound(Backend backend, Kind kind) throws InterruptedException {
        try (CommandRig rig = new CommandRig(backend)) {
            for (int round = 0; round < ROUNDS; round++) {
                Texture target = target(rig);
                BiConsumer<PassParts, CommandList> command = kind.of.apply(target);
                rig.execute(list -> transition(list, target, TextureLayout.UNDEFINED, TextureLayout.COLOR));
                execute(rig, command);
                Object recording = new Object();
                Thread closing = new Thread(() -> {
                    synchronized (recording) {
                        target.close();
                    }
                });
                closing.start();
                Throwable refusal = null;
                while (refusal == null) {
                    refusal = catchThrowable(() -> {
                        submit(rig, list(rig, command, recording));
                    });
                    rig.device.waitIdle();
                    rig.frame.reset();
                }
                closing.join();
                assertThat(refusal)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("'target'")
                        .hasMessageContaining("closed");
            }
        }
    }

    private static CommandList list(CommandRig rig, BiConsumer<PassParts, CommandList> command, Object recording) {
        CommandList list = rig.frame.beginCommands(rig.queue(), "list");
        synchronized (recording) {
            for (int i = 0; i < 10; i++) {
                CommandRig.full(list);
                command.accept((PassParts) list, list);
            }
            list.end();
        }
        return list;
    }

    /** The layouts of its attachments are held against the pass that executes it. */
    @ParameterizedTest
    @EnumSource
    void aSecondaryListAssumesTheLayouts(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture depth =
                    rig.texture("depth", TextureDescription.of(4, 4, Format.D32_SFLOAT, TextureUsage.DEPTH_ATTACHMENT));
            var rendering = new RepeatedCommand<>(new RenderingInfo(
                    4, 4, List.of(), new DepthAttachment(depth.view(), LoadOp.LOAD, StoreOp.STORE, 0, true)));
            BiConsumer<PassParts, CommandList> rendered = (parts, list) -> {
                parts.beginRendering(rendering);
                list.endRendering();
            };
            rig.execute(list -> transition(list, depth, TextureLayout.UNDEFINED, TextureLayout.DEPTH_RO));
            execute(rig, rendered);
            execute(rig, rendered);
            CommandList part = rig.frame.beginSecondary(rig.queue(), "part", null, List.of());
            rendered.accept((PassParts) part, part);
            part.end();
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            list.beginPass("pass", tested(depth, TextureLayout.GENERAL));
            assertThatThrownBy(() -> list.execute(List.of(part)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'part'")
                    .hasMessageContaining("begin it with the uses of the pass");
            list.endPass();
            list.end();
        }
    }

    /** Part of its state is that of the list which will execute it. */
    @ParameterizedTest
    @MethodSource("kinds")
    void aSecondaryListIsAskedAnewAndNamesIt(Backend backend, Kind kind) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture target = target(rig);
            BiConsumer<PassParts, CommandList> command = kind.of.apply(target);
            rig.execute(list -> transition(list, target, TextureLayout.UNDEFINED, TextureLayout.COLOR));
            execute(rig, command);
            RenderingFormats formats = new RenderingFormats(List.of(Format.R8G8B8A8_UNORM), null, null, 1);
            CommandList inside = rig.frame.beginSecondary(rig.queue(), "inside", formats, List.of());
            assertThatThrownBy(() -> command.accept((PassParts) inside, inside))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'inside'");
            inside.end();
            CommandList part = rig.frame.beginSecondary(rig.queue(), "part", null, List.of());
            command.accept((PassParts) part, part);
            part.end();
            execute(rig, (parts, list) -> list.execute(List.of(part)));
            CommandList late = rig.frame.beginSecondary(rig.queue(), "late", null, List.of());
            command.accept((PassParts) late, late);
            late.end();
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            target.close();
            assertThatThrownBy(() -> list.execute(List.of(late)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'late'")
                    .hasMessageContaining("names texture 'target', which was closed");
            list.end();
        }
    }

    private static BarrierBatch batch(BarrierBatch.TextureBarrier... barriers) {
        return new BarrierBatch(List.of(barriers), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL));
    }

    private static BarrierBatch.TextureBarrier to(Texture texture, TextureLayout from, TextureLayout to) {
        BarrierBatch.Scope all = BarrierBatch.GlobalBarrier.FULL.scope();
        return new BarrierBatch.TextureBarrier(texture, SubresourceRange.mip(0), all, from, to, null);
    }

    private static RenderingInfo.ColorAttachment cleared(Texture target, double value) {
        return new RenderingInfo.ColorAttachment(
                target.view(), LoadOp.CLEAR, StoreOp.STORE, new RenderingInfo.ClearColor(value, value, value, value));
    }

    /** What one queue may do, another may not. */
    @ParameterizedTest
    @EnumSource
    void anotherQueueIsAskedAnew(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Optional<GpuQueue> copying = rig.device.queues().stream()
                    .filter(queue -> queue.kind() == QueueKind.COPY)
                    .findFirst();
            assumeTrue(copying.isPresent(), "no queue that only copies");
            Texture target = target(rig);
            RepeatedCommand<BarrierBatch> barrier = new RepeatedCommand<>(discarded(target));
            rig.execute(list -> ((PassParts) list).barrier(barrier));
            CommandList list = rig.frame.beginCommands(copying.orElseThrow(), "list");
            assertThatThrownBy(() -> ((PassParts) list).barrier(barrier))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("COLOR_OUTPUT");
            list.end();
        }
    }

    /** The layouts of the pass decide about attachments that are only read. */
    @ParameterizedTest
    @EnumSource
    void aRenderPassIsCheckedAnewInAnotherPass(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Texture depth = rig.texture(
                    "depth",
                    TextureDescription.of(
                            4, 4, Format.D32_SFLOAT, TextureUsage.DEPTH_ATTACHMENT, TextureUsage.SAMPLED));
            var rendering = new RepeatedCommand<>(new RenderingInfo(
                    4, 4, List.of(), new DepthAttachment(depth.view(), LoadOp.LOAD, StoreOp.STORE, 0, true)));
            rig.execute(list -> {
                transition(list, depth, TextureLayout.UNDEFINED, TextureLayout.DEPTH_RO);
                for (int i = 0; i < 2; i++) {
                    rendered(list, rendering, tested(depth, TextureLayout.DEPTH_RO));
                }
                transition(list, depth, TextureLayout.DEPTH_RO, TextureLayout.GENERAL);
                rendered(list, rendering, tested(depth, TextureLayout.GENERAL));
            });
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            assertThatThrownBy(() -> rendered(list, rendering, tested(depth, TextureLayout.SHADER_RO)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("in layout SHADER_RO");
            list.endPass();
            list.end();
        }
    }

    private static List<ResourceUse> tested(Texture depth, TextureLayout layout) {
        Access access = layout == TextureLayout.SHADER_RO ? Access.SAMPLED_FRAGMENT : Access.DEPTH_READ;
        return List.of(new ResourceUse.OfTexture(depth, SubresourceRange.mip(0), access, false, layout));
    }

    private static void rendered(CommandList list, RepeatedCommand<RenderingInfo> rendering, List<ResourceUse> uses) {
        list.beginPass("pass", uses);
        ((PassParts) list).beginRendering(rendering);
        list.endRendering();
        list.endPass();
    }

    /** A list that is told to another is told of everything that it names. */
    @ParameterizedTest
    @EnumSource
    void buffersAreNamedAsTexturesAre(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            Buffer buffer = rig.buffer("words", 64, BufferUsage.COPY_DST);
            BarrierBatch.Scope scope = BarrierBatch.GlobalBarrier.FULL.scope();
            RepeatedCommand<BarrierBatch> barrier = new RepeatedCommand<>(new BarrierBatch(
                    List.of(),
                    List.of(new BarrierBatch.BufferBarrier(buffer, 0, 64, scope, null)),
                    List.of(BarrierBatch.GlobalBarrier.FULL)));
            rig.execute(list -> {
                for (int i = 0; i < 3; i++) {
                    list.fillBuffer(buffer, 0, 64, i);
                    ((PassParts) list).barrier(barrier);
                }
            });
            CommandList ended = recorded(rig, (parts, list) -> parts.barrier(barrier));
            ended.end();
            buffer.close();
            assertThatThrownBy(() -> submit(rig, ended)).hasMessageContaining("names buffer 'words', which was closed");
            assertThat(rig.queue().timeline().submitted()).isEqualTo(1);
        }
    }
}
