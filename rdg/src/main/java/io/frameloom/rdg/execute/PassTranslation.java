package io.frameloom.rdg.execute;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.internal.RepeatedCommand;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.rdg.BarrierSplit;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RenderTargets;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.compile.barrier.SharedRenderPasses;
import io.frameloom.rdg.declare.ConditionalPass;
import io.frameloom.rdg.declare.PartedBody;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Translates passes of one plan, which name resources by index, to the native resources of its realisation. */
final class PassTranslation {
    private final CompiledPlan plan;
    private final @Nullable Resource[] resources;
    private final TargetTranslation attachments;
    private final Map<Integer, Object> overlapGroups = new HashMap<>();
    /** By pass the second halves of split barriers before it. */
    private final Map<Integer, List<PassRealisation.Half>> awaited = new HashMap<>();
    /** By pass the first halves of split barriers after it. */
    private final Map<Integer, List<PassRealisation.Half>> begun = new HashMap<>();

    private final PassLabels labels;
    private final FirstWrites firstWrites;
    private int events;

    PassTranslation(CompiledPlan plan, @Nullable Resource[] resources, PassLabels labels) {
        this.plan = plan;
        this.labels = labels;
        this.resources = resources;
        this.attachments = new TargetTranslation((pass, index) -> (Texture) resource(pass, index));
        this.firstWrites = new FirstWrites(plan, resources);
        plan.passes().forEach(this::split);
    }

    /** Translates the split barriers before a pass. Those that begin after one pass share an event. */
    private void split(FramePlan.PassPlan pass) {
        Map<Integer, List<FramePlan.PlanBarrier>> byBegin = new LinkedHashMap<>();
        for (FramePlan.PlanBarrier barrier : pass.before()) {
            BarrierSplit split = barrier.split();
            if (split != null && split.begin() >= 0) {
                byBegin.computeIfAbsent(split.begin(), p -> new ArrayList<>()).add(barrier);
            }
        }
        byBegin.forEach((begin, barriers) -> {
            PassRealisation.Half half = new PassRealisation.Half(events++, barriers(pass, barriers));
            awaited.computeIfAbsent(pass.index(), p -> new ArrayList<>()).add(half);
            begun.computeIfAbsent(begin, p -> new ArrayList<>()).add(half);
        });
    }

    /** Returns the number of events that a frame takes. */
    int events() {
        return events;
    }

    PassRealisation translate(FramePlan.PassPlan pass, List<Integer> renderPass) {
        int[] declared = pass.uses().stream()
                .mapToInt(FramePlan.UsePlan::resource)
                .sorted()
                .toArray();
        boolean begins = renderPass.isEmpty() || renderPass.get(0) == pass.index();
        boolean ends = renderPass.isEmpty() || renderPass.get(renderPass.size() - 1) == pass.index();
        RenderTargets targets = pass.targets();
        RenderingInfo rendering = targets == null ? null : attachments.rendering(pass, targets);
        if (rendering != null && plan.body(pass.index()) instanceof PartedBody) {
            rendering = rendering.withSecondaries();
        }
        List<ResourceUse> uses = uses(pass);
        return new PassRealisation(
                pass,
                repeated(
                        pass,
                        pass.before().stream()
                                .filter(barrier -> !barrier.isSplit())
                                .toList()),
                repeated(
                        pass,
                        pass.after().stream()
                                .filter(SharedRenderPasses::isOfLocalReads)
                                .toList()),
                repeated(
                        pass,
                        pass.after().stream()
                                .filter(barrier -> !SharedRenderPasses.isOfLocalReads(barrier))
                                .toList()),
                List.copyOf(awaited.getOrDefault(pass.index(), List.of())),
                List.copyOf(begun.getOrDefault(pass.index(), List.of())),
                uses,
                new RepeatedCommand<>(begins ? allUses(uses, renderPass) : List.of()),
                taken(pass),
                declared,
                rendering == null ? null : new RepeatedCommand<>(rendering),
                begins,
                ends,
                labels.of(pass),
                targets == null ? 0 : TargetTranslation.kept(pass, targets),
                targets == null ? 0 : targets.x(),
                targets == null ? 0 : targets.y(),
                targets == null ? 0 : targets.width(),
                targets == null ? 0 : targets.height());
    }

    /** Returns what a pass uses if it runs. */
    private List<ResourceUse> uses(FramePlan.PassPlan pass) {
        List<ResourceUse> uses = new ArrayList<>(pass.uses().size());
        for (FramePlan.UsePlan use : pass.uses()) {
            ResourceUse translated = use(pass, use);
            if (translated instanceof ResourceUse.OfBuffer buffer) {
                firstWrites.split(pass, use.resource(), buffer, uses);
            } else {
                uses.add(translated);
            }
        }
        return List.copyOf(uses);
    }

    /** Returns what the queue of a pass takes if the pass is left out. */
    private List<ResourceUse> taken(FramePlan.PassPlan pass) {
        if (!(plan.body(pass.index()) instanceof ConditionalPass)) {
            return List.of();
        }
        List<ResourceUse> taken = new ArrayList<>();
        for (FramePlan.UsePlan use : pass.uses()) {
            if (use(pass, use) instanceof ResourceUse.OfBuffer buffer) {
                firstWrites.splitLeftOut(pass, use.resource(), buffer, taken);
            }
        }
        return List.copyOf(taken);
    }

    /** Returns what the passes of a render pass use, the first of which uses {@code uses}. */
    private List<ResourceUse> allUses(List<ResourceUse> uses, List<Integer> renderPass) {
        if (renderPass.size() < 2) {
            return uses;
        }
        RenderPassUses all = new RenderPassUses();
        all.add(uses);
        for (int i = 1; i < renderPass.size(); i++) {
            all.add(uses(plan.passes().get(renderPass.get(i))));
        }
        return List.copyOf(all.all());
    }

    /**
     * A pass with a condition that holds clears or discards its targets where it may, and discards what it overwrites.
     */
    private ResourceUse use(FramePlan.PassPlan pass, FramePlan.UsePlan use) {
        Resource resource = resource(pass, use.resource());
        if (resource instanceof Texture texture) {
            boolean begins = TargetTranslation.begins(pass, use);
            return new ResourceUse.OfTexture(
                    texture,
                    range(pass, use.range()),
                    begins ? TargetTranslation.begun(use.access()) : use.access(),
                    use.discard()
                            || (use.discardIfRun() && !(begins && TargetTranslation.isPartly(pass, use, texture))),
                    use.layout(),
                    overlapGroup(use));
        }
        return new ResourceUse.OfBuffer(
                (Buffer) resource,
                use.offset(),
                use.bytes(),
                use.access(),
                use.discard() || use.discardIfRun(),
                overlapGroup(use));
    }

    private @Nullable Object overlapGroup(FramePlan.UsePlan use) {
        return use.overlapGroup() < 0
                ? null
                : overlapGroups.computeIfAbsent(use.overlapGroup(), number -> new Object());
    }

    private @Nullable RepeatedCommand<BarrierBatch> repeated(
            FramePlan.PassPlan pass, List<FramePlan.PlanBarrier> barriers) {
        return barriers.isEmpty() ? null : new RepeatedCommand<>(barriers(pass, barriers));
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
