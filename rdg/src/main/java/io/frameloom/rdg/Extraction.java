package io.frameloom.rdg;

/** What becomes of a resource of the graph that outlives the frame. */
public interface Extraction {
    /** Returns the name of the resource. */
    String name();
}
