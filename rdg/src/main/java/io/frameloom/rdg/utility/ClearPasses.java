package io.frameloom.rdg.utility;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgBufferView;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RdgTextureView;
import io.frameloom.rdg.RenderGraph;

/**
 * Passes that fill a resource with one value. Unreal's AddClearUAVPass, AddClearRenderTargetPass,
 * AddClearDepthStencilPass and AddClearStencilPass. The thread that declares the graph.
 *
 * <p>Each method returns its pass, for {@link PassBuilder#after}.
 */
public final class ClearPasses {
    private static final int WORD = 4;

    private ClearPasses() {}

    /** Clears all of a colour texture; integer formats take whole numbers. */
    public static PassBuilder texture(RenderGraph graph, RdgTexture texture, ClearColor color) {
        return texture(graph, texture.view(), color);
    }

    /**
     * Clears a range of a colour texture.
     *
     * @throws RdgException if the texture has depth or stencil, or is compressed
     */
    public static PassBuilder texture(RenderGraph graph, RdgTextureView view, ClearColor color) {
        requireColor(view.texture());
        PassBuilder pass = graph.addPass("clear " + view.texture().name(), PassKind.COMPUTE)
                .overwrites(view, Access.COPY_DST);
        pass.record(context -> context.commands().clearTexture(context.texture(view.texture()), view.range(), color));
        return pass;
    }

    /** Clears all planes of a depth or stencil texture; the value of a plane that it has not is not used. */
    public static PassBuilder depthStencil(RenderGraph graph, RdgTexture texture, float depth, int stencil) {
        requireDepthStencil(texture, texture.description().format().isDepth(), "depth or stencil");
        return planes(graph, texture, SubresourceRange.all(texture.description()), depth, stencil);
    }

    /** Clears the depth of a texture and leaves its stencil. */
    public static PassBuilder depth(RenderGraph graph, RdgTexture texture, float depth) {
        requireDepthStencil(texture, texture.description().format().hasDepth(), "depth");
        return planes(
                graph, texture, SubresourceRange.all(texture.description()).plane(0), depth, 0);
    }

    /** Clears the stencil of a texture and leaves its depth. */
    public static PassBuilder stencil(RenderGraph graph, RdgTexture texture, int stencil) {
        Format format = texture.description().format();
        requireDepthStencil(texture, format.hasStencil(), "stencil");
        return planes(
                graph, texture, SubresourceRange.all(texture.description()).plane(format.planes() - 1), 0, stencil);
    }

    /** Fills all of a buffer with a repeated word. */
    public static PassBuilder buffer(RenderGraph graph, RdgBuffer buffer, int word) {
        return buffer(graph, buffer.view(), word);
    }

    /**
     * Fills a range of a buffer with a repeated word.
     *
     * @throws RdgException if the range does not begin and end at a multiple of four bytes
     */
    public static PassBuilder buffer(RenderGraph graph, RdgBufferView view, int word) {
        if (view.offset() % WORD != 0 || view.bytes() % WORD != 0) {
            throw new RdgException("buffer '" + view.buffer().name() + "' cannot be filled from byte " + view.offset()
                    + " for " + view.bytes() + " bytes; both are multiples of " + WORD);
        }
        PassBuilder pass =
                graph.addPass("clear " + view.buffer().name(), PassKind.COPY).overwrites(view, Access.COPY_DST);
        pass.record(context ->
                context.commands().fillBuffer(context.buffer(view.buffer()), view.offset(), view.bytes(), word));
        return pass;
    }

    private static PassBuilder planes(
            RenderGraph graph, RdgTexture texture, SubresourceRange range, float depth, int stencil) {
        PassBuilder pass = graph.addPass("clear " + texture.name(), PassKind.RASTER)
                .flag(PassFlag.SKIP_RENDER_PASS)
                .overwrites(texture, range, Access.BLIT_DST);
        pass.record(context -> context.commands().clearDepthStencil(context.texture(texture), range, depth, stencil));
        return pass;
    }

    private static void requireColor(RdgTexture texture) {
        if (texture.description().format().isCompressed()) {
            throw new RdgException("'" + texture.name() + "' of compressed "
                    + texture.description().format() + " cannot be cleared; upload blocks");
        }
        if (texture.description().format().isDepth()) {
            throw new RdgException(
                    "'" + texture.name() + "' of " + texture.description().format()
                            + " cannot be cleared to a colour; use depthStencil, depth or stencil");
        }
    }

    private static void requireDepthStencil(RdgTexture texture, boolean has, String what) {
        if (!has) {
            throw new RdgException("'" + texture.name() + "' of "
                    + texture.description().format() + " has no " + what + " to clear; use texture for colour");
        }
    }
}
