package io.frameloom.rdg.utility;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.internal.TransferFit;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferSlice;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassContext;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import java.nio.ByteBuffer;

/**
 * Passes that bring bytes of the host to the device, through the upload memory of the frame. The bytes are copied when
 * the pass is declared. Unreal's CreateStructuredBuffer and CreateVertexBuffer with initial data. The thread that
 * declares the graph.
 */
public final class UploadPasses {
    private UploadPasses() {}

    /**
     * Makes a transient buffer with contents.
     *
     * @param data the remaining bytes are the contents; its position stays
     * @throws RdgException if there are none
     */
    public static RdgBuffer createBuffer(RenderGraph graph, String name, ByteBuffer data) {
        requireBytes(name, data.remaining());
        RdgBuffer buffer = graph.createBuffer(name, BufferDescription.device(data.remaining()));
        buffer(graph, buffer, 0, data);
        return buffer;
    }

    /**
     * As {@link #createBuffer(RenderGraph, String, ByteBuffer)}, with further usage that no pass of the graph declares.
     */
    public static RdgBuffer createBuffer(
            RenderGraph graph, String name, ByteBuffer data, BufferUsage first, BufferUsage... more) {
        requireBytes(name, data.remaining());
        RdgBuffer buffer = graph.createBuffer(name, BufferDescription.device(data.remaining(), first, more));
        buffer(graph, buffer, 0, data);
        return buffer;
    }

    /**
     * Writes bytes into a buffer.
     *
     * @param offset first byte written
     * @param data the remaining bytes are written; its position stays
     * @return the pass, for {@link PassBuilder#after}
     * @throws RdgException if there are none
     */
    public static PassBuilder buffer(RenderGraph graph, RdgBuffer target, long offset, ByteBuffer data) {
        requireBytes(target.name(), data.remaining());
        ByteBuffer bytes = copy(data);
        PassBuilder pass = graph.addPass("upload " + target.name(), PassKind.COPY)
                .overwrites(target, offset, bytes.remaining(), Access.COPY_DST);
        pass.record(context -> {
            BufferSlice slice = stage(context, bytes, Integer.BYTES);
            context.commands()
                    .copyBuffer(slice.buffer(), slice.offset(), context.buffer(target), offset, bytes.remaining());
        });
        return pass;
    }

    /**
     * Writes all texels of mip 0 of a texture: see {@link #texture(RenderGraph, RdgTexture, TextureRegion,
     * ByteBuffer)}.
     */
    public static PassBuilder texture(RenderGraph graph, RdgTexture target, ByteBuffer data) {
        return texture(graph, target, TextureRegion.mip(target.description(), 0), data);
    }

    /**
     * Writes texels into a texture.
     *
     * @param data the remaining bytes are the tightly packed texels of the region; its position stays
     * @return the pass, for {@link PassBuilder#after}
     * @throws RdgException if the texture has several samples, the region is not within it, or there are more or less
     *     bytes than the region has
     */
    public static PassBuilder texture(RenderGraph graph, RdgTexture target, TextureRegion region, ByteBuffer data) {
        Regions.require(TransferFit.texels(target.name(), target.description(), region));
        long expected = TexelLayout.tight(0).totalBytes(target.description().format(), region);
        if (data.remaining() != expected) {
            throw new RdgException("the region of '" + target.name() + "' has " + expected + " bytes, but "
                    + data.remaining() + " are uploaded; give tightly packed texels");
        }
        SubresourceRange range = Regions.range(region);
        ByteBuffer bytes = copy(data);
        PassBuilder pass = graph.addPass("upload " + target.name(), PassKind.COPY);
        Regions.write(pass, target, region, range, Access.COPY_DST);
        pass.record(context -> {
            BufferSlice slice =
                    stage(context, bytes, target.description().format().planeBytes(region.plane()));
            context.commands()
                    .copyBufferToTexture(
                            slice.buffer(), TexelLayout.tight(slice.offset()), context.texture(target), region);
        });
        return pass;
    }

    private static BufferSlice stage(PassContext context, ByteBuffer bytes, int alignment) {
        BufferSlice slice = context.upload(bytes.remaining(), alignment);
        slice.data().put(0, bytes, 0, bytes.remaining());
        return slice;
    }

    private static ByteBuffer copy(ByteBuffer data) {
        ByteBuffer copy = ByteBuffer.allocate(data.remaining());
        copy.put(data.duplicate()).flip();
        return copy;
    }

    private static void requireBytes(String name, int bytes) {
        if (bytes == 0) {
            throw new RdgException("'" + name + "' is uploaded without a byte; give at least one");
        }
    }
}
