package io.frameloom.rdg.declare;

import io.frameloom.gpu.resource.Resource;
import io.frameloom.rdg.Extraction;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.RdgSetupTask;
import io.frameloom.rdg.RdgUniformBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one frame binds to its plan, by pass and resource of a {@link DeclaredGraph}: bodies, uniform buffers and setup
 * tasks, where resources come from and where they go. It decides nothing about the plan. One thread at a time.
 */
public final class BoundFrame {
    private static final int ROOM = 16;

    /** What the application has to do with one resource; one of the two may be null. */
    public record Outside(
            int resource,
            @Nullable Resource external,
            @Nullable Extraction extraction) {}

    private @Nullable PassBody[] bodies = new PassBody[ROOM];
    /** By pass; of the passes up to the last one that ever had any. */
    private final List<List<RdgUniformBuffer>> uniforms = new ArrayList<>(0);

    private final List<List<RdgSetupTask>> setups = new ArrayList<>(0);
    /** By pass, as {@link #uniforms}. */
    private final List<List<Counting>> countings = new ArrayList<>(0);

    private boolean anyUniforms;
    private boolean anySetups;
    private boolean anyCountings;

    private @Nullable Resource[] externals = new Resource[ROOM];
    private @Nullable Extraction[] extractions = new Extraction[ROOM];
    /** The resources that come from outside or go there. */
    private final BitSet outside = new BitSet(0);

    private final List<FrameUse> uses = new ArrayList<>(0);

    /** Resources that may stay unused. */
    private final BitSet unwarned = new BitSet(0);
    /** As it was when a plan was last given them; never changed. */
    private BitSet unwarnedOfPlan = new BitSet(0);

    public BoundFrame() {}

    /** Forgets everything, and lets go of all that the application gave to the passes of the frame. */
    void clear(int passes) {
        Arrays.fill(bodies, 0, Math.min(passes, bodies.length), null);
        if (anyUniforms) {
            uniforms.forEach(List::clear);
            anyUniforms = false;
        }
        if (anySetups) {
            setups.forEach(List::clear);
            anySetups = false;
        }
        if (anyCountings) {
            countings.forEach(List::clear);
            anyCountings = false;
        }
        for (int r = outside.nextSetBit(0); r >= 0; r = outside.nextSetBit(r + 1)) {
            externals[r] = null;
            extractions[r] = null;
        }
        outside.clear();
        uses.clear();
        unwarned.clear();
    }

    public void setBody(int pass, PassBody body) {
        if (pass >= bodies.length) {
            bodies = Arrays.copyOf(bodies, Math.max(pass + 1, 2 * bodies.length));
        }
        bodies[pass] = body;
    }

    /** Returns the body of a pass, or null if it has none yet. */
    public @Nullable PassBody body(int pass) {
        return pass < bodies.length ? bodies[pass] : null;
    }

    void addUniform(int pass, RdgUniformBuffer buffer) {
        add(uniforms, pass, buffer);
        anyUniforms = true;
    }

    void addSetup(int pass, RdgSetupTask task) {
        add(setups, pass, task);
        anySetups = true;
    }

    void addCounting(int pass, Counting counting) {
        add(countings, pass, counting);
        anyCountings = true;
    }

    private static <T> void add(List<List<T>> lists, int pass, T added) {
        while (pass >= lists.size()) {
            lists.add(new ArrayList<>(0));
        }
        lists.get(pass).add(added);
    }

    /** Returns the uniform buffers that a pass reads, as long as the frame is declared. */
    public List<RdgUniformBuffer> uniforms(int pass) {
        return pass < uniforms.size() ? uniforms.get(pass) : List.of();
    }

    /** Returns the setup tasks that a pass is recorded after, as long as the frame is declared. */
    public List<RdgSetupTask> setups(int pass) {
        return pass < setups.size() ? setups.get(pass) : List.of();
    }

    /** Returns the queries that a pass counts, as long as the frame is declared. */
    public List<Counting> countings(int pass) {
        return pass < countings.size() ? countings.get(pass) : List.of();
    }

    public boolean anyCountings() {
        return anyCountings;
    }

    public boolean anyUniforms() {
        return anyUniforms;
    }

    /** Returns whether any pass is recorded after setup tasks. */
    public boolean anySetups() {
        return anySetups;
    }

    /** Binds a resource to what it comes from and where it goes, null for nothing. */
    public void setOutside(int resource, @Nullable Resource external, @Nullable Extraction extraction) {
        if (external == null && extraction == null) {
            return;
        }
        if (resource >= externals.length) {
            int room = Math.max(resource + 1, 2 * externals.length);
            externals = Arrays.copyOf(externals, room);
            extractions = Arrays.copyOf(extractions, room);
        }
        externals[resource] = external;
        extractions[resource] = extraction;
        outside.set(resource);
    }

    /** Returns the application's resource, or null. */
    public @Nullable Resource external(int resource) {
        return resource < externals.length ? externals[resource] : null;
    }

    /** Returns where a resource goes, or null. */
    public @Nullable Extraction extraction(int resource) {
        return resource < extractions.length ? extractions[resource] : null;
    }

    public List<Outside> outside() {
        if (outside.isEmpty()) {
            return List.of();
        }
        List<Outside> result = new ArrayList<>(outside.cardinality());
        for (int r = outside.nextSetBit(0); r >= 0; r = outside.nextSetBit(r + 1)) {
            result.add(new Outside(r, externals[r], extractions[r]));
        }
        return result;
    }

    /** Adds what takes part in the execution of the frame. */
    public void addUse(FrameUse use) {
        uses.add(use);
    }

    /** Returns what takes part in the execution of the frame, as long as it is declared. */
    public List<FrameUse> uses() {
        return uses.isEmpty() ? List.of() : List.copyOf(uses);
    }

    void mayStayUnused(int resource) {
        unwarned.set(resource);
    }

    /** Returns the resources that may stay unused, as declared until now: the same set as long as they are the same. */
    public BitSet unwarned() {
        if (!unwarnedOfPlan.equals(unwarned)) {
            unwarnedOfPlan = (BitSet) unwarned.clone();
        }
        return unwarnedOfPlan;
    }

    public void addPassOf(BoundFrame other, int of, int pass) {
        PassBody body = other.body(of);
        if (body != null) {
            setBody(pass, body);
        }
        other.uniforms(of).forEach(buffer -> addUniform(pass, buffer));
        other.setups(of).forEach(task -> addSetup(pass, task));
        other.countings(of).forEach(counting -> addCounting(pass, counting));
    }

    /** Returns the same with what is bound to the passes in an order. */
    public BoundFrame permuted(int[] order) {
        BoundFrame result = new BoundFrame();
        for (int i = 0; i < order.length; i++) {
            result.addPassOf(this, order[i], i);
        }
        outside().forEach(bound -> result.setOutside(bound.resource, bound.external, bound.extraction));
        result.uses.addAll(uses);
        result.unwarned.or(unwarned);
        result.unwarnedOfPlan = unwarned();
        return result;
    }
}
