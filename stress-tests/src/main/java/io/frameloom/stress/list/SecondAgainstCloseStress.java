package io.frameloom.stress.list;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * As {@link AddAgainstCloseStress}, for the second item, which has a place of its own, and the third, which makes the
 * first chunk (race 1). The first result is a digit per item, 1 if it was accepted.
 */
@JCStressTest
@Outcome(id = "11, 123", expect = ACCEPTABLE, desc = "both were added before the close")
@Outcome(id = "10, 12", expect = ACCEPTABLE, desc = "the close came before the third")
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "the close came first")
@Outcome(expect = FORBIDDEN, desc = "a subsequent was lost, visited though refused, visited twice or out of order")
@State
public class SecondAgainstCloseStress {
    private final OpenList<Integer> list = new OpenList<>();
    private int visited;

    /** One item. */
    public SecondAgainstCloseStress() {
        list.add(1);
    }

    /** Adds two subsequents. */
    @Actor
    public void add(II_Result result) {
        for (int item = 2; item <= 3; item++) {
            result.r1 = result.r1 * 10 + (list.add(item) ? 1 : 0);
        }
    }

    /** Closes and visits. */
    @Actor
    public void close(II_Result result) {
        list.popAllAndClose(item -> visited = visited * 10 + item);
        result.r2 = visited;
    }
}
