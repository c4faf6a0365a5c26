package io.frameloom.stress.counter;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.stress.list.OpenList;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A task whose two prerequisites complete while it is being set up is launched once, after the set-up has
 * ended: the set-up holds a count of its own (races 4, 5).
 */
@JCStressTest
@Outcome(
        id = {"7, -1, 0", "-1, 7, 0"},
        expect = ACCEPTABLE,
        desc = "launched once; the launcher saw set-up and both prerequisites ended")
@Outcome(expect = FORBIDDEN, desc = "launched during set-up, twice or never")
@State
public class SetUpLockStress {
    private static final int NOT_LAST = -1;

    private final OpenList<OpenCounter> first = new OpenList<>();
    private final OpenList<OpenCounter> second = new OpenList<>();
    private final OpenCounter counter = new OpenCounter(1 + 2);
    private int ended;
    private int endedSetUp;

    /** Registers with both prerequisites, then gives the set-up's own count back with the missed ones. */
    @Actor
    public void setUp(III_Result result) {
        int done = 1;
        done += first.add(counter) ? 0 : 1;
        done += second.add(counter) ? 0 : 1;
        endedSetUp = 4;
        result.r1 = counter.several(done) ? ended + endedSetUp : NOT_LAST;
    }

    /** Completes both prerequisites. */
    @Actor
    public void complete(III_Result result) {
        int[] ready = {NOT_LAST};
        ended |= 1;
        first.popAllAndClose(task -> arrive(task, ready));
        ended |= 2;
        second.popAllAndClose(task -> arrive(task, ready));
        result.r2 = ready[0];
    }

    private void arrive(OpenCounter task, int[] ready) {
        if (task.one()) {
            ready[0] = ended + endedSetUp;
        }
    }

    /** Reads what is left. */
    @Arbiter
    public void left(III_Result result) {
        result.r3 = counter.left();
    }
}
