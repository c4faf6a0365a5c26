package io.frameloom.rdg.compile.plan;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.FramePlan.UsePlan;
import io.frameloom.rdg.compile.graph.Cells;
import io.frameloom.rdg.compile.graph.SubresourceMap;
import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.rdg.declare.Mode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The uses of the passes of a plan by number, those of a pass one after the other: what a {@link UsePlan} says, without
 * making one. Immutable; any thread.
 */
public final class PlanUses {
    private final DeclaredGraph graph;
    private final Cells cells;
    /** By use of a texture by a live pass the layout in which it is. */
    private final byte[] layouts;

    PlanUses(DeclaredGraph graph, Cells cells, byte[] layouts) {
        this.graph = graph;
        this.cells = cells;
        this.layouts = layouts;
    }

    /** Returns the first use of a pass; those that the compiler added have none. */
    public int first(int pass) {
        return graph.firstUse(Math.min(pass, graph.passes()));
    }

    /** Returns the number after the last use of a pass. */
    public int end(int pass) {
        return first(pass + 1);
    }

    public int resource(int use) {
        return graph.resource(use);
    }

    /** Returns the range of a texture, null for a buffer. */
    public @Nullable SubresourceRange range(int use) {
        if (!isOfTexture(use)) {
            return null;
        }
        SubresourceRange range = graph.range(use);
        return range == null ? cells.whole(graph.resource(use)) : range;
    }

    public long offset(int use) {
        return graph.offset(use);
    }

    /** Returns the length in a buffer, 0 for a texture. */
    public long bytes(int use) {
        if (isOfTexture(use)) {
            return 0;
        }
        return graph.bytes(use) < 0 ? cells.bufferBytes(graph.resource(use)) : graph.bytes(use);
    }

    public Access access(int use) {
        return graph.access(use);
    }

    public boolean isDiscard(int use) {
        return !graph.needsContents(use);
    }

    /** Returns the layout of a texture during a pass that is not culled. */
    public TextureLayout layout(int use) {
        return isOfTexture(use) ? SubresourceMap.LAYOUTS[layouts[use]] : TextureLayout.UNDEFINED;
    }

    public int overlapGroup(int use) {
        return graph.overlap(use);
    }

    public boolean isDiscardIfRun(int use) {
        return graph.mode(use) == Mode.OVERWRITE_IF_RUN;
    }

    private boolean isOfTexture(int use) {
        return graph.isTexture(graph.resource(use));
    }

    List<UsePlan> list(int pass, boolean culled) {
        int first = first(pass);
        UsePlan[] result = new UsePlan[end(pass) - first];
        for (int u = 0; u < result.length; u++) {
            int use = first + u;
            result[u] = new UsePlan(
                    resource(use),
                    range(use),
                    offset(use),
                    bytes(use),
                    access(use),
                    isDiscard(use),
                    culled && isOfTexture(use) ? access(use).layout() : layout(use),
                    overlapGroup(use),
                    isDiscardIfRun(use));
        }
        return List.of(result);
    }
}
