package io.frameloom.rdg.execute;

import io.frameloom.gpu.BarrierBatch;
import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.RenderingInfo;
import io.frameloom.gpu.Resource;
import io.frameloom.gpu.ResourceUse;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RenderTargets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Translates passes of one plan, which name resources by index, to the native resources of its realisation. */
final class PassTranslation {
    private final PlanWork work;
    private final FramePlan plan;
    private final @Nullable Resource[] resources;
    private final TargetTranslation attachments;
    private final Map<Integer, Object> overlapGroups = new HashMap<>();
    private final SplitHalves halves;
    private final PassLabels labels;
    private final FirstWrites firstWrites;

    PassTranslation(PlanWork work, @Nullable Resource[] resources, PassLabels labels) {
        this.work = work;
        this.plan = work.plan();
        this.labels = labels;
        this.resources = resources;
        this.attachments = new TargetTranslation((pass, index) -> (Texture) resource(pass, index));
        this.halves = new SplitHalves(plan, this::barriers);
        this.firstWrites = new FirstWrites(plan, resources);
    }

    /** Returns the number of events that a frame takes. */
    int events() {
        return halves.events();
    }

    PassRealisation translate(FramePlan.PassPlan pass, List<Integer> renderPass) {
        BitSet declared = new BitSet(resources.length);
        for (FramePlan.UsePlan use : pass.uses()) {
            declared.set(use.resource());
        }
        boolean begins = renderPass.isEmpty() || renderPass.get(0) == pass.index();
        boolean ends = renderPass.isEmpty() || renderPass.get(renderPass.size() - 1) == pass.index();
        RenderTargets targets = pass.targets();
        RenderingInfo rendering = targets == null || pass.flags().contains(PassFlag.SKIP_RENDER_PASS)
                ? null
                : attachments.rendering(pass.name(), targets);
        if (rendering != null && work.body(pass.index()) instanceof PartedBody) {
            rendering = rendering.withSecondaries();
        }
        return new PassRealisation(
                pass,
                barriers(
                        pass,
                        pass.before().stream()
                                .filter(barrier -> !barrier.isSplit())
                                .toList()),
                barriers(pass, pass.after()),
                halves.awaitedBefore(pass.index()),
                halves.begunBehind(pass.index()),
                begins ? uses(pass, renderPass) : List.of(),
                declared,
                rendering,
                begins,
                ends,
                labels.of(pass),
                targets == null ? 0 : targets.x(),
                targets == null ? 0 : targets.y(),
                targets == null ? 0 : targets.width(),
                targets == null ? 0 : targets.height());
    }

    /** The uses of a pass and of those that share its render pass; of one range, what all of them do with it. */
    private List<ResourceUse> uses(FramePlan.PassPlan pass, List<Integer> renderPass) {
        List<ResourceUse> uses = new ArrayList<>(pass.uses().size());
        for (FramePlan.UsePlan use : pass.uses()) {
            add(uses, pass, use);
        }
        for (int i = 1; i < renderPass.size(); i++) {
            FramePlan.PassPlan member = plan.passes().get(renderPass.get(i));
            for (FramePlan.UsePlan use : member.uses()) {
                if (!covered(uses, use(member, use))) {
                    add(uses, member, use);
                }
            }
        }
        return List.copyOf(uses);
    }

    private void add(List<ResourceUse> uses, FramePlan.PassPlan pass, FramePlan.UsePlan use) {
        ResourceUse translated = use(pass, use);
        if (translated instanceof ResourceUse.OfBuffer buffer) {
            firstWrites.split(pass, use.resource(), buffer, uses);
        } else {
            uses.add(translated);
        }
    }

    /** A target that the first pass begins anew is not loaded for the later ones: they see what is in the pass. */
    private static boolean covered(List<ResourceUse> uses, ResourceUse later) {
        for (ResourceUse use : uses) {
            if (use.equals(later)
                    || (use instanceof ResourceUse.OfTexture first
                            && later instanceof ResourceUse.OfTexture second
                            && first.resource() == second.resource()
                            && first.range().equals(second.range())
                            && first.access().layout() == second.access().layout()
                            && isTarget(first)
                            && isTarget(second))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isTarget(ResourceUse.OfTexture use) {
        return use.access().layout() == TextureLayout.COLOR || use.access().layout() == TextureLayout.DEPTH;
    }

    private ResourceUse use(FramePlan.PassPlan pass, FramePlan.UsePlan use) {
        Resource resource = resource(pass, use.resource());
        if (resource instanceof Texture texture) {
            return new ResourceUse.OfTexture(
                    texture, range(pass, use.range()), use.access(), use.discard(), use.layout(), overlapGroup(use));
        }
        return new ResourceUse.OfBuffer(
                (Buffer) resource, use.offset(), use.bytes(), use.access(), use.discard(), overlapGroup(use));
    }

    private @Nullable Object overlapGroup(FramePlan.UsePlan use) {
        return use.overlapGroup() < 0
                ? null
                : overlapGroups.computeIfAbsent(use.overlapGroup(), number -> new Object());
    }

    private BarrierBatch barriers(FramePlan.PassPlan pass, List<FramePlan.PlanBarrier> barriers) {
        List<BarrierBatch.TextureBarrier> textures = new ArrayList<>();
        List<BarrierBatch.BufferBarrier> buffers = new ArrayList<>();
        Set<BarrierBatch.GlobalBarrier> globals = new LinkedHashSet<>();
        for (FramePlan.PlanBarrier barrier : barriers) {
            Resource resource = resource(pass, barrier.resource());
            if (barrier.allMemory()) {
                globals.add(new BarrierBatch.GlobalBarrier(barrier.scope()));
            }
            if (resource instanceof Texture texture) {
                textures.add(new BarrierBatch.TextureBarrier(
                        texture,
                        range(pass, barrier.range()),
                        barrier.scope(),
                        barrier.oldLayout(),
                        barrier.newLayout(),
                        barrier.ownership()));
            } else if (!barrier.allMemory()) {
                buffers.add(new BarrierBatch.BufferBarrier(
                        (Buffer) resource, barrier.offset(), barrier.bytes(), barrier.scope(), barrier.ownership()));
            }
        }
        return new BarrierBatch(textures, buffers, List.copyOf(globals));
    }

    private SubresourceRange range(FramePlan.PassPlan pass, @Nullable SubresourceRange range) {
        if (range == null) {
            throw new RdgException(
                    "pass '" + pass.name() + "' of plan '" + plan.name() + "' uses a texture without a range");
        }
        return range;
    }

    private Resource resource(FramePlan.PassPlan pass, int index) {
        return resource(pass.name(), index);
    }

    private Resource resource(String pass, int index) {
        Resource resource = resources[index];
        if (resource == null) {
            throw new RdgException("pass '" + pass + "' of plan '" + plan.name() + "' uses resource '"
                    + plan.resources().get(index).name() + "', which the plan marks as unused");
        }
        return resource;
    }
}
