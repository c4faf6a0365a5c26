package io.frameloom.stress.list;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/**
 * The second item goes into a chunk with the third, and that is closed, while the adder of the second has not yet
 * looked whether it keeps it (race 1). The results are whether 2 and 3 were accepted, and what was visited.
 */
@JCStressTest
@Outcome(
        id = {"true, true, 123", "true, true, 132"},
        expect = ACCEPTABLE,
        desc = "both were added before the close")
@Outcome(id = "false, true, 13", expect = ACCEPTABLE, desc = "the close came before the other thread's item")
@Outcome(expect = FORBIDDEN, desc = "a subsequent was lost, visited though refused, or visited twice")
@State
public class SecondInChunkAgainstCloseStress {
    private final OpenList<Integer> list = new OpenList<>();
    private int visited;

    /** One item. */
    public SecondInChunkAgainstCloseStress() {
        list.add(1);
    }

    /** Adds one subsequent. */
    @Actor
    public void add(ZZI_Result result) {
        result.r1 = list.add(2);
    }

    /** Adds another one, closes and visits. */
    @Actor
    public void addAndClose(ZZI_Result result) {
        result.r2 = list.add(3);
        list.popAllAndClose(item -> visited = visited * 10 + item);
        result.r3 = visited;
    }
}
