package io.frameloom.rdg.utility;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.internal.TransferFit;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgBufferView;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;

/**
 * Passes that copy from the device to the host. The host gets a future and does not wait. Unreal's AddEnqueueCopyPass.
 * The thread that declares the graph.
 *
 * @see RdgReadback#bytes
 */
public final class ReadbackPasses {
    private ReadbackPasses() {}

    /** Reads all of a buffer. */
    public static RdgReadback buffer(RenderGraph graph, RdgBuffer source) {
        return buffer(graph, source.view());
    }

    /**
     * Reads a range of a buffer.
     *
     * @throws RdgException if it is too large for an array
     */
    public static RdgReadback buffer(RenderGraph graph, RdgBufferView source) {
        RdgBuffer staging = staging(graph, source.buffer().name(), source.bytes());
        RdgReadback readback = graph.readBack(staging);
        graph.addPass("read back " + source.buffer().name(), PassKind.COPY)
                .reads(source, Access.COPY_SRC)
                .overwrites(staging, Access.COPY_DST)
                .flag(PassFlag.READBACK)
                .record(context -> context.commands()
                        .copyBuffer(
                                context.buffer(source.buffer()),
                                source.offset(),
                                context.buffer(staging),
                                0,
                                source.bytes()));
        return readback;
    }

    /**
     * Reads the texels of mip 0 of all layers of a texture, tightly packed; of one with depth and stencil those of
     * depth.
     */
    public static RdgReadback texture(RenderGraph graph, RdgTexture source) {
        return texture(graph, source, TextureRegion.mip(source.description(), 0));
    }

    /**
     * Reads the texels of a region, tightly packed.
     *
     * @throws RdgException if the texture has several samples, the region is not within it, or its texels are too large
     *     for an array
     */
    public static RdgReadback texture(RenderGraph graph, RdgTexture source, TextureRegion region) {
        Regions.require(TransferFit.texels(source.name(), source.description(), region));
        SubresourceRange range = Regions.range(region);
        TexelLayout layout = TexelLayout.tight(0);
        RdgBuffer staging = staging(
                graph, source.name(), layout.totalBytes(source.description().format(), region));
        RdgReadback readback = graph.readBack(staging);
        graph.addPass("read back " + source.name(), PassKind.COPY)
                .reads(source, range, Access.COPY_SRC)
                .overwrites(staging, Access.COPY_DST)
                .flag(PassFlag.READBACK)
                .record(context -> context.commands()
                        .copyTextureToBuffer(context.texture(source), region, context.buffer(staging), layout));
        return readback;
    }

    private static RdgBuffer staging(RenderGraph graph, String name, long bytes) {
        return graph.createBuffer("staging of " + name, BufferDescription.readback(bytes));
    }
}
