package io.frameloom.rdg.compile.barrier;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import io.frameloom.rdg.Reason;
import io.frameloom.rdg.compile.graph.Names;
import io.frameloom.rdg.compile.graph.Scratch;
import io.frameloom.rdg.compile.graph.StateMerge;
import io.frameloom.rdg.compile.graph.SubresourceMap;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Makes barriers of the drafts. A first use waits for the former residents of shared memory. Equal barriers of
 * neighbouring cells are joined to boxes. Each barrier keeps its reason. Boxes are numbers, of which barriers are made
 * on request: that by any thread.
 *
 * <p>A barrier of all memory hands over what a former resident wrote last, since one of a resource reaches accesses
 * through that resource alone. What it wrote before it was read is available already, so the order is enough.
 *
 * <p>A box goes by the number of its first draft; {@link #next} leads to the other drafts that it has taken over.
 * Reasons are found by that number.
 */
public final class Barriers {
    private static final int ALL = PipelineStage.ALL_COMMANDS.bit();
    private static final int NONE = -1;
    private static final int BOX = 6;
    private static final int SCOPE_BITS = 6;
    /** The box of a resource of one cell is not read. */
    private static final int[] ONE_CELL = {};

    private final SubresourceMap map;
    private final StateMerge states;
    private final int[] queue;
    private final BarrierDrafts drafts;
    private final SplitBarriers splits;
    private final DeclaredGraph graph;
    private final int passes;
    private final int queueCount;
    private final boolean[] allMemory;
    private final int[] next;
    /** Those of a point, before and then after each node, begin where {@link #start} says. */
    private final int[] boxes;

    private final int[] start;
    /** Values that threads may put in place of each other's. */
    private final BarrierBatch.@Nullable Scope[] scopes = new BarrierBatch.Scope[1 << SCOPE_BITS];

    public Barriers(
            DeclaredGraph graph,
            SubresourceMap map,
            StateMerge states,
            Transitions transitions,
            Takeovers takeovers,
            SplitBarriers splits,
            int queueCount,
            Scratch scratch) {
        this.graph = graph;
        this.map = map;
        this.states = states;
        this.queue = transitions.queue;
        this.queueCount = queueCount;
        this.drafts = transitions.drafts;
        this.splits = splits;
        this.passes = map.touchBase.length - 1;
        int count = drafts.size();
        allMemory = new boolean[count];
        long mark = scratch.mark();
        // The box of each draft of a resource of several cells.
        int[] cells = scratch.ints(BOX * count);
        next = new int[count];
        int[] tail = scratch.ints(count);
        Arrays.fill(next, NONE);
        for (int draft = 0; draft < count; draft++) {
            tail[draft] = draft;
        }
        int points = 2 * queue.length;
        start = new int[points + 1];
        int[] sorted = sortByPoint(start, points, scratch);
        int[] joined = scratch.ints(count);
        int[] cell = new int[BOX];
        int[] lastStages = scratch.ints(queueCount * graph.resources(), 0);
        int[] lastWrites = scratch.ints(queueCount * graph.resources(), 0);
        findLastUses(lastStages, lastWrites);
        int end = 0;
        for (int point = 0; point < points; point++) {
            int begin = end;
            boolean ascending = true;
            for (int i = start[point]; i < start[point + 1]; i++) {
                int draft = sorted[i];
                if (prepare(draft, takeovers, lastStages, lastWrites, cells, cell)) {
                    boolean follows = end > begin && resource(joined[end - 1]) == resource(draft);
                    ascending = !follows || (ascending && drafts.cell(tail[joined[end - 1]]) <= drafts.cell(draft));
                    end = join(joined, begin, end, draft, cells, tail, ascending);
                }
            }
            start[point] = begin;
        }
        start[points] = end;
        boxes = Arrays.copyOf(joined, end);
        scratch.release(mark);
    }

    /**
     * Returns why a barrier is there, in words with the names of a plan.
     *
     * @param takeovers what the barriers were made with
     */
    public String reason(int box, Takeovers takeovers, Names names) {
        return new BarrierReasons(graph, map, states, takeovers, names, drafts, next).of(box, allMemory[box]);
    }

    public List<PlanBarrier> before(int node, IntFunction<Reason> reasons) {
        return at(2 * node, reasons);
    }

    public List<PlanBarrier> after(int node, IntFunction<Reason> reasons) {
        return at(2 * node + 1, reasons);
    }

    private List<PlanBarrier> at(int point, IntFunction<Reason> reasons) {
        int begin = start[point];
        PlanBarrier[] barriers = new PlanBarrier[start[point + 1] - begin];
        for (int i = 0; i < barriers.length; i++) {
            barriers[i] = barrier(boxes[begin + i], reasons);
        }
        return List.of(barriers);
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
    private boolean prepare(
            int draft, Takeovers takeovers, int[] lastStages, int[] lastWrites, int[] cells, int[] cellsOfOne) {
        int cell = drafts.cell(draft);
        int epoch = drafts.epoch(draft);
        if (epoch >= 0 && epoch == states.epochBase[cell]) {
            int resource = map.cellResource[cell];
            int srcStages = drafts.srcStages(draft);
            int formerStages = 0;
            int formerWrites = 0;
            int at = queue[drafts.node(draft)];
            for (int k = takeovers.begin(resource); k < takeovers.end(resource); k++) {
                int last = takeovers.predecessor(k) * queueCount + at;
                formerStages |= lastStages[last];
                formerWrites |= lastWrites[last];
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
            // A barrier of a buffer that another family had in the frame before would have to be one of that family.
            allMemory[draft] =
                    formerWrites != 0 || (formerStages != 0 && graph.isExclusive(resource) && !map.isTexture(resource));
        }
        if (!map.isOneCell(map.cellResource[cell])) {
            map.boxOfCell(cell, cellsOfOne);
            System.arraycopy(cellsOfOne, 0, cells, BOX * draft, BOX);
        }
        return true;
    }

    /**
     * Puts a box after the open ones from {@code begin} on, joined with those that it continues; returns where they
     * end.
     *
     * @param ascending whether the open ones of its resource were added by ascending cells: then it touches none of
     *     those that end far before it, and there are boxes of any number of cells that it need not be compared with
     */
    private int join(int[] open, int begin, int end, int added, int[] cells, int[] tail, boolean ascending) {
        int count = end;
        int box = added;
        int resource = resource(added);
        int firstNear = ascending ? drafts.cell(added) - map.reach(resource) : 0;
        int at = map.isOneCell(resource) ? NONE : count - 1;
        while (at >= begin && resource(open[at]) == resource && drafts.cell(tail[open[at]]) >= firstNear) {
            if (absorb(open[at], box, cells, tail)) {
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
        return map.cellResource[drafts.cell(box)];
    }

    /** Lets a box take over another one that continues it along one axis; returns false if it does not. */
    private boolean absorb(int box, int other, int[] cells, int[] tail) {
        if (allMemory[box] != allMemory[other] || !drafts.alike(box, other) || !splits.alike(box, other)) {
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

    private PlanBarrier barrier(int box, IntFunction<Reason> reasons) {
        int resource = resource(box);
        boolean texture = map.isTexture(resource);
        int[] cells = map.isOneCell(resource) ? ONE_CELL : cells(box);
        return new PlanBarrier(
                resource,
                texture ? map.range(resource, cells) : null,
                texture ? 0 : map.offset(resource, cells),
                texture ? 0 : map.bytes(resource, cells),
                scope(drafts.srcStages(box), drafts.srcAccess(box), drafts.dstStages(box), drafts.dstAccess(box)),
                texture ? SubresourceMap.LAYOUTS[drafts.oldLayout(box)] : TextureLayout.UNDEFINED,
                texture ? SubresourceMap.LAYOUTS[drafts.newLayout(box)] : TextureLayout.UNDEFINED,
                drafts.ownership(box),
                allMemory[box],
                splits.of(box),
                reasons.apply(box));
    }

    /** Returns the cells of a box: those around all of its drafts, which fill it. */
    private int[] cells(int box) {
        int[] cells = new int[BOX];
        int[] other = new int[BOX];
        map.boxOfCell(drafts.cell(box), cells);
        for (int draft = next[box]; draft != NONE; draft = next[draft]) {
            map.boxOfCell(drafts.cell(draft), other);
            for (int axis = 0; axis < BOX; axis += 2) {
                cells[axis] = Math.min(cells[axis], other[axis]);
                cells[axis + 1] = Math.max(cells[axis + 1], other[axis + 1]);
            }
        }
        return cells;
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
     * Finds stages and writes of the last epochs of each resource on each queue. Earlier uses on that queue are ordered
     * before them by barriers, and uses on other queues by the waits that made sharing legal.
     */
    private void findLastUses(int[] stages, int[] writes) {
        for (int cell = 0, cells = map.cells(); cell < cells; cell++) {
            int e = states.epochBase[cell + 1] - 1;
            if (e < states.epochBase[cell]) {
                continue;
            }
            int first = map.cellResource[cell] * queueCount;
            for (int i = states.epochStart[e]; i < states.epochStart[e + 1]; i++) {
                int t = states.sorted[i];
                int at = first + queue[map.touchPass[t]];
                stages[at] |= map.touchStages[t] == 0 ? ALL : map.touchStages[t];
                writes[at] |= MemoryAccess.writesOf(map.touchAccess[t]);
            }
        }
    }
}
