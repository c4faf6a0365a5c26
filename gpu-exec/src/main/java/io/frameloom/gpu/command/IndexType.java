package io.frameloom.gpu.command;

/** The size of an index. */
public enum IndexType {
    /** 16 bits. */
    UINT16,
    /** 32 bits. */
    UINT32
}
