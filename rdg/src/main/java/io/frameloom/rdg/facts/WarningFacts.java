package io.frameloom.rdg.facts;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.FramePlan.UsePlan;
import io.frameloom.rdg.Lifetime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What is allowed but looks like a mistake. */
final class WarningFacts {
    private final FramePlan plan;
    private final List<Map<String, Object>> warnings = new ArrayList<>();

    WarningFacts(FramePlan plan) {
        this.plan = plan;
    }

    void add(Map<String, Object> facts) {
        for (PassPlan pass : plan.passes()) {
            if (pass.culled()) {
                warn("CULLED_PASS", "pass", pass.name(), "pass '" + pass.name() + "' is removed: " + pass.cullReason());
            }
        }
        int resources = plan.resources().size();
        boolean[] declared = new boolean[resources];
        boolean[] read = new boolean[resources];
        boolean[] written = new boolean[resources];
        for (PassPlan pass : plan.passes()) {
            for (UsePlan use : pass.uses()) {
                declared[use.resource()] = true;
                read[use.resource()] |= !pass.culled() && use.access().reads();
                written[use.resource()] |= !pass.culled() && use.access().writes();
            }
        }
        for (ResourcePlan resource : plan.resources()) {
            int r = resource.index();
            if (!declared[r]) {
                warn("UNUSED_RESOURCE", "resource", resource.name(), "no pass uses '" + resource.name() + "'");
            } else if (written[r] && !read[r] && resource.lifetime() == Lifetime.TRANSIENT) {
                warn(
                        "NEVER_READ",
                        "resource",
                        resource.name(),
                        "'" + resource.name() + "' is written, but nothing reads it");
            }
        }
        facts.put("warnings", warnings);
    }

    private void warn(String code, String subject, String name, String message) {
        Map<String, Object> warning = new LinkedHashMap<>();
        warning.put("code", code);
        warning.put(subject, name);
        warning.put("message", message);
        warnings.add(warning);
    }
}
