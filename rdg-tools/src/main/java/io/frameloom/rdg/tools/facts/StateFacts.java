package io.frameloom.rdg.tools.facts;

import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PlanDerivation.Epoch;
import io.frameloom.rdg.tools.file.PlanNames;
import io.frameloom.rdg.tools.file.StageNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The states that resources go through. */
final class StateFacts {
    private final FramePlan plan;
    private final PlanNames names;
    private final Map<String, Set<List<String>>> epochs = new LinkedHashMap<>();
    private final Map<String, Map<String, Set<List<String>>>> perMip = new LinkedHashMap<>();
    private final Map<String, Map<String, Set<List<String>>>> perPlane = new LinkedHashMap<>();
    /** Ranges that the same passes use in the same layout have one in common, as they have their epochs. */
    private final Map<String, Map<List<Object>, String>> layouts = new LinkedHashMap<>();

    private final List<Map<String, Object>> rows = new ArrayList<>();

    StateFacts(FramePlan plan, PlanNames names) {
        this.plan = plan;
        this.names = names;
        plan.epochs().forEach(this::epoch);
    }

    private void epoch(Epoch epoch) {
        String resource = names.resource(epoch.resource());
        List<String> passes = names.passes(epoch.passes());
        epochs.computeIfAbsent(resource, name -> new LinkedHashSet<>()).add(passes);
        layouts.computeIfAbsent(resource, name -> new LinkedHashMap<>())
                .put(List.of(epoch.layout(), passes), epoch.layout().name());
        SubresourceRange range = epoch.range();
        TextureDescription texture = plan.resources().get(epoch.resource()).textureDescription();
        if (range != null && texture != null) {
            each(perMip, resource, texture.mips(), range.baseMip(), range.mipCount(), passes);
            each(perPlane, resource, texture.format().planes(), range.basePlane(), range.planeCount(), passes);
        }
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("r", resource);
        row.put("sub", PlanNames.part(range, epoch.offset(), epoch.bytes()));
        row.put("write", epoch.write());
        row.put("layout", epoch.layout().name());
        row.put("passes", passes);
        rows.add(row);
    }

    /** Mips or planes of the textures that have several. */
    private static void each(
            Map<String, Map<String, Set<List<String>>>> result,
            String resource,
            int all,
            int base,
            int count,
            List<String> passes) {
        for (int i = base; all > 1 && i < base + count; i++) {
            result.computeIfAbsent(resource, name -> new LinkedHashMap<>())
                    .computeIfAbsent(Integer.toString(i), name -> new LinkedHashSet<>())
                    .add(passes);
        }
    }

    void add(Map<String, Object> facts) {
        facts.put("states", rows);
        facts.put("epochs", epochs);
        facts.put("epochsPerMip", perMip);
        facts.put("epochsPerPlane", perPlane);
        Map<String, List<String>> layoutsOf = new LinkedHashMap<>();
        layouts.forEach((resource, all) -> layoutsOf.put(resource, List.copyOf(all.values())));
        facts.put("layoutsOf", layoutsOf);
        Map<String, String> last = new LinkedHashMap<>();
        for (FramePlan.ResourcePlan resource : plan.resources()) {
            if (resource.texture() && resource.used()) {
                last.put(
                        names.resource(resource.index()), resource.finalLayout().name());
            }
        }
        facts.put("finalLayoutOf", last);
    }

    /** Returns the names of stages in files, sorted. */
    static List<String> stageNames(int stages) {
        TreeSet<String> names = new TreeSet<>();
        for (PipelineStage stage : PipelineStage.values()) {
            if ((stages & stage.bit()) != 0) {
                names.add(StageNames.of(stage));
            }
        }
        return List.copyOf(names);
    }
}
