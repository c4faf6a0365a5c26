package io.frameloom.rdg.compile;

import io.frameloom.gpu.LoadOp;
import io.frameloom.gpu.StoreOp;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RenderTargets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Infers load and store operations: nothing is loaded that was never written, nothing is stored that no later pass and
 * nothing after the frame needs.
 */
final class TargetInference {
    private final DeclaredGraph graph;
    private final SubresourceMap map;
    private final StateMerge states;
    private final int[] box = new int[6];

    TargetInference(DeclaredGraph graph, SubresourceMap map, StateMerge states) {
        this.graph = graph;
        this.map = map;
        this.states = states;
    }

    /** Returns the targets of a live pass, or null if it has no render pass of the graph's. */
    @Nullable
    RenderTargets targets(DeclaredGraph.Pass pass) {
        if (pass.kind() != PassKind.RASTER || pass.flags().contains(PassFlag.SKIP_RENDER_PASS)) {
            return null;
        }
        int attachments = pass.attachments().size();
        List<RenderTargets.Color> colors = attachments == 1 ? List.of() : new ArrayList<>(attachments);
        RenderTargets.Depth depth = null;
        int width = 0;
        int height = 0;
        for (DeclaredGraph.Attachment attachment : pass.attachments()) {
            DeclaredGraph.Use use = pass.uses().get(attachment.use());
            TextureDescription texture = graph.resources().get(use.resource()).texture();
            SubresourceRange range = use.range();
            if (texture == null || range == null) {
                throw new IllegalStateException("attachment of pass " + pass.name() + " is no texture range");
            }
            width = texture.width(range.baseMip());
            height = texture.height(range.baseMip());
            map.box(use, box);
            boolean kept = attachment.readOnly();
            LoadOp load = kept ? LoadOp.LOAD : load(pass.index(), use.resource(), box, attachment.load());
            StoreOp store = kept ? StoreOp.STORE : store(pass.index(), use.resource(), box);
            if (attachment.depth()) {
                depth = new RenderTargets.Depth(
                        use.resource(), range, load, store, attachment.clearDepth(), attachment.readOnly());
            } else {
                RenderTargets.Color color =
                        new RenderTargets.Color(use.resource(), range, load, store, attachment.clear());
                if (attachments == 1) {
                    colors = List.of(color);
                } else {
                    colors.add(color);
                }
            }
        }
        return new RenderTargets(width, height, colors, depth);
    }

    private LoadOp load(int pass, int resource, int[] box, LoadOp declared) {
        if (declared != LoadOp.LOAD) {
            return declared;
        }
        boolean defined = graph.resources().get(resource).initialLayout() != TextureLayout.UNDEFINED;
        for (int z = box[4]; z < box[5] && !defined; z++) {
            int cell = map.cell(resource, box[0], box[2], z);
            for (int e = states.epochBase[cell]; e < states.epochOf(pass, cell); e++) {
                defined |= states.epochWrites[e];
            }
        }
        return defined ? LoadOp.LOAD : LoadOp.DONT_CARE;
    }

    private StoreOp store(int pass, int resource, int[] box) {
        for (int z = box[4]; z < box[5]; z++) {
            int cell = map.cell(resource, box[0], box[2], z);
            int next = states.epochOf(pass, cell) + 1;
            boolean last = next == states.epochBase[cell + 1];
            if (last ? graph.resources().get(resource).isOutput() : !states.discards(next)) {
                return StoreOp.STORE;
            }
        }
        return StoreOp.DONT_CARE;
    }
}
