package io.frameloom.gpu.virtual;

import io.frameloom.gpu.BarrierBatch;
import io.frameloom.gpu.RenderingInfo;
import io.frameloom.gpu.ResourceUse;
import io.frameloom.gpu.SubresourceRange;
import java.util.List;

/** A recorded command of the virtual device. */
sealed interface Op {
    /** Begin of a pass. */
    record PassBegin(String name, List<ResourceUse> uses) implements Op {}

    /** End of a pass. */
    record PassEnd() implements Op {}

    /** Barriers. */
    record Barriers(BarrierBatch batch) implements Op {}

    /** All draws of one render pass together: how many, and a digest of what they were. */
    record Render(RenderingInfo info, long draws, long vertices, long digest) implements Op {}

    /** A dispatch with everything bound to it. */
    record Dispatch(VirtualComputePipeline pipeline, DispatchArguments arguments) implements Op {}

    /** A copy between buffers. */
    record CopyBuffer(VirtualBuffer source, long sourceOffset, VirtualBuffer target, long targetOffset, long bytes)
            implements Op {}

    /** A copy from a buffer to one mip of one layer. */
    record CopyToTexture(VirtualBuffer source, long sourceOffset, VirtualTexture target, int mip, int layer)
            implements Op {}

    /** A copy from one mip of one layer to a buffer. */
    record CopyToBuffer(VirtualTexture source, int mip, int layer, VirtualBuffer target, long targetOffset)
            implements Op {}

    /** A copy of mip 0 of layer 0. */
    record CopyTexture(VirtualTexture source, VirtualTexture target) implements Op {}

    /** A fill. */
    record Fill(VirtualBuffer target, long offset, long bytes, int word) implements Op {}

    /** A clear. */
    record Clear(VirtualTexture target, SubresourceRange range, RenderingInfo.ClearColor color) implements Op {}

    /** A timestamp. */
    record Timestamp(VirtualTimestampSet set, int index) implements Op {}
}
