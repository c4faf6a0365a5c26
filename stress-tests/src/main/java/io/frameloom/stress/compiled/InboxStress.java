package io.frameloom.stress.compiled;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.compiled.NodeInbox;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two threads add to an inbox that one of them empties: every number is taken once, with what was written before. */
@JCStressTest
@Outcome(id = "3, 3", expect = ACCEPTABLE, desc = "both taken, with what was written before each")
@Outcome(expect = FORBIDDEN, desc = "a number was lost or doubled, or what was written before it is not visible")
@State
public class InboxStress {
    private final NodeInbox inbox = new NodeInbox(3);
    private final int[] written = new int[3];
    private int takenEarly;
    private int seenEarly;

    /** Adds a number. */
    @Actor
    public void one() {
        written[1] = 1;
        inbox.add(1);
    }

    /** Adds another and takes what is there. */
    @Actor
    public void other() {
        written[2] = 2;
        inbox.add(2);
        for (int number = inbox.takeAll(); number != NodeInbox.END; number = inbox.next(number)) {
            takenEarly += number;
            seenEarly += written[number];
        }
    }

    /** Takes the rest. */
    @Arbiter
    public void rest(II_Result result) {
        result.r1 = takenEarly;
        result.r2 = seenEarly;
        for (int number = inbox.takeAll(); number != NodeInbox.END; number = inbox.next(number)) {
            result.r1 += number;
            result.r2 += written[number];
        }
    }
}
