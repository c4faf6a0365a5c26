package io.frameloom.rdg.compile;

import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PlanReuse;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.compile.plan.LowerHeaps;
import io.frameloom.rdg.compile.plan.PlanStructure;
import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.rdg.declare.DeclaredNames;
import io.frameloom.rdg.declare.GraphLease;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The plans that graphs were compiled to lately. They are found again by what was declared and by the passes that were
 * kept on the graphics queue, mostly none. A bounded number: the one that was not used for longest makes room. All that
 * decides about a plan is compared. No hash is needed before: other graphs mostly differ in their numbers of passes,
 * uses and resources, and views of one graph in the shapes of resources. Both are compared first.
 *
 * <p>Names do not decide: a graph with others gets the same plan under its own. The last few lists of names of each
 * plan are kept, so alternating views share all that was made of each. A plan gives way to one with lower heaps once a
 * search has found it. Any thread.
 */
final class KeptPlans {
    private static final int MOST_NAMED = 4;

    private final int most;
    /** The newest use is the first. */
    private final List<Kept> kept = new ArrayList<>();

    private long hits;
    private long misses;
    private long lowered;

    KeptPlans(int most) {
        this.most = most;
    }

    private static final class Kept {
        final DeclaredGraph graph;
        final GraphLease lease;
        final QueueTopology queues;
        final MemorySizer sizer;
        final BitSet demoted;
        /** The plan under the names of one graph and another; the newest use is the first. */
        final List<Named> named = new ArrayList<>(1);

        Kept(DeclaredGraph graph, QueueTopology queues, MemorySizer sizer, BitSet demoted, PlanStructure structure) {
            this.graph = graph;
            this.lease = Objects.requireNonNull(graph.lease());
            this.queues = queues;
            this.sizer = sizer;
            this.demoted = demoted;
            named.add(new Named(graph.names(), structure));
        }

        boolean fits(DeclaredGraph declared, QueueTopology topology, MemorySizer sizes, BitSet staying) {
            return graph.isEqualTo(declared)
                    && demoted.equals(staying)
                    && queues.equals(topology)
                    && sizer.equals(sizes);
        }

        /** Returns whether the plan gives way to one with lower heaps, which it asks for else. */
        boolean lowers() {
            LowerHeaps search = named.get(0).structure.lowerHeaps();
            PlanStructure found = search == null ? null : search.want();
            if (found == null) {
                return false;
            }
            named.replaceAll(each -> new Named(each.names, found.named(each.names)));
            return true;
        }

        PlanStructure named(DeclaredNames names) {
            int at = 0;
            while (at < named.size() && !named.get(at).names.isEqualTo(names)) {
                at++;
            }
            if (at == 0) {
                return named.get(0).structure;
            }
            Named wanted = at < named.size() ? named.remove(at) : renamed(names.copy());
            named.add(0, wanted);
            return wanted.structure;
        }

        private Named renamed(DeclaredNames names) {
            if (named.size() == MOST_NAMED) {
                named.remove(MOST_NAMED - 1);
            }
            return new Named(names, named.get(0).structure.named(names));
        }
    }

    private record Named(DeclaredNames names, PlanStructure structure) {}

    /**
     * Returns what a graph that declares the same was compiled to, under the names of this one, or null. The caller has
     * its lease.
     */
    synchronized @Nullable PlanStructure find(
            DeclaredGraph declared, QueueTopology queues, MemorySizer sizer, BitSet demoted) {
        int at = place(declared, queues, sizer, demoted);
        if (at < 0) {
            misses++;
            return null;
        }
        hits++;
        Kept known = kept.get(at);
        if (at > 0) {
            kept.remove(at);
            kept.add(0, known);
        }
        known.lease.hold();
        lowered += known.lowers() ? 1 : 0;
        return known.named(declared.names());
    }

    private int place(DeclaredGraph declared, QueueTopology queues, MemorySizer sizer, BitSet demoted) {
        for (int i = 0; i < kept.size(); i++) {
            if (kept.get(i).fits(declared, queues, sizer, demoted)) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Keeps a plan, unless another thread has just kept an equal one.
     *
     * @param graph what was compiled, with a lease; nothing is declared into it any more
     */
    synchronized void keep(
            DeclaredGraph graph, QueueTopology queues, MemorySizer sizer, BitSet demoted, PlanStructure structure) {
        if (place(graph, queues, sizer, demoted) >= 0) {
            return;
        }
        if (kept.size() == most) {
            kept.remove(most - 1).lease.letGo();
        }
        Kept added = new Kept(graph, queues, sizer, demoted, structure);
        added.lease.hold();
        kept.add(0, added);
    }

    synchronized PlanReuse statistics() {
        return new PlanReuse(hits, misses, kept.size(), lowered);
    }
}
