package io.frameloom.rdg.tools.facts;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.Batch;
import io.frameloom.rdg.FramePlan.BatchWait;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The waits of a plan whose waits hold back exact stages. */
final class WaitFacts {
    private final FramePlan plan;

    WaitFacts(FramePlan plan) {
        this.plan = plan;
    }

    void add(Map<String, Object> facts) {
        facts.put(
                "syncsNarrow",
                plan.dependencies().stream()
                        .filter(dependency -> dependency.crossQueue() && dependency.waited())
                        .map(dependency -> List.of(
                                plan.passes().get(dependency.from()).name(),
                                plan.passes().get(dependency.to()).name()))
                        .toList());
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Batch batch : plan.batches()) {
            for (BatchWait wait : batch.waits()) {
                List<Integer> source = plan.batches().get(wait.batch()).passes();
                Map<String, Object> row = new LinkedHashMap<>();
                row.put(
                        "after",
                        plan.passes().get(source.get(source.size() - 1)).name());
                row.put("before", plan.passes().get(batch.passes().get(0)).name());
                row.put("stages", StateFacts.stageNames(wait.stages()));
                rows.add(row);
            }
        }
        facts.put("waitStages", rows);
    }
}
