package io.frameloom.rdg.tools.facts;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.HeapPlan;
import io.frameloom.rdg.FramePlan.RecordingGroup;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.explain.PlacementReasons;
import io.frameloom.rdg.explain.PlanClocks;
import io.frameloom.rdg.tools.file.FileGraph;
import io.frameloom.rdg.tools.file.LeftOut;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Where transients lie, how good that is, and how the frame is recorded. */
final class MemoryFacts {
    private final FramePlan plan;
    private final PlanClocks clocks;
    private final FileGraph file;

    MemoryFacts(FramePlan plan, PlanClocks clocks, FileGraph file) {
        this.plan = plan;
        this.clocks = clocks;
        this.file = file;
    }

    void add(Map<String, Object> facts) {
        List<String> aliasable = new ArrayList<>();
        List<Map<String, Object>> placement = new ArrayList<>();
        PlacementReasons reasons = new PlacementReasons(plan, clocks);
        for (ResourcePlan resource : plan.resources()) {
            if (resource.heap() >= 0) {
                aliasable.add(resource.name());
                Map<String, Object> place = new LinkedHashMap<>();
                place.put("r", resource.name());
                place.put("heap", resource.heap());
                place.put("offset", resource.offset());
                place.put("bytes", resource.bytes());
                if (PlacementReasons.areTold(plan)) {
                    place.put("reason", reasons.of(resource));
                }
                placement.add(place);
            }
        }
        facts.put("noAlias", plan.transientBytesWithoutAliasing());
        facts.put(
                "lowerBound",
                plan.heaps().stream().mapToLong(HeapPlan::lowerBound).sum());
        facts.put("heapBytes", plan.heapBytes());
        optimum(facts);
        facts.put("aliasable", aliasable);
        facts.put("placement", placement);
        facts.put(
                "recordGroups",
                plan.recordingGroups().stream()
                        .map(group -> group.passes().stream()
                                .map(pass -> plan.passes().get(pass).name())
                                .toList())
                        .toList());
        facts.put(
                "serialGroups",
                plan.recordingGroups().stream()
                        .filter(RecordingGroup::serial)
                        .map(RecordingGroup::index)
                        .toList());
    }

    /** The fewest bytes that hold the transients; left out if there are too many to tell. */
    private void optimum(Map<String, Object> facts) {
        long[] alignments =
                file.resources().stream().mapToLong(FileGraph.Res::align).toArray();
        long sum = 0;
        for (int heap = 0; heap < plan.heaps().size(); heap++) {
            OptionalLong fewest = ExactPlacement.of(plan, clocks, heap, alignments);
            if (fewest.isEmpty()) {
                LeftOut.add(facts, "optimum", "too many transients to try every placement");
                return;
            }
            sum += fewest.getAsLong();
        }
        facts.put("optimum", sum);
    }
}
