package io.frameloom.rdg.compile;

import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.BufferUsage;
import io.frameloom.gpu.MemoryAccess;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TextureUsage;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Completes the usage of resources that the graph creates with what the accesses of the live passes need. */
public final class UsageCompletion {
    private static final int STORAGE = MemoryAccess.STORAGE_READ.bit() | MemoryAccess.STORAGE_WRITE.bit();
    private static final int COPY_READ = MemoryAccess.COPY_READ.bit();
    private static final int COPY_WRITE = MemoryAccess.COPY_WRITE.bit();
    private static final int COLOR = MemoryAccess.COLOR_READ.bit() | MemoryAccess.COLOR_WRITE.bit();
    private static final int DEPTH = MemoryAccess.DEPTH_READ.bit() | MemoryAccess.DEPTH_WRITE.bit();

    /** By place in {@link #TEXTURE_USAGES} the accesses that need it. */
    private static final int[] TEXTURE_ACCESSES = {
        MemoryAccess.SAMPLED_READ.bit(), STORAGE, COLOR, DEPTH, COPY_READ, COPY_WRITE
    };

    private static final TextureUsage[] ALL_TEXTURE_USAGES = TextureUsage.values();
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

    /** A power of two; more shapes than this are completed anew now and then. */
    private static final int KNOWN = 64;

    private final @Nullable TextureDescription[] textures;
    private final @Nullable BufferDescription[] buffers;

    UsageCompletion(DeclaredGraph graph, SubresourceMap map, boolean[] live, LazyTargets lazy) {
        int resources = graph.resources().size();
        textures = new TextureDescription[resources];
        buffers = new BufferDescription[resources];
        int[] accesses = new int[resources];
        for (int t = 0; t < map.touchPass.length; t++) {
            if (live[map.touchPass[t]]) {
                accesses[map.cellResource[map.touchCell[t]]] |= map.touchAccess[t];
            }
        }
        TextureDescription[] shapes = new TextureDescription[KNOWN];
        TextureDescription[] completed = new TextureDescription[KNOWN];
        for (int r = 0; r < resources; r++) {
            DeclaredGraph.Declared declared = graph.resources().get(r);
            TextureDescription texture = declared.texture();
            BufferDescription buffer = declared.buffer();
            int mask = accesses[r];
            if (declared.finalAccess() != null) {
                mask |= declared.finalAccess().memoryAccess();
            }
            if (declared.isExternal()) {
                textures[r] = texture;
                buffers[r] = buffer;
            } else {
                textures[r] = texture == null ? null : lazy.described(r, complete(texture, mask, shapes, completed));
                buffers[r] = buffer == null ? null : complete(buffer, mask);
            }
        }
    }

    @Nullable
    TextureDescription texture(int resource) {
        return textures[resource];
    }

    @Nullable
    BufferDescription buffer(int resource) {
        return buffers[resource];
    }

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
    static boolean allows(TextureDescription shape, int mask) {
        int accesses = fitted(shape, mask);
        for (int i = 0; i < TEXTURE_ACCESSES.length; i++) {
            if ((accesses & TEXTURE_ACCESSES[i]) != 0 && !shape.usage().contains(TEXTURE_USAGES[i])) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether a buffer may be used by a mask of memory accesses. */
    static boolean allows(BufferDescription shape, int accesses) {
        for (int i = 0; i < BUFFER_ACCESSES.length; i++) {
            if ((accesses & BUFFER_ACCESSES[i]) != 0 && !shape.usage().contains(BUFFER_USAGES[i])) {
                return false;
            }
        }
        return true;
    }

    /** Equal shapes that are used alike get one description, which is also less to keep. */
    private static TextureDescription complete(
            TextureDescription shape,
            int mask,
            @Nullable TextureDescription[] shapes,
            @Nullable TextureDescription[] completed) {
        int accesses = fitted(shape, mask);
        if (allows(shape, accesses)) {
            return shape;
        }
        int place = place(shape, accesses);
        TextureDescription known = completed[place];
        TextureDescription former = shapes[place];
        if (known != null && former != null && alike(shape, former) && isCompletion(known, shape, accesses)) {
            return known;
        }
        Set<TextureUsage> usage = textureUsage(accesses);
        usage.addAll(shape.usage());
        TextureDescription result = shape.withUsage(usage);
        shapes[place] = shape;
        completed[place] = result;
        return result;
    }

    /** As equals, without iterating over sets of few values. */
    private static boolean alike(TextureDescription a, TextureDescription b) {
        return a.width() == b.width()
                && a.height() == b.height()
                && a.depth() == b.depth()
                && a.mips() == b.mips()
                && a.layers() == b.layers()
                && a.samples() == b.samples()
                && a.kind() == b.kind()
                && a.format() == b.format()
                && (a.viewFormats().isEmpty()
                        ? b.viewFormats().isEmpty()
                        : a.viewFormats().equals(b.viewFormats()))
                && alike(a.usage(), b.usage());
    }

    private static boolean alike(Set<TextureUsage> a, Set<TextureUsage> b) {
        if (a.size() != b.size()) {
            return false;
        }
        for (TextureUsage usage : ALL_TEXTURE_USAGES) {
            if (a.contains(usage) != b.contains(usage)) {
                return false;
            }
        }
        return true;
    }

    /** The access that another resource was completed for may differ and come to the same, or to another usage. */
    private static boolean isCompletion(TextureDescription known, TextureDescription shape, int accesses) {
        for (int i = 0; i < TEXTURE_ACCESSES.length; i++) {
            boolean wanted =
                    (accesses & TEXTURE_ACCESSES[i]) != 0 || shape.usage().contains(TEXTURE_USAGES[i]);
            if (known.usage().contains(TEXTURE_USAGES[i]) != wanted) {
                return false;
            }
        }
        return true;
    }

    private static int place(TextureDescription shape, int accesses) {
        int hash = ((shape.width() * 31 + shape.height()) * 31 + shape.mips()) * 31 + shape.layers();
        hash = (hash * 31 + accesses) * 0x9E3779B9;
        return hash >>> (Integer.SIZE - Integer.numberOfTrailingZeros(KNOWN));
    }

    private static BufferDescription complete(BufferDescription shape, int accesses) {
        if (allows(shape, accesses)) {
            return shape;
        }
        Set<BufferUsage> usage = bufferUsage(accesses);
        usage.addAll(shape.usage());
        return new BufferDescription(shape.bytes(), usage, shape.memory());
    }
}
