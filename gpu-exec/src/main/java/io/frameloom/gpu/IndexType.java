package io.frameloom.gpu;

/** The size of an index. */
public enum IndexType {
    /** 16 bits. */
    UINT16,
    /** 32 bits. */
    UINT32
}
