package io.frameloom.gpu.command;

/** What happens to an attachment's contents when a render pass begins. */
public enum LoadOp {
    /** Kept. */
    LOAD,
    /** Cleared. */
    CLEAR,
    /** Undefined. */
    DONT_CARE
}
