package io.frameloom.rdg.tools.facts;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.diagnostics.PlanWarning;
import io.frameloom.rdg.tools.file.FileGraph;
import java.util.ArrayList;
import java.util.HashMap;
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

    List<Map<String, Object>> rows() {
        List<Map<String, Object>> warnings = new ArrayList<>();
        for (PlanWarning warning : plan.warnings()) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("code", warning.code().name());
            row.put(warning.code() == PlanWarning.Code.CULLED_PASS ? "pass" : "resource", warning.subject());
            row.put("message", warning.message());
            warnings.add(row);
        }
        notTaken(warnings);
        return warnings;
    }

    /** What passes declare although the file says that they do not take it. */
    private void notTaken(List<Map<String, Object>> warnings) {
        List<FileGraph.Taken> said = file.mode.actuallyUsed;
        if (said == null) {
            return;
        }
        Map<String, Set<String>> byPass = new HashMap<>();
        Set<String> ofAll = null;
        for (FileGraph.Taken taken : said) {
            Set<String> names =
                    taken.resources().stream().map(FileGraph.Name::text).collect(Collectors.toSet());
            if (taken.pass() == null) {
                ofAll = names;
            } else {
                byPass.put(taken.pass().text(), names);
            }
        }
        for (FramePlan.PassPlan pass : plan.passes()) {
            Set<String> used = byPass.getOrDefault(pass.name(), ofAll);
            if (used != null && !pass.culled()) {
                notTaken(pass, used, warnings);
            }
        }
    }

    private void notTaken(FramePlan.PassPlan pass, Set<String> used, List<Map<String, Object>> warnings) {
        pass.uses().stream()
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
