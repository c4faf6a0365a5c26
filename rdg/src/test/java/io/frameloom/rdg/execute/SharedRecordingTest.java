package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.diagnostics.RecordingMode;
import io.frameloom.taskgraph.ExecutionTarget;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.TaskObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.Test;

/** Groups that were short in former frames share tasks, and what is submitted stays the same. */
class SharedRecordingTest {
    private static final int PASSES = 4;
    private static final long LONG_NANOS = 200_000;
    private static final List<String> ALONE = List.of("record p0", "record p1", "record p2", "record p3");
    private static final String TOGETHER = "record p0 to p3";

    private final Set<String> tasks = new ConcurrentSkipListSet<>();
    private volatile int failing = -1;
    private volatile boolean slow;

    /** A rig of one slot, so that each frame is learnt from before the next one begins. */
    private FakeRig rig() {
        TaskObserver observer = new TaskObserver() {
            @Override
            public void taskStarted(String task, ExecutionTarget target, int threadOrdinal) {
                if (task.startsWith("record")) {
                    tasks.add(task);
                }
            }
        };
        return new FakeRig(
                TaskGraph.builder().name("shared").workers(2).observer(observer).build(),
                FrameExecutorOptions.defaults().withFramesInFlight(1),
                QueueKind.GRAPHICS);
    }

    /** Passes that depend on each other, each a group. */
    private FramePlan plan(FakeRig rig, Buffer kept, RecordingMode mode) {
        RenderGraph graph = new RenderGraph("chain");
        RdgBuffer external = graph.registerExternal(kept);
        for (int i = 0; i < PASSES; i++) {
            int pass = i;
            graph.addPass("p" + i, PassKind.COMPUTE)
                    .flag(PassFlag.NEVER_CULL)
                    .writes(external, Access.STORAGE_READ_WRITE_COMPUTE)
                    .record(context -> {
                        if (pass == failing) {
                            throw new IllegalStateException("on purpose");
                        }
                        long end = System.nanoTime() + (slow ? LONG_NANOS : 0);
                        while (System.nanoTime() < end) {
                            Thread.onSpinWait();
                        }
                        context.commands().dispatch(pass + 1, 1, 1);
                    });
        }
        RdgOptions options = RdgOptions.defaults().withPassLimits(1, 1);
        return rig.compile(graph, options.withDiagnostics(options.diagnostics().withRecording(mode)));
    }

    /** Executes a frame; returns what it submits, and leaves the names of its recording tasks. */
    private List<String> frame(FakeRig rig, FramePlan plan) {
        tasks.clear();
        rig.device.submissions().clear();
        rig.executor.execute(plan).completed().await();
        List<String> log = new ArrayList<>();
        rig.device.submissions().forEach(each -> log.add(each.submission().label() + " " + each.operations()));
        return log;
    }

    /** Executes frames until one has the tasks; a test that never sees it is ended by its timeout. */
    private void framesUntil(FakeRig rig, FramePlan plan, Set<String> wanted, List<String> log) {
        do {
            assertThat(frame(rig, plan)).isEqualTo(log);
        } while (!tasks.equals(wanted));
    }

    @Test
    void shortGroupsShareATaskAndPartAgain() {
        try (FakeRig rig = rig();
                Buffer kept = rig.device.createBuffer("kept", FakeRig.BUFFER)) {
            FramePlan plan = plan(rig, kept, RecordingMode.PARALLEL);
            frame(rig, plan);
            assertThat(tasks).as("never measured").containsExactlyElementsOf(ALONE);
            List<String> log = frame(rig, plan);
            framesUntil(rig, plan, Set.of(TOGETHER), log);
            slow = true;
            framesUntil(rig, plan, new TreeSet<>(ALONE), log);
        }
    }

    @Test
    void aFailureEndsTheSharedTaskAndTheFrame() {
        try (FakeRig rig = rig();
                Buffer kept = rig.device.createBuffer("kept", FakeRig.BUFFER)) {
            FramePlan plan = plan(rig, kept, RecordingMode.PARALLEL);
            frame(rig, plan);
            List<String> log = frame(rig, plan);
            framesUntil(rig, plan, Set.of(TOGETHER), log);
            failing = 2;
            assertThatThrownBy(() -> frame(rig, plan))
                    .hasStackTraceContaining("recording pass 'p2'")
                    .hasRootCauseMessage("on purpose");
            failing = -1;
            // The frame after a failed one may wait for other points.
            frame(rig, plan);
            framesUntil(rig, plan, Set.of(TOGETHER), log);
        }
    }

    @Test
    void stressKeepsEveryPassAlone() {
        try (FakeRig rig = rig();
                Buffer kept = rig.device.createBuffer("kept", FakeRig.BUFFER)) {
            FramePlan plan = plan(rig, kept, RecordingMode.STRESS);
            for (int i = 0; i < 20; i++) {
                frame(rig, plan);
                assertThat(tasks).containsExactlyElementsOf(ALONE);
            }
        }
    }
}
