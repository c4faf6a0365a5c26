package io.frameloom.rdg;

/** How long the contents of a resource of the graph live. */
public enum Lifetime {
    /** Inside one frame; memory may be shared with other transients. */
    TRANSIENT,
    /** The resource belongs to the application and its contents survive the frame. */
    EXTERNAL,
    /** Created by the graph and handed to the application after the frame. */
    EXTRACTED,
    /** Written in this frame for the next one, which reads it as an {@link #EXTERNAL}: see {@link RdgHistory}. */
    HISTORY
}
