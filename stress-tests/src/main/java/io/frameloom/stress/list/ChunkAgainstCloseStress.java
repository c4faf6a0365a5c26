package io.frameloom.stress.list;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/**
 * As {@link AddAgainstCloseStress}, where the first item takes the last free place of a chunk and the second needs a
 * chunk of its own (race 1).
 */
@JCStressTest
@Outcome(id = "true, true, 123456", expect = ACCEPTABLE, desc = "both were added before the close")
@Outcome(id = "true, false, 12345", expect = ACCEPTABLE, desc = "the close came between the two")
@Outcome(id = "false, false, 1234", expect = ACCEPTABLE, desc = "the close came first")
@Outcome(expect = FORBIDDEN, desc = "a subsequent was lost, visited though refused, visited twice or out of order")
@State
public class ChunkAgainstCloseStress {
    private final OpenList<Integer> list = new OpenList<>();
    private int visited;

    /** Fills the chunk but for one place. */
    public ChunkAgainstCloseStress() {
        for (int item = 1; item <= 4; item++) {
            list.add(item);
        }
    }

    /** Adds two subsequents. */
    @Actor
    public void add(ZZI_Result result) {
        result.r1 = list.add(5);
        result.r2 = list.add(6);
    }

    /** Closes and visits. */
    @Actor
    public void close(ZZI_Result result) {
        list.popAllAndClose(item -> visited = visited * 10 + item);
        result.r3 = visited;
    }
}
