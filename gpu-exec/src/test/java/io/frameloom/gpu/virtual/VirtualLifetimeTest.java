package io.frameloom.gpu.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.resource.MemoryStatistics;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Memory whose resource comes or goes, lists of a refused submission, and submissions beside the end of the device. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class VirtualLifetimeTest {
    private static final int WORDS = 64;
    private static final int WORD = 0x01020304;
    private static final BufferDescription SHAPE =
            BufferDescription.device(WORDS * 4, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);
    private static final VirtualGpuOptions LATE =
            new VirtualGpuOptions(1, 1).withOrder(VirtualGpuOptions.Order.REVERSE);

    private static void fill(VirtualRig rig, Buffer buffer) {
        rig.await(rig.submit(rig.queue(0), List.of(), list -> rig.fillPass(list, "fill", buffer, WORD)));
    }

    private static TimelinePoint copy(VirtualRig rig, Buffer from, Buffer to) {
        return rig.submit(rig.queue(0), List.of(), list -> {
            list.barrier(VirtualRig.full());
            rig.copyPass(list, "copy", from, to);
            list.barrier(VirtualRig.toHost());
        });
    }

    @Test
    void aPlacedBufferDoesNotHoldWhatAnEarlierOneLeft() {
        try (VirtualRig rig = new VirtualRig(LATE, null)) {
            Buffer result = rig.readback("result", WORDS * 4);
            MemoryHeap heap = rig.keep(rig.device.createHeap("heap", 1024, 1));
            Buffer former = heap.placeBuffer("former", SHAPE, 0);
            fill(rig, former);
            former.close();
            Buffer next = rig.keep(heap.placeBuffer("next", SHAPE, 0));
            rig.await(copy(rig, next, result));
            assertThat(rig.words(result)).doesNotContain(WORD);
        }
    }

    @Test
    void whatAnotherPlacedBufferHoldsIsKept() {
        try (VirtualRig rig = new VirtualRig(LATE, null)) {
            Buffer result = rig.readback("result", WORDS * 4);
            MemoryHeap heap = rig.keep(rig.device.createHeap("heap", 1024, 1));
            Buffer kept = rig.keep(heap.placeBuffer("kept", SHAPE, 256));
            fill(rig, kept);
            heap.placeBuffer("around", BufferDescription.device(1024, BufferUsage.COPY_SRC), 0)
                    .close();
            rig.await(copy(rig, kept, result));
            assertThat(rig.words(result)).containsOnly(WORD);
        }
    }

    @Test
    void aBufferThatIsClosedInUseKeepsItsContentsUntilThen() {
        try (VirtualRig rig = new VirtualRig(LATE, null)) {
            Buffer result = rig.readback("result", WORDS * 4);
            Buffer source = rig.device.createBuffer("source", SHAPE);
            fill(rig, source);
            TimelinePoint copied = copy(rig, source, result);
            source.close();
            rig.await(copied);
            assertThat(rig.words(result)).containsOnly(WORD);
        }
    }

    @Test
    void aRefusedSubmissionLeavesItsListsAlone() {
        try (VirtualRig rig = new VirtualRig(LATE, null)) {
            CommandList good = rig.frame.beginCommands(rig.queue(0), "good");
            good.end();
            CommandList open = rig.frame.beginCommands(rig.queue(0), "open");
            assertThatThrownBy(() -> rig.queue(0).submit(new Submission("both", List.of(good, open), List.of())))
                    .hasMessageContaining("'open'");
            assertThatThrownBy(() -> rig.queue(0).submit(new Submission("twice", List.of(good, good), List.of())))
                    .hasMessageContaining("'good' twice");
            rig.await(rig.queue(0).submit(new Submission("good", List.of(good), List.of())));
            open.end();
        }
    }

    /** A submission that the device has taken is done, whatever is done to the device meanwhile. */
    @Test
    void aSubmissionBesideTheEndIsDoneOrRefused() throws InterruptedException {
        for (int round = 0; round < 50; round++) {
            VirtualRig rig = new VirtualRig(new VirtualGpuOptions(1, round), null);
            CommandList list = rig.frame.beginCommands(rig.queue(0), "list");
            list.end();
            AtomicInteger taken = new AtomicInteger();
            Thread submitter = new Thread(() -> {
                try {
                    rig.queue(0).submit(new Submission("late", List.of(list), List.of()));
                    taken.incrementAndGet();
                } catch (IllegalStateException refused) {
                    assertThat(refused).hasMessageContaining("closed");
                }
            });
            submitter.start();
            // The frame context is still open, and says so.
            assertThatThrownBy(rig.device::close).hasMessageContaining("frame");
            submitter.join();
            assertThat(rig.queue(0).timeline().completed()).isEqualTo(taken.get());
            rig.tasks.close();
        }
    }

    /** A dispatch that does not end before it is let go. */
    private static final class Held {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch letGo = new CountDownLatch(1);

        void dispatch(VirtualRig rig, CommandList list) {
            list.bindPipeline(rig.pipeline("held", "#version 450\nvoid main() {}\n", invocation -> {
                begun.countDown();
                try {
                    letGo.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }));
            list.dispatch(1, 1, 1);
        }

        /** Asks for the work, and returns when it is being done. */
        void begin(TimelinePoint point) throws InterruptedException {
            assertThat(point.queue().timeline().await(point.value(), Duration.ZERO))
                    .isFalse();
            begun.await();
        }
    }

    private static void refusesWhileAtWork(FrameContext frame, String name, long value) {
        assertThatThrownBy(frame::reset)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'" + name + "' cannot be reset")
                .hasMessageContaining("'graphics' has not completed its submission " + value);
        assertThatThrownBy(frame::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'" + name + "' cannot be closed");
    }

    @Test
    void aFrameIsNotRecycledWhileItsListsAreExecuted() throws InterruptedException {
        try (VirtualRig rig = new VirtualRig(LATE, null);
                FrameContext other = rig.device.createFrameContext("other")) {
            Held held = new Held();
            CommandList second = other.beginSecondary(rig.queue(0), "second", null, List.of());
            held.dispatch(rig, second);
            second.end();
            CommandList list = rig.frame.beginCommands(rig.queue(0), "list");
            list.execute(List.of(second));
            list.end();
            TimelinePoint point = rig.queue(0).submit(new Submission("held", List.of(list), List.of()));
            held.begin(point);
            refusesWhileAtWork(rig.frame, "frame", 1);
            refusesWhileAtWork(other, "other", 1);
            held.letGo.countDown();
            rig.await(point);
            rig.frame.reset();
            other.reset();
        }
    }

    @Test
    void aFrameIsAtWorkUntilEverythingIsDone() throws InterruptedException {
        try (VirtualRig rig = new VirtualRig(LATE, null)) {
            Held held = new Held();
            CommandList list = rig.frame.beginCommands(rig.queue(0), "list");
            held.dispatch(rig, list);
            list.end();
            TimelinePoint early = rig.queue(0)
                    .submit(new Submission("early", List.of(list), List.of()).signalling(PipelineStage.COPY.bit()));
            held.begin(new TimelinePoint(rig.queue(0), early.value() + 1));
            refusesWhileAtWork(rig.frame, "frame", 2);
            held.letGo.countDown();
            rig.await(new TimelinePoint(rig.queue(0), early.value() + 1));
            rig.frame.reset();
        }
    }

    /** The loss shows where work is submitted or waited for, as on a driver. */
    @Test
    void aLostDeviceStillTellsOfItsMemoryAndMakesThings() {
        try (VirtualRig rig = new VirtualRig(LATE.withLossAt(1), null)) {
            TimelinePoint point = rig.submit(rig.queue(0), List.of(), list -> list.insertLabel("nothing"));
            assertThatThrownBy(() -> rig.await(point)).isInstanceOf(DeviceLostException.class);
            rig.keep(rig.device.createBuffer("late", SHAPE));
            rig.keep(rig.device.createHeap("late heap", 1024, 1))
                    .placeBuffer("placed", SHAPE, 0)
                    .close();
            rig.device.createFrameContext("late frame").close();
            rig.keep(rig.device.createTimestampSet("late stamps", 1));
            assertThat(rig.device.memoryStatistics().allocations())
                    .extracting(MemoryStatistics.Allocation::name)
                    .contains("late", "late heap");
        }
    }

    @Test
    void aLostDeviceIsAtWorkOnNothing() {
        try (VirtualRig rig = new VirtualRig(LATE.withLossAt(1), null)) {
            TimelinePoint point = rig.submit(rig.queue(0), List.of(), list -> list.insertLabel("nothing"));
            assertThatThrownBy(() -> rig.await(point)).isInstanceOf(DeviceLostException.class);
            rig.frame.reset();
        }
    }
}
