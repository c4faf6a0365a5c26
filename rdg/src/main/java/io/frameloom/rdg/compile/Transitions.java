package io.frameloom.rdg.compile;

import io.frameloom.gpu.MemoryAccess;
import io.frameloom.gpu.MemoryUsage;
import io.frameloom.gpu.PipelineStage;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.QueueTopology;
import java.util.Arrays;

/**
 * Decides which node carries the barrier between two epochs of a cell, and adds nodes of their own where no pass can.
 *
 * <p>Let A be the passes of the former epoch and B those of the next. A change of layout happens once: before the first
 * of B if A and B share one queue; else after the last of A if A is on one queue (the semaphore then carries the order to
 * the other queues); else before the first of B if B is on one queue; else in a node between A and B ({@link Rerouting} says
 * on which queue). Without a change of layout semaphores order the queues and each queue that has both A and B gets a
 * barrier of its own. A discarding write takes the change of layout itself, from UNDEFINED.
 *
 * <p>Passes of the host use buffers alone. What they read, or write, is made available to the host behind its last
 * writes, since no barrier stands on the host's own queue; what they write is visible to all that is submitted behind them.
 *
 * <p>If the resource belongs to one queue family at a time and B is of another family than A, it is handed over: a release
 * after the last of A, or in a node if A is on several queues, and an acquire before the first of B, or in a node. Both halves
 * name the same layouts, and the change happens once. What comes from outside of the frame belongs to the family of the
 * graphics queue at its start and its end, and what the frame gives away at its end. Nothing is handed over to a discarding
 * write.
 */
final class Transitions {
    private static final int ALL = PipelineStage.ALL_COMMANDS.bit();
    private static final int ANY_MEMORY = MemoryAccess.MEMORY_READ.bit() | MemoryAccess.MEMORY_WRITE.bit();
    private static final int HOST_READ = MemoryAccess.HOST_READ.bit();
    private static final int HOST_WRITE = MemoryAccess.HOST_WRITE.bit();
    private static final int NO_QUEUE = -1;
    private static final int UNDEFINED = ReadLayouts.code(TextureLayout.UNDEFINED);

    final BarrierDrafts drafts;
    /** Queue of each node: the passes first, then the added nodes. */
    final int[] queue;
    /** Nodes in a topological order. */
    final int[] order;
    /** Dependencies of passes first, then those of added nodes. */
    final int[] from;

    final int[] to;
    /** Resource that each added node is for. */
    final int[] addedResource;
    /** Layout of each resource at the end of the frame. */
    final int[] finalLayout;

    private final DeclaredGraph graph;
    private final KnownResources resources;
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
    private final IntList addedQueue = new IntList(4);
    private final IntList addedPosition = new IntList(4);
    private final IntList addedFor = new IntList(4);
    /** Of each added node its first edge; those from the passes before it come first, then those to the passes behind it. */
    private final IntList addedEdge = new IntList(4);

    private final IntList addedSources = new IntList(4);
    private final IntList addedTargets = new IntList(4);
    private final IntList extraFrom = new IntList(8);
    private final IntList extraTo = new IntList(8);

    Transitions(
            DeclaredGraph graph,
            KnownResources resources,
            SubresourceMap map,
            StateMerge states,
            Ownership ownership,
            Dependencies dependencies,
            int[] passQueue,
            QueueTopology queues) {
        this.drafts = new BarrierDrafts(states);
        this.graph = graph;
        this.resources = resources;
        this.map = map;
        this.states = states;
        this.passQueue = passQueue;
        this.queueCount = queues.queues().size();
        this.host = queues.host();
        this.ownership = ownership;
        this.rerouting = new Rerouting(dependencies, passQueue, queues);
        this.before = new EpochSide(map, states, passQueue, queueCount);
        this.next = new EpochSide(map, states, passQueue, queueCount);
        this.finalLayout = new int[graph.resources().size()];
        for (int cell = 0; cell < map.cells(); cell++) {
            before.clear();
            for (int e = states.epochBase[cell]; e < states.epochBase[cell + 1]; e++) {
                next.clear();
                next.fill(e);
                boundary(cell, e, e == states.epochBase[cell]);
                EpochSide former = before;
                before = next;
                next = former;
            }
        }
        for (int r = 0; r < finalLayout.length; r++) {
            endOfFrame(r);
        }
        addedResource = addedFor.toArray();
        queue = Arrays.copyOf(passQueue, passQueue.length + addedResource.length);
        for (int n = 0; n < addedResource.length; n++) {
            queue[passQueue.length + n] = addedQueue.get(n);
        }
        order = order();
        from = concat(dependencies.from, extraFrom);
        to = concat(dependencies.to, extraTo);
    }

    private void boundary(int cell, int epoch, boolean first) {
        int resource = map.cellResource[cell];
        boolean texture = map.isTexture(resource);
        boolean external = first && resources.isExternal(resource);
        int oldLayout = first ? ReadLayouts.code(resources.initialLayout[resource]) : states.epochLayout[epoch - 1];
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
            showToHost(cell, epoch);
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
            int q = addedQueue.get(node - passQueue.length);
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

    /** Releases a cell behind {@link #before} and acquires it before {@link #next}, or on the graphics queue at the end. */
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
            int known = addedFor.size();
            int q = next.queues == 0 ? 0 : next.lowest();
            int acquiring = nodeBetween(resource, position, q);
            if (releasing >= 0 && addedFor.size() > known) {
                extraFrom.add(releasing);
                extraTo.add(acquiring);
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

    private int nodeBetween(int resource, int position) {
        return nodeBetween(resource, position, rerouting.host(before, next, position));
    }

    /** Adds a node between {@link #before} and {@link #next}, or finds the one that another cell has there. */
    private int nodeBetween(int resource, int position, int host) {
        int[] wantedFrom = before.members();
        int[] wantedTo = next.members();
        for (int n = addedFor.size() - 1; n >= 0 && addedFor.get(n) == resource; n--) {
            if (addedPosition.get(n) == position && addedQueue.get(n) == host && sameEdges(n, wantedFrom, wantedTo)) {
                return passQueue.length + n;
            }
        }
        int node = passQueue.length + addedFor.size();
        addedFor.add(resource);
        addedPosition.add(position);
        addedQueue.add(host);
        addedEdge.add(extraFrom.size());
        addedSources.add(wantedFrom.length);
        addedTargets.add(wantedTo.length);
        for (int member : wantedFrom) {
            extraFrom.add(member);
            extraTo.add(node);
        }
        for (int member : wantedTo) {
            extraFrom.add(node);
            extraTo.add(member);
        }
        return node;
    }

    private boolean sameEdges(int added, int[] wantedFrom, int[] wantedTo) {
        if (addedSources.get(added) != wantedFrom.length || addedTargets.get(added) != wantedTo.length) {
            return false;
        }
        int edge = addedEdge.get(added);
        for (int source : wantedFrom) {
            if (extraFrom.get(edge++) != source) {
                return false;
            }
        }
        for (int target : wantedTo) {
            if (extraTo.get(edge++) != target) {
                return false;
            }
        }
        return true;
    }

    /** Leaves outputs in one layout, and what the host reads visible to it. */
    private void endOfFrame(int resource) {
        boolean output = resources.isOutput(resource);
        if (!resources.isTexture(resource)
                && !output
                && !(resources.isExternal(resource) && ownership.isExclusive(resource))) {
            return;
        }
        if (resources.lifetime[resource] == Lifetime.TRANSIENT
                && resources.finalAccess(resource) == null
                && map.isOneCell(resource)) {
            int cell = map.cellBase[resource];
            int last = states.epochBase[cell + 1] - 1;
            finalLayout[resource] = last >= states.epochBase[cell]
                    ? states.epochLayout[last]
                    : ReadLayouts.code(resources.initialLayout[resource]);
            return;
        }
        DeclaredGraph.Declared declared = graph.resources().get(resource);
        int firstCell = map.cellBase[resource];
        int endCell = map.cellBase[resource + 1];
        int initial = ReadLayouts.code(declared.initialLayout());
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
        if (!declared.isTexture()) {
            next.clear();
            bringHome(declared, firstCell, endCell, UNDEFINED);
            next.clear();
            if (output && declared.buffer() != null && declared.buffer().memory() != MemoryUsage.DEVICE) {
                makeVisibleToHost(firstCell, endCell);
            }
            return;
        }
        boolean untouched = lastPass < 0;
        if (declared.finalAccess() != null && !(untouched && declared.discardedAfter())) {
            target = ReadLayouts.code(declared.finalAccess().layout());
        }
        finalLayout[resource] = target;
        boolean stays =
                declared.finalAccess() == null || declared.lifetime() == Lifetime.HISTORY || declared.discardedAfter();
        if (declared.lifetime() == Lifetime.TRANSIENT || (untouched && stays)) {
            return;
        }
        next.clear();
        bringHome(declared, firstCell, endCell, target);
        for (int cell = firstCell; cell < endCell; cell++) {
            int e = states.epochBase[cell + 1] - 1;
            boolean touched = e >= states.epochBase[cell];
            int current = touched ? states.epochLayout[e] : initial;
            if (current == target || (touched && isAway(declared, e))) {
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
                int q = addedQueue.get(node - passQueue.length);
                drafts.put(cell, -1, node, false, ALL, before.writes[q], ALL, ANY_MEMORY, current, target);
            }
        }
    }

    /** Hands over to the family of the graphics queue, with the change to a layout, what another family has. */
    private void bringHome(DeclaredGraph.Declared declared, int firstCell, int endCell, int layout) {
        for (int cell = firstCell; cell < endCell; cell++) {
            int e = states.epochBase[cell + 1] - 1;
            if (e >= states.epochBase[cell] && isAway(declared, e)) {
                before.clear();
                before.fill(e);
                handOver(cell, -1, states.owner(e), ownership.home, states.epochLayout[e], layout);
            }
        }
    }

    private boolean isAway(DeclaredGraph.Declared declared, int epoch) {
        int owner = states.owner(epoch);
        return declared.lifetime() != Lifetime.TRANSIENT && owner != Ownership.NOBODY && owner != ownership.home;
    }

    /** Behind the last write of each cell, which may lie before the last use, unless a pass hands it to the host. */
    private void makeVisibleToHost(int firstCell, int endCell) {
        for (int cell = firstCell; cell < endCell; cell++) {
            int e = lastUnshown(cell, states.epochBase[cell + 1] - 1);
            if (e >= 0) {
                before.clear();
                before.fill(e);
                showToHost(cell, -1, NO_QUEUE, HOST_READ);
            }
        }
    }

    /**
     * Makes visible to the host what an epoch on it reads or writes into, and available to it what it writes over: a write of
     * the device that is not may land behind that of the host.
     */
    private void showToHost(int cell, int epoch) {
        int access = 0;
        int by = NO_QUEUE;
        boolean several = false;
        for (int q = 0; q < queueCount; q++) {
            int needed = next.access[q] & HOST_READ;
            if ((next.access[q] & HOST_WRITE) != 0 && !states.discards(epoch)) {
                needed = HOST_READ | HOST_WRITE;
            } else if (q == host) {
                // What a pass that is recorded writes on the host it has written before the frame.
                needed |= next.access[q] & HOST_WRITE;
            }
            if (needed != 0) {
                several |= access != 0;
                access |= needed;
                by = q;
            }
        }
        int writer = access == 0 ? -1 : lastUnshown(cell, epoch - 1);
        if (writer < 0) {
            return;
        }
        if (writer < epoch - 1) {
            before.clear();
            before.fill(writer);
            by = NO_QUEUE;
        }
        // A barrier on the only queue of the next epoch shows what that queue wrote.
        showToHost(cell, epoch, several ? NO_QUEUE : by, access);
    }

    /** Returns the last epoch of a cell up to one that writes, or -1 if there is none or the host has read since. */
    private int lastUnshown(int cell, int upTo) {
        int e = upTo;
        for (; e >= states.epochBase[cell] && !states.epochWrites[e]; e--) {
            if (readsOnHost(e)) {
                return -1;
            }
        }
        return e >= states.epochBase[cell] ? e : -1;
    }

    private boolean readsOnHost(int epoch) {
        int access = 0;
        for (int i = states.epochStart[epoch]; i < states.epochStart[epoch + 1]; i++) {
            access |= map.touchAccess[states.sorted[i]];
        }
        return (access & HOST_READ) != 0;
    }

    /**
     * Makes visible to the host what {@link #before} writes on all queues but one: a wait of another queue makes it visible
     * to the device alone. What the host writes it sees, and so does whatever is submitted afterwards.
     */
    private void showToHost(int cell, int epoch, int but, int access) {
        for (int q = 0; q < queueCount; q++) {
            if (q != but && q != host && before.last[q] >= 0 && before.writes[q] != 0) {
                drafts.put(
                        cell,
                        epoch,
                        before.last[q],
                        true,
                        before.stages(q),
                        before.writes[q],
                        PipelineStage.HOST.bit(),
                        access,
                        UNDEFINED,
                        UNDEFINED);
            }
        }
    }

    private int[] order() {
        int added = addedFor.size();
        int live = 0;
        for (int q : passQueue) {
            live += q >= 0 ? 1 : 0;
        }
        int[] result = new int[live + added];
        int end = 0;
        int[] byPosition = new int[added];
        for (int n = 0; n < added; n++) {
            int at = n;
            while (at > 0 && addedPosition.get(byPosition[at - 1]) > addedPosition.get(n)) {
                byPosition[at] = byPosition[at - 1];
                at--;
            }
            byPosition[at] = n;
        }
        int at = 0;
        for (int p = 0; p <= passQueue.length; p++) {
            while (at < added && addedPosition.get(byPosition[at]) == p) {
                result[end++] = passQueue.length + byPosition[at++];
            }
            if (p < passQueue.length && passQueue[p] >= 0) {
                result[end++] = p;
            }
        }
        return result;
    }

    private static int[] concat(int[] first, IntList second) {
        if (second.size() == 0) {
            return first;
        }
        int[] result = Arrays.copyOf(first, first.length + second.size());
        for (int i = 0; i < second.size(); i++) {
            result[first.length + i] = second.get(i);
        }
        return result;
    }
}
