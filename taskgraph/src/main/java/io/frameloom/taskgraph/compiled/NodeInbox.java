package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.parts.PaddedLong;
import java.util.Arrays;

/**
 * A list of small numbers that many threads add to and one thread at a time empties; allocates nothing.
 *
 * <p>Any thread may {@link #add} a number that is not in the list and ask {@link #isEmpty}; {@link #takeAll}
 * takes everything, in the order of adding, and {@link #next} walks what was taken. The links stand in one
 * array, at the place of the number itself (the stack of Treiber, "Systems programming: coping with
 * parallelism", emptied as a whole, which leaves no room for ABA).
 *
 * <p><b>Linearization.</b> At the compare-and-set and at the exchange of the head. <b>Memory order.</b> Both are
 * volatile read-modify-writes: the taker sees the links and what was done before each add, also of those that were
 * pushed over ({@code InboxStress}). <b>Progress.</b> {@code add} is lock-free, the rest wait-free.
 */
public final class NodeInbox {
    public static final int END = -1;

    private final PaddedLong head = new PaddedLong(END);
    private final int[] links;

    /** An empty inbox for numbers below a limit. */
    public NodeInbox(int limit) {
        links = new int[limit];
    }

    /** Adds a number that is not in the list. */
    public void add(int number) {
        while (true) {
            long seen = head.valueVolatile();
            links[number] = (int) seen;
            if (head.cas(seen, number)) {
                return;
            }
        }
    }

    /** Takes all numbers. Returns the one added first, or {@link #END}. */
    public int takeAll() {
        long seen;
        do {
            seen = head.valueVolatile();
        } while (seen != END && !head.cas(seen, END));
        int reversed = END;
        for (int number = (int) seen; number != END; ) {
            int older = links[number];
            links[number] = reversed;
            reversed = number;
            number = older;
        }
        return reversed;
    }

    /** What follows a taken number, or {@link #END}. Ask before the number can be added again. */
    public int next(int number) {
        return links[number];
    }

    /**
     * What is in the list at some moment, the newest first; for reports. While others add and take, numbers can be
     * missed or be there twice.
     */
    public int[] numbers() {
        int[] found = new int[links.length];
        int size = 0;
        for (int number = (int) head.valueVolatile(); number != END && size < found.length; number = links[number]) {
            found[size++] = number;
        }
        return Arrays.copyOf(found, size);
    }

    public boolean isEmpty() {
        return head.valueVolatile() == END;
    }
}
