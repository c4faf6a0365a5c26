package io.frameloom.rdg.declare;

import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.EnumSet;
import java.util.Set;

/** Which usage of a texture or buffer the accesses of memory need. */
public final class AccessUsage {
    private static final int STORAGE = MemoryAccess.STORAGE_READ.bit() | MemoryAccess.STORAGE_WRITE.bit();
    private static final int COPY_READ = MemoryAccess.COPY_READ.bit();
    private static final int COPY_WRITE = MemoryAccess.COPY_WRITE.bit();
    private static final int COLOR = MemoryAccess.COLOR_READ.bit() | MemoryAccess.COLOR_WRITE.bit();
    private static final int DEPTH = MemoryAccess.DEPTH_READ.bit() | MemoryAccess.DEPTH_WRITE.bit();

    /** By place in {@link #TEXTURE_USAGES} the accesses that need it. */
    private static final int[] TEXTURE_ACCESSES = {
        MemoryAccess.SAMPLED_READ.bit(), STORAGE, COLOR, DEPTH, COPY_READ, COPY_WRITE
    };

    private static final TextureUsage[] TEXTURE_USAGES = {
        TextureUsage.SAMPLED,
        TextureUsage.STORAGE,
        TextureUsage.COLOR_ATTACHMENT,
        TextureUsage.DEPTH_ATTACHMENT,
        TextureUsage.COPY_SRC,
        TextureUsage.COPY_DST
    };
    /** By place in {@link #BUFFER_USAGES} the accesses that need it. */
    private static final int[] BUFFER_ACCESSES = {
        MemoryAccess.UNIFORM_READ.bit(),
        STORAGE,
        MemoryAccess.VERTEX_READ.bit(),
        MemoryAccess.INDEX_READ.bit(),
        MemoryAccess.INDIRECT_READ.bit(),
        COPY_READ,
        COPY_WRITE
    };

    private static final BufferUsage[] BUFFER_USAGES = {
        BufferUsage.UNIFORM,
        BufferUsage.STORAGE,
        BufferUsage.VERTEX,
        BufferUsage.INDEX,
        BufferUsage.INDIRECT,
        BufferUsage.COPY_SRC,
        BufferUsage.COPY_DST
    };

    private AccessUsage() {}

    /** Returns the usage of a texture that a mask of memory accesses needs. */
    public static Set<TextureUsage> textureUsage(int accesses) {
        Set<TextureUsage> usage = EnumSet.noneOf(TextureUsage.class);
        for (int i = 0; i < TEXTURE_ACCESSES.length; i++) {
            if ((accesses & TEXTURE_ACCESSES[i]) != 0) {
                usage.add(TEXTURE_USAGES[i]);
            }
        }
        return usage;
    }

    /** Returns the usage of a buffer that a mask of memory accesses needs. */
    public static Set<BufferUsage> bufferUsage(int accesses) {
        Set<BufferUsage> usage = EnumSet.noneOf(BufferUsage.class);
        for (int i = 0; i < BUFFER_ACCESSES.length; i++) {
            if ((accesses & BUFFER_ACCESSES[i]) != 0) {
                usage.add(BUFFER_USAGES[i]);
            }
        }
        return usage;
    }

    /** Depth is resolved by the stage that writes colours; as an attachment it stays one of depth. */
    private static int fitted(TextureDescription shape, int accesses) {
        return shape.format().isDepth() && (accesses & COLOR) != 0
                ? (accesses & ~COLOR) | MemoryAccess.DEPTH_WRITE.bit()
                : accesses;
    }

    /** Returns whether a texture may be used by a mask of memory accesses. */
    public static boolean allows(TextureDescription shape, int mask) {
        int accesses = fitted(shape, mask);
        for (int i = 0; i < TEXTURE_ACCESSES.length; i++) {
            if ((accesses & TEXTURE_ACCESSES[i]) != 0 && !shape.usage().contains(TEXTURE_USAGES[i])) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether a buffer may be used by a mask of memory accesses. */
    public static boolean allows(BufferDescription shape, int accesses) {
        for (int i = 0; i < BUFFER_ACCESSES.length; i++) {
            if ((accesses & BUFFER_ACCESSES[i]) != 0 && !shape.usage().contains(BUFFER_USAGES[i])) {
                return false;
            }
        }
        return true;
    }

    /** Returns the usage that accesses of a texture need, a bit for each by its place in {@link TextureUsage}. */
    @SuppressWarnings("EnumOrdinal")
    public static int textureMask(TextureDescription shape, int mask) {
        int accesses = fitted(shape, mask);
        int usage = 0;
        for (int i = 0; i < TEXTURE_ACCESSES.length; i++) {
            usage |= (accesses & TEXTURE_ACCESSES[i]) != 0 ? 1 << TEXTURE_USAGES[i].ordinal() : 0;
        }
        return usage;
    }

    /** As {@link #textureMask}, of a buffer and by the place in {@link BufferUsage}. */
    @SuppressWarnings("EnumOrdinal")
    public static int bufferMask(int accesses) {
        int mask = 0;
        for (int i = 0; i < BUFFER_ACCESSES.length; i++) {
            mask |= (accesses & BUFFER_ACCESSES[i]) != 0 ? 1 << BUFFER_USAGES[i].ordinal() : 0;
        }
        return mask;
    }
}
