package io.frameloom.gpu.compute;

/** Whether an element counts towards its own result. */
public enum ScanKind {
    /** Result {@code i} combines elements 0 to {@code i}. */
    INCLUSIVE,
    /** Result {@code i} combines elements 0 to {@code i - 1}; the first result is the identity. */
    EXCLUSIVE
}
