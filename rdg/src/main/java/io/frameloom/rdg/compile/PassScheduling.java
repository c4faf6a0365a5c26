package io.frameloom.rdg.compile;

import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.FramePlan.UsePlan;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.PassSchedule;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.compile.graph.Ownership;
import io.frameloom.rdg.compile.graph.Scratch;
import io.frameloom.rdg.compile.graph.StateMerge;
import io.frameloom.rdg.compile.graph.SubresourceMap;
import io.frameloom.rdg.compile.graph.Successors;
import io.frameloom.rdg.compile.order.Dependencies;
import io.frameloom.rdg.compile.plan.PlanStructure;
import io.frameloom.rdg.compile.plan.ScheduleQuality;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Finds an order of passes by list scheduling. Of the passes whose predecessors all have their place, the one that a
 * policy likes best comes next (R. L. Graham, "Bounds on multiprocessing timing anomalies", 1969). The order of
 * declaration decides between equals. Predecessors follow from data, from declared orders, and from passes with
 * undeclared accesses, which nothing crosses. Culled passes count, so that the same ones stay culled. O(passes x ready
 * passes).
 */
final class PassScheduling {
    private final int passes;
    private final Successors next;
    private final int[] predecessors;
    /** The plan in the program's order: what is culled, on which queue it is, and how large it is. */
    private final PlanStructure program;

    /**
     * Finds what may not be exchanged.
     *
     * @param program the plan of the same graph with the passes as they are
     */
    PassScheduling(
            DeclaredGraph graph,
            SubresourceMap map,
            boolean overlapWrites,
            PlanStructure program,
            QueueTopology queues,
            Scratch scratch) {
        this.program = program;
        passes = graph.passes();
        next = Successors.declared(graph);
        boolean[] all = new boolean[passes];
        Arrays.fill(all, true);
        int[] oneQueue = new int[passes];
        StateMerge states =
                new StateMerge(graph, map, all, new Ownership(graph, oneQueue, queues), overlapWrites, scratch);
        Dependencies dependencies = new Dependencies(graph, map, states, all, oneQueue, 1, scratch);
        for (int e = 0; e < dependencies.count(); e++) {
            if (dependencies.kinds(e) != Dependencies.LAYOUT) {
                next.add(dependencies.from[e], dependencies.to[e]);
            }
        }
        predecessors = next.predecessors();
    }

    /** Says which of the passes that may come next is liked best. */
    private interface Policy {
        long cost(int pass);

        /** Notes that a pass comes next. */
        void placed(int pass);
    }

    int[] order(PassSchedule schedule) {
        return switch (schedule.policy()) {
            case PROGRAM -> ordered(new Fixed(new long[passes]));
            case RANDOM -> ordered(new Chance(schedule.seed()));
            case MEMORY -> ordered(new LeastMemory());
            case BATCH -> fewestSwitches();
            case OVERLAP -> ordered(new Fixed(distances()));
        };
    }

    private int[] ordered(Policy policy) {
        int[] missing = predecessors.clone();
        BitSet ready = new BitSet(passes);
        for (int p = 0; p < passes; p++) {
            ready.set(p, missing[p] == 0);
        }
        int[] order = new int[passes];
        for (int at = 0; at < passes; at++) {
            int best = -1;
            long least = Long.MAX_VALUE;
            for (int p = ready.nextSetBit(0); p >= 0; p = ready.nextSetBit(p + 1)) {
                long cost = policy.cost(p);
                if (best < 0 || cost < least) {
                    best = p;
                    least = cost;
                }
            }
            order[at] = best;
            ready.clear(best);
            policy.placed(best);
            for (int i = 0; i < next.of(best).size(); i++) {
                int successor = next.of(best).get(i);
                if (--missing[successor] == 0) {
                    ready.set(successor);
                }
            }
        }
        return order;
    }

    /** Costs that do not change. */
    private static final class Fixed implements Policy {
        private final long[] costs;

        Fixed(long[] costs) {
            this.costs = costs;
        }

        @Override
        public long cost(int pass) {
            return costs[pass];
        }

        @Override
        public void placed(int pass) {}
    }

    /** Any ready pass with the same probability. */
    private static final class Chance implements Policy {
        private final SplittableRandom random;

        Chance(long seed) {
            random = new SplittableRandom(seed);
        }

        @Override
        public long cost(int pass) {
            return random.nextLong();
        }

        @Override
        public void placed(int pass) {}
    }

    /** The pass that adds the fewest bytes to those alive, those counted off that it uses last. */
    private final class LeastMemory implements Policy {
        private final long[] bytes = new long[program.resources().size()];
        private final int[] users = new int[bytes.length];
        private final boolean[] alive = new boolean[bytes.length];
        private final int[][] resources = new int[passes][];

        LeastMemory() {
            for (ResourcePlan resource : program.resources()) {
                bytes[resource.index()] = resource.heap() >= 0 ? resource.bytes() : 0;
            }
            for (int p = 0; p < passes; p++) {
                PassPlan pass = program.passes().get(p);
                resources[p] = pass.culled()
                        ? new int[0]
                        : pass.uses().stream()
                                .mapToInt(UsePlan::resource)
                                .distinct()
                                .toArray();
                for (int r : resources[p]) {
                    users[r]++;
                }
            }
        }

        @Override
        public long cost(int pass) {
            long cost = 0;
            for (int r : resources[pass]) {
                cost += (alive[r] ? 0 : bytes[r]) - (users[r] == 1 ? bytes[r] : 0);
            }
            return cost;
        }

        @Override
        public void placed(int pass) {
            for (int r : resources[pass]) {
                alive[r] = true;
                users[r]--;
            }
        }
    }

    /** Passes of the kind that their queue is at; culled ones at once, since they change nothing. */
    private final class SameKind implements Policy {
        private final @Nullable PassKind[] kinds =
                new PassKind[program.queues().queues().size()];

        SameKind(PassKind first) {
            Arrays.fill(kinds, first);
        }

        @Override
        public long cost(int pass) {
            PassPlan plan = program.passes().get(pass);
            return plan.culled() ? -1 : plan.kind() == kinds[plan.queue()] ? 0 : 1;
        }

        @Override
        public void placed(int pass) {
            PassPlan plan = program.passes().get(pass);
            if (!plan.culled()) {
                kinds[plan.queue()] = plan.kind();
            }
        }
    }

    /** Going on with a kind while there is one is best for two kinds, if the first is the right one. */
    private int[] fewestSwitches() {
        int[] best = new int[0];
        int fewest = Integer.MAX_VALUE;
        for (PassKind first : PassKind.values()) {
            int[] order = ordered(new SameKind(first));
            int switches = ScheduleQuality.kindSwitches(
                    program.passes(), Arrays.stream(order).boxed().toList());
            if (switches < fewest) {
                fewest = switches;
                best = order;
            }
        }
        return best;
    }

    /**
     * Returns by pass its rank for the other queues. First come those that run there, then what leads to them, the
     * closest first. Then comes what has nothing to do with them, last what needs them.
     */
    private long[] distances() {
        long[] distance = new long[passes];
        boolean[] behind = new boolean[passes];
        // The program's order is a topological one.
        for (int p = 0; p < passes; p++) {
            for (int i = 0; i < next.of(p).size(); i++) {
                behind[next.of(p).get(i)] |= behind[p] || isBeside(p);
            }
        }
        for (int p = passes - 1; p >= 0; p--) {
            long least = behind[p] ? 2L * passes : passes;
            for (int i = 0; i < next.of(p).size(); i++) {
                long after = distance[next.of(p).get(i)];
                least = after < passes ? Math.min(least, after + 1) : least;
            }
            distance[p] = isBeside(p) ? 0 : least;
        }
        return distance;
    }

    private boolean isBeside(int pass) {
        return program.passes().get(pass).queue() > 0;
    }
}
