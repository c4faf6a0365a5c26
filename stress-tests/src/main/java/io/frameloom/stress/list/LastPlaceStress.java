package io.frameloom.stress.list;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** Two subsequents are added at the same time to a chunk with one free place: both are visited, once each (race 1). */
@JCStressTest
@Outcome(
        id = {"true, true, 123456", "true, true, 123465"},
        expect = ACCEPTABLE,
        desc = "both were visited")
@Outcome(expect = FORBIDDEN, desc = "a subsequent was refused by an open list, lost or visited twice")
@State
public class LastPlaceStress {
    private final OpenList<Integer> list = new OpenList<>();
    private int visited;

    /** Fills the chunk but for one place. */
    public LastPlaceStress() {
        for (int item = 1; item <= 4; item++) {
            list.add(item);
        }
    }

    /** Adds one. */
    @Actor
    public void one(ZZI_Result result) {
        result.r1 = list.add(5);
    }

    /** Adds the other. */
    @Actor
    public void other(ZZI_Result result) {
        result.r2 = list.add(6);
    }

    /** Closes and visits. */
    @Arbiter
    public void visit(ZZI_Result result) {
        list.popAllAndClose(item -> visited = visited * 10 + item);
        result.r3 = visited;
    }
}
