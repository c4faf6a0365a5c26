package io.frameloom.rdg.facts;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PlanWarning;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What is allowed but looks like a mistake. */
final class WarningFacts {
    private final FramePlan plan;

    WarningFacts(FramePlan plan) {
        this.plan = plan;
    }

    void add(Map<String, Object> facts) {
        List<Map<String, Object>> warnings = new ArrayList<>();
        for (PlanWarning warning : plan.warnings()) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("code", warning.code().name());
            row.put(warning.code() == PlanWarning.Code.CULLED_PASS ? "pass" : "resource", warning.subject());
            row.put("message", warning.message());
            warnings.add(row);
        }
        facts.put("warnings", warnings);
    }
}
