package io.frameloom.rdg.tools.facts;

import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.rdg.BarrierSplit;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import io.frameloom.rdg.PlanDerivation.Epoch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The states that resources go through, and the barriers between them. */
final class StateFacts {
    private final FramePlan plan;
    private final List<String> passNames = new ArrayList<>();
    /** By epoch the names of its passes, which several keys and each mip of a texture want. */
    private final List<List<String>> members = new ArrayList<>();

    StateFacts(FramePlan plan) {
        this.plan = plan;
        for (PassPlan pass : plan.passes()) {
            passNames.add(pass.name());
        }
    }

    void add(Map<String, Object> facts) {
        plan.epochs()
                .forEach(epoch ->
                        members.add(epoch.passes().stream().map(passNames::get).toList()));
        facts.put("epochs", epochs());
        facts.put("epochsPerMip", epochsPer(0));
        facts.put("epochsPerPlane", epochsPer(1));
        facts.put("layoutsOf", layouts());
        barriers(facts);
        Map<String, String> last = new LinkedHashMap<>();
        for (FramePlan.ResourcePlan resource : plan.resources()) {
            if (resource.texture() && resource.used()) {
                last.put(resource.name(), resource.finalLayout().name());
            }
        }
        facts.put("finalLayoutOf", last);
    }

    private Map<String, Set<List<String>>> epochs() {
        Map<String, Set<List<String>>> result = new LinkedHashMap<>();
        for (int e = 0; e < members.size(); e++) {
            result.computeIfAbsent(resource(plan.epochs().get(e).resource()), name -> new LinkedHashSet<>())
                    .add(members.get(e));
        }
        return result;
    }

    /** Ranges that the same passes use in the same layout have one in common, as they have their epochs. */
    private Map<String, List<String>> layouts() {
        Map<String, Set<LayoutOf>> states = new LinkedHashMap<>();
        for (Epoch epoch : plan.epochs()) {
            states.computeIfAbsent(resource(epoch.resource()), name -> new LinkedHashSet<>())
                    .add(new LayoutOf(epoch.layout().name(), epoch.passes()));
        }
        Map<String, List<String>> result = new LinkedHashMap<>();
        states.forEach((resource, all) ->
                result.put(resource, all.stream().map(LayoutOf::layout).toList()));
        return result;
    }

    /**
     * A layout of some passes.
     *
     * @param layout the layout
     * @param passes indices of the passes
     */
    private record LayoutOf(String layout, List<Integer> passes) {}

    /** Epochs of each mip or plane of the textures whose mips or planes differ. */
    private Map<String, Map<String, Set<List<String>>>> epochsPer(int axis) {
        Map<String, Map<String, Set<List<String>>>> result = new LinkedHashMap<>();
        for (int e = 0; e < members.size(); e++) {
            Epoch epoch = plan.epochs().get(e);
            SubresourceRange range = epoch.range();
            int all = count(epoch.resource(), axis);
            if (range == null || all < 2) {
                continue;
            }
            int from = axis == 0 ? range.baseMip() : range.basePlane();
            int to = from + (axis == 0 ? range.mipCount() : range.planeCount());
            Map<String, Set<List<String>>> own =
                    result.computeIfAbsent(resource(epoch.resource()), name -> new LinkedHashMap<>());
            for (int i = from; i < to; i++) {
                own.computeIfAbsent(Integer.toString(i), name -> new LinkedHashSet<>())
                        .add(members.get(e));
            }
        }
        return result;
    }

    private int count(int resource, int axis) {
        var texture = plan.resources().get(resource).textureDescription();
        return texture == null
                ? 1
                : axis == 0 ? texture.mips() : texture.format().planes();
    }

    private void barriers(Map<String, Object> facts) {
        List<Map<String, Object>> rows = new ArrayList<>();
        int calls = 0;
        for (PassPlan pass : inOrder()) {
            calls += (pass.before().isEmpty() ? 0 : 1) + (pass.after().isEmpty() ? 0 : 1);
            pass.before().forEach(barrier -> rows.add(barrier("before", pass, barrier)));
            pass.after().forEach(barrier -> rows.add(barrier("after", pass, barrier)));
        }
        facts.put("barriers", rows);
        facts.put("plannedBarriers", rows.size());
        facts.put("plannedBarrierCalls", calls);
    }

    private Map<String, Object> barrier(String where, PassPlan pass, PlanBarrier barrier) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put(where, pass.name());
        row.put("r", resource(barrier.resource()));
        boolean texture = plan.resources().get(barrier.resource()).texture();
        row.put("from", texture ? barrier.oldLayout().name() : null);
        row.put("to", texture ? barrier.newLayout().name() : null);
        row.put("sub", sub(barrier.range()));
        row.put("srcStages", stageNames(barrier.scope().srcStages()));
        row.put("dstStages", stageNames(barrier.scope().dstStages()));
        row.put("reason", barrier.reason());
        BarrierSplit split = barrier.split();
        if (split != null) {
            row.put(
                    "splitBehind",
                    split.begin() < 0 ? null : plan.passes().get(split.begin()).name());
        }
        return row;
    }

    private static Map<String, Object> sub(@Nullable SubresourceRange range) {
        Map<String, Object> sub = new LinkedHashMap<>();
        if (range != null) {
            sub.put("mip", List.of(range.baseMip(), range.baseMip() + range.mipCount()));
            sub.put("layer", List.of(range.baseLayer(), range.baseLayer() + range.layerCount()));
            sub.put("plane", List.of(range.basePlane(), range.basePlane() + range.planeCount()));
        }
        return sub;
    }

    /** Surviving and added passes in order of submission. */
    private List<PassPlan> inOrder() {
        List<PassPlan> result = new ArrayList<>();
        plan.batches()
                .forEach(batch ->
                        batch.passes().forEach(pass -> result.add(plan.passes().get(pass))));
        return result;
    }

    /** Returns the names of stages in files, sorted. */
    static List<String> stageNames(int stages) {
        TreeSet<String> names = new TreeSet<>();
        for (PipelineStage stage : PipelineStage.values()) {
            if ((stages & stage.bit()) != 0) {
                names.add(
                        switch (stage) {
                            case COMPUTE_SHADER -> "COMP";
                            case FRAGMENT_SHADER -> "FRAG";
                            case VERTEX_SHADER -> "VERT";
                            case COLOR_OUTPUT -> "COLOR_OUT";
                            default -> stage.name();
                        });
            }
        }
        return List.copyOf(names);
    }

    private String resource(int index) {
        return plan.resources().get(index).name();
    }
}
