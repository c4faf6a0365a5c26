package io.frameloom.stress.graph;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.WorkerLevel;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A task becomes urgent while it is put into a queue: it is found among the urgent ones, once (race 33). */
@JCStressTest
@Outcome(id = "1", expect = ACCEPTABLE, desc = "it ran before the ordinary task")
@Outcome(expect = FORBIDDEN, desc = "it ran behind the ordinary task, twice, or never")
@State
public class PromoteAgainstQueueStress {
    private final NamedThread lane = Shared.lane();
    private final GraphEvent ready = Shared.GRAPH.event("ready");
    private final GraphEvent needed;
    private boolean ordinaryRan;
    private int runs;
    private int late;

    /** Sets up the task that will be needed. */
    public PromoteAgainstQueueStress() {
        needed = Shared.GRAPH
                .task("needed", () -> {
                    runs++;
                    late += ordinaryRan ? 1 : 0;
                })
                .on(lane)
                .after(ready)
                .dispatch();
    }

    /** Queues the ordinary task, and behind it the one that is needed. */
    @Actor
    public void queuer() {
        Shared.GRAPH.task("ordinary", () -> ordinaryRan = true).on(lane).fireAndForget();
        ready.trigger();
    }

    /** Makes it urgent. */
    @Actor
    public void promoter() {
        Shared.GRAPH.task("urgent", () -> {}).on(WorkerLevel.HIGH).after(needed).fireAndForget();
    }

    /** Runs what is queued, in its order. */
    @Arbiter
    public void run(I_Result result) {
        Shared.GRAPH.attach(lane);
        Shared.GRAPH.processUntilIdle(lane);
        Shared.GRAPH.detach(lane);
        result.r1 = late == 0 ? runs : -1;
    }
}
