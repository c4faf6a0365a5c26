package io.frameloom.gpu.vulkan.command;

import static io.frameloom.gpu.vulkan.ValidatedDevice.memory;
import static io.frameloom.gpu.vulkan.ValidatedDevice.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferSlice;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.vulkan.StagedDriver;
import io.frameloom.gpu.vulkan.ValidatedDevice;
import io.frameloom.gpu.vulkan.VulkanComputeTest;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(60)
class VulkanFrameContextTest {
    private static final int THREADS = 4;
    private static final int FRAMES = 20;
    private static final int DISPATCHES = 8;
    private static final int WORDS = 64;
    private static final long STRIDE = WORDS * 4L;

    private static final String ADD = """
            #version 450
            layout(local_size_x = 64) in;
            layout(set = 0, binding = 0) readonly buffer Input { uint values[]; } source;
            layout(set = 0, binding = 1) writeonly buffer Output { uint values[]; } target;
            layout(push_constant) uniform Push { uint amount; };
            void main() {
                target.values[gl_GlobalInvocationID.x] = source.values[gl_GlobalInvocationID.x] + amount;
            }
            """;

    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice();

    private final StagedDriver driver = new StagedDriver();

    @RegisterExtension
    final ValidatedDevice staged = new ValidatedDevice(null, new DeviceSeams(driver, Set.of()));

    private CommandList recordPart(ComputePipeline add, FrameContext context, Buffer result, int frame, int thread) {
        CommandList list = context.beginCommands(gpu.graphics(), "part " + thread);
        list.bindPipeline(add);
        for (int i = 0; i < DISPATCHES; i++) {
            BufferSlice input = context.allocateUpload(STRIDE, 16);
            int[] values = new int[WORDS];
            Arrays.fill(values, frame * 1000 + thread * 100);
            input.data().asIntBuffer().put(values);
            list.bindBuffer("Input", input.buffer(), input.offset(), input.bytes());
            list.bindBuffer("Output", result, (thread * DISPATCHES + i) * STRIDE, STRIDE);
            list.pushConstants(VulkanComputeTest.push(i));
            list.dispatch(1, 1, 1);
        }
        list.end();
        return list;
    }

    @Test
    void fourThreadsRecordTwentyFramesInTwoRecycledContexts() throws Exception {
        ComputePipeline add = gpu.own(gpu.device()
                .createComputePipeline(new ComputePipelineDescription(
                        "add", new ShaderSource("add.comp", ShaderStage.COMPUTE, ADD), null)));
        long bytes = THREADS * DISPATCHES * STRIDE;
        GpuQueue queue = gpu.graphics();
        List<VulkanFrameContext> contexts = new ArrayList<>();
        List<Buffer> results = new ArrayList<>();
        List<Buffer> readbacks = new ArrayList<>();
        long[] inFlight = new long[2];
        for (int i = 0; i < 2; i++) {
            contexts.add((VulkanFrameContext) gpu.own(gpu.device().createFrameContext("frame " + i)));
            results.add(gpu.own(gpu.device()
                    .createBuffer(
                            "result " + i,
                            BufferDescription.device(bytes, BufferUsage.STORAGE, BufferUsage.COPY_SRC))));
            readbacks.add(gpu.own(gpu.device().createBuffer("readback " + i, BufferDescription.readback(bytes))));
        }
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        CyclicBarrier together = new CyclicBarrier(THREADS);
        int[] poolsAfterFirstUse = new int[2];
        try {
            for (int frame = 0; frame < FRAMES; frame++) {
                int slot = frame % 2;
                FrameContext context = contexts.get(slot);
                Buffer result = results.get(slot);
                if (frame >= 2) {
                    assertThat(queue.timeline().await(inFlight[slot], ValidatedDevice.LONG))
                            .isTrue();
                    check(readbacks.get(slot), frame - 2);
                    context.reset();
                }
                int current = frame;
                List<Future<CommandList>> parts = new ArrayList<>();
                for (int t = 0; t < THREADS; t++) {
                    int thread = t;
                    parts.add(pool.submit(() -> {
                        together.await();
                        return recordPart(add, context, result, current, thread);
                    }));
                }
                List<CommandList> lists = new ArrayList<>();
                for (Future<CommandList> part : parts) {
                    lists.add(part.get());
                }
                CommandList copy = context.beginCommands(queue, "copy");
                copy.barrier(memory(
                        PipelineStage.COMPUTE_SHADER,
                        MemoryAccess.STORAGE_WRITE,
                        PipelineStage.COPY,
                        MemoryAccess.COPY_READ));
                copy.copyBuffer(result, 0, readbacks.get(slot), 0, bytes);
                copy.end();
                lists.add(copy);
                inFlight[slot] = queue.submit(new Submission("frame " + frame, lists, List.of()))
                        .value();
                // Threads may or may not overlap in a frame, so up to THREADS pools are legal; memory is exact.
                poolsAfterFirstUse[slot] = contexts.get(slot).poolCount();
                assertThat(poolsAfterFirstUse[slot]).isLessThanOrEqualTo(THREADS + 1);
            }
            gpu.device().waitIdle();
            check(readbacks.get(0), FRAMES - 2);
            check(readbacks.get(1), FRAMES - 1);
        } finally {
            pool.shutdown();
        }
    }

    private static void check(Buffer readback, int frame) {
        int[] words = words(readback);
        for (int i = 0; i < words.length; i++) {
            int thread = i / WORDS / DISPATCHES;
            int dispatch = i / WORDS % DISPATCHES;
            assertThat(words[i]).as("word %d of frame %d", i, frame).isEqualTo(frame * 1000 + thread * 100 + dispatch);
        }
    }

    @Test
    void commandBuffersAndUploadMemoryAreReused() {
        VulkanFrameContext context = (VulkanFrameContext) gpu.own(gpu.device().createFrameContext("reused"));
        Buffer target =
                gpu.own(gpu.device().createBuffer("target", BufferDescription.device(3 << 20, BufferUsage.COPY_DST)));
        Buffer firstChunk = null;
        int pools = 0;
        for (int frame = 0; frame < 5; frame++) {
            BufferSlice small = context.allocateUpload(1000, 64);
            BufferSlice large = context.allocateUpload(3 << 20, 64);
            // The first round finds out how much is needed, and the second has it in one chunk.
            firstChunk = frame <= 1 ? small.buffer() : firstChunk;
            assertThat(small.buffer()).isSameAs(firstChunk);
            assertThat(small.offset()).isZero();
            long value = gpu.submit(
                            context,
                            "upload",
                            list -> list.copyBuffer(large.buffer(), large.offset(), target, 0, large.bytes()))
                    .value();
            assertThat(gpu.graphics().timeline().await(value, ValidatedDevice.LONG))
                    .isTrue();
            pools = frame <= 1 ? context.poolCount() : pools;
            assertThat(context.poolCount()).isEqualTo(pools);
            context.reset();
        }
    }

    @Test
    void aContextOfPendingSecondaryListsIsNotRecycled() {
        FrameContext parts = staged.own(staged.device().createFrameContext("parts"));
        FrameContext primary = staged.own(staged.device().createFrameContext("primary"));
        CommandList part = parts.beginSecondary(staged.graphics(), "part", null, List.of());
        part.end();
        driver.hold();
        long value = staged.submit(primary, "held", list -> list.execute(List.of(part)))
                .value();
        assertThatThrownBy(parts::reset)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'parts'")
                .hasMessageContaining("submission " + value);
        driver.release();
        assertThat(staged.graphics().timeline().await(value, ValidatedDevice.LONG))
                .isTrue();
        parts.reset();
    }

    @Test
    void aPendingContextIsNotRecycled() {
        FrameContext context = staged.own(staged.device().createFrameContext("busy"));
        driver.hold();
        long value = staged.submit(context, "held", list -> {}).value();
        assertThatThrownBy(context::reset)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'busy'")
                .hasMessageContaining("submission " + value);
        assertThatThrownBy(context::close).isInstanceOf(IllegalStateException.class);
        driver.release();
        assertThat(staged.graphics().timeline().await(value, ValidatedDevice.LONG))
                .isTrue();
        context.reset();
    }

    @Test
    void aListLeftOpenIsAbandonedByReset() {
        FrameContext context = gpu.own(gpu.device().createFrameContext("abandoned"));
        CommandList open = context.beginCommands(gpu.graphics(), "open");
        context.reset();
        assertThatThrownBy(open::end).isInstanceOf(IllegalStateException.class).hasMessageContaining("'open'");
        gpu.submit(context, "next", list -> {});
        gpu.device().waitIdle();
    }

    @Test
    void badUploadRequestsAreRefused() {
        FrameContext context = gpu.own(gpu.device().createFrameContext("bad"));
        assertThatThrownBy(() -> context.allocateUpload(0, 4)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> context.allocateUpload(16, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 or more");
    }
}
