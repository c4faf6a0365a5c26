package io.frameloom.gpu.resource;

import java.util.List;

/**
 * The levels of a sparse texture that get memory each by itself.
 *
 * @param bytes by level, the memory that it takes, in whole pages. The last one has all coarser levels of the texture as
 *     well: small levels share pages
 */
public record SparseLevels(List<Long> bytes) {
    /** Copies the list. */
    public SparseLevels {
        bytes = List.copyOf(bytes);
    }

    /** Returns the last level, which has all coarser ones as well. */
    public int tail() {
        return bytes.size() - 1;
    }

    /** Returns the part of a texture that has memory together with a level, at most {@link #tail}. */
    public SubresourceRange range(TextureDescription description, int level) {
        int mips = level == tail() ? description.mips() - level : 1;
        return new SubresourceRange(level, mips, 0, 1, 0, 1);
    }
}
