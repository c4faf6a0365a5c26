package io.frameloom.taskgraph.stall;

import io.frameloom.taskgraph.StallExplanation;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.WorkerLevel;
import io.frameloom.taskgraph.compiled.RunCore;
import io.frameloom.taskgraph.compiled.RunSnapshot;
import io.frameloom.taskgraph.graph.CompiledRuns;
import io.frameloom.taskgraph.graph.GraphParts;
import io.frameloom.taskgraph.named.NamedLane;
import io.frameloom.taskgraph.task.CoreEvent;
import io.frameloom.taskgraph.task.ForeignWaits;
import io.frameloom.taskgraph.task.Task;
import io.frameloom.taskgraph.task.WaitReason;
import io.frameloom.taskgraph.worker.BlockingRegion;
import io.frameloom.taskgraph.worker.ThreadContext;
import io.frameloom.taskgraph.worker.WorkerThread;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes {@link TaskGraph#describeWaits()}. Reads racily; every line was true at some moment. */
public final class WaitReport {
    private static final int CHAIN_LIMIT = 16;
    private static final int MOST_NODES = 16;
    private static final int MOST_NAMES = 8;
    private static final int DEEPEST_STACK = 32;

    private final StringBuilder text = new StringBuilder();
    /** What was said about cycles; every member of a cycle is on its own. */
    private final StringBuilder cycles = new StringBuilder();

    private final Set<String> known = new HashSet<>();

    public String of(GraphParts graph) {
        text.append("task graph '").append(graph.name()).append('\'');
        text.append(graph.isTerminated() ? " (closed)" : graph.isClosing() ? " (closing)" : "");
        text.append('\n');
        for (WorkerLevel level : WorkerLevel.values()) {
            text.append("  queued for workers at ").append(level).append(": ");
            text.append(graph.workers().queued(level)).append('\n');
        }
        for (WorkerThread worker : graph.workers().workers()) {
            if (!worker.isSpare) {
                context("worker " + worker.getName(), worker.context);
            } else if (worker.isAlive()) {
                String rests = worker.resting ? " (rests)" : "";
                context("spare worker " + worker.getName() + rests, worker.context);
            }
        }
        for (NamedLane lane : graph.lanes().all()) {
            ThreadContext context = lane.attached();
            String row = "named thread " + lane.thread + " (main " + lane.queued(false) + ", local " + lane.queued(true)
                    + " queued)";
            if (context == null) {
                text.append("  ").append(row).append(": nobody attached\n");
            } else {
                context(row + " on " + context.thread.getName(), context);
            }
        }
        for (ForeignWaits.Entry entry : graph.foreignWaits().entries()) {
            CoreEvent event = entry.event;
            text.append("  thread ").append(entry.thread.getName()).append(": waits for ");
            if (event == null) {
                text.append("the helpers of its parallelFor\n");
            } else {
                chain(event);
                cycle(event.explain());
            }
        }
        for (CompiledRuns.Run known : graph.compiledRuns().inProgress()) {
            RunCore run = (RunCore) known;
            rows(run);
            cycle(StallGraph.explain(graph, run, null));
        }
        text.append("  untriggered events and held tasks that something waits for: ");
        text.append(graph.roots().size()).append('\n');
        return text.append(cycles).toString();
    }

    private void context(String row, ThreadContext context) {
        Task task = context.currentTask();
        text.append("  ").append(row).append(": ");
        text.append(task == null ? "no task" : "runs '" + task.name() + "'");
        String region = BlockingRegion.openOn(context.thread);
        text.append(region == null ? "" : ", in blocking region '" + region + "'");
        @Nullable CoreEvent waiting = context.waitingFor();
        if (waiting == null) {
            text.append('\n');
        } else {
            text.append(", waits for ");
            chain(waiting);
            cycle(waiting.explain());
        }
    }

    private void cycle(StallExplanation explanation) {
        boolean fresh = false;
        for (StallExplanation.Step step : explanation.cycle()) {
            fresh |= known.add(step.name());
        }
        if (fresh) {
            cycles.append(explanation).append('\n');
        }
    }

    private void chain(CoreEvent from) {
        String separator = "";
        for (CoreEvent event : unmet(from)) {
            Task task = event instanceof Task own ? own : null;
            text.append(separator).append('\'').append(event.name()).append("' (");
            text.append(event.isComplete() ? "complete" : task == null ? "not triggered" : task.describeState());
            WaitReason reason = task == null || !task.isPending() ? null : task.waitReason();
            text.append(reason == null ? "" : ", " + reason.state()).append(')');
            separator = " <- ";
        }
        text.append('\n');
    }

    /** The first unmet need of the event, its first unmet need, and so on. */
    private static List<CoreEvent> unmet(CoreEvent from) {
        List<CoreEvent> chain = new ArrayList<>();
        Set<CoreEvent> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        @Nullable CoreEvent at = from;
        while (at != null && chain.size() < CHAIN_LIMIT) {
            chain.add(at);
            if (!seen.add(at)) {
                break;
            }
            at = firstIncomplete(at.inputs());
        }
        return chain;
    }

    private static @Nullable CoreEvent firstIncomplete(@Nullable CoreEvent[] events) {
        for (CoreEvent event : events) {
            if (event != null && !event.isComplete()) {
                return event;
            }
        }
        return null;
    }

    private void rows(RunCore event) {
        RunSnapshot run = RunSnapshot.of(event.run());
        int ended = run.in(RunSnapshot.State.ENDED).size();
        text.append("  run of graph '").append(event.name()).append("': ").append(ended);
        text.append(" of ").append(run.plan.nodes).append(" nodes have ended");
        text.append(run.notBegun ? ", nobody has begun it\n" : "\n");
        rows(run, RunSnapshot.State.RUNNING);
        rows(run, RunSnapshot.State.READY);
        rows(run, RunSnapshot.State.KEPT);
        rows(run, RunSnapshot.State.NOT_READY);
        for (Thread thread : event.waitingThreads()) {
            text.append("    thread ").append(thread.getName()).append(" waits for the run\n");
        }
    }

    private void rows(RunSnapshot run, RunSnapshot.State state) {
        List<Integer> nodes = run.in(state);
        for (int i = 0; i < Math.min(MOST_NODES, nodes.size()); i++) {
            int node = nodes.get(i);
            text.append("    node ").append(run.name(node));
            switch (state) {
                case RUNNING -> running(run, node);
                case READY -> text.append(" is ready").append(place(run, node));
                case KEPT ->
                    text.append(" is ready for thread ")
                            .append(name(run.thread(node)))
                            .append(", which runs ")
                            .append(run.name(run.keptUntil(node)));
                case NOT_READY, ENDED -> text.append(" waits for ").append(run.names(run.missing(node), MOST_NAMES));
            }
            text.append('\n');
        }
        if (nodes.size() > MOST_NODES) {
            text.append("    and ").append(nodes.size() - MOST_NODES).append(" more such nodes\n");
        }
    }

    private static String name(@Nullable Thread thread) {
        return thread == null ? "?" : thread.getName();
    }

    private void running(RunSnapshot run, int node) {
        Thread thread = run.thread(node);
        text.append(" is run by thread ").append(name(thread));
        List<Integer> waiting = run.waitingFor(node);
        if (!waiting.isEmpty()) {
            text.append("; ").append(run.names(waiting, MOST_NAMES)).append(waiting.size() == 1 ? " waits" : " wait");
            text.append(" for it");
        }
        if (thread != null) {
            StackTraceElement[] stack = thread.getStackTrace();
            for (int i = 0; i < Math.min(DEEPEST_STACK, stack.length); i++) {
                text.append("\n        at ").append(stack[i]);
            }
        }
    }

    private static String place(RunSnapshot run, int node) {
        NamedLane lane = run.plan.laneOf(node);
        return " for " + run.plan.target(node) + (lane == null ? "" : StallGraph.reasonToStandStill(lane));
    }
}
