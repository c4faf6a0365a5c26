package io.frameloom.gpu.command;

/** What happens to an attachment's contents when a render pass ends. */
public enum StoreOp {
    /** Kept. */
    STORE,
    /** Undefined. */
    DONT_CARE
}
