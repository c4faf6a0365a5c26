package io.frameloom.gpu.vulkan.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.cache.disk.Digest;
import io.frameloom.gpu.device.DeviceGate;
import io.frameloom.gpu.vulkan.pipeline.PipelineParts.MadePart;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.TaskGraphClosedException;
import io.frameloom.taskgraph.WorkerLevel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which parts are made, which forms are linked and when, and what is destroyed, with a driver that only writes down. */
@Timeout(60)
class PipelineLinkerTest {
    private final List<String> uncaught = new CopyOnWriteArrayList<>();
    private final TaskGraph tasks = TaskGraph.builder()
            .name("linker")
            .workers(1)
            .spareWorkers(1)
            .uncaughtHandler((task, failure) -> uncaught.add(task + ": " + failure.getMessage()))
            .build();
    private final DeviceGate gate = new DeviceGate("device");
    /** What the driver was asked for, in order. */
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());

    private final Map<Long, String> living = Collections.synchronizedMap(new HashMap<>());
    private final PipelineParts parts = new PipelineParts(tasks, this::destroy);
    private final PipelineLinker linker = new PipelineLinker(tasks, gate, parts, this::destroy);
    private final CountDownLatch background = new CountDownLatch(1);
    private long last;

    @AfterEach
    void close() {
        background.countDown();
        tasks.close();
    }

    private synchronized long create(String what) {
        log.add(what);
        last++;
        living.put(last, what);
        return last;
    }

    private void destroy(long handle) {
        String gone = living.remove(handle);
        assertThat(gone).as("a pipeline is destroyed once").isNotNull();
        log.add("destroy " + gone);
    }

    /** The calls for a pipeline whose content is a word for each part. */
    private final class Driver implements PipelineLinker.Calls {
        private final String name;
        private final String[] contents;
        private @Nullable String failing;
        private Consumer<String> whileLinking = form -> {};
        private Runnable whileMaking = () -> {};

        Driver(String name, String... contents) {
            this.name = name;
            this.contents = contents;
        }

        private long make(String what) {
            if (what.equals(failing)) {
                throw new IllegalStateException("no " + what);
            }
            return create(what);
        }

        @Override
        public Set<PipelinePart> parts() {
            return EnumSet.allOf(PipelinePart.class);
        }

        @Override
        public Digest content(PipelinePart part) {
            return new Digest(contents[part.ordinal()].hashCode(), part.ordinal(), 0, 0);
        }

        @Override
        public MadePart make(PipelinePart part) {
            String what = contents[part.ordinal()];
            whileMaking.run();
            return new MadePart(make(what), () -> log.add("end of " + what));
        }

        @Override
        public long link(long[] made, boolean optimised) {
            assertThat(Arrays.stream(made).mapToObj(living::get)).containsExactly(contents);
            String form = (optimised ? "optimised " : "fast ") + name;
            whileLinking.accept(form);
            return make(form);
        }
    }

    private LinkedPipeline link(Driver driver) {
        return linker.link(driver.name, driver, () -> log.add("end of " + driver.name));
    }

    /** Keeps the only worker, and with it what runs in the background, until it may run. */
    private void hold() {
        CountDownLatch held = new CountDownLatch(1);
        tasks.task("hold", () -> {
                    held.countDown();
                    background.await();
                })
                .fireAndForget();
        try {
            held.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void release() {
        background.countDown();
        tasks.task("after", () -> {}).on(WorkerLevel.BACKGROUND).dispatch().await();
    }

    private List<String> taken() {
        List<String> all = List.copyOf(log);
        log.clear();
        return all;
    }

    @Test
    void theFirstFormIsLinkedFastAndTheSecondInTheBackground() {
        hold();
        LinkedPipeline pipeline = link(new Driver("p", "input", "vertex", "fragment", "output"));
        assertThat(taken()).containsExactly("input", "vertex", "fragment", "output", "fast p");
        assertThat(living).containsEntry(pipeline.handle(), "fast p");
        assertThat(pipeline.isOptimised()).isFalse();
        release();
        assertThat(taken()).as("nothing goes as long as a list may have it").containsExactly("optimised p");
        assertThat(living).containsEntry(pipeline.handle(), "optimised p");
        assertThat(pipeline.isOptimised()).isTrue();
        pipeline.free();
        assertThat(taken())
                .startsWith("destroy fast p", "destroy optimised p")
                .contains("destroy vertex", "end of vertex")
                .endsWith("end of p");
        assertThat(living).isEmpty();
        assertThat(parts.size()).isZero();
    }

    @Test
    void partsOfEqualContentAreMadeOnceAndGoWithTheirLastPipeline() {
        hold();
        LinkedPipeline first = link(new Driver("p", "input", "vertex", "red", "output"));
        taken();
        LinkedPipeline second = link(new Driver("q", "input", "vertex", "blue", "output"));
        assertThat(taken()).containsExactly("blue", "fast q");
        assertThat(parts.size()).isEqualTo(5);
        release();
        taken();
        first.free();
        assertThat(taken())
                .containsExactly("destroy fast p", "destroy optimised p", "destroy red", "end of red", "end of p");
        second.free();
        assertThat(living).isEmpty();
        link(new Driver("r", "input", "vertex", "blue", "output")).free();
        assertThat(taken()).as("made anew").contains("input", "vertex", "blue", "output");
    }

    /** The only worker waits for a part that another thread makes. */
    @Test
    void aWorkerThatWaitsForAPartLetsOtherTasksRun() throws InterruptedException {
        CountDownLatch making = new CountDownLatch(1);
        CountDownLatch waiting = new CountDownLatch(1);
        Driver slow = new Driver("p", "input", "vertex", "red", "output");
        slow.whileMaking = () -> {
            making.countDown();
            try {
                background.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        };
        Thread elsewhere = new Thread(() -> link(slow));
        elsewhere.start();
        making.await();
        var linked = tasks.task("link", () -> {
                    waiting.countDown();
                    link(new Driver("q", "input", "vertex", "blue", "output"));
                })
                .dispatch();
        waiting.await();
        tasks.task("other", () -> {}).dispatch().await();
        assertThat(linked.isComplete()).isFalse();
        background.countDown();
        linked.await();
        elsewhere.join();
        assertThat(log).containsOnlyOnce("input");
        assertThat(uncaught).isEmpty();
    }

    @Test
    void whateverFailsAtTheStartLeavesNothing() {
        hold();
        for (String failing : List.of("input", "vertex", "fragment", "output", "fast p")) {
            Driver driver = new Driver("p", "input", "vertex", "fragment", "output");
            driver.failing = failing;
            assertThatThrownBy(() -> link(driver)).hasMessage("no " + failing);
            assertThat(living).isEmpty();
            assertThat(parts.size()).isZero();
            assertThat(taken()).containsOnlyOnce("end of p");
            driver.failing = null;
            link(driver).free();
            assertThat(living).isEmpty();
            taken();
        }
    }

    @Test
    void aFailureInTheBackgroundIsReportedOnceAndKeepsTheFastForm() {
        Driver driver = new Driver("p", "input", "vertex", "fragment", "output");
        driver.failing = "optimised p";
        LinkedPipeline pipeline = link(driver);
        release();
        assertThat(uncaught).containsExactly("optimise pipeline 'p': no optimised p");
        assertThat(living).containsEntry(pipeline.handle(), "fast p");
        assertThat(pipeline.isOptimised()).isFalse();
        pipeline.free();
        assertThat(living).isEmpty();
    }

    /** When a pipeline is freed, seen from the link in the background. */
    private enum Freed {
        BEFORE,
        MEANWHILE,
        AFTERWARDS
    }

    /** The lock of a pipeline is taken once to free it, and before and after the link: there are no other orders. */
    @ParameterizedTest
    @EnumSource
    void everythingIsDestroyedOnceWheneverThePipelineIsFreed(Freed when) {
        hold();
        Driver driver = new Driver("p", "input", "vertex", "fragment", "output");
        LinkedPipeline pipeline = link(driver);
        taken();
        if (when == Freed.BEFORE) {
            pipeline.free();
            assertThat(living).isEmpty();
        }
        driver.whileLinking = form -> {
            if (when == Freed.MEANWHILE) {
                pipeline.free();
                assertThat(taken()).as("the link has the parts and the layout").isEmpty();
            }
        };
        release();
        if (when == Freed.AFTERWARDS) {
            pipeline.free();
        }
        assertThat(log.contains("optimised p")).isEqualTo(when != Freed.BEFORE);
        assertThat(living).isEmpty();
        assertThat(log).containsOnlyOnce("end of p");
        assertThat(uncaught).isEmpty();
    }

    @Test
    void nothingIsLinkedOnceTheDeviceCloses() {
        hold();
        LinkedPipeline pipeline = link(new Driver("p", "input", "vertex", "fragment", "output"));
        gate.close();
        taken();
        release();
        assertThat(taken()).isEmpty();
        assertThat(uncaught).isEmpty();
        pipeline.free();
        assertThat(living).isEmpty();
    }

    @Test
    void aClosedTaskGraphRefusesAndLeavesNothing() {
        tasks.close();
        assertThatThrownBy(() -> link(new Driver("p", "input", "vertex", "fragment", "output")))
                .isInstanceOf(TaskGraphClosedException.class);
        assertThat(living).isEmpty();
        assertThat(parts.size()).isZero();
        assertThat(taken()).containsOnlyOnce("end of p");
    }
}
