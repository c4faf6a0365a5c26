package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.resource.BufferSlice;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgUniformBuffer;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.bind.CompiledPlan;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FrameUniformsTest {
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
        try (FakeRig rig = FakeRig.graphics();
                FrameContext context = rig.device.createFrameContext("context")) {
            graph.addPass("both", PassKind.COMPUTE)
                    .uniforms(slow, quick)
                    .flag(PassFlag.NEVER_CULL)
                    .record(pass -> {});
            FrameUniforms uniforms = new FrameUniforms();
            uniforms.place(context, CompiledPlan.of(rig.compile(graph)));
            Future<BufferSlice> first = threads.submit(() -> uniforms.written(slow));
            reached.await();
            Future<BufferSlice> second = threads.submit(() -> uniforms.written(quick));
            try {
                assertThat(second.get(SECONDS, TimeUnit.SECONDS)).isSameAs(uniforms.written(quick));
            } finally {
                goOn.countDown();
            }
            assertThat(first.get()).isSameAs(uniforms.written(slow));
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
