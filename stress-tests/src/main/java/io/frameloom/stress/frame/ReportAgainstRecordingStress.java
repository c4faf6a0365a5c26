package io.frameloom.stress.frame;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.gpu.device.PassTrail;
import io.frameloom.gpu.error.CrashReport.ListState;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** The report of a lost device reads a list that is taken back and recorded anew (race 41). */
@JCStressTest
@Outcome(id = "0", expect = ACCEPTABLE, desc = "taken back meanwhile")
@Outcome(id = "1", expect = ACCEPTABLE, desc = "as it was submitted")
@Outcome(expect = FORBIDDEN, desc = "what was recorded later, as the submission's")
@State
public class ReportAgainstRecordingStress {
    private final PassTrail trail = new PassTrail();
    private final int submitted;

    public ReportAgainstRecordingStress() {
        trail.begin("old", PassTrail.Marks.NONE, 0, 0);
        trail.enter("old");
        submitted = trail.turn();
    }

    /** Records the list anew. */
    @Actor
    public void record() {
        trail.begin("new", PassTrail.Marks.NONE, 0, 0);
        trail.enter("new");
    }

    /** Reports the submission. */
    @Actor
    public void report(I_Result result) {
        ListState state = trail.state(submitted, 0, (list, mark, end) -> PassTrail.Passed.UNKNOWN);
        if (state != null) {
            boolean old = state.label().equals("old")
                    && state.passes().size() == 1
                    && state.passes().get(0).name().equals("old");
            result.r1 = old ? 1 : 2;
        }
    }
}
