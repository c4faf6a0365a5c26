package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.BufferSlice;
import io.frameloom.rdg.RdgUniformBuffer;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.taskgraph.TaskGraph;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class FrameSlotTest {
    private static final int SECONDS = 30;

    @Test
    void oneUniformBufferDoesNotHoldUpAnother() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        RenderGraph graph = new RenderGraph("uniforms");
        RdgUniformBuffer slow = graph.createUniforms("slow", 16, target -> {
            reached.countDown();
            await(goOn);
        });
        RdgUniformBuffer quick = graph.createUniforms("quick", 16, target -> {});
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try (TaskGraph tasks = TaskGraph.builder().name("slot").workers(1).build()) {
            FrameSlot slot = new FrameSlot(FakeDevice.graphicsAndCompute(tasks), tasks, 0, false, false);
            Future<BufferSlice> first = threads.submit(() -> slot.uniforms(slow));
            reached.await();
            Future<BufferSlice> second = threads.submit(() -> slot.uniforms(quick));
            try {
                assertThat(second.get(SECONDS, TimeUnit.SECONDS)).isSameAs(slot.uniforms(quick));
            } finally {
                goOn.countDown();
            }
            assertThat(first.get()).isSameAs(slot.uniforms(slow));
            slot.close();
        } finally {
            threads.shutdown();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
