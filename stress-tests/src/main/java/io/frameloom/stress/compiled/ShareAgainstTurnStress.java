package io.frameloom.stress.compiled;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.compiled.Frontier;
import io.frameloom.taskgraph.compiled.RangeDeque;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A thread shares a run and claims what follows, while the thread that has the run to itself claims its second turn: each
 * node is claimed once, and who claims after the first turn sees what ran in it (race 39).
 */
@JCStressTest
@Outcome(id = "2, 0", expect = ACCEPTABLE, desc = "the second turn came first: nothing is left")
@Outcome(id = "0, 7", expect = ACCEPTABLE, desc = "the run was shared in the first turn, whose node was reported")
@Outcome(
        id = "0, 0",
        expect = ACCEPTABLE,
        desc = "the run was shared in the first turn, whose node was not reported yet")
@Outcome(expect = FORBIDDEN, desc = "a node was claimed twice or lost, or ran before its prerequisite")
@State
public class ShareAgainstTurnStress {
    private final Frontier frontier = new Frontier(2, new int[] {0, 0, 1}, new int[] {0});
    private int written;

    /** The first turn is claimed. */
    public ShareAgainstTurnStress() {
        frontier.claimTurn(1);
    }

    /** Runs the first node, then claims the second. */
    @Actor
    public void owner(II_Result result) {
        written = 7;
        if (frontier.claimTurn(2)) {
            result.r1 = 2;
        } else if (frontier.end(0) == 1 && !frontier.admit(1)) {
            result.r1 = -1;
        }
    }

    /** Shares the run and claims what is left. */
    @Actor
    public void other(II_Result result) {
        frontier.share();
        if (frontier.claim(2) != RangeDeque.NOTHING && frontier.admit(1)) {
            result.r2 = written;
        }
    }
}
