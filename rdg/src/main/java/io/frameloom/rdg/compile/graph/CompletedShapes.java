package io.frameloom.rdg.compile.graph;

import io.frameloom.gpu.internal.MaskSet;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.declare.AccessUsage;
import org.jspecify.annotations.Nullable;

/**
 * Descriptions with more usage than an application asked for. Equal ones are one object, so there is less to make and
 * to keep. Known is the last one of each place of a table, over all compilations in one memory. One thread.
 */
public final class CompletedShapes {
    /** A power of two. */
    private static final int KNOWN = 4096;

    private static final TextureUsage[] TEXTURE_USAGES = TextureUsage.values();
    private static final BufferUsage[] BUFFER_USAGES = BufferUsage.values();

    private @Nullable TextureDescription[] textures = {};
    private @Nullable BufferDescription[] buffers = {};
    private int place;

    /** Returns the shape with the usage that a mask of memory accesses needs added to its own. */
    public TextureDescription texture(TextureDescription shape, int accesses) {
        int own = MaskSet.mask(shape.usage());
        int usage = own | AccessUsage.textureMask(shape, accesses);
        int hash = ((shape.width() * 31 + shape.height()) * 31 + shape.mips()) * 31 + shape.layers();
        place = place(hash * 31 + usage);
        if (usage == own) {
            return shape;
        }
        if (textures.length == 0) {
            textures = new TextureDescription[KNOWN];
        }
        TextureDescription known = textures[place];
        if (known == null || MaskSet.mask(known.usage()) != usage || !alike(shape, known)) {
            known = shape.withUsage(MaskSet.of(TEXTURE_USAGES, usage));
            textures[place] = known;
        }
        return known;
    }

    /** The same of a buffer. */
    public BufferDescription buffer(BufferDescription shape, int accesses) {
        int own = MaskSet.mask(shape.usage());
        int usage = own | AccessUsage.bufferMask(accesses);
        place = place(Long.hashCode(shape.bytes()) * 31 + usage);
        if (usage == own) {
            return shape;
        }
        if (buffers.length == 0) {
            buffers = new BufferDescription[KNOWN];
        }
        BufferDescription known = buffers[place];
        if (known == null
                || MaskSet.mask(known.usage()) != usage
                || known.bytes() != shape.bytes()
                || known.memory() != shape.memory()
                || known.sharing() != shape.sharing()) {
            known = shape.withUsage(MaskSet.of(BUFFER_USAGES, usage));
            buffers[place] = known;
        }
        return known;
    }

    /** Returns the place in tables, below 4,096, of the last shape that was asked for; alike ones have one. */
    public int place() {
        return place;
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
                && (a.viewFormats() == b.viewFormats() || a.viewFormats().equals(b.viewFormats()));
    }

    private static int place(int hash) {
        return (hash * 0x9E3779B9) >>> (Integer.SIZE - Integer.numberOfTrailingZeros(KNOWN));
    }
}
