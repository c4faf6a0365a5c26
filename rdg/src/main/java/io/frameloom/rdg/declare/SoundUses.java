package io.frameloom.rdg.declare;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.PassKind;

/**
 * A table of the sound uses of resources by passes that a queue runs: by access, a bit for each kind of pass and of
 * resource and each direction. It knows nothing of the usage of resources from outside.
 */
public final class SoundUses {
    public static final int BUFFER_ACCESSES = MemoryAccess.mask(
            MemoryAccess.INDIRECT_READ,
            MemoryAccess.INDEX_READ,
            MemoryAccess.VERTEX_READ,
            MemoryAccess.UNIFORM_READ,
            MemoryAccess.STORAGE_READ,
            MemoryAccess.STORAGE_WRITE,
            MemoryAccess.COPY_READ,
            MemoryAccess.COPY_WRITE,
            MemoryAccess.HOST_READ,
            MemoryAccess.HOST_WRITE);

    private static final int BUFFER = 0;
    private static final int COLOR = 1;
    private static final int DEPTH = 3;
    private static final int[] TABLE = table();

    private SoundUses() {}

    /**
     * Returns whether nothing is wrong; false also for what the table does not know.
     *
     * @param kind place of a {@link PassKind}
     * @param shape 0 for a buffer, 1 for a texture, 3 for one of depth
     */
    @SuppressWarnings("EnumOrdinal")
    static boolean contains(Access access, int kind, int shape, boolean writes) {
        return (TABLE[access.ordinal()] >>> bit(kind, shape, writes) & 1) != 0;
    }

    private static int bit(int kind, int shape, boolean writes) {
        return kind << 3 | shape << 1 | (writes ? 1 : 0);
    }

    @SuppressWarnings("EnumOrdinal")
    private static int[] table() {
        Access[] accesses = Access.values();
        int[] table = new int[accesses.length];
        for (Access access : accesses) {
            for (PassKind kind : PassKind.values()) {
                for (int shape : new int[] {BUFFER, COLOR, DEPTH}) {
                    if (fitsPass(access, kind) && fitsShape(access, shape)) {
                        table[access.ordinal()] |= 1 << bit(kind.ordinal(), shape, access.writes());
                    }
                }
            }
        }
        return table;
    }

    /** What fits compute and copy passes also fits a compute queue beside the graphics queue. */
    private static boolean fitsPass(Access access, PassKind kind) {
        if (kind == PassKind.HOST || access.stages() == 0) {
            // The table knows neither the memory that the host reaches nor what no stage does.
            return false;
        }
        boolean attachment = access.layout() == TextureLayout.COLOR
                || access.layout() == TextureLayout.DEPTH
                || access.layout() == TextureLayout.DEPTH_RO;
        return kind.queue().supports(access.queue()) && (!attachment || kind == PassKind.RASTER);
    }

    private static boolean fitsShape(Access access, int shape) {
        if (shape == BUFFER) {
            return access.memoryAccess() != 0 && (access.memoryAccess() & ~BUFFER_ACCESSES) == 0;
        }
        boolean wantsDepth = access.layout() == TextureLayout.DEPTH || access.layout() == TextureLayout.DEPTH_RO;
        return access.layout() != TextureLayout.UNDEFINED
                && (wantsDepth == (shape == DEPTH) || (!wantsDepth && access.layout() != TextureLayout.COLOR));
    }
}
