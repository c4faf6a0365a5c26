package io.frameloom.rdg.compile.graph;

import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.declare.AccessUsage;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Descriptions with more usage than an application asked for. Equal ones are one object, so there is less to make and
 * to keep. Known are the last one of each place of a table, over all compilations in one memory, and the one that each
 * resource had in the compilation before. One thread.
 */
public final class CompletedShapes {
    /** A power of two. */
    private static final int KNOWN = 1024;

    private static final TextureUsage[] TEXTURE_USAGES = TextureUsage.values();
    private static final BufferUsage[] BUFFER_USAGES = BufferUsage.values();

    // By resource what was completed last: mostly the same in the next compilation.
    private @Nullable Object[] declared = {};
    private @Nullable Object[] completed = {};
    private int[] accessesOf = {};

    private final @Nullable TextureDescription[] textures = new TextureDescription[KNOWN];
    private final int[] textureUsage = new int[KNOWN];
    private final @Nullable BufferDescription[] buffers = new BufferDescription[KNOWN];
    private final int[] bufferUsage = new int[KNOWN];

    /** Makes room for a number of resources. */
    public void reserve(int resources) {
        if (declared.length < resources) {
            declared = Arrays.copyOf(declared, resources);
            completed = Arrays.copyOf(completed, resources);
            accessesOf = Arrays.copyOf(accessesOf, resources);
        }
    }

    /** Returns the shape of a resource with the usage that a mask of memory accesses needs added to its own. */
    public TextureDescription texture(int resource, TextureDescription shape, int accesses) {
        if (declared[resource] == shape
                && accessesOf[resource] == accesses
                && completed[resource] instanceof TextureDescription known) {
            return known;
        }
        TextureDescription result = texture(shape, AccessUsage.textureMask(shape, accesses));
        keep(resource, shape, accesses, result);
        return result;
    }

    /** The same of a buffer. */
    public BufferDescription buffer(int resource, BufferDescription shape, int accesses) {
        if (declared[resource] == shape
                && accessesOf[resource] == accesses
                && completed[resource] instanceof BufferDescription known) {
            return known;
        }
        BufferDescription result = buffer(shape, AccessUsage.bufferMask(accesses));
        keep(resource, shape, accesses, result);
        return result;
    }

    private void keep(int resource, Object shape, int accesses, Object result) {
        declared[resource] = shape;
        accessesOf[resource] = accesses;
        completed[resource] = result;
    }

    private TextureDescription texture(TextureDescription shape, int added) {
        int own = mask(shape.usage(), TEXTURE_USAGES);
        int usage = own | added;
        if (usage == own) {
            return shape;
        }
        int hash = ((shape.width() * 31 + shape.height()) * 31 + shape.mips()) * 31 + shape.layers();
        int place = place(hash * 31 + usage);
        TextureDescription known = textures[place];
        if (known == null || textureUsage[place] != usage || !alike(shape, known)) {
            known = shape.withUsage(set(usage, TEXTURE_USAGES, TextureUsage.class));
            textures[place] = known;
            textureUsage[place] = usage;
        }
        return known;
    }

    private BufferDescription buffer(BufferDescription shape, int added) {
        int own = mask(shape.usage(), BUFFER_USAGES);
        int usage = own | added;
        if (usage == own) {
            return shape;
        }
        int place = place(Long.hashCode(shape.bytes()) * 31 + usage);
        BufferDescription known = buffers[place];
        if (known == null
                || bufferUsage[place] != usage
                || known.bytes() != shape.bytes()
                || known.memory() != shape.memory()
                || known.sharing() != shape.sharing()) {
            known = shape.withUsage(set(usage, BUFFER_USAGES, BufferUsage.class));
            buffers[place] = known;
            bufferUsage[place] = usage;
        }
        return known;
    }

    /** Equal but for the usage. */
    private static boolean alike(TextureDescription a, TextureDescription b) {
        return a.width() == b.width()
                && a.height() == b.height()
                && a.depth() == b.depth()
                && a.mips() == b.mips()
                && a.layers() == b.layers()
                && a.samples() == b.samples()
                && a.kind() == b.kind()
                && a.format() == b.format()
                && a.sharing() == b.sharing()
                && (a.viewFormats().isEmpty()
                        ? b.viewFormats().isEmpty()
                        : a.viewFormats().equals(b.viewFormats()));
    }

    private static <E extends Enum<E>> int mask(Set<E> usage, E[] all) {
        int mask = 0;
        for (int i = 0; i < all.length; i++) {
            mask |= usage.contains(all[i]) ? 1 << i : 0;
        }
        return mask;
    }

    private static <E extends Enum<E>> Set<E> set(int usage, E[] all, Class<E> type) {
        Set<E> set = EnumSet.noneOf(type);
        for (int i = 0; i < all.length; i++) {
            if ((usage >> i & 1) != 0) {
                set.add(all[i]);
            }
        }
        return set;
    }

    private static int place(int hash) {
        return (hash * 0x9E3779B9) >>> (Integer.SIZE - Integer.numberOfTrailingZeros(KNOWN));
    }
}
