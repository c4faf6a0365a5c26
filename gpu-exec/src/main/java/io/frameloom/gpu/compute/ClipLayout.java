package io.frameloom.gpu.compute;

/**
 * Where things lie in the scratch memory of clip boxes, in bytes from its beginning; the brackets come first. What the
 * matching leaves is overwritten by what comes after it.
 *
 * @param partitions number of partitions
 * @param pairs links of the brackets
 * @param match scratch memory of the matching
 * @param products cut boxes of the elements
 * @param anchors nearest BEGIN before the partition of each element
 * @param bottoms anchor of what each partition leaves open
 * @param nodes forest of partitions
 * @param farther the same, a jump further
 * @param bytes size of everything
 */
record ClipLayout(
        long partitions,
        long pairs,
        long match,
        long products,
        long anchors,
        long bottoms,
        long nodes,
        long farther,
        long bytes) {
    static ClipLayout of(long length, BracketMatch match, StorageLimits limits) {
        long partitions = (length + ClipBoxes.PARTITION - 1) / ClipBoxes.PARTITION;
        long pairs = limits.aligned(BracketInput.BITS.bytes(2 * length));
        long matching = limits.aligned(pairs + 2 * length * Integer.BYTES);
        long anchors = limits.aligned(matching + length * ClipKeys.WORDS * Integer.BYTES);
        long bottoms = limits.aligned(anchors + length * Integer.BYTES);
        long nodes = limits.aligned(bottoms + partitions * Integer.BYTES);
        long farther = limits.aligned(nodes + nodeBytes(partitions));
        long bytes = Math.max(farther + nodeBytes(partitions), matching + match.scratchBytes(2 * length));
        return new ClipLayout(partitions, pairs, matching, matching, anchors, bottoms, nodes, farther, bytes);
    }

    static long nodeBytes(long partitions) {
        return partitions * ClipBlocks.NODE_WORDS * Integer.BYTES;
    }
}
