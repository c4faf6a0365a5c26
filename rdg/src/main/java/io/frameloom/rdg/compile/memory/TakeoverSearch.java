package io.frameloom.rdg.compile.memory;

import io.frameloom.rdg.compile.barrier.Takeovers;
import io.frameloom.rdg.compile.graph.IntList;
import io.frameloom.rdg.compile.graph.Scratch;

/**
 * Whose memory each resource of a heap takes over: who had its bytes last, each of them.
 *
 * <p>Goes through the resources in the order of their first uses, with a map of the heap that says of each byte who had
 * it last. Resources that share bytes precede one another, so one of an earlier first use is one before. The map is a
 * chain of pieces in ascending order, into which a table leads at equal distances.
 */
public final class TakeoverSearch {
    private static final int NOBODY = -1;

    /** Of a chain: the piece after the last one, which begins after all bytes. */
    private static final int END = 0;

    /** Places of the table; some hundred pieces lie in a heap. */
    private static final int LEADS = 128;

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
        // Where each piece begins, up to the next one, and who had it last.
        long[] from = scratch.longs(2 * n + 3);
        int[] owner = scratch.ints(2 * n + 3);
        int[] next = scratch.ints(2 * n + 3);
        from[END] = Long.MAX_VALUE;
        int pieces = END + 1;
        from[pieces] = 0;
        owner[pieces] = NOBODY;
        next[pieces] = END;
        // The piece that has the first byte of each of equal parts of the heap.
        int shift = shift(byFirstUse, n);
        int[] lead = scratch.ints(LEADS, pieces++);
        int found = items.size();
        // A resource puts at most three pieces in the place of those it meets, and of the first piece some is left.
        int[] list = items.reserve(3 * n);
        for (int i = 0; i < n; i++) {
            int resource = byFirstUse[i];
            long first = offset[resource];
            long behind = first + bytes[resource];
            // A graph file may say so; there is nothing to take over.
            if (behind == first) {
                continue;
            }
            int piece = lead[(int) (first >> shift)];
            while (from[next[piece]] <= first) {
                piece = next[piece];
            }
            begin[resource] = found;
            int last;
            int later = piece;
            do {
                last = owner[later];
                list[found] = last;
                found += ~last >>> (Integer.SIZE - 1);
                later = next[later];
            } while (from[later] < behind);
            end[resource] = found;
            // What is left of the first and the last piece, and the resource between them, for all of these pieces.
            // Pieces that are not needed are written, too, and forgotten: branches would be guessed wrong.
            boolean cut = from[piece] < first;
            int own = cut ? pieces : piece;
            pieces += cut ? 1 : 0;
            next[piece] = own;
            from[pieces] = behind;
            owner[pieces] = last;
            next[pieces] = later;
            boolean left = from[later] > behind;
            int rest = left ? pieces : later;
            pieces += left ? 1 : 0;
            from[own] = first;
            owner[own] = resource;
            next[own] = rest;
            long upTo = from[later];
            for (int at = (int) (((first - 1) >> shift) + 1); at < LEADS && (long) at << shift < upTo; at++) {
                lead[at] = (long) at << shift < behind ? own : rest;
            }
        }
        items.resize(found);
        scratch.release(mark);
    }

    /** Returns the binary logarithm of the bytes from one lead to the next. */
    private int shift(int[] resources, int n) {
        long last = 0;
        for (int i = 0; i < n; i++) {
            last = Math.max(last, offset[resources[i]]);
        }
        return Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(last) - Integer.numberOfTrailingZeros(LEADS));
    }
}
