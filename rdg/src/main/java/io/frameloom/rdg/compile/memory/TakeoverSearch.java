package io.frameloom.rdg.compile.memory;

import io.frameloom.rdg.compile.barrier.Takeovers;
import io.frameloom.rdg.compile.graph.IntList;
import io.frameloom.rdg.compile.graph.Scratch;
import java.util.Arrays;

/**
 * Whose memory each resource of a heap takes over: who had its bytes last, each of them.
 *
 * <p>Goes through the resources in the order of their first uses, with a map of the heap that says of each byte who had
 * it last. Resources that share bytes precede one another, so one of an earlier first use is one before.
 */
public final class TakeoverSearch {
    private static final int NOBODY = -1;

    private final long[] offset;
    private final long[] bytes;
    private final Scratch scratch;
    private final int[] begin;
    private final int[] end;
    private final IntList items;

    /** A search among resources with these offsets and bytes. What it finds lives in scratch memory. */
    public TakeoverSearch(long[] offset, long[] bytes, Scratch scratch) {
        this.offset = offset;
        this.bytes = bytes;
        this.scratch = scratch;
        begin = scratch.ints(offset.length, 0);
        end = scratch.ints(offset.length, 0);
        items = scratch.list();
    }

    /** Returns what was found until now: for resources of heaps that were not searched nothing. */
    public Takeovers takeovers() {
        return new Takeovers(begin, end, items.reserve(0));
    }

    /**
     * Finds those of the first {@code n} resources, in place of what was found for them before.
     *
     * @param byFirstUse all resources of a heap in the order of their first uses
     */
    public void find(int[] byFirstUse, int n) {
        long mark = scratch.mark();
        // The pieces of the heap in ascending order: where each begins, up to the next one, and who had it last.
        long[] from = scratch.longs(2 * n + 2);
        int[] owner = scratch.ints(2 * n + 2);
        from[0] = 0;
        owner[0] = NOBODY;
        from[1] = Long.MAX_VALUE;
        int pieces = 1;
        for (int i = 0; i < n; i++) {
            int resource = byFirstUse[i];
            long first = offset[resource];
            long behind = first + bytes[resource];
            // A graph file may say so; there is nothing to take over.
            if (behind == first) {
                continue;
            }
            int low = pieceAt(first, from, pieces);
            int high = low;
            begin[resource] = items.size();
            while (from[high] < behind) {
                if (owner[high] != NOBODY) {
                    items.add(owner[high]);
                }
                high++;
            }
            sort(begin[resource]);
            end[resource] = items.size();
            // What is left of the first and the last piece, and the resource between them, for all of these pieces.
            int last = owner[high - 1];
            int kept = low + (from[low] < first ? 1 : 0);
            int next = kept + (from[high] > behind ? 2 : 1);
            if (next != high) {
                System.arraycopy(from, high, from, next, pieces + 1 - high);
                System.arraycopy(owner, high, owner, next, pieces - high);
                pieces += next - high;
            }
            from[kept] = first;
            owner[kept] = resource;
            if (next == kept + 2) {
                from[kept + 1] = behind;
                owner[kept + 1] = last;
            }
        }
        scratch.release(mark);
    }

    /** Returns the last piece that begins no later than a byte: by halves, without branches. */
    private static int pieceAt(long first, long[] from, int pieces) {
        int low = 0;
        int length = pieces;
        while (length > 1) {
            int half = length >>> 1;
            low += half & (int) ~((first - from[low + half]) >> (Long.SIZE - 1));
            length -= half;
        }
        return low;
    }

    /** Puts those found from a place on in ascending order, each once. Mostly there are one or two. */
    private void sort(int first) {
        int[] found = items.reserve(0);
        int size = items.size();
        if (size - first < 2) {
            return;
        }
        Arrays.sort(found, first, size);
        int kept = first;
        for (int k = first; k < size; k++) {
            if (k == first || found[k] != found[kept - 1]) {
                found[kept++] = found[k];
            }
        }
        items.resize(kept);
    }
}
