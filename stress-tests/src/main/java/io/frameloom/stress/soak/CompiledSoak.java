package io.frameloom.stress.soak;

import io.frameloom.gpu.internal.Plural;
import io.frameloom.taskgraph.CompiledGraph;
import io.frameloom.taskgraph.ExecutionTarget;
import io.frameloom.taskgraph.FailurePolicy;
import io.frameloom.taskgraph.GraphBuilder;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.GraphNode;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.RunEvent;
import io.frameloom.taskgraph.RunFailedException;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.TaskPriority;
import io.frameloom.taskgraph.WorkerLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Random graphs with lanes, levels, switches and failures, each run again and again in every way, against
 * an oracle that computes from the declaration alone which nodes run and which fail (races 6, 7, 31).
 */
public final class CompiledSoak implements SoakRound {
    private static final int GRAPHS = 24;
    private static final int RUNS = 120;
    private static final ExecutionTarget[] LANES = {
        NamedThread.RENDER, NamedThread.RHI.local(), NamedThread.RHI, NamedThread.GAME, NamedThread.GAME.local()
    };

    /** One declared node, and what the present run did with it. */
    private static final class Node {
        final List<Node> prerequisites = new ArrayList<>();
        final List<FailurePolicy> policies = new ArrayList<>();
        final AtomicInteger runs = new AtomicInteger();
        ExecutionTarget target = WorkerLevel.NORMAL;
        String name = "";
        long switches;
        int spin;
        boolean failsNow;
        /** Plain on purpose: what a body writes must be visible to those behind it and to the waiter. */
        long start;

        long end;
        String thread = "";
        String problem = "";
        boolean shouldRun;
        boolean shouldFail;
    }

    private final AtomicLong clock = new AtomicLong();

    private final int workers;
    private final long seed;
    private final TaskGraph graph;

    /** A round that has not run. */
    public CompiledSoak(int workers, long seed) {
        this.workers = workers;
        this.seed = seed;
        graph = TaskGraph.builder()
                .workers(workers)
                .name("csoak")
                // Bodies fail on purpose.
                .uncaughtHandler((task, failure) -> {})
                .build();
    }

    @Override
    public Supplier<String> waits() {
        return graph::describeWaits;
    }

    @Override
    public List<String> run() {
        Thread.currentThread().setName("csoak-GAME");
        List<String> problems = new ArrayList<>();
        graph.start(NamedThread.RENDER);
        graph.start(NamedThread.RHI);
        graph.attach(NamedThread.GAME);
        SplittableRandom random = new SplittableRandom(seed);
        for (int g = 0; g < GRAPHS; g++) {
            boolean lanes = g % 2 == 0;
            boolean levels = g % 3 == 0;
            List<Node> nodes = declare(random, lanes, levels);
            GraphBuilder builder = graph.graphBuilder("g" + g).maxHelpers(g % 5 == 4 ? 0 : workers);
            List<GraphNode> built = new ArrayList<>();
            for (Node node : nodes) {
                GraphNode made = builder.node(node.name, () -> body(node)).on(node.target);
                made.priority(random.nextInt(4) == 0 ? TaskPriority.HIGH : TaskPriority.NORMAL);
                for (int e = 0; e < node.prerequisites.size(); e++) {
                    made.after(node.policies.get(e), built.get(nodes.indexOf(node.prerequisites.get(e))));
                }
                for (int bit = 0; bit < 3; bit++) {
                    if ((node.switches >>> bit & 1L) != 0) {
                        made.enabledBy(bit);
                    }
                }
                built.add(made);
            }
            CompiledGraph compiled = builder.build();
            for (int run = 0; run < RUNS; run++) {
                String where = "seed " + seed + " graph " + g + " run " + run;
                long mask = random.nextInt(3) == 0 ? random.nextInt(8) : -1L;
                boolean failing = random.nextInt(5) == 0;
                for (Node node : nodes) {
                    node.runs.set(0);
                    node.failsNow = failing && random.nextInt(20) == 0;
                    node.problem = "";
                    // The same graph is now short, now long: it changes between sequential and shared.
                    node.spin = run % 40 < 20 ? 0 : random.nextInt(600);
                }
                expect(nodes, mask);
                boolean failed = runOnce(graph, compiled, mask, random.nextInt(5));
                check(where, nodes, failed, problems);
            }
        }
        graph.detach(NamedThread.GAME);
        graph.close();
        return problems;
    }

    @Override
    public String toString() {
        return "compiled engine, " + Plural.of(workers, "worker") + ", seed " + seed;
    }

    private static List<Node> declare(SplittableRandom random, boolean lanes, boolean levels) {
        int size = 1 + random.nextInt(120);
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            Node node = new Node();
            node.name = "n" + i;
            int edges = random.nextInt(40) == 0 ? 60 : random.nextInt(4);
            for (int e = 0; e < edges && i > 0; e++) {
                Node other = nodes.get(Math.max(0, i - 1 - random.nextInt(40)));
                if (!node.prerequisites.contains(other)) {
                    node.prerequisites.add(other);
                    int policy = random.nextInt(8);
                    node.policies.add(
                            policy == 0
                                    ? FailurePolicy.RUN_ANYWAY
                                    : policy == 1 ? FailurePolicy.RUN_ON_FAILURE : FailurePolicy.SKIP);
                }
            }
            if (random.nextInt(6) == 0) {
                node.switches = 1L << random.nextInt(3);
            }
            if (lanes && random.nextInt(5) == 0) {
                node.target = LANES[random.nextInt(LANES.length)];
            } else if (levels) {
                node.target = WorkerLevel.values()[random.nextInt(3)];
            }
            nodes.add(node);
        }
        return nodes;
    }

    private static boolean runOnce(TaskGraph graph, CompiledGraph compiled, long mask, int way) {
        try {
            switch (way) {
                case 0, 1 -> compiled.execute(mask);
                case 2 -> compiled.run(mask).await();
                case 3 -> {
                    RunEvent event = compiled.run(mask);
                    graph.task("waits", event::await).dispatch();
                    event.await();
                }
                default -> {
                    GraphEvent event = compiled.run(mask).asEvent();
                    GraphEvent behind = graph.task("behind", () -> graph.requestReturn(NamedThread.GAME))
                            .after(event)
                            .onPrerequisiteFailure(FailurePolicy.RUN_ANYWAY)
                            .dispatch();
                    graph.processUntilReturnRequested(NamedThread.GAME);
                    behind.await();
                    compiled.event().await();
                }
            }
            return false;
        } catch (RunFailedException e) {
            return true;
        }
    }

    private void body(Node node) {
        node.start = clock.incrementAndGet();
        node.runs.incrementAndGet();
        node.thread = Thread.currentThread().getName();
        for (Node prerequisite : node.prerequisites) {
            if (prerequisite.shouldRun && (prerequisite.end > node.start || prerequisite.end == 0)) {
                node.problem = "ran before " + prerequisite.name + " had ended";
            }
        }
        for (int i = 0; i < node.spin; i++) {
            Thread.onSpinWait();
        }
        if (node.spin == 599) {
            LockSupport.parkNanos(1);
        }
        node.end = clock.incrementAndGet();
        if (node.failsNow) {
            throw new IllegalArgumentException("meant to fail");
        }
    }

    private static void expect(List<Node> nodes, long mask) {
        for (Node node : nodes) {
            boolean skipped = false;
            boolean unneeded = false;
            for (int e = 0; e < node.prerequisites.size(); e++) {
                boolean failed = node.prerequisites.get(e).shouldFail;
                FailurePolicy policy = node.policies.get(e);
                skipped |= policy == FailurePolicy.SKIP && failed;
                unneeded |= policy == FailurePolicy.RUN_ON_FAILURE && !failed;
            }
            boolean off = (node.switches & ~mask) != 0;
            node.shouldRun = !skipped && !off && !unneeded;
            node.shouldFail = skipped || (node.shouldRun && node.failsNow);
            node.end = 0;
        }
    }

    private static void check(String where, List<Node> nodes, boolean failed, List<String> problems) {
        @Nullable String problem = null;
        boolean anyFails = false;
        for (Node node : nodes) {
            anyFails |= node.shouldRun && node.failsNow;
            if (node.runs.get() != (node.shouldRun ? 1 : 0)) {
                problem = node.name + " ran " + node.runs + " times instead of " + node.shouldRun;
            } else if (!node.problem.isEmpty()) {
                problem = node.name + " " + node.problem;
            } else if (node.shouldRun && !isRightThread(node)) {
                problem = node.name + " for " + node.target + " ran on " + node.thread;
            } else if (node.shouldRun && node.end == 0) {
                problem = "the end of " + node.name + " is not visible";
            }
        }
        if (problem == null && failed != anyFails) {
            problem = failed ? "the run failed, but no node did" : "a node failed, but the run did not";
        }
        if (problem != null) {
            problems.add(where + ": " + problem);
        }
    }

    private static boolean isRightThread(Node node) {
        if (node.target instanceof NamedThread thread) {
            return node.thread.equals("csoak-" + thread);
        }
        if (node.target instanceof NamedThread.Local local) {
            return node.thread.equals("csoak-" + local.thread());
        }
        return node.thread.startsWith("csoak-worker") || node.thread.equals("csoak-GAME");
    }
}
