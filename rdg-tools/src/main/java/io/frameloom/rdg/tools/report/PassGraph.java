package io.frameloom.rdg.tools.report;

import io.frameloom.rdg.FramePlan.Batch;
import io.frameloom.rdg.FramePlan.BatchWait;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import io.frameloom.rdg.FramePlan.UsePlan;
import io.frameloom.rdg.PlanDerivation.Dependency;
import io.frameloom.rdg.PlanDerivation.DependencyKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The graph that is drawn: passes, the versions of the resources that they produce, and why one comes after the other.
 * Edges point forward in the order of submission, so there is no cycle.
 */
final class PassGraph {
    /** What an edge means. */
    enum EdgeKind {
        /** A pass reads a version. */
        READ("reads"),
        /** A pass produces a version. */
        WRITE("writes"),
        /** A pass comes after another one without reading from it. */
        ORDER("comes after"),
        /** A queue waits for another one. */
        SYNC("waits for");

        private final String words;

        EdgeKind(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }

    /**
     * A pass, or a version of a resource.
     *
     * @param index position in {@link #nodes}
     * @param pass index of the pass, or -1
     * @param resource index of the resource, or -1
     * @param version 0 for what the frame starts with, then counted by write
     */
    record Node(int index, int pass, int resource, int version) {}

    /**
     * An edge.
     *
     * @param from position of the earlier node
     * @param to position of the later node
     * @param kind meaning
     * @param label what to say about it
     */
    record Edge(int from, int to, EdgeKind kind, String label) {}

    private final PlanIndex index;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Edge> edges = new ArrayList<>();
    private final Set<Long> connected = new HashSet<>();
    private final VersionTable versions;

    PassGraph(PlanIndex index) {
        this.index = index;
        this.versions = new VersionTable(index.plan);
        for (PassPlan pass : index.plan.passes()) {
            nodes.add(new Node(nodes.size(), pass.index(), -1, -1));
        }
        for (int pass : index.order) {
            uses(index.pass(pass));
        }
        for (PassPlan pass : index.plan.passes()) {
            if (pass.culled()) {
                products(pass);
            }
        }
        orders();
        syncs();
    }

    List<Node> nodes() {
        return nodes;
    }

    List<Edge> edges() {
        return edges;
    }

    /** Returns how many versions of a resource there are, without the one that the frame starts with. */
    int versionCount(int resource) {
        return versions.written(resource);
    }

    /** Reads come first: what a pass both reads and writes it reads in the version before. */
    private void uses(PassPlan pass) {
        for (UsePlan use : pass.uses()) {
            if (use.access().reads() || !use.discard()) {
                for (int node : versions.readers(use, this::startVersion)) {
                    connect(node, pass.index(), EdgeKind.READ, use.access().name());
                }
            }
        }
        for (PlanBarrier barrier : PlanIndex.isAdded(pass) ? pass.before() : List.<PlanBarrier>of()) {
            int newest = versions.newest(barrier.resource());
            if (newest >= 0) {
                connect(newest, pass.index(), EdgeKind.READ, barrier.oldLayout() + " -> " + barrier.newLayout());
            }
        }
        for (UsePlan use : pass.uses()) {
            if (use.access().writes()) {
                connect(
                        pass.index(),
                        versions.write(use, pass.index(), this::newVersion),
                        EdgeKind.WRITE,
                        use.access().name());
            }
        }
    }

    /** What a culled pass would have written; no pass reads it. */
    private void products(PassPlan pass) {
        Set<Integer> written = new HashSet<>();
        for (UsePlan use : pass.uses()) {
            boolean unused = !index.plan.resources().get(use.resource()).used();
            if (use.access().writes() && unused && written.add(use.resource())) {
                int node = newVersion(use.resource(), versions.count(use.resource()));
                connect(pass.index(), node, EdgeKind.WRITE, use.access().name());
            }
        }
    }

    private int startVersion(int resource) {
        return newVersion(resource, 0);
    }

    private int newVersion(int resource, int version) {
        nodes.add(new Node(nodes.size(), -1, resource, version));
        return nodes.size() - 1;
    }

    private void orders() {
        for (Dependency dependency : index.plan.dependencies()) {
            if (!dependency.kinds().contains(DependencyKind.READ_AFTER_WRITE) && !dependency.waited()) {
                connect(dependency.from(), dependency.to(), EdgeKind.ORDER, words(dependency));
            }
        }
    }

    private String words(Dependency dependency) {
        return dependency.kinds().stream().map(DependencyKind::toString).collect(Collectors.joining(", "))
                + (dependency.resource() < 0 ? "" : " on " + index.resourceName(dependency.resource()));
    }

    /** Batches end after what is waited for and begin with what waits. */
    private void syncs() {
        for (Batch batch : index.plan.batches()) {
            for (BatchWait wait : batch.waits()) {
                List<Integer> source = index.plan.batches().get(wait.batch()).passes();
                connect(source.get(source.size() - 1), batch.passes().get(0), EdgeKind.SYNC, wait.reason());
            }
        }
    }

    private void connect(int from, int to, EdgeKind kind, String label) {
        if (connected.add((long) from << 32 | (long) to << 2 | kind.ordinal())) {
            edges.add(new Edge(from, to, kind, label));
        }
    }
}
