package io.frameloom.stress.soak;

import io.frameloom.gpu.internal.Plural;
import io.frameloom.taskgraph.BlockingScope;
import io.frameloom.taskgraph.ExecutionTarget;
import io.frameloom.taskgraph.FailurePolicy;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.HeldTask;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskBuilder;
import io.frameloom.taskgraph.TaskFailedException;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.TaskPriority;
import io.frameloom.taskgraph.WorkerLevel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Random graphs from several producers, checked afterwards: every task ran once or was rightly skipped,
 * after its prerequisites, on the right thread, and (unless urgency is inherited) in FIFO order per lane, queue, priority and producer;
 * at the end everything is complete and all queues are empty. In between broadcasts run, once on every thread.
 *
 * <p>What bodies wait for depends on the seed, because together they could wait for each other: other tasks; broadcasts of
 * their own; or, in blocking regions with spare workers, a latch that another task opens.
 */
public final class DynamicSoak implements SoakRound {
    private static final int TASKS_PER_PRODUCER = 1_500;
    private static final int PRODUCERS = 3;
    private static final int MOST_SPARES = 3;
    private static final ExecutionTarget[] TARGETS = {
        WorkerLevel.HIGH,
        WorkerLevel.NORMAL,
        WorkerLevel.NORMAL,
        WorkerLevel.BACKGROUND,
        NamedThread.RENDER,
        NamedThread.RHI.local(),
        NamedThread.RHI,
        NamedThread.GAME
    };

    /** A node and what became of it. */
    private static final class Node {
        final int producer;
        final int sequence;
        final ExecutionTarget target;
        final boolean high;
        final FailurePolicy policy;
        final List<Node> prerequisites = new ArrayList<>();
        final AtomicInteger runs = new AtomicInteger();
        final AtomicInteger childRuns = new AtomicInteger();
        final long[] plain = {0};
        boolean onlyWorkers;
        boolean readyAtLaunch;
        boolean fails;
        boolean hasChild;
        boolean broadcasts;
        boolean blocks;

        @Nullable
        Node awaits;

        volatile @Nullable GraphEvent event;
        long start;
        long end;
        String thread = "";
        String problem = "";

        Node(int producer, int sequence, ExecutionTarget target, boolean high, FailurePolicy policy) {
            this.producer = producer;
            this.sequence = sequence;
            this.target = target;
            this.high = high;
            this.policy = policy;
        }

        GraphEvent event() {
            GraphEvent own = event;
            if (own == null) {
                throw new AssertionError("not launched");
            }
            return own;
        }
    }

    private final AtomicLong clock = new AtomicLong();

    private final int workers;
    private final long seed;
    private final boolean inherits;
    /** One of these three, by the seed. */
    private final boolean waitsForTasks;

    private final boolean waitsForBroadcasts;
    private final boolean waitsInRegions;
    private final TaskGraph graph;
    private final SoakBroadcasts broadcasts;
    /** As many regions as have a spare worker may wait for a task at a time. */
    private final Semaphore regions;

    /** A round that has not run. In half of them urgency is inherited, which changes the order on named threads. */
    public DynamicSoak(int workers, long seed) {
        this.workers = workers;
        this.seed = seed;
        inherits = (seed & 1L) != 0L;
        long mode = Math.floorMod(seed >> 1, 3L);
        waitsForTasks = mode == 0L;
        waitsForBroadcasts = mode == 1L;
        waitsInRegions = mode == 2L;
        int spares = waitsForTasks ? 0 : Math.min(workers, MOST_SPARES);
        regions = new Semaphore(spares);
        graph = TaskGraph.builder()
                .workers(workers)
                .spareWorkers(spares)
                .name("soak")
                .priorityInheritance(inherits)
                // Bodies fail on purpose.
                .uncaughtHandler((task, failure) -> {})
                .build();
        Set<String> everybody = new HashSet<>(Set.of("soak-RENDER", "soak-RHI"));
        for (int i = 0; i < workers; i++) {
            everybody.add("soak-worker-" + i);
        }
        for (int i = 0; i < spares; i++) {
            everybody.add("soak-spare-" + i);
        }
        broadcasts = new SoakBroadcasts(graph, everybody);
    }

    @Override
    public Supplier<String> waits() {
        return graph::describeWaits;
    }

    @Override
    public List<String> run() throws InterruptedException {
        AtomicReferenceArray<Node> nodes = new AtomicReferenceArray<>(PRODUCERS * TASKS_PER_PRODUCER);
        graph.start(NamedThread.RENDER);
        graph.start(NamedThread.RHI);
        List<Thread> producers = new ArrayList<>();
        for (int p = 0; p < PRODUCERS; p++) {
            int producer = p;
            Thread thread = new Thread(
                    () -> produce(nodes, producer, new SplittableRandom(seed * 31 + producer)), "producer-" + p);
            producers.add(thread);
            thread.start();
        }
        Thread.currentThread().setName("soak-GAME");
        graph.attach(NamedThread.GAME);
        for (Thread producer : producers) {
            while (producer.isAlive()) {
                graph.processUntilIdle(NamedThread.GAME);
                producer.join(1);
            }
        }
        List<GraphEvent> all = new ArrayList<>(broadcasts.events());
        for (int i = 0; i < nodes.length(); i++) {
            all.add(nodes.get(i).event());
        }
        GraphEvent everything = graph.whenAll("everything", all);
        graph.task("return", () -> graph.requestReturn(NamedThread.GAME))
                .after(everything)
                .onPrerequisiteFailure(FailurePolicy.RUN_ANYWAY)
                .dispatch();
        graph.processUntilReturnRequested(NamedThread.GAME);
        graph.detach(NamedThread.GAME);
        String empty = graph.describeWaits();
        graph.close();

        List<String> problems = new ArrayList<>();
        if (!everything.isComplete()) {
            problems.add("not everything is complete");
        }
        if (!empty.contains("named thread RENDER (main 0, local 0 queued)")
                || !empty.contains("that something waits for: 0")) {
            problems.add("something is left: " + empty);
        }
        for (int i = 0; i < nodes.length(); i++) {
            check(nodes.get(i), problems);
        }
        broadcasts.check(problems);
        if (!inherits) {
            checkFifo(nodes, problems);
        }
        return problems;
    }

    @Override
    public String toString() {
        return "dynamic engine, " + Plural.of(workers, "worker") + ", seed " + seed;
    }

    private void produce(AtomicReferenceArray<Node> nodes, int producer, SplittableRandom random) {
        for (int i = 0; i < TASKS_PER_PRODUCER; i++) {
            Node node = new Node(
                    producer,
                    i,
                    TARGETS[random.nextInt(TARGETS.length)],
                    random.nextInt(4) == 0,
                    random.nextInt(3) == 0 ? FailurePolicy.RUN_ANYWAY : FailurePolicy.SKIP);
            node.fails = random.nextInt(50) == 0;
            node.hasChild = random.nextInt(8) == 0;
            boolean onlyWorkers = node.target instanceof WorkerLevel;
            int edges = random.nextInt(5);
            List<GraphEvent> after = new ArrayList<>();
            for (int e = 0; e < edges; e++) {
                Node earlier = nodes.get(random.nextInt(nodes.length()));
                if (earlier != null) {
                    node.prerequisites.add(earlier);
                    after.add(earlier.event());
                    onlyWorkers &= earlier.onlyWorkers;
                }
            }
            if (random.nextInt(150) == 0) {
                broadcasts.launch("b" + producer + "." + i, random.nextInt(10) == 0, after);
            }
            node.broadcasts = waitsForBroadcasts && random.nextInt(100) == 0;
            node.blocks = waitsInRegions && random.nextInt(10) == 0 && node.target instanceof WorkerLevel;
            node.onlyWorkers = onlyWorkers;
            node.readyAtLaunch = node.prerequisites.isEmpty();
            Node awaited = nodes.get(random.nextInt(nodes.length()));
            if (waitsForTasks
                    && random.nextInt(6) == 0
                    && awaited != null
                    && awaited.onlyWorkers
                    && (onlyWorkers || !(node.target instanceof WorkerLevel))) {
                node.awaits = awaited;
            }
            TaskBuilder builder = graph.task("n" + producer + "." + i, () -> body(node))
                    .after(after)
                    .on(node.target)
                    .priority(node.high ? TaskPriority.HIGH : TaskPriority.NORMAL)
                    .onPrerequisiteFailure(node.policy);
            if (random.nextInt(10) == 0) {
                node.readyAtLaunch = false;
                HeldTask held = builder.hold();
                node.event = held.event();
                held.release();
            } else {
                node.event = builder.dispatch();
            }
            nodes.set(producer * TASKS_PER_PRODUCER + i, node);
        }
    }

    private void body(Node node) throws InterruptedException {
        node.start = clock.incrementAndGet();
        node.runs.incrementAndGet();
        node.thread = Thread.currentThread().getName();
        for (Node prerequisite : node.prerequisites) {
            if (prerequisite.runs.get() > 0 && prerequisite.plain[0] != 1) {
                node.problem = "plain write of a prerequisite is not visible";
            }
        }
        Node awaited = node.awaits;
        if (awaited != null) {
            try {
                awaited.event().await();
            } catch (TaskFailedException e) {
                if (!awaited.event().isFailed()) {
                    node.problem = "await threw " + e + " for an event that has not failed";
                }
            }
        }
        if (node.broadcasts) {
            node.problem += broadcasts.launchAndAwait("of n" + node.producer + "." + node.sequence);
        }
        if (node.blocks && regions.tryAcquire()) {
            block();
            regions.release();
        }
        if (node.hasChild) {
            while (node.event == null) {
                Thread.onSpinWait();
            }
            for (int c = 0; c < 2; c++) {
                node.event()
                        .dontCompleteUntil(graph.task("child", node.childRuns::incrementAndGet)
                                .dispatch());
            }
        }
        node.plain[0] = 1;
        node.end = clock.incrementAndGet();
        if (node.fails) {
            throw new IllegalArgumentException("meant to fail");
        }
    }

    /** Blocks until another task has run: somebody has to stand in. */
    @SuppressWarnings("try") // a scope is there to be closed
    private void block() throws InterruptedException {
        CountDownLatch latch = new CountDownLatch(1);
        graph.task("opens", latch::countDown).on(WorkerLevel.HIGH).fireAndForget();
        try (BlockingScope scope = graph.beginBlocking("latch")) {
            latch.await();
        }
    }

    private static void check(Node node, List<String> problems) {
        String name = "n" + node.producer + "." + node.sequence;
        boolean prerequisiteFailed =
                node.prerequisites.stream().anyMatch(p -> p.event().isFailed());
        boolean skipped = prerequisiteFailed && node.policy == FailurePolicy.SKIP;
        if (node.runs.get() != (skipped ? 0 : 1)) {
            problems.add(name + " ran " + node.runs + " times, skipped=" + skipped);
        }
        if (node.event().isFailed() != (skipped || node.fails)) {
            problems.add(name + " has failure " + node.event().failure());
        }
        if (!node.problem.isEmpty()) {
            problems.add(name + ": " + node.problem);
        }
        if (skipped) {
            return;
        }
        if (node.hasChild && node.childRuns.get() != 2) {
            problems.add(name + " completed before its children");
        }
        for (Node prerequisite : node.prerequisites) {
            if (prerequisite.runs.get() > 0 && prerequisite.end >= node.start) {
                problems.add(name + " started before a prerequisite ended");
            }
        }
        String prefix = node.target instanceof NamedThread thread
                ? "soak-" + thread
                : node.target instanceof NamedThread.Local local ? "soak-" + local.thread() : "soak-worker-";
        boolean right = node.thread.startsWith(prefix)
                || (node.target instanceof WorkerLevel && node.thread.startsWith("soak-spare-"));
        if (!right) {
            problems.add(name + " for " + node.target + " ran on " + node.thread);
        }
    }

    private static void checkFifo(AtomicReferenceArray<Node> nodes, List<String> problems) {
        Map<String, List<Node>> byQueue = new HashMap<>();
        for (int i = 0; i < nodes.length(); i++) {
            Node node = nodes.get(i);
            if (node.readyAtLaunch && !(node.target instanceof WorkerLevel)) {
                byQueue.computeIfAbsent(node.target + "/" + node.high + "/" + node.producer, k -> new ArrayList<>())
                        .add(node);
            }
        }
        byQueue.forEach((queue, launched) -> {
            List<Node> ran = new ArrayList<>(launched);
            ran.sort(Comparator.comparingLong((Node n) -> n.start));
            if (!ran.equals(launched)) {
                problems.add(queue + " was not FIFO");
            }
        });
    }
}
