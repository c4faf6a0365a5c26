package io.frameloom.rdg.execute;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.internal.RepeatedCommand;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RenderTargets;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.compile.barrier.Barriers;
import io.frameloom.rdg.compile.plan.PlanArrays;
import io.frameloom.rdg.compile.plan.PlanUses;
import io.frameloom.rdg.declare.ConditionalPass;
import io.frameloom.rdg.declare.PartedBody;
import java.util.ArrayList;
import java.util.Arrays;
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
    private final PlanArrays arrays;
    private final PlanUses uses;
    private final Barriers barriers;
    private final @Nullable Resource[] resources;
    private final TargetTranslation attachments;
    private final Map<Integer, Object> overlapGroups = new HashMap<>();
    /** By pass the second halves of split barriers before it. */
    private final Map<Integer, List<PassRealisation.Half>> awaited = new HashMap<>();
    /** By pass the first halves of split barriers after it. */
    private final Map<Integer, List<PassRealisation.Half>> begun = new HashMap<>();

    private final PassLabels labels;
    private final FirstWrites firstWrites;
    // Of the pass at hand.
    private final Command before = new Command();
    private final Command stored = new Command();
    private final Command after = new Command();
    private int events;

    PassTranslation(CompiledPlan plan, @Nullable Resource[] resources, PassLabels labels) {
        this.plan = plan;
        this.labels = labels;
        this.resources = resources;
        this.arrays = plan.structure().arrays();
        this.uses = arrays.uses();
        this.barriers = arrays.barriers();
        this.attachments = new TargetTranslation(uses, (pass, index) -> (Texture) resource(pass, index));
        this.firstWrites = new FirstWrites(plan, resources);
        if (plan.options().policy().splitBarriers()) {
            plan.passes().forEach(this::split);
        }
    }

    /** Translates the split barriers before a pass. Those that begin after one pass share an event. */
    private void split(FramePlan.PassPlan pass) {
        Map<Integer, Command> byBegin = new LinkedHashMap<>();
        for (int box : arrays.barriersBefore(pass.index())) {
            if (barriers.begin(box) >= 0) {
                byBegin.computeIfAbsent(barriers.begin(box), p -> new Command()).add(pass, box);
            }
        }
        byBegin.forEach((begin, command) -> {
            PassRealisation.Half half = new PassRealisation.Half(events++, command.take());
            awaited.computeIfAbsent(pass.index(), p -> new ArrayList<>()).add(half);
            begun.computeIfAbsent(begin, p -> new ArrayList<>()).add(half);
        });
    }

    /** Returns the number of events that a frame takes. */
    int events() {
        return events;
    }

    PassRealisation translate(FramePlan.PassPlan pass, List<Integer> renderPass) {
        boolean begins = renderPass.isEmpty() || renderPass.get(0) == pass.index();
        boolean ends = renderPass.isEmpty() || renderPass.get(renderPass.size() - 1) == pass.index();
        RenderTargets targets = pass.targets();
        RenderingInfo rendering = targets == null ? null : attachments.rendering(pass, targets);
        if (rendering != null && plan.body(pass.index()) instanceof PartedBody) {
            rendering = rendering.withSecondaries();
        }
        for (int box : arrays.barriersBefore(pass.index())) {
            if (barriers.begin(box) < 0) {
                before.add(pass, box);
            }
        }
        for (int box : arrays.barriersAfter(pass.index())) {
            (barriers.isOfLocalReads(box) ? stored : after).add(pass, box);
        }
        List<ResourceUse> own = uses(pass);
        return new PassRealisation(
                pass,
                before.repeated(),
                stored.repeated(),
                after.repeated(),
                List.copyOf(awaited.getOrDefault(pass.index(), List.of())),
                List.copyOf(begun.getOrDefault(pass.index(), List.of())),
                own,
                new RepeatedCommand<>(begins ? allUses(own, renderPass) : List.of()),
                taken(pass),
                declared(pass),
                rendering == null ? null : new RepeatedCommand<>(rendering),
                begins,
                ends,
                labels.of(pass),
                targets == null ? 0 : attachments.kept(pass, targets),
                targets == null ? 0 : targets.x(),
                targets == null ? 0 : targets.y(),
                targets == null ? 0 : targets.width(),
                targets == null ? 0 : targets.height());
    }

    /** Returns the resources that the body of a pass may take, sorted. */
    private int[] declared(FramePlan.PassPlan pass) {
        int first = uses.first(pass.index());
        int[] declared = new int[uses.end(pass.index()) - first];
        Arrays.setAll(declared, at -> uses.resource(first + at));
        Arrays.sort(declared);
        return declared;
    }

    /** Returns what a pass uses if it runs. */
    private List<ResourceUse> uses(FramePlan.PassPlan pass) {
        int end = uses.end(pass.index());
        List<ResourceUse> result = new ArrayList<>(end - uses.first(pass.index()));
        for (int use = uses.first(pass.index()); use < end; use++) {
            ResourceUse translated = use(pass, use);
            if (translated instanceof ResourceUse.OfBuffer buffer) {
                firstWrites.split(pass, uses.resource(use), buffer, result);
            } else {
                result.add(translated);
            }
        }
        return List.copyOf(result);
    }

    /** Returns what the queue of a pass takes if the pass is left out. */
    private List<ResourceUse> taken(FramePlan.PassPlan pass) {
        if (!(plan.body(pass.index()) instanceof ConditionalPass)) {
            return List.of();
        }
        List<ResourceUse> taken = new ArrayList<>();
        for (int use = uses.first(pass.index()); use < uses.end(pass.index()); use++) {
            if (use(pass, use) instanceof ResourceUse.OfBuffer buffer) {
                firstWrites.splitLeftOut(pass, uses.resource(use), buffer, taken);
            }
        }
        return List.copyOf(taken);
    }

    /** Returns what the passes of a render pass use, the first of which uses {@code first}. */
    private List<ResourceUse> allUses(List<ResourceUse> first, List<Integer> renderPass) {
        if (renderPass.size() < 2) {
            return first;
        }
        RenderPassUses all = new RenderPassUses();
        all.add(first);
        for (int i = 1; i < renderPass.size(); i++) {
            all.add(uses(plan.passes().get(renderPass.get(i))));
        }
        return List.copyOf(all.all());
    }

    /**
     * A pass with a condition that holds clears or discards its targets where it may, and discards what it overwrites.
     */
    private ResourceUse use(FramePlan.PassPlan pass, int use) {
        Resource resource = resource(pass, uses.resource(use));
        Access access = uses.access(use);
        boolean discard = uses.isDiscard(use);
        boolean discardIfRun = uses.isDiscardIfRun(use);
        if (resource instanceof Texture texture) {
            boolean begins = attachments.begins(pass, use);
            return new ResourceUse.OfTexture(
                    texture,
                    range(pass, uses.range(use)),
                    begins ? TargetTranslation.begun(access) : access,
                    discard || (discardIfRun && !(begins && attachments.isPartly(pass, use, texture))),
                    uses.layout(use),
                    overlapGroup(use));
        }
        return new ResourceUse.OfBuffer(
                (Buffer) resource,
                uses.offset(use),
                uses.bytes(use),
                access,
                discard || discardIfRun,
                overlapGroup(use));
    }

    private @Nullable Object overlapGroup(int use) {
        int group = uses.overlapGroup(use);
        return group < 0 ? null : overlapGroups.computeIfAbsent(group, number -> new Object());
    }

    /** Barriers that are recorded as one command. */
    private final class Command {
        private final List<BarrierBatch.TextureBarrier> textures = new ArrayList<>();
        private final List<BarrierBatch.BufferBarrier> buffers = new ArrayList<>();
        private final Set<BarrierBatch.GlobalBarrier> globals = new LinkedHashSet<>();

        void add(FramePlan.PassPlan pass, int box) {
            Resource resource = resource(pass, barriers.resource(box));
            boolean allMemory = barriers.isOfAllMemory(box);
            if (allMemory) {
                globals.add(new BarrierBatch.GlobalBarrier(barriers.scope(box)));
            }
            if (resource instanceof Texture texture) {
                textures.add(new BarrierBatch.TextureBarrier(
                        texture,
                        range(pass, barriers.range(box)),
                        barriers.scope(box),
                        barriers.oldLayout(box),
                        barriers.newLayout(box),
                        barriers.ownership(box)));
            } else if (!allMemory) {
                buffers.add(new BarrierBatch.BufferBarrier(
                        (Buffer) resource,
                        barriers.offset(box),
                        barriers.bytes(box),
                        barriers.scope(box),
                        barriers.ownership(box)));
            }
        }

        BarrierBatch take() {
            BarrierBatch batch = new BarrierBatch(textures, buffers, List.copyOf(globals));
            textures.clear();
            buffers.clear();
            globals.clear();
            return batch;
        }

        /** Returns the command, null for no barriers, and forgets them. */
        @Nullable
        RepeatedCommand<BarrierBatch> repeated() {
            boolean none = textures.isEmpty() && buffers.isEmpty() && globals.isEmpty();
            return none ? null : new RepeatedCommand<>(take());
        }
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
