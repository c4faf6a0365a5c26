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

    private final @Nullable TextureDescription[] textures;
    private final @Nullable BufferDescription[] buffers;

    UsageCompletion(DeclaredGraph graph, SubresourceMap map, boolean[] live) {
        int resources = graph.resources().size();
        textures = new TextureDescription[resources];
        buffers = new BufferDescription[resources];
        int[] accesses = new int[resources];
        for (int t = 0; t < map.touchPass.length; t++) {
            if (live[map.touchPass[t]]) {
                accesses[map.cellResource[map.touchCell[t]]] |= map.touchAccess[t];
            }
        }
        for (int r = 0; r < resources; r++) {
            DeclaredGraph.Declared declared = graph.resources().get(r);
            int mask = accesses[r];
            if (declared.finalAccess() != null) {
                mask |= declared.finalAccess().memoryAccess();
            }
            textures[r] = complete(declared, declared.texture(), mask);
            buffers[r] = complete(declared, declared.buffer(), mask);
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
        addIf(usage, accesses, MemoryAccess.SAMPLED_READ.bit(), TextureUsage.SAMPLED);
        addIf(usage, accesses, STORAGE, TextureUsage.STORAGE);
        addIf(usage, accesses, COLOR, TextureUsage.COLOR_ATTACHMENT);
        addIf(usage, accesses, DEPTH, TextureUsage.DEPTH_ATTACHMENT);
        addIf(usage, accesses, COPY_READ, TextureUsage.COPY_SRC);
        addIf(usage, accesses, COPY_WRITE, TextureUsage.COPY_DST);
        return usage;
    }

    /** Returns the usage of a buffer that a mask of memory accesses needs. */
    public static Set<BufferUsage> bufferUsage(int accesses) {
        Set<BufferUsage> usage = EnumSet.noneOf(BufferUsage.class);
        addIf(usage, accesses, MemoryAccess.UNIFORM_READ.bit(), BufferUsage.UNIFORM);
        addIf(usage, accesses, STORAGE, BufferUsage.STORAGE);
        addIf(usage, accesses, MemoryAccess.VERTEX_READ.bit(), BufferUsage.VERTEX);
        addIf(usage, accesses, MemoryAccess.INDEX_READ.bit(), BufferUsage.INDEX);
        addIf(usage, accesses, MemoryAccess.INDIRECT_READ.bit(), BufferUsage.INDIRECT);
        addIf(usage, accesses, COPY_READ, BufferUsage.COPY_SRC);
        addIf(usage, accesses, COPY_WRITE, BufferUsage.COPY_DST);
        return usage;
    }

    private static <E extends Enum<E>> void addIf(Set<E> usage, int accesses, int bits, E value) {
        if ((accesses & bits) != 0) {
            usage.add(value);
        }
    }

    private static @Nullable TextureDescription complete(
            DeclaredGraph.Declared declared, @Nullable TextureDescription shape, int accesses) {
        if (shape == null || declared.isExternal()) {
            return shape;
        }
        Set<TextureUsage> usage = textureUsage(accesses);
        if (shape.usage().containsAll(usage)) {
            return shape;
        }
        usage.addAll(shape.usage());
        return shape.withUsage(usage);
    }

    private static @Nullable BufferDescription complete(
            DeclaredGraph.Declared declared, @Nullable BufferDescription shape, int accesses) {
        if (shape == null || declared.isExternal()) {
            return shape;
        }
        Set<BufferUsage> usage = bufferUsage(accesses);
        if (shape.usage().containsAll(usage)) {
            return shape;
        }
        usage.addAll(shape.usage());
        return new BufferDescription(shape.bytes(), usage, shape.memory());
    }
}
