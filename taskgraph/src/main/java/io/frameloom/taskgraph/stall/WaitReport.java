package io.frameloom.taskgraph.stall;

import io.frameloom.taskgraph.StallExplanation;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.WorkerLevel;
import io.frameloom.taskgraph.compiled.RunCore;
import io.frameloom.taskgraph.graph.GraphParts;
import io.frameloom.taskgraph.graph.CompiledRuns;
import io.frameloom.taskgraph.named.NamedLane;
import io.frameloom.taskgraph.task.CoreEvent;
import io.frameloom.taskgraph.task.ForeignWaits;
import io.frameloom.taskgraph.task.Task;
import io.frameloom.taskgraph.task.WaitReason;
import io.frameloom.taskgraph.waiting.WaitGraph;
import io.frameloom.taskgraph.worker.BlockingRegion;
import io.frameloom.taskgraph.worker.ThreadContext;
import io.frameloom.taskgraph.worker.WorkerThread;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes {@link TaskGraph#describeWaits()}. Reads racily; every line was true at some moment. */
public final class WaitReport {
    private static final int CHAIN_LIMIT = 16;

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
            RunRows.write(text, run);
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
        List<CoreEvent> chain = WaitGraph.chain(from, CHAIN_LIMIT);
        String separator = "";
        for (CoreEvent event : chain) {
            Task task = event instanceof Task own ? own : null;
            text.append(separator).append('\'').append(event.name()).append("' (");
            text.append(event.isComplete() ? "complete" : task == null ? "not triggered" : task.describeState());
            WaitReason reason = task == null || !task.isPending() ? null : task.waitReason();
            text.append(reason == null ? "" : ", " + reason.state()).append(')');
            separator = " <- ";
        }
        text.append('\n');
    }
}
