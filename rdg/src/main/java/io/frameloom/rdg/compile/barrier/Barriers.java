package io.frameloom.rdg.compile.barrier;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import io.frameloom.rdg.Reason;
import io.frameloom.rdg.compile.graph.Cells;
import io.frameloom.rdg.compile.graph.IntList;
import io.frameloom.rdg.compile.graph.Scratch;
import io.frameloom.rdg.compile.graph.StateMerge;
import io.frameloom.rdg.compile.graph.SubresourceMap;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Makes barriers of the drafts. A first use waits for the former residents of shared memory. Equal barriers of
 * neighbouring cells are joined to boxes. Boxes are numbers, of which barriers are made on request, by any
 * thread.
 *
 * <p>A barrier of all memory hands over what a former resident wrote last, since one of a resource reaches accesses
 * through that resource alone. What it wrote before it was read is available already, so the order is enough.
 *
 * <p>What is kept is a row for each cell. The rows of a box follow each other, and its number is that of the first. The
 * epochs after them, which {@link BarrierReasons} asks for, lie in scratch memory until that is reset.
 */
public final class Barriers {
    private static final int ALL = PipelineStage.ALL_COMMANDS.bit();
    private static final int NONE = -1;
    private static final int BOX = 6;
    private static final int[] NOTHING = {};

    // What each cell of a box has in its row.
    /** The resource if that is one cell, else the cell. */
    private static final int PLACE = 0;

    /** Which of {@link #kinds} it is. */
    private static final int KIND = 1;

    private static final int ROW = 2;
    /** Of {@link #KIND}: the cell is not the first one of its box. */
    private static final int CONTINUES = 1 << (Integer.SIZE - 1);
    /** Of {@link #PLACE}: the barrier stands after its node. */
    private static final int AFTER = 1 << (Integer.SIZE - 1);
    /** Of {@link #PLACE}: it is a cell. */
    private static final int PART = AFTER >>> 1;

    private final Cells cells;
    private final SplitBarriers splits;
    /** The rows of each node, before and then after it, begin where {@link #start} says. */
    private final int[] rows;

    private final int[] start;
    /** By row the epoch after it, a negative number for the end of the frame; none in a plan. */
    private int[] epochs;
    /** What is handed over between queue families by row; nothing if none is. */
    private final int[] families;
    /** What barriers ask for: two sides each. Many barriers ask for the same. */
    private final long[] kinds;
    /** By kind; values that threads may put in place of each other's. */
    private final BarrierBatch.@Nullable Scope[] scopes;

    public Barriers(
            DeclaredGraph graph,
            SubresourceMap map,
            StateMerge states,
            Transitions transitions,
            Takeovers takeovers,
            SplitBarriers splits,
            int queueCount,
            Scratch scratch) {
        cells = map.forPlan();
        epochs = scratch.ints(transitions.drafts());
        long mark = scratch.mark();
        Joining joining = new Joining(graph, map, states, transitions, takeovers, splits, queueCount, scratch);
        start = new int[transitions.queue.length + 1];
        for (int node = 0; node < start.length; node++) {
            start[node] = joining.start[2 * node];
        }
        int[] order = joining.order;
        int count = joining.count;
        int[] handedOver = {};
        rows = new int[ROW * count];
        Kinds known = new Kinds(scratch);
        for (int row = 0; row < count; row++) {
            boolean continues = order[row] < 0;
            int draft = continues ? ~order[row] : order[row];
            order[row] = draft;
            int at = ROW * row;
            epochs[row] = transitions.epoch(draft);
            int cell = transitions.cell(draft);
            int resource = map.cellResource[cell];
            int place = map.isOneCell(resource) ? resource : cell | PART;
            rows[at + PLACE] = place | transitions.point(draft) << (Integer.SIZE - 1);
            int kind = known.of(transitions.src(draft), transitions.dst(draft));
            rows[at + KIND] = kind | (continues ? CONTINUES : 0);
            if (transitions.families(draft) != 0) {
                handedOver = handedOver.length == 0 ? new int[count] : handedOver;
                handedOver[row] = transitions.families(draft);
            }
        }
        families = handedOver;
        kinds = known.toArray();
        scopes = new BarrierBatch.Scope[kinds.length / 2];
        this.splits = splits.of(order, count);
        scratch.release(mark);
    }

    /** Lets go of what only reasons ask for. */
    public void keepForPlan() {
        epochs = NOTHING;
    }

    int[] before(int node) {
        return at(node, 0);
    }

    int[] after(int node) {
        boolean any = start[node] < start[node + 1] && side(start[node + 1] - 1) == AFTER;
        return any ? at(node, AFTER) : NOTHING;
    }

    private int[] at(int node, int side) {
        int first = start[node];
        while (side == AFTER && first < start[node + 1] && side(first) != AFTER) {
            first++;
        }
        int count = 0;
        for (int box = first; box < start[node + 1] && side(box) == side; box = end(box)) {
            count++;
        }
        if (count == 0) {
            return NOTHING;
        }
        int[] boxes = new int[count];
        int box = first;
        for (int i = 0; i < count; i++) {
            boxes[i] = box;
            box = end(box);
        }
        return boxes;
    }

    public PlanBarrier planned(int box, Reason why) {
        return new PlanBarrier(
                resource(box),
                range(box),
                offset(box),
                bytes(box),
                scope(box),
                oldLayout(box),
                newLayout(box),
                ownership(box),
                isOfAllMemory(box),
                splits.of(box),
                why);
    }

    /** Returns the range of a texture, null for a buffer. */
    public @Nullable SubresourceRange range(int box) {
        int resource = resource(box);
        if (!cells.isTexture(resource)) {
            return null;
        }
        return isPart(box) ? cells.range(resource, around(box)) : cells.whole(resource);
    }

    /** Returns the first byte of a buffer, 0 for a texture. */
    public long offset(int box) {
        int resource = resource(box);
        return isPart(box) && !cells.isTexture(resource) ? cells.offset(resource, around(box)) : 0;
    }

    /** Returns the length in a buffer, 0 for a texture. */
    public long bytes(int box) {
        int resource = resource(box);
        if (cells.isTexture(resource)) {
            return 0;
        }
        return isPart(box) ? cells.bytes(resource, around(box)) : cells.bufferBytes(resource);
    }

    public TextureLayout oldLayout(int box) {
        return layout(box, src(box));
    }

    public TextureLayout newLayout(int box) {
        return layout(box, dst(box));
    }

    private TextureLayout layout(int box, long half) {
        return cells.isTexture(resource(box))
                ? SubresourceMap.LAYOUTS[Transitions.layout(half)]
                : TextureLayout.UNDEFINED;
    }

    /** Returns the pass after which the first half of a barrier is issued, -1 if it is whole. */
    public int begin(int box) {
        return splits.begin(box);
    }

    /** Returns whether a barrier lets attachments be read, where they are attached, that were drawn. */
    public boolean isOfLocalReads(int box) {
        return oldLayout(box) == TextureLayout.LOCAL_READ
                && newLayout(box) == TextureLayout.LOCAL_READ
                && ownership(box) == null
                && MemoryAccess.writesOf(Transitions.access(dst(box))) == 0;
    }

    /** Returns the row after the last one of a box. */
    int end(int box) {
        int row = box + 1;
        while (ROW * row < rows.length && rows[ROW * row + KIND] < 0) {
            row++;
        }
        return row;
    }

    private int kind(int row) {
        return rows[ROW * row + KIND] & ~CONTINUES;
    }

    private long src(int row) {
        return kinds[2 * kind(row)];
    }

    private long dst(int row) {
        return kinds[2 * kind(row) + 1];
    }

    /** Returns the epoch after the barrier of a row, a negative number for the end of the frame. */
    int epoch(int row) {
        return epochs[row];
    }

    public int resource(int row) {
        int place = rows[ROW * row + PLACE] & ~(AFTER | PART);
        return isPart(row) ? cells.resource(place) : place;
    }

    private boolean isPart(int row) {
        return (rows[ROW * row + PLACE] & PART) != 0;
    }

    private int cell(int row) {
        return rows[ROW * row + PLACE] & ~(AFTER | PART);
    }

    private int side(int row) {
        return rows[ROW * row + PLACE] & AFTER;
    }

    public boolean isOfAllMemory(int box) {
        return (src(box) & Transitions.SPARE) != 0;
    }

    boolean isToHost(int box) {
        return Transitions.stages(dst(box)) == PipelineStage.HOST.bit();
    }

    /** Returns what a box hands over between queue families, or null. */
    public BarrierBatch.@Nullable OwnershipTransfer ownership(int box) {
        return families.length == 0 ? null : Transitions.transferred(families[box]);
    }

    /** Returns the cells of a box: those around all of its rows, which fill it. */
    private int[] around(int box) {
        int[] all = new int[BOX];
        int[] other = new int[BOX];
        cells.boxOfCell(cell(box), all);
        for (int row = box + 1, end = end(box); row < end; row++) {
            cells.boxOfCell(cell(row), other);
            for (int axis = 0; axis < BOX; axis += 2) {
                all[axis] = Math.min(all[axis], other[axis]);
                all[axis + 1] = Math.max(all[axis + 1], other[axis + 1]);
            }
        }
        return all;
    }

    public BarrierBatch.Scope scope(int box) {
        int kind = kind(box);
        BarrierBatch.Scope known = scopes[kind];
        if (known == null) {
            long src = src(box);
            long dst = dst(box);
            known = new BarrierBatch.Scope(
                    Transitions.stages(src), Transitions.access(src), Transitions.stages(dst), Transitions.access(dst));
            scopes[kind] = known;
        }
        return known;
    }

    /** The different pairs of sides of barriers, in the order in which they are met. */
    private static final class Kinds {
        private final Scratch scratch;
        /** A power of two, twice the kinds that there is room for. */
        private int room = 128;

        private long[] sides;
        private int count;
        /** One more than the kind at a place that its hash leads to, 0 where there is none. */
        private int[] places;

        Kinds(Scratch scratch) {
            this.scratch = scratch;
            sides = scratch.longs(room);
            places = scratch.ints(room, 0);
        }

        int of(long src, long dst) {
            int place = place(src, dst);
            for (; places[place] != 0; place = (place + 1) & (room - 1)) {
                int kind = places[place] - 1;
                if (sides[2 * kind] == src && sides[2 * kind + 1] == dst) {
                    return kind;
                }
            }
            if (2 * count == room) {
                grow();
                return of(src, dst);
            }
            sides[2 * count] = src;
            sides[2 * count + 1] = dst;
            places[place] = ++count;
            return count - 1;
        }

        private int place(long src, long dst) {
            return (int) (((src * 31 + dst) * 0x9E3779B97F4A7C15L) >>> Integer.SIZE) & (room - 1);
        }

        private void grow() {
            long[] former = sides;
            int known = count;
            room *= 2;
            sides = scratch.longs(room);
            places = scratch.ints(room, 0);
            count = 0;
            for (int kind = 0; kind < known; kind++) {
                of(former[2 * kind], former[2 * kind + 1]);
            }
        }

        long[] toArray() {
            return Arrays.copyOf(sides, 2 * count);
        }
    }

    /** Sorts the drafts that are needed by point, and joins those of each to boxes; a box goes by its first draft. */
    private static final class Joining {
        final int[] start;
        /** The drafts that are needed, point by point and box by box, the complement of all but the first of a box. */
        final int[] order;

        int count;
        private final DeclaredGraph graph;
        private final SubresourceMap map;
        private final StateMerge states;
        private final Transitions transitions;
        private final Takeovers takeovers;
        private final SplitBarriers splits;
        private final int queueCount;
        /** The boxes of the point at hand. */
        private final int[] open;
        /** The box of each draft of a resource of several cells. */
        private final int[] cells;
        /** The draft that each one leads to in its box, and the last one of each box. */
        private final int[] next;

        private final int[] tail;
        /** By resource and queue the scope of its last uses there. */
        private final int[] lastUses;

        private final int[] cellsOfOne = new int[BOX];

        Joining(
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
            this.transitions = transitions;
            this.takeovers = takeovers;
            this.splits = splits;
            this.queueCount = queueCount;
            int drafts = transitions.drafts();
            int points = 2 * transitions.queue.length;
            start = scratch.ints(points + 1, 0);
            order = scratch.ints(drafts);
            open = scratch.ints(drafts);
            cells = map.cells() == graph.resources() ? NOTHING : scratch.ints(BOX * drafts);
            next = scratch.ints(drafts);
            tail = scratch.ints(drafts);
            lastUses = scratch.ints(queueCount * graph.resources(), 0);
            findLastUses();
            int[] needed = scratch.ints(drafts);
            for (int d = 0; d < drafts; d++) {
                if (isNeeded(d)) {
                    needed[count++] = d;
                    start[transitions.point(d) + 1]++;
                }
            }
            sortByPoint(needed, points, scratch);
        }

        /** Sorts drafts by point, and joins those of resources of several cells. */
        private void sortByPoint(int[] needed, int points, Scratch scratch) {
            for (int i = 0; i < points; i++) {
                start[i + 1] += start[i];
            }
            int[] at = scratch.ints(points);
            System.arraycopy(start, 0, at, 0, points);
            IntList ofParts = scratch.list();
            for (int i = 0; i < count; i++) {
                int draft = needed[i];
                int point = transitions.point(draft);
                order[at[point]++] = draft;
                if (!map.isOneCell(resource(draft))) {
                    ofParts.add(point);
                }
            }
            for (int i = 0; i < ofParts.size(); i++) {
                int point = ofParts.get(i);
                if (at[point] != NONE) {
                    at[point] = NONE;
                    joinAt(start[point], start[point + 1]);
                }
            }
        }

        private void joinAt(int begin, int end) {
            int boxes = 0;
            boolean ascending = true;
            for (int i = begin; i < end; i++) {
                int draft = order[i];
                next[draft] = NONE;
                tail[draft] = draft;
                int resource = resource(draft);
                if (map.isOneCell(resource)) {
                    open[boxes++] = draft;
                    continue;
                }
                map.boxOfCell(transitions.cell(draft), cellsOfOne);
                System.arraycopy(cellsOfOne, 0, cells, BOX * draft, BOX);
                boolean follows = boxes > 0 && resource(open[boxes - 1]) == resource;
                ascending =
                        !follows || (ascending && transitions.cell(tail[open[boxes - 1]]) <= transitions.cell(draft));
                boxes = join(boxes, draft, ascending);
            }
            int at = begin;
            for (int box = 0; box < boxes; box++) {
                order[at++] = open[box];
                for (int draft = next[open[box]]; draft != NONE; draft = next[draft]) {
                    order[at++] = ~draft;
                }
            }
        }

        private int resource(int draft) {
            return map.cellResource[transitions.cell(draft)];
        }

        /** Adds to a first use what it takes memory over from; returns false if no barrier is needed. */
        private boolean isNeeded(int draft) {
            int cell = transitions.cell(draft);
            if (transitions.epoch(draft) != states.firstEpoch[cell]) {
                return true;
            }
            int resource = map.cellResource[cell];
            boolean texture = map.isTexture(resource);
            int former = 0;
            int on = transitions.queue[transitions.node(draft)];
            for (int k = takeovers.begin(resource); k < takeovers.end(resource); k++) {
                former |= lastUses[takeovers.predecessor(k) * queueCount + on];
            }
            int formerStages = SubresourceMap.stages(former);
            int formerWrites = SubresourceMap.access(former);
            int stages = Transitions.stages(transitions.src(draft)) | formerStages;
            if (stages == 0 && !texture) {
                return false;
            }
            if (stages == 0) {
                stages = Transitions.stages(transitions.dst(draft));
            }
            if (stages == 0 || transitions.node(draft) >= graph.passes()) {
                stages = ALL;
            }
            // A barrier of a buffer that another family had in the frame before would have to be one of that family.
            boolean allMemory = formerWrites != 0 || (formerStages != 0 && graph.isExclusive(resource) && !texture);
            transitions.takeOver(draft, stages, formerWrites, allMemory);
            return true;
        }

        /**
         * Finds stages and writes of the last epochs of each resource on each queue. Earlier uses on that queue are
         * ordered before them by barriers, and uses on other queues by the waits that made sharing legal.
         */
        private void findLastUses() {
            for (int cell = 0, cells = map.cells(); cell < cells; cell++) {
                int last = states.endEpoch[cell] - 1;
                if (last < states.firstEpoch[cell]) {
                    continue;
                }
                int first = map.cellResource[cell] * queueCount;
                int stores = states.stores(last);
                int queue = states.queue(last);
                if (queue != StateMerge.SEVERAL) {
                    lastUses[first + queue] |= EpochSide.waitedFor(states.scope(last) | stores);
                    continue;
                }
                for (int t = states.firstTouch[last]; t >= 0; t = states.nextTouch[t]) {
                    lastUses[first + transitions.queue[map.touchPass[t]]] |= EpochSide.waitedFor(map.scope(t) | stores);
                }
            }
        }

        /**
         * Puts a box after the open ones, joined with those that it continues; returns how many there are.
         *
         * @param ascending whether the open ones of its resource were added by ascending cells: then it touches none of
         *     those that end far before it, and there are boxes of any number of cells that it need not be compared
         *     with
         */
        private int join(int boxes, int added, boolean ascending) {
            int count = boxes;
            int box = added;
            int resource = resource(added);
            int firstNear = ascending ? transitions.cell(added) - map.reach(resource) : 0;
            int at = count - 1;
            while (at >= 0 && resource(open[at]) == resource && transitions.cell(tail[open[at]]) >= firstNear) {
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

        /** Lets a box take over another one that continues it along one axis; returns false if it does not. */
        private boolean absorb(int box, int other) {
            if (!transitions.alike(box, other) || !splits.alike(box, other)) {
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
    }
}
