package io.frameloom.rdg.declare;

/** What the declaration of a use says about the old contents. */
public enum Mode {
    /** Only read. */
    READ,
    /** Written; the old contents are kept where nothing is written. */
    WRITE,
    /** Written; the old contents are not needed. */
    OVERWRITE,
    /**
     * Written by a pass that may be left out: if it runs it needs none of the old contents, which are kept if not.
     */
    OVERWRITE_IF_RUN
}
