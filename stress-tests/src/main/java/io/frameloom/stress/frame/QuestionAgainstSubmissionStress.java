package io.frameloom.stress.frame;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.rdg.execute.FrameEnd;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A frame that somebody asks for is tied once, by a thread that sees where the device has done it (race 40). */
@JCStressTest
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the submission came first, and the question sees its points")
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "the question came first")
@Outcome(expect = FORBIDDEN, desc = "tied by none or by both, or without the points")
@State
public class QuestionAgainstSubmissionStress {
    private final FrameEnd end = new FrameEnd();
    private int points;

    /** Submits the frame. */
    @Actor
    public void submit(II_Result result) {
        points = 1;
        result.r2 = end.submitted(false) ? 1 : 0;
    }

    /** Asks for the event. */
    @Actor
    public void ask(II_Result result) {
        result.r1 = end.asked() ? 2 * points - 1 : 0;
    }
}
