package io.frameloom.testing;

import java.util.function.IntPredicate;

/**
 * How often the look-back of Levien's "The stack monoid revisited" follows a link, on brackets that are given: where the
 * window of the top entries that a partition publishes is not full yet, but the partition before knows no more of them, the
 * lowest entry there tells which partition to look at next. Here the partition before always knows its whole window, which
 * is the schedule with the longest chains of links. The tests of matchings hold their inputs against it.
 *
 * @param links links of all partitions
 * @param longestChain most links of one partition
 */
public record BackLinks(long links, int longestChain) {
    /**
     * Counts the links.
     *
     * @param length number of brackets
     * @param opens whether the bracket at a position opens
     * @param partition elements of a partition
     */
    public static BackLinks count(int length, IntPredicate opens, int partition) {
        int partitions = (length + partition - 1) / partition;
        int[] depths = new int[partitions];
        int[] bottoms = new int[partitions];
        int[] stack = new int[length + 1];
        int depth = 0;
        long links = 0;
        int longest = 0;
        for (int p = 0; p < partitions; p++) {
            int pops = 0;
            int pushes = 0;
            for (int i = p * partition; i < Math.min(length, (p + 1) * partition); i++) {
                if (opens.test(i)) {
                    stack[depth++] = i;
                    pushes++;
                } else {
                    depth = Math.max(0, depth - 1);
                    pops += pushes == 0 ? 1 : 0;
                    pushes = Math.max(0, pushes - 1);
                }
            }
            int chain = chain(depths, bottoms, p, pops, pushes, partition);
            links += chain;
            longest = Math.max(longest, chain);
            depths[p] = depth;
            bottoms[p] = depth >= partition ? stack[depth - partition] : 0;
        }
        return new BackLinks(links, longest);
    }

    /** The links of one partition, which closes {@code pops} of those before and leaves {@code pushes} open. */
    private static int chain(int[] depths, int[] bottoms, int p, int pops, int pushes, int partition) {
        int chain = 0;
        int closed = pops;
        int known = pushes;
        int at = p - 1;
        boolean more = p > 0;
        while (more) {
            int there = depths[at];
            if (chain > 0) {
                closed = there - closed;
            }
            int seen = Math.max(there, closed) - closed;
            known += seen;
            more = there > Math.max(known, partition);
            if (more) {
                closed = Math.min(seen, there - partition);
                known -= closed;
                at = (bottoms[at] - 1) / partition;
                chain++;
            }
        }
        return chain;
    }
}
