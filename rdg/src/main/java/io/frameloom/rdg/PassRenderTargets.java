package io.frameloom.rdg;

import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.ResolveMode;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureKind;
import io.frameloom.rdg.compile.DeclaredGraph;
import org.jspecify.annotations.Nullable;

/** The part of a pass's declaration that says what it renders to. */
abstract sealed class PassRenderTargets extends PassAccesses permits PassBuilder {
    final PassTargets targets = new PassTargets(self(), uses);
    private DeclaredGraph.@Nullable Area area;
    /** Of the former frame, to be used again. */
    private DeclaredGraph.@Nullable Area formerArea;

    /** Adds mip 0 of layer 0 as the next colour attachment. */
    public PassBuilder color(RdgTexture texture, LoadOp load, ClearColor clear) {
        return color(texture, 0, 0, load, clear);
    }

    /** Adds one mip of one layer as the next colour attachment. */
    public PassBuilder color(RdgTexture texture, int mip, int layer, LoadOp load, ClearColor clear) {
        targets.color(texture, SubresourceRange.of(mip, layer), load, clear);
        return self();
    }

    /**
     * Adds slices of one mip of a texture of three dimensions as the next colour attachment, which is rendered to as to as many
     * layers; all targets have as many. What the pass does not render to stays. Slices share one layout, so passes that render
     * to different slices of a mip are in order.
     *
     * @throws RdgException if the texture has not three dimensions
     */
    public PassBuilder colorSlices(
            RdgTexture volume, int mip, int firstSlice, int slices, LoadOp load, ClearColor clear) {
        if (volume.description().kind() != TextureKind.THREE_D) {
            PassBuilder pass = self();
            throw new RdgException(pass.subject() + pass.suffix() + " attaches slices of '" + volume.name() + "'"
                    + pass.graph().siteOf(volume) + ", which is "
                    + volume.description().kind()
                    + "; attach layers by color, or give it a depth");
        }
        targets.color(volume, SubresourceRange.mip(mip), new RenderTargets.Slices(firstSlice, slices), load, clear);
        return self();
    }

    /** Adds a view of one mip as the next colour attachment; all targets have as many layers. */
    public PassBuilder color(RdgTextureView view, LoadOp load, ClearColor clear) {
        targets.color(view.texture(), view.range(), load, clear);
        return self();
    }

    /** Sets mip 0 of layer 0 as the depth attachment, written by the pass. Stencil stays as it is. */
    public PassBuilder depth(RdgTexture texture, LoadOp load, float clear) {
        return depth(texture, 0, 0, load, clear);
    }

    /** Sets one mip of one layer as the depth attachment, written by the pass. Stencil stays as it is. */
    public PassBuilder depth(RdgTexture texture, int mip, int layer, LoadOp load, float clear) {
        targets.depth(texture, SubresourceRange.of(mip, layer), load, clear);
        return self();
    }

    /** Sets a view of one mip as the depth attachment, written by the pass; all targets have as many layers. */
    public PassBuilder depth(RdgTextureView view, LoadOp load, float clear) {
        targets.depth(view.texture(), view.range(), load, clear);
        return self();
    }

    /** Sets mip 0 of layer 0 as the depth attachment, tested but not written. */
    public PassBuilder depthReadOnly(RdgTexture texture) {
        return depthReadOnly(texture, 0, 0);
    }

    /** Sets one mip of one layer as the depth attachment, tested but not written. */
    public PassBuilder depthReadOnly(RdgTexture texture, int mip, int layer) {
        targets.depthReadOnly(texture, SubresourceRange.of(mip, layer));
        return self();
    }

    /** Sets a view of one mip as the depth attachment, tested but not written. */
    public PassBuilder depthReadOnly(RdgTextureView view) {
        targets.depthReadOnly(view.texture(), view.range());
        return self();
    }

    /**
     * Sets mip 0 of layer 0 as the stencil attachment, written by the pass. Depth stays as it is, unless the pass has a depth
     * attachment, which then is of the same texture.
     *
     * @param clear 0 to 255, used with {@link LoadOp#CLEAR}
     */
    public PassBuilder stencil(RdgTexture texture, LoadOp load, int clear) {
        targets.stencil(texture, SubresourceRange.mip(0), load, clear);
        return self();
    }

    /** Sets a view of one mip as the stencil attachment, written by the pass; all targets have as many layers. */
    public PassBuilder stencil(RdgTextureView view, LoadOp load, int clear) {
        targets.stencil(view.texture(), view.range(), load, clear);
        return self();
    }

    /** Sets mip 0 of layer 0 as the stencil attachment, tested but not written. */
    public PassBuilder stencilReadOnly(RdgTexture texture) {
        targets.stencilReadOnly(texture, SubresourceRange.mip(0));
        return self();
    }

    /** Sets a view of one mip as the stencil attachment, tested but not written. */
    public PassBuilder stencilReadOnly(RdgTextureView view) {
        targets.stencilReadOnly(view.texture(), view.range());
        return self();
    }

    /** Sets mip 0 of layer 0 as the depth and the stencil attachment, both written by the pass. */
    public PassBuilder depthStencil(RdgTexture texture, LoadOp load, float clearDepth, int clearStencil) {
        return depth(texture, load, clearDepth).stencil(texture, load, clearStencil);
    }

    /** Sets a view of one mip as the depth and the stencil attachment, both written by the pass. */
    public PassBuilder depthStencil(RdgTextureView view, LoadOp load, float clearDepth, int clearStencil) {
        return depth(view, load, clearDepth).stencil(view, load, clearStencil);
    }

    /** Sets mip 0 of layer 0 as the depth and the stencil attachment, both tested but not written. */
    public PassBuilder depthStencilReadOnly(RdgTexture texture) {
        return depthReadOnly(texture).stencilReadOnly(texture);
    }

    /**
     * Resolves the samples of the colour attachment declared last to mip 0 of layer 0 at the end of the render pass: averaged,
     * or sample 0 of integers. All of the target is overwritten.
     *
     * @throws RdgException if the pass has no colour attachment, has resolved it already, or has a condition
     */
    public PassBuilder resolve(RdgTexture target) {
        targets.resolveColor(target, SubresourceRange.mip(0));
        return self();
    }

    /** Resolves the samples of the colour attachment declared last to a view of one mip, as {@link #resolve(RdgTexture)}. */
    public PassBuilder resolve(RdgTextureView target) {
        targets.resolveColor(target.texture(), target.range());
        return self();
    }

    /**
     * Resolves the samples of the attachments of depth and stencil, or of the one that the pass has, to mip 0 of layer 0 at the
     * end of the render pass.
     *
     * @throws RdgException if the pass has neither, only tests them, has resolved them already, or has a condition
     */
    public PassBuilder resolve(RdgTexture target, ResolveMode mode) {
        targets.resolveDepthStencil(target, SubresourceRange.mip(0), mode);
        return self();
    }

    /** Resolves depth and stencil to a view of one mip, as {@link #resolve(RdgTexture, ResolveMode)}. */
    public PassBuilder resolve(RdgTextureView target, ResolveMode mode) {
        targets.resolveDepthStencil(target.texture(), target.range(), mode);
        return self();
    }

    /**
     * Limits what a raster pass renders to: loads, clears, draws, resolves and stores touch no texel of its targets outside of
     * the area, so what is there stays. Passes of different areas share no render pass.
     *
     * @param x left edge in texels
     * @param y upper edge in texels
     * @throws RdgException if the area is empty or begins outside of all targets, or if the pass has one already or is no raster
     *     pass
     */
    public PassBuilder renderArea(int x, int y, int width, int height) {
        PassBuilder pass = self();
        PassKind kind = pass.kind();
        pass.requireOpen("a render area");
        if (x < 0 || y < 0 || width < 1 || height < 1 || area != null || kind != PassKind.RASTER) {
            throw new RdgException(pass.subject() + pass.suffix() + " cannot render to " + width + "x" + height
                    + " texels at "
                    + x + "," + y + ": "
                    + (kind != PassKind.RASTER
                            ? "it is a " + kind + " pass, without a render area"
                            : area != null ? "it has a render area already" : "name an area of at least one texel"));
        }
        DeclaredGraph.Area known = formerArea;
        boolean again =
                known != null && known.x() == x && known.y() == y && known.width() == width && known.height() == height;
        DeclaredGraph.Area declared = known != null && again ? known : new DeclaredGraph.Area(x, y, width, height);
        pass.noting().area(pass.index(), declared);
        area = declared;
        return pass;
    }

    void clear() {
        uses.clear();
        targets.clear();
        formerArea = area == null ? formerArea : area;
        area = null;
    }

    /** Returns the render area, or null for all of the targets. */
    DeclaredGraph.@Nullable Area area() {
        return area;
    }
}
