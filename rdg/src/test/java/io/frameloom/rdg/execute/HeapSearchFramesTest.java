package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.HeapSearch;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.SearchedFrame;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Executors search for lower heaps of plans that are used again, beside the frames. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HeapSearchFramesTest {
    /** A task graph, a device, an executor, and sizes that stop a search until it may go on. */
    private static final class Rig implements MemorySizer, AutoCloseable {
        private final MemorySizer sizes = new SearchedFrame.Sizer();
        private final Thread render = Thread.currentThread();
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch goOn;
        private final AtomicInteger searches = new AtomicInteger();
        private final List<Throwable> failures = new CopyOnWriteArrayList<>();
        private final TaskGraph tasks = TaskGraph.builder()
                .name("rig")
                .workers(2)
                .uncaughtHandler((task, failure) -> failures.add(failure))
                .build();
        private final FakeDevice device;
        private final FrameExecutor executor;
        private final RenderGraphCompiler compiler;
        private volatile boolean ended;

        /** How the first size that a search asks for ends, if not with the size. */
        private volatile @Nullable Error failing;

        Rig(HeapSearch search, boolean stopping) {
            goOn = new CountDownLatch(stopping ? 1 : 0);
            tasks.start(NamedThread.RHI);
            device = new FakeDevice(tasks, QueueKind.GRAPHICS);
            executor = new FrameExecutor(
                    device,
                    tasks,
                    FrameExecutorOptions.defaults().withFramesInFlight(1).withPoolFrames(1));
            compiler = new RenderGraphCompiler(SearchedFrame.options(search));
        }

        @Override
        public long maxHeapBytes() {
            if (Thread.currentThread() != render) {
                searches.incrementAndGet();
                begun.countDown();
                awaitUninterrupted(goOn);
                ended = true;
                Error planted = failing;
                if (planted != null) {
                    throw planted;
                }
            }
            return sizes.maxHeapBytes();
        }

        @Override
        public MemoryRequirements requirements(TextureDescription description) {
            return sizes.requirements(description);
        }

        @Override
        public MemoryRequirements requirements(BufferDescription description) {
            return sizes.requirements(description);
        }

        /** Executes a frame to its end and returns its plan. */
        FramePlan frame(String prefix) {
            FramePlan plan = compiler.compile(SearchedFrame.declare(prefix), QueueTopology.of(device), this);
            FrameHandle frame = executor.execute(plan);
            frame.completed().await();
            return plan;
        }

        /** Executes frames until the search is over and one has what it found. */
        FramePlan lowered(String prefix) {
            FramePlan plan = frame(prefix);
            while (plan.heapBytes() != SearchedFrame.SEARCHED_BYTES) {
                Thread.onSpinWait();
                plan = frame(prefix);
            }
            return plan;
        }

        @Override
        public void close() {
            goOn.countDown();
            executor.close();
            tasks.close();
        }
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void framesGoOnWhileOneSearchRuns() {
        try (Rig rig = new Rig(HeapSearch.REUSED, true)) {
            rig.frame("");
            assertThat(rig.searches).as("searches of a plan that is not reused").hasValue(0);
            rig.frame("");
            awaitUninterrupted(rig.begun);
            for (int frame = 0; frame < 4; frame++) {
                assertThat(rig.frame("").heapBytes()).isEqualTo(SearchedFrame.UNSEARCHED_BYTES);
            }
            assertThat(rig.searches).hasValue(1);
            rig.goOn.countDown();
            rig.lowered("");
            for (int frame = 0; frame < 4; frame++) {
                assertThat(rig.frame("").heapBytes()).isEqualTo(SearchedFrame.SEARCHED_BYTES);
            }
            assertThat(rig.searches).hasValue(1);
            assertThat(rig.compiler.planReuse().lowered()).isEqualTo(1);
        }
    }

    /** Of another compiler. */
    @Test
    void noSecondSearchBeginsWhileOneRuns() {
        try (Rig rig = new Rig(HeapSearch.REUSED, true)) {
            rig.frame("");
            rig.frame("");
            awaitUninterrupted(rig.begun);
            RenderGraphCompiler other = new RenderGraphCompiler(SearchedFrame.options(HeapSearch.REUSED));
            for (int frame = 0; frame < 3; frame++) {
                FramePlan plan = other.compile(SearchedFrame.declare("other "), QueueTopology.of(rig.device), rig);
                rig.executor.execute(plan).completed().await();
            }
            assertThat(rig.searches).hasValue(1);
            rig.goOn.countDown();
            while (other.planReuse().lowered() == 0) {
                FramePlan plan = other.compile(SearchedFrame.declare("other "), QueueTopology.of(rig.device), rig);
                rig.executor.execute(plan).completed().await();
            }
            assertThat(rig.searches).hasValue(2);
        }
    }

    /** The heap of the larger placement gives way as well, unless another plan needs it whole. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void memoryOfTheDeviceIsGivenBack(int framesOfOthers) {
        try (Rig rig = new Rig(HeapSearch.REUSED, false)) {
            // So the lowered plan first comes in any frame of a period.
            for (int frame = 0; frame < framesOfOthers; frame++) {
                rig.executor.run(new RenderGraph("other")).completed().await();
            }
            rig.frame("");
            assertThat(rig.executor.poolStatistics().heapBytes()).isEqualTo(SearchedFrame.UNSEARCHED_BYTES);
            rig.lowered("");
            for (int frame = 0; frame < 6; frame++) {
                rig.frame("");
            }
            assertThat(rig.executor.poolStatistics().heapBytes()).isEqualTo(SearchedFrame.SEARCHED_BYTES);
            assertThat(rig.executor.poolStatistics().shrunk()).isEqualTo(1);
        }
    }

    @Test
    void aHeapThatOtherPlansNeedWholeStays() {
        try (Rig rig = new Rig(HeapSearch.REUSED, false)) {
            RenderGraphCompiler never = new RenderGraphCompiler(SearchedFrame.options(HeapSearch.OFF));
            int lowered = 0;
            while (lowered < 6) {
                FramePlan whole = never.compile(SearchedFrame.declare(""), QueueTopology.of(rig.device), rig);
                rig.executor.execute(whole).completed().await();
                lowered += rig.frame("").heapBytes() == SearchedFrame.SEARCHED_BYTES ? 1 : 0;
            }
            assertThat(rig.executor.poolStatistics().heapBytes()).isEqualTo(SearchedFrame.UNSEARCHED_BYTES);
            assertThat(rig.executor.poolStatistics().shrunk()).isZero();
        }
    }

    @Test
    void aSearchThatFailsIsReportedAndLeavesThePlan() {
        Rig rig = new Rig(HeapSearch.REUSED, false);
        Error planted = new StackOverflowError("planted");
        rig.failing = planted;
        try (rig) {
            rig.frame("");
            rig.frame("");
            awaitUninterrupted(rig.begun);
            for (int frame = 0; frame < 4; frame++) {
                assertThat(rig.frame("").heapBytes()).isEqualTo(SearchedFrame.UNSEARCHED_BYTES);
            }
        }
        assertThat(rig.searches).as("it is not tried again").hasValue(1);
        assertThat(rig.failures).containsExactly(planted);
    }

    @Test
    void noSearchRunsWhereItIsOff() {
        try (Rig rig = new Rig(HeapSearch.OFF, false)) {
            for (int frame = 0; frame < 4; frame++) {
                assertThat(rig.frame("").heapBytes()).isEqualTo(SearchedFrame.UNSEARCHED_BYTES);
            }
            rig.executor.close();
            assertThat(rig.searches).hasValue(0);
        }
    }

    /** A search asks the device for sizes, and the device may be closed after the executor. */
    @Test
    void closeWaitsForASearch() throws InterruptedException {
        try (Rig rig = new Rig(HeapSearch.REUSED, true)) {
            rig.frame("");
            rig.frame("");
            awaitUninterrupted(rig.begun);
            boolean[] endedBefore = new boolean[1];
            Thread closing = new Thread(() -> {
                rig.executor.close();
                endedBefore[0] = rig.ended;
            });
            closing.start();
            while (closing.getState() == Thread.State.NEW || closing.getState() == Thread.State.RUNNABLE) {
                Thread.onSpinWait();
            }
            rig.goOn.countDown();
            closing.join();
            assertThat(endedBefore[0]).isTrue();
        }
    }
}
