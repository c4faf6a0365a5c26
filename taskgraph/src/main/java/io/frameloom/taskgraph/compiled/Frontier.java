package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.parts.PaddedLong;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How far the nodes of a run are claimed, which of them have ended, and which wait for another to end. So a run is
 * shared at once, without counts of prerequisites or lists of successors.
 *
 * <pre>
 *   63       62            32 31              0
 *  +--------+----------------+----------------+
 *  | shared | first of turn  | end of claimed |
 *  +--------+----------------+----------------+
 * </pre>
 *
 * <p>Nodes are claimed in the order of their numbers; every prerequisite has a smaller number. A thread that has the
 * run to itself claims one turn after the other ({@link #claimTurn}); what lies before its turn has ended. Any other
 * may {@link #share} the run, also while a body runs. From then on the first node of that turn stays in the word:
 * nodes before it have ended, and of each other one {@link #end} says so.
 *
 * <p><b>Use.</b> After {@link #share} any thread may {@link #claim}. A claimed node belongs to one thread: to that
 * which claimed it, until {@link #admit} registers it with a prerequisite that has not ended. Then it belongs to the
 * thread that ends this one and gets it from {@link #end}, which has to admit it again. A node that was admitted may
 * run; {@code end} is called once when it has. {@link #reset} and {@link #claimTurn} belong to the thread that begins
 * the run, and so does {@link #startAt}, where no other shares the run. No admission is lost: all prerequisites of a
 * node are claimed before it, and each claimed one is run, admitted, or registered with one that is.
 *
 * <p><b>Linearization.</b> Claims and {@code share} at their compare-and-set of the word; {@code admit} at its
 * compare-and-set of the list, or at the load that finds its last prerequisite ended; {@code end} at its exchange.
 * <b>Memory order.</b> All of these are volatile read-modify-writes, and the load acquires. So the thread that admits a
 * node sees what ran before the turn through the word, from which it or the thread before it has claimed, and
 * everything else through the exchanges ({@code AdmitAgainstEndStress}). <b>Progress.</b> Lock-free; {@code share}
 * locks, and is called a few times per run.
 */
public final class Frontier {
    private static final long SHARED = 1L << 63;
    private static final long LOW = 0xFFFF_FFFFL;
    /** In the place of a list: the node has ended. */
    private static final int ENDED = -1;

    private static final int[] NONE = {};

    private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

    private final int nodes;
    private final int[] starts;
    private final int[] prerequisites;
    private final PaddedLong word = new PaddedLong(0L);

    /** Per node, one more than the one that waits for it and was registered last, 0 without one, or {@link #ENDED}. */
    private int @Nullable [] waiting;
    /** Per registered node, likewise the one that was registered before it. */
    private int[] following = NONE;
    /** Per node, how many of its prerequisites were found ended; belongs to the thread that the node belongs to. */
    private int[] checked = NONE;

    private int turnFirst;
    private int turnEnd;

    /**
     * A frontier before the first node. {@code starts} says where the prerequisites of each node begin, and where those
     * of the last one end; they have smaller numbers.
     */
    public Frontier(int nodes, int[] starts, int[] prerequisites) {
        this.nodes = nodes;
        this.starts = starts;
        this.prerequisites = prerequisites;
    }

    /** Makes the lists at once, so that {@link #share} allocates nothing. */
    void reserve() {
        waiting = new int[nodes];
        following = new int[nodes];
        checked = new int[nodes];
    }

    /** Begins anew. What lets other threads in afterwards orders it. */
    public void reset() {
        word.setRelease(0L);
    }

    /**
     * Says that all nodes before one have ended, and no other is claimed. By the thread that has the run to itself,
     * instead of {@link #claimTurn}, before it shares the run.
     */
    public void startAt(int node) {
        word.setVolatile((long) node << 32 | node);
    }

    /**
     * Claims what follows, to the end of a turn, for the thread that has the run to itself; all that it claimed before
     * has ended. Returns false if the run is shared now, and nothing was claimed.
     */
    public boolean claimTurn(int end) {
        long seen = word.valueVolatile();
        return seen >= 0L && word.cas(seen, (seen & LOW) << 32 | end);
    }

    /** Lets any thread claim. Returns false if the run was shared already. */
    public synchronized boolean share() {
        if (word.valueVolatile() < 0L) {
            return false;
        }
        int[] lists = waiting;
        if (lists == null) {
            reserve();
        } else {
            Arrays.fill(lists, 0);
            Arrays.fill(checked, 0);
        }
        long seen;
        do {
            seen = word.valueVolatile();
            turnFirst = (int) (seen >>> 32);
            turnEnd = (int) seen;
        } while (!word.cas(seen, seen | SHARED));
        return true;
    }

    /** Whether {@link #share} was called, possibly late. If it says so, what {@code share} made is visible. */
    public boolean isShared() {
        return word.valueVolatile() < 0L;
    }

    /** Claims nodes of a shared run, so many at most. Returns the packed range, or {@link RangeDeque#NOTHING}. */
    public long claim(int most) {
        long seen = word.valueVolatile();
        while (hasUnclaimed(seen)) {
            int first = (int) seen;
            int end = Math.min(nodes, first + most);
            if (word.cas(seen, (seen & ~LOW) | end)) {
                return RangeDeque.range(first, end);
            }
            seen = word.valueVolatile();
        }
        return RangeDeque.NOTHING;
    }

    /** Whether {@link #claim} would find something: the run is shared and not all nodes are claimed. */
    public boolean hasUnclaimed() {
        return hasUnclaimed(word.valueVolatile());
    }

    private boolean hasUnclaimed(long seen) {
        return seen < 0L && (int) seen < nodes;
    }

    /**
     * Looks whether all prerequisites of a node have ended, of a claimed one or one that {@link #end} returned.
     * Otherwise registers it with one that has not. Returns whether it can run.
     */
    public boolean admit(int node) {
        int first = starts[node];
        int end = starts[node + 1];
        for (int edge = first + checked[node]; edge < end; edge++) {
            int prerequisite = prerequisites[edge];
            if (prerequisite >= turnFirst) {
                int head = waitingAcquire(prerequisite);
                while (head != ENDED) {
                    following[node] = head;
                    checked[node] = edge - first;
                    if (INTS.compareAndSet(waiting, prerequisite, head, node + 1)) {
                        return false;
                    }
                    head = waitingAcquire(prerequisite);
                }
            }
        }
        return true;
    }

    /**
     * Says that an admitted node has ended, or one of the turn during which the run was shared. Returns the first of
     * the nodes that were registered with it, or -1.
     */
    public int end(int node) {
        return (int) INTS.getAndSet(waiting, node, ENDED) - 1;
    }

    /** What follows a node that was registered, or -1. Ask before it is admitted again. */
    public int following(int node) {
        return following[node] - 1;
    }

    /** What is claimed, to see whether the thread that has the run to itself goes on. */
    long position() {
        return word.valueOpaque();
    }

    /** The nodes of the turn during which the run was shared have been reported. By the thread that had the turn. */
    void endTurn() {
        turnEnd = turnFirst;
    }

    /** The first node of the turn during which the run was shared; for reports. */
    int turnFirst() {
        return turnFirst;
    }

    /** The end of that turn, or its first node when it is over; for reports. */
    int turnEnd() {
        return turnEnd;
    }

    /** Whether a node of a shared run is known to have ended; for reports. */
    boolean hasEnded(int node) {
        return node < turnFirst || waitingAcquire(node) == ENDED;
    }

    /** Whether a node of a shared run is claimed; for reports. */
    boolean isClaimed(int node) {
        return node < (int) word.valueOpaque();
    }

    private int waitingAcquire(int node) {
        int[] lists = waiting;
        return lists == null ? 0 : (int) INTS.getAcquire(lists, node);
    }
}
