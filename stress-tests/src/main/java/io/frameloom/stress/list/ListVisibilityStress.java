package io.frameloom.stress.list;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The closer sees the plain fields of a visited subsequent, and whoever is refused sees the plain writes
 * made before the close (race 7, single-prerequisite path).
 */
@JCStressTest
@Outcome(id = "-1, 42", expect = ACCEPTABLE, desc = "accepted; the visit saw the fields")
@Outcome(id = "43, -1", expect = ACCEPTABLE, desc = "refused; the adder saw what the closer wrote")
@Outcome(expect = FORBIDDEN, desc = "one side saw stale fields")
@State
public class ListVisibilityStress {
    private static final int NOT_MINE = -1;

    private final OpenList<Box> list = new OpenList<>();
    private int output;

    /** What is added; its field is plain on purpose. */
    private static final class Box {
        int value;
    }

    /** Fills a box and adds it. */
    @Actor
    public void add(II_Result result) {
        Box box = new Box();
        box.value = 42;
        result.r1 = list.add(box) ? NOT_MINE : output;
    }

    /** Writes the output, closes and visits. */
    @Actor
    public void close(II_Result result) {
        output = 43;
        int[] seen = {NOT_MINE};
        list.popAllAndClose(box -> seen[0] = box.value);
        result.r2 = seen[0];
    }
}
