package io.frameloom.rdg.utility;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;

/** Passes that fill the smaller mips of a texture from its largest one. The thread that declares the graph. */
public final class MipPasses {
    private MipPasses() {}

    /**
     * Fills mips 1 and up of all layers, each from the one before, by blits. If the format's numbers are floats to
     * shaders, a texel is what a linear filter gives at its centre, in linear light for sRGB. Along an even side that
     * is the average of the two texels under it. Along an odd side three texels lie under it, and the filter weighs the
     * two nearest to its centre. Of a side of three texels only the one in the middle counts. With other formats each
     * texel is taken from one.
     *
     * <p>There is one pass for each mip, so mips that nothing reads are culled.
     *
     * @throws RdgException if the format is compressed or has depth or stencil, or the texture has several samples
     */
    public static void generate(RenderGraph graph, RdgTexture texture) {
        TextureDescription shape = texture.description();
        Format format = shape.format();
        if (format.isCompressed() || format.isDepth() || shape.samples() != 1) {
            throw new RdgException("mips of '" + texture.name() + "' of " + format + " with " + shape.samples()
                    + " samples cannot be generated; take a colour format of one sample that is not compressed");
        }
        Filter filter = format.kind() == Format.NumericKind.FLOAT ? Filter.LINEAR : Filter.NEAREST;
        for (int mip = 1; mip < shape.mips(); mip++) {
            TextureRegion from = TextureRegion.mip(shape, mip - 1);
            TextureRegion to = TextureRegion.mip(shape, mip);
            graph.addPass("mip " + mip + " of " + texture.name(), PassKind.RASTER)
                    .flag(PassFlag.SKIP_RENDER_PASS)
                    .reads(texture, mip(shape, mip - 1), Access.BLIT_SRC)
                    .overwrites(texture, mip(shape, mip), Access.BLIT_DST)
                    .record(context -> context.commands()
                            .blitTexture(context.texture(texture), from, context.texture(texture), to, filter));
        }
    }

    private static SubresourceRange mip(TextureDescription shape, int mip) {
        return new SubresourceRange(mip, 1, 0, shape.layers(), 0, 1);
    }
}
