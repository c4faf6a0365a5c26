package io.frameloom.gpu.compute;

/**
 * The effective box of an END. Published renderers differ: "The stack monoid revisited", "Fast GPU bounding boxes on
 * tree-structured scenes", both by Levien, and the renderer that came of them.
 */
public enum ClipEnd {
    /** Its own box, within the top of the stack after it. */
    OWN_BOX,
    /** The top of the stack before it: the effective box of its BEGIN. */
    BEFORE_POP,
    /** The top of the stack after it: the effective box of the BEGIN around its BEGIN. */
    AFTER_POP
}
