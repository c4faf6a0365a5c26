package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.utility.ClearPasses;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskGraphClosedException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several graphs of one frame: what they share, what waits for what, and what a failure of one means. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SeveralGraphsTest {
    private static final int GRAPHS = 3;

    private static FrameExecutorOptions inFlight(int frames) {
        return FrameExecutorOptions.defaults().withFramesInFlight(frames);
    }

    private static FakeRig rig(int frames) {
        return new FakeRig(2, inFlight(frames), QueueKind.GRAPHICS);
    }

    private static FramePlan filling(FakeRig rig, Buffer buffer, Runnable body) {
        RenderGraph graph = new RenderGraph("filling");
        RdgBuffer out = graph.registerExternal(buffer);
        graph.addPass("fill", PassKind.COPY).overwrites(out, Access.COPY_DST).record(context -> body.run());
        return rig.compile(graph);
    }

    private static Buffer buffer(FakeRig rig) {
        return rig.device.createBuffer("buffer", FakeRig.BUFFER);
    }

    private static GraphEvent frameOf(FakeRig rig, FramePlan plan, int graphs) {
        rig.executor.beginFrame();
        for (int i = 0; i < graphs; i++) {
            rig.executor.execute(plan);
        }
        return rig.executor.endFrame();
    }

    /** With a slot for each graph the third execution would wait for the first, which the device has not done. */
    @Test
    void theGraphsOfAFrameTakeOnePlaceInFlight() throws InterruptedException {
        try (FakeRig rig = rig(2);
                Buffer result = rig.readback()) {
            rig.device.setCompletesAtOnce(false);
            FramePlan plan = rig.rasterAndCopy(result);
            GraphEvent first = frameOf(rig, plan, GRAPHS);
            assertThat(rig.executor.beginFrame()).isEqualTo(1);
            FrameHandle of = rig.executor.execute(plan);
            assertThat(of.frame()).isEqualTo(1);
            assertThat(rig.executor.execute(plan).frame()).isEqualTo(1);
            GraphEvent second = rig.executor.endFrame();
            of.submitted().await();
            assertThat(first.isComplete()).isFalse();
            AtomicBoolean begun = new AtomicBoolean();
            Thread render = new Thread(() -> {
                rig.executor.beginFrame();
                begun.set(true);
            });
            render.start();
            while (render.getState() == Thread.State.RUNNABLE) {
                Thread.onSpinWait();
            }
            assertThat(begun).isFalse();
            rig.device.setCompletesAtOnce(true);
            rig.device.completeAll();
            render.join();
            assertThat(begun).isTrue();
            first.await();
            assertThat(rig.executor.execute(plan).frame()).isEqualTo(2);
            rig.executor.endFrame().await();
            second.await();
            assertThat(rig.executor.execute(plan).frame()).isEqualTo(3);
        }
    }

    @Test
    void aFrameWithoutGraphsIsAFrame() {
        try (FakeRig rig = rig(2)) {
            for (long frame = 0; frame < 5; frame++) {
                assertThat(rig.executor.beginFrame()).isEqualTo(frame);
                assertThat(rig.executor.endFrame().isComplete()).isTrue();
            }
        }
    }

    /** A readback comes back with its graph, and is taken when the frame after its own begins, not when the device is quick. */
    @Test
    void whatAGraphGivesBackIsTakenBehindTheWholeFrame() {
        try (FakeRig rig = rig(1)) {
            for (int frame = 0; frame < 4; frame++) {
                rig.executor.beginFrame();
                for (int i = 0; i < GRAPHS; i++) {
                    RenderGraph graph = new RenderGraph("read");
                    RdgBuffer data = graph.createBuffer("data", FakeRig.BUFFER);
                    ClearPasses.buffer(graph, data, 1);
                    RdgReadback readback = ReadbackPasses.buffer(graph, data);
                    rig.executor.execute(rig.compile(graph)).completed().await();
                    assertThat(readback.bytes()).isCompleted();
                }
                rig.executor.endFrame().await();
                assertThat(rig.executor.poolStatistics().idle()).isEqualTo(GRAPHS);
            }
            // One transient, which all share, and a readback for each graph of a frame.
            assertThat(rig.executor.poolStatistics().created()).isEqualTo(1 + GRAPHS);
        }
    }

    @Test
    void repeatedFramesCreateNothing() {
        try (FakeRig rig = rig(2);
                Buffer result = rig.readback()) {
            FramePlan plan = rig.rasterAndCopy(result);
            for (int frame = 0; frame < 3; frame++) {
                frameOf(rig, plan, GRAPHS);
            }
            int created = rig.device.created();
            for (int frame = 0; frame < 50; frame++) {
                frameOf(rig, plan, GRAPHS);
            }
            assertThat(rig.device.created()).isEqualTo(created);
        }
    }

    private static long contexts(FakeRig rig) {
        return rig.device.open().stream().filter(FrameContext.class::isInstance).count();
    }

    @Test
    void whatALargeFrameTookIsClosedWhenFramesStaySmall() {
        FrameExecutorOptions options = inFlight(2).withPoolFrames(3);
        try (FakeRig rig = new FakeRig(2, options, QueueKind.GRAPHICS);
                Buffer result = rig.readback()) {
            FramePlan plan = rig.rasterAndCopy(result);
            for (int frame = 0; frame < 30; frame++) {
                frameOf(rig, plan, GRAPHS);
            }
            assertThat(contexts(rig)).isEqualTo(2L * GRAPHS);
            for (int frame = 0; frame < 30; frame++) {
                rig.executor.execute(plan);
            }
            assertThat(contexts(rig)).isEqualTo(2);
        }
    }

    @Test
    void aGraphThatFailsLeavesTheOthersAndTheFrame() {
        try (FakeRig rig = rig(2);
                Buffer good = buffer(rig);
                Buffer bad = buffer(rig)) {
            FramePlan fills = filling(rig, good, () -> {});
            FramePlan fails = filling(rig, bad, () -> {
                throw new IllegalArgumentException("no mesh");
            });
            for (int frame = 0; frame < 4; frame++) {
                rig.executor.beginFrame();
                FrameHandle before = rig.executor.execute(fills);
                FrameHandle failing = rig.executor.execute(fails);
                FrameHandle after = rig.executor.execute(fills);
                GraphEvent end = rig.executor.endFrame();
                assertThatThrownBy(end::await).hasRootCauseMessage("no mesh");
                before.completed().await();
                after.completed().await();
                assertThatThrownBy(() -> failing.completed().await()).hasRootCauseMessage("no mesh");
            }
            frameOf(rig, fills, GRAPHS).await();
        }
    }

    @Test
    void anExecutionThatThrowsLeavesTheFrame() {
        try (FakeRig rig = rig(2);
                Buffer open = buffer(rig)) {
            Buffer closed = buffer(rig);
            FramePlan fills = filling(rig, open, () -> {});
            FramePlan refused = filling(rig, closed, () -> {});
            closed.close();
            rig.executor.beginFrame();
            rig.executor.execute(fills);
            assertThatThrownBy(() -> rig.executor.execute(refused))
                    .isInstanceOf(RdgException.class)
                    .hasMessageContaining("closed");
            assertThat(rig.executor.execute(fills).frame()).isZero();
            rig.executor.endFrame().await();
            assertThat(rig.device.submissions()).hasSize(2);
        }
    }

    @Test
    void aLostDeviceEndsTheFrame() {
        try (FakeRig rig = rig(2);
                Buffer result = rig.readback()) {
            rig.device.setCompletesAtOnce(false);
            FramePlan plan = rig.rasterAndCopy(result);
            rig.executor.beginFrame();
            rig.executor.execute(plan).submitted().await();
            rig.device.lose();
            FrameHandle after = rig.executor.execute(plan);
            GraphEvent end = rig.executor.endFrame();
            assertThatThrownBy(end::await).hasRootCauseInstanceOf(DeviceLostException.class);
            assertThatThrownBy(() -> after.completed().await()).hasRootCauseInstanceOf(DeviceLostException.class);
            rig.executor.close();
            assertThat(rig.device.open()).containsExactly(result);
        }
    }

    @Test
    void framesAreNotNestedNorEndedTwice() {
        try (FakeRig rig = rig(2)) {
            assertThatThrownBy(rig.executor::endFrame)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("call beginFrame before endFrame");
            rig.executor.beginFrame();
            assertThatThrownBy(rig.executor::beginFrame)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("frame 0 is begun already");
            rig.executor.endFrame();
            assertThatThrownBy(rig.executor::endFrame)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no frame is begun");
            assertThat(rig.executor.beginFrame()).isEqualTo(1);
            rig.executor.endFrame();
        }
    }

    @Test
    void closingEndsTheFrameThatIsBegun() {
        try (FakeRig rig = rig(2);
                Buffer result = rig.readback()) {
            rig.executor.beginFrame();
            FrameHandle handle = rig.executor.execute(rig.rasterAndCopy(result));
            rig.executor.execute(rig.rasterAndCopy(result));
            assertThatThrownBy(rig.executor::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("frame 0 was begun and not ended; call endFrame");
            assertThat(handle.completed().isComplete()).isTrue();
            assertThat(rig.device.open()).containsExactly(result);
            assertThatThrownBy(rig.executor::endFrame)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
            assertThatThrownBy(rig.executor::beginFrame)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
        }
    }

    @Test
    void aTaskGraphClosedInTheMidstEndsTheFrameWithAClearError() {
        FakeRig rig = rig(2);
        Buffer result = rig.readback();
        rig.executor.beginFrame();
        rig.executor.execute(rig.rasterAndCopy(result)).completed().await();
        rig.tasks.close();
        assertThatThrownBy(() -> rig.executor.execute(rig.rasterAndCopy(result)))
                .isInstanceOf(TaskGraphClosedException.class);
        assertThatThrownBy(rig.executor::endFrame).isInstanceOf(TaskGraphClosedException.class);
        rig.executor.close();
        assertThat(rig.device.open()).containsExactly(result);
    }

    /** Each pass is waited for, so one slot serves all of them. */
    @Test
    void passesOfImmediateModeTakeOneSlot() {
        try (FakeRig rig = rig(2)) {
            RdgOptions immediate =
                    RdgOptions.defaults().withDiagnostics(RdgDiagnostics.none().withImmediate(true));
            RenderGraphCompiler compiler = new RenderGraphCompiler(immediate);
            long before = contexts(rig);
            rig.executor.beginFrame();
            RenderGraph graph = rig.executor.beginGraph("many", compiler);
            for (int i = 0; i < 20; i++) {
                ClearPasses.buffer(graph, graph.createBuffer("data " + i, FakeRig.BUFFER), i);
            }
            rig.executor.execute(compiler.compile(graph, QueueTopology.of(rig.device), MemorySizer.of(rig.device)));
            rig.executor.endFrame().await();
            assertThat(contexts(rig)).isEqualTo(before);
        }
    }

    /** A graph whose pass fails while it is declared is over, and its frame has failed with it; the next one has not. */
    @Test
    void aFrameFailsWithItsGraphOfImmediateMode() {
        try (FakeRig rig = rig(1)) {
            RenderGraphCompiler compiler = new RenderGraphCompiler(
                    RdgOptions.defaults().withDiagnostics(RdgDiagnostics.none().withImmediate(true)));
            for (boolean fails : new boolean[] {true, false}) {
                rig.executor.beginFrame();
                RenderGraph broken = rig.executor.beginGraph("broken", compiler);
                ClearPasses.buffer(broken, broken.createBuffer("data", FakeRig.BUFFER), 1);
                if (fails) {
                    assertThatThrownBy(() -> broken.addPass("refuse", PassKind.COPY)
                                    .flag(PassFlag.NEVER_CULL)
                                    .record(context -> {
                                        throw new IllegalStateException("no");
                                    }))
                            .isInstanceOf(RdgException.class);
                }
                RenderGraph whole = rig.executor.beginGraph("whole", compiler);
                ClearPasses.buffer(whole, whole.createBuffer("data", FakeRig.BUFFER), 2);
                rig.executor.execute(compiler.compile(whole, QueueTopology.of(rig.device), MemorySizer.of(rig.device)));
                GraphEvent frame = rig.executor.endFrame();
                if (fails) {
                    assertThatThrownBy(frame::await).hasStackTraceContaining("'refuse'");
                } else {
                    frame.await();
                }
            }
        }
    }

    /** What the host maps is written while the graph before is on the device, so each graph has its own. */
    @Test
    void graphsOfAFrameShareNoMappedTransient() {
        try (FakeRig rig = rig(1)) {
            Set<Buffer> taken = ConcurrentHashMap.newKeySet();
            RenderGraph graph = new RenderGraph("mapped");
            RdgBuffer mapped = graph.createBuffer("m", BufferDescription.upload(64, BufferUsage.COPY_SRC));
            graph.addPass("fill", PassKind.COPY)
                    .overwrites(mapped, Access.HOST_WRITE)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> taken.add(context.buffer(mapped)));
            FramePlan plan = rig.compile(graph);
            for (int frame = 0; frame < 5; frame++) {
                frameOf(rig, plan, GRAPHS).await();
            }
            assertThat(taken).hasSize(GRAPHS);
        }
    }
}
