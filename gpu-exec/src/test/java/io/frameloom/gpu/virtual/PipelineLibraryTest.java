package io.frameloom.gpu.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.PipelineLibrary;
import io.frameloom.gpu.PipelineLibraryStatistics;
import io.frameloom.gpu.PipelineRequest;
import io.frameloom.gpu.WhileCompiling;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.error.PipelineCompilationException;
import io.frameloom.gpu.error.ShaderCompilationException;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskFailedException;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.WorkerLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Compilation in the background, on the virtual device; a file that is not read until it may be holds a compilation. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PipelineLibraryTest {
    private static final String FILL = lines(
            "#version 450",
            "layout(local_size_x = 1) in;",
            "layout(binding = 0) buffer Result { int result[]; };",
            "void main() { result[0] = 1; }");
    private static final String TWO = lines(
            "#version 450",
            "layout(local_size_x = 1) in;",
            "layout(binding = 0) buffer Result { int result[]; };",
            "layout(binding = 1) buffer Other { int other[]; };",
            "void main() { result[0] = other[0]; }");

    private final TaskGraph tasks =
            TaskGraph.builder().name("library").workers(1).build();
    private final VirtualDevice device =
            VirtualDevice.open(new VirtualGpuOptions(1, 1), new DeviceOptions(tasks, "library", false, null));
    private final PipelineLibrary library = new PipelineLibrary(device, tasks);
    private final FrameContext frame = device.createFrameContext("frame");
    private final CommandList list = frame.beginCommands(device.queues().get(0), "list");
    private final HeldFiles files = new HeldFiles();

    @AfterEach
    void close() {
        files.releaseAll();
        library.close();
        frame.close();
        // Fails if a pipeline was left open.
        device.close();
        tasks.close();
    }

    private static String lines(String... lines) {
        return String.join("\n", lines) + "\n";
    }

    private ComputePipelineDescription describe(String name, String text) {
        files.texts.put(name, text);
        return new ComputePipelineDescription(name, ShaderSource.file(name, ShaderStage.COMPUTE, files), null);
    }

    /** Describes a pipeline whose compilation waits until its file is released. */
    private ComputePipelineDescription held(String name, String text) {
        files.hold(name);
        return describe(name, text);
    }

    private ComputePipeline fallback(String name, String text) {
        return device.createComputePipeline(
                new ComputePipelineDescription(name, new ShaderSource(name, ShaderStage.COMPUTE, text), null));
    }

    @Test
    void equalDescriptionsShareOneCompilation() throws Exception {
        ComputePipelineDescription description = held("shared", FILL);
        ExecutorService pool = Executors.newFixedThreadPool(4);
        try {
            List<Future<PipelineRequest<ComputePipeline>>> all = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                // Equal, but another object.
                ComputePipelineDescription equal =
                        new ComputePipelineDescription(description.name(), description.shader(), null);
                all.add(pool.submit(() -> library.compile(equal)));
            }
            PipelineRequest<ComputePipeline> first = all.get(0).get();
            for (Future<PipelineRequest<ComputePipeline>> each : all) {
                assertThat(each.get()).isSameAs(first);
            }
            assertThat(library.statistics().compilations()).isEqualTo(1);
            assertThat(library.statistics().shared()).isEqualTo(31);
        } finally {
            pool.shutdown();
        }
    }

    @Test
    void skippingBindsNothingUntilThePipelineIsThere() throws Exception {
        PipelineRequest<ComputePipeline> request = library.compile(held("slow", FILL));
        files.awaitReached("slow");
        assertThat(request.isReady()).isFalse();
        assertThat(request.bind(list, WhileCompiling.SKIP)).isFalse();
        assertThat(request.bind(list, WhileCompiling.SKIP)).isFalse();
        assertThatThrownBy(() -> list.dispatch(1, 1, 1)).hasMessageContaining("comes before any bindPipeline");
        files.release("slow");
        request.compiled().await();
        assertThat(request.bind(list, WhileCompiling.SKIP)).isTrue();
        PipelineLibraryStatistics statistics = library.statistics();
        assertThat(statistics.skips()).isEqualTo(2);
        assertThat(statistics.binds()).isEqualTo(1);
        assertThat(statistics.raised()).as("the first skip makes it urgent").isEqualTo(1);
    }

    @Test
    void aFallbackIsBoundUntilThePipelineIsThere() throws Exception {
        try (ComputePipeline other = fallback("other", FILL)) {
            PipelineRequest<ComputePipeline> request = library.compile(held("slow", FILL));
            files.awaitReached("slow");
            assertThat(request.bind(list, WhileCompiling.fallback(other))).isTrue();
            // What is missing is said of the pipeline that is bound.
            assertThatThrownBy(() -> list.dispatch(1, 1, 1)).hasMessageContaining("'other'");
            files.release("slow");
            request.compiled().await();
            assertThat(request.bind(list, WhileCompiling.fallback(other))).isTrue();
            assertThatThrownBy(() -> list.dispatch(1, 1, 1)).hasMessageContaining("'slow'");
            assertThat(library.statistics().fallbacks()).isEqualTo(1);
            assertThat(library.statistics().binds()).isEqualTo(1);
        }
    }

    @Test
    void aFallbackWithOtherBindingsIsRefused() {
        try (ComputePipeline other = fallback("other", TWO)) {
            PipelineRequest<ComputePipeline> request = library.compile(describe("one", FILL));
            request.await();
            assertThatThrownBy(() -> request.bind(list, WhileCompiling.fallback(other)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'other' cannot stand in for 'one'")
                    .hasMessageContaining("Other");
        }
    }

    @Test
    void waitingBlocksUntilThePipelineIsThere() throws Exception {
        PipelineRequest<ComputePipeline> request = library.compile(held("slow", FILL));
        files.awaitReached("slow");
        ExecutorService pool = Executors.newSingleThreadExecutor();
        try {
            Future<Boolean> bound = pool.submit(() -> request.bind(list, WhileCompiling.WAIT));
            assertThat(request.isReady()).isFalse();
            files.release("slow");
            assertThat(bound.get()).isTrue();
        } finally {
            pool.shutdown();
        }
        assertThat(library.statistics().waits() + library.statistics().binds()).isEqualTo(1);
    }

    @Test
    void aWaitingWorkerCompilesItself() {
        // The only worker waits for what only a worker can do.
        GraphEvent done = tasks.task("frame", () -> {
                    PipelineRequest<ComputePipeline> request = library.compile(describe("own", FILL));
                    assertThat(request.bind(list, WhileCompiling.WAIT)).isTrue();
                })
                .dispatch();
        done.await();
        assertThat(library.statistics().waits()).isEqualTo(1);
    }

    @Test
    void anUrgentCompilationOvertakesTheOthers() throws Exception {
        library.compile(held("first", FILL));
        files.awaitReached("first");
        PipelineRequest<ComputePipeline> second = library.compile(describe("second", FILL));
        PipelineRequest<ComputePipeline> third = library.compile(describe("third", FILL));
        third.raise();
        third.raise();
        files.release("first");
        second.compiled().await();
        third.compiled().await();
        assertThat(files.reads()).containsExactly("first", "third", "second");
        assertThat(library.statistics().raised()).isEqualTo(1);
    }

    @Test
    void aFailureIsToldAtTheEventAndAtEveryBind() {
        PipelineRequest<ComputePipeline> request = library.compile(describe("broken", "#version 450\nnonsense\n"));
        assertThatThrownBy(request::await).isInstanceOf(PipelineCompilationException.class);
        assertThat(request.compiled().failure())
                .isInstanceOf(ShaderCompilationException.class)
                .hasMessageContaining("broken:2");
        try (ComputePipeline other = fallback("other", FILL)) {
            for (WhileCompiling policy :
                    List.of(WhileCompiling.WAIT, WhileCompiling.SKIP, WhileCompiling.fallback(other))) {
                assertThatThrownBy(() -> request.bind(list, policy))
                        .isInstanceOf(PipelineCompilationException.class)
                        .hasMessageContaining("pipeline 'broken' cannot be bound")
                        .hasMessageContaining("broken:2")
                        .hasCauseInstanceOf(ShaderCompilationException.class);
            }
        }
        assertThat(library.statistics().failures()).isEqualTo(1);
        assertThat(library.statistics().skips()).isZero();
    }

    @Test
    void aFailureOfWhatWasNeverBoundIsReportedByTheTaskGraph() {
        List<String> uncaught = new CopyOnWriteArrayList<>();
        TaskGraph own = TaskGraph.builder()
                .workers(1)
                .uncaughtHandler((task, failure) -> uncaught.add(task + ": " + failure.getMessage()))
                .build();
        try (VirtualDevice other =
                        VirtualDevice.open(new VirtualGpuOptions(1, 1), new DeviceOptions(own, "own", false, null));
                PipelineLibrary pipelines = new PipelineLibrary(other, own)) {
            PipelineRequest<ComputePipeline> bound = pipelines.compile(describe("bound", "#version 450\nnonsense\n"));
            assertThatThrownBy(bound::await).isInstanceOf(PipelineCompilationException.class);
            pipelines
                    .compile(describe("forgotten", "#version 450\nnonsense\n"))
                    .compiled()
                    .awaitCompletion();
        }
        own.close();
        assertThat(uncaught)
                .singleElement()
                .asString()
                .startsWith("compile pipeline 'forgotten': ")
                .contains("forgotten:2");
    }

    @Test
    void aChangedFileGivesANewPipelineAndTheOldOneGoesWithItsFrames() {
        ComputePipelineDescription description = describe("live", FILL);
        PipelineRequest<ComputePipeline> request = library.compile(description);
        ComputePipeline old = request.await();
        assertThat(library.reloadChanged()).isEmpty();
        files.texts.put("live", TWO);
        assertThat(library.reloadChanged()).hasSize(1);
        awaitReload(request);
        ComputePipeline fresh = request.await();
        assertThat(fresh).isNotSameAs(old);
        assertThat(fresh.bindings()).hasSize(2);
        assertThat(library.statistics().reloads()).isEqualTo(1);
        assertThat(library.reloadChanged()).isEmpty();

        GraphEvent frameDone = tasks.event("frame done");
        assertThat(library.closeReplaced(frameDone)).isEqualTo(1);
        assertThat(library.closeReplaced(frameDone)).isZero();
        list.bindPipeline(old);
        frameDone.trigger();
        // Behind the closing, on the only worker and in its queue.
        tasks.task("after", () -> {}).on(WorkerLevel.BACKGROUND).dispatch().await();
        assertThatThrownBy(() -> list.bindPipeline(old)).hasMessageContaining("is closed");
    }

    private static void awaitReload(PipelineRequest<?> request) {
        GraphEvent reloaded = request.reloaded();
        Objects.requireNonNull(reloaded).await();
    }

    @Test
    void aReloadThatDoesNotCompileKeepsTheOldPipeline() {
        PipelineRequest<ComputePipeline> request = library.compile(describe("live", FILL));
        ComputePipeline old = request.await();
        files.texts.put("live", "#version 450\nnonsense");
        assertThat(library.reloadChanged()).hasSize(1);
        awaitReload(request);
        assertThat(request.await()).isSameAs(old);
        assertThat(request.reloadFailure()).isInstanceOf(ShaderCompilationException.class);
        assertThat(library.reloadChanged()).as("not again without a change").isEmpty();
        files.texts.put("live", TWO);
        assertThat(library.reloadChanged()).hasSize(1);
        awaitReload(request);
        assertThat(request.reloadFailure()).isNull();
        assertThat(request.await()).isNotSameAs(old);
    }

    @Test
    void aReloadMendsAFailedCompilation() {
        PipelineRequest<ComputePipeline> request = library.compile(describe("mended", "#version 450\nnonsense"));
        assertThatThrownBy(request::await).isInstanceOf(PipelineCompilationException.class);
        files.texts.put("mended", FILL);
        assertThat(library.reloadChanged()).hasSize(1);
        awaitReload(request);
        assertThat(request.bind(list, WhileCompiling.SKIP)).isTrue();
    }

    @Test
    void aCompilationThatFoundNoMemoryIsBegunAnew() {
        ComputePipelineDescription description = describe("large", FILL);
        files.failOnRead("large", 1, new OutOfMemoryError("for the test"));
        PipelineRequest<ComputePipeline> first = library.compile(description);
        assertThatThrownBy(first::await).isInstanceOf(PipelineCompilationException.class);
        PipelineRequest<ComputePipeline> second = library.compile(description);
        assertThat(second).isNotSameAs(first);
        second.await();
        assertThat(library.compile(description)).isSameAs(second);
        PipelineRequest<ComputePipeline> broken = library.compile(describe("broken", "#version 450\nnonsense\n"));
        assertThatThrownBy(broken::await).isInstanceOf(PipelineCompilationException.class);
        assertThat(library.compile(describe("broken", "#version 450\nnonsense\n")))
                .as("what does not compile is known")
                .isSameAs(broken);
    }

    @Test
    void anExhaustedStackIsNoPassingWantOfMemory() {
        ComputePipelineDescription description = describe("large", FILL);
        files.failOnRead("large", 1, new OutOfMemoryError("Out of stack space."));
        PipelineRequest<ComputePipeline> first = library.compile(description);
        assertThatThrownBy(first::await).isInstanceOf(PipelineCompilationException.class);
        assertThat(library.compile(description)).isSameAs(first);
    }

    @Test
    void aReloadThatFailsWithAnErrorSaysSo() {
        PipelineRequest<ComputePipeline> request = library.compile(describe("live", FILL));
        ComputePipeline old = request.await();
        files.texts.put("live", TWO);
        assertThat(library.reloadChanged()).hasSize(1);
        awaitReload(request);
        ComputePipeline fresh = request.await();
        assertThat(fresh).isNotSameAs(old);
        files.texts.put("live", FILL);
        // The look at the files reads it, and then the compilation does.
        files.failOnRead("live", 2, new StackOverflowError("for the test"));
        assertThat(library.reloadChanged()).hasSize(1);
        GraphEvent reloaded = Objects.requireNonNull(request.reloaded());
        assertThatThrownBy(reloaded::await).isInstanceOf(TaskFailedException.class);
        assertThat(request.reloadFailure()).isInstanceOf(StackOverflowError.class);
        assertThat(request.await()).isSameAs(fresh);
    }

    /** From the includes of an application, which declare IOException alone. */
    @Test
    void aReloadThatFailsWithACheckedExceptionSaysSo() {
        PipelineRequest<ComputePipeline> request = library.compile(describe("live", FILL));
        ComputePipeline old = request.await();
        files.texts.put("live", TWO);
        TimeoutException failure = new TimeoutException("for the test");
        files.failOnRead("live", 2, failure);
        assertThat(library.reloadChanged()).hasSize(1);
        awaitReload(request);
        assertThat(request.reloadFailure()).isSameAs(failure);
        assertThat(library.statistics().failures()).isEqualTo(1);
        assertThat(request.await()).isSameAs(old);
    }

    @Test
    void aLookAtTheFilesReadsEachOnce() {
        files.texts.put("shared.glsl", "\n");
        String text = FILL.replace("void main", "#include \"shared.glsl\"\nvoid main");
        for (int i = 0; i < 4; i++) {
            library.compile(describe("shader" + i, text)).await();
        }
        files.times.clear();
        assertThat(library.reloadChanged()).isEmpty();
        assertThat(files.times)
                .hasSize(5)
                .allSatisfy((path, times) -> assertThat(times).as(path).isEqualTo(1));
    }

    @Test
    void aClosedLibraryGivesNothingThatItHad() {
        ComputePipelineDescription description = describe("known", FILL);
        PipelineRequest<ComputePipeline> request = library.compile(description);
        request.await();
        library.close();
        assertThatThrownBy(() -> library.compile(description))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("library is closed");
        for (WhileCompiling policy : List.of(WhileCompiling.WAIT, WhileCompiling.SKIP)) {
            assertThatThrownBy(() -> request.bind(list, policy))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
        }
    }

    private boolean isOpen() {
        try {
            library.reloadChanged();
            return true;
        } catch (IllegalStateException closed) {
            return false;
        }
    }

    @Test
    void closingWaitsForWhatIsBeingCompiledAndLeavesNothing() throws Exception {
        library.compile(held("running", FILL));
        files.awaitReached("running");
        library.compile(describe("waiting", FILL));
        ExecutorService pool = Executors.newSingleThreadExecutor();
        try {
            Future<?> closing = pool.submit(library::close);
            while (isOpen()) {
                Thread.onSpinWait();
            }
            files.release("running");
            closing.get();
            assertThat(files.reads()).as("what was not begun is not compiled").containsExactly("running");
        } finally {
            pool.shutdown();
        }
        assertThatThrownBy(() -> library.compile(describe("late", FILL)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("library is closed");
        library.close();
    }
}
