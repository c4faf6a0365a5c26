package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.Access;
import io.frameloom.gpu.QueueKind;
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
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A frame that fails is reported to the task graph's uncaught handler, once, if nobody looks at any of its events. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnseenFrameFailureTest {
    private final Queue<String> uncaught = new ConcurrentLinkedQueue<>();
    private final TaskGraph tasks = TaskGraph.builder()
            .name("frames")
            .workers(2)
            .uncaughtHandler(
                    (task, failure) -> uncaught.add(task + ": " + failure.getMessage() + ": " + failure.getCause()))
            .build();
    private final FakeDevice device = new FakeDevice(tasks, QueueKind.GRAPHICS);

    private FramePlan plan(boolean fails) {
        RenderGraph graph = new RenderGraph("frame");
        for (String name : new String[] {"first", "second"}) {
            RdgBuffer buffer = graph.createBuffer(name, FakeRig.BUFFER);
            graph.addPass(name, PassKind.COPY)
                    .overwrites(buffer, Access.COPY_DST)
                    .flag(PassFlag.NEVER_CULL)
                    .record(context -> {
                        if (fails && name.equals("second")) {
                            throw new IllegalStateException("boom");
                        }
                    });
        }
        return new RenderGraphCompiler(RdgOptions.defaults().withPassLimits(1, 1))
                .compile(graph, QueueTopology.of(device), MemorySizer.of(device));
    }

    private void execute(Consumer<FrameHandle> look, boolean serial) {
        tasks.start(NamedThread.RHI);
        FrameExecutorOptions options =
                FrameExecutorOptions.defaults().withFramesInFlight(1).withSerialRecording(serial);
        FramePlan fine = plan(false);
        try (FrameExecutor executor = new FrameExecutor(device, tasks, options)) {
            look.accept(executor.execute(plan(true)));
            executor.execute(fine);
            executor.execute(fine);
        }
        tasks.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void oneThatNobodyLooksAtIsReportedOnce(boolean serial) {
        execute(handle -> {}, serial);
        assertThat(uncaught).singleElement().asString().contains("recording pass 'second'", "boom");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void oneWhoseCompletionIsAwaitedIsNot(boolean serial) {
        execute(handle -> assertThatThrownBy(() -> handle.completed().await()).hasRootCauseMessage("boom"), serial);
        assertThat(uncaught).isEmpty();
    }

    @Test
    void oneThatTheDeviceLosesIsReportedOnce() {
        tasks.start(NamedThread.RHI);
        FrameExecutor executor =
                new FrameExecutor(device, tasks, FrameExecutorOptions.defaults().withFramesInFlight(2));
        FramePlan fine = plan(false);
        executor.execute(fine).completed().await();
        device.lose();
        executor.execute(fine);
        executor.close();
        tasks.close();
        assertThat(uncaught).singleElement().asString().contains("the fake device is lost");
    }
}
