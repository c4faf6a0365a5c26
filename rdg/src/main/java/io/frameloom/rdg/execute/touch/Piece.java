package io.frameloom.rdg.execute.touch;

import io.frameloom.gpu.resource.SubresourceRange;
import org.jspecify.annotations.Nullable;

/**
 * A part of some memory: bytes of a heap, or subresources of a texture with memory of its own.
 *
 * @param from first byte, 0 for what is not placed in a heap
 * @param to end of the bytes, 1 for what is not placed in a heap
 * @param range the subresources, or null for whatever is in the bytes
 */
public record Piece(long from, long to, @Nullable SubresourceRange range) {
    /** Everything of a resource that is not placed in a heap. */
    static final Piece ALL = new Piece(0, 1, null);

    boolean overlaps(Piece other) {
        return from < other.to
                && other.from < to
                && (range == null || other.range == null || range.overlaps(other.range));
    }

    boolean covers(Piece other) {
        return from <= other.from
                && other.to <= to
                && (range == null || (other.range != null && range.contains(other.range)));
    }
}
