package io.frameloom.taskgraph.stall;

import io.frameloom.taskgraph.compiled.RunCore;
import io.frameloom.taskgraph.compiled.RunSnapshot;
import io.frameloom.taskgraph.named.NamedLane;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the rows of a {@link WaitReport} for a run of a compiled graph. Reads racily, as that does. */
final class RunRows {
    private static final int MOST_NODES = 16;
    private static final int MOST_NAMES = 8;
    private static final int DEEPEST_STACK = 32;

    private final StringBuilder text;
    private final RunCore event;
    private final RunSnapshot run;

    private RunRows(StringBuilder text, RunCore event) {
        this.text = text;
        this.event = event;
        this.run = RunSnapshot.of(event.run());
    }

    static void write(StringBuilder text, RunCore event) {
        new RunRows(text, event).write();
    }

    private void write() {
        int ended = run.in(RunSnapshot.State.ENDED).size();
        text.append("  run of graph '").append(event.name()).append("': ").append(ended);
        text.append(" of ").append(run.plan.nodes).append(" nodes have ended");
        text.append(run.notBegun ? ", nobody has begun it\n" : "\n");
        rows(RunSnapshot.State.RUNNING);
        rows(RunSnapshot.State.READY);
        rows(RunSnapshot.State.KEPT);
        rows(RunSnapshot.State.NOT_READY);
        for (Thread thread : event.waitingThreads()) {
            text.append("    thread ").append(thread.getName()).append(" waits for the run\n");
        }
    }

    private void rows(RunSnapshot.State state) {
        List<Integer> nodes = run.in(state);
        for (int i = 0; i < Math.min(MOST_NODES, nodes.size()); i++) {
            int node = nodes.get(i);
            text.append("    node ").append(run.name(node));
            switch (state) {
                case RUNNING -> running(node);
                case READY -> text.append(" is ready").append(place(node));
                case KEPT ->
                    text.append(" is ready for thread ")
                            .append(name(run.thread(node)))
                            .append(", which runs ")
                            .append(run.name(run.keptBehind(node)));
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

    private void running(int node) {
        Thread thread = run.thread(node);
        text.append(" is run by thread ").append(name(thread));
        List<Integer> behind = run.waitingFor(node);
        if (!behind.isEmpty()) {
            text.append("; ").append(run.names(behind, MOST_NAMES)).append(behind.size() == 1 ? " waits" : " wait");
            text.append(" for it");
        }
        if (thread != null) {
            StackTraceElement[] stack = thread.getStackTrace();
            for (int i = 0; i < Math.min(DEEPEST_STACK, stack.length); i++) {
                text.append("\n        at ").append(stack[i]);
            }
        }
    }

    private String place(int node) {
        NamedLane lane = run.plan.laneOf(node);
        return " for " + run.plan.targets[node] + (lane == null ? "" : StallGraph.reasonToStandStill(lane));
    }
}
