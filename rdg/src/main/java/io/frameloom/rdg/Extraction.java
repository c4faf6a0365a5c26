package io.frameloom.rdg;

/** A resource of the graph that outlives the frame. */
public sealed interface Extraction permits TextureExtraction, BufferExtraction {
    /** Returns the name of the extracted resource. */
    String name();
}
