package io.frameloom.rdg.compile.validate;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.declare.AccessUsage;
import io.frameloom.rdg.declare.DeclaredGraph;

/**
 * A table of the sound uses of resources: by access, a bit for each kind of pass and resource and each direction. {@link
 * UseCheck} says what is wrong with the others.
 */
final class SoundUses {
    static final int BUFFER_ACCESSES = MemoryAccess.mask(
            MemoryAccess.INDIRECT_READ,
            MemoryAccess.INDEX_READ,
            MemoryAccess.VERTEX_READ,
            MemoryAccess.UNIFORM_READ,
            MemoryAccess.STORAGE_READ,
            MemoryAccess.STORAGE_WRITE,
            MemoryAccess.COPY_READ,
            MemoryAccess.COPY_WRITE,
            MemoryAccess.ACCELERATION_STRUCTURE_READ,
            MemoryAccess.ACCELERATION_STRUCTURE_WRITE,
            MemoryAccess.HOST_READ,
            MemoryAccess.HOST_WRITE);

    // As DeclaredGraph.kindOfShape says.
    private static final int BUFFER = 0;
    private static final int COLOR = 1;
    private static final int DEPTH = 3;
    private static final int SHAPES = 4;
    private static final long[] TABLE = table();

    private SoundUses() {}

    /** Returns the bits of a pass, which {@link #contains} takes. */
    @SuppressWarnings("EnumOrdinal")
    static int of(PassKind kind, boolean async) {
        return (kind.ordinal() * 2 + (async ? 1 : 0)) * SHAPES * 2;
    }

    /**
     * Returns whether nothing is wrong; false also for what the table does not know. Without branches on what differs
     * from use to use, which would be guessed wrong.
     */
    static boolean contains(int ofPass, DeclaredGraph graph, int use) {
        int r = graph.resource(use);
        int bit = ofPass + graph.kindOfShape(r) * 2 + (graph.reads(use) ? 0 : 1);
        return (TABLE[graph.accessNumber(use)] >>> bit & 1) != 0
                && (!graph.isExternal(r) || allows(graph, r, graph.access(use)));
    }

    private static boolean allows(DeclaredGraph graph, int external, Access access) {
        TextureDescription texture = graph.texture(external);
        BufferDescription buffer = graph.buffer(external);
        return texture != null
                ? AccessUsage.allows(texture, AccessUsage.of(access))
                : buffer != null && AccessUsage.allows(buffer, access);
    }

    @SuppressWarnings("EnumOrdinal")
    private static long[] table() {
        Access[] accesses = Access.values();
        long[] table = new long[accesses.length];
        for (Access access : accesses) {
            for (PassKind kind : PassKind.values()) {
                for (int shape : new int[] {BUFFER, COLOR, DEPTH}) {
                    for (int async = 0; async < 2; async++) {
                        if (fitsPass(access, kind, async == 1) && fitsShape(access, shape)) {
                            int bit = of(kind, async == 1) + shape * 2 + (access.writes() ? 1 : 0);
                            table[access.ordinal()] |= 1L << bit;
                        }
                    }
                }
            }
        }
        return table;
    }

    private static boolean fitsPass(Access access, PassKind kind, boolean async) {
        if (kind == PassKind.HOST) {
            // Whether the host can reach the memory the table does not know.
            return false;
        }
        if (kind == PassKind.RASTER) {
            return access.stages() == 0 || kind.queue().supports(access.queue());
        }
        boolean attachment = access.layout() == TextureLayout.COLOR
                || access.layout() == TextureLayout.DEPTH
                || access.layout() == TextureLayout.DEPTH_RO;
        return !attachment
                && (access.stages() == 0 || kind.queue().supports(access.queue()))
                && (!async || PassKind.COMPUTE.queue().supports(access.queue()));
    }

    private static boolean fitsShape(Access access, int shape) {
        if (shape == BUFFER) {
            // Whether a buffer is a structure the table does not know.
            return access.memoryAccess() != 0
                    && (access.memoryAccess() & ~BUFFER_ACCESSES) == 0
                    && !AccessUsage.isOfStructures(access);
        }
        boolean wantsDepth = access.layout() == TextureLayout.DEPTH || access.layout() == TextureLayout.DEPTH_RO;
        return access.layout() != TextureLayout.UNDEFINED
                && (wantsDepth == (shape == DEPTH) || (!wantsDepth && access.layout() != TextureLayout.COLOR));
    }
}
