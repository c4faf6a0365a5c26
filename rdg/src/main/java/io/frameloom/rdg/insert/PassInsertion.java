package io.frameloom.rdg.insert;

import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.Extraction;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.declare.DeclaredBuffer;
import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.rdg.declare.GraphDeclaration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Puts passes between the declared ones of a graph. The result is a graph in declared order. One that was declared in
 * any order is put into the order of its plan.
 */
public final class PassInsertion {
    private final GraphDeclaration handles;
    private final DeclaredGraph graph;
    private final CompiledPlan plan;
    private final List<DeclaredGraph.Pass> planned;
    private final List<DeclaredGraph.Declared> resources;
    private final List<Inserted> inserted = new ArrayList<>();

    private record Inserted(int position, DeclaredGraph.Pass pass) {}

    /** An insertion into {@code graph}, of which {@code plan} is the plan as declared. */
    public PassInsertion(GraphDeclaration handles, DeclaredGraph graph, CompiledPlan plan) {
        this.handles = handles;
        this.graph = graph;
        this.plan = plan;
        resources = new ArrayList<>(graph.resources());
        planned = inOrder();
    }

    /** Returns the declared passes that run, in the order that gives the graph its meaning. */
    List<FramePlan.PassPlan> livePasses() {
        return plan.passes().subList(0, planned.size()).stream()
                .filter(pass -> !pass.culled())
                .toList();
    }

    /** Inserts a pass right after one of the plan. */
    void after(FramePlan.PassPlan pass, DeclaredGraph.Pass added) {
        inserted.add(new Inserted(pass.index() + 1, added));
    }

    /** Inserts a pass right before one of the plan. */
    void before(FramePlan.PassPlan pass, DeclaredGraph.Pass added) {
        inserted.add(new Inserted(pass.index(), added));
    }

    /** Inserts a pass after all others. */
    void last(DeclaredGraph.Pass added) {
        inserted.add(new Inserted(planned.size(), added));
    }

    /** Puts another declaration in the place of one of the plan. */
    void replace(FramePlan.PassPlan pass, UnaryOperator<DeclaredGraph.Pass> change) {
        planned.set(pass.index(), change.apply(planned.get(pass.index())));
    }

    /** Adds a buffer that outlives the frame, and returns its handle. */
    RdgBuffer extracted(String name, BufferDescription shape, Extraction extraction) {
        RdgBuffer handle = new DeclaredBuffer(handles, resources.size(), name, shape, null);
        resources.add(new DeclaredGraph.Declared(
                handle.index(),
                name,
                null,
                shape,
                Lifetime.EXTRACTED,
                null,
                TextureLayout.UNDEFINED,
                null,
                extraction,
                null,
                true,
                null));
        return handle;
    }

    /** Returns the graph with everything inserted; what was inserted first at a place comes first. */
    public DeclaredGraph graph() {
        List<Inserted> all = new ArrayList<>(inserted);
        for (int position = 0; position < planned.size(); position++) {
            all.add(new Inserted(position, planned.get(position)));
        }
        // Stable: what is inserted at a place stands before the declared pass of that place.
        all.sort(Comparator.comparingInt(Inserted::position));
        int[] moved = new int[graph.passes().size()];
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).pass.index() >= 0) {
                moved[all.get(i).pass.index()] = i;
            }
        }
        List<DeclaredGraph.Pass> passes = new ArrayList<>(all.size());
        for (Inserted each : all) {
            passes.add(renumbered(each.pass, passes.size(), moved));
        }
        return new DeclaredGraph(graph.name(), passes, resources, graph.scopes());
    }

    private static DeclaredGraph.Pass renumbered(DeclaredGraph.Pass pass, int index, int[] moved) {
        return pass.at(
                index, pass.after().stream().map(earlier -> moved[earlier]).toList());
    }

    /** Returns the declared passes in the order of the plan, which may have sorted them or taken another order. */
    private List<DeclaredGraph.Pass> inOrder() {
        List<DeclaredGraph.Pass> result = new ArrayList<>(graph.passes().size());
        for (int pass = 0; pass < graph.passes().size(); pass++) {
            result.add(graph.passes().get(plan.structure().declaredIndex(pass)));
        }
        return result;
    }
}
