package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.utility.ClearPasses;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Frames that nobody submits do not wait in silence. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SubmitThreadTest {
    private final BlockingQueue<String> stalls = new LinkedBlockingQueue<>();
    private final TaskGraph tasks = TaskGraph.builder()
            .name("unattended")
            .workers(1)
            .stallWatchdog(Duration.ofMillis(2), (thread, waited, why) -> stalls.add(thread.getName() + ": " + why))
            .build();
    private final FakeDevice device = new FakeDevice(tasks, QueueKind.GRAPHICS);

    private FrameExecutor executor(int framesInFlight) {
        return new FrameExecutor(device, tasks, FrameExecutorOptions.defaults().withFramesInFlight(framesInFlight));
    }

    private RenderGraphCompiler compiler(boolean immediate) {
        RdgDiagnostics diagnostics = RdgDiagnostics.none().withImmediate(immediate);
        return new RenderGraphCompiler(RdgOptions.defaults().withDiagnostics(diagnostics));
    }

    private FramePlan plan() {
        RenderGraph graph = new RenderGraph("frame");
        RdgBuffer buffer = graph.createBuffer("buffer", FakeRig.BUFFER);
        graph.addPass("fill", PassKind.COPY)
                .overwrites(buffer, Access.COPY_DST)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {});
        return compiler(false).compile(graph, QueueTopology.of(device), MemorySizer.of(device));
    }

    @AfterEach
    void close() {
        tasks.close();
    }

    private String stallOf(String thread) throws InterruptedException {
        String stall = stalls.take();
        while (!stall.startsWith(thread + ": ")) {
            stall = stalls.take();
        }
        return stall;
    }

    /** Workers may still be recording, so the queue may be idle before there is something to submit. */
    private void submit(FrameHandle frame) {
        while (!frame.submitted().isComplete()) {
            tasks.processUntilIdle(NamedThread.RHI);
        }
    }

    /** The wait for a slot and the wait for the frame itself say who is missing, and go on once a thread is attached. */
    @Test
    void frameWithoutASubmitThreadIsReportedWhereItIsWaitedFor() throws InterruptedException {
        FrameExecutor executor = executor(1);
        FramePlan plan = plan();
        FrameHandle first = executor.execute(plan);
        Thread waits = new Thread(() -> first.completed().await(), "waits");
        waits.start();
        assertThat(stallOf("waits")).contains("no thread is attached to RHI; call attach or start");
        Thread renders = new Thread(() -> executor.execute(plan), "renders");
        renders.start();
        assertThat(stallOf("renders")).contains("no thread is attached to RHI; call attach or start");
        tasks.start(NamedThread.RHI);
        waits.join();
        renders.join();
        executor.close();
    }

    @Test
    void threadThatWouldWaitForItselfIsStopped() {
        FrameExecutor executor = executor(1);
        FramePlan plan = plan();
        tasks.attach(NamedThread.RHI);
        FrameHandle first = executor.execute(plan);
        assertThatThrownBy(() -> executor.execute(plan))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("frame 0 of plan 'frame'", "attached to RHI", "process RHI");
        assertThatThrownBy(executor::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("frame 0");
        submit(first);
        FrameHandle second = executor.execute(plan);
        assertThat(second.frame()).as("nothing was launched in between").isEqualTo(1);
        submit(second);
        executor.close();
        assertThat(device.open()).isEmpty();
    }

    /** The graphs of a frame do not wait for each other, so the thread that submits may execute all of them before. */
    @Test
    void threadThatSubmitsExecutesAFrameOfSeveralGraphs() {
        FrameExecutor executor = executor(1);
        FramePlan plan = plan();
        tasks.attach(NamedThread.RHI);
        executor.beginFrame();
        executor.execute(plan);
        FrameHandle second = executor.execute(plan);
        GraphEvent end = executor.endFrame();
        assertThatThrownBy(executor::beginFrame)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("frame 0 of plan 'frame'", "process RHI");
        submit(second);
        end.await();
        assertThat(executor.beginFrame()).as("nothing was begun in between").isEqualTo(1);
        executor.endFrame();
        executor.close();
        assertThat(device.open()).isEmpty();
    }

    @Test
    void immediateModeIsStoppedLikewise() {
        FrameExecutor executor = executor(3);
        tasks.attach(NamedThread.RHI);
        RenderGraph graph = executor.beginGraph("frame", compiler(true));
        RdgBuffer buffer = graph.createBuffer("buffer", FakeRig.BUFFER);
        assertThatThrownBy(() -> ClearPasses.buffer(graph, buffer, 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("attached to RHI");
        tasks.detach(NamedThread.RHI);
        tasks.start(NamedThread.RHI);
        executor.close();
        assertThat(device.open()).isEmpty();
    }
}
