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

/** A report has the passes of the list that was submitted, or none once the object records another (race 41). */
@JCStressTest
@Outcome(id = "0", expect = ACCEPTABLE, desc = "another list was begun")
@Outcome(id = "1", expect = ACCEPTABLE, desc = "the report came first")
@Outcome(expect = FORBIDDEN, desc = "the report has something of the other list")
@State
public class ReportAgainstRecordingStress {
    private static final String OLD = "old";
    private static final String NEW = "new";

    private final PassTrail trail = new PassTrail();
    private final int submitted;

    /** Records the list that is reported. */
    public ReportAgainstRecordingStress() {
        record(OLD);
        submitted = trail.turn();
    }

    private void record(String name) {
        trail.begin(name, PassTrail.Marks.NONE, 0, 0);
        trail.enter(name);
        trail.leave();
    }

    /** Records another list. */
    @Actor
    public void recordAnew() {
        record(NEW);
    }

    /** Reports the first. */
    @Actor
    public void report(I_Result result) {
        ListState state = trail.state(submitted, 0, (list, mark, end) -> PassTrail.Passed.UNKNOWN);
        if (state != null) {
            boolean whole = state.label().equals(OLD)
                    && state.passes().size() == 1
                    && state.passes().get(0).name().equals(OLD);
            result.r1 = whole ? 1 : 2;
        }
    }
}
