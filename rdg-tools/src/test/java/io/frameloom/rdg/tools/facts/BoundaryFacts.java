package io.frameloom.rdg.tools.facts;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.FramePlan.UsePlan;
import io.frameloom.rdg.PlanDerivation.Epoch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The boundaries between states, whatever carries them: a barrier, or between queues a wait that needs none. Ranges
 * beside each other with the same boundary are one. The first use of a texture is one if its layout changes. Former
 * uses of the memory, what becomes of a resource after the frame, and changes inside of a render pass are none.
 */
final class BoundaryFacts {
    /** In files one access stands for uniforms in all of these. */
    private static final int UNIFORM_STAGES = PipelineStage.VERTEX_SHADER.bit()
            | PipelineStage.FRAGMENT_SHADER.bit()
            | PipelineStage.COMPUTE_SHADER.bit();

    private final FramePlan plan;
    private final int[] renderPassOf;
    /** By pass its uses by resource. */
    private final List<Map<Integer, List<UsePlan>>> uses = new ArrayList<>();

    private final Map<Boundary, List<long[]>> boundaries = new LinkedHashMap<>();

    /**
     * A boundary.
     *
     * @param resource index of the resource
     * @param from layout before, UNDEFINED of a buffer
     * @param to layout after it
     * @param before mask of the stages of all passes before it
     * @param stages mask of the stages of all passes after it
     * @param behind passes after it
     * @param moves whether some pass before it is on a queue that none after it is on
     */
    private record Boundary(
            int resource,
            TextureLayout from,
            TextureLayout to,
            int before,
            int stages,
            List<Integer> behind,
            boolean moves) {}

    BoundaryFacts(FramePlan plan) {
        this.plan = plan;
        renderPassOf = new int[plan.passes().size()];
        for (FramePlan.RenderPassPlan renderPass : plan.renderPasses()) {
            // The first pass of each stands for it; 0 stands for none.
            renderPass
                    .passes()
                    .forEach(pass -> renderPassOf[pass] = renderPass.passes().get(0) + 1);
        }
        for (FramePlan.PassPlan pass : plan.passes()) {
            Map<Integer, List<UsePlan>> own = new HashMap<>();
            pass.uses()
                    .forEach(use -> own.computeIfAbsent(use.resource(), r -> new ArrayList<>(1))
                            .add(use));
            uses.add(own);
        }
        Epoch former = null;
        for (Epoch epoch : plan.epochs()) {
            if (former == null || !sameRange(former, epoch)) {
                firstUse(epoch);
            } else {
                between(former, epoch);
            }
            former = epoch;
        }
    }

    private static boolean sameRange(Epoch a, Epoch b) {
        return a.resource() == b.resource() && a.offset() == b.offset() && Objects.equals(a.range(), b.range());
    }

    private void firstUse(Epoch epoch) {
        ResourcePlan resource = plan.resources().get(epoch.resource());
        if (resource.texture() && resource.initialLayout() != epoch.layout()) {
            add(epoch, discards(epoch) ? TextureLayout.UNDEFINED : resource.initialLayout(), PipelineStage.NONE, false);
        }
    }

    private void between(Epoch former, Epoch next) {
        int last = former.passes().get(former.passes().size() - 1);
        int group = renderPassOf[last];
        if (group == 0 || group != renderPassOf[next.passes().get(0)]) {
            boolean drops = former.layout() != next.layout() && discards(next);
            add(
                    next,
                    drops ? TextureLayout.UNDEFINED : former.layout(),
                    stages(former),
                    movesBetweenQueues(former.passes(), next.passes()));
        }
    }

    private void add(Epoch epoch, TextureLayout from, int before, boolean moves) {
        boundaries
                .computeIfAbsent(
                        new Boundary(
                                epoch.resource(), from, epoch.layout(), before, stages(epoch), epoch.passes(), moves),
                        key -> new ArrayList<>(1))
                .add(MergedRanges.box(epoch));
    }

    private boolean discards(Epoch epoch) {
        return epoch.write() && usesOf(epoch).stream().allMatch(UsePlan::discard);
    }

    private int stages(Epoch epoch) {
        int stages = PipelineStage.NONE;
        for (UsePlan use : usesOf(epoch)) {
            boolean uniform = use.access() == Access.UNIFORM_GRAPHICS || use.access() == Access.UNIFORM_COMPUTE;
            stages |= uniform ? UNIFORM_STAGES : use.access().stages();
        }
        return stages;
    }

    private List<UsePlan> usesOf(Epoch epoch) {
        List<UsePlan> result = new ArrayList<>(2);
        for (int pass : epoch.passes()) {
            for (UsePlan use : uses.get(pass).getOrDefault(epoch.resource(), List.of())) {
                boolean touches = (epoch.range() != null && use.range() != null)
                        ? use.range().overlaps(epoch.range())
                        : use.offset() <= epoch.offset() && epoch.offset() < use.offset() + use.bytes();
                if (touches) {
                    result.add(use);
                }
            }
        }
        return result;
    }

    void add(Map<String, Object> facts) {
        Map<String, Integer> count = new LinkedHashMap<>();
        Map<String, Integer> changes = new LinkedHashMap<>();
        Map<String, List<String>> stages = new LinkedHashMap<>();
        Map<String, String> from = new LinkedHashMap<>();
        Set<String> moved = new LinkedHashSet<>();
        List<Boundary> inOrder = new ArrayList<>(boundaries.keySet());
        inOrder.sort((a, b) -> Integer.compare(a.behind().get(0), b.behind().get(0)));
        for (Boundary boundary : inOrder) {
            String name = plan.resources().get(boundary.resource()).name();
            int ranges = MergedRanges.count(Objects.requireNonNull(boundaries.get(boundary)));
            count.merge(name, ranges, Integer::sum);
            if (boundary.from() != boundary.to()) {
                changes.merge(name, ranges, Integer::sum);
            }
            stages.put(name, StateFacts.stageNames(boundary.stages()));
            // Of a resource that moves between queues, the move to the last of them is reported.
            if (boundary.moves() || !moved.contains(name)) {
                from.put(name, boundary.from().name());
            }
            if (boundary.moves()) {
                moved.add(name);
            }
        }
        facts.put("barrierCountOf", count);
        facts.put("layoutChanges", changes);
        facts.put("dstStagesOf", stages);
        facts.put("fromLayoutOf", from);
    }

    private boolean movesBetweenQueues(List<Integer> before, List<Integer> behind) {
        return before.stream()
                .anyMatch(earlier -> behind.stream()
                        .noneMatch(later -> plan.passes().get(earlier).queue()
                                == plan.passes().get(later).queue()));
    }
}
