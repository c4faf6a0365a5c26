package io.frameloom.stress.list;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Of two closers exactly one visits the subsequents, and it visits all of them (race 2). */
@JCStressTest
@Outcome(
        id = {"12, -1", "-1, 12"},
        expect = ACCEPTABLE,
        desc = "one closer visited both")
@Outcome(expect = FORBIDDEN, desc = "both closers got the list, or neither, or a part of it")
@State
public class CloseAgainstCloseStress {
    private static final int REFUSED = -1;

    private final OpenList<Integer> list = new OpenList<>();

    /** A list of two. */
    public CloseAgainstCloseStress() {
        list.add(1);
        list.add(2);
    }

    private int close() {
        int[] visited = new int[1];
        return list.popAllAndClose(item -> visited[0] = visited[0] * 10 + item) ? visited[0] : REFUSED;
    }

    /** Closes. */
    @Actor
    public void one(II_Result result) {
        result.r1 = close();
    }

    /** Closes too. */
    @Actor
    public void other(II_Result result) {
        result.r2 = close();
    }
}
