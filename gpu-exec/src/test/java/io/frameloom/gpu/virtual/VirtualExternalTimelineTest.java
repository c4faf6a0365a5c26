package io.frameloom.gpu.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.ExternalPoint;
import io.frameloom.gpu.command.ExternalSemaphore;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.taskgraph.GraphEvent;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A timeline of the application's holds the virtual GPU back and hears of it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class VirtualExternalTimelineTest {
    private static final int WORDS = 4;
    private static final int SEEDS = 20;

    private final HazardChecker checker = new HazardChecker();

    private static TimelinePoint submit(
            VirtualRig rig,
            GpuQueue queue,
            List<ExternalPoint> waits,
            List<ExternalPoint> signals,
            Consumer<CommandList> recording) {
        CommandList list = rig.frame.beginCommands(queue, "list");
        recording.accept(list);
        list.end();
        return queue.submit(new Submission("submission", List.of(list), List.of()).with(waits, signals));
    }

    /** The reader is submitted first, and both before the application signals: each value is reached in its turn. */
    @Test
    void submissionsWaitForTheApplicationAndForEachOther() {
        for (long seed = 0; seed < SEEDS; seed++) {
            try (VirtualRig rig = new VirtualRig(2, seed, null)) {
                VirtualExternalTimeline engine = rig.device.createExternalTimeline("engine");
                Buffer numbers = rig.buffer("numbers", WORDS);
                Buffer result = rig.readback("result", WORDS * 4L);
                TimelinePoint read = submit(
                        rig,
                        rig.queue(1),
                        List.of(ExternalPoint.of(engine, 2)),
                        List.of(ExternalPoint.of(engine, 3)),
                        list -> {
                            rig.copyPass(list, "read", numbers, result);
                            list.barrier(VirtualRig.toHost());
                        });
                TimelinePoint written = submit(
                        rig,
                        rig.queue(0),
                        List.of(ExternalPoint.of(engine, 1)),
                        List.of(ExternalPoint.of(engine, 2)),
                        list -> rig.fillPass(list, "write", numbers, 7));
                GraphEvent done = read.queue().timeline().reached(read.value());
                assertThat(written.queue().timeline().completed())
                        .as("seed %d", seed)
                        .isZero();
                assertThat(engine.value()).isZero();
                engine.signal(1);
                done.await();
                assertThat(rig.words(result)).containsOnly(7);
                assertThat(engine.value()).isEqualTo(3);
            }
        }
    }

    @Test
    void theCheckerKnowsWhatFollowsFromThem() {
        try (VirtualRig rig = new VirtualRig(2, 1, checker)) {
            VirtualExternalTimeline engine = rig.device.createExternalTimeline("engine");
            Buffer numbers = rig.buffer("numbers", WORDS);
            submit(
                    rig,
                    rig.queue(0),
                    List.of(),
                    List.of(ExternalPoint.of(engine, 1)),
                    list -> rig.fillPass(list, "write", numbers, 7));
            rig.await(submit(
                    rig,
                    rig.queue(1),
                    List.of(ExternalPoint.of(engine, 1)),
                    List.of(),
                    list -> rig.fillPass(list, "overwrite", numbers, 8)));
            assertThat(checker.hazards()).isEmpty();
        }
    }

    @Test
    void valuesOnlyGrow() {
        try (VirtualRig rig = new VirtualRig(1, 1, null)) {
            VirtualExternalTimeline engine = rig.device.createExternalTimeline("engine");
            rig.await(submit(rig, rig.queue(0), List.of(), List.of(ExternalPoint.of(engine, 2)), list -> {}));
            assertThatThrownBy(() -> engine.signal(2))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'engine' is signalled with 2 and has reached 2");
            TimelinePoint backwards =
                    submit(rig, rig.queue(0), List.of(), List.of(ExternalPoint.of(engine, 1)), list -> {});
            assertThatThrownBy(() -> rig.await(backwards))
                    .isInstanceOf(DeviceLostException.class)
                    .hasMessageContaining("'engine' is signalled with 1");
        }
    }

    @Test
    void aDeviceThatIsClosedBeforeTheSignalIsLost() {
        GraphEvent never;
        try (VirtualRig rig = new VirtualRig(1, 1, null)) {
            VirtualExternalTimeline engine = rig.device.createExternalTimeline("engine");
            TimelinePoint point =
                    submit(rig, rig.queue(0), List.of(ExternalPoint.of(engine, 1)), List.of(), list -> {});
            never = point.queue().timeline().reached(point.value());
            // The frame context waits for what it was recorded for, which would be for ever.
            assertThatThrownBy(rig.device::close).hasMessageContaining("frame context 'frame'");
        }
        assertThat(never.failure())
                .isInstanceOf(DeviceLostException.class)
                .hasMessageContaining("which is never signalled");
    }

    @Test
    void whatIsNotOfTheDeviceIsRefused() {
        try (VirtualRig rig = new VirtualRig(1, 1, null);
                VirtualRig other = new VirtualRig(1, 1, null)) {
            ExternalSemaphore binary = () -> "binary";
            for (ExternalPoint point : List.of(
                    ExternalPoint.of(other.device.createExternalTimeline("theirs"), 1), ExternalPoint.of(binary))) {
                assertThatThrownBy(() -> submit(rig, rig.queue(0), List.of(point), List.of(), list -> {}))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("'" + point.semaphore().name() + "', which is of another device");
            }
        }
    }

    @Test
    void aSignalToAClosedDeviceIsRefused() {
        VirtualExternalTimeline engine;
        try (VirtualRig rig = new VirtualRig(1, 1, null)) {
            engine = rig.device.createExternalTimeline("engine");
        }
        assertThatThrownBy(() -> engine.signal(1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }
}
