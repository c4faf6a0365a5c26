package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.QueueKind;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgSetupTask;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskFailedException;
import io.frameloom.taskgraph.TaskGraph;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Passes are recorded behind the setup tasks that they name, and only these. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SetupTasksTest {
    private static void pass(RenderGraph graph, String name, Runnable body, RdgSetupTask... setups) {
        graph.addPass(name, PassKind.COMPUTE)
                .flag(PassFlag.NEVER_CULL)
                .after(setups)
                .record(context -> body.run());
    }

    /** The declaration, the compiler and the launch do not wait; the body does. */
    @Test
    void theFrameIsLaunchedWhileTheSetupRuns() {
        try (FakeRig rig = FakeRig.graphics()) {
            GraphEvent scene = rig.tasks.event("scene");
            AtomicInteger visible = new AtomicInteger();
            RenderGraph graph = new RenderGraph("frame");
            RdgSetupTask cull = graph.setupTask(rig.tasks, "cull", () -> {
                scene.await();
                visible.set(7);
            });
            List<Integer> seen = new CopyOnWriteArrayList<>();
            pass(graph, "draw", () -> seen.add(visible.get()), cull);
            // As the last group of a small plan it would be recorded by the caller.
            FrameHandle frame = rig.executor.execute(
                    rig.compile(graph, RdgOptions.defaults().withPassLimits(8, 8)));
            assertThat(frame.recorded().isComplete()).isFalse();
            assertThat(seen).isEmpty();
            scene.trigger();
            frame.completed().await();
            assertThat(seen).containsExactly(7);
        }
    }

    /** Conditions wait for no setup task: they find what was there before, unless they wait themselves. */
    @Test
    void conditionsAreAskedBeforeTheSetupHasEnded() {
        try (FakeRig rig = FakeRig.graphics()) {
            GraphEvent scene = rig.tasks.event("scene");
            AtomicInteger visible = new AtomicInteger();
            RenderGraph graph = new RenderGraph("frame");
            RdgSetupTask cull = graph.setupTask(rig.tasks, "cull", () -> {
                scene.await();
                visible.set(7);
            });
            List<String> recorded = new CopyOnWriteArrayList<>();
            graph.addPass("hasty", PassKind.COMPUTE)
                    .flag(PassFlag.NEVER_CULL)
                    .after(cull)
                    .onlyIf(() -> visible.get() > 0)
                    .record(context -> recorded.add("hasty"));
            graph.addPass("patient", PassKind.COMPUTE)
                    .flag(PassFlag.NEVER_CULL)
                    .after(cull)
                    .onlyIf(() -> {
                        scene.trigger();
                        cull.event().await();
                        return visible.get() > 0;
                    })
                    .record(context -> recorded.add("patient"));
            rig.executor.execute(rig.compile(graph)).completed().await();
            assertThat(recorded).containsExactly("patient");
        }
    }

    @Test
    void otherPassesDoNotWait() {
        try (FakeRig rig = FakeRig.graphics()) {
            GraphEvent scene = rig.tasks.event("scene");
            GraphEvent drawn = rig.tasks.event("drawn");
            RenderGraph graph = new RenderGraph("frame");
            RdgSetupTask cull = graph.setupTask(rig.tasks, "cull", scene::await);
            pass(graph, "first", () -> {}, cull);
            pass(graph, "second", drawn::trigger);
            FrameHandle frame = rig.executor.execute(rig.compile(graph));
            drawn.await();
            assertThat(frame.recorded().isComplete()).isFalse();
            scene.trigger();
            frame.completed().await();
        }
    }

    /** Who records on the thread that executes waits there. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theCallerWaitsForWhatItRecordsItself(boolean serial) {
        try (FakeRig rig =
                new FakeRig(2, FrameExecutorOptions.defaults().withSerialRecording(serial), QueueKind.GRAPHICS)) {
            AtomicInteger visible = new AtomicInteger();
            List<String> seen = new CopyOnWriteArrayList<>();
            RenderGraph graph = new RenderGraph("frame");
            GraphEvent scene = rig.tasks.task("scene", () -> {}).dispatch();
            RdgSetupTask cull = graph.setupTask(rig.tasks, "cull", () -> {
                scene.await();
                visible.set(7);
            });
            graph.addPass("draw", PassKind.COMPUTE)
                    .flag(PassFlag.NEVER_CULL, PassFlag.NEVER_PARALLEL)
                    .after(cull)
                    .record(context -> seen.add(Thread.currentThread().getName() + visible.get()));
            rig.executor.execute(rig.compile(graph)).completed().await();
            assertThat(seen).containsExactly(Thread.currentThread().getName() + 7);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSetupThatFailsFailsTheFrameByName(boolean serial) {
        try (FakeRig rig =
                new FakeRig(2, FrameExecutorOptions.defaults().withSerialRecording(serial), QueueKind.GRAPHICS)) {
            RenderGraph graph = new RenderGraph("frame", RdgOptions.defaults().withDebug(true));
            RdgSetupTask cull = graph.setupTask(rig.tasks, "cull", () -> {
                throw new IllegalStateException("no camera");
            });
            AtomicInteger recorded = new AtomicInteger();
            pass(graph, "draw", recorded::incrementAndGet, cull);
            FrameHandle frame = rig.executor.execute(rig.compile(graph));
            assertThatThrownBy(() -> frame.completed().await())
                    .isInstanceOf(TaskFailedException.class)
                    .cause()
                    .isInstanceOf(RdgException.class)
                    .hasMessageContaining("'draw'")
                    .hasMessageContaining("setup task 'cull'")
                    .hasMessageContaining("SetupTasksTest")
                    .hasRootCauseMessage("no camera");
            assertThat(recorded).hasValue(0);
            RenderGraph next = new RenderGraph("next");
            pass(next, "draw", recorded::incrementAndGet);
            rig.executor.execute(rig.compile(next)).completed().await();
            assertThat(recorded).hasValue(1);
        }
    }

    @Test
    void setupsOfOthersAreRefused() {
        try (FakeRig rig = FakeRig.graphics();
                TaskGraph other = TaskGraph.builder().name("other").workers(1).build()) {
            RenderGraph graph = new RenderGraph("frame");
            RdgSetupTask foreign = new RenderGraph("another").setupTask(rig.tasks, "cull", () -> {});
            assertThatThrownBy(() -> pass(graph, "draw", () -> {}, foreign))
                    .isInstanceOf(RdgException.class)
                    .hasMessageContaining("pass 'draw'")
                    .hasMessageContaining("'cull' of graph 'another'");
            RenderGraph astray = new RenderGraph("astray");
            pass(astray, "draw", () -> {}, astray.setupTask(other, "cull", () -> {}));
            assertThatThrownBy(() -> rig.executor.execute(rig.compile(astray)))
                    .isInstanceOf(RdgException.class)
                    .hasMessageContaining("setup task 'cull' of another task graph");
        }
    }

    /** A setup task belongs to one frame, as the body does: it is no reason to compile anew. */
    @Test
    void aReusedPlanWaitsForTheSetupOfItsOwnFrame() {
        try (FakeRig rig = FakeRig.graphics()) {
            RenderGraphCompiler compiler = new RenderGraphCompiler(RdgOptions.defaults());
            List<Integer> seen = new CopyOnWriteArrayList<>();
            for (int frame = 0; frame < 3; frame++) {
                int number = frame;
                AtomicInteger visible = new AtomicInteger(-1);
                RenderGraph graph = new RenderGraph("frame");
                RdgSetupTask cull = graph.setupTask(rig.tasks, "cull", () -> visible.set(number));
                pass(graph, "draw", () -> seen.add(visible.get()), cull);
                rig.executor
                        .execute(compiler.compile(graph, QueueTopology.of(rig.device), MemorySizer.of(rig.device)))
                        .completed()
                        .await();
            }
            assertThat(seen).containsExactly(0, 1, 2);
            assertThat(compiler.planReuse().hits()).isEqualTo(2);
        }
    }
}
