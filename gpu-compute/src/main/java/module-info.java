/** Parallel primitives on a GPU device: scan, compaction, bracket matching, clip boxes. */
module io.frameloom.gpu.compute {
    requires transitive io.frameloom.gpu;
    requires static transitive org.jspecify;

    exports io.frameloom.gpu.compute;
}
