package io.frameloom.rdg.declare;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.internal.MaskSet;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** Which usage of a texture or buffer the accesses of memory need. */
public final class AccessUsage {
    private static final TextureUsage[] TEXTURE_USAGES = TextureUsage.values();
    private static final BufferUsage[] BUFFER_USAGES = BufferUsage.values();
    private static final int COLOR = MemoryAccess.COLOR_READ.bit() | MemoryAccess.COLOR_WRITE.bit();

    /** In a mask of accesses: it is read where it is attached. */
    public static final int LOCAL_READ = 1 << MemoryAccess.values().length;

    /** Accesses that are looked up at once. */
    private static final int DIGIT = 7;

    private static final int DIGITS = 3;
    /** By some accesses, and then by those of higher bits, the bits of the usage of a texture. */
    private static final int[] OF_TEXTURE = new int[DIGITS << DIGIT];
    /** The same of a buffer. */
    private static final int[] OF_BUFFER = new int[DIGITS << DIGIT];

    static {
        need(OF_TEXTURE, MemoryAccess.SAMPLED_READ, TextureUsage.SAMPLED);
        need(OF_TEXTURE, LOCAL_READ, TextureUsage.INPUT_ATTACHMENT);
        need(OF_TEXTURE, MemoryAccess.STORAGE_READ, TextureUsage.STORAGE);
        need(OF_TEXTURE, MemoryAccess.STORAGE_WRITE, TextureUsage.STORAGE);
        need(OF_TEXTURE, MemoryAccess.COLOR_READ, TextureUsage.COLOR_ATTACHMENT);
        need(OF_TEXTURE, MemoryAccess.COLOR_WRITE, TextureUsage.COLOR_ATTACHMENT);
        need(OF_TEXTURE, MemoryAccess.DEPTH_READ, TextureUsage.DEPTH_ATTACHMENT);
        need(OF_TEXTURE, MemoryAccess.DEPTH_WRITE, TextureUsage.DEPTH_ATTACHMENT);
        need(OF_TEXTURE, MemoryAccess.COPY_READ, TextureUsage.COPY_SRC);
        need(OF_TEXTURE, MemoryAccess.COPY_WRITE, TextureUsage.COPY_DST);
        need(OF_BUFFER, MemoryAccess.UNIFORM_READ, BufferUsage.UNIFORM);
        need(OF_BUFFER, MemoryAccess.STORAGE_READ, BufferUsage.STORAGE);
        need(OF_BUFFER, MemoryAccess.STORAGE_WRITE, BufferUsage.STORAGE);
        need(OF_BUFFER, MemoryAccess.VERTEX_READ, BufferUsage.VERTEX);
        need(OF_BUFFER, MemoryAccess.INDEX_READ, BufferUsage.INDEX);
        need(OF_BUFFER, MemoryAccess.INDIRECT_READ, BufferUsage.INDIRECT);
        need(OF_BUFFER, MemoryAccess.COPY_READ, BufferUsage.COPY_SRC);
        need(OF_BUFFER, MemoryAccess.COPY_WRITE, BufferUsage.COPY_DST);
        // Scratch memory and serialised structures: no transient is a structure.
        need(OF_BUFFER, MemoryAccess.ACCELERATION_STRUCTURE_READ, BufferUsage.STORAGE);
        need(OF_BUFFER, MemoryAccess.ACCELERATION_STRUCTURE_WRITE, BufferUsage.STORAGE);
    }

    /** Usage of a buffer that may be used by all accesses but those of structures. */
    public static final Set<BufferUsage> OF_ANY_BUFFER =
            Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(BufferUsage.ACCELERATION_STRUCTURE)));

    private AccessUsage() {}

    private static void need(int[] table, MemoryAccess access, Enum<?> usage) {
        need(table, access.bit(), usage);
    }

    @SuppressWarnings("EnumOrdinal")
    private static void need(int[] table, int access, Enum<?> usage) {
        int bit = Integer.numberOfTrailingZeros(access);
        for (int some = 0; some < 1 << DIGIT; some++) {
            table[((bit / DIGIT) << DIGIT) + some] |= ((some >> (bit % DIGIT)) & 1) << usage.ordinal();
        }
    }

    public static int of(Access access) {
        return access == Access.INPUT_ATTACHMENT ? LOCAL_READ | MemoryAccess.COLOR_READ.bit() : access.memoryAccess();
    }

    private static int needed(int[] table, int accesses) {
        int mask = (1 << DIGIT) - 1;
        return table[accesses & mask]
                | table[(1 << DIGIT) + ((accesses >> DIGIT) & mask)]
                | table[(2 << DIGIT) + ((accesses >> (2 * DIGIT)) & mask)];
    }

    public static Set<TextureUsage> textureUsage(int accesses) {
        return MaskSet.of(TEXTURE_USAGES, needed(OF_TEXTURE, accesses));
    }

    public static Set<BufferUsage> bufferUsage(int accesses) {
        return MaskSet.of(BUFFER_USAGES, needed(OF_BUFFER, accesses));
    }

    public static boolean allows(TextureDescription shape, int accesses) {
        return (textureMask(shape, accesses) & ~MaskSet.mask(shape.usage())) == 0;
    }

    public static boolean allows(BufferDescription shape, Access access) {
        return isOfStructures(access)
                ? shape.usage().contains(BufferUsage.ACCELERATION_STRUCTURE)
                : (bufferMask(access.memoryAccess()) & ~MaskSet.mask(shape.usage())) == 0;
    }

    /** Returns whether only acceleration structures have an access. */
    public static boolean isOfStructures(Access access) {
        return switch (access) {
            case ACCELERATION_STRUCTURE_BUILD_READ,
                    ACCELERATION_STRUCTURE_BUILD_WRITE,
                    ACCELERATION_STRUCTURE_BUILD_READ_WRITE,
                    ACCELERATION_STRUCTURE_TRACE_GRAPHICS,
                    ACCELERATION_STRUCTURE_TRACE_COMPUTE,
                    ACCELERATION_STRUCTURE_TRACE_RAYS -> true;
            default -> false;
        };
    }

    /**
     * Returns the usage that accesses of a texture need, a bit for each by its place in {@link TextureUsage}. Depth is
     * resolved by the stage that writes colours; as an attachment it stays one of depth.
     */
    public static int textureMask(TextureDescription shape, int accesses) {
        boolean resolved = (accesses & COLOR) != 0 && shape.format().isDepth();
        return needed(OF_TEXTURE, resolved ? (accesses & ~COLOR) | MemoryAccess.DEPTH_WRITE.bit() : accesses);
    }

    /** As {@link #textureMask}, of a buffer and by the place in {@link BufferUsage}. */
    public static int bufferMask(int accesses) {
        return needed(OF_BUFFER, accesses);
    }
}
