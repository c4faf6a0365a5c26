package io.frameloom.rdg.compile;

/**
 * Whose memory each resource takes over: of those before it that share bytes with it, the ones whose shared bytes no other of
 * them has taken over in between. Found by {@link TakeoverSearch}; a part of the plan, which its reasons name.
 */
final class Takeovers {
    private final int[] begin;
    private final int[] end;
    private final IntList items;

    /** Nothing is taken over by so many resources. */
    Takeovers(int resources) {
        begin = new int[resources];
        end = new int[resources];
        items = new IntList(2 * resources);
    }

    /** Begins the list of a resource. */
    void begins(int resource) {
        begin[resource] = items.size();
    }

    /** Adds to the list that was begun last. */
    void add(int predecessor) {
        items.add(predecessor);
    }

    /** Ends the list of a resource. */
    void ends(int resource) {
        end[resource] = items.size();
    }

    /** Returns where the predecessors of a resource begin; they end at {@link #end}. */
    int begin(int resource) {
        return begin[resource];
    }

    int end(int resource) {
        return end[resource];
    }

    /** Returns a predecessor; those of one resource come in ascending order. */
    int predecessor(int at) {
        return items.get(at);
    }
}
