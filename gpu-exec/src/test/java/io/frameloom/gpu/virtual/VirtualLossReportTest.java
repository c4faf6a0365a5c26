package io.frameloom.gpu.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.error.CrashReport;
import io.frameloom.gpu.error.CrashReport.ListState;
import io.frameloom.gpu.error.CrashReport.Marking;
import io.frameloom.gpu.error.CrashReport.PassState;
import io.frameloom.gpu.error.CrashReport.Progress;
import io.frameloom.gpu.error.CrashReport.QueueState;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.taskgraph.GraphEvent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the report of a lost virtual GPU says is what it had done. */
@Timeout(60)
class VirtualLossReportTest {
    private static final int SUBMISSIONS = 4;
    private static final VirtualGpuOptions IN_ORDER =
            new VirtualGpuOptions(2, 1).withOrder(VirtualGpuOptions.Order.IN_ORDER);

    private static CrashReport reportOf(Throwable failure) {
        return ((DeviceLostException) failure).report().orElseThrow();
    }

    /** Submits two passes at a time, to both queues in turn. */
    private static void submitAll(VirtualRig rig, Buffer buffer) {
        List<TimelinePoint> points = new ArrayList<>();
        for (int i = 0; i < SUBMISSIONS; i++) {
            int number = i;
            List<Submission.Wait> before = i == 0 ? List.of() : List.of(VirtualRig.wait(points.get(i - 1)));
            points.add(rig.submit(rig.queue(i % 2), before, list -> {
                rig.fillPass(list, "first of " + number, buffer, number);
                list.barrier(VirtualRig.full());
                rig.fillPass(list, "second of " + number, buffer, number);
            }));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void theReportNamesThePassThatLosesTheDevice(int loseAt) {
        VirtualRig rig = new VirtualRig(IN_ORDER.withLossAt(loseAt), null);
        Buffer buffer = rig.buffer("buffer", 64);
        try {
            submitAll(rig, buffer);
        } catch (DeviceLostException refused) {
            // Submissions after the loss are refused, if it is noticed by then.
            assertThat(refused.report()).isPresent();
        }
        DeviceLostException lost = catchThrowableOfType(DeviceLostException.class, rig.device::waitIdle);

        CrashReport report = reportOf(lost);
        assertThat(report.marking()).isEqualTo(Marking.EXACT);
        QueueState fatal = report.queues().get((loseAt - 1) % 2);
        String pass = "first of " + (loseAt - 1);
        assertThat(fatal.open()).containsExactly(pass);
        assertThat(fatal.lastBegun()).contains(pass);
        assertThat(fatal.reached()).isEqualTo((loseAt - 1) / 2);
        assertThat(fatal.underWay().get(0).lists().get(0))
                .isEqualTo(new ListState(
                        "list",
                        Progress.BEGUN,
                        List.of(
                                new PassState(pass, Progress.BEGUN),
                                new PassState("second of " + (loseAt - 1), Progress.NOT_BEGUN))));
        // All before it is done, and all after it was never begun.
        QueueState other = report.queues().get(loseAt % 2);
        assertThat(other.reached()).isEqualTo(loseAt / 2);
        assertThat(other.open()).isEmpty();
        assertThat(lost)
                .hasMessageContaining("queue '" + fatal.name() + "' had begun and not ended '" + pass + "'")
                .hasMessageContaining("open a new one");
        rig.close();
    }

    @Test
    void allThatWaitsGetsTheSameReport() {
        VirtualRig rig = new VirtualRig(IN_ORDER.withLossAt(2), null);
        Buffer buffer = rig.buffer("buffer", 64);
        TimelinePoint first = rig.submit(rig.queue(0), List.of(), list -> rig.fillPass(list, "a", buffer, 1));
        rig.await(first);
        TimelinePoint second = rig.submit(rig.queue(1), List.of(), list -> rig.fillPass(list, "b", buffer, 1));
        GraphEvent event = rig.queue(1).timeline().reached(second.value());
        assertThatThrownBy(() -> event.await(VirtualRig.LONG)).hasCauseInstanceOf(DeviceLostException.class);
        CrashReport report = reportOf(event.failure());
        for (int i = 0; i < 2; i++) {
            assertThat(reportOf(catchThrowableOfType(DeviceLostException.class, rig.device::waitIdle)))
                    .isSameAs(report);
        }
        assertThat(reportOf(rig.queue(1).timeline().reached(second.value()).failure()))
                .isSameAs(report);
        assertThatThrownBy(() -> rig.submit(rig.queue(0), List.of(), list -> {}))
                .satisfies(refused -> assertThat(reportOf(refused)).isSameAs(report));
        rig.close();
    }

    @Test
    void aKernelThatThrowsIsThePassThatHadBegun() {
        try (VirtualRig rig = new VirtualRig(IN_ORDER, null)) {
            Buffer buffer = rig.buffer("buffer", 1);
            String glsl = "#version 450\nlayout(local_size_x = 1) in;\nvoid main() {}\n";
            var pipeline = rig.pipeline("throws", glsl, invocation -> {
                throw new IllegalStateException("on purpose");
            });
            rig.submit(rig.queue(0), List.of(), list -> {
                rig.fillPass(list, "before", buffer, 1);
                list.beginPass("kernel", List.of());
                list.bindPipeline(pipeline);
                list.dispatch(1, 1, 1);
                list.endPass();
                list.barrier(VirtualRig.full());
                rig.fillPass(list, "after", buffer, 2);
            });
            CrashReport report = reportOf(catchThrowableOfType(DeviceLostException.class, rig.device::waitIdle));
            assertThat(report.queues().get(0).underWay().get(0).lists().get(0).passes())
                    .containsExactly(
                            new PassState("before", Progress.ENDED),
                            new PassState("kernel", Progress.BEGUN),
                            new PassState("after", Progress.NOT_BEGUN));
            assertThat(report.text())
                    .contains("pass 'before': ended", "pass 'kernel': begun, not ended", "last ended: before");
        }
    }

    @Test
    void passesOfListsThatAListExecutesAreNamed() {
        VirtualRig rig = new VirtualRig(IN_ORDER.withLossAt(1), null);
        Buffer buffer = rig.buffer("buffer", 64);
        try (FrameContext context = rig.device.createFrameContext("secondaries")) {
            CommandList executed = context.beginSecondary(rig.queue(0), "secondary", null, List.of());
            rig.fillPass(executed, "inside", buffer, 1);
            executed.end();
            rig.submit(rig.queue(0), List.of(), list -> list.execute(List.of(executed)));
            CrashReport report = reportOf(catchThrowableOfType(DeviceLostException.class, rig.device::waitIdle));
            assertThat(report.queues().get(0).underWay().get(0).lists().get(0).passes())
                    .extracting(PassState::name)
                    .containsExactly("inside");
            assertThat(report.text()).contains("pass 'inside'");
        }
        rig.close();
    }
}
