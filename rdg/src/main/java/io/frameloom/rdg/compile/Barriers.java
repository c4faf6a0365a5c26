package io.frameloom.rdg.compile;

import io.frameloom.gpu.BarrierBatch;
import io.frameloom.gpu.MemoryAccess;
import io.frameloom.gpu.PipelineStage;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes barriers of the drafts: waits for the former residents of shared memory at a first use, joins equal barriers of
 * neighbouring cells to boxes, and notes why each is there.
 *
 * <p>What a former resident wrote last is handed over by a barrier of all memory, since one of a resource reaches accesses
 * through that resource alone. What it wrote before it was read is available already, so the order is enough.
 *
 * <p>A box goes by the number of its first draft; {@link #next} leads to the other drafts that it has taken over.
 */
final class Barriers {
    private static final int ALL = PipelineStage.ALL_COMMANDS.bit();
    private static final int NONE = -1;
    private static final int BOX = 6;
    private static final int SCOPE_BITS = 6;

    private final SubresourceMap map;
    private final StateMerge states;
    private final Transitions transitions;
    private final BarrierDrafts drafts;
    private final Takeovers takeovers;
    private final BarrierReasons reasons;
    private final int passes;
    private final boolean[] allMemory;
    /** The box of each draft of a resource of several cells; scratch memory, as {@link #tail} is. */
    private final int[] cells;

    private final int[] next;
    private final int[] tail;
    private final int[] cellsOfOne = new int[BOX];
    private final BarrierBatch.@Nullable Scope[] scopes = new BarrierBatch.Scope[1 << SCOPE_BITS];
    /** Barriers before, then behind each node. */
    private final List<List<PlanBarrier>> lists;

    private int formerStages;
    private int formerWrites;

    Barriers(
            DeclaredGraph graph,
            SubresourceMap map,
            StateMerge states,
            Transitions transitions,
            Takeovers takeovers,
            Names names,
            Scratch scratch) {
        this.map = map;
        this.states = states;
        this.transitions = transitions;
        this.drafts = transitions.drafts;
        this.takeovers = takeovers;
        this.passes = graph.passes().size();
        int count = drafts.size();
        allMemory = new boolean[count];
        long mark = scratch.mark();
        cells = scratch.ints(BOX * count);
        next = new int[count];
        tail = scratch.ints(count);
        Arrays.fill(next, NONE);
        for (int draft = 0; draft < count; draft++) {
            tail[draft] = draft;
        }
        reasons = new BarrierReasons(graph, map, states, takeovers, names, drafts, next);
        int points = 2 * transitions.queue.length;
        int[] start = scratch.ints(points + 1, 0);
        int[] sorted = sortByPoint(start, points, scratch);
        int[] open = scratch.ints(count);
        List<PlanBarrier>[] result = newLists(points);
        for (int point = 0; point < result.length; point++) {
            int boxes = 0;
            for (int i = start[point]; i < start[point + 1]; i++) {
                if (prepare(sorted[i])) {
                    boxes = join(open, boxes, sorted[i]);
                }
            }
            result[point] = finish(open, boxes, scratch.items);
        }
        lists = Arrays.asList(result);
        scratch.release(mark);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static List<PlanBarrier>[] newLists(int length) {
        return new List[length];
    }

    List<PlanBarrier> before(int node) {
        return lists.get(2 * node);
    }

    List<PlanBarrier> after(int node) {
        return lists.get(2 * node + 1);
    }

    /** Sorts the drafts by where they are, before or after which node; fills {@code start} with the first of each. */
    private int[] sortByPoint(int[] start, int points, Scratch scratch) {
        int count = drafts.size();
        for (int d = 0; d < count; d++) {
            start[drafts.point(d) + 1]++;
        }
        for (int i = 0; i < points; i++) {
            start[i + 1] += start[i];
        }
        int[] at = scratch.ints(points);
        System.arraycopy(start, 0, at, 0, points);
        int[] sorted = scratch.ints(count);
        for (int d = 0; d < count; d++) {
            sorted[at[drafts.point(d)]++] = d;
        }
        return sorted;
    }

    /** Completes a draft to a box of one cell; returns false if no barrier is needed. */
    private boolean prepare(int draft) {
        int cell = drafts.cell.get(draft);
        int epoch = drafts.epoch.get(draft);
        if (epoch >= 0 && epoch == states.epochBase[cell]) {
            int resource = map.cellResource[cell];
            int srcStages = drafts.srcStages(draft);
            formerStages = 0;
            formerWrites = 0;
            int queue = transitions.queue[drafts.node(draft)];
            for (int k = takeovers.begin(resource); k < takeovers.end(resource); k++) {
                addLastUses(takeovers.predecessor(k), queue);
            }
            srcStages |= formerStages;
            if (srcStages == 0 && !map.isTexture(resource)) {
                return false;
            }
            if (srcStages == 0) {
                srcStages = drafts.dstStages(draft);
            }
            if (srcStages == 0 || drafts.node(draft) >= passes) {
                srcStages = ALL;
            }
            drafts.source(draft, srcStages, drafts.srcAccess(draft) | formerWrites);
            allMemory[draft] = formerWrites != 0;
        }
        if (!map.isOneCell(map.cellResource[cell])) {
            map.boxOfCell(cell, cellsOfOne);
            System.arraycopy(cellsOfOne, 0, cells, BOX * draft, BOX);
        }
        return true;
    }

    /** Puts a box behind the open ones, joined with those that it continues; returns the number of boxes. */
    private int join(int[] open, int boxes, int added) {
        int count = boxes;
        int box = added;
        int at = map.isOneCell(resource(added)) ? NONE : count - 1;
        while (at >= 0 && resource(open[at]) == resource(box)) {
            if (absorb(open[at], box)) {
                box = open[at];
                System.arraycopy(open, at + 1, open, at, count - at - 1);
                at = --count;
            }
            at--;
        }
        open[count] = box;
        return count + 1;
    }

    private int resource(int box) {
        return map.cellResource[drafts.cell.get(box)];
    }

    /** Lets a box take over another one that continues it along one axis; returns false if it does not. */
    private boolean absorb(int box, int other) {
        if (allMemory[box] != allMemory[other] || !drafts.alike(box, other)) {
            return false;
        }
        int a = BOX * box;
        int b = BOX * other;
        int differing = NONE;
        for (int axis = 0; axis < BOX; axis += 2) {
            if (cells[a + axis] != cells[b + axis] || cells[a + axis + 1] != cells[b + axis + 1]) {
                if (differing >= 0) {
                    return false;
                }
                differing = axis;
            }
        }
        if (differing < 0
                || (cells[a + differing + 1] != cells[b + differing]
                        && cells[b + differing + 1] != cells[a + differing])) {
            return false;
        }
        cells[a + differing] = Math.min(cells[a + differing], cells[b + differing]);
        cells[a + differing + 1] = Math.max(cells[a + differing + 1], cells[b + differing + 1]);
        next[tail[box]] = other;
        tail[box] = tail[other];
        return true;
    }

    private List<PlanBarrier> finish(int[] boxes, int count, PlanItems items) {
        for (int i = 0; i < count; i++) {
            items.put(i, barrier(boxes[i]));
        }
        return items.list(count);
    }

    private PlanBarrier barrier(int box) {
        int resource = resource(box);
        boolean texture = map.isTexture(resource);
        if (!map.isOneCell(resource)) {
            System.arraycopy(cells, BOX * box, cellsOfOne, 0, BOX);
        } else if (!texture) {
            map.boxOfCell(drafts.cell.get(box), cellsOfOne);
        }
        return new PlanBarrier(
                resource,
                texture ? map.range(resource, cellsOfOne) : null,
                texture ? 0 : map.offset(resource, cellsOfOne),
                texture ? 0 : map.bytes(resource, cellsOfOne),
                scope(drafts.srcStages(box), drafts.srcAccess(box), drafts.dstStages(box), drafts.dstAccess(box)),
                texture ? SubresourceMap.LAYOUTS[drafts.oldLayout(box)] : TextureLayout.UNDEFINED,
                texture ? SubresourceMap.LAYOUTS[drafts.newLayout(box)] : TextureLayout.UNDEFINED,
                drafts.ownership(box),
                allMemory[box],
                reasons.of(box, allMemory[box]));
    }

    /** Barriers that ask for the same share what they ask for: there are few kinds of it. */
    private BarrierBatch.Scope scope(int srcStages, int srcAccess, int dstStages, int dstAccess) {
        int hash = ((srcStages * 31 + srcAccess) * 31 + dstStages) * 31 + dstAccess;
        int place = (hash * 0x9E3779B9) >>> (Integer.SIZE - SCOPE_BITS);
        BarrierBatch.Scope known = scopes[place];
        if (known == null
                || known.srcStages() != srcStages
                || known.srcAccess() != srcAccess
                || known.dstStages() != dstStages
                || known.dstAccess() != dstAccess) {
            known = new BarrierBatch.Scope(srcStages, srcAccess, dstStages, dstAccess);
            scopes[place] = known;
        }
        return known;
    }

    /**
     * Adds stages and writes of the last epochs of a resource on a queue. Earlier uses on that queue are ordered before
     * them by barriers, and uses on other queues by the waits that made sharing legal.
     */
    private void addLastUses(int resource, int queue) {
        for (int cell = map.cellBase[resource]; cell < map.cellBase[resource + 1]; cell++) {
            int e = states.epochBase[cell + 1] - 1;
            if (e >= states.epochBase[cell]) {
                for (int i = states.epochStart[e]; i < states.epochStart[e + 1]; i++) {
                    int t = states.sorted[i];
                    if (transitions.queue[map.touchPass[t]] == queue) {
                        formerStages |= map.touchStages[t] == 0 ? ALL : map.touchStages[t];
                        formerWrites |= MemoryAccess.writesOf(map.touchAccess[t]);
                    }
                }
            }
        }
    }
}
