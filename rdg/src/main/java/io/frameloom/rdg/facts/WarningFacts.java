package io.frameloom.rdg.facts;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PlanWarning;
import io.frameloom.rdg.file.FileGraph;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What is allowed but looks like a mistake. */
final class WarningFacts {
    private final FramePlan plan;
    private final FileGraph file;

    WarningFacts(FramePlan plan, FileGraph file) {
        this.file = file;
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
        notTaken(warnings);
        facts.put("warnings", warnings);
    }

    /** What passes declare although the file says that they do not take it. */
    private void notTaken(List<Map<String, Object>> warnings) {
        List<FileGraph.Name> taken = file.mode().actuallyUsed();
        if (taken == null) {
            return;
        }
        Set<String> used = taken.stream().map(FileGraph.Name::text).collect(Collectors.toSet());
        for (FramePlan.PassPlan pass : plan.passes()) {
            pass.uses().stream()
                    .filter(use -> !pass.culled())
                    .map(use -> plan.resources().get(use.resource()).name())
                    .distinct()
                    .filter(name -> !used.contains(name))
                    .forEach(name -> {
                        Map<String, Object> row = new LinkedHashMap<>();
                        row.put("code", PlanWarning.Code.NOT_TAKEN.name());
                        row.put("pass", pass.name());
                        row.put("resource", name);
                        row.put("message", "pass '" + pass.name() + "' declares '" + name + "' and does not take it");
                        warnings.add(row);
                    });
        }
    }
}
