package io.frameloom.taskgraph;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds out why an event is not complete, through events, queues and threads alike. Iterative, so that a
 * chain of any length fits. Used by one thread for one question; reads the graph racily.
 *
 * <p>What is stuck for good is the greatest set in which everybody needs another member: everything is taken for stuck at
 * first, then whatever needs nothing is taken out, and with it whatever can do with what was taken out (Knapp:
 * "Deadlock detection in distributed databases", the AND-OR model).
 */
final class StallGraph {
    /** More would not be read by anybody. */
    private static final int MOST_NODES = 100_000;

    private static final int LONGEST_CHAIN = 64;
    private static final int MOST_NAMES = 8;

    private final TaskGraph graph;
    private final @Nullable Thread asking;
    private final GraphEvent asked;
    private final IdentityHashMap<Object, StallNode> nodes = new IdentityHashMap<>();
    private final ArrayDeque<Runnable> open = new ArrayDeque<>();

    private StallGraph(GraphEvent asked, @Nullable Thread asking) {
        this.graph = asked.graph();
        this.asked = asked;
        this.asking = asking;
    }

    /**
     * Explains an event.
     *
     * @param asking a thread to be taken as waiting for the event, or null
     */
    static StallExplanation explain(GraphEvent event, @Nullable Thread asking) {
        if (event.isComplete()) {
            return new StallExplanation(event.name(), List.of(), -1);
        }
        StallGraph graph = new StallGraph(event, asking);
        StallNode start = graph.node(event);
        for (Runnable next = graph.open.poll(); next != null; next = graph.open.poll()) {
            next.run();
        }
        graph.takeOutWhatCanGoOn();
        return chain(event, start);
    }

    private StallNode node(GraphEvent event) {
        StallNode known = nodes.get(event);
        if (known != null) {
            return known;
        }
        StallNode made =
                nodes.size() < MOST_NODES ? describe(event) : leaf(event, "waits for more than can be looked at");
        nodes.put(event, made);
        return made;
    }

    private StallNode describe(GraphEvent event) {
        if (event.isComplete()) {
            return leaf(event, "is complete by now");
        }
        if (event instanceof ManualEvent manual) {
            return describeManual(manual);
        }
        Task task = (Task) event;
        ThreadContext owner = task.shareOwner();
        if (owner != null && task.isPending()) {
            return describeShare(task, owner);
        }
        if (task.isReturned()) {
            return withInputs(event, "has run and waits for its children", "has run and is about to complete");
        }
        if (task.isStarted()) {
            ThreadContext runner = task.runner();
            if (runner == null) {
                return leaf(event, "is about to run");
            }
            StallNode made = leaf(event, "is run by thread " + runner.thread.getName());
            open.add(() -> made.need(node(runner)));
            return made;
        }
        return task.isQueued() ? describeQueued(event, task) : describePending(event, task);
    }

    private StallNode describeShare(Task share, ThreadContext owner) {
        StallNode made = leaf(share, "is for thread " + owner.thread.getName() + " alone, between two of its tasks");
        open.add(() -> {
            GraphEvent awaited = awaitedBy(owner);
            if (awaited == null || !WaitGraph.needs(awaited, share)) {
                made.need(node(owner));
            }
        });
        return made;
    }

    private StallNode describeManual(ManualEvent event) {
        if (event.isTriggered()) {
            return withInputs(event, "was triggered and waits for its children", "was triggered just now");
        }
        return leaf(event, "was never triggered; call trigger() or fail() on it");
    }

    private StallNode describePending(GraphEvent event, Task task) {
        String kind = task.target == null ? "joins its events" : "for " + task.target;
        boolean held = graph.roots().holds(event);
        return withInputs(
                event,
                kind + (held ? ", is held and was never released, and" : "") + " waits for its prerequisites",
                held
                        ? kind + " is held and was never released; call release() on it"
                        : kind + " is about to be queued");
    }

    private StallNode describeQueued(GraphEvent event, Task task) {
        NamedLane lane = task.lane;
        if (lane == null) {
            return describeQueuedForWorkers(event, task);
        }
        ThreadContext context = lane.attached();
        String queue = "is queued for " + task.target;
        if (context == null) {
            return leaf(event, queue + ", and no thread is attached to " + lane.thread + "; call attach or start");
        }
        boolean local = task.target instanceof NamedThread.Local;
        GraphEvent awaited = awaitedBy(context);
        if (awaited == null && !lane.isBeingConsumed()) {
            return new StallNode(
                    quoted(event),
                    queue + ", but thread " + context.thread.getName()
                            + " is attached to it and does not process its queue; call processUntilIdle or "
                            + "processUntilReturnRequested on it",
                    context.thread,
                    false);
        }
        if (awaited != null && local) {
            return leaf(event, queue + ", which thread " + context.thread.getName() + " is about to process");
        }
        StallNode made = leaf(event, queue + ", which thread " + context.thread.getName() + " has to process");
        open.add(() -> made.need(node(context)));
        return made;
    }

    private StallNode describeQueuedForWorkers(GraphEvent event, Task task) {
        List<WorkerThread> able = workersFor(task);
        StallNode made = new StallNode(
                quoted(event), "is queued for workers at " + task.target + "; " + words(able), null, true);
        open.add(() -> {
            for (WorkerThread worker : able) {
                GraphEvent awaited = awaitedBy(worker.context);
                if (awaited != null && WaitGraph.needs(awaited, event)) {
                    made.need(new StallNode(threadName(worker), "is about to run it", null, false));
                } else {
                    made.need(node(worker.context));
                }
            }
        });
        return made;
    }

    /** The workers that could take the task if they were free. */
    private List<WorkerThread> workersFor(Task task) {
        List<WorkerThread> all = new ArrayList<>();
        for (WorkerThread worker : graph.workers().workers()) {
            if (!worker.resting) {
                all.add(worker);
            }
        }
        if (PriorityInheritance.level(task.urgency()) != WorkerLevel.BACKGROUND) {
            return all;
        }
        List<WorkerThread> inBackground = new ArrayList<>();
        for (WorkerThread worker : all) {
            if (worker.holdsBackgroundPermit) {
                inBackground.add(worker);
            }
        }
        int capacity = graph.options().workers() - graph.options().reservedWorkers();
        return inBackground.size() < capacity ? all : inBackground;
    }

    private String words(List<WorkerThread> workers) {
        StringBuilder text = new StringBuilder();
        for (WorkerThread worker : workers) {
            Task task = worker.context.currentTask();
            text.append(text.length() == 0 ? "" : ", ").append(worker.getName());
            text.append(task == null ? " is idle" : " runs '" + task.name() + "'");
        }
        return text.toString();
    }

    private StallNode node(ThreadContext context) {
        StallNode known = nodes.get(context);
        if (known != null) {
            return known;
        }
        GraphEvent awaited = awaitedBy(context);
        Task task = context.currentTask();
        String inside = task == null ? "" : " inside '" + task.name() + "'";
        StallNode made;
        if (awaited != null) {
            made = new StallNode(
                    threadName(context.thread), "waits for '" + awaited.name() + "'" + inside, context.thread, false);
            open.add(() -> made.need(node(awaited)));
        } else if (task != null) {
            String region = BlockingScope.openOn(context);
            String where = region == null ? "" : " and is in its blocking region '" + region + "'";
            made = new StallNode(
                    threadName(context.thread), "runs '" + task.name() + "'" + where, context.thread, false);
        } else {
            made = new StallNode(threadName(context.thread), "is idle", context.thread, false);
        }
        nodes.put(context, made);
        return made;
    }

    private @Nullable GraphEvent awaitedBy(ThreadContext context) {
        return context.thread == asking ? asked : context.waitingFor();
    }

    private StallNode withInputs(GraphEvent event, String waiting, String otherwise) {
        Set<GraphEvent> unmet = Collections.newSetFromMap(new IdentityHashMap<>());
        StringBuilder names = new StringBuilder();
        for (GraphEvent input : event.inputs()) {
            if (input != null && !input.isComplete() && unmet.add(input) && unmet.size() <= MOST_NAMES) {
                names.append(unmet.size() == 1 ? " '" : ", '")
                        .append(input.name())
                        .append('\'');
            }
        }
        if (unmet.size() > MOST_NAMES) {
            names.append(" and ").append(unmet.size() - MOST_NAMES).append(" more");
        }
        if (unmet.isEmpty()) {
            return leaf(event, otherwise);
        }
        StallNode made = leaf(event, waiting + names);
        open.add(() -> {
            for (GraphEvent input : unmet) {
                made.need(node(input));
            }
        });
        return made;
    }

    private static StallNode leaf(GraphEvent event, String state) {
        return new StallNode(quoted(event), state, null, false);
    }

    private static String quoted(GraphEvent event) {
        return "'" + event.name() + "'";
    }

    private static String threadName(Thread thread) {
        return "thread " + thread.getName();
    }

    private void takeOutWhatCanGoOn() {
        ArrayDeque<StallNode> out = new ArrayDeque<>();
        Set<StallNode> all = Collections.newSetFromMap(new IdentityHashMap<>());
        for (StallNode node : nodes.values()) {
            all.add(node);
            all.addAll(node.needs);
        }
        for (StallNode node : all) {
            node.stuckNeeds = node.needs.size();
            if (node.stuckNeeds == 0) {
                node.stuck = false;
                out.add(node);
            }
        }
        for (StallNode free = out.poll(); free != null; free = out.poll()) {
            for (StallNode waiting : free.neededBy) {
                if (waiting.stuck && (--waiting.stuckNeeds == 0 || waiting.anyWillDo)) {
                    waiting.stuck = false;
                    out.add(waiting);
                }
            }
        }
    }

    private static StallExplanation chain(GraphEvent event, StallNode start) {
        List<StallNode> path = new ArrayList<>();
        Set<StallNode> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        @Nullable StallNode at = start;
        while (at != null && seen.add(at)) {
            path.add(at);
            at = at.worst();
        }
        int cycleStart = at == null ? -1 : path.indexOf(at);
        // The middle of a long chain is more of the same; what matters is where it begins and what ends it.
        if (path.size() > LONGEST_CHAIN) {
            int cut = path.size() - LONGEST_CHAIN;
            int from = LONGEST_CHAIN / 2;
            if (cycleStart < 0 || cycleStart < from) {
                path.subList(from, from + cut).clear();
                path.add(from, new StallNode("...", "(" + cut + " more)", null, false));
            }
        }
        List<StallExplanation.Step> steps = new ArrayList<>();
        for (StallNode node : path) {
            Thread thread = node.thread;
            steps.add(new StallExplanation.Step(
                    node.name,
                    node.state,
                    thread == null ? null : thread.getName(),
                    thread == null ? List.of() : List.of(thread.getStackTrace())));
        }
        return new StallExplanation(event.name(), steps, cycleStart);
    }
}
