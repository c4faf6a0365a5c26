package io.frameloom.rdg.execute;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.QueueKind;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.utility.ClearPasses;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A wait for what a frame reads back is a wait for the frame: it explains itself, and refuses what could never end. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReadbackWaitTest {
    private final BlockingQueue<String> stalls = new LinkedBlockingQueue<>();
    private final TaskGraph tasks = TaskGraph.builder()
            .name("reads")
            .workers(2)
            .stallWatchdog(Duration.ofMillis(50), (thread, waited, why) -> stalls.add(why.toString()))
            .build();
    private final FakeDevice device = new FakeDevice(tasks, QueueKind.GRAPHICS);
    private final FrameExecutor executor = new FrameExecutor(device, tasks, FrameExecutorOptions.defaults());

    @AfterEach
    void close() {
        executor.close();
        tasks.close();
    }

    private CompletableFuture<ByteBuffer> execute() {
        RenderGraph graph = new RenderGraph("frame");
        RdgTexture target = graph.createTexture("target", FakeRig.TARGET);
        ClearPasses.texture(graph, target, FakeRig.CLEAR);
        RdgReadback readback = ReadbackPasses.texture(graph, target);
        executor.execute(new RenderGraphCompiler(RdgOptions.defaults())
                .compile(graph, QueueTopology.of(device), MemorySizer.of(device)));
        return readback.bytes();
    }

    @Test
    void oneThatNobodySubmitsForIsExplained() throws Exception {
        CompletableFuture<ByteBuffer> bytes = execute();
        CompletableFuture<Integer> read =
                CompletableFuture.supplyAsync(() -> bytes.join().remaining());
        assertThat(stalls.take()).contains("RHI");
        tasks.start(NamedThread.RHI);
        assertThat(read.get(30, SECONDS)).isEqualTo(64 * 32 * 4);
    }

    @Test
    void aThreadThatWouldHaveToSubmitTheFrameIsRefused() {
        tasks.attach(NamedThread.RHI);
        CompletableFuture<ByteBuffer> bytes = execute();
        assertThatThrownBy(bytes::join)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("RHI");
        while (!bytes.isDone()) {
            tasks.processUntilIdle(NamedThread.RHI); // workers may still be recording what is to be submitted
        }
        assertThat(bytes.join().remaining()).isEqualTo(64 * 32 * 4);
    }

    @Test
    void timesEndAWaitThatNothingElseEnds() {
        assertThatThrownBy(() -> execute().get(10, MILLISECONDS)).isInstanceOf(TimeoutException.class);
        assertThatThrownBy(() -> execute().orTimeout(10, MILLISECONDS).join())
                .hasCauseInstanceOf(TimeoutException.class);
        tasks.start(NamedThread.RHI);
    }
}
