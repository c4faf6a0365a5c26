package io.frameloom.stress.compiled;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.compiled.Frontier;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A node is admitted while its only prerequisite ends: one of the two threads has it, and sees what that did (race 39). */
@JCStressTest
@Outcome(id = "1, 0, 7", expect = ACCEPTABLE, desc = "the prerequisite had ended")
@Outcome(id = "0, 1, 7", expect = ACCEPTABLE, desc = "the thread that ended the prerequisite got the node")
@Outcome(expect = FORBIDDEN, desc = "the node was lost or admitted twice, or what its prerequisite did is not visible")
@State
public class AdmitAgainstEndStress {
    private final Frontier frontier = new Frontier(2, new int[] {0, 0, 1}, new int[] {0});
    private int written;

    /** Shared from the first node. */
    public AdmitAgainstEndStress() {
        frontier.share();
        frontier.claim(2);
    }

    /** Has claimed the node. */
    @Actor
    public void claimed(III_Result result) {
        if (frontier.admit(1)) {
            result.r1 = 1;
            result.r3 = written;
        }
    }

    /** Runs the prerequisite. */
    @Actor
    public void ends(III_Result result) {
        written = 7;
        if (frontier.end(0) == 1 && frontier.admit(1)) {
            result.r2 = 1;
            result.r3 = written;
        }
    }
}
