package io.frameloom.gpu.compute;

/**
 * The parts of the scratch memory of a matching, in bytes from its beginning; the words of the sections come first.
 *
 * @param sections number of sections
 * @param treeNodes nodes of the tree of minima over them, all levels
 * @param opens of each word the opens that it leaves, and the open under it
 * @param depths the depth that each section adds, then the depth at its beginning
 * @param lows lowest depth in each section
 * @param tree tree of minima
 * @param bytes size of everything
 */
record BracketLayout(
        long sections, long treeNodes, long opens, long depths, long lows, long tree, long scan, long bytes) {
    /** Elements of a section. */
    static final int SECTION = 1024;

    /** Nodes below a node of the tree. */
    static final int FAN = 32;

    static final int TREE_LEVELS = 3;

    /** Bytes of the words of a section: its brackets as bits. */
    static final int WORD_BYTES = SECTION / Byte.SIZE;

    /** Bytes of the opens of each word of a section. */
    static final int OPEN_BYTES = 2 * WORD_BYTES;

    static BracketLayout of(long length, PrefixScan scan, StorageLimits limits) {
        long sections = sections(length);
        long nodes = 0;
        long width = sections;
        for (int level = 0; level < TREE_LEVELS; level++) {
            nodes += width;
            width = (width + FAN - 1) / FAN;
        }
        nodes = Math.max(1, nodes);
        long opens = limits.aligned(sections * WORD_BYTES);
        long depths = limits.aligned(opens + sections * OPEN_BYTES);
        long lows = limits.aligned(depths + sections * Integer.BYTES);
        long tree = limits.aligned(lows + sections * Integer.BYTES);
        long scratch = limits.aligned(tree + nodes * Integer.BYTES);
        long bytes = scratch + scan.scratchBytes(sections);
        return new BracketLayout(sections, nodes, opens, depths, lows, tree, scratch, bytes);
    }

    /** Returns the number of sections of some elements. */
    static long sections(long elements) {
        return (elements + SECTION - 1) / SECTION;
    }
}
