package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.taskgraph.worker.BlockingRegion;
import io.frameloom.taskgraph.worker.WorkerThread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blocking regions that outlive what began them: who is blamed, and what is closed. */
@Timeout(60)
@SuppressWarnings("try") // scopes are there to be left open
final class LeftOpenRegionTest {
    private final List<String> reported = Collections.synchronizedList(new ArrayList<>());

    private TaskGraph graph(int spares) {
        return TaskGraph.builder()
                .name("g")
                .workers(1)
                .spareWorkers(spares)
                .uncaughtHandler((what, failure) -> reported.add(what))
                .build();
    }

    private static @Nullable String innermost() {
        return BlockingRegion.openOn(Thread.currentThread());
    }

    /** The only worker runs the careless task inside its wait. */
    @Test
    void aTaskThatRunsInsideAWaitIsBlamedForItsOwnRegionsOnly() {
        AtomicReference<@Nullable String> left = new AtomicReference<>();
        try (TaskGraph graph = graph(0)) {
            graph.task("innocent", () -> {
                        try (BlockingScope mine = graph.beginBlocking("mine")) {
                            graph.task("guilty", () -> {
                                        graph.beginBlocking("forgotten");
                                        graph.beginBlocking("inside");
                                    })
                                    .dispatch()
                                    .await();
                            left.set(innermost());
                        }
                    })
                    .dispatch()
                    .await();
        }
        assertThat(left).hasValue("mine");
        assertThat(reported).containsExactly("blocking region 'forgotten' of task 'guilty'");
    }

    @Test
    void aShareOfABroadcastInsideAWaitIsBlamed() {
        AtomicReference<@Nullable String> left = new AtomicReference<>("unset");
        try (TaskGraph graph = graph(0)) {
            graph.task("innocent", () -> {
                        graph.broadcast("set-up", () -> graph.beginBlocking("forgotten"))
                                .await();
                        left.set(innermost());
                    })
                    .dispatch()
                    .await();
        }
        assertThat(left).hasValue(null);
        assertThat(reported).containsExactly("blocking region 'forgotten' of broadcast 'set-up on g-worker-0'");
    }

    @Test
    void aShareOnARestingSpareIsBlamed() {
        try (TaskGraph graph = graph(1)) {
            graph.broadcast("set-up", () -> graph.beginBlocking("forgotten")).await();
            graph.task("after", () -> {}).dispatch().await();
            assertThat(graph.describeWaits()).doesNotContain("in blocking region");
        }
        assertThat(reported)
                .containsExactlyInAnyOrder(
                        "blocking region 'forgotten' of broadcast 'set-up on g-worker-0'",
                        "blocking region 'forgotten' of broadcast 'set-up on g-spare-0'");
    }

    /** What the careless task leaves open is closed although it has closed what was around it. */
    @Test
    void aTaskThatClosesARegionOfAnotherLeavesNothingBehind() {
        AtomicReference<@Nullable String> left = new AtomicReference<>("unset");
        try (TaskGraph graph = graph(0)) {
            graph.task("innocent", () -> {
                        try (BlockingScope around = graph.beginBlocking("around")) {
                            BlockingScope mine = graph.beginBlocking("mine");
                            graph.task("guilty", () -> {
                                        mine.close();
                                        graph.beginBlocking("forgotten");
                                    })
                                    .dispatch()
                                    .await();
                            left.set(innermost());
                        }
                    })
                    .dispatch()
                    .await();
        }
        assertThat(left).hasValue("around");
        assertThat(reported).containsExactly("blocking region 'forgotten' of task 'guilty'");
    }

    @Test
    void loopsAndCompiledGraphsAreNamed() throws InterruptedException {
        try (TaskGraph graph = graph(0)) {
            CountDownLatch opened = new CountDownLatch(1);
            graph.parallelFor("loop", 2, 1, (from, to, slot) -> {
                if (Thread.currentThread() instanceof WorkerThread) {
                    graph.beginBlocking("in loop");
                    opened.countDown();
                } else {
                    awaitQuietly(opened);
                }
            });
            GraphBuilder builder = graph.graphBuilder("frame");
            builder.node("careless", () -> graph.beginBlocking("in node"));
            CompiledGraph compiled = builder.build();
            compiled.run();
            graph.task("after", () -> {}).dispatch().await();
        }
        assertThat(reported)
                .containsExactly(
                        "blocking region 'in loop' of parallelFor 'loop'",
                        "blocking region 'in node' of a node of graph 'frame'");
    }

    /** Forgets a region without a handler of its own: the report goes to the log. */
    static final class Forgetful {
        private Forgetful() {}

        public static void main(String[] args) {
            try (TaskGraph graph = TaskGraph.builder().name("g").workers(1).build()) {
                graph.task("leaky", () -> graph.beginBlocking("forgotten"))
                        .dispatch()
                        .await();
            }
        }
    }

    @Test
    void theLogSaysThatARegionWasLeftOpenAndNotThatTheTaskFailed() throws IOException, InterruptedException {
        assertThat(ChildJvm.run(Forgetful.class))
                .anyMatch(
                        line -> line.contains("blocking region 'forgotten' of task 'leaky' of graph 'g' was left open"))
                .noneMatch(line -> line.contains("failed"));
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
