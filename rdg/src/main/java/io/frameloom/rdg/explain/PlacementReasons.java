package io.frameloom.rdg.explain;

import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.bind.CompiledPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Why each resource of a plan lies where it lies: whose memory it takes over, or why it shares none. Immutable; any
 * thread.
 */
public record PlacementReasons(CompiledPlan plan, PlanClocks clocks) {
    /** Names beyond these are counted. */
    private static final int NAMED = 4;
    /** Neighbours beyond these are not looked at, so that a reason takes no longer than that. */
    private static final int COMPARED = 1_000;

    private static final int MOST = 4_096;

    /** Returns whether reports have reasons for all resources of a plan: each is compared with all others. */
    public static boolean areReported(FramePlan plan) {
        return plan.resources().size() <= MOST;
    }

    /** Returns in a sentence without its subject why a resource lies where it lies. */
    public String of(ResourcePlan resource) {
        return resource.heap() < 0 ? outside(resource) : inHeap(resource);
    }

    private static String outside(ResourcePlan resource) {
        return switch (resource.lifetime()) {
            case EXTERNAL -> "is the application's, and so is its memory";
            case EXTRACTED -> "is handed to the application, so its memory is shared with nobody";
            case HISTORY -> "is for the next frame, so its memory is shared with nobody";
            case TRANSIENT -> {
                if (!resource.used()) {
                    yield "has no memory, since no pass that runs uses it";
                }
                if (resource.lazy()) {
                    yield "has lazily allocated memory, since no render pass leaves it behind";
                }
                boolean mapped = resource.bufferDescription() != null
                        && resource.bufferDescription().memory() != MemoryUsage.DEVICE;
                yield mapped
                        ? "has memory of its own, since the host maps it"
                        : "has memory of its own, since it is declared to share none";
            }
        };
    }

    private String inHeap(ResourcePlan resource) {
        if (!plan.options().aliasing()) {
            return "shares with nobody, since aliasing is off";
        }
        int[] former = plan.structure().arrays().takenOver(resource.index());
        if (former.length > 0) {
            return "takes over the memory of "
                    + named(Arrays.stream(former)
                            .mapToObj(plan.resources()::get)
                            .toList())
                    + ": all of their uses come before " + firstUses(resource);
        }
        List<ResourcePlan> sharing = new ArrayList<>();
        for (ResourcePlan other : plan.resources()) {
            if (other.index() != resource.index() && overlap(resource, other)) {
                sharing.add(other);
            }
        }
        return sharing.isEmpty()
                ? alone(resource)
                : "is the first in its bytes, taken over after it by " + named(sharing);
    }

    static boolean overlap(ResourcePlan a, ResourcePlan b) {
        return a.heap() == b.heap() && a.offset() < b.offset() + b.bytes() && b.offset() < a.offset() + a.bytes();
    }

    private String alone(ResourcePlan resource) {
        List<ResourcePlan> beside = new ArrayList<>();
        List<ResourcePlan> apart = new ArrayList<>();
        int compared = 0;
        for (ResourcePlan other : plan.resources()) {
            if (other.index() != resource.index() && other.heap() == resource.heap() && compared++ < COMPARED) {
                (clocks.precedes(other, resource) || clocks.precedes(resource, other) ? apart : beside).add(other);
            }
        }
        if (compared == 0) {
            return "is alone in its heap";
        }
        String neighbours = beside.isEmpty() ? "" : ", since in use beside " + named(beside);
        return "shares with nobody" + neighbours
                + (apart.isEmpty() ? "" : "; in use at other times and lying elsewhere: " + named(apart));
    }

    private String firstUses(ResourcePlan resource) {
        return Arrays.stream(clocks.firstUses(resource))
                .mapToObj(pass -> "'" + plan.passes().get(pass).name() + "'")
                .collect(Collectors.joining(", "));
    }

    private static String named(List<ResourcePlan> resources) {
        String names = resources.stream()
                .limit(NAMED)
                .map(resource -> "'" + resource.name() + "'")
                .collect(Collectors.joining(", "));
        return resources.size() <= NAMED ? names : names + " and " + (resources.size() - NAMED) + " more";
    }
}
