package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What graphs promise that are launched once. */
@Timeout(60)
final class RunOnceTest {
    private static final int LARGE = 100_000;

    private final List<Throwable> uncaught = Collections.synchronizedList(new ArrayList<>());
    private final TaskGraph graph = TaskGraph.builder()
            .workers(2)
            .uncaughtHandler((name, failure) -> uncaught.add(failure))
            .build();
    private final GraphBuilder batch = graph.graphBuilder("batch");
    private final List<String> ran = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void close() {
        graph.close();
    }

    private GraphNode node(String name) {
        return batch.node(name, () -> ran.add(name));
    }

    /** Shapes: the prerequisites of each node, which are numbers of other nodes. */
    enum Shape {
        EMPTY {
            @Override
            int[][] prerequisites(Random random) {
                return new int[0][];
            }
        },
        ONE {
            @Override
            int[][] prerequisites(Random random) {
                return new int[1][0];
            }
        },
        CHAIN {
            @Override
            int[][] prerequisites(Random random) {
                return fill(300, node -> node == 0 ? new int[0] : new int[] {node - 1});
            }
        },
        /** Each prerequisite is declared after the node that has it. */
        BACKWARDS {
            @Override
            int[][] prerequisites(Random random) {
                return fill(300, node -> node == 299 ? new int[0] : new int[] {node + 1});
            }
        },
        FAN {
            @Override
            int[][] prerequisites(Random random) {
                int[] middle = new int[298];
                Arrays.setAll(middle, i -> i + 1);
                return fill(300, node -> node == 0 ? new int[0] : node == 299 ? middle : new int[] {0});
            }
        },
        TREE {
            @Override
            int[][] prerequisites(Random random) {
                return fill(511, node -> node == 0 ? new int[0] : new int[] {(node - 1) / 2});
            }
        },
        WAVEFRONT {
            @Override
            int[][] prerequisites(Random random) {
                return fill(400, node -> {
                    boolean top = node < 20;
                    boolean left = node % 20 == 0;
                    return top && left
                            ? new int[0]
                            : top
                                    ? new int[] {node - 1}
                                    : left ? new int[] {node - 20} : new int[] {node - 1, node - 20};
                });
            }
        },
        RANDOM {
            @Override
            int[][] prerequisites(Random random) {
                int[] order = random.ints(0, 500).distinct().limit(500).toArray();
                int[][] made = new int[500][0];
                for (int place = 1; place < order.length; place++) {
                    int below = place;
                    made[order[place]] = random.ints(random.nextInt(8), 0, below)
                            .map(i -> order[i])
                            .toArray();
                }
                return made;
            }
        };

        abstract int[][] prerequisites(Random random);

        private static int[][] fill(int nodes, java.util.function.IntFunction<int[]> of) {
            int[][] made = new int[nodes][];
            Arrays.setAll(made, of);
            return made;
        }
    }

    /** Bodies that are long in every second batch, so that it is shared. */
    @ParameterizedTest
    @EnumSource(Shape.class)
    void eachNodeRunsOnceAfterItsPrerequisites(Shape shape) {
        for (int seed = 0; seed < 12; seed++) {
            int[][] prerequisites = shape.prerequisites(new Random(seed));
            AtomicIntegerArray ended = new AtomicIntegerArray(prerequisites.length);
            AtomicInteger early = new AtomicInteger();
            long nanos = seed % 2 == 0 ? 0L : 2_000L;
            GraphNode[] nodes = new GraphNode[prerequisites.length];
            for (int i = 0; i < nodes.length; i++) {
                int self = i;
                nodes[i] = batch.node("n", () -> {
                    for (int prerequisite : prerequisites[self]) {
                        early.addAndGet(1 - ended.get(prerequisite));
                    }
                    for (long begin = System.nanoTime(); System.nanoTime() - begin < nanos; ) {
                        Thread.onSpinWait();
                    }
                    ended.incrementAndGet(self);
                });
                for (int prerequisite : prerequisites[i]) {
                    if (prerequisite < i) {
                        nodes[i].after(nodes[prerequisite]);
                    }
                }
            }
            for (int i = 0; i < nodes.length; i++) {
                for (int prerequisite : prerequisites[i]) {
                    if (prerequisite > i) {
                        nodes[i].after(nodes[prerequisite]);
                    }
                }
            }
            launch(seed);
            assertThat(early).hasValue(0);
            for (int i = 0; i < nodes.length; i++) {
                assertThat(ended.get(i)).as("runs of node %s", i).isEqualTo(1);
            }
        }
    }

    /** From outside and from a worker, with and without the caller taking part. */
    private void launch(int way) {
        switch (way % 4) {
            case 0 -> batch.executeOnce();
            case 1 -> batch.runOnce().await();
            case 2 -> graph.task("launches", batch::executeOnce).dispatch().await();
            default ->
                graph.task("launches", () -> batch.runOnce().await()).dispatch().await();
        }
    }

    /** Each body waits until another one has begun: a thread alone would wait for ever. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void idleWorkersRunWhatIsReadyWhileABodyBlocks(int way) {
        CyclicBarrier two = new CyclicBarrier(2);
        Set<Thread> participants = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < 24; i++) {
            batch.node("waits for another", () -> {
                participants.add(Thread.currentThread());
                two.await();
            });
        }
        launch(way);
        assertThat(participants).hasSizeGreaterThan(1);
    }

    /** Short bodies let a thread claim many nodes in a row. */
    @Test
    void aThreadThatWasHeldUpGivesAwayWhatItHasClaimed() {
        CyclicBarrier two = new CyclicBarrier(2);
        CountDownLatch othersRun = new CountDownLatch(1);
        for (int i = 0; i < 100; i++) {
            batch.node("short", () -> {});
        }
        batch.node("holds up", othersRun::await);
        for (int i = 0; i < 24; i++) {
            batch.node("waits for another", two::await);
        }
        for (int i = 0; i < 300; i++) {
            batch.node("late", othersRun::countDown);
        }
        batch.executeOnce();
        assertThat(two.isBroken()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLongChainNeedsNoStack(boolean shared) {
        int[] count = new int[1];
        TaskBody body = () -> count[0]++;
        // The first body waits for another node, which only a second thread can run then.
        CountDownLatch other = new CountDownLatch(shared ? 1 : 0);
        GraphNode last = batch.node("first", () -> {
            other.await();
            count[0]++;
        });
        batch.node("other", other::countDown);
        for (int i = 1; i < LARGE; i++) {
            last = batch.node("next", body).after(last);
        }
        batch.runOnce().await();
        assertThat(count[0]).isEqualTo(LARGE);
    }

    @Test
    void levelsPrioritiesAndNamedThreadsAreKept() {
        Thread render = graph.start(NamedThread.RENDER);
        for (int round = 0; round < 20; round++) {
            AtomicReference<Thread> drew = new AtomicReference<>();
            GraphNode cull = node("cull").on(WorkerLevel.HIGH).priority(TaskPriority.HIGH);
            GraphNode draw = batch.node("draw", () -> drew.set(Thread.currentThread()))
                    .on(NamedThread.RENDER)
                    .after(cull);
            node("background").on(WorkerLevel.BACKGROUND).after(draw);
            launch(round);
            assertThat(drew).hasValue(render);
            assertThat(ran).containsExactly("cull", "background");
            ran.clear();
        }
    }

    @Test
    void aNamedThreadLaunchesAndRunsItsOwnNodes() {
        graph.attach(NamedThread.GAME);
        GraphNode first = node("first");
        AtomicReference<Thread> own = new AtomicReference<>();
        GraphNode mine = batch.node("mine", () -> own.set(Thread.currentThread()))
                .on(NamedThread.GAME)
                .after(first);
        RunEvent event = mine.event();
        node("last").after(mine);
        RunEvent run = batch.runOnce();
        event.await();
        assertThat(own).hasValue(Thread.currentThread());
        run.await();
        assertThat(ran).containsExactly("first", "last");
        graph.detach(NamedThread.GAME);
    }

    @Test
    void theBuilderBeginsAnewWithEachBatch() {
        GraphNode old = node("old");
        RunEvent first = batch.runOnce();
        first.await();
        GraphNode young = node("young");
        for (TaskBody use : List.<TaskBody>of(
                () -> old.after(young),
                () -> young.after(old),
                () -> old.after(FailurePolicy.RUN_ANYWAY, young),
                () -> old.on(WorkerLevel.HIGH),
                () -> old.priority(TaskPriority.HIGH),
                () -> old.reads("r"),
                () -> old.enabledBy(3),
                old::event)) {
            assertThatThrownBy(use::run)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("'old'")
                    .hasMessageContaining("'batch'")
                    .hasMessageContaining("runOnce()");
        }
        assertThat(old.name()).isEqualTo("old");
        RunEvent second = batch.runOnce();
        second.await();
        assertThat(ran).containsExactly("old", "young");
        assertThat(second).isNotSameAs(first);
        assertThat(batch.build().nodeCount()).isZero();
    }

    @Test
    void aBuilderWhoseNodesWereRefusedIsEmptiedAndUsedAgain() {
        GraphNode egg = node("egg");
        GraphNode hen = node("hen").after(egg);
        egg.after(hen);
        assertThatThrownBy(batch::runOnce).isInstanceOf(CompiledGraphException.class);
        assertThatThrownBy(batch::runOnce).isInstanceOf(CompiledGraphException.class);
        batch.clear();
        GraphNode chick = node("chick");
        assertThatThrownBy(() -> chick.after(hen))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'hen'")
                .hasMessageContaining("clear()");
        batch.executeOnce();
        assertThat(ran).containsExactly("chick");
    }

    @Test
    void aBatchMayBeLaunchedWhileTheOneBeforeRuns() {
        CountDownLatch release = new CountDownLatch(1);
        batch.node("waits", release::await);
        RunEvent first = batch.runOnce();
        node("second");
        batch.runOnce().await();
        assertThat(ran).containsExactly("second");
        assertThat(first.isComplete()).isFalse();
        release.countDown();
        first.await();
    }

    @Test
    void aNodesEventComesWithItsEnd() {
        CountDownLatch release = new CountDownLatch(1);
        GraphNode early = node("early");
        GraphNode late = batch.node("late", release::await).after(early);
        RunEvent earlyEnds = early.event();
        RunEvent lateEnds = late.event();
        assertThat(early.event()).isSameAs(earlyEnds);
        GraphEvent before = graph.task("after early", () -> ran.add("task"))
                .after(earlyEnds.asEvent())
                .dispatch();
        assertThatThrownBy(earlyEnds::await)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'early'")
                .hasMessageContaining("not launched");
        RunEvent run = batch.runOnce();
        earlyEnds.await();
        before.await();
        assertThat(ran).containsExactly("early", "task");
        assertThat(earlyEnds.isComplete()).isTrue();
        assertThat(earlyEnds.name()).isEqualTo("early");
        assertThat(earlyEnds.asEvent().isComplete()).isTrue();
        assertThat(lateEnds.await(Duration.ofMillis(1))).isFalse();
        assertThat(lateEnds.explain().toString()).contains("'late'");
        assertThat(run.isComplete()).isFalse();
        release.countDown();
        assertThat(lateEnds.await(Duration.ofSeconds(50))).isTrue();
        run.await();
        assertThat(lateEnds.failure()).isNull();
    }

    /** The only worker launches and waits: nobody else can run the nodes. */
    @Test
    void theOnlyWorkerWaitsForANode() {
        try (TaskGraph alone = TaskGraph.builder().workers(1).build()) {
            GraphBuilder b = alone.graphBuilder("batch");
            alone.task("launches", () -> {
                        GraphNode first = b.node("first", () -> ran.add("first"));
                        RunEvent event = first.event();
                        b.node("second", () -> ran.add("second")).after(first);
                        RunEvent run = b.runOnce();
                        event.await();
                        assertThat(ran).startsWith("first");
                        run.await();
                    })
                    .dispatch()
                    .await();
            assertThat(ran).containsExactly("first", "second");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFailureReachesWhatDependsOnIt(boolean backwards) {
        for (int round = 0; round < 4; round++) {
            ran.clear();
            IllegalArgumentException thrown = new IllegalArgumentException("broken");
            GraphNode spare = backwards ? node("spare") : null;
            GraphNode fails = batch.node("fails", () -> {
                throw thrown;
            });
            if (spare != null) {
                spare.after(FailurePolicy.RUN_ON_FAILURE, fails);
            }
            GraphNode skipped = node("skipped").after(fails);
            GraphNode further = node("further").after(skipped);
            GraphNode anyway = node("anyway").after(FailurePolicy.RUN_ANYWAY, further);
            GraphNode apart = node("apart");
            List<RunEvent> failed = List.of(fails.event(), skipped.event(), further.event());
            List<RunEvent> fine = List.of(anyway.event(), apart.event());
            int way = round;
            assertThatThrownBy(() -> launch(way))
                    .satisfies(e -> assertThat(runFailure(e))
                            .hasMessageContaining("graph 'batch' failed in node 'fails'")
                            .hasCause(thrown));
            assertThat(ran).contains("anyway", "apart").doesNotContain("skipped", "further");
            assertThat(ran.contains("spare")).isEqualTo(backwards);
            for (RunEvent event : failed) {
                assertThatThrownBy(event::await)
                        .isInstanceOf(RunFailedException.class)
                        .hasMessageContaining("node '" + event.name() + "'")
                        .hasCause(thrown);
                assertThat(event.asEvent().failure()).hasCause(thrown);
            }
            fine.forEach(RunEvent::await);
        }
        graph.close();
        assertThat(uncaught).isEmpty();
    }

    private static @Nullable Throwable runFailure(Throwable thrown) {
        return thrown instanceof TaskFailedException ? thrown.getCause() : thrown;
    }

    /** Who saw why the only failed node failed knows why the run did. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFailureSeenAtItsNodeIsNotReportedAgain(boolean early) throws InterruptedException {
        CountDownLatch release = new CountDownLatch(1);
        GraphNode fails = batch.node("fails", () -> {
            throw new IllegalArgumentException("seen");
        });
        RunEvent event = fails.event();
        RunEvent last = batch.node("last", release::await)
                .after(FailurePolicy.RUN_ANYWAY, fails)
                .event();
        batch.runOnce();
        if (early) {
            assertThatThrownBy(event::await).hasRootCauseMessage("seen");
        }
        release.countDown();
        last.await();
        if (!early) {
            assertThat(event.failure()).hasRootCauseMessage("seen");
        }
        graph.close();
        assertThat(uncaught).isEmpty();
    }

    @Test
    void aFailureThatNobodySeesIsReported() {
        batch.node("fails", () -> {
            throw new IllegalArgumentException("unseen");
        });
        RunEvent run = batch.runOnce();
        run.asEvent().awaitCompletion();
        graph.close();
        assertThat(uncaught).hasSize(1);
        assertThat(uncaught.get(0)).hasRootCauseMessage("unseen");
    }

    @Test
    void aCycleIsNamedAndTheNodesAreKept() {
        GraphNode a = node("a");
        GraphNode b = node("b").after(a);
        a.after(b);
        assertThatThrownBy(batch::runOnce)
                .isInstanceOf(CompiledGraphException.class)
                .hasMessageContaining("'batch'")
                .hasMessageContaining(": 'a' -> 'b' -> 'a';");
        assertThatThrownBy(batch::executeOnce).isInstanceOf(CompiledGraphException.class);
        GraphBuilder own = graph.graphBuilder("own");
        GraphNode self = own.node("self", () -> {});
        self.after(self);
        assertThatThrownBy(own::runOnce).hasMessageContaining("'self' -> 'self'");
        assertThat(ran).isEmpty();
    }

    @Test
    void conflictsAreRefusedOrOrdered() {
        node("w1").writes("r");
        node("w2").writes("r");
        assertThatThrownBy(batch::runOnce).hasMessageContaining("'w1' and 'w2' on 'r'");
        batch.deriveEdges().runOnce().await();
        assertThat(ran).containsExactly("w1", "w2");
    }

    @Test
    void theLastPolicyOfAnEdgeCounts() {
        GraphNode fails = batch.node("fails", () -> {
            throw new IllegalArgumentException("expected");
        });
        node("anyway").after(fails).after(FailurePolicy.RUN_ANYWAY, fails);
        GraphNode skipped = node("skipped").after(FailurePolicy.RUN_ANYWAY, fails);
        node("last added");
        skipped.after(fails);
        assertThatThrownBy(batch::executeOnce).hasRootCauseMessage("expected");
        assertThat(ran).containsExactlyInAnyOrder("anyway", "last added");
    }

    @Test
    void nodesOfOthersAndEventsOfRepeatedRunsAreRefused() {
        GraphNode foreign = graph.graphBuilder("other").node("foreign", () -> {});
        GraphNode own = node("own");
        assertThatThrownBy(() -> own.after(foreign))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'foreign'")
                .hasMessageContaining("'other'");
        RunEvent event = own.event();
        assertThatThrownBy(batch::build)
                .isInstanceOf(CompiledGraphException.class)
                .hasMessageContaining("'own'")
                .hasMessageContaining("runOnce()");
        batch.runOnce();
        event.await();
    }

    @Test
    void aBodyCannotWaitForItsOwnRun() {
        RunEvent[] later = new RunEvent[1];
        batch.node("selfish", () -> later[0].await());
        later[0] = node("later").event();
        assertThatThrownBy(batch::executeOnce)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a node of graph 'batch'")
                .hasMessageContaining("cannot wait for the end of that run");
    }

    /** The node that waits is one of the inner graph; the run that cannot end is that of the outer one. */
    @Test
    void aBodyCannotWaitForARunAroundItsOwn() {
        RunEvent[] outer = new RunEvent[1];
        batch.node("runs another graph", () -> {
            GraphBuilder inner = graph.graphBuilder("inner").maxHelpers(0);
            inner.node("waits", () -> outer[0].await());
            inner.executeOnce();
        });
        outer[0] = node("later").event();
        assertThatThrownBy(batch::executeOnce)
                .rootCause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("runs a node of graph 'batch'")
                .hasMessageNotContaining("belongs to");
    }

    /** The interrupt is addressed to the thread that launches, or to the body before. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anInterruptDoesNotReachABodyThatItWasNotMeantFor(boolean onWorker) throws InterruptedException {
        AtomicReference<Boolean> after = new AtomicReference<>();
        TaskBody launch = () -> {
            Thread.currentThread().interrupt();
            batch.executeOnce();
            after.set(Thread.interrupted());
        };
        batch.maxHelpers(0);
        List<Boolean> found = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            batch.node("looks", () -> {
                found.add(Thread.currentThread().isInterrupted());
                Thread.currentThread().interrupt();
                // Longer than a turn of several bodies.
                for (long begin = System.nanoTime(); System.nanoTime() - begin < 2_000_000L; ) {
                    Thread.onSpinWait();
                }
            });
        }
        if (onWorker) {
            graph.task("launches", launch).dispatch().await();
        } else {
            Thread other = new Thread(() -> assertThatCode(launch::run).doesNotThrowAnyException());
            other.start();
            other.join();
        }
        assertThat(found).containsExactly(false, false, false);
        assertThat(after).hasValue(true);
    }

    @Test
    void aClosedGraphRefusesTheLaunch() {
        node("never");
        graph.close();
        assertThatThrownBy(batch::runOnce)
                .isInstanceOf(TaskGraphClosedException.class)
                .hasMessageContaining("'batch'");
        assertThat(ran).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void closingEndsTheRun(boolean pumped) throws InterruptedException {
        for (int round = 0; round < 20; round++) {
            TaskGraph closing = TaskGraph.builder().workers(2).build();
            if (pumped) {
                closing.start(NamedThread.RENDER);
            }
            CountDownLatch inside = new CountDownLatch(1);
            GraphBuilder b = closing.graphBuilder("batch");
            GraphNode before = b.node("before", inside::countDown);
            for (int i = 0; i < 30; i++) {
                GraphNode lane = b.node("lane", () -> {}).on(NamedThread.RENDER).after(before);
                before = b.node("worker", () -> {}).after(lane);
            }
            RunEvent last = before.event();
            RunEvent run = b.runOnce();
            inside.await();
            closing.close();
            assertThat(run.isComplete()).isTrue();
            assertThat(last.isComplete()).isTrue();
            if (!pumped) {
                assertThatThrownBy(last::await).hasCauseInstanceOf(TaskGraphClosedException.class);
                assertThatThrownBy(run::await).hasCauseInstanceOf(TaskGraphClosedException.class);
            }
        }
    }

    /** Such events belong to the run, but they have a trigger. */
    @Test
    void anEventThatTheApplicationTriggersBeforeTheRunHangsNothing() {
        CountDownLatch triggered = new CountDownLatch(1);
        GraphBuilder builder = graph.graphBuilder("batch");
        GraphNode node = builder.node("node", triggered::await);
        GraphEvent ofNode = node.event().asEvent();
        RunEvent run = builder.runOnce();
        GraphEvent ofRun = run.asEvent();
        ofNode.trigger();
        ofRun.trigger();
        triggered.countDown();
        assertThat(run.await(Duration.ofSeconds(30))).isTrue();
        assertThat(ofNode.isComplete()).isTrue();
    }

    /** Each node knows why it was skipped without going back to the one that failed. */
    @Test
    void aLongChainOfSkippedNodesEndsQuickly() {
        IllegalArgumentException thrown = new IllegalArgumentException("broken");
        GraphNode last = batch.node("fails", () -> {
            throw thrown;
        });
        List<RunEvent> events = new ArrayList<>(LARGE);
        for (int i = 1; i < LARGE; i++) {
            last = batch.node("skipped", () -> {}).after(last);
            events.add(last.event());
        }
        RunEvent run = batch.runOnce();
        assertThatThrownBy(run::await).hasCause(thrown);
        for (RunEvent event : events) {
            assertThat(event.failure()).isNotNull().hasCause(thrown);
        }
    }

    /** Also with prerequisites that are declared later, for which the nodes are numbered anew. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsKeptOfARunThatIsOverHoldsNoBody(boolean backwards) {
        List<WeakReference<TaskBody>> bodies = new ArrayList<>();
        List<Object> kept = launchOneThat(backwards, bodies);
        long end = System.nanoTime() + 30_000_000_000L;
        while (bodies.stream().anyMatch(body -> body.get() != null) && System.nanoTime() < end) {
            System.gc();
        }
        assertThat(bodies).hasSize(2).allMatch(body -> body.get() == null);
        assertThat(kept).hasSize(4);
    }

    private List<Object> launchOneThat(boolean backwards, List<WeakReference<TaskBody>> bodies) {
        List<Object> seen = new ArrayList<>();
        TaskBody first = () -> seen.add("first");
        TaskBody second = () -> seen.add("second");
        bodies.add(new WeakReference<>(first));
        bodies.add(new WeakReference<>(second));
        GraphNode a = batch.node("a", backwards ? second : first);
        GraphNode b = batch.node("b", backwards ? first : second);
        GraphNode later = backwards ? a.after(b) : b.after(a);
        RunEvent event = later.event();
        GraphEvent dynamic = event.asEvent();
        RunEvent run = batch.runOnce();
        run.await();
        dynamic.await();
        assertThat(seen).containsExactly("first", "second");
        return List.of(later, event, dynamic, run);
    }

    @Test
    @SuppressWarnings("NullAway") // a missing body is the point
    void aNodeThatIsRefusedLeavesNoName() {
        assertThatThrownBy(() -> batch.node("bad", null)).isInstanceOf(NullPointerException.class);
        GraphNode good = node("good");
        assertThat(good.name()).isEqualTo("good");
        assertThat(node("next").name()).isEqualTo("next");
        assertThat(good.name()).isEqualTo("good");
        batch.executeOnce();
        assertThat(ran).containsExactlyInAnyOrder("good", "next");
    }

    /** A task after a node, that nobody looks at, and the failure seen at the run. */
    @ParameterizedTest
    @ValueSource(strings = {"fails", "skipped"})
    void aFailureSeenAtTheRunIsNotReportedForTheNode(String asked) {
        for (boolean early : new boolean[] {true, false}) {
            GraphNode fails = batch.node("fails", () -> {
                throw new IllegalArgumentException("seen");
            });
            GraphNode skipped = node("skipped").after(fails);
            RunEvent event = (asked.equals("fails") ? fails : skipped).event();
            GraphEvent[] dynamic = new GraphEvent[1];
            TaskBody after = () -> dynamic[0] =
                    graph.task("after", () -> {}).after(event.asEvent()).dispatch();
            run(early, after);
            RunEvent run = batch.runOnce();
            assertThatThrownBy(run::await).hasRootCauseMessage("seen");
            run(!early, after);
            dynamic[0].awaitCompletion();
        }
        graph.close();
        assertThat(uncaught).isEmpty();
    }

    private static void run(boolean wanted, TaskBody body) {
        if (wanted) {
            try {
                body.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void theOnlyFailureSeenAtATaskAfterItsNodeIsNotReportedForTheRun() {
        GraphNode fails = batch.node("fails", () -> {
            throw new IllegalArgumentException("seen");
        });
        GraphEvent after =
                graph.task("after", () -> {}).after(fails.event().asEvent()).dispatch();
        RunEvent run = batch.runOnce();
        assertThatThrownBy(after::await).hasRootCauseMessage("seen");
        run.asEvent().awaitCompletion();
        graph.close();
        assertThat(uncaught).isEmpty();
    }

    @Test
    void anEventOfABatchThatWasNeverLaunchedSaysSo() {
        GraphNode node = node("lonely");
        RunEvent event = node.event();
        GraphEvent after = graph.task("after", () -> {}).after(event.asEvent()).dispatch();
        assertThat(after.explain().toString())
                .contains("'lonely'")
                .contains("was not launched")
                .contains("runOnce()");
        assertThatThrownBy(event::explain)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'lonely'")
                .hasMessageContaining("not launched");
        batch.runOnce().await();
        after.await();
    }
}
