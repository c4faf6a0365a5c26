package io.frameloom.gpu.transfer.staging;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.BarrierBatch.GlobalBarrier;
import io.frameloom.gpu.command.BarrierBatch.Scope;
import io.frameloom.gpu.command.BarrierBatch.TextureBarrier;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import java.util.List;

/** The commands of uploads and readbacks. Stateless. */
public final class UploadRecorder {
    private static final int WORD = 4;
    private static final int ALL = PipelineStage.ALL_COMMANDS.bit();
    private static final int COPY = PipelineStage.COPY.bit();
    private static final int WRITE = MemoryAccess.COPY_WRITE.bit();

    private static final BarrierBatch AFTER_COPIES = global(new Scope(COPY, WRITE, COPY, WRITE));
    private static final BarrierBatch AFTER_EVERYTHING =
            global(new Scope(ALL, MemoryAccess.MEMORY_WRITE.bit(), COPY, MemoryAccess.COPY_READ.bit()));
    private static final BarrierBatch TO_HOST =
            global(new Scope(COPY, WRITE, PipelineStage.HOST.bit(), MemoryAccess.HOST_READ.bit()));

    private UploadRecorder() {}

    /** Orders the copies that follow after everything that was submitted to the queue before. */
    static void afterEarlierCopies(CommandList list) {
        list.barrier(AFTER_COPIES);
    }

    /** Takes a range of a texture from its layout to that of copies. */
    static BarrierBatch beforeCopies(Texture texture, SubresourceRange range, TextureLayout layout) {
        return transition(texture, range, new Scope(ALL, WRITE, COPY, WRITE), layout, TextureLayout.TRANSFER_DST);
    }

    /** Takes a range of a texture from the layout of copies to another; the point of the batch makes it visible. */
    static BarrierBatch afterCopies(Texture texture, SubresourceRange range, TextureLayout layout) {
        Scope scope = new Scope(COPY, WRITE, ALL, MemoryAccess.NONE);
        return transition(texture, range, scope, TextureLayout.TRANSFER_DST, layout);
    }

    public static void readBack(CommandList list, Buffer source, long from, long bytes, Buffer staging) {
        list.barrier(AFTER_EVERYTHING);
        list.beginPass(
                staging.name(),
                List.of(
                        new ResourceUse.OfBuffer(source, from, bytes, Access.COPY_SRC, false),
                        new ResourceUse.OfBuffer(staging, 0, bytes, Access.COPY_DST, true)));
        list.copyBuffer(source, from, staging, 0, bytes);
        list.endPass();
        handToHost(list, staging, bytes);
    }

    public static void readBack(
            CommandList list, Texture source, int mip, int layer, TextureLayout layout, Buffer staging, long bytes) {
        SubresourceRange range = new SubresourceRange(mip, 1, layer, 1, 0, 1);
        int read = MemoryAccess.COPY_READ.bit();
        list.barrier(transition(
                source,
                range,
                new Scope(ALL, MemoryAccess.MEMORY_WRITE.bit(), COPY, read),
                layout,
                TextureLayout.TRANSFER_SRC));
        list.beginPass(
                source.name(),
                List.of(
                        new ResourceUse.OfTexture(source, range, Access.COPY_SRC, false, TextureLayout.TRANSFER_SRC),
                        new ResourceUse.OfBuffer(staging, 0, bytes, Access.COPY_DST, true)));
        list.copyTextureToBuffer(source, mip, layer, staging, 0);
        list.endPass();
        list.barrier(transition(
                source,
                range,
                new Scope(COPY, MemoryAccess.NONE, ALL, MemoryAccess.MEMORY_READ.bit()),
                TextureLayout.TRANSFER_SRC,
                layout));
        handToHost(list, staging, bytes);
    }

    /** Makes the bytes visible to the host, and declares that it reads them. */
    private static void handToHost(CommandList list, Buffer staging, long bytes) {
        list.barrier(TO_HOST);
        list.beginPass(
                "host reads " + staging.name(),
                List.of(new ResourceUse.OfBuffer(staging, 0, bytes, Access.HOST_READ, false)));
        list.endPass();
    }

    /** Returns the bytes of one mip of one layer in tightly packed rows of blocks, all its slices; plane 0 alone. */
    public static long bytes(Texture texture, int mip) {
        TextureRegion region = TextureRegion.mip(texture.description(), mip).withLayers(0, 1);
        return TexelLayout.tight(0).totalBytes(texture.description().format(), region);
    }

    /** Returns the unit of offsets of texels in staging memory: a multiple of the block and of words. */
    public static int alignment(Texture texture, int plane) {
        int block = texture.description().format().planeBytes(plane);
        return block % WORD == 0 ? block : WORD * block;
    }

    private static BarrierBatch transition(
            Texture texture, SubresourceRange range, Scope scope, TextureLayout from, TextureLayout to) {
        return new BarrierBatch(
                List.of(new TextureBarrier(texture, range, scope, from, to, null)), List.of(), List.of());
    }

    private static BarrierBatch global(Scope scope) {
        return new BarrierBatch(List.of(), List.of(), List.of(new GlobalBarrier(scope)));
    }
}
