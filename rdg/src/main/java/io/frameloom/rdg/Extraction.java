package io.frameloom.rdg;

/** What becomes of a resource of the graph that outlives the frame. */
public sealed interface Extraction
        permits TextureExtraction, BufferExtraction, RdgReadback, HistoryUse, CaptureUse, Preallocation {
    /** Returns the name of the resource. */
    String name();
}
