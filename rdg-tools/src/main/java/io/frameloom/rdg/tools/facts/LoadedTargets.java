package io.frameloom.rdg.tools.facts;

import io.frameloom.gpu.command.LoadOp;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.tools.file.FileGraph;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The targets that a file says are loaded though it does not say in which layout they come. In a file an external
 * resource has contents. A plan takes what comes in no layout for empty, as for the image of a swapchain.
 */
final class LoadedTargets {
    private final FramePlan plan;
    /** By name of a pass the resources from outside that it loads. */
    private final Map<String, Set<String>> loaded = new HashMap<>();

    LoadedTargets(FramePlan plan, FileGraph file) {
        this.plan = plan;
        Set<String> outside = new HashSet<>();
        for (FileGraph.Res resource : file.resources()) {
            if (resource.life() == FileGraph.Life.EXTERNAL || resource.life() == FileGraph.Life.HISTORY) {
                outside.add(resource.id());
            }
        }
        for (FileGraph.Pass pass : file.passes()) {
            if (pass.targets() == null) {
                continue;
            }
            for (FileGraph.Target target : pass.targets()) {
                if (target.load() == LoadOp.LOAD && outside.contains(target.resource())) {
                    loaded.computeIfAbsent(pass.id(), id -> new HashSet<>()).add(target.resource());
                }
            }
        }
    }

    /** Returns what the file means by the operation that the plan has for a target. */
    LoadOp op(PassPlan pass, int resource, LoadOp planned) {
        return planned == LoadOp.DONT_CARE
                        && loaded.getOrDefault(pass.name(), Set.of())
                                .contains(plan.resources().get(resource).name())
                        && pass.uses().stream().noneMatch(use -> use.resource() == resource && use.discard())
                ? LoadOp.LOAD
                : planned;
    }
}
