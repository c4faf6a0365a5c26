package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans that are released before, while and after frames execute them. */
class PlanReleaseFramesTest {
    private static final int FRAMES = 60;

    private record Running(FramePlan plan, FrameHandle handle) {}

    private static RenderGraph graph(String name, int passes, Runnable body) {
        RenderGraph graph = new RenderGraph(name);
        for (int p = 0; p < passes; p++) {
            RdgBuffer data = graph.createBuffer("data " + p, FakeRig.BUFFER);
            graph.addPass("write " + p, PassKind.COMPUTE)
                    .overwrites(data, Access.STORAGE_WRITE_COMPUTE)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> {
                        body.run();
                        context.buffer(data);
                    });
        }
        return graph;
    }

    @Test
    void aPlanIsNotReleasedWhileAFrameRuns() throws Exception {
        try (FakeRig rig = FakeRig.graphics()) {
            CountDownLatch recording = new CountDownLatch(1);
            FramePlan plan = rig.compile(graph("shadows", 1, () -> await(recording)));
            FrameHandle frame = rig.executor.execute(plan);
            assertThatThrownBy(plan::release)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("plan 'shadows' is released while frame 0 executes it; await the completion of that"
                            + " frame, or close the frame executor, before");
            assertThat(plan.passes()).hasSize(1);
            recording.countDown();
            frame.completed().await();
            plan.release();
            assertThatThrownBy(plan::release).hasMessageStartingWith("release() is called for plan 'shadows'");
            assertThatThrownBy(() -> rig.executor.execute(plan))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("execute() is called for plan 'shadows', which was released; compile the graph again");
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void allFramesOfAPlanAreOverBeforeItIsReleased() throws Exception {
        try (FakeRig rig = FakeRig.graphics()) {
            CountDownLatch second = new CountDownLatch(1);
            Deque<CountDownLatch> latches = new ArrayDeque<>(List.of(new CountDownLatch(0), second));
            FramePlan plan = rig.compile(graph("twice", 1, () -> await(latches.remove())));
            rig.executor.execute(plan).completed().await();
            FrameHandle frame = rig.executor.execute(plan);
            assertThatThrownBy(plan::release).hasMessageContaining("while frame 1 executes it");
            second.countDown();
            frame.completed().await();
            plan.release();
        }
    }

    @Test
    void statisticsAreAskedForBeforeTheRelease() {
        try (FakeRig rig = FakeRig.graphics()) {
            List<FrameHandle> frames = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                FramePlan plan = rig.compile(graph("frame", 1 + i, () -> {}));
                FrameHandle frame = rig.executor.execute(plan);
                frame.completed().await();
                if (i == 0) {
                    assertThat(frame.statistics().passes()).isEqualTo(1);
                }
                plan.release();
                frames.add(frame);
            }
            assertThat(frames.get(0).statistics().passes()).isEqualTo(1);
            assertThatThrownBy(() -> frames.get(1).statistics())
                    .isInstanceOf(RdgException.class)
                    .hasRootCauseMessage(
                            "passes() is called for plan 'frame', which was released; compile the graph again");
        }
    }

    /** Its tasks do not run any more, and nobody can wait for it. */
    @Test
    void aFrameThatCannotEndEndsWithItsExecutor() throws Exception {
        FakeRig rig = FakeRig.graphics();
        rig.device.setCompletesAtOnce(false);
        FramePlan plan = rig.compile(graph("shadows", 1, () -> {}));
        rig.executor.execute(plan).submitted().await();
        rig.tasks.close();
        assertThatThrownBy(plan::release).hasMessageContaining("or close the frame executor");
        rig.executor.close();
        plan.release();
        assertThatThrownBy(plan::passes).isInstanceOf(IllegalStateException.class);
    }

    /** A frame of a plan, which runs something while it is measured. */
    private record Measured(long number, boolean isReleased, Runnable measurement) implements CompiledPlan.Execution {
        @Override
        public void measure() {
            measurement.run();
        }
    }

    @Test
    void framesBeginAndEndWhileOthersAreMeasured() {
        try (FakeRig rig = FakeRig.graphics()) {
            CompiledPlan plan = CompiledPlan.of(rig.compile(graph("frame", 1, () -> {})));
            Measured running = new Measured(1, false, () -> {});
            plan.begin(new Measured(
                    0,
                    true,
                    () -> CompletableFuture.runAsync(() -> plan.begin(running))
                            .orTimeout(10, TimeUnit.SECONDS)
                            .join()));
            assertThatThrownBy(plan::release).hasMessageContaining("while frame 1 executes it");
            plan.end(running);
            assertThat(plan.isReleased()).isFalse();
        }
    }

    /** Each frame has another plan, in memory that the plan of a frame before gave back while others are recorded. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void framesRunWhileTheMemoryOfFormerPlansIsWritten(boolean inline) {
        Set<DeclaredGraph> all = new HashSet<>();
        Set<DeclaredGraph> few = new HashSet<>();
        assertThat(recorded(inline, true, few)).isEqualTo(recorded(inline, false, all));
        assertThat(few).hasSizeLessThan(all.size());
    }

    /** Returns what each submission of many frames recorded, and adds the memory of their plans. */
    private static List<List<String>> recorded(boolean inline, boolean release, Set<DeclaredGraph> memory) {
        FrameExecutorOptions options = FrameExecutorOptions.defaults().withInlineSubmission(inline);
        try (FakeRig rig = new FakeRig(2, options, QueueKind.GRAPHICS);
                Buffer result = rig.device.createBuffer("result", FakeRig.BUFFER)) {
            Deque<Running> running = new ArrayDeque<>();
            for (int frame = 0; frame < FRAMES; frame++) {
                RenderGraph graph = graph("frame " + frame, 1 + frame % 23, () -> {});
                RdgBuffer out = graph.registerExternal(result);
                PassBuilder last = graph.addPass("last", PassKind.COPY).overwrites(out, Access.COPY_DST);
                last.record(context -> context.commands().fillBuffer(context.buffer(out), 0, 64, 1));
                FramePlan plan = rig.executor.compile(graph);
                memory.add(CompiledPlan.of(plan).structure().arrays().graph());
                running.add(new Running(plan, rig.executor.execute(plan)));
                if (running.size() > 1) {
                    Running over = running.remove();
                    over.handle.completed().await();
                    if (release) {
                        over.plan.release();
                    }
                }
            }
            running.remove().handle.completed().await();
            return rig.device.submissions().stream()
                    .map(FakeQueue.Submitted::operations)
                    .toList();
        }
    }
}
