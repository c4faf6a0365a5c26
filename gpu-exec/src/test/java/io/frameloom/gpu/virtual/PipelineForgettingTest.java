package io.frameloom.gpu.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.PipelineLibrary;
import io.frameloom.gpu.PipelineRequest;
import io.frameloom.gpu.WhileCompiling;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderIncludes;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.WorkerLevel;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pipelines that are not needed any more leave a library that goes on. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PipelineForgettingTest {
    private final TaskGraph tasks =
            TaskGraph.builder().name("library").workers(1).build();
    private final VirtualDevice device =
            VirtualDevice.open(new VirtualGpuOptions(1, 1), new DeviceOptions(tasks, "library", false, null));
    private final PipelineLibrary library = new PipelineLibrary(device, tasks);
    private final FrameContext frame = device.createFrameContext("frame");
    private final CommandList list = frame.beginCommands(device.queues().get(0), "list");

    @AfterEach
    void close() {
        library.close();
        frame.close();
        // Fails if a pipeline was left open.
        device.close();
        tasks.close();
    }

    private static ComputePipelineDescription description(int value) {
        return new ComputePipelineDescription("pipeline " + value, source(value), null);
    }

    private static ShaderSource source(int value) {
        return new ShaderSource("fill.comp", ShaderStage.COMPUTE, text(value));
    }

    private static String text(int value) {
        return "#version 450\nlayout(local_size_x = 1) in;\nlayout(binding = 0) buffer Result { int result[]; };\n"
                + "void main() { result[0] = " + value + "; }\n";
    }

    /** Binds it; a pipeline that is closed refuses. */
    private boolean isClosed(ComputePipeline pipeline) {
        try {
            list.bindPipeline(pipeline);
            return false;
        } catch (IllegalStateException refused) {
            assertThat(refused).hasMessageContaining("is closed");
            return true;
        }
    }

    @Test
    void aForgottenPipelineIsClosedAfterItsFramesAndMadeAnewWhenItIsAskedForAgain() {
        PipelineRequest<ComputePipeline> request = library.compile(description(1));
        ComputePipeline pipeline = request.await();
        PipelineRequest<ComputePipeline> kept = library.compile(description(2));
        kept.await();
        assertThat(library.forget(request)).isTrue();
        assertThat(library.forget(request)).isFalse();
        assertThat(isClosed(pipeline)).isFalse();
        GraphEvent framesDone = tasks.event("frames are through");
        assertThat(library.closeReplaced(framesDone)).isEqualTo(1);
        assertThat(isClosed(pipeline)).isFalse();

        PipelineRequest<ComputePipeline> again = library.compile(description(1));
        assertThat(again).isNotSameAs(request);
        assertThat(again.await()).isNotSameAs(pipeline);
        assertThat(library.compile(description(2))).isSameAs(kept);
        assertThat(library.statistics().compilations()).isEqualTo(3);
        framesDone.trigger();
        // The only worker takes what is in the background in order.
        library.compile(description(3)).compiled().await();
        assertThat(isClosed(pipeline)).isTrue();
        assertThat(library.forget(request))
                .as("the other request of its description")
                .isFalse();
        assertThat(again.isReady()).isTrue();
    }

    @Test
    void aForgottenRequestSaysSoWhateverThePolicy() {
        PipelineRequest<ComputePipeline> other = library.compile(description(2));
        ComputePipeline fallback = other.await();
        PipelineRequest<ComputePipeline> request = library.compile(description(1));
        request.await();
        library.forget(request);
        for (WhileCompiling policy :
                List.of(WhileCompiling.WAIT, WhileCompiling.SKIP, WhileCompiling.fallback(fallback))) {
            assertThatThrownBy(() -> request.bind(list, policy))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'pipeline 1'")
                    .hasMessageContaining("was forgotten; ask the library for it again");
        }
        assertThat(library.statistics().skips()).isZero();
        assertThat(library.statistics().fallbacks()).isZero();
    }

    @Test
    void whatIsBeingCompiledIsForgottenLater() {
        CountDownLatch gate = new CountDownLatch(1);
        ShaderIncludes slow = path -> {
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return text(1);
        };
        PipelineRequest<ComputePipeline> request = library.compile(new ComputePipelineDescription(
                "slow", ShaderSource.file("slow.comp", ShaderStage.COMPUTE, slow), null));
        assertThat(library.forget(request)).isFalse();
        gate.countDown();
        request.await();
        request.compiled().await();
        assertThat(library.forget(request)).isTrue();
    }

    /** The file is looked at without the lock, and the request is forgotten just then. */
    @Test
    void whatIsForgottenWhileItsFileIsReadIsNotReloaded() {
        PipelineRequest<?>[] forgotten = new PipelineRequest<?>[1];
        int[] reads = {0};
        ShaderIncludes changing = path -> {
            PipelineRequest<?> now = forgotten[0];
            if (now != null) {
                library.forget(now);
            }
            return text(reads[0]++);
        };
        PipelineRequest<ComputePipeline> request = library.compile(new ComputePipelineDescription(
                "changing", ShaderSource.file("changing.comp", ShaderStage.COMPUTE, changing), null));
        request.compiled().await();
        forgotten[0] = request;
        assertThat(library.reloadChanged()).isEmpty();
        assertThat(library.closeReplaced(request.compiled())).isEqualTo(1);
    }

    @Test
    void aLibraryThatForgetsKeepsNothing() {
        for (int i = 0; i < 50; i++) {
            PipelineRequest<ComputePipeline> request = library.compile(description(i));
            ComputePipeline pipeline = request.await();
            request.compiled().await();
            assertThat(library.forget(request)).isTrue();
            library.closeReplaced(request.compiled());
            tasks.task("behind", () -> {}).on(WorkerLevel.BACKGROUND).dispatch().await();
            assertThat(isClosed(pipeline)).isTrue();
        }
    }
}
