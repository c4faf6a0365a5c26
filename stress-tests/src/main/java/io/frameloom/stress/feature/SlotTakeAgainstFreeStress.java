package io.frameloom.stress.feature;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.frameloom.taskgraph.parts.SlotStack;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * One thread takes a slot while another takes two and frees the first of them again, so that the top of the
 * stack returns with another slot below it (ABA). Afterwards what is left on the stack and what is in hand
 * are all the slots, each once: the third number is the set of both as bits.
 */
@JCStressTest
@Outcome(
        id = {"0, 1, 7", "0, 2, 7", "1, 2, 7", "2, 1, 7"},
        expect = ACCEPTABLE,
        desc = "every slot has one owner")
@Outcome(expect = FORBIDDEN, desc = "a slot has two owners or was lost")
@State
public class SlotTakeAgainstFreeStress {
    private static final int TWICE = 1 << 10;

    private final SlotStack stack = new SlotStack(3);

    /** Takes one. */
    @Actor
    public void taker(III_Result result) {
        result.r1 = stack.take();
    }

    /** Takes two and frees the first. */
    @Actor
    public void juggler(III_Result result) {
        int first = stack.take();
        result.r2 = stack.take();
        stack.free(first);
    }

    /** Empties the stack. */
    @Arbiter
    public void count(III_Result result) {
        int owned = add(1 << result.r1, result.r2);
        for (int left = stack.take(); left >= 0; left = stack.take()) {
            owned = add(owned, left);
        }
        result.r3 = owned;
    }

    private static int add(int owned, int slot) {
        return (owned & (1 << slot)) != 0 ? owned | TWICE : owned | (1 << slot);
    }
}
