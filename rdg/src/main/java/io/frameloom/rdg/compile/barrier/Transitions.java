package io.frameloom.rdg.compile.barrier;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.compile.graph.IntList;
import io.frameloom.rdg.compile.graph.Ownership;
import io.frameloom.rdg.compile.graph.ReadLayouts;
import io.frameloom.rdg.compile.graph.Scratch;
import io.frameloom.rdg.compile.graph.StateMerge;
import io.frameloom.rdg.compile.graph.SubresourceMap;
import io.frameloom.rdg.compile.order.Dependencies;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Decides which node carries the barrier between two epochs of a cell, and adds {@linkplain AddedNodes nodes} where no
 * pass can.
 *
 * <p>Let A be the passes of the former epoch and B those of the next. A change of layout happens once. If A and B share
 * one queue, it comes before the first of B. Else if A is on one queue, it comes after the last of A, and the semaphore
 * carries the order to the other queues. Else if B is on one queue, it comes before the first of B. Else it stands in a
 * node between A and B ({@link Rerouting} says on which queue). Without a change of layout semaphores order the queues
 * and each queue that has both A and B gets a barrier of its own. A discarding write takes the change of layout itself,
 * from UNDEFINED.
 *
 * <p>Passes of the host use buffers alone. What they read or write is made available to the host after its last writes
 * ({@link HostVisibility}). What they write is visible to all that is submitted after them.
 *
 * <p>If the resource belongs to one queue family at a time and B is of another family than A, it is handed over. The
 * release is after the last of A, or in a node if A is on several queues. The acquire is before the first of B, or in a
 * node. Both halves name the same layouts, and the change happens once. A resource from outside of the frame belongs to
 * the family of the graphics queue at the start and end of the frame; one that the frame gives away, at the end.
 * Nothing is handed over to a discarding write.
 */
public final class Transitions {
    private static final int ALL = PipelineStage.ALL_COMMANDS.bit();
    private static final int ANY_MEMORY = MemoryAccess.MEMORY_READ.bit() | MemoryAccess.MEMORY_WRITE.bit();
    private static final int UNDEFINED = ReadLayouts.code(TextureLayout.UNDEFINED);

    // What each draft has in its row.
    private static final int POINT = 0;
    private static final int CELL = 1;
    private static final int EPOCH = 2;
    private static final int SRC = 3;
    private static final int DST = 4;
    /** The upper halves of both sides, the first one lowest. */
    private static final int UPPER = 5;

    private static final int ROW = 6;

    // A side of a barrier is one number: a scope, and above it the layout and what is spare.
    private static final int LAYOUT_MASK = 0xFF;
    private static final int UPPER_BITS = Short.SIZE;
    private static final int UPPER_MASK = (1 << UPPER_BITS) - 1;
    /** Of a side: not used by it. In the first side of a draft it says that the barrier is one of all memory. */
    static final long SPARE = 1L << (Integer.SIZE + UPPER_BITS - 1);

    private static final int NONE = -1;

    /** Queue of each node: the passes first, then the added nodes. */
    public final int[] queue;
    /** Nodes in a topological order, in scratch memory. */
    public final int[] order;
    /** Number of these. */
    public final int ordered;
    /** Dependencies of passes first, then those of added nodes; in scratch memory. */
    public final int[] from;

    public final int[] to;
    public final int edges;
    public final int[] addedResource;
    /** Layout of each resource at the end of the frame. */
    public final byte[] finalLayout;

    private final DeclaredGraph graph;
    private final SubresourceMap map;
    private final StateMerge states;
    private final int[] passQueue;
    private final int queueCount;
    /** The queue that stands for the host, on which there are no barriers, or -1. */
    private final int host;

    private final Ownership ownership;
    private final Rerouting rerouting;
    private final EpochSide before;
    private final EpochSide next;
    private final AddedNodes added;
    private final HostVisibility visibility;

    private final IntList drafts;
    private int[] rows = {};
    private int count;
    /** By draft one more than the queue families of a transfer; of none after the last that has any. */
    private int[] families = {};
    /** By draft one more than the other half of a transfer; as many. */
    private int[] otherHalves = {};

    public Transitions(
            DeclaredGraph graph,
            SubresourceMap map,
            StateMerge states,
            Ownership ownership,
            Dependencies dependencies,
            int[] passQueue,
            QueueTopology queues,
            Scratch scratch) {
        this.graph = graph;
        this.map = map;
        this.states = states;
        this.passQueue = passQueue;
        this.queueCount = queues.queues().size();
        this.host = queues.host();
        this.ownership = ownership;
        this.rerouting = new Rerouting(dependencies, passQueue, queues);
        this.before = new EpochSide(map, states, passQueue, queueCount);
        this.next = new EpochSide(map, states, passQueue, queueCount);
        this.added = new AddedNodes(passQueue.length, scratch);
        this.visibility = new HostVisibility(states, this, queueCount, host);
        this.finalLayout = new byte[graph.resources()];
        this.drafts = scratch.list();
        for (int cell = 0, cells = map.cells(); cell < cells; cell++) {
            for (int e = states.firstEpoch[cell], end = states.endEpoch[cell]; e < end; e++) {
                boundary(cell, e);
            }
        }
        for (int r = 0; r < finalLayout.length; r++) {
            endOfFrame(r);
        }
        addedResource = added.resources();
        queue = added.queues(passQueue);
        order = scratch.ints(queue.length);
        ordered = added.order(passQueue, order);
        from = added.from(dependencies.from, dependencies.count());
        to = added.to(dependencies.to, dependencies.count());
        edges = dependencies.count() + added.edges();
    }

    /** Decides about the boundary between the epochs A and B of a cell; {@code epoch} is B. */
    private void boundary(int cell, int epoch) {
        boolean first = epoch == states.firstEpoch[cell];
        int resource = map.cellResource[cell];
        boolean texture = map.isTexture(resource);
        boolean external = first && graph.isExternal(resource);
        int oldLayout = first ? ReadLayouts.code(graph.initialLayout(resource)) : states.layoutCode(epoch - 1);
        int newLayout = states.layoutCode(epoch);
        int owner = states.owner(epoch);
        int former = !first ? states.owner(epoch - 1) : external ? ownership.home : Ownership.NOBODY;
        boolean movesAway = owner != Ownership.NOBODY && former != Ownership.NOBODY && owner != former;
        boolean changes = texture && oldLayout != newLayout;
        boolean discard = (changes || movesAway) && states.discards(epoch);
        if (discard && changes) {
            oldLayout = UNDEFINED;
        }
        int q = states.queue(epoch);
        int formerQueue = first ? q : states.queue(epoch - 1);
        boolean oneEach = q != StateMerge.SEVERAL && formerQueue != StateMerge.SEVERAL;
        if (oneEach && !movesAway) {
            // Mostly. Semaphores order queues, so only one that has both sides needs a barrier, or a change of layout.
            int src = first ? 0 : EpochSide.waitedFor(states.scope(epoch - 1) | states.stores(epoch - 1));
            if (q != formerQueue && changes && !discard) {
                put(cell, epoch, after(states.lastPass(epoch - 1)), side(src, oldLayout), side(0, newLayout));
            } else if (q != host && (changes || (q == formerQueue && !external))) {
                int waited = q == formerQueue ? src : ALL;
                int point = before(states.firstPass(epoch));
                put(cell, epoch, point, side(waited, oldLayout), side(states.scope(epoch), newLayout));
            }
            if (!changes && HostVisibility.concerns(SubresourceMap.access(states.scope(epoch)))) {
                fillSides(epoch, first);
                visibility.before(cell, epoch, before, next);
            }
            return;
        }
        fillSides(epoch, first);
        if (movesAway && !discard) {
            handOver(cell, epoch, former, owner, oldLayout, newLayout);
        } else if (movesAway && texture) {
            takeAnew(cell, epoch, newLayout);
        } else if (!changes) {
            onEachQueue(cell, epoch, first && !external, oldLayout);
        } else {
            changeLayout(cell, epoch, discard, oldLayout, newLayout);
        }
    }

    private void fillSides(int epoch, boolean first) {
        before.clear();
        if (!first) {
            before.fill(epoch - 1);
        }
        next.clear();
        next.fill(epoch);
    }

    /** Puts a barrier on each queue that has both sides of a boundary, or that may take over memory. */
    private void onEachQueue(int cell, int epoch, boolean sharesMemory, int layout) {
        for (int q = 0; q < queueCount; q++) {
            if (q != host && next.first[q] >= 0 && (before.last[q] >= 0 || sharesMemory)) {
                add(cell, epoch, before(next.first[q]), before.stages(q), before.writes[q], q, layout, layout);
            }
        }
        visibility.before(cell, epoch, before, next);
    }

    /** Changes a layout after A if that is on one queue, else before B, or in a node if B is on several, too. */
    private void changeLayout(int cell, int epoch, boolean discard, int oldLayout, int newLayout) {
        boolean nextAlone = next.queues == 1;
        if (before.queues == 1 && !(discard && nextAlone)) {
            int q = before.only;
            add(cell, epoch, after(before.last[q]), before.stages(q), before.writes[q], q, oldLayout, newLayout);
        } else {
            int node = nextAlone ? next.firstOfAll() : nodeBetween(map.cellResource[cell], next.firstOfAll());
            int q = nextAlone ? next.only : added.queue(node);
            add(cell, epoch, before(node), ALL, before.writes[q], q, oldLayout, newLayout);
        }
    }

    /** Gives a texture to a family that needs none of its contents. */
    private void takeAnew(int cell, int epoch, int newLayout) {
        if (next.queues == 1) {
            add(cell, epoch, before(next.first[next.only]), ALL, 0, next.only, UNDEFINED, newLayout);
        } else {
            int q = next.lowest();
            int node = nodeBetween(map.cellResource[cell], next.firstOfAll(), q);
            add(cell, epoch, before(node), ALL, 0, q, UNDEFINED, newLayout);
        }
    }

    /**
     * Releases a cell after {@link #before} and acquires it before {@link #next}, or on the graphics queue at the end.
     */
    private void handOver(int cell, int epoch, int from, int to, int oldLayout, int newLayout) {
        int resource = map.cellResource[cell];
        int position = next.queues == 0 ? passQueue.length : next.firstOfAll();
        int releasing = -1;
        if (before.queues == 1) {
            int q = before.only;
            long src = side(before.stages(q), before.writes[q], oldLayout);
            put(cell, epoch, after(before.last[q]), src, side(0, 0, newLayout));
        } else {
            int q = before.queues == 0 ? 0 : before.lowest();
            releasing = nodeBetween(resource, position, q);
            long src = side(ALL, before.writes[q], oldLayout);
            put(cell, epoch, before(releasing), src, side(0, 0, newLayout));
        }
        if (next.queues == 1) {
            int q = next.only;
            add(cell, epoch, before(next.first[q]), ALL, 0, q, oldLayout, newLayout);
        } else {
            int known = added.count();
            int q = next.queues == 0 ? 0 : next.lowest();
            int acquiring = nodeBetween(resource, position, q);
            if (releasing >= 0 && added.count() > known) {
                added.addEdge(releasing, acquiring);
            }
            int stages = next.queues == 0 ? ALL : next.stages[q];
            int access = next.queues == 0 ? ANY_MEMORY : next.access[q];
            put(cell, epoch, before(acquiring), side(ALL, 0, oldLayout), side(stages, access, newLayout));
        }
        transfer(from, to);
    }

    private void add(int cell, int epoch, int point, int srcStages, int srcAccess, int q, int oldL, int newL) {
        put(cell, epoch, point, side(srcStages, srcAccess, oldL), side(next.stages[q], next.access[q], newL));
    }

    /** Adds a node between {@link #before} and {@link #next} on the queue where it takes the fewest waits. */
    private int nodeBetween(int resource, int position) {
        return nodeBetween(resource, position, rerouting.host(before, next, position));
    }

    private int nodeBetween(int resource, int position, int onQueue) {
        return added.between(before, next, resource, position, onQueue);
    }

    /** Leaves outputs in one layout, and what the host may touch visible to it. */
    private void endOfFrame(int resource) {
        if (!graph.isTexture(resource)) {
            endOfBuffer(resource);
            return;
        }
        if (graph.lifetime(resource) == Lifetime.TRANSIENT
                && graph.finalAccess(resource) == null
                && map.isOneCell(resource)) {
            int cell = map.cellBase[resource];
            int last = states.endEpoch[cell] - 1;
            finalLayout[resource] = (byte)
                    (last >= states.firstEpoch[cell]
                            ? states.layoutCode(last)
                            : ReadLayouts.code(graph.initialLayout(resource)));
            return;
        }
        int firstCell = map.cellBase[resource];
        int endCell = map.cellBase[resource + 1];
        int initial = ReadLayouts.code(graph.initialLayout(resource));
        int lastPass = -1;
        int target = initial;
        for (int cell = firstCell; cell < endCell; cell++) {
            int e = states.endEpoch[cell] - 1;
            if (e >= states.firstEpoch[cell]) {
                int pass = states.lastPass(e);
                if (pass > lastPass) {
                    lastPass = pass;
                    target = states.layoutCode(e);
                }
            }
        }
        boolean untouched = lastPass < 0;
        Access finalAccess = graph.finalAccess(resource);
        Lifetime lifetime = graph.lifetime(resource);
        boolean discarded = graph.isDiscardedAfter(resource);
        if (finalAccess != null && !(untouched && discarded)) {
            target = ReadLayouts.code(finalAccess.layout());
        }
        finalLayout[resource] = (byte) target;
        boolean stays = finalAccess == null || lifetime == Lifetime.HISTORY || discarded;
        if (lifetime == Lifetime.TRANSIENT || (untouched && stays)) {
            return;
        }
        next.clear();
        bringHome(resource, firstCell, endCell, target);
        long dst = side(ALL, ANY_MEMORY, target);
        for (int cell = firstCell; cell < endCell; cell++) {
            int e = states.endEpoch[cell] - 1;
            boolean touched = e >= states.firstEpoch[cell];
            int current = touched ? states.layoutCode(e) : initial;
            if (current == target || (touched && isAway(resource, e))) {
                continue;
            }
            before.clear();
            if (touched) {
                before.fill(e);
            }
            if (before.queues == 1) {
                int q = before.only;
                put(cell, -1, after(before.last[q]), side(before.stages(q), before.writes[q], current), dst);
            } else if (!touched && lastPass >= 0 && !ownership.isExclusive(resource)) {
                put(cell, -1, after(lastPass), side(ALL, 0, current), dst);
            } else {
                int node = nodeBetween(resource, passQueue.length);
                int q = added.queue(node);
                put(cell, -1, before(node), side(ALL, before.writes[q], current), dst);
            }
        }
    }

    /** A mapped buffer that is no output comes back in a later frame, whose host may write it first. */
    private void endOfBuffer(int resource) {
        int firstCell = map.cellBase[resource];
        int endCell = map.cellBase[resource + 1];
        boolean output = graph.isOutput(resource);
        if (output || ownership.isExclusive(resource)) {
            next.clear();
            bringHome(resource, firstCell, endCell, UNDEFINED);
        }
        next.clear();
        if (graph.isMapped(resource)) {
            visibility.behindLastWrites(firstCell, endCell, output, before);
        }
    }

    /** Hands over to the family of the graphics queue, with the change to a layout, what another family has. */
    private void bringHome(int resource, int firstCell, int endCell, int layout) {
        for (int cell = firstCell; cell < endCell; cell++) {
            int e = states.endEpoch[cell] - 1;
            if (e >= states.firstEpoch[cell] && isAway(resource, e)) {
                before.clear();
                before.fill(e);
                handOver(cell, -1, states.owner(e), ownership.home, states.layoutCode(e), layout);
            }
        }
    }

    private boolean isAway(int resource, int epoch) {
        int owner = states.owner(epoch);
        return graph.lifetime(resource) != Lifetime.TRANSIENT && owner != Ownership.NOBODY && owner != ownership.home;
    }

    private static int before(int node) {
        return 2 * node;
    }

    static int after(int node) {
        return 2 * node + 1;
    }

    /** Adds the draft of the barrier of a cell at a point, before an epoch or, for -1, the end of the frame. */
    void put(int cell, int epoch, int point, long src, long dst) {
        int at = ROW * count++;
        if (at + ROW > rows.length) {
            drafts.resize(at);
            rows = drafts.reserve(ROW);
        }
        rows[at + POINT] = point;
        rows[at + CELL] = cell;
        rows[at + EPOCH] = epoch;
        rows[at + SRC] = (int) src;
        rows[at + DST] = (int) dst;
        rows[at + UPPER] = upper(src, dst);
    }

    /** Makes the last two drafts the release and the acquire of one transfer between queue families. */
    private void transfer(int fromFamily, int toFamily) {
        int acquire = count - 1;
        if (acquire >= families.length) {
            families = Arrays.copyOf(families, 2 * count);
            otherHalves = Arrays.copyOf(otherHalves, families.length);
        }
        for (int draft = acquire - 1; draft <= acquire; draft++) {
            families[draft] = 1 + (fromFamily << Short.SIZE | toFamily);
            otherHalves[draft] = 2 * acquire - draft;
        }
    }

    /** Returns the number of drafts of barriers, each for one cell; {@link Barriers} joins those of neighbours. */
    int drafts() {
        return count;
    }

    int cell(int draft) {
        return rows[ROW * draft + CELL];
    }

    /** Returns the epoch after a draft, -1 for the end of the frame. */
    int epoch(int draft) {
        return rows[ROW * draft + EPOCH];
    }

    /** Returns twice the node, and one more after it. */
    int point(int draft) {
        return rows[ROW * draft + POINT];
    }

    int node(int draft) {
        return point(draft) >> 1;
    }

    /** Returns what must have happened before, and whether the barrier is one of all memory. */
    long src(int draft) {
        int at = ROW * draft;
        return src(rows[at + SRC], rows[at + UPPER]);
    }

    /** Returns what waits. */
    long dst(int draft) {
        int at = ROW * draft;
        return dst(rows[at + DST], rows[at + UPPER]);
    }

    /** Returns the upper halves of two sides in one number, for {@link #src(int, int)} and {@link #dst(int, int)}. */
    static int upper(long src, long dst) {
        return (int) (src >>> Integer.SIZE) | (int) (dst >>> Integer.SIZE) << UPPER_BITS;
    }

    static long src(int lower, int upper) {
        return (long) (upper & UPPER_MASK) << Integer.SIZE | Integer.toUnsignedLong(lower);
    }

    static long dst(int lower, int upper) {
        return src(lower, upper >>> UPPER_BITS);
    }

    static long side(int stages, int access, int layout) {
        return side(SubresourceMap.scope(stages, access), layout);
    }

    private static long side(int scope, int layout) {
        return Integer.toUnsignedLong(scope) | (long) layout << Integer.SIZE;
    }

    static int stages(long side) {
        return SubresourceMap.stages((int) side);
    }

    static int access(long side) {
        return SubresourceMap.access((int) side);
    }

    static int layout(long side) {
        return (int) (side >>> Integer.SIZE) & LAYOUT_MASK;
    }

    /** Puts a draft before or after another node: twice that, and one more after it. */
    void move(int draft, int point) {
        rows[ROW * draft + POINT] = point;
    }

    /** Adds what a first use takes memory over from; {@code stages} are all that it waits for. */
    void takeOver(int draft, int stages, int access, boolean allMemory) {
        long former = src(draft);
        long src = side(stages, access(former) | access, layout(former)) | (allMemory ? SPARE : 0);
        rows[ROW * draft + SRC] = (int) src;
        rows[ROW * draft + UPPER] = upper(src, dst(draft));
    }

    /** Returns one more than what {@link #transferred} takes apart, 0 if a draft hands nothing over. */
    int families(int draft) {
        return draft < families.length ? families[draft] : 0;
    }

    /** Returns what is handed over between queue families, or null. */
    static BarrierBatch.@Nullable OwnershipTransfer transferred(int families) {
        int both = families - 1;
        return families == 0 ? null : new BarrierBatch.OwnershipTransfer(both >> Short.SIZE, (short) both);
    }

    /**
     * Returns whether two drafts ask for the same, each of its own cell. Halves of transfers do if their other halves
     * do as well, at one place, so that both halves are joined to equal ranges.
     */
    boolean alike(int a, int b) {
        if (!equal(a, b)) {
            return false;
        }
        int otherOfA = otherHalf(a);
        int otherOfB = otherHalf(b);
        return otherOfA == NONE || (point(otherOfA) == point(otherOfB) && equal(otherOfA, otherOfB));
    }

    private int otherHalf(int draft) {
        return draft < otherHalves.length ? otherHalves[draft] - 1 : NONE;
    }

    private boolean equal(int a, int b) {
        return src(a) == src(b) && dst(a) == dst(b) && families(a) == families(b);
    }
}
