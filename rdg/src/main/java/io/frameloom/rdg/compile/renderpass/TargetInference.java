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
 * nothing after the frame needs. Decides that while states are known. Targets are made on request, since hardly a phase
 * of the compiler asks. Immutable; any thread.
 */
public final class TargetInference {
    // What is decided about an attachment.
    /** It is stored. */
    private static final int STORED = 1;
    /** What it is resolved to is needed. */
    private static final int RESOLVED = 2;
    /** Above these bits the load operation. */
    private static final int LOAD_SHIFT = 2;

    private static final LoadOp[] LOADS = LoadOp.values();

    private final DeclaredGraph graph;
    /** Of each pass, negative for those that do not run. */
    private final int[] queue;
    /** By attachment what is decided about it. */
    private final byte[] decided;
    /** Null as long as nothing is known of tiles. */
    private final @Nullable LazyTargets lazy;

    /** Decides about the attachments of all live passes; {@code queue} is negative for others. */
    public TargetInference(DeclaredGraph graph, SubresourceMap map, StateMerge states, int[] queue) {
        this.graph = graph;
        this.queue = queue;
        lazy = null;
        decided = new byte[graph.firstAttachment(graph.passes())];
        if (decided.length > 0) {
            new Decision(graph, map, states).run(queue, decided);
        }
    }

    private TargetInference(TargetInference other, LazyTargets kept) {
        graph = other.graph;
        queue = other.queue;
        decided = other.decided;
        lazy = kept;
    }

    /** Returns the same, which has no target stored that only a later render pass on the same tiles reads. */
    public TargetInference keepingOnTiles(LazyTargets kept) {
        return new TargetInference(this, kept);
    }

    /** Returns the targets of a pass, or null if it is not live or has no render pass of the graph's. */
    public @Nullable RenderTargets of(int pass) {
        if (queue[pass] < 0 || graph.kind(pass) != PassKind.RASTER || graph.has(pass, PassFlag.SKIP_RENDER_PASS)) {
            return null;
        }
        RenderTargets inferred = inferred(pass);
        return lazy == null ? inferred : lazy.kept(inferred);
    }

    private RenderTargets inferred(int pass) {
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
            boolean kept = attachment.readOnly();
            LoadOp load = LOADS[decided[a] >> LOAD_SHIFT];
            StoreOp store = (decided[a] & STORED) != 0 ? StoreOp.STORE : StoreOp.DONT_CARE;
            RenderTargets.Resolve resolve = attachment.resolve() < 0 ? null : resolve(pass, a);
            switch (attachment.aspect()) {
                case DEPTH ->
                    depth = new RenderTargets.Depth(
                            resource, range, load, store, attachment.clearDepth(), kept, resolve);
                case STENCIL ->
                    stencil = new RenderTargets.Stencil(
                            resource, range, load, store, attachment.clearStencil(), kept, resolve);
                case COLOR -> {
                    RenderTargets.Color color = new RenderTargets.Color(
                            resource, range, attachment.slices(), load, store, attachment.clear(), resolve, kept);
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
    private RenderTargets.@Nullable Resolve resolve(int pass, int index) {
        Attachment attachment = graph.attachment(index);
        boolean needed = isNeeded(index);
        for (int a = graph.firstAttachment(pass), end = graph.firstAttachment(pass + 1); a < end; a++) {
            Attachment other = graph.attachment(a);
            boolean together = attachment.aspect() != Aspect.COLOR && other.aspect() != Aspect.COLOR;
            needed |= together && other.resolve() >= 0 && isNeeded(a);
        }
        int target = graph.firstUse(pass) + attachment.resolve();
        SubresourceRange range = graph.range(target);
        return range == null || !needed
                ? null
                : new RenderTargets.Resolve(graph.resource(target), range, attachment.mode());
    }

    private boolean isNeeded(int attachment) {
        return (decided[attachment] & RESOLVED) != 0;
    }

    /** Looks at the states of what is attached. */
    private static final class Decision {
        private final DeclaredGraph graph;
        private final SubresourceMap map;
        private final StateMerge states;
        private final int[] box = new int[6];

        Decision(DeclaredGraph graph, SubresourceMap map, StateMerge states) {
            this.graph = graph;
            this.map = map;
            this.states = states;
        }

        void run(int[] queue, byte[] decided) {
            for (int p = 0; p < graph.passes(); p++) {
                for (int a = graph.firstAttachment(p), end = graph.firstAttachment(p + 1);
                        queue[p] >= 0 && a < end;
                        a++) {
                    Attachment one = graph.attachment(a);
                    LoadOp load = one.readOnly() ? LoadOp.LOAD : load(p, graph.useOf(p, one), graph.load(p, one));
                    int resolved = one.resolve() >= 0 && isStored(p, graph.firstUse(p) + one.resolve()) ? RESOLVED : 0;
                    int stored = isStored(p, graph.useOf(p, one)) ? STORED : 0;
                    decided[a] = (byte) (load.ordinal() << LOAD_SHIFT | resolved | stored);
                }
            }
        }

        private LoadOp load(int pass, int use, LoadOp declared) {
            if (declared != LoadOp.LOAD) {
                return declared;
            }
            int resource = graph.resource(use);
            map.box(use, box);
            boolean defined = graph.initialLayout(resource) != TextureLayout.UNDEFINED;
            for (int z = box[4]; z < box[5]; z++) {
                for (int y = box[2]; y < box[3] && !defined; y++) {
                    int cell = map.cell(resource, box[0], y, z);
                    int own = states.epochOfTouch[states.touchOf(pass, cell, use)];
                    for (int e = states.firstEpoch[cell]; e < own && !defined; e++) {
                        defined = states.writes(e);
                    }
                }
            }
            return defined ? LoadOp.LOAD : LoadOp.DONT_CARE;
        }

        private boolean isStored(int pass, int use) {
            int resource = graph.resource(use);
            if (map.isOneCell(resource)) {
                return isStored(pass, map.cellBase[resource], use);
            }
            map.box(use, box);
            for (int z = box[4]; z < box[5]; z++) {
                for (int y = box[2]; y < box[3]; y++) {
                    int cell = map.cell(resource, box[0], y, z);
                    if (isStored(pass, cell, use)) {
                        return true;
                    }
                }
            }
            return false;
        }

        private boolean isStored(int pass, int cell, int use) {
            int touch = states.touchOf(pass, cell, use);
            int next = states.epochOfTouch[touch] + 1;
            // A pass that only tests may be followed in its epoch by others that read.
            return states.nextTouch[touch] >= 0
                    || (next == states.endEpoch[cell] ? graph.isOutput(graph.resource(use)) : !states.discards(next));
        }
    }
}
