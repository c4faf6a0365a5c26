package io.frameloom.stress.list;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** A subsequent is either accepted and visited once, in order, or refused and never visited (race 1). */
@JCStressTest
@Outcome(id = "true, true, 12", expect = ACCEPTABLE, desc = "both were added before the close")
@Outcome(id = "true, false, 1", expect = ACCEPTABLE, desc = "the close came between the two")
@Outcome(id = "false, false, 0", expect = ACCEPTABLE, desc = "the close came first")
@Outcome(expect = FORBIDDEN, desc = "a subsequent was lost, visited though refused, visited twice or out of order")
@State
public class AddAgainstCloseStress {
    private final OpenList<Integer> list = new OpenList<>();
    private int visited;

    /** Adds two subsequents: the first is stored bare, the second behind a link. */
    @Actor
    public void add(ZZI_Result result) {
        result.r1 = list.add(1);
        result.r2 = list.add(2);
    }

    /** Closes and visits. */
    @Actor
    public void close(ZZI_Result result) {
        list.popAllAndClose(item -> visited = visited * 10 + item);
        result.r3 = visited;
    }
}
