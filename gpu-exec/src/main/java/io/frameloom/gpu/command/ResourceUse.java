package io.frameloom.gpu.command;

import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import org.jspecify.annotations.Nullable;

/** A declared use of a resource by a pass, as handed to {@link CommandList#beginPass}. */
public sealed interface ResourceUse {
    /** Returns the resource. */
    Resource resource();

    /** Returns how it is used. */
    Access access();

    /** Returns whether the old contents are not needed. */
    boolean discard();

    /**
     * Returns the overlap group of a write, or null for a use that is ordered with every other one. Writes of one group
     * need no order among each other: whatever their order, the result is the same or wanted. Other uses between them
     * order them. Compared by identity.
     */
    @Nullable
    Object overlapGroup();

    /**
     * Use of a texture.
     *
     * @param discard old contents are not needed
     * @param layout the layout the texture is in during the pass (the access's own, or a merged read layout)
     * @param overlapGroup group of writes that need no order among each other, or null
     */
    record OfTexture(
            Texture resource,
            SubresourceRange range,
            Access access,
            boolean discard,
            TextureLayout layout,
            @Nullable Object overlapGroup)
            implements ResourceUse {
        /** A use that is ordered with every other one. */
        public OfTexture(
                Texture resource, SubresourceRange range, Access access, boolean discard, TextureLayout layout) {
            this(resource, range, access, discard, layout, null);
        }
    }

    /**
     * Use of a buffer.
     *
     * @param offset first byte
     * @param bytes length
     * @param discard old contents are not needed
     * @param overlapGroup group of writes that need no order among each other, or null
     */
    record OfBuffer(
            Buffer resource,
            long offset,
            long bytes,
            Access access,
            boolean discard,
            @Nullable Object overlapGroup) implements ResourceUse {
        /** A use that is ordered with every other one. */
        public OfBuffer(Buffer resource, long offset, long bytes, Access access, boolean discard) {
            this(resource, offset, bytes, access, discard, null);
        }
    }
}
