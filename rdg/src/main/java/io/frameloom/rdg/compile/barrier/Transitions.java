package io.frameloom.rdg.compile.barrier;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.compile.graph.Ownership;
import io.frameloom.rdg.compile.graph.ReadLayouts;
import io.frameloom.rdg.compile.graph.StateMerge;
import io.frameloom.rdg.compile.graph.SubresourceMap;
import io.frameloom.rdg.compile.order.Dependencies;
import io.frameloom.rdg.declare.DeclaredGraph;

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

    final BarrierDrafts drafts;
    /** Queue of each node: the passes first, then the added nodes. */
    public final int[] queue;
    /** Nodes in a topological order. */
    public final int[] order;
    /** Dependencies of passes first, then those of added nodes. */
    public final int[] from;

    public final int[] to;
    /** Resource that each added node is for. */
    public final int[] addedResource;
    /** Layout of each resource at the end of the frame. */
    public final int[] finalLayout;

    private final DeclaredGraph graph;
    private final SubresourceMap map;
    private final StateMerge states;
    private final int[] passQueue;
    private final int queueCount;
    /** The queue that stands for the host, on which there are no barriers, or -1. */
    private final int host;

    private final Ownership ownership;
    private final Rerouting rerouting;
    private EpochSide before;
    private EpochSide next;
    private final AddedNodes added;
    private final HostVisibility visibility;

    public Transitions(
            DeclaredGraph graph,
            SubresourceMap map,
            StateMerge states,
            Ownership ownership,
            Dependencies dependencies,
            int[] passQueue,
            QueueTopology queues) {
        this.drafts = new BarrierDrafts(states);
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
        this.added = new AddedNodes(passQueue.length);
        this.visibility = new HostVisibility(map, states, drafts, queueCount, host);
        this.finalLayout = new int[graph.resources()];
        for (int cell = 0, cells = map.cells(); cell < cells; cell++) {
            next.clear();
            for (int e = states.epochBase[cell], end = states.epochBase[cell + 1]; e < end; e++) {
                // One side of a boundary is the other side of the one before.
                EpochSide former = next;
                next = before;
                before = former;
                next.clear();
                next.fill(e);
                boundary(cell, e);
            }
        }
        for (int r = 0; r < finalLayout.length; r++) {
            endOfFrame(r);
        }
        addedResource = added.resources();
        queue = added.queues(passQueue);
        order = added.order(passQueue);
        from = added.from(dependencies.from);
        to = added.to(dependencies.to);
    }

    private void boundary(int cell, int epoch) {
        boolean first = epoch == states.epochBase[cell];
        int resource = map.cellResource[cell];
        boolean texture = map.isTexture(resource);
        boolean external = first && graph.isExternal(resource);
        int oldLayout = first ? ReadLayouts.code(graph.initialLayout(resource)) : states.epochLayout[epoch - 1];
        int newLayout = states.epochLayout[epoch];
        int owner = states.owner(epoch);
        int former = !first ? states.owner(epoch - 1) : external ? ownership.home : Ownership.NOBODY;
        boolean movesAway = owner != Ownership.NOBODY && former != Ownership.NOBODY && owner != former;
        boolean changes = texture && oldLayout != newLayout;
        boolean discard = (changes || movesAway) && states.discards(epoch);
        if (movesAway && !discard) {
            handOver(cell, epoch, former, owner, oldLayout, newLayout);
            return;
        }
        if (movesAway && texture) {
            takeAnew(cell, epoch, newLayout);
            return;
        }
        if (discard && changes) {
            oldLayout = UNDEFINED;
        }
        if (!texture || oldLayout == newLayout) {
            boolean sharesMemory = first && !external;
            for (int q = 0; q < queueCount; q++) {
                if (q != host && next.first[q] >= 0 && (before.last[q] >= 0 || sharesMemory)) {
                    add(cell, epoch, next.first[q], false, before.stages(q), before.writes[q], q, oldLayout, newLayout);
                }
            }
            visibility.before(cell, epoch, before, next);
            return;
        }
        if (next.queues == 1 && (before.queues == 0 || before.onlyOn(next.only) || discard)) {
            int q = next.only;
            int stages = before.queues == 0 || before.onlyOn(q) ? before.stages(q) : ALL;
            add(cell, epoch, next.first[q], false, stages, before.writes[q], q, oldLayout, newLayout);
        } else if (before.queues == 1) {
            int q = before.only;
            add(cell, epoch, before.last[q], true, before.stages(q), before.writes[q], q, oldLayout, newLayout);
        } else if (next.queues == 1) {
            int q = next.only;
            add(cell, epoch, next.first[q], false, ALL, before.writes[q], q, oldLayout, newLayout);
        } else {
            int node = nodeBetween(resource, next.firstOfAll());
            int q = added.queue(node);
            add(cell, epoch, node, false, ALL, before.writes[q], q, oldLayout, newLayout);
        }
    }

    /** Gives a texture to a family that needs none of its contents. */
    private void takeAnew(int cell, int epoch, int newLayout) {
        if (next.queues == 1) {
            add(cell, epoch, next.first[next.only], false, ALL, 0, next.only, UNDEFINED, newLayout);
        } else {
            int q = next.lowest();
            int node = nodeBetween(map.cellResource[cell], next.firstOfAll(), q);
            add(cell, epoch, node, false, ALL, 0, q, UNDEFINED, newLayout);
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
            drafts.put(
                    cell, epoch, before.last[q], true, before.stages(q), before.writes[q], 0, 0, oldLayout, newLayout);
        } else {
            int q = before.queues == 0 ? 0 : before.lowest();
            releasing = nodeBetween(resource, position, q);
            drafts.put(cell, epoch, releasing, false, ALL, before.writes[q], 0, 0, oldLayout, newLayout);
        }
        if (next.queues == 1) {
            int q = next.only;
            add(cell, epoch, next.first[q], false, ALL, 0, q, oldLayout, newLayout);
        } else {
            int known = added.count();
            int q = next.queues == 0 ? 0 : next.lowest();
            int acquiring = nodeBetween(resource, position, q);
            if (releasing >= 0 && added.count() > known) {
                added.addEdge(releasing, acquiring);
            }
            int stages = next.queues == 0 ? ALL : next.stages[q];
            int access = next.queues == 0 ? ANY_MEMORY : next.access[q];
            drafts.put(cell, epoch, acquiring, false, ALL, 0, stages, access, oldLayout, newLayout);
        }
        drafts.transfer(from, to);
    }

    private void add(
            int cell, int epoch, int node, boolean after, int srcStages, int srcAccess, int q, int oldL, int newL) {
        drafts.put(cell, epoch, node, after, srcStages, srcAccess, next.stages[q], next.access[q], oldL, newL);
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
            int last = states.epochBase[cell + 1] - 1;
            finalLayout[resource] = last >= states.epochBase[cell]
                    ? states.epochLayout[last]
                    : ReadLayouts.code(graph.initialLayout(resource));
            return;
        }
        int firstCell = map.cellBase[resource];
        int endCell = map.cellBase[resource + 1];
        int initial = ReadLayouts.code(graph.initialLayout(resource));
        int lastPass = -1;
        int target = initial;
        for (int cell = firstCell; cell < endCell; cell++) {
            int e = states.epochBase[cell + 1] - 1;
            if (e >= states.epochBase[cell]) {
                int pass = map.touchPass[states.sorted[states.epochStart[e + 1] - 1]];
                if (pass > lastPass) {
                    lastPass = pass;
                    target = states.epochLayout[e];
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
        finalLayout[resource] = target;
        boolean stays = finalAccess == null || lifetime == Lifetime.HISTORY || discarded;
        if (lifetime == Lifetime.TRANSIENT || (untouched && stays)) {
            return;
        }
        next.clear();
        bringHome(resource, firstCell, endCell, target);
        for (int cell = firstCell; cell < endCell; cell++) {
            int e = states.epochBase[cell + 1] - 1;
            boolean touched = e >= states.epochBase[cell];
            int current = touched ? states.epochLayout[e] : initial;
            if (current == target || (touched && isAway(resource, e))) {
                continue;
            }
            before.clear();
            if (touched) {
                before.fill(e);
            }
            if (before.queues == 1) {
                int q = before.only;
                drafts.put(
                        cell,
                        -1,
                        before.last[q],
                        true,
                        before.stages(q),
                        before.writes[q],
                        ALL,
                        ANY_MEMORY,
                        current,
                        target);
            } else if (!touched && lastPass >= 0 && !ownership.isExclusive(resource)) {
                drafts.put(cell, -1, lastPass, true, ALL, 0, ALL, ANY_MEMORY, current, target);
            } else {
                int node = nodeBetween(resource, passQueue.length);
                int q = added.queue(node);
                drafts.put(cell, -1, node, false, ALL, before.writes[q], ALL, ANY_MEMORY, current, target);
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
        BufferDescription buffer = graph.buffer(resource);
        if (buffer != null && buffer.memory() != MemoryUsage.DEVICE) {
            visibility.behindLastWrites(firstCell, endCell, output, before);
        }
    }

    /** Hands over to the family of the graphics queue, with the change to a layout, what another family has. */
    private void bringHome(int resource, int firstCell, int endCell, int layout) {
        for (int cell = firstCell; cell < endCell; cell++) {
            int e = states.epochBase[cell + 1] - 1;
            if (e >= states.epochBase[cell] && isAway(resource, e)) {
                before.clear();
                before.fill(e);
                handOver(cell, -1, states.owner(e), ownership.home, states.epochLayout[e], layout);
            }
        }
    }

    private boolean isAway(int resource, int epoch) {
        int owner = states.owner(epoch);
        return graph.lifetime(resource) != Lifetime.TRANSIENT && owner != Ownership.NOBODY && owner != ownership.home;
    }
}
