package io.frameloom.rdg.explain;

import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.RenderPassPlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;

/**
 * Why each resource of a plan lies where it lies: whose memory it takes over, or why it shares none. Immutable; any
 * thread.
 */
public final class PlacementReasons {
    /** Names beyond these are counted. */
    private static final int NAMED = 4;
    /** Neighbours beyond these are not looked at, so that a reason takes no longer than that. */
    private static final int COMPARED = 1_000;
    /** After this number of compared pairs no more former residents are compared. */
    static final int PAIRS = COMPARED * COMPARED;

    private static final int MOST = 4_096;

    private final FramePlan plan;
    private final PlanClocks clocks;
    private final int queues;
    /** By resource and queue the first and the last pass that uses it, -1 for none. */
    private final int[] first;

    private final int[] last;

    /** Learns when each resource of a plan is in use. */
    public PlacementReasons(FramePlan plan) {
        this(plan, new PlanClocks(plan));
    }

    public PlacementReasons(FramePlan plan, PlanClocks clocks) {
        this.plan = plan;
        this.clocks = clocks;
        queues = plan.queues().queues().size();
        first = new int[plan.resources().size() * queues];
        last = new int[first.length];
        Arrays.fill(first, -1);
        Arrays.fill(last, -1);
        int[] begin = new int[plan.passes().size()];
        int[] end = new int[begin.length];
        Arrays.setAll(begin, pass -> pass);
        Arrays.setAll(end, pass -> pass);
        // The barriers of all members come before the first one.
        for (RenderPassPlan renderPass : plan.renderPasses()) {
            for (int member : renderPass.passes()) {
                begin[member] = renderPass.passes().get(0);
                end[member] = renderPass.passes().get(renderPass.passes().size() - 1);
            }
        }
        for (PassPlan pass : plan.passes()) {
            for (int use = 0; use < pass.uses().size() && !pass.culled(); use++) {
                int at = pass.uses().get(use).resource() * queues + pass.queue();
                boolean earlier = first[at] < 0 || clocks.position(begin[pass.index()]) < clocks.position(first[at]);
                boolean later = last[at] < 0 || clocks.position(end[pass.index()]) > clocks.position(last[at]);
                first[at] = earlier ? begin[pass.index()] : first[at];
                last[at] = later ? end[pass.index()] : last[at];
            }
        }
    }

    /** Returns whether to report all resources of a plan: each is compared with all others. */
    public static boolean areTold(FramePlan plan) {
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
        List<ResourcePlan> before = new ArrayList<>();
        List<ResourcePlan> behind = new ArrayList<>();
        for (ResourcePlan other : plan.resources()) {
            if (other.index() != resource.index() && other.heap() == resource.heap() && overlap(resource, other)) {
                (precedes(other, resource) ? before : behind).add(other);
            }
        }
        if (!before.isEmpty()) {
            return "takes over the memory of " + latest(before, resource) + ": all of their uses come before "
                    + firstUses(resource);
        }
        return behind.isEmpty()
                ? alone(resource)
                : "is the first in its bytes, taken over behind it by " + named(behind);
    }

    /** Names those of the former residents that have no other one between them and a resource. */
    private String latest(List<ResourcePlan> before, ResourcePlan resource) {
        List<ResourcePlan> newestFirst = new ArrayList<>(before);
        newestFirst.sort(Comparator.comparingInt(this::end).reversed());
        Latest<ResourcePlan> latest = Latest.of(newestFirst, (middle, former) -> between(former, middle, resource));
        List<ResourcePlan> kept = new ArrayList<>(latest.kept);
        kept.sort(Comparator.comparingInt(ResourcePlan::index));
        return named(kept, !latest.all);
    }

    /**
     * Those of some residents that none of the newer ones hides.
     *
     * @param kept these, newest first
     * @param all whether there are no others: beyond {@link #PAIRS} compared pairs no more residents are looked at
     */
    record Latest<T>(List<T> kept, boolean all) {
        /** Finds them, given whether the first of two hides the second. */
        static <T> Latest<T> of(List<T> newestFirst, BiPredicate<T, T> hides) {
            List<T> kept = new ArrayList<>();
            int pairs = 0;
            for (T former : newestFirst) {
                // What is hidden by one that is hidden itself is hidden by what hides that.
                boolean hidden = false;
                for (int k = 0; k < kept.size() && !hidden; k++) {
                    if (pairs++ == PAIRS) {
                        return new Latest<>(kept, false);
                    }
                    hidden = hides.test(kept.get(k), former);
                }
                if (!hidden) {
                    kept.add(former);
                }
            }
            return new Latest<>(kept, true);
        }
    }

    /** Returns the position of the last pass that uses a resource. */
    private int end(ResourcePlan resource) {
        int end = -1;
        for (int q = 0; q < queues; q++) {
            int pass = last[resource.index() * queues + q];
            end = pass < 0 ? end : Math.max(end, clocks.position(pass));
        }
        return end;
    }

    private static boolean overlap(ResourcePlan a, ResourcePlan b) {
        return a.offset() < b.offset() + b.bytes() && b.offset() < a.offset() + a.bytes();
    }

    /** Returns whether a resource has all the bytes that two others share, in time between them. */
    private boolean between(ResourcePlan former, ResourcePlan middle, ResourcePlan next) {
        long begin = Math.max(former.offset(), next.offset());
        long end = Math.min(former.offset() + former.bytes(), next.offset() + next.bytes());
        return middle.index() != former.index()
                && middle.offset() <= begin
                && end <= middle.offset() + middle.bytes()
                && precedes(former, middle);
    }

    private String alone(ResourcePlan resource) {
        List<ResourcePlan> beside = new ArrayList<>();
        List<ResourcePlan> apart = new ArrayList<>();
        int compared = 0;
        for (ResourcePlan other : plan.resources()) {
            if (other.index() != resource.index() && other.heap() == resource.heap() && compared++ < COMPARED) {
                (precedes(other, resource) || precedes(resource, other) ? apart : beside).add(other);
            }
        }
        if (compared == 0) {
            return "is alone in its heap";
        }
        String neighbours = beside.isEmpty() ? "" : ", since in use beside " + named(beside);
        return "shares with nobody" + neighbours
                + (apart.isEmpty() ? "" : "; in use at other times and lying elsewhere: " + named(apart));
    }

    /** Returns whether every use of a resource is complete before any use of another one. */
    private boolean precedes(ResourcePlan a, ResourcePlan b) {
        for (int p = 0; p < queues; p++) {
            int earlier = last[a.index() * queues + p];
            for (int q = 0; q < queues && earlier >= 0; q++) {
                int later = first[b.index() * queues + q];
                if (later >= 0 && !clocks.precedes(plan, earlier, later)) {
                    return false;
                }
            }
        }
        return true;
    }

    private String firstUses(ResourcePlan resource) {
        List<String> passes = new ArrayList<>();
        for (int q = 0; q < queues; q++) {
            int pass = first[resource.index() * queues + q];
            if (pass >= 0) {
                passes.add("'" + plan.passes().get(pass).name() + "'");
            }
        }
        return String.join(", ", passes);
    }

    private static String named(List<ResourcePlan> resources) {
        return named(resources, false);
    }

    /** Names resources, of which there may be more that were not looked at. */
    private static String named(List<ResourcePlan> resources, boolean more) {
        String names = resources.stream()
                .limit(NAMED)
                .map(resource -> "'" + resource.name() + "'")
                .collect(Collectors.joining(", "));
        if (resources.size() <= NAMED) {
            return more ? names + " and maybe others" : names;
        }
        return names + (more ? " and at least " : " and ") + (resources.size() - NAMED) + " more";
    }
}
