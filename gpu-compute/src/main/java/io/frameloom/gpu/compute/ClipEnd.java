package io.frameloom.gpu.compute;

/**
 * What the effective box of an END is. Published renderers differ: "The stack monoid revisited", "Fast GPU bounding boxes
 * on tree-structured scenes", both by Levien, and the renderer that came of them.
 */
public enum ClipEnd {
    /** Its own box, within what is on top of the stack after it. */
    OWN_BOX,
    /** What is on top of the stack before it: the effective box of its BEGIN. */
    BEFORE_POP,
    /** What is on top of the stack after it: the effective box of the BEGIN around its BEGIN. */
    AFTER_POP
}
