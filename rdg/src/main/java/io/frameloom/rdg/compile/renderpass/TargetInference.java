package io.frameloom.rdg.compile.renderpass;

import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RenderTargets;
import io.frameloom.rdg.compile.graph.StateMerge;
import io.frameloom.rdg.compile.graph.SubresourceMap;
import io.frameloom.rdg.declare.Area;
import io.frameloom.rdg.declare.Aspect;
import io.frameloom.rdg.declare.Attachment;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Infers load and store operations: nothing is loaded that was never written, nothing is stored that no later pass and
 * nothing after the frame needs. Targets are made on request, since hardly a phase of the compiler asks. Immutable; any
 * thread.
 */
public final class TargetInference {
    private final DeclaredGraph graph;
    private final SubresourceMap map;
    private final StateMerge states;
    private final boolean[] live;
    /** Null as long as nothing is known of tiles. */
    private final @Nullable LazyTargets lazy;

    public TargetInference(
            DeclaredGraph graph, SubresourceMap map, StateMerge states, boolean[] live, @Nullable LazyTargets lazy) {
        this.graph = graph;
        this.map = map;
        this.states = states;
        this.live = live;
        this.lazy = lazy;
    }

    /** Returns the same, which has no target stored that only a later render pass on the same tiles reads. */
    public TargetInference keepingOnTiles(LazyTargets kept) {
        return new TargetInference(graph, map, states, live, kept);
    }

    /** Returns the targets of a pass, or null if it is not live or has no render pass of the graph's. */
    public @Nullable RenderTargets of(int pass) {
        if (!live[pass] || graph.kind(pass) != PassKind.RASTER || graph.has(pass, PassFlag.SKIP_RENDER_PASS)) {
            return null;
        }
        RenderTargets inferred = inferred(pass);
        return lazy == null ? inferred : lazy.kept(inferred);
    }

    private RenderTargets inferred(int pass) {
        int[] box = new int[6];
        int first = graph.firstAttachment(pass);
        int end = graph.firstAttachment(pass + 1);
        boolean one = end - first == 1;
        List<RenderTargets.Color> colors = one ? List.of() : new ArrayList<>(end - first);
        RenderTargets.Depth depth = null;
        RenderTargets.Stencil stencil = null;
        int width = 0;
        int height = 0;
        int layers = 1;
        for (int a = first; a < end; a++) {
            Attachment attachment = graph.attachment(a);
            int use = graph.useOf(pass, attachment);
            int resource = graph.resource(use);
            TextureDescription texture = graph.texture(resource);
            SubresourceRange range = graph.range(use);
            if (texture == null || range == null) {
                throw new IllegalStateException("an attachment of pass " + pass + " is no texture range");
            }
            width = texture.width(range.baseMip());
            height = texture.height(range.baseMip());
            layers = attachment.slices() == null
                    ? range.layerCount()
                    : attachment.slices().count();
            map.box(use, box);
            boolean kept = attachment.readOnly();
            LoadOp load = kept ? LoadOp.LOAD : load(pass, resource, box, graph.load(pass, attachment));
            StoreOp store = store(pass, resource, box);
            RenderTargets.Resolve resolve = attachment.resolve() < 0 ? null : resolve(pass, attachment);
            switch (attachment.aspect()) {
                case DEPTH ->
                    depth = new RenderTargets.Depth(
                            resource, range, load, store, attachment.clearDepth(), kept, resolve);
                case STENCIL ->
                    stencil = new RenderTargets.Stencil(
                            resource, range, load, store, attachment.clearStencil(), kept, resolve);
                case COLOR -> {
                    RenderTargets.Color color = new RenderTargets.Color(
                            resource, range, attachment.slices(), load, store, attachment.clear(), resolve);
                    if (one) {
                        colors = List.of(color);
                    } else {
                        colors.add(color);
                    }
                }
            }
        }
        Area area = graph.area(pass);
        return area == null
                ? new RenderTargets(0, 0, width, height, layers, colors, depth, stencil)
                : new RenderTargets(area.x(), area.y(), area.width(), area.height(), layers, colors, depth, stencil);
    }

    /** Returns where an attachment is resolved to: nowhere if it is not needed there. Depth and stencil go together. */
    private RenderTargets.@Nullable Resolve resolve(int pass, Attachment attachment) {
        boolean needed = isNeeded(pass, attachment);
        for (int a = graph.firstAttachment(pass), end = graph.firstAttachment(pass + 1); a < end; a++) {
            Attachment other = graph.attachment(a);
            boolean together = attachment.aspect() != Aspect.COLOR && other.aspect() != Aspect.COLOR;
            needed |= together && other.resolve() >= 0 && isNeeded(pass, other);
        }
        int target = graph.firstUse(pass) + attachment.resolve();
        SubresourceRange range = graph.range(target);
        return range == null || !needed
                ? null
                : new RenderTargets.Resolve(graph.resource(target), range, attachment.mode());
    }

    private boolean isNeeded(int pass, Attachment attachment) {
        int target = graph.firstUse(pass) + attachment.resolve();
        int[] box = new int[6];
        map.box(target, box);
        return store(pass, graph.resource(target), box) == StoreOp.STORE;
    }

    private LoadOp load(int pass, int resource, int[] box, LoadOp declared) {
        if (declared != LoadOp.LOAD) {
            return declared;
        }
        boolean defined = graph.initialLayout(resource) != TextureLayout.UNDEFINED;
        for (int z = box[4]; z < box[5]; z++) {
            for (int y = box[2]; y < box[3] && !defined; y++) {
                int cell = map.cell(resource, box[0], y, z);
                int own = states.epochOfTouch[states.touchOf(pass, cell)];
                for (int e = states.firstEpoch[cell]; e < own && !defined; e++) {
                    defined = states.writes(e);
                }
            }
        }
        return defined ? LoadOp.LOAD : LoadOp.DONT_CARE;
    }

    private StoreOp store(int pass, int resource, int[] box) {
        for (int z = box[4]; z < box[5]; z++) {
            for (int y = box[2]; y < box[3]; y++) {
                int cell = map.cell(resource, box[0], y, z);
                int touch = states.touchOf(pass, cell);
                int next = states.epochOfTouch[touch] + 1;
                boolean last = next == states.endEpoch[cell];
                // A pass that only tests may be followed in its epoch by others that read.
                boolean touchedAfter = states.nextTouch[touch] >= 0;
                if (touchedAfter || (last ? graph.isOutput(resource) : !states.discards(next))) {
                    return StoreOp.STORE;
                }
            }
        }
        return StoreOp.DONT_CARE;
    }
}
