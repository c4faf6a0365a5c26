package io.frameloom.taskgraph.compiled;

import io.frameloom.taskgraph.SchedulingPoint;
import java.util.Arrays;

/**
 * The ready nodes that one participant of a run holds, as ranges: where it puts them, finds them again,
 * gives them away and takes those of others.
 *
 * <p>Ranges are kept on private stacks and given away one at a time, when somebody is hungry (Acar,
 * Chargueraud, Rainey, "Scheduling parallel programs by work stealing with private deques"), or published
 * all together. Of a range always the upper half goes first, so that thieves get large pieces.
 *
 * <p>Used by the thread that {@link RunParticipant} belongs to at the moment; a base of that class, so that
 * the loop has all it works with in one object.
 */
abstract class ReadyRanges {
    static final int NONE = GraphRun.NONE;

    final GraphRun run;
    final GraphPlan plan;
    /** Per level, what all participants have published. */
    final PublishedRanges[] published;

    final RangeStack[] stacks = new RangeStack[GraphRun.LEVELS];
    /** Bit per level whose nodes this participant runs. */
    int serves;
    /** The level of the node that was taken last. */
    int current;

    private final int slot;
    private final RangeDeque[] own = new RangeDeque[GraphRun.LEVELS];

    ReadyRanges(GraphRun run, int slot) {
        this.run = run;
        this.plan = run.plan;
        this.slot = slot;
        this.published = run.ranges();
        for (int rank = 0; rank < GraphRun.LEVELS; rank++) {
            stacks[rank] = new RangeStack(64);
            if (run.has(rank)) {
                own[rank] = published[rank].deque(slot);
            }
        }
    }

    /** Makes ready nodes of a level known to all who run that level. */
    final void publish(int rank, long range) {
        int first = RangeDeque.first(range);
        int end = RangeDeque.end(range);
        run.reached(SchedulingPoint.ENQUEUE);
        while (end - first > 1) {
            int middle = (first + end) >>> 1;
            own[rank].push(RangeDeque.range(middle, end));
            end = middle;
        }
        own[rank].push(RangeDeque.range(first, end));
        run.published(rank);
    }

    /** Publishes whatever is on the private stacks, the oldest first. */
    final void publishAll() {
        for (int rank = 0; rank < GraphRun.LEVELS; rank++) {
            RangeStack stack = stacks[rank];
            if (!stack.isEmpty()) {
                run.reached(SchedulingPoint.ENQUEUE);
                for (long range = stack.takeOldestHalf(); range != RangeDeque.NOTHING; range = stack.takeOldestHalf()) {
                    own[rank].push(range);
                }
                run.published(rank);
            }
        }
    }

    /** Gives something to whoever is hungry, unless what was given before is still there. */
    final void feed() {
        RangeDeque deque = own[current];
        if (deque.isEmpty()) {
            long range = stacks[current].takeOldestHalf();
            if (range != RangeDeque.NOTHING) {
                deque.push(range);
            }
        }
    }

    /** The node that this participant made ready last, of the most urgent level, or none. */
    final int takeOwn() {
        for (int rank = 0; rank < GraphRun.LEVELS; rank++) {
            if ((serves & 1 << rank) != 0) {
                int node = stacks[rank].pop();
                if (node == NONE) {
                    node = unpack(rank, own[rank].pop());
                }
                if (node != NONE) {
                    current = rank;
                    return node;
                }
            }
        }
        return NONE;
    }

    /** A node of another participant, or none. */
    final int steal() {
        for (int rank = 0; rank < GraphRun.LEVELS; rank++) {
            if ((serves & 1 << rank) != 0) {
                int node = unpack(rank, stealRange(rank));
                if (node != NONE) {
                    current = rank;
                    run.crew(rank).invite();
                    return node;
                }
            }
        }
        return NONE;
    }

    private long stealRange(int rank) {
        run.reached(SchedulingPoint.TAKE);
        return published[rank].steal(slot);
    }

    private int unpack(int rank, long range) {
        if (range == RangeDeque.NOTHING) {
            return NONE;
        }
        int first = RangeDeque.first(range);
        int end = RangeDeque.end(range);
        if (first + 1 < end) {
            stacks[rank].push(first + 1, end);
        }
        return first;
    }

    /** Steals, for the private stack. Returns whether there was something. */
    final boolean stealToStack() {
        int node = steal();
        if (node != NONE) {
            stacks[current].push(node, node + 1);
        }
        return node != NONE;
    }

    /** A node that was published at a level, by this participant or another, or none. */
    final int takePublished(int rank) {
        long range = own[rank].pop();
        int node = unpack(rank, range != RangeDeque.NOTHING ? range : stealRange(rank));
        if (node != NONE) {
            current = rank;
        }
        return node;
    }

    /** What is kept at some moment; for reports by other threads. */
    final long[] keptRanges() {
        return Arrays.stream(stacks)
                .flatMapToLong(stack -> Arrays.stream(stack.ranges()))
                .toArray();
    }

    /** Adds to the number of those who look for work, at every level that this participant serves. */
    final void announceHunger(long delta) {
        for (int rank = 0; rank < GraphRun.LEVELS; rank++) {
            if ((serves & 1 << rank) != 0) {
                published[rank].addHungry(delta);
            }
        }
    }
}
