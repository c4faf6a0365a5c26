package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SparseLevels;
import io.frameloom.gpu.resource.TextureDescription;
import java.util.ArrayList;
import java.util.List;

/** The pages of sparse textures: 64 KiB in Vulkan's standard shapes, and a tail of the levels that are no page large. */
final class SparsePages {
    private static final int PAGE = 1 << 16;

    private SparsePages() {}

    /** Returns the levels of a texture that get memory. */
    static SparseLevels levels(String name, TextureDescription description) {
        Format format = description.format();
        int blocks = PAGE / format.blockBytes();
        if (Integer.bitCount(format.blockBytes()) != 1) {
            throw new IllegalArgumentException("sparse texture '" + name + "' of " + format
                    + " is not supported by the virtual device: its texels do not fill a page; take another format");
        }
        int width = 1 << ((Integer.numberOfTrailingZeros(blocks) + 1) / 2);
        int height = blocks / width;
        List<Long> bytes = new ArrayList<>();
        for (int level = 0; level < description.mips(); level++) {
            int columns = format.columns(description.width(level));
            int rows = format.rows(description.height(level));
            if (columns < width || rows < height) {
                bytes.add(PAGE * pages(tail(description, level), PAGE));
                break;
            }
            bytes.add(PAGE * pages(columns, width) * pages(rows, height));
        }
        return new SparseLevels(bytes);
    }

    private static long tail(TextureDescription description, int first) {
        Format format = description.format();
        long bytes = 0;
        for (int level = first; level < description.mips(); level++) {
            bytes += (long) format.columns(description.width(level))
                    * format.rows(description.height(level))
                    * format.blockBytes();
        }
        return bytes;
    }

    private static long pages(long all, int page) {
        return (all + page - 1) / page;
    }
}
