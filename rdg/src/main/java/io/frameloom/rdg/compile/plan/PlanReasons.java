package io.frameloom.rdg.compile.plan;

import io.frameloom.rdg.PlanDerivation.AsyncRegion;
import io.frameloom.rdg.PlanDerivation.Dependency;
import io.frameloom.rdg.PlanDerivation.DependencyKind;
import io.frameloom.rdg.PlanDerivation.Epoch;
import io.frameloom.rdg.compile.barrier.BarrierReasons;
import io.frameloom.rdg.compile.graph.Names;
import io.frameloom.rdg.compile.graph.StateMerge;
import io.frameloom.rdg.compile.graph.SubresourceMap;
import io.frameloom.rdg.compile.memory.HeapBound;
import io.frameloom.rdg.compile.order.AsyncRegions;
import io.frameloom.rdg.compile.order.Dependencies;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What explains a plan and no frame needs. It comes from compiling the graph once more, which gives the same, in work
 * memory that is not used again. Immutable; any thread.
 *
 * @param c a compilation that has gone through all phases
 */
public record PlanReasons(Compilation c) {
    /** Returns the resources whose memory a resource takes over, in ascending order. */
    int[] takenOver(int resource) {
        return c.aliasing.takeovers.of(resource);
    }

    /** Returns the bytes that no placement of a heap can go below. */
    long bound(int heap) {
        return HeapBound.find(
                c.aliasing.heaps.get(heap),
                c.aliasing.placement.members(heap),
                c.aliasing.placement.bytes(),
                c.lifetimes,
                c.options.aliasing());
    }

    String ofBarrier(int box, Names names) {
        return new BarrierReasons(c.graph, c.map, c.states, c.aliasing.takeovers, names, c.barriers).of(box);
    }

    /** Returns why a queue waits: an edge of the dependencies, or of a node that the compiler added after them. */
    String ofWait(int wait, Names names) {
        int edge = c.batching.waitEdges[wait];
        String pair = names.pass(c.transitions.to[edge]) + " must wait for " + names.pass(c.transitions.from[edge]);
        if (edge >= c.dependencies.count()) {
            return pair + " (change of layout)";
        }
        int resource = c.dependencies.resource(edge);
        String kinds = kinds(c.dependencies.kinds(edge)).stream()
                .map(DependencyKind::toString)
                .collect(Collectors.joining(", "));
        return pair + " (" + (resource < 0 ? "as declared" : kinds + " on " + names.resource(resource)) + ")";
    }

    /** Returns why a pass that begins a render pass does not join the one before it. */
    String ofRenderPass(int pass, Names names) {
        return c.mergeReasons.of(pass, names);
    }

    /** Returns every ordering that the accesses ask for. */
    List<Dependency> dependencies() {
        List<Dependency> result = new ArrayList<>(c.dependencies.count());
        for (int e = 0; e < c.dependencies.count(); e++) {
            int from = c.dependencies.from[e];
            int to = c.dependencies.to[e];
            result.add(new Dependency(
                    from,
                    to,
                    c.dependencies.resource(e),
                    kinds(c.dependencies.kinds(e)),
                    c.passQueue[from] != c.passQueue[to],
                    c.sync.isWaited(e)));
        }
        return List.copyOf(result);
    }

    private static Set<DependencyKind> kinds(int mask) {
        Set<DependencyKind> kinds = EnumSet.noneOf(DependencyKind.class);
        if ((mask & Dependencies.RAW) != 0) {
            kinds.add(DependencyKind.READ_AFTER_WRITE);
        }
        if ((mask & Dependencies.WAR) != 0) {
            kinds.add(DependencyKind.WRITE_AFTER_READ);
        }
        if ((mask & Dependencies.WAW) != 0) {
            kinds.add(DependencyKind.WRITE_AFTER_WRITE);
        }
        if ((mask & Dependencies.LAYOUT) != 0) {
            kinds.add(DependencyKind.LAYOUT);
        }
        if ((mask & Dependencies.DECLARED) != 0) {
            kinds.add(DependencyKind.DECLARED);
        }
        return kinds;
    }

    /** Returns the states that the ranges of the resources go through. */
    List<Epoch> epochs() {
        SubresourceMap map = c.map;
        StateMerge states = c.states;
        List<Epoch> result = new ArrayList<>(map.touches());
        int[] box = new int[6];
        for (int cell = 0; cell < map.cells(); cell++) {
            int resource = map.cellResource[cell];
            boolean texture = map.isTexture(resource);
            map.boxOfCell(cell, box);
            for (int e = states.firstEpoch[cell]; e < states.endEpoch[cell]; e++) {
                result.add(new Epoch(
                        resource,
                        texture ? map.range(resource, box) : null,
                        texture ? 0 : map.offset(resource, box),
                        texture ? 0 : map.bytes(resource, box),
                        states.writes(e),
                        states.layout(e),
                        PlanArrays.boxed(states.passes(e))));
            }
        }
        return List.copyOf(result);
    }

    /** Returns the raster passes that Unreal's rule would put into one render pass. */
    List<List<Integer>> forkRuleRenderPasses() {
        List<List<Integer>> result = new ArrayList<>();
        for (int[] members : c.mergeReasons.byForkRule(regions().forks())) {
            result.add(PlanArrays.boxed(members));
        }
        return List.copyOf(result);
    }

    /** Returns where the passes beside the graphics queue run. */
    List<AsyncRegion> asyncRegions() {
        AsyncRegions regions = regions();
        List<AsyncRegion> result = new ArrayList<>();
        for (int p = 0; p < c.passQueue.length; p++) {
            if (c.passQueue[p] > 0) {
                result.add(new AsyncRegion(p, regions.fork[p], regions.join[p]));
            }
        }
        return List.copyOf(result);
    }

    private AsyncRegions regions() {
        return new AsyncRegions(c.passQueue, c.queueCount(), c.transitions.edges, c.transitions.from, c.transitions.to);
    }
}
