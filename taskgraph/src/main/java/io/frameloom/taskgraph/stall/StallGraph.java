package io.frameloom.taskgraph.stall;

import io.frameloom.taskgraph.ExecutionTarget;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.StallExplanation;
import io.frameloom.taskgraph.WorkerLevel;
import io.frameloom.taskgraph.compiled.RunCore;
import io.frameloom.taskgraph.graph.GraphParts;
import io.frameloom.taskgraph.named.NamedLane;
import io.frameloom.taskgraph.parts.TaskGraphOptions;
import io.frameloom.taskgraph.task.CoreEvent;
import io.frameloom.taskgraph.task.ForeignWaits;
import io.frameloom.taskgraph.task.GraphCore;
import io.frameloom.taskgraph.task.ManualEvent;
import io.frameloom.taskgraph.task.Task;
import io.frameloom.taskgraph.task.Urgency;
import io.frameloom.taskgraph.task.WaitReason;
import io.frameloom.taskgraph.worker.BlockingRegion;
import io.frameloom.taskgraph.worker.Broadcast;
import io.frameloom.taskgraph.worker.ThreadContext;
import io.frameloom.taskgraph.worker.WorkerThread;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds out why an event is not complete, through events, queues and threads alike. Iterative, so that a
 * chain of any length fits. Used by one thread for one question; reads the graph racily.
 *
 * <p>The part that is stuck for good is the greatest set in which each needs another member. Everything is taken for
 * stuck at first. Then whatever needs nothing is taken out, and with it whatever needs no more than what was taken out
 * (Knapp: "Deadlock detection in distributed databases", the AND-OR model).
 */
public final class StallGraph {
    /** More is useless to a person. */
    private static final int MOST_NODES = 100_000;

    private static final int LONGEST_CHAIN = 64;
    private static final int MOST_OTHERS = 8;

    private final GraphParts graph;
    private final @Nullable Thread asking;
    /** What the asking thread waits for: an event or a run. */
    private final Object asked;

    private final RunStalls runs;
    private final IdentityHashMap<Object, StallNode> nodes = new IdentityHashMap<>();
    private final ArrayDeque<Runnable> open = new ArrayDeque<>();

    private StallGraph(GraphParts graph, Object asked, @Nullable Thread asking) {
        this.graph = graph;
        this.asked = asked;
        this.asking = asking;
        this.runs = new RunStalls(this, graph);
    }

    /**
     * Explains an event.
     *
     * @param asking a thread to be taken as waiting for the event, or null
     */
    public static StallExplanation explain(CoreEvent event, @Nullable Thread asking) {
        if (event.isComplete()) {
            return new StallExplanation(event.name(), List.of(), -1);
        }
        StallGraph graph = new StallGraph(GraphParts.of(event), event, asking);
        return graph.chainFrom(event.name(), graph.node(event));
    }

    /**
     * Explains the run in progress of a compiled graph.
     *
     * @param asking a thread to be taken as waiting for the run, or null
     */
    public static StallExplanation explain(GraphParts tasks, RunCore event, @Nullable Thread asking) {
        if (event.isComplete()) {
            return new StallExplanation(event.name(), List.of(), -1);
        }
        StallGraph graph = new StallGraph(tasks, event, asking);
        return graph.chainFrom(event.name(), graph.node(event));
    }

    /** Explains why a graph that is being closed has not ended: its threads run what they have begun. */
    static StallExplanation explainClose(GraphParts tasks) {
        StallGraph graph = new StallGraph(tasks, tasks, null);
        String name = "close of task graph " + tasks.name();
        StallNode start = new StallNode("'" + name + "'", "waits for the threads of the graph to end", null, false);
        graph.nodes.put(tasks, start);
        graph.open.add(() -> {
            for (WorkerThread worker : tasks.workers().workers()) {
                if (worker.context.insideTask()) {
                    start.need(graph.node(worker.context));
                }
            }
            for (NamedLane lane : tasks.lanes().all()) {
                ThreadContext context = lane.attached();
                if (context != null && context.insideTask()) {
                    start.need(graph.node(context));
                }
            }
        });
        return graph.chainFrom(name, start);
    }

    /**
     * Explains what a thread waits for.
     *
     * @param awaited an event, a run, or the graph that the thread closes
     */
    public static StallExplanation explain(GraphCore core, Object awaited, Thread waiting) {
        GraphParts tasks = (GraphParts) core;
        if (awaited instanceof RunCore run) {
            return explain(tasks, run, waiting);
        }
        return awaited instanceof CoreEvent event ? explain(event, waiting) : explainClose(tasks);
    }

    private StallExplanation chainFrom(String name, StallNode start) {
        for (Runnable next = open.poll(); next != null; next = open.poll()) {
            next.run();
        }
        takeOutWhatCanGoOn();
        return chain(name, start);
    }

    /** Puts off what would otherwise recurse. */
    void later(Runnable further) {
        open.add(further);
    }

    private StallNode node(RunCore event) {
        StallNode known = nodes.get(event);
        if (known == null) {
            known = runs.describe(event);
            nodes.put(event, known);
        }
        return known;
    }

    private StallNode node(CoreEvent event) {
        StallNode known = nodes.get(event);
        if (known != null) {
            return known;
        }
        StallNode made =
                nodes.size() < MOST_NODES ? describe(event) : leaf(event, "waits for more than can be looked at");
        nodes.put(event, made);
        return made;
    }

    private StallNode describe(CoreEvent event) {
        if (event.isComplete()) {
            return leaf(event, "is complete by now");
        }
        if (event instanceof ManualEvent manual) {
            return describeManual(manual);
        }
        Task task = (Task) event;
        ThreadContext owner = Broadcast.ownerOf(task);
        if (owner != null && task.isPending()) {
            return describeShare(task, owner);
        }
        if (task.isReturned()) {
            return withInputs(
                    event,
                    "has run and waits for its child ",
                    "has run and waits for its children ",
                    task.target == null ? "is about to complete" : "has run and is about to complete");
        }
        if (task.isStarted()) {
            ThreadContext runner = (ThreadContext) task.runner();
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
            CoreEvent awaited = awaitedBy(owner);
            if (awaited == null || !helps(awaited, share)) {
                made.need(node(owner));
            }
        });
        return made;
    }

    private StallNode describeManual(ManualEvent event) {
        if (event.isTriggered()) {
            return withInputs(
                    event,
                    "was triggered and waits for its child ",
                    "was triggered and waits for its children ",
                    "was triggered just now");
        }
        RunCore run = (RunCore) graph.compiledRuns().runThatTriggers(event);
        if (run != null) {
            StallNode made = leaf(event, "is triggered by the end of the " + run.title());
            open.add(() -> made.need(node(run)));
            return made;
        }
        return withInputs(event, "waits for its child ", "waits for its children ", event.reason());
    }

    private StallNode describePending(CoreEvent event, Task task) {
        WaitReason reason = task.waitReason();
        if (reason != null) {
            StallNode made = new StallNode(quoted(event), reason.state(), null, true);
            open.add(() -> {
                for (CoreEvent other : reason.anyOf()) {
                    made.need(node(other));
                }
            });
            return made;
        }
        ExecutionTarget target = task.target;
        if (target == null) {
            String joins = "joins its events and waits for ";
            return withInputs(event, joins, joins, "joins its events and is about to complete");
        }
        String kind = "is for " + (target instanceof WorkerLevel ? "workers at " : "") + target;
        boolean held = graph.roots().holds(event);
        String waiting = kind + (held ? ", is held and was never released, and" : " and") + " waits for its ";
        return withInputs(
                event,
                waiting + "prerequisite ",
                waiting + "prerequisites ",
                kind
                        + (held
                                ? ", is held and was never released; call release() on it"
                                : " and is about to be queued"));
    }

    private StallNode describeQueued(CoreEvent event, Task task) {
        NamedLane lane = (NamedLane) task.lane;
        if (lane == null) {
            return queued(task);
        }
        ThreadContext context = lane.attached();
        boolean served = context != null && waits(context) && task.target instanceof NamedThread.Local;
        return forNamedThread(quoted(event), "is queued", String.valueOf(task.target), lane, served);
    }

    private StallNode queued(Task task) {
        Able able = able(Urgency.level(task.urgency()));
        StallNode made = new StallNode(
                "'" + task.name() + "'", "is queued for workers at " + task.target + "; " + able.words, null, true);
        open.add(() -> {
            for (WorkerThread worker : able.workers) {
                CoreEvent awaited = awaitedBy(worker.context);
                made.need(
                        awaited != null && helps(awaited, task)
                                ? new StallNode("thread " + worker.getName(), "is about to run it", null, false)
                                : node(worker.context));
            }
        });
        return made;
    }

    /** A node of a run that any worker can run. */
    StallNode ready(String name, WorkerLevel level) {
        Able able = able(level);
        StallNode made = new StallNode(name, "is ready for workers at " + level + "; " + able.words, null, true);
        open.add(() -> {
            for (WorkerThread worker : able.workers) {
                made.need(node(worker.context));
            }
        });
        return made;
    }

    /** Whether a worker that waits for one event runs the other meanwhile; it walks as {@code Retraction} does. */
    private static boolean helps(CoreEvent awaited, CoreEvent wanted) {
        Set<CoreEvent> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        ArrayDeque<CoreEvent> open = new ArrayDeque<>();
        open.add(awaited);
        for (CoreEvent event = open.poll(); event != null; event = open.poll()) {
            if (event == wanted) {
                return true;
            }
            if (!event.isComplete() && seen.add(event)) {
                for (@Nullable CoreEvent input : event.inputs()) {
                    if (input != null) {
                        open.add(input);
                    }
                }
                open.addAll(Arrays.asList(event.alternatives()));
            }
        }
        return false;
    }

    /** The workers that could take something if they were free, and why there are no others. */
    private record Able(List<WorkerThread> workers, String words) {}

    private Able able(WorkerLevel level) {
        List<WorkerThread> all = new ArrayList<>();
        List<WorkerThread> inBackground = new ArrayList<>();
        for (WorkerThread worker : graph.workers().workers()) {
            if (!worker.resting) {
                all.add(worker);
                if (worker.holdsBackgroundPermit) {
                    inBackground.add(worker);
                }
            }
        }
        TaskGraphOptions options = graph.options();
        int capacity = options.workers() - options.reservedWorkers();
        return level != WorkerLevel.BACKGROUND || inBackground.size() < capacity
                ? new Able(all, words(all))
                : new Able(inBackground, permitsAreTaken(all, inBackground, capacity));
    }

    private String permitsAreTaken(List<WorkerThread> all, List<WorkerThread> inBackground, int capacity) {
        TaskGraphOptions options = graph.options();
        StringBuilder text = new StringBuilder("at most ").append(capacity);
        text.append(" of ").append(options.workers()).append(" workers may run that level at a time (reservedWorkers ");
        text.append(options.reservedWorkers())
                .append("), and that is used up: ")
                .append(words(inBackground));
        if (inBackground.stream().anyMatch(worker -> worker.region != null)) {
            text.append(", which counts even while it blocks");
        }
        List<String> idle = new ArrayList<>();
        for (WorkerThread worker : all) {
            if (!inBackground.contains(worker) && worker.context.currentTask() == null) {
                idle.add(worker.getName());
            }
        }
        if (!idle.isEmpty()) {
            text.append("; ").append(String.join(", ", idle)).append(idle.size() == 1 ? " is" : " are");
            text.append(" idle but must stay free for the other levels");
        }
        if (options.spareWorkers() > 0) {
            text.append("; a spare worker replaces a blocked one for the other levels only");
        }
        return text.toString();
    }

    private static String words(List<WorkerThread> workers) {
        StringBuilder text = new StringBuilder();
        for (WorkerThread worker : workers) {
            Task task = worker.context.currentTask();
            String region = BlockingRegion.openOn(worker);
            text.append(text.length() == 0 ? "" : ", ").append(worker.getName());
            text.append(task == null ? " is idle" : " runs '" + task.name() + "'");
            text.append(region == null ? "" : " in its blocking region '" + region + "'");
        }
        return text.toString();
    }

    /**
     * Something that a named thread has to run.
     *
     * @param ready what it is now, in words
     * @param served whether the thread runs it although it waits for something
     */
    StallNode forNamedThread(String name, String ready, String target, NamedLane lane, boolean served) {
        String queue = ready + " for " + target;
        ThreadContext context = lane.attached();
        if (context == null || (!waits(context) && !lane.isBeingConsumed())) {
            return new StallNode(
                    name, queue + reasonToStandStill(lane), context == null ? null : context.thread, false);
        }
        if (served) {
            return new StallNode(
                    name, queue + ", which thread " + context.thread.getName() + " is about to process", null, false);
        }
        StallNode made = new StallNode(
                name, queue + ", which thread " + context.thread.getName() + " has to process", null, false);
        open.add(() -> made.need(node(context)));
        return made;
    }

    /** Why no thread runs what is queued for a named thread, or nothing if one can. */
    static String reasonToStandStill(NamedLane lane) {
        ThreadContext context = lane.attached();
        if (context == null) {
            return ", and no thread is attached to " + lane.thread + "; call attach or start";
        }
        return lane.isBeingConsumed()
                ? ""
                : ", but thread " + context.thread.getName()
                        + " is attached to it and does not process its queue; call processUntilIdle or "
                        + "processUntilReturnRequested on it";
    }

    StallNode node(ThreadContext context) {
        return threadNode(context, context.thread, awaitedBy(context), context.currentTask());
    }

    /** A thread of the graph or another one. */
    StallNode threadNode(Thread thread) {
        for (WorkerThread worker : graph.workers().workers()) {
            if (worker == thread) {
                return node(worker.context);
            }
        }
        for (NamedLane lane : graph.lanes().all()) {
            ThreadContext context = lane.attached();
            if (context != null && context.thread == thread) {
                return node(context);
            }
        }
        CoreEvent awaited = thread == asking && asked instanceof CoreEvent event ? event : null;
        for (ForeignWaits.Entry entry : graph.foreignWaits().entries()) {
            awaited = entry.thread == thread ? entry.event : awaited;
        }
        return threadNode(thread, thread, awaited, null);
    }

    private StallNode threadNode(Object key, Thread thread, @Nullable CoreEvent awaited, @Nullable Task task) {
        StallNode known = nodes.get(key);
        if (known != null) {
            return known;
        }
        String name = threadName(thread);
        String node = runs.bodyOf(thread);
        String body = node != null ? node : task == null ? null : "'" + task.name() + "'";
        String inside = body == null ? "" : " inside " + body;
        RunCore run = awaitedRunBy(thread);
        StallNode made;
        if (awaited != null) {
            made = new StallNode(name, "waits for '" + awaited.name() + "'" + inside, thread, false);
            open.add(() -> made.need(node(awaited)));
        } else if (run != null) {
            made = new StallNode(name, "waits for the " + run.title() + inside, thread, false);
            open.add(() -> made.need(node(run)));
        } else {
            String region = BlockingRegion.openOn(thread);
            String where = region == null ? "" : " and is in its blocking region '" + region + "'";
            made = new StallNode(name, body == null ? "is idle" : "runs " + body + where, thread, false);
        }
        nodes.put(key, made);
        return made;
    }

    private boolean waits(ThreadContext context) {
        return awaitedBy(context) != null || awaitedRunBy(context.thread) != null;
    }

    /** The event that the thread waits for, or null. */
    @Nullable
    CoreEvent awaitedBy(ThreadContext context) {
        return context.thread == asking && asked instanceof CoreEvent event ? event : context.waitingFor();
    }

    /** The run that the thread waits for, or null. */
    @Nullable
    RunCore awaitedRunBy(Thread thread) {
        return thread == asking && asked instanceof RunCore event ? event : runs.awaitedBy(thread);
    }

    /** What waits for its inputs; the beginning of the sentence depends on how many are not complete. */
    private StallNode withInputs(CoreEvent event, String forOne, String forSeveral, String otherwise) {
        Set<CoreEvent> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        List<CoreEvent> unmet = new ArrayList<>();
        for (CoreEvent input : event.inputs()) {
            if (input != null && !input.isComplete() && seen.add(input)) {
                unmet.add(input);
            }
        }
        if (unmet.isEmpty()) {
            return leaf(event, otherwise);
        }
        StallNode made = leaf(event, (unmet.size() == 1 ? forOne : forSeveral) + WaitReason.names(unmet));
        open.add(() -> {
            for (CoreEvent input : unmet) {
                made.need(node(input));
            }
        });
        return made;
    }

    private static StallNode leaf(CoreEvent event, String state) {
        return new StallNode(quoted(event), state, null, false);
    }

    private static String quoted(CoreEvent event) {
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
        int freed = 0;
        for (StallNode node : all) {
            node.stuckNeeds = node.needs.size();
            if (node.stuckNeeds == 0) {
                node.stuck = false;
                node.freed = freed++;
                out.add(node);
            }
        }
        for (StallNode free = out.poll(); free != null; free = out.poll()) {
            for (StallNode waiting : free.neededBy) {
                if (waiting.stuck && (--waiting.stuckNeeds == 0 || waiting.anyWillDo)) {
                    waiting.stuck = false;
                    waiting.freed = freed++;
                    out.add(waiting);
                }
            }
        }
    }

    /** The way from the event or run to what holds it up, with the stacks of threads. */
    private static StallExplanation chain(String asked, StallNode start) {
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
                    node.state + others(node),
                    thread == null ? null : thread.getName(),
                    thread == null ? List.of() : List.of(thread.getStackTrace())));
        }
        return new StallExplanation(asked, steps, cycleStart);
    }

    /** The alternatives that the chain does not follow. Threads are left out: the node that needs them names them. */
    private static String others(StallNode node) {
        StringBuilder text = new StringBuilder();
        StallNode followed = node.worst();
        int named = 0;
        for (StallNode need : node.needs) {
            if (node.anyWillDo && need != followed && need.thread == null && named++ < MOST_OTHERS) {
                text.append(text.length() == 0 ? "; as for the others, " : "; ");
                text.append(need.name).append(' ').append(need.state);
            }
        }
        return text.toString();
    }
}
