package io.frameloom.gpu.compute;

/**
 * The parts of the scratch memory of clip boxes, in bytes from its beginning; the brackets come first.
 *
 * @param partitions number of partitions
 * @param window most elements of a dispatch that are bound
 * @param products cut boxes of the elements that each partition leaves open, at the places of the elements
 * @param bottoms anchor of the elements that each partition leaves open
 * @param nodes forest of partitions
 * @param farther the same, jumps further
 * @param anchors of each element the clip that cuts it before its partition; nothing where one window holds all
 *     elements
 * @param bytes size of everything
 */
record ClipLayout(
        long partitions,
        long window,
        long match,
        long products,
        long bottoms,
        long nodes,
        long farther,
        long anchors,
        long bytes) {
    static ClipLayout of(long length, BracketMatch match, StorageLimits limits) {
        long partitions = (length + ClipBoxes.PARTITION - 1) / ClipBoxes.PARTITION;
        long window = limits.window(ClipBoxes.BOX_BYTES, ClipBoxes.WINDOW_STEP);
        long matching = limits.aligned(BracketInput.BITS.bytes(2 * length));
        long products = limits.aligned(matching + match.scratchBytes(2 * length));
        long bottoms = limits.aligned(products + length * ClipBoxes.BOX_BYTES);
        long nodes = limits.aligned(bottoms + partitions * Integer.BYTES);
        long farther = limits.aligned(nodes + nodeBytes(partitions));
        long anchors = limits.aligned(farther + nodeBytes(partitions));
        long bytes = length > window ? anchors + length * Integer.BYTES : farther + nodeBytes(partitions);
        return new ClipLayout(partitions, window, matching, products, bottoms, nodes, farther, anchors, bytes);
    }

    static long nodeBytes(long partitions) {
        return partitions * ClipBlocks.NODE_WORDS * Integer.BYTES;
    }
}
