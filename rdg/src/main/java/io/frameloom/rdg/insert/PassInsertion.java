package io.frameloom.rdg.insert;

import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.Extraction;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.declare.BoundFrame;
import io.frameloom.rdg.declare.DeclaredBuffer;
import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.rdg.declare.GraphDeclaration;
import io.frameloom.rdg.declare.Sharing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Puts passes between the declared ones of a graph. They are added to a graph of their own, which has the declared
 * passes in the order of the plan; {@link #order} says where they go.
 */
public final class PassInsertion {
    private final GraphDeclaration handles;
    private final CompiledPlan plan;
    private final int planned;
    private final DeclaredGraph graph;
    private final BoundFrame bound;
    private final List<Inserted> inserted = new ArrayList<>();

    private record Inserted(int position, int pass) {}

    /** An insertion into what was declared, of which {@code plan} is the plan. */
    public PassInsertion(GraphDeclaration handles, CompiledPlan plan) {
        this.handles = handles;
        this.plan = plan;
        planned = plan.structure().declaredPasses();
        int[] order = new int[planned];
        for (int pass = 0; pass < planned; pass++) {
            order[pass] = plan.structure().declaredIndex(pass);
        }
        graph = handles.declared().permuted(order);
        bound = handles.bound().permuted(order);
    }

    /** Returns the declared passes that run, in the order that gives the graph its meaning. */
    List<FramePlan.PassPlan> livePasses() {
        return plan.passes().subList(0, planned).stream()
                .filter(pass -> !pass.culled())
                .toList();
    }

    int addPass(String name, PassKind kind, PassBody body, PassFlag flag) {
        int pass = graph.addPass(name, kind, -1, null);
        graph.flag(pass, flag);
        graph.setBody(pass);
        bound.setBody(pass, body);
        return pass;
    }

    void after(FramePlan.PassPlan pass, int added) {
        inserted.add(new Inserted(pass.index() + 1, added));
    }

    void before(FramePlan.PassPlan pass, int added) {
        inserted.add(new Inserted(pass.index(), added));
    }

    /** Inserts a pass after all others. */
    void last(int added) {
        inserted.add(new Inserted(planned, added));
    }

    /** Adds a buffer that outlives the frame, and returns its handle. */
    RdgBuffer extracted(String name, BufferDescription shape, Extraction extraction) {
        int index =
                graph.addResource(name, shape, Lifetime.EXTRACTED, TextureLayout.UNDEFINED, Sharing.CONCURRENT, null);
        bound.setOutside(index, null, extraction);
        return new DeclaredBuffer(handles, index, name, shape);
    }

    public DeclaredGraph graph() {
        return graph;
    }

    /** Returns what is bound to the passes of {@link #graph}. */
    public BoundFrame bound() {
        return bound;
    }

    /** Returns the passes of {@link #graph} in order; what was inserted first at a place comes first. */
    public int[] order() {
        List<Inserted> all = new ArrayList<>(inserted);
        for (int position = 0; position < planned; position++) {
            all.add(new Inserted(position, position));
        }
        // Stable: what is inserted at a place stands before the declared pass of that place.
        all.sort(Comparator.comparingInt(Inserted::position));
        return all.stream().mapToInt(Inserted::pass).toArray();
    }
}
