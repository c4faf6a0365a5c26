package io.frameloom.stress.compiled;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.compiled.ParticipantGate;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A participant closes the gate and leaves while another comes and goes: one of them is the last, and sees
 * what both did (race 31).
 */
@JCStressTest
@Outcome(id = "1, 0, 2", expect = ACCEPTABLE, desc = "the closing one was last and saw both, or the other too late")
@Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "the other one found the gate closed")
@Outcome(id = "0, 1, 2", expect = ACCEPTABLE, desc = "the other one was last and saw both")
@Outcome(expect = FORBIDDEN, desc = "none or both were last, or the last one missed what the other did")
@State
public class GateStress {
    private final ParticipantGate gate = new ParticipantGate();
    private int byCloser;
    private int byOther;

    /** Opens the gate with the closer inside. */
    public GateStress() {
        gate.open(1);
    }

    /** Closes and leaves. */
    @Actor
    public void closer(III_Result result) {
        byCloser = 1;
        gate.close();
        if (gate.leave()) {
            result.r1 = 1;
            result.r3 = byCloser + byOther;
        }
    }

    /** Enters if it can, and leaves. */
    @Actor
    public void other(III_Result result) {
        if (!gate.tryEnter()) {
            return;
        }
        byOther = 1;
        if (gate.leave()) {
            result.r2 = 1;
            result.r3 = byCloser + byOther;
        }
    }

    /** Nothing is left to be done. */
    @Arbiter
    public void rest(III_Result result) {
        if (gate.tryEnter()) {
            result.r3 = -1;
        }
    }
}
