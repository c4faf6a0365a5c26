package io.frameloom.rdg.tools.facts;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.HeapPlan;
import io.frameloom.rdg.FramePlan.RecordingGroup;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.explain.PlacementReasons;
import io.frameloom.rdg.explain.PlanClocks;
import io.frameloom.rdg.tools.file.PlanNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Where transients lie, how good that is, and how the frame is recorded. */
final class MemoryFacts {
    private final FramePlan plan;
    private final PlanNames names;
    private final PlanClocks clocks;

    MemoryFacts(FramePlan plan, PlanNames names, PlanClocks clocks) {
        this.plan = plan;
        this.names = names;
        this.clocks = clocks;
    }

    void add(Map<String, Object> facts) {
        List<String> aliasable = new ArrayList<>();
        List<Map<String, Object>> placement = new ArrayList<>();
        PlacementReasons reasons = new PlacementReasons(CompiledPlan.of(plan), clocks);
        for (ResourcePlan resource : plan.resources()) {
            if (resource.heap() >= 0) {
                aliasable.add(names.resource(resource.index()));
                Map<String, Object> place = new LinkedHashMap<>();
                place.put("r", names.resource(resource.index()));
                place.put("heap", resource.heap());
                place.put("offset", resource.offset());
                place.put("bytes", resource.bytes());
                if (PlacementReasons.areReported(plan)) {
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
        facts.put("aliasable", aliasable);
        facts.put("placement", placement);
        facts.put(
                "recordGroups",
                plan.recordingGroups().stream()
                        .map(group -> names.passes(group.passes()))
                        .toList());
        facts.put(
                "serialGroups",
                plan.recordingGroups().stream()
                        .filter(RecordingGroup::serial)
                        .map(RecordingGroup::index)
                        .toList());
    }
}
