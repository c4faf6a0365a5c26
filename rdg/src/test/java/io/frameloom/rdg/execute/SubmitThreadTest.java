package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.Access;
import io.frameloom.gpu.QueueKind;
import io.frameloom.rdg.Breakpoint;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgDiagnostics;
import io.frameloom.rdg.RdgListener;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgWatch;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.utility.ClearPasses;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.TaskGraphClosedException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Frames that nobody submits do not wait in silence. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SubmitThreadTest {
    private final List<String> told = new ArrayList<>();
    private final RdgListener listener = new RdgListener() {
        @Override
        public void reached(Breakpoint moment, String graph, String subject) {}

        @Override
        public void transition(String graph, String line) {}

        @Override
        public void notSubmitted(String graph, String message) {
            told.add(graph + ": " + message);
        }
    };
    private final TaskGraph tasks =
            TaskGraph.builder().name("unattended").workers(1).build();
    private final FakeDevice device = new FakeDevice(tasks, QueueKind.GRAPHICS);

    private FrameExecutor executor(int framesInFlight) {
        return new FrameExecutor(device, tasks, FrameExecutorOptions.defaults().withFramesInFlight(framesInFlight));
    }

    private RenderGraphCompiler compiler(boolean immediate) {
        RdgDiagnostics diagnostics = RdgDiagnostics.none()
                .withImmediate(immediate)
                .withWatch(RdgWatch.none().withListener(listener));
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

    @Test
    void frameWithoutASubmitThreadIsTold() {
        FrameExecutor executor = executor(3);
        FramePlan plan = plan();
        executor.execute(plan);
        assertThat(told)
                .singleElement()
                .asString()
                .startsWith("frame: frame 0 of plan 'frame'")
                .contains("no thread is attached to RHI", "TaskGraph.start");
        executor.execute(plan);
        assertThat(told).as("once").hasSize(1);
        tasks.start(NamedThread.RHI);
        executor.execute(plan).completed().await();
        executor.close();
        assertThat(told).hasSize(1);
    }

    @Test
    void threadThatHasGoneIsTold() {
        FrameExecutor executor = executor(1);
        FramePlan plan = plan();
        tasks.attach(NamedThread.RHI);
        FrameHandle first = executor.execute(plan);
        first.recorded().await();
        tasks.processUntilIdle(NamedThread.RHI);
        first.completed().await();
        assertThat(told).isEmpty();
        tasks.detach(NamedThread.RHI);
        executor.execute(plan);
        assertThat(told).singleElement().asString().contains("frame 1 of plan 'frame'");
        tasks.start(NamedThread.RHI);
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
        first.recorded().await();
        tasks.processUntilIdle(NamedThread.RHI);
        FrameHandle second = executor.execute(plan);
        assertThat(second.frame()).as("nothing was launched in between").isEqualTo(1);
        second.recorded().await();
        tasks.processUntilIdle(NamedThread.RHI);
        executor.close();
        assertThat(told).isEmpty();
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
        second.recorded().await();
        tasks.processUntilIdle(NamedThread.RHI);
        end.await();
        assertThat(executor.beginFrame()).as("nothing was begun in between").isEqualTo(1);
        executor.close();
        assertThat(device.open()).isEmpty();
    }

    @Test
    void closedTaskGraphIsNotCalledUnattended() {
        FrameExecutor executor = executor(1);
        FramePlan plan = plan();
        tasks.close();
        assertThatThrownBy(() -> executor.execute(plan)).isInstanceOf(TaskGraphClosedException.class);
        executor.close();
        assertThat(told).isEmpty();
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
