package io.frameloom.stress.list;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** Either the list is closed empty and the subsequent refused, or it stays open with the subsequent in it (race 1). */
@JCStressTest
@Outcome(id = "true, false, 1", expect = ACCEPTABLE, desc = "the subsequent came first")
@Outcome(id = "false, true, 0", expect = ACCEPTABLE, desc = "the close came first")
@Outcome(expect = FORBIDDEN, desc = "a subsequent was lost or visited though refused, or an empty list stayed open")
@State
public class CloseIfEmptyAgainstAddStress {
    private final OpenList<Integer> list = new OpenList<>();

    /** Adds a subsequent. */
    @Actor
    public void add(ZZI_Result result) {
        result.r1 = list.add(1);
    }

    /** Closes the list if it is empty. */
    @Actor
    public void close(ZZI_Result result) {
        result.r2 = list.closeIfEmpty();
    }

    /** Visits what is left. */
    @Arbiter
    public void rest(ZZI_Result result) {
        list.popAllAndClose(item -> result.r3 = item);
    }
}
