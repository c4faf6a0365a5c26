package io.frameloom.rdg.tools.facts;

import io.frameloom.gpu.command.LoadOp;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.tools.file.FileGraph;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

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
        for (FileGraph.Res resource : file.resources) {
            if (resource.life == Lifetime.EXTERNAL || resource.life == Lifetime.HISTORY) {
                outside.add(resource.id);
            }
        }
        for (FileGraph.Pass pass : file.passes) {
            if (pass.targets == null) {
                continue;
            }
            for (FileGraph.Target target : pass.targets) {
                if (target.load == LoadOp.LOAD && outside.contains(target.resource)) {
                    loaded.computeIfAbsent(pass.id, id -> new HashSet<>()).add(target.resource);
                }
            }
        }
    }

    /** Returns the names of the targets that the file loads and of which the plan, which knows no layout, loads nothing. */
    Set<String> names() {
        return plan.passes().stream()
                .flatMap(pass -> loaded.getOrDefault(pass.name(), Set.of()).stream()
                        .filter(name -> pass.uses().stream()
                                .noneMatch(use -> use.discard()
                                        && plan.resources()
                                                .get(use.resource())
                                                .name()
                                                .equals(name))))
                .collect(Collectors.toSet());
    }
}
