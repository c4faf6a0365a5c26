package io.frameloom.rdg.compile;

import io.frameloom.gpu.BarrierBatch;
import io.frameloom.gpu.MemoryAccess;
import io.frameloom.gpu.PipelineStage;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes barriers of the drafts: waits for the former residents of shared memory at a first use, joins equal barriers of
 * neighbouring cells to boxes, and writes down why each is there.
 *
 * <p>What a former resident wrote last is handed over by a barrier of all memory, since one of a resource reaches accesses
 * through that resource alone. What it wrote before it was read is available already, so the order is enough.
 */
final class Barriers {
    private static final int ALL = PipelineStage.ALL_COMMANDS.bit();

    private final SubresourceMap map;
    private final StateMerge states;
    private final Transitions transitions;
    private final Aliasing aliasing;
    private final BarrierReasons reasons;
    private final int passes;
    private final List<List<PlanBarrier>> before = new ArrayList<>();
    private final List<List<PlanBarrier>> after = new ArrayList<>();

    Barriers(DeclaredGraph graph, SubresourceMap map, StateMerge states, Transitions transitions, Aliasing aliasing) {
        this.map = map;
        this.states = states;
        this.transitions = transitions;
        this.aliasing = aliasing;
        this.reasons = new BarrierReasons(graph, map, states);
        this.passes = graph.passes().size();
        List<List<Box>> open = new ArrayList<>();
        for (int n = 0; n < 2 * transitions.queue.length; n++) {
            open.add(new ArrayList<>(0));
        }
        for (int d = 0; d < transitions.drafts.size(); d++) {
            Box box = box(d);
            if (box != null) {
                join(open.get(2 * transitions.drafts.node.get(d) + transitions.drafts.after.get(d)), box);
            }
        }
        for (int n = 0; n < transitions.queue.length; n++) {
            before.add(finish(open.get(2 * n)));
            after.add(finish(open.get(2 * n + 1)));
        }
    }

    List<PlanBarrier> before(int node) {
        return before.get(node);
    }

    List<PlanBarrier> after(int node) {
        return after.get(node);
    }

    /** A barrier for a box of cells of one resource. */
    private static final class Box {
        final int resource;
        final BarrierBatch.Scope scope;
        final int oldLayout;
        final int newLayout;
        final boolean allMemory;
        final int[] cells = new int[6];
        final IntList epochs = new IntList(4);
        final IntList draftCells = new IntList(4);
        final int[] formerResidents;

        Box(
                int resource,
                BarrierBatch.Scope scope,
                int oldLayout,
                int newLayout,
                boolean allMemory,
                int[] formerResidents) {
            this.resource = resource;
            this.scope = scope;
            this.oldLayout = oldLayout;
            this.newLayout = newLayout;
            this.allMemory = allMemory;
            this.formerResidents = formerResidents;
        }

        /** Takes over a box that continues this one along one axis; returns false if it does not. */
        boolean absorb(Box other) {
            if (resource != other.resource
                    || oldLayout != other.oldLayout
                    || newLayout != other.newLayout
                    || allMemory != other.allMemory
                    || !scope.equals(other.scope)) {
                return false;
            }
            int differing = -1;
            for (int axis = 0; axis < 6; axis += 2) {
                if (cells[axis] != other.cells[axis] || cells[axis + 1] != other.cells[axis + 1]) {
                    if (differing >= 0) {
                        return false;
                    }
                    differing = axis;
                }
            }
            if (differing < 0
                    || (cells[differing + 1] != other.cells[differing]
                            && other.cells[differing + 1] != cells[differing])) {
                return false;
            }
            cells[differing] = Math.min(cells[differing], other.cells[differing]);
            cells[differing + 1] = Math.max(cells[differing + 1], other.cells[differing + 1]);
            for (int i = 0; i < other.epochs.size(); i++) {
                epochs.add(other.epochs.get(i));
                draftCells.add(other.draftCells.get(i));
            }
            return true;
        }
    }

    private @Nullable Box box(int draft) {
        BarrierDrafts drafts = transitions.drafts;
        int cell = drafts.cell.get(draft);
        int epoch = drafts.epoch.get(draft);
        int resource = map.cellResource[cell];
        int srcStages = drafts.srcStages.get(draft);
        int srcAccess = drafts.srcAccess.get(draft);
        int formerWrites = 0;
        int[] former = {};
        if (epoch >= 0 && epoch == states.epochBase[cell]) {
            former = aliasing.predecessors(resource);
            int queue = transitions.queue[drafts.node.get(draft)];
            for (int a : former) {
                srcStages |= lastStages(a, queue);
                formerWrites |= lastWrites(a, queue);
            }
            srcAccess |= formerWrites;
            if (srcStages == 0 && !map.isTexture(resource)) {
                return null;
            }
            if (srcStages == 0) {
                srcStages = drafts.dstStages.get(draft);
            }
            if (srcStages == 0 || drafts.node.get(draft) >= passes) {
                srcStages = ALL;
            }
        }
        BarrierBatch.Scope scope =
                new BarrierBatch.Scope(srcStages, srcAccess, drafts.dstStages.get(draft), drafts.dstAccess.get(draft));
        Box box = new Box(
                resource, scope, drafts.oldLayout.get(draft), drafts.newLayout.get(draft), formerWrites != 0, former);
        map.boxOfCell(cell, box.cells);
        box.epochs.add(epoch);
        box.draftCells.add(cell);
        return box;
    }

    private static void join(List<Box> boxes, Box added) {
        Box box = added;
        int at = boxes.size() - 1;
        while (at >= 0 && boxes.get(at).resource == box.resource) {
            if (boxes.get(at).absorb(box)) {
                box = boxes.remove(at);
                at = boxes.size();
            }
            at--;
        }
        boxes.add(box);
    }

    private List<PlanBarrier> finish(List<Box> boxes) {
        List<PlanBarrier> result = new ArrayList<>(boxes.size());
        for (Box box : boxes) {
            boolean texture = map.isTexture(box.resource);
            result.add(new PlanBarrier(
                    box.resource,
                    texture ? map.range(box.resource, box.cells) : null,
                    texture ? 0 : map.offset(box.resource, box.cells),
                    texture ? 0 : map.bytes(box.resource, box.cells),
                    box.scope,
                    texture ? SubresourceMap.LAYOUTS[box.oldLayout] : TextureLayout.UNDEFINED,
                    texture ? SubresourceMap.LAYOUTS[box.newLayout] : TextureLayout.UNDEFINED,
                    null,
                    box.allMemory,
                    reasons.reason(box.resource, box.draftCells, box.epochs, box.formerResidents, box.allMemory)));
        }
        return result;
    }

    /**
     * Returns the stages of the last epochs of a resource on a queue. Earlier uses on that queue are ordered before
     * them by barriers, and uses on other queues by the waits that made sharing legal.
     */
    private int lastStages(int resource, int queue) {
        int stages = 0;
        for (int t : lastTouches(resource)) {
            if (transitions.queue[map.touchPass[t]] == queue) {
                stages |= map.touchStages[t] == 0 ? ALL : map.touchStages[t];
            }
        }
        return stages;
    }

    private int lastWrites(int resource, int queue) {
        int writes = 0;
        for (int t : lastTouches(resource)) {
            if (transitions.queue[map.touchPass[t]] == queue) {
                writes |= MemoryAccess.writesOf(map.touchAccess[t]);
            }
        }
        return writes;
    }

    private int[] lastTouches(int resource) {
        IntList touches = new IntList(8);
        for (int cell = map.cellBase[resource]; cell < map.cellBase[resource + 1]; cell++) {
            int e = states.epochBase[cell + 1] - 1;
            if (e >= states.epochBase[cell]) {
                for (int i = states.epochStart[e]; i < states.epochStart[e + 1]; i++) {
                    touches.add(states.sorted[i]);
                }
            }
        }
        return touches.toArray();
    }
}
