package io.frameloom.rdg.compile.plan;

import io.frameloom.rdg.PlanDerivation.AsyncRegion;
import io.frameloom.rdg.PlanDerivation.Dependency;
import io.frameloom.rdg.PlanDerivation.DependencyKind;
import io.frameloom.rdg.PlanDerivation.Epoch;
import io.frameloom.rdg.Reason;
import io.frameloom.rdg.compile.graph.Names;
import io.frameloom.rdg.compile.graph.PlanItems;
import io.frameloom.rdg.compile.graph.StateMerge;
import io.frameloom.rdg.compile.graph.SubresourceMap;
import io.frameloom.rdg.compile.order.AsyncRegions;
import io.frameloom.rdg.compile.order.Dependencies;
import io.frameloom.rdg.compile.renderpass.MergeReasons;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The arrays of the phases that made a plan, put into objects on request. Execution needs none of it. What is in the
 * plan has numbers here, no names. Any thread; two that ask first at once get equal lists.
 */
public final class Derivation {
    private final SubresourceMap map;
    private final StateMerge states;
    private final Dependencies dependencies;
    private final boolean[] waited;
    private final int[] passQueue;
    private final int queueCount;
    /** The dependencies of all nodes. */
    private final int[] from;

    private final int[] to;
    private final MergeReasons mergeReasons;
    private final DumpedDeclaration declaration;
    private volatile @Nullable List<Dependency> dependencyList;
    private volatile @Nullable List<Epoch> epochList;

    public Derivation(Compilation c) {
        map = c.map;
        states = c.states;
        dependencies = c.dependencies;
        waited = c.sync.waited;
        passQueue = c.passQueue;
        queueCount = c.queueCount();
        from = c.transitions.from;
        to = c.transitions.to;
        mergeReasons = c.mergeReasons;
        declaration = new DumpedDeclaration(c.known, c.resources, c.aliasing);
    }

    /** Returns what a dump needs beside the plan. */
    public DumpedDeclaration declaration() {
        return declaration;
    }

    /** Returns every ordering that the accesses ask for. */
    public List<Dependency> dependencies() {
        List<Dependency> known = dependencyList;
        if (known == null) {
            known = makeDependencies();
            dependencyList = known;
        }
        return known;
    }

    /** Returns the states that the ranges of the resources go through. */
    public List<Epoch> epochs() {
        List<Epoch> known = epochList;
        if (known == null) {
            known = makeEpochs();
            epochList = known;
        }
        return known;
    }

    /** Returns the raster passes that Unreal's rule would put into one render pass. */
    public List<List<Integer>> forkRuleRenderPasses() {
        return new PlanItems().boxed(mergeReasons.byForkRule(regions().forks()));
    }

    /** Returns where the passes beside the graphics queue run. */
    public List<AsyncRegion> asyncRegions() {
        AsyncRegions regions = regions();
        List<AsyncRegion> result = new ArrayList<>();
        for (int p = 0; p < passQueue.length; p++) {
            if (passQueue[p] > 0) {
                result.add(new AsyncRegion(p, regions.fork[p], regions.join[p]));
            }
        }
        return List.copyOf(result);
    }

    private AsyncRegions regions() {
        return new AsyncRegions(passQueue, queueCount, from, to);
    }

    /** Returns why a queue waits: an edge of the dependencies, or of a node that the compiler added after them. */
    Reason waitReason(Names names, int from, int to, int edge) {
        return Reason.of(() -> {
            String pair = names.pass(to) + " must wait for " + names.pass(from);
            if (edge >= dependencies.from.length) {
                return pair + " (change of layout)";
            }
            int resource = dependencies.resource[edge];
            return resource < 0
                    ? pair + " (as declared)"
                    : pair + " (" + words(dependencies.kinds[edge]) + " on " + names.resource(resource) + ")";
        });
    }

    private static String words(int kinds) {
        return kinds(kinds).stream().map(DependencyKind::toString).collect(Collectors.joining(", "));
    }

    private List<Dependency> makeDependencies() {
        List<Dependency> result = new ArrayList<>(dependencies.from.length);
        for (int e = 0; e < dependencies.from.length; e++) {
            result.add(new Dependency(
                    dependencies.from[e],
                    dependencies.to[e],
                    dependencies.resource[e],
                    kinds(dependencies.kinds[e]),
                    passQueue[dependencies.from[e]] != passQueue[dependencies.to[e]],
                    waited[e]));
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

    private List<Epoch> makeEpochs() {
        List<Epoch> result = new ArrayList<>(states.epochs());
        int[] box = new int[6];
        for (int e = 0; e < states.epochs(); e++) {
            int cell = states.epochCell[e];
            int resource = map.cellResource[cell];
            boolean texture = map.isTexture(resource);
            map.boxOfCell(cell, box);
            List<Integer> members = new ArrayList<>(states.epochStart[e + 1] - states.epochStart[e]);
            for (int i = states.epochStart[e]; i < states.epochStart[e + 1]; i++) {
                members.add(map.touchPass[states.sorted[i]]);
            }
            result.add(new Epoch(
                    resource,
                    texture ? map.range(resource, box) : null,
                    texture ? 0 : map.offset(resource, box),
                    texture ? 0 : map.bytes(resource, box),
                    states.epochWrites[e],
                    states.layout(e),
                    members));
        }
        return List.copyOf(result);
    }
}
