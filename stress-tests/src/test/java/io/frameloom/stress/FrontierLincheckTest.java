package io.frameloom.stress;

import io.frameloom.taskgraph.compiled.Frontier;
import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node with two prerequisites is admitted once: by the thread that claimed it, or by that which ended the last one. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FrontierLincheckTest {
    /** The shipped frontier: nodes 0 and 1, and node 2 after both, all claimed. */
    public static class Shipped {
        private final Frontier frontier = new Frontier(3, new int[] {0, 0, 0, 2}, new int[] {0, 1});

        /** Shared from the first node. */
        public Shipped() {
            frontier.share();
            frontier.claim(3);
        }

        /** Looks whether node 2 can run. */
        @Operation
        public boolean admit() {
            return frontier.admit(2);
        }

        /** Ends node 0; whether node 2 can run now. */
        @Operation
        public boolean endFirst() {
            return frontier.end(0) == 2 && frontier.admit(2);
        }

        /** Ends node 1; whether node 2 can run now. */
        @Operation
        public boolean endSecond() {
            return frontier.end(1) == 2 && frontier.admit(2);
        }
    }

    /** The same by one thread. */
    public static class Sequential {
        private boolean claimed;
        private boolean firstEnded;
        private boolean secondEnded;

        /** Looks whether the node can run. */
        public boolean admit() {
            claimed = true;
            return firstEnded && secondEnded;
        }

        /** Ends the first prerequisite. */
        public boolean endFirst() {
            firstEnded = true;
            return claimed && secondEnded;
        }

        /** Ends the second prerequisite. */
        public boolean endSecond() {
            secondEnded = true;
            return claimed && firstEnded;
        }
    }

    @Test
    void theClaimantEndsAPrerequisiteItself() throws NoSuchMethodException {
        check(List.of("admit", "endFirst"), List.of("endSecond"));
    }

    @Test
    void anotherThreadEndsBothPrerequisites() throws NoSuchMethodException {
        check(List.of("admit"), List.of("endFirst", "endSecond"));
        check(List.of("admit"), List.of("endSecond", "endFirst"));
    }

    private static void check(List<String> one, List<String> other) throws NoSuchMethodException {
        LincheckRuns.modelCheck(
                Shipped.class,
                Sequential.class,
                new ExecutionScenario(List.of(), List.of(actors(one), actors(other)), List.of(), null));
    }

    private static List<Actor> actors(List<String> operations) throws NoSuchMethodException {
        Actor[] actors = new Actor[operations.size()];
        for (int i = 0; i < actors.length; i++) {
            actors[i] = new Actor(Shipped.class.getMethod(operations.get(i)), List.of());
        }
        return List.of(actors);
    }
}
