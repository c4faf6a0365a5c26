package io.frameloom.rdg.compile.order;

import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.RdgError;
import io.frameloom.rdg.RdgError.Code;
import io.frameloom.rdg.RdgValidationException;
import io.frameloom.rdg.compile.graph.IntList;
import io.frameloom.rdg.compile.graph.LiveOrders;
import io.frameloom.rdg.compile.graph.Scratch;
import io.frameloom.rdg.compile.graph.StateMerge;
import io.frameloom.rdg.compile.graph.SubresourceMap;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.Arrays;
import java.util.List;

/**
 * The order that the accesses of live passes ask for, and the levels that follow from it.
 *
 * <p>For each cell: a pass depends on the last writer (read or write after write), and a writer on all readers since
 * (write after read). A reader in another layout, or of another owner, depends on the readers before the transition.
 * Orders that the application declares are added, and the passes of other queues stay on their side of a pass with
 * undeclared accesses. Built after culling, since dependencies by accesses of a removed pass must vanish. Declared
 * orders go on through it ({@link io.frameloom.rdg.compile.graph.LiveOrders}). Edges lie in scratch memory, until that
 * is reset.
 */
public final class Dependencies {
    public static final int RAW = 1;
    public static final int WAR = 2;
    public static final int WAW = 4;
    public static final int LAYOUT = 8;
    public static final int DECLARED = 16;

    /** Each is reported, so that their number bounds the memory and the time of all that follows. */
    static final int MOST = 1 << 19;

    public static final String TOO_MANY = "there are more than " + MOST + " dependencies between passes";

    private static final int KIND_BITS = 5;

    public final int[] from;
    public final int[] to;
    /** Kinds of each edge, and above them one more than its resource. */
    private final int[] why;

    private final int count;
    /** Longest chain before each pass, -1 for culled ones. */
    public final int[] level;

    public Dependencies(
            DeclaredGraph graph,
            SubresourceMap map,
            StateMerge states,
            boolean[] live,
            int[] queue,
            int queueCount,
            Scratch scratch) {
        IntList edgeFrom = scratch.list();
        IntList edgeTo = scratch.list();
        IntList edgeWhy = scratch.list();
        long mark = scratch.mark();
        int[] edgeOf = scratch.ints(live.length, -1);
        level = new int[live.length];
        Arrays.fill(level, -1);
        int[] lastOnQueue = new int[queueCount];
        Arrays.fill(lastOnQueue, -1);
        LiveOrders orders = new LiveOrders(graph, level, queue, queueCount);
        int[] touchCell = map.touchCell;
        int[] touchTraits = map.touchTraits;
        int[] touchPass = map.touchPass;
        int[] firstEpoch = states.firstEpoch;
        int[] firstTouch = states.firstTouch;
        int[] nextTouch = states.nextTouch;
        int fence = -1;
        for (int p = 0; p < live.length; p++) {
            if (!live[p]) {
                continue;
            }
            int own = queue[p];
            int firstEdge = edgeFrom.size();
            for (int t = map.touchBase[p], end = map.touchBase[p + 1]; t < end; t++) {
                int cell = touchCell[t];
                int flags = touchTraits[t];
                boolean write = (flags & SubresourceMap.WRITES) != 0;
                int afterWrite = ((flags & SubresourceMap.NEEDS) != 0 ? RAW : 0) | (write ? WAW : 0);
                for (int e = states.enter(t, p, own) - 1, first = firstEpoch[cell]; e >= first; e--) {
                    boolean wrote = states.writes(e);
                    int kind = wrote ? afterWrite : write ? WAR : LAYOUT;
                    for (int former = firstTouch[e]; former >= 0; former = nextTouch[former]) {
                        int before = touchPass[former];
                        int edge = edgeOf[before];
                        if (edge < firstEdge) {
                            edgeOf[before] = edgeFrom.size();
                            edgeFrom.add(before);
                            edgeWhy.add((1 + map.cellResource[cell]) << KIND_BITS | kind);
                        } else {
                            edgeWhy.set(edge, edgeWhy.get(edge) | kind);
                        }
                    }
                    if (wrote) {
                        break;
                    }
                }
            }
            IntList after = orders.before(p);
            for (int i = 0; i < after.size(); i++) {
                int before = after.get(i);
                if (edgeOf[before] < firstEdge) {
                    edgeOf[before] = edgeFrom.size();
                    edgeFrom.add(before);
                }
            }
            boolean isFence = graph.has(p, PassFlag.UNTRACKED_ACCESS);
            for (int q = 0; isFence && q < queueCount; q++) {
                int last = lastOnQueue[q];
                if (last >= 0 && queue[last] != own && edgeOf[last] < firstEdge) {
                    edgeOf[last] = edgeFrom.size();
                    edgeFrom.add(last);
                }
            }
            if (fence >= 0 && queue[fence] != own && lastOnQueue[own] < fence && edgeOf[fence] < firstEdge) {
                edgeOf[fence] = edgeFrom.size();
                edgeFrom.add(fence);
            }
            while (edgeWhy.size() < edgeFrom.size()) {
                edgeWhy.add(DECLARED);
            }
            fence = isFence ? p : fence;
            lastOnQueue[own] = p;
            int deepest = 0;
            for (int edge = firstEdge; edge < edgeFrom.size(); edge++) {
                edgeTo.add(p);
                deepest = Math.max(deepest, level[edgeFrom.get(edge)] + 1);
            }
            if (edgeFrom.size() > MOST) {
                throw tooMany(graph, p, edgeFrom.size() - firstEdge);
            }
            level[p] = deepest;
        }
        states.finish(scratch);
        from = edgeFrom.reserve(0);
        to = edgeTo.reserve(0);
        why = edgeWhy.reserve(0);
        count = edgeFrom.size();
        scratch.release(mark);
    }

    /** Returns the number of edges. */
    public int count() {
        return count;
    }

    /** Returns what asks for an edge: a mask of {@link #RAW} and the others. */
    public int kinds(int edge) {
        return why[edge] & (1 << KIND_BITS) - 1;
    }

    /** Returns the resource of the first access that asks for an edge, -1 for a declared order. */
    public int resource(int edge) {
        return (why[edge] >> KIND_BITS) - 1;
    }

    private static RdgValidationException tooMany(DeclaredGraph graph, int pass, int own) {
        String name = graph.names().pass(pass);
        return new RdgValidationException(
                graph.name(),
                List.of(new RdgError(
                        Code.LIMIT,
                        name,
                        "",
                        "up to pass '" + name + "', which depends on " + own + " passes, " + TOO_MANY,
                        "put a pass between the many writers and the many readers, or make one pass of several",
                        List.of())));
    }
}
