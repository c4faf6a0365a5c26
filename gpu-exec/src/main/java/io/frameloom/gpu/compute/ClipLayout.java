package io.frameloom.gpu.compute;

/**
 * Where things lie in the scratch memory of clip boxes, in bytes from its beginning; the brackets come first.
 *
 * @param partitions number of partitions
 * @param match scratch memory of the matching
 * @param products of what each partition leaves open the cut boxes, at the places of the elements
 * @param bottoms anchor of what each partition leaves open
 * @param nodes forest of partitions
 * @param farther the same, jumps further
 * @param bytes size of everything
 */
record ClipLayout(long partitions, long match, long products, long bottoms, long nodes, long farther, long bytes) {
    static ClipLayout of(long length, BracketMatch match, StorageLimits limits) {
        long partitions = (length + ClipBoxes.PARTITION - 1) / ClipBoxes.PARTITION;
        long matching = limits.aligned(BracketInput.BITS.bytes(2 * length));
        long products = limits.aligned(matching + match.scratchBytes(2 * length));
        long bottoms = limits.aligned(products + length * ClipKeys.WORDS * Integer.BYTES);
        long nodes = limits.aligned(bottoms + partitions * Integer.BYTES);
        long farther = limits.aligned(nodes + nodeBytes(partitions));
        long bytes = farther + nodeBytes(partitions);
        return new ClipLayout(partitions, matching, products, bottoms, nodes, farther, bytes);
    }

    static long nodeBytes(long partitions) {
        return partitions * ClipBlocks.NODE_WORDS * Integer.BYTES;
    }
}
