package io.frameloom.taskgraph.named;

import io.frameloom.taskgraph.task.GraphCore;
import io.frameloom.taskgraph.worker.ThreadContext;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A named thread that the library owns: pumps until a return is requested or the graph closes. */
public final class NamedPumpThread extends Thread {
    private final GraphCore graph;
    private final NamedLanes lanes;
    private final NamedLane lane;
    private @Nullable ThreadContext context;

    NamedPumpThread(GraphCore graph, NamedLanes lanes, NamedLane lane) {
        super(null, null, graph.name() + "-" + lane.thread.name(), 0, false);
        this.graph = graph;
        this.lanes = lanes;
        this.lane = lane;
        setDaemon(true);
    }

    /** To be called once, before the start. */
    void setContext(ThreadContext reserved) {
        context = reserved;
    }

    @Override
    public void run() {
        graph.runScheduled(() -> graph.failStop().guard(this::pump));
    }

    private void pump() {
        ThreadContext own = Objects.requireNonNull(context, "context");
        lanes.enter(own);
        lane.processUntilReturnRequested();
        lanes.leave(own, lane);
        if (graph.isClosing()) {
            lane.close();
        }
        graph.threadEnded();
    }
}
