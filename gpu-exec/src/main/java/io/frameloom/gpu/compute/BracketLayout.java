package io.frameloom.gpu.compute;

/**
 * Where things lie in the scratch memory of a matching, in bytes from its beginning.
 *
 * @param partitions number of partitions
 * @param treeNodes nodes of the tree of minima over them, all levels
 * @param slices opens that each partition leaves
 * @param depths what each partition adds to the depth, then the depth at its beginning
 * @param lows lowest depth in each partition
 * @param tree tree of minima
 * @param scan scratch memory of the scan of the depths
 * @param bytes size of everything; the words of the partitions come first
 */
record BracketLayout(
        long partitions, long treeNodes, long slices, long depths, long lows, long tree, long scan, long bytes) {

    static BracketLayout of(long length, int partition, PrefixScan scan, StorageLimits limits) {
        long partitions = (length + partition - 1) / partition;
        long nodes = 0;
        for (long level = partitions; level > 1; level = (level + 1) / 2) {
            nodes += level;
        }
        nodes++;
        long words = limits.aligned(wordBytes(partitions, partition));
        long depths = limits.aligned(words + sliceBytes(partitions, partition));
        long lows = limits.aligned(depths + partitions * Integer.BYTES);
        long tree = limits.aligned(lows + partitions * Integer.BYTES);
        long scratch = limits.aligned(tree + nodes * Integer.BYTES);
        long bytes = scratch + scan.scratchBytes(partitions);
        return new BracketLayout(partitions, nodes, words, depths, lows, tree, scratch, bytes);
    }

    /** Returns the bytes of the words of partitions: 32 brackets, and those that stay open, for each word. */
    static long wordBytes(long partitions, int partition) {
        return partitions * (partition / Integer.SIZE) * 2 * Integer.BYTES;
    }

    /** Returns the bytes of the slices of partitions. */
    static long sliceBytes(long partitions, int partition) {
        return partitions * partition * Integer.BYTES;
    }
}
