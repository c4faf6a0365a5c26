package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.BarrierBatch.Scope;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.DeviceEventSet;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Barriers in two halves on all backends: what they order, and which lists are refused. */
@Timeout(60)
class SplitBarrierContractTest {
    private static final int WORDS = 64;
    private static final Scope COPIED = new Scope(
            PipelineStage.COPY.bit(),
            MemoryAccess.COPY_WRITE.bit(),
            PipelineStage.COPY.bit(),
            MemoryAccess.COPY_READ.bit());
    private static final Scope TO_HOST = new Scope(
            PipelineStage.COPY.bit(),
            MemoryAccess.COPY_WRITE.bit(),
            PipelineStage.HOST.bit(),
            MemoryAccess.HOST_READ.bit());
    private static final BarrierBatch MEMORY = memory(COPIED);
    private static final TextureDescription SHAPE =
            TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.COPY_SRC, TextureUsage.COPY_DST);
    private static final SubresourceRange ALL = SubresourceRange.all(SHAPE);

    private static BarrierBatch memory(Scope scope) {
        return new BarrierBatch(List.of(), List.of(), List.of(new BarrierBatch.GlobalBarrier(scope)));
    }

    private static BarrierBatch of(Buffer buffer) {
        return new BarrierBatch(
                List.of(),
                List.of(new BarrierBatch.BufferBarrier(
                        buffer, 0, buffer.description().bytes(), COPIED, null)),
                List.of());
    }

    private static BarrierBatch toSource(Texture texture) {
        return new BarrierBatch(
                List.of(new BarrierBatch.TextureBarrier(
                        texture, ALL, COPIED, TextureLayout.TRANSFER_DST, TextureLayout.TRANSFER_SRC, null)),
                List.of(),
                List.of());
    }

    private static ResourceUse use(Buffer buffer, Access access) {
        return new ResourceUse.OfBuffer(buffer, 0, buffer.description().bytes(), access, access.writes());
    }

    private static ResourceUse use(Texture texture, Access access) {
        return new ResourceUse.OfTexture(texture, ALL, access, access.writes(), access.layout());
    }

    private static void fill(CommandList list, Buffer buffer, int word) {
        list.beginPass("fill " + buffer.name(), List.of(use(buffer, Access.COPY_DST)));
        list.fillBuffer(buffer, 0, buffer.description().bytes(), word);
        list.endPass();
    }

    private static void read(CommandList list, Buffer buffer, Buffer readback) {
        list.beginPass("read", List.of(use(buffer, Access.COPY_SRC), use(readback, Access.COPY_DST)));
        list.copyBuffer(buffer, 0, readback, 0, buffer.description().bytes());
        list.endPass();
        list.barrier(memory(TO_HOST));
    }

    private static Buffer device(CommandRig rig, String name) {
        return rig.buffer(name, WORDS * 4L, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);
    }

    private static int[] all(int word) {
        int[] words = new int[WORDS];
        Arrays.fill(words, word);
        return words;
    }

    @ParameterizedTest
    @EnumSource
    void whatIsWrittenBeforeTheFirstHalfIsReadBehindTheSecond(CommandRig.Backend backend) {
        HazardChecker checker = new HazardChecker();
        try (CommandRig rig = new CommandRig(backend, true, checker)) {
            DeviceEventSet events = rig.own(rig.device.createDeviceEventSet("events", 2));
            Buffer data = device(rig, "data");
            Buffer other = device(rig, "other");
            Texture texture = rig.texture("texture", SHAPE);
            Buffer readback = rig.readback(WORDS * 4L);
            Buffer texels = rig.own(rig.device.createBuffer("texels", BufferDescription.readback(WORDS * 4L)));
            for (int round = 1; round <= 3; round++) {
                int word = round;
                rig.execute(list -> {
                    fill(list, data, word);
                    list.setEvent(events, 0, of(data));
                    CommandRig.transition(list, texture, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST);
                    list.beginPass("clear", List.of(use(texture, Access.COPY_DST)));
                    list.clearTexture(texture, ALL, new RenderingInfo.ClearColor(0, 1, 0, 1));
                    list.endPass();
                    list.setEvent(events, 1, toSource(texture));
                    fill(list, other, -word);
                    list.waitEvent(events, 0, of(data));
                    read(list, data, readback);
                    list.waitEvent(events, 1, toSource(texture));
                    list.beginPass("texels", List.of(use(texture, Access.COPY_SRC), use(texels, Access.COPY_DST)));
                    list.copyTextureToBuffer(texture, 0, 0, texels, 0);
                    list.endPass();
                    list.barrier(memory(TO_HOST));
                });
                assertThat(CommandRig.words(readback)).containsOnly(word);
                assertThat(CommandRig.words(texels)).containsOnly(0xFF00FF00);
                events.reset();
            }
        }
        assertThat(checker.hazards()).isEmpty();
    }

    /** Records the halves into two lists in the order of the submission or the other way round, and submits them. */
    private static void inTwoLists(CommandRig.Backend backend, boolean waitFirst, boolean together) {
        HazardChecker checker = new HazardChecker();
        try (CommandRig rig = new CommandRig(backend, true, checker)) {
            DeviceEventSet events = rig.own(rig.device.createDeviceEventSet("events", 1));
            Buffer data = device(rig, "data");
            Buffer readback = rig.readback(WORDS * 4L);
            CommandList first = rig.frame.beginCommands(rig.queue(), "first");
            CommandList second = rig.frame.beginCommands(rig.queue(), "second");
            if (waitFirst) {
                second.waitEvent(events, 0, of(data));
            }
            fill(first, data, 7);
            first.setEvent(events, 0, of(data));
            first.end();
            if (!waitFirst) {
                second.waitEvent(events, 0, of(data));
            }
            read(second, data, readback);
            second.end();
            if (!together) {
                rig.queue().submit(new Submission("set", List.of(first), List.of()));
            }
            long value = rig.queue()
                    .submit(new Submission("wait", together ? List.of(first, second) : List.of(second), List.of()))
                    .value();
            assertThat(rig.queue().timeline().await(value, Duration.ofSeconds(30)))
                    .isTrue();
            assertThat(CommandRig.words(readback)).isEqualTo(all(7));
        }
        assertThat(checker.hazards()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void theHalvesMayBeInTwoListsRecordedInAnyOrder(CommandRig.Backend backend) {
        inTwoLists(backend, false, true);
        inTwoLists(backend, true, true);
    }

    @ParameterizedTest
    @EnumSource
    void theHalvesMayBeInTwoSubmissions(CommandRig.Backend backend) {
        inTwoLists(backend, false, false);
        inTwoLists(backend, true, false);
    }

    private record Bad(
            String name,
            BiConsumer<CommandRig, CommandList> before,
            BarrierBatch batch,
            int index,
            Class<? extends RuntimeException> type,
            String words) {}

    private static void refused(DeviceEventSet events, CommandList list, Bad bad) {
        for (boolean sets : new boolean[] {true, false}) {
            assertThatThrownBy(() -> {
                        if (sets) {
                            list.setEvent(events, bad.index, bad.batch);
                        } else {
                            list.waitEvent(events, bad.index, bad.batch);
                        }
                    })
                    .as(bad.name)
                    .isInstanceOf(bad.type)
                    .hasMessageContaining((sets ? "setEvent" : "waitEvent") + " in command list '" + list.label() + "'")
                    .hasMessageContaining(bad.words);
        }
    }

    @ParameterizedTest
    @EnumSource
    void halvesThatNoDeviceTakesAreRefused(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            DeviceEventSet events = rig.own(rig.device.createDeviceEventSet("events", 2));
            BiConsumer<CommandRig, CommandList> nothing = (r, list) -> {};
            List<Bad> bad = List.of(
                    new Bad(
                            "inside a pass",
                            (r, list) -> list.beginPass("open", List.of()),
                            MEMORY,
                            0,
                            IllegalStateException.class,
                            "inside pass 'open'"),
                    new Bad(
                            "no barriers",
                            nothing,
                            new BarrierBatch(List.of(), List.of(), List.of()),
                            0,
                            IllegalArgumentException.class,
                            "has no barriers"),
                    new Bad(
                            "the host",
                            nothing,
                            memory(TO_HOST),
                            0,
                            IllegalArgumentException.class,
                            "the barrier of all memory names the host"),
                    new Bad("no such event", nothing, MEMORY, 2, IllegalArgumentException.class, "index 2 is not one"),
                    new Bad("none", nothing, MEMORY, -1, IllegalArgumentException.class, "index -1 is not one"));
            for (Bad each : bad) {
                rig.execute(list -> {
                    each.before.accept(rig, list);
                    refused(events, list, each);
                    if (each.name.equals("inside a pass")) {
                        list.endPass();
                    }
                });
            }
            CommandList secondary = rig.frame.beginSecondary(rig.queue(), "secondary", null, List.of());
            refused(
                    events,
                    secondary,
                    new Bad("secondary", nothing, MEMORY, 0, IllegalStateException.class, "secondary list"));
            secondary.end();
            assertThatThrownBy(() -> rig.device.createDeviceEventSet("none", 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("device event set 'none' has 1 to 65536 events, got 0");
        }
    }

    @ParameterizedTest
    @EnumSource
    void halvesThatDoNotFitEachOtherAreRefused(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            DeviceEventSet events = rig.own(rig.device.createDeviceEventSet("events", 2));
            rig.execute(list -> {
                list.setEvent(events, 0, MEMORY);
                assertThatThrownBy(() -> list.setEvent(events, 0, MEMORY))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("event 0 of set 'events' is set already by list 'list'");
                assertThatThrownBy(() -> list.waitEvent(events, 0, memory(BarrierBatch.GlobalBarrier.FULL.scope())))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("event 0 of set 'events' has other barriers than list 'list' sets it");
                list.waitEvent(events, 0, memory(COPIED));
                assertThatThrownBy(() -> list.waitEvent(events, 0, MEMORY))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("event 0 of set 'events' is waited for already by list 'list'");
            });
            events.reset();
            rig.execute(list -> {
                list.setEvent(events, 0, MEMORY);
                list.waitEvent(events, 0, MEMORY);
            });
        }
    }

    @Test
    void anEventIsOfOneQueue() {
        try (CommandRig rig = new CommandRig(CommandRig.Backend.VIRTUAL)) {
            GpuQueue compute = rig.device.queues().get(1);
            GpuQueue copy = rig.device.queues().get(2);
            DeviceEventSet events = rig.own(rig.device.createDeviceEventSet("events", 1));
            CommandList there = rig.frame.beginCommands(compute, "there");
            CommandList copying = rig.frame.beginCommands(copy, "copying");
            rig.execute(list -> {
                list.setEvent(events, 0, MEMORY);
                assertThatThrownBy(() -> there.waitEvent(events, 0, MEMORY))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("event 0 of set 'events' is set by list 'list' on queue 'graphics', and"
                                + " this list is for queue 'compute'");
                assertThatThrownBy(() -> copying.waitEvent(events, 0, MEMORY))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("needs a COMPUTE queue");
                there.end();
                copying.end();
            });
        }
    }

    private static CommandList list(CommandRig rig, String label, Consumer<CommandList> recorder) {
        CommandList list = rig.frame.beginCommands(rig.queue(), label);
        recorder.accept(list);
        list.end();
        return list;
    }

    private static void refused(CommandRig rig, List<CommandList> lists, String words) {
        assertThatThrownBy(() -> rig.queue().submit(new Submission("odd", lists, List.of())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("submission 'odd'")
                .hasMessageContaining(words);
    }

    @ParameterizedTest
    @EnumSource
    void whatWaitsIsSubmittedBehindWhatSets(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            DeviceEventSet events = rig.own(rig.device.createDeviceEventSet("events", 1));
            CommandList waiting = list(rig, "waiting", list -> list.waitEvent(events, 0, MEMORY));
            refused(rig, List.of(waiting), "event 0 of set 'events', but no list sets it");
            CommandList setting = list(rig, "setting", list -> list.setEvent(events, 0, MEMORY));
            refused(rig, List.of(waiting), "but list 'setting', which sets it, is not submitted before");
            refused(rig, List.of(waiting, setting), "but list 'setting', which sets it, is not submitted before");
            // What was refused has entered nothing.
            CommandList open = rig.frame.beginCommands(rig.queue(), "open");
            refused(rig, List.of(setting, open), "'open'");
            refused(rig, List.of(waiting), "is not submitted before");
            open.end();
            long value = rig.queue()
                    .submit(new Submission("right", List.of(setting, waiting), List.of()))
                    .value();
            assertThat(rig.queue().timeline().await(value, Duration.ofSeconds(30)))
                    .isTrue();
            events.reset();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatWasRecordedBeforeAResetIsNotSubmitted(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            DeviceEventSet events = rig.own(rig.device.createDeviceEventSet("events", 1));
            CommandList old = list(rig, "old", list -> list.setEvent(events, 0, MEMORY));
            events.reset();
            refused(rig, List.of(old), "list 'old', which sets event 0 of set 'events', and the set was reset since");
            rig.execute(list -> list.setEvent(events, 0, MEMORY));
            refused(rig, List.of(old), "'old'");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aListThatIsNotSubmittedMayBeRecordedAnew(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            DeviceEventSet events = rig.own(rig.device.createDeviceEventSet("events", 1));
            CommandList old = list(rig, "old", list -> list.setEvent(events, 0, MEMORY));
            CommandList anew = list(rig, "anew", list -> list.setEvent(events, 0, MEMORY));
            refused(rig, List.of(old), "list 'old', which sets event 0 of set 'events', and list 'anew' does so since");
            rig.queue().submit(new Submission("first half", List.of(anew), List.of()));
            rig.execute(list -> {
                assertThatThrownBy(() -> list.setEvent(events, 0, MEMORY))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("event 0 of set 'events' is set already by list 'anew'");
                list.waitEvent(events, 0, MEMORY);
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void aClosedSetIsRefused(CommandRig.Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            DeviceEventSet events = rig.device.createDeviceEventSet("events", 1);
            CommandList before = list(rig, "before", list -> list.setEvent(events, 0, MEMORY));
            events.close();
            events.close();
            refused(rig, List.of(before), "device event set 'events'");
            rig.execute(list -> assertThatThrownBy(() -> list.setEvent(events, 0, MEMORY))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("device event set 'events' is set after it was closed"));
            assertThatThrownBy(events::reset)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("device event set 'events' is reset after it was closed");
            Buffer data = rig.device.createBuffer("data", BufferDescription.device(64, BufferUsage.COPY_DST));
            DeviceEventSet kept = rig.own(rig.device.createDeviceEventSet("kept", 1));
            CommandList naming = list(rig, "naming", list -> list.setEvent(kept, 0, of(data)));
            CommandList waiting = list(rig, "waiting", list -> list.waitEvent(kept, 0, of(data)));
            data.close();
            refused(rig, List.of(naming), "'data'");
            refused(rig, List.of(waiting), "'data'");
            DeviceEventSet used = rig.device.createDeviceEventSet("used", 1);
            CommandList last = list(rig, "last", list -> {
                list.setEvent(used, 0, MEMORY);
                list.waitEvent(used, 0, MEMORY);
            });
            long value = rig.queue()
                    .submit(new Submission("last", List.of(last), List.of()))
                    .value();
            used.close();
            assertThat(rig.queue().timeline().await(value, Duration.ofSeconds(30)))
                    .isTrue();
        }
    }
}
