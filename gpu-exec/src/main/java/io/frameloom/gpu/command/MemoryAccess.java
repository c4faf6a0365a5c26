package io.frameloom.gpu.command;

/**
 * A kind of memory access that a barrier makes available or visible. Sets of accesses are {@code int} masks of
 * {@link #bit()}.
 */
@SuppressWarnings("EnumOrdinal") // the declaration order is the definition
public enum MemoryAccess {
    /** Reads of indirect arguments and conditions. */
    INDIRECT_READ(false),
    /** Reads of indices. */
    INDEX_READ(false),
    /** Reads of vertex attributes. */
    VERTEX_READ(false),
    /** Reads of uniform buffers. */
    UNIFORM_READ(false),
    /** Reads through sampled textures, and of input attachments. */
    SAMPLED_READ(false),
    /**
     * Reads of storage buffers and storage textures, also as what acceleration structures are built of, and as binding
     * tables.
     */
    STORAGE_READ(false),
    /** Writes of storage buffers and storage textures. */
    STORAGE_WRITE(true),
    /** Reads of colour attachments by blending or a load. */
    COLOR_READ(false),
    /** Writes of colour attachments. */
    COLOR_WRITE(true),
    /** Reads of the depth or stencil attachment by a test or a load. */
    DEPTH_READ(false),
    /** Writes of the depth or stencil attachment. */
    DEPTH_WRITE(true),
    /** Reads by copies and blits. */
    COPY_READ(false),
    /** Writes by copies, blits, clears and fills. */
    COPY_WRITE(true),
    /** Reads of acceleration structures by rays, builds and copies. */
    ACCELERATION_STRUCTURE_READ(false),
    /** Writes of acceleration structures, of the scratch memory of builds, and of serialised structures. */
    ACCELERATION_STRUCTURE_WRITE(true),
    /** Reads of mapped memory by the host. */
    HOST_READ(false),
    /** Writes of mapped memory by the host. */
    HOST_WRITE(true),
    /** Any read of any stage in scope. */
    MEMORY_READ(false),
    /** Any write of any stage in scope. */
    MEMORY_WRITE(true);

    /** The mask without any access: an execution dependency only. */
    public static final int NONE = 0;

    private static final int WRITES = writes();

    private final boolean write;

    MemoryAccess(boolean write) {
        this.write = write;
    }

    /** Returns the bit of this access in a mask. */
    public int bit() {
        return 1 << ordinal();
    }

    /** Returns the mask of the given accesses. */
    public static int mask(MemoryAccess... accesses) {
        int mask = NONE;
        for (MemoryAccess access : accesses) {
            mask |= access.bit();
        }
        return mask;
    }

    /** Returns the writes of {@code mask}: what the source half of a barrier has to make available. */
    public static int writesOf(int mask) {
        return mask & WRITES;
    }

    /** Returns whether {@code mask} covers every access of {@code accesses}, the two generic accesses considered. */
    public static boolean covers(int mask, int accesses) {
        int covered = mask;
        if ((mask & MEMORY_WRITE.bit()) != 0) {
            covered |= WRITES;
        }
        if ((mask & MEMORY_READ.bit()) != 0) {
            covered |= ~WRITES;
        }
        return (accesses & ~covered) == 0;
    }

    /** Returns the names of the accesses in {@code mask}, joined by {@code |}; {@code NONE} for the empty mask. */
    public static String describe(int mask) {
        return Masks.describe(mask, values());
    }

    private static int writes() {
        int mask = NONE;
        for (MemoryAccess access : values()) {
            mask |= access.write ? access.bit() : NONE;
        }
        return mask;
    }
}
