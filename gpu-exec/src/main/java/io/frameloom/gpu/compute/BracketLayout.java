package io.frameloom.gpu.compute;

/**
 * Where things lie in the scratch memory of a matching, in bytes from its beginning; the words of the sections come first.
 *
 * @param sections number of sections
 * @param treeNodes nodes of the tree of minima over them, all levels
 * @param slices opens that each section leaves
 * @param depths what each section adds to the depth, then the depth at its beginning
 * @param lows lowest depth in each section
 * @param tree tree of minima
 * @param scan scratch memory of the scan of the depths
 * @param bytes size of everything
 */
record BracketLayout(
        long sections, long treeNodes, long slices, long depths, long lows, long tree, long scan, long bytes) {
    /** Elements of a section. */
    static final int SECTION = 1024;

    /** Nodes below a node of the tree. */
    static final int FAN = 32;

    /** Bytes of the words of a section: its brackets as bits. */
    static final int WORD_BYTES = SECTION / Byte.SIZE;

    /** Bytes of the slice of a section: two bytes for each open that it may leave. */
    static final int SLICE_BYTES = SECTION * Short.BYTES;

    static BracketLayout of(long length, PrefixScan scan, StorageLimits limits) {
        long sections = (length + SECTION - 1) / SECTION;
        long nodes = 0;
        for (long level = sections; level > 1; level = (level + FAN - 1) / FAN) {
            nodes += level;
        }
        nodes++;
        long slices = limits.aligned(sections * WORD_BYTES);
        long depths = limits.aligned(slices + sections * SLICE_BYTES);
        long lows = limits.aligned(depths + sections * Integer.BYTES);
        long tree = limits.aligned(lows + sections * Integer.BYTES);
        long scratch = limits.aligned(tree + nodes * Integer.BYTES);
        long bytes = scratch + scan.scratchBytes(sections);
        return new BracketLayout(sections, nodes, slices, depths, lows, tree, scratch, bytes);
    }
}
