package io.frameloom.rdg.tools.file;

import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What passes and resources of a plan are called in files: names are for people and may repeat, identities may not. A node
 * that the compiler added for a change of layout is {@code T:} with the resource.
 */
public final class PlanNames {
    private final FramePlan plan;
    private final String[] passes;
    private final String[] resources;

    public PlanNames(FramePlan plan) {
        this.plan = plan;
        passes = unique(plan.passes().stream().map(PlanNames::inFiles).toList());
        resources = unique(plan.resources().stream().map(ResourcePlan::name).toList());
    }

    private static String inFiles(PassPlan pass) {
        boolean added = pass.level() < 0 && !pass.culled();
        return added ? pass.name().replaceFirst("^transition:", "T:") : pass.name();
    }

    private static String[] unique(List<String> names) {
        Set<String> taken = new HashSet<>();
        String[] result = new String[names.size()];
        for (int i = 0; i < result.length; i++) {
            String id = names.get(i);
            int copy = 2;
            while (!taken.add(id)) {
                id = names.get(i) + '#' + copy++;
            }
            result[i] = id;
        }
        return result;
    }

    /** Returns the name of a pass by its index. */
    public String pass(int index) {
        return passes[index];
    }

    /** Returns the name of a resource by its index. */
    public String resource(int index) {
        return resources[index];
    }

    /** Returns the names of passes. */
    public List<String> passes(List<Integer> indices) {
        return indices.stream().map(this::pass).toList();
    }

    /** Returns the names of groups of passes. */
    public List<List<String>> groups(List<List<Integer>> groups) {
        return groups.stream().map(this::passes).toList();
    }

    /** Returns the name of a queue. */
    public String queue(int index) {
        return plan.queues().queues().get(index).name();
    }

    /** Returns the name of the queue of a pass. */
    public String queueOf(int pass) {
        return queue(plan.passes().get(pass).queue());
    }

    /** Returns a part of a resource as files say it: the first and the end of each interval. */
    public static Map<String, Object> part(@Nullable SubresourceRange range, long offset, long bytes) {
        Map<String, Object> sub = new LinkedHashMap<>();
        if (range == null) {
            sub.put("bytes", List.of(offset, offset + bytes));
        } else {
            sub.put("mip", List.of(range.baseMip(), range.baseMip() + range.mipCount()));
            sub.put("layer", List.of(range.baseLayer(), range.baseLayer() + range.layerCount()));
            sub.put("plane", List.of(range.basePlane(), range.basePlane() + range.planeCount()));
        }
        return sub;
    }
}
