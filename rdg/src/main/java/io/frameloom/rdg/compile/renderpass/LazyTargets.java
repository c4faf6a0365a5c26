package io.frameloom.rdg.compile.renderpass;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.RenderTargets;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Finds transients that only one render pass uses, as its targets. They are neither loaded nor stored, and a device with
 * lazily allocated memory keeps them on its tiles.
 */
public final class LazyTargets {
    private static final int UNUSED = -1;
    private static final int OTHERWISE = -2;
    private static final Set<TextureUsage> COLOR =
            Set.of(TextureUsage.COLOR_ATTACHMENT, TextureUsage.TRANSIENT_ATTACHMENT);
    private static final Set<TextureUsage> DEPTH =
            Set.of(TextureUsage.DEPTH_ATTACHMENT, TextureUsage.TRANSIENT_ATTACHMENT);

    private final DeclaredGraph graph;
    private final boolean[] lazy;
    private final boolean any;

    public LazyTargets(DeclaredGraph graph, boolean[] live, RenderPassMerge renderPasses, boolean enabled) {
        this.graph = graph;
        lazy = new boolean[enabled ? graph.resources() : 0];
        boolean found = false;
        if (enabled) {
            int[] home = new int[lazy.length];
            Arrays.fill(home, UNUSED);
            for (int p = 0; p < live.length; p++) {
                if (live[p]) {
                    visit(graph, p, renderPasses.renderPassOf[p], home);
                }
            }
            for (int r = 0; r < lazy.length; r++) {
                lazy[r] = home[r] >= 0
                        && graph.isTexture(r)
                        && graph.lifetime(r) == Lifetime.TRANSIENT
                        && graph.finalAccess(r) == null;
                found |= lazy[r];
            }
        }
        any = found;
    }

    private static void visit(DeclaredGraph graph, int pass, int renderPass, int[] home) {
        boolean own = renderPass < 0 || graph.has(pass, PassFlag.SKIP_RENDER_PASS);
        for (int use = graph.firstUse(pass), end = graph.firstUse(pass + 1); use < end; use++) {
            int r = graph.resource(use);
            Access access = graph.access(use);
            boolean stays = !own
                    && (access == Access.INPUT_ATTACHMENT
                            || (graph.isAttachment(use)
                                    && access != Access.RESOLVE_DST
                                    && access != Access.DEPTH_RESOLVE_DST));
            home[r] = stays && (home[r] == UNUSED || home[r] == renderPass) ? renderPass : OTHERWISE;
        }
    }

    public boolean isLazy(int resource) {
        return any && lazy[resource];
    }

    /** Returns the description of a texture, for which attachments are all it is if it is one of these. */
    public TextureDescription described(int resource, TextureDescription shape) {
        if (!isLazy(resource)) {
            return shape;
        }
        Set<TextureUsage> usage = EnumSet.copyOf(shape.format().isDepth() ? DEPTH : COLOR);
        if (graph.isLocal(resource)) {
            usage.add(TextureUsage.INPUT_ATTACHMENT);
        }
        return shape.withUsage(usage);
    }

    public boolean any() {
        return any;
    }

    /** Returns targets of which none is stored that only a later render pass on the same tiles reads. */
    RenderTargets kept(RenderTargets all) {
        List<RenderTargets.Color> colors = new ArrayList<>(all.colors().size());
        for (RenderTargets.Color c : all.colors()) {
            colors.add(new RenderTargets.Color(
                    c.resource(),
                    c.range(),
                    c.slices(),
                    c.load(),
                    store(c.resource(), c.store()),
                    c.clear(),
                    c.resolve(),
                    c.readOnly()));
        }
        RenderTargets.Depth d = all.depth();
        RenderTargets.Stencil s = all.stencil();
        return new RenderTargets(
                all.x(),
                all.y(),
                all.width(),
                all.height(),
                all.layers(),
                colors,
                d == null
                        ? null
                        : new RenderTargets.Depth(
                                d.resource(),
                                d.range(),
                                d.load(),
                                store(d.resource(), d.store()),
                                d.clear(),
                                d.readOnly(),
                                d.resolve()),
                s == null
                        ? null
                        : new RenderTargets.Stencil(
                                s.resource(),
                                s.range(),
                                s.load(),
                                store(s.resource(), s.store()),
                                s.clear(),
                                s.readOnly(),
                                s.resolve()));
    }

    private StoreOp store(int resource, StoreOp store) {
        return lazy[resource] ? StoreOp.DONT_CARE : store;
    }
}
