package io.frameloom.rdg.compile.barrier;

import io.frameloom.rdg.compile.memory.TakeoverSearch;
import java.util.stream.IntStream;

/**
 * Whose memory each resource takes over: who had its bytes last, each of them. Found by {@link TakeoverSearch}, and in
 * its memory.
 */
public final class Takeovers {
    private final int[] begin;
    private final int[] end;
    private final int[] items;

    /**
     * Takes over lists that lie one after the other: where those of each resource begin and end, and what is in them.
     */
    public Takeovers(int[] begin, int[] end, int[] items) {
        this.begin = begin;
        this.end = end;
        this.items = items;
    }

    /** Returns where the predecessors of a resource begin; they end at {@link #end}. */
    public int begin(int resource) {
        return begin[resource];
    }

    public int end(int resource) {
        return end[resource];
    }

    /** Returns the predecessors of a resource in ascending order, each once. */
    public int[] of(int resource) {
        return IntStream.range(begin[resource], end[resource])
                .map(this::predecessor)
                .sorted()
                .distinct()
                .toArray();
    }

    /** Returns a predecessor; one that had several pieces of the memory comes several times. */
    public int predecessor(int at) {
        return items[at];
    }
}
