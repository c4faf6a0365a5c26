package io.frameloom.gpu.transfer.staging;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import java.util.List;

/**
 * What an upload writes, with all that is recorded for it but its place in the ring: to be recorded again and again.
 * The passes do not declare the ring, which is upload memory. Immutable.
 */
abstract class UploadTarget {
    abstract Resource resource();

    abstract void record(CommandList list, Buffer ring, int from);

    /** Bytes of a buffer. */
    static final class OfBuffer extends UploadTarget {
        private final Buffer buffer;
        private final long offset;
        private final int bytes;
        private final List<ResourceUse> uses;

        OfBuffer(Buffer buffer, long offset, int bytes) {
            this.buffer = buffer;
            this.offset = offset;
            this.bytes = bytes;
            uses = List.of(new ResourceUse.OfBuffer(buffer, offset, bytes, Access.COPY_DST, true));
        }

        boolean is(Buffer other, long at, int length) {
            return buffer == other && offset == at && bytes == length;
        }

        @Override
        Resource resource() {
            return buffer;
        }

        @Override
        void record(CommandList list, Buffer ring, int from) {
            list.beginPass(buffer.name(), uses);
            list.copyBuffer(ring, from, buffer, offset, bytes);
            list.endPass();
        }
    }

    /** A region of a texture in a layout, whose other texels stay unless it is UNDEFINED; it is left in another. */
    static final class OfTexture extends UploadTarget {
        private final Texture texture;
        private final TextureRegion region;
        private final TextureLayout before;
        private final TextureLayout after;
        private final BarrierBatch begin;
        private final List<ResourceUse> uses;
        private final BarrierBatch end;

        OfTexture(Texture texture, TextureRegion region, TextureLayout before, TextureLayout after) {
            this.texture = texture;
            this.region = region;
            this.before = before;
            this.after = after;
            SubresourceRange range =
                    new SubresourceRange(region.mip(), 1, region.baseLayer(), region.layers(), region.plane(), 1);
            boolean discards = before == TextureLayout.UNDEFINED;
            begin = UploadRecorder.beforeCopies(texture, range, before);
            uses = List.of(
                    new ResourceUse.OfTexture(texture, range, Access.COPY_DST, discards, TextureLayout.TRANSFER_DST));
            end = UploadRecorder.afterCopies(texture, range, after);
        }

        boolean is(Texture other, TextureRegion part, TextureLayout from, TextureLayout to) {
            return texture == other && before == from && after == to && region.equals(part);
        }

        @Override
        Resource resource() {
            return texture;
        }

        @Override
        void record(CommandList list, Buffer ring, int from) {
            list.barrier(begin);
            list.beginPass(texture.name(), uses);
            list.copyBufferToTexture(ring, TexelLayout.tight(from), texture, region);
            list.endPass();
            list.barrier(end);
        }
    }
}
