package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferSlice;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassContext;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgUniformBuffer;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.diagnostics.RecordingMode;
import io.frameloom.testing.TestEffort;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Recording happens on several workers at once, and its order has no influence on what is submitted. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ParallelRecordingTest {
    private static final int PASSES = 9;
    /** {@link RandomRecordingTest} has other graphs. */
    private static final int SCHEDULES = TestEffort.of(300, 10_000);

    private static final int UNIFORMS = 3;

    /** A chain of fills and copies over two queues, one recording group for each pass. */
    private static FramePlan plan(
            FakeRig rig, Buffer kept, List<RdgUniformBuffer> uniforms, IntFunction<PassBody> bodies) {
        RenderGraph graph = new RenderGraph("chain");
        RdgBuffer external = graph.registerExternal(kept);
        for (int i = 0; i < UNIFORMS; i++) {
            uniforms.add(graph.createUniforms("uniforms " + i, 16 + i, target -> {}));
        }
        RdgBuffer former = external;
        for (int i = 0; i < PASSES; i++) {
            RdgBuffer next = i == PASSES - 1 ? external : graph.createBuffer("b" + i, FakeRig.BUFFER);
            var pass = graph.addPass("p" + i, PassKind.COMPUTE)
                    .reads(former, Access.STORAGE_READ_COMPUTE)
                    .flag(PassFlag.NEVER_CULL);
            if (i % 3 == 1) {
                pass.flag(PassFlag.ASYNC_COMPUTE);
            }
            for (RdgUniformBuffer each : List.of(uniforms.get(i % 2), uniforms.get(2))) {
                pass.uniforms(each);
            }
            pass.overwrites(next, Access.STORAGE_WRITE_COMPUTE).record(bodies.apply(i));
            former = next;
        }
        // Short groups share a task otherwise, and these bodies wait for each other.
        RdgOptions options = RdgOptions.defaults();
        return rig.compile(graph, options.withDiagnostics(options.diagnostics().withRecording(RecordingMode.STRESS)));
    }

    @Test
    void groupsAreRecordedByDifferentWorkersAtTheSameTime() {
        int together = 3;
        try (FakeRig rig = rig();
                Buffer kept = rig.device.createBuffer("kept", FakeRig.BUFFER)) {
            CyclicBarrier meeting = new CyclicBarrier(together);
            Set<String> threads = ConcurrentHashMap.newKeySet();
            FramePlan plan = plan(rig, kept, new ArrayList<>(), i -> context -> {
                threads.add(Thread.currentThread().getName());
                meet(meeting);
                context.commands().dispatch(i, 1, 1);
            });
            assertThat(plan.recordingGroups()).hasSize(PASSES);
            rig.executor.execute(plan).completed().await();
            assertThat(threads).hasSizeGreaterThanOrEqualTo(together);
            assertThat(threads).doesNotContain(Thread.currentThread().getName());
        }
    }

    @Test
    void submissionOrderDoesNotDependOnRecordingOrder() {
        FrameExecutorOptions oneSlot = FrameExecutorOptions.defaults().withFramesInFlight(1);
        try (FakeRig rig = new FakeRig(PASSES, oneSlot, QueueKind.GRAPHICS, QueueKind.COMPUTE);
                Buffer kept = rig.device.createBuffer("kept", FakeRig.BUFFER)) {
            // The first frame has none before it, whose memory it would have to wait for.
            submitted(rig, kept, new Random(0));
            List<String> first = submitted(rig, kept, new Random(0));
            assertThat(first).hasSizeGreaterThan(2).anyMatch(each -> each.contains("upload 0 from "));
            for (int seed = 1; seed < SCHEDULES; seed++) {
                assertThat(submitted(rig, kept, new Random(seed)))
                        .as("seed %d", seed)
                        .isEqualTo(first);
            }
        }
    }

    /** Executes a frame whose bodies finish in a random order, forced by latches; returns what was submitted. */
    private static List<String> submitted(FakeRig rig, Buffer kept, Random random) {
        List<Integer> order = new ArrayList<>();
        List<CountDownLatch> turns = new ArrayList<>();
        for (int i = 0; i < PASSES; i++) {
            order.add(i);
            turns.add(new CountDownLatch(1));
        }
        Collections.shuffle(order, random);
        List<Integer> finished = Collections.synchronizedList(new ArrayList<>());
        turns.get(order.get(0)).countDown();
        List<RdgUniformBuffer> uniforms = new ArrayList<>();
        FramePlan plan = plan(rig, kept, uniforms, i -> context -> {
            await(turns.get(i));
            read(context, context.uniforms(uniforms.get(i % 2)));
            read(context, context.uniforms(uniforms.get(2)));
            read(context, context.upload(64L * (i + 1), 16));
            read(context, context.upload(100, 4));
            context.commands().dispatch(i + 1, 1, 1);
            finished.add(i);
            int position = order.indexOf(i);
            if (position + 1 < PASSES) {
                turns.get(order.get(position + 1)).countDown();
            }
        });
        rig.device.submissions().clear();
        FrameHandle handle = rig.executor.execute(plan);
        handle.completed().await();
        assertThat(finished).isEqualTo(order);
        List<String> sequence = new ArrayList<>();
        for (FakeQueue.Submitted submitted : rig.device.submissions()) {
            // Waits for the former frame are left out: the first frame has none.
            sequence.add(submitted.queue() + " " + submitted.submission().label() + " " + submitted.operations());
        }
        return sequence;
    }

    private static void read(PassContext context, BufferSlice slice) {
        context.commands().copyBuffer(slice.buffer(), slice.offset(), slice.buffer(), 0, slice.bytes());
    }

    private static FakeRig rig() {
        return new FakeRig(PASSES, FrameExecutorOptions.defaults(), QueueKind.GRAPHICS, QueueKind.COMPUTE);
    }

    private static void meet(CyclicBarrier meeting) {
        try {
            meeting.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IllegalStateException("the workers did not meet", e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("turn did not come");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
