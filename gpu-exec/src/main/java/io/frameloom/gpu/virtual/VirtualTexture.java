package io.frameloom.gpu.virtual;

import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TextureView;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A texture of the virtual device. Planes follow each other, in a plane layers, in a layer mips, all tightly packed; of
 * two planes each takes half of the texel's bytes.
 */
final class VirtualTexture extends VirtualResource implements Texture {
    private final TextureDescription description;
    private final SubresourceRange everything;
    private final TextureView whole;
    private final Map<SubresourceRange, TextureView> views = new ConcurrentHashMap<>();

    private record View(Texture texture, SubresourceRange range) implements TextureView {}

    /** Takes contiguous pieces of memory. */
    @FunctionalInterface
    interface Piece {
        void accept(long offset, long bytes);
    }

    VirtualTexture(
            VirtualDevice device,
            String name,
            TextureDescription description,
            VirtualMemory memory,
            @Nullable Placement placement) {
        super(device, name, memory, placement);
        this.description = description;
        this.everything = SubresourceRange.all(description);
        this.whole = new View(this, everything);
        views.put(everything, whole);
    }

    @Override
    public TextureDescription description() {
        return description;
    }

    @Override
    public TextureView view() {
        return whole;
    }

    @Override
    public TextureView view(SubresourceRange range) {
        checkRange(range);
        return views.computeIfAbsent(range, r -> new View(this, r));
    }

    void checkRange(SubresourceRange range) {
        if (!everything.contains(range)) {
            throw new IllegalArgumentException(
                    range + " is not within texture '" + name() + "', which has " + everything);
        }
    }

    static long bytes(TextureDescription description) {
        return planeBytes(description) * description.format().planes();
    }

    int texelBytes() {
        return description.format().bytesPerTexel() / description.format().planes();
    }

    long mipBytes(int mip) {
        return mipBytes(description, mip);
    }

    /** Returns the address of a subresource in the texture's memory. */
    long address(int mip, int layer, int plane) {
        long address = base() + plane * planeBytes(description) + layer * layerBytes(description);
        for (int below = 0; below < mip; below++) {
            address += mipBytes(below);
        }
        return address;
    }

    /** Visits the memory of a range in order of addresses, adjacent subresources in one piece. */
    void pieces(SubresourceRange range, Piece piece) {
        if (range.contains(everything)) {
            piece.accept(base(), bytes(description));
            return;
        }
        for (int plane = range.basePlane(); plane < range.basePlane() + range.planeCount(); plane++) {
            for (int layer = range.baseLayer(); layer < range.baseLayer() + range.layerCount(); layer++) {
                long start = address(range.baseMip(), layer, plane);
                long end = start;
                for (int mip = range.baseMip(); mip < range.baseMip() + range.mipCount(); mip++) {
                    end += mipBytes(mip);
                }
                piece.accept(start, end - start);
            }
        }
    }

    private static long mipBytes(TextureDescription description, int mip) {
        return (long) description.width(mip)
                * description.height(mip)
                * description.format().bytesPerTexel()
                / description.format().planes();
    }

    private static long layerBytes(TextureDescription description) {
        long total = 0;
        for (int mip = 0; mip < description.mips(); mip++) {
            total += mipBytes(description, mip);
        }
        return total;
    }

    private static long planeBytes(TextureDescription description) {
        return layerBytes(description) * description.layers();
    }
}
