package io.frameloom.stress.deque;

import io.frameloom.taskgraph.queue.WorkStealingDeque;
import org.jspecify.annotations.Nullable;

/** Items as digits of a result, so that one number says who got what in which order. */
final class Items {
    private Items() {}

    /** The item, or 0 for none. */
    static int number(@Nullable Integer item) {
        return item == null ? 0 : item;
    }

    /** The digits so far and one more. */
    static int append(int digits, int item) {
        return digits * 10 + item;
    }

    /**
     * Pops all that the deque says it holds. Not until {@code pop} returns null: a slot that was cleared too
     * early would look like the end.
     */
    static int poppedFrom(WorkStealingDeque<Integer> deque) {
        int digits = 0;
        while (deque.size() > 0) {
            digits = append(digits, number(deque.pop()));
        }
        return digits;
    }
}
