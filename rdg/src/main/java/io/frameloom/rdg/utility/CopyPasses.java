package io.frameloom.rdg.utility;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.internal.TransferFit;
import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgBufferView;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;

/**
 * Passes that copy the contents of a resource to another. Unreal's AddCopyTexturePass and AddCopyToResolveTargetPass.
 * The thread that declares the graph.
 *
 * <p>Each method returns its pass, for {@link PassBuilder#after}.
 */
public final class CopyPasses {
    private CopyPasses() {}

    /** Copies all of a buffer to the start of another one. */
    public static PassBuilder buffer(RenderGraph graph, RdgBuffer source, RdgBuffer target) {
        long bytes = source.description().bytes();
        return buffer(graph, source.view(), target.view(0, bytes));
    }

    /**
     * Copies a range of a buffer to another one.
     *
     * @throws RdgException if the ranges differ in length, or overlap in one buffer
     */
    public static PassBuilder buffer(RenderGraph graph, RdgBufferView source, RdgBufferView target) {
        boolean overlap = source.buffer() == target.buffer()
                && source.offset() < target.offset() + target.bytes()
                && target.offset() < source.offset() + source.bytes();
        if (source.bytes() != target.bytes() || overlap) {
            throw new RdgException(described(source) + " cannot be copied to " + described(target) + ", "
                    + (overlap
                            ? "which overlaps it; go through another buffer"
                            : "of another length; name equal ones"));
        }
        PassBuilder pass = graph.addPass("copy to " + target.buffer().name(), PassKind.COPY)
                .reads(source, Access.COPY_SRC)
                .overwrites(target, Access.COPY_DST);
        pass.record(context -> context.commands()
                .copyBuffer(
                        context.buffer(source.buffer()),
                        source.offset(),
                        context.buffer(target.buffer()),
                        target.offset(),
                        source.bytes()));
        return pass;
    }

    /**
     * Copies all mips, layers and planes of a texture.
     *
     * @throws RdgException if the two differ in extent, mips, layers, samples or planes, or have formats between which
     *     texels are not copied as they are
     */
    public static PassBuilder texture(RenderGraph graph, RdgTexture source, RdgTexture target) {
        TextureDescription from = source.description();
        TextureDescription to = target.description();
        boolean equal = from.width() == to.width()
                && from.height() == to.height()
                && from.depth() == to.depth()
                && from.mips() == to.mips()
                && from.layers() == to.layers()
                && from.samples() == to.samples()
                && from.format().planes() == to.format().planes();
        if (!equal) {
            throw new RdgException("'" + source.name() + "' of " + TransferFit.described(from)
                    + " cannot be copied whole to '" + target.name() + "' of " + TransferFit.described(to)
                    + "; name regions of both"
                    + (to.format().isCompressed() ? "" : ", or blit"));
        }
        TextureRegion[] regions = everything(from);
        for (TextureRegion region : regions) {
            requireCopy(source, region, target, region);
        }
        PassBuilder pass = graph.addPass("copy to " + target.name(), PassKind.COPY)
                .reads(source, Access.COPY_SRC)
                .overwrites(target, Access.COPY_DST);
        pass.record(context -> {
            CommandList commands = context.commands();
            Texture read = context.texture(source);
            Texture written = context.texture(target);
            for (TextureRegion region : regions) {
                commands.copyTexture(read, region, written, region);
            }
        });
        return pass;
    }

    /**
     * Copies a region of a texture to another one.
     *
     * @throws RdgException if a region is not within its texture; if the two differ in extent, samples or planes, or
     *     are in one mip, layer and plane of one texture; or if texels of their formats are not copied as they are
     */
    public static PassBuilder texture(
            RenderGraph graph, RdgTexture source, TextureRegion from, RdgTexture target, TextureRegion to) {
        requireCopy(source, from, target, to);
        requireApart(source, from, target, to);
        SubresourceRange read = Regions.range(from);
        SubresourceRange written = Regions.range(to);
        PassBuilder pass =
                graph.addPass("copy to " + target.name(), PassKind.COPY).reads(source, read, Access.COPY_SRC);
        Regions.write(pass, target, to, written, Access.COPY_DST);
        pass.record(
                context -> context.commands().copyTexture(context.texture(source), from, context.texture(target), to));
        return pass;
    }

    private static void requireCopy(RdgTexture source, TextureRegion from, RdgTexture target, TextureRegion to) {
        Regions.require(TransferFit.copy(
                source.name(), source.description(), from, target.name(), target.description(), to, source == target));
    }

    /** A pass has each mip of each layer in one layout: what it reads there, it cannot write. */
    private static void requireApart(RdgTexture source, TextureRegion from, RdgTexture target, TextureRegion to) {
        if (source == target && Regions.range(from).overlaps(Regions.range(to))) {
            throw new RdgException(TransferFit.described(from) + " and " + TransferFit.described(to) + " of texture '"
                    + source.name()
                    + "' share a mip, layer and plane, which one pass cannot read and write; go through "
                    + "another texture with two calls");
        }
    }

    /**
     * Copies a region of a texture to another one with scaling and conversion. Which formats a device blits and
     * filters, {@link GpuDevice#formatSupport} says.
     *
     * @throws RdgException if a region is not within its texture or one of the textures has several samples; if the two
     *     have formats that are not converted into each other, differ in layers, or are in one mip, layer and plane of
     *     one texture; or if one has depth or stencil and the other has another format or the filter is not {@link
     *     Filter#NEAREST}
     */
    public static PassBuilder blit(
            RenderGraph graph,
            RdgTexture source,
            TextureRegion from,
            RdgTexture target,
            TextureRegion to,
            Filter filter) {
        Regions.require(TransferFit.blit(
                source.name(),
                source.description(),
                from,
                target.name(),
                target.description(),
                to,
                filter,
                source == target));
        requireApart(source, from, target, to);
        SubresourceRange read = Regions.range(from);
        SubresourceRange written = Regions.range(to);
        PassBuilder pass = graph.addPass("blit to " + target.name(), PassKind.RASTER)
                .flag(PassFlag.SKIP_RENDER_PASS)
                .reads(source, read, Access.BLIT_SRC);
        Regions.write(pass, target, to, written, Access.BLIT_DST);
        pass.record(context ->
                context.commands().blitTexture(context.texture(source), from, context.texture(target), to, filter));
        return pass;
    }

    /**
     * Resolves the samples of all of a colour texture.
     *
     * @throws RdgException if the source has one sample, the target several, the two differ in extent, layers or
     *     format, or they have depth or stencil
     */
    public static PassBuilder resolve(RenderGraph graph, RdgTexture source, RdgTexture target) {
        TextureDescription from = source.description();
        TextureDescription to = target.description();
        if (from.width() != to.width() || from.height() != to.height() || from.layers() != to.layers()) {
            throw new RdgException("'" + source.name() + "' of " + TransferFit.described(from)
                    + " cannot be resolved whole to '" + target.name() + "' of " + TransferFit.described(to)
                    + "; resolve several samples to one of the same extent, layers and format");
        }
        TextureRegion region = TextureRegion.mip(from, 0);
        Regions.require(TransferFit.resolve(source.name(), from, region, target.name(), to, region));
        PassBuilder pass = graph.addPass("resolve to " + target.name(), PassKind.RASTER)
                .flag(PassFlag.SKIP_RENDER_PASS)
                .reads(source, Regions.range(region), Access.BLIT_SRC)
                .overwrites(target, Regions.range(region), Access.BLIT_DST);
        pass.record(context ->
                context.commands().resolveTexture(context.texture(source), region, context.texture(target), region));
        return pass;
    }

    private static String described(RdgBufferView view) {
        return "'" + view.buffer().name() + "' bytes " + view.offset() + "+" + view.bytes();
    }

    private static TextureRegion[] everything(TextureDescription description) {
        int planes = description.format().planes();
        TextureRegion[] regions = new TextureRegion[description.mips() * planes];
        for (int i = 0; i < regions.length; i++) {
            regions[i] = TextureRegion.mip(description, i / planes).withPlane(i % planes);
        }
        return regions;
    }
}
