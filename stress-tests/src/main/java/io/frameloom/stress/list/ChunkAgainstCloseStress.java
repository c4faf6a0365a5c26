package io.frameloom.stress.list;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * As {@link AddAgainstCloseStress}, where two items take the last free places of a chunk and the third needs a chunk of
 * its own (race 1). The first result is a digit per item, 1 if it was accepted.
 */
@JCStressTest
@Outcome(id = "111, 123456", expect = ACCEPTABLE, desc = "all were added before the close")
@Outcome(id = "110, 12345", expect = ACCEPTABLE, desc = "the close came before the third")
@Outcome(id = "100, 1234", expect = ACCEPTABLE, desc = "the close came before the second")
@Outcome(id = "0, 123", expect = ACCEPTABLE, desc = "the close came first")
@Outcome(expect = FORBIDDEN, desc = "a subsequent was lost, visited though refused, visited twice or out of order")
@State
public class ChunkAgainstCloseStress {
    private final OpenList<Integer> list = new OpenList<>();
    private int visited;

    /** Fills the chunk but for two places. */
    public ChunkAgainstCloseStress() {
        for (int item = 1; item <= 3; item++) {
            list.add(item);
        }
    }

    /** Adds three subsequents. */
    @Actor
    public void add(II_Result result) {
        for (int item = 4; item <= 6; item++) {
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
