package io.frameloom.rdg.compile;

import java.util.List;

/**
 * The declared orders of the passes that are left: a removed pass does nothing, but what it was declared to come after still
 * comes before what was declared to come after it. One thread.
 */
final class LiveOrders {
    private final KnownPasses passes;
    /** Longest chain before each pass, -1 for removed ones. */
    private final int[] level;
    /** By removed pass the last pass that was reached from; made for the first one. */
    private int[] reachedFrom = {};

    private final IntList open = new IntList(4);
    private final IntList found = new IntList(4);

    /**
     * Orders of a graph.
     *
     * @param level -1 for passes that were removed; those before a pass that is asked for are known
     */
    LiveOrders(KnownPasses passes, int[] level) {
        this.passes = passes;
        this.level = level;
    }

    /** Returns the passes that a pass comes after, directly or through removed ones; good until the next call. */
    IntList before(int pass) {
        found.clear();
        follow(pass, pass);
        while (open.size() > 0) {
            int removed = open.get(open.size() - 1);
            open.resize(open.size() - 1);
            follow(removed, pass);
        }
        return found;
    }

    private void follow(int pass, int from) {
        List<Integer> after = passes.after(pass);
        for (int i = 0; i < after.size(); i++) {
            int earlier = after.get(i);
            if (level[earlier] >= 0) {
                found.add(earlier);
            } else {
                reach(earlier, from);
            }
        }
    }

    private void reach(int removed, int from) {
        if (reachedFrom.length == 0) {
            reachedFrom = new int[level.length];
        }
        // Counted from 1, as 0 is from nowhere.
        if (reachedFrom[removed] != from + 1) {
            reachedFrom[removed] = from + 1;
            open.add(removed);
        }
    }
}
