package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.ValidatedDevice.memory;
import static io.frameloom.gpu.vulkan.ValidatedDevice.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.PipelineLibrary;
import io.frameloom.gpu.PipelineRequest;
import io.frameloom.gpu.WhileCompiling;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderIncludes;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.taskgraph.WorkerLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What a frame computes while its pipeline is being compiled, when it is there, and after its file has changed. */
@Timeout(60)
class VulkanPipelineLibraryTest {
    @RegisterExtension
    final ValidatedDevice gpu = new ValidatedDevice();

    @TempDir
    private Path folder;

    private static String writing(int value) {
        return "#version 450\nlayout(local_size_x = 1) in;\nlayout(binding = 0) buffer Result { uint result; };\n"
                + "void main() { result = " + value + "; }\n";
    }

    private final class Output {
        private final Buffer result = gpu.own(gpu.device()
                .createBuffer(
                        "result",
                        BufferDescription.device(4, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST)));
        private final Buffer readback = gpu.own(gpu.device().createBuffer("readback", BufferDescription.readback(4)));

        /** Records a frame that computes a value, or leaves zero. */
        void record(CommandList list, PipelineRequest<ComputePipeline> request, WhileCompiling policy) {
            // A frame before this one may still be at work on the same buffers.
            list.barrier(new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL)));
            list.fillBuffer(result, 0, 4, 0);
            list.barrier(memory(
                    PipelineStage.COPY,
                    MemoryAccess.COPY_WRITE,
                    PipelineStage.COMPUTE_SHADER,
                    MemoryAccess.STORAGE_WRITE));
            if (request.bind(list, policy)) {
                list.bindBuffer("Result", result, 0, 4);
                list.dispatch(1, 1, 1);
            }
            list.barrier(memory(
                    PipelineStage.ALL_COMMANDS, MemoryAccess.MEMORY_WRITE, PipelineStage.COPY, MemoryAccess.COPY_READ));
            list.copyBuffer(result, 0, readback, 0, 4);
            list.barrier(
                    memory(PipelineStage.COPY, MemoryAccess.COPY_WRITE, PipelineStage.HOST, MemoryAccess.HOST_READ));
        }

        int run(PipelineRequest<ComputePipeline> request, WhileCompiling policy) {
            gpu.execute("frame", list -> record(list, request, policy));
            return words(readback)[0];
        }
    }

    @Test
    void framesSkipAndFallBackUntilThePipelineIsThere() {
        CountDownLatch gate = new CountDownLatch(1);
        ShaderIncludes slow = path -> {
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            return writing(7);
        };
        ComputePipeline other = gpu.own(gpu.device()
                .createComputePipeline(new ComputePipelineDescription(
                        "other", new ShaderSource("other.comp", ShaderStage.COMPUTE, writing(3)), null)));
        try (PipelineLibrary library = new PipelineLibrary(gpu.device(), gpu.tasks())) {
            PipelineRequest<ComputePipeline> request = library.compile(new ComputePipelineDescription(
                    "slow", ShaderSource.file("slow.comp", ShaderStage.COMPUTE, slow), null));
            Output output = new Output();
            assertThat(output.run(request, WhileCompiling.SKIP)).isZero();
            assertThat(output.run(request, WhileCompiling.fallback(other))).isEqualTo(3);
            gate.countDown();
            assertThat(output.run(request, WhileCompiling.WAIT)).isEqualTo(7);
            assertThat(output.run(request, WhileCompiling.fallback(other))).isEqualTo(7);
            assertThat(library.statistics().skips()).isEqualTo(1);
            assertThat(library.statistics().fallbacks()).isEqualTo(1);
        }
    }

    @Test
    void aReplacedPipelineLivesAsLongAsFramesThatUseIt() throws IOException {
        Files.writeString(folder.resolve("live.comp"), writing(1));
        try (PipelineLibrary library = new PipelineLibrary(gpu.device(), gpu.tasks());
                FrameContext context = gpu.device().createFrameContext("frames")) {
            PipelineRequest<ComputePipeline> request = library.compile(new ComputePipelineDescription(
                    "live", ShaderSource.file("live.comp", ShaderStage.COMPUTE, ShaderIncludes.folder(folder)), null));
            Output output = new Output();
            // The first frame has bound the old pipeline when the new one comes.
            TimelinePoint first = gpu.submit(context, "first", list -> {
                output.record(list, request, WhileCompiling.WAIT);
                reload(library, request, 2);
            });
            assertThat(library.closeReplaced(gpu.graphics().timeline().reached(first.value())))
                    .isEqualTo(1);
            TimelinePoint second =
                    gpu.submit(context, "second", list -> output.record(list, request, WhileCompiling.WAIT));
            gpu.graphics().timeline().reached(second.value()).await();
            assertThat(first.value()).isLessThan(second.value());
            assertThat(words(output.readback)[0]).isEqualTo(2);
            gpu.tasks()
                    .task("after", () -> {})
                    .on(WorkerLevel.BACKGROUND)
                    .dispatch()
                    .await();
        }
    }

    private void reload(PipelineLibrary library, PipelineRequest<ComputePipeline> request, int value) {
        try {
            Files.writeString(folder.resolve("live.comp"), writing(value));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        assertThat(library.reloadChanged()).hasSize(1);
        Objects.requireNonNull(request.reloaded()).await();
    }
}
