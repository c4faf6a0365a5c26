package io.frameloom.rdg.execute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.diagnostics.Breakpoint;
import io.frameloom.rdg.diagnostics.RdgWatch;
import io.frameloom.rdg.execute.touch.TouchCollector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Turns plans into {@link PlanRealisation}s: places transients, makes extracted resources, translates passes. RENDER
 * thread only.
 *
 * <p>The realisation of a plan is kept. It is handed out again while plans of the same shape with the same external
 * resources are executed and nothing in it has changed. A plan with other names takes over everything but the names.
 * Its transients are the same native objects with their old debug names, since making them again costs most. With
 * {@link RdgOptions#debug} they are made again. The host reads and writes mapped memory while other frames are on the
 * device. So a plan with mapped transients has one realisation for each slot. If frames in flight share no heaps, every
 * plan has one for each of them.
 */
final class PlanRealiser {
    private static final class Cached {
        private final int places;
        private @Nullable PlanRealisation[] realisations = new PlanRealisation[1];
        private long[] lastFrames = new long[1];

        /** No realisations. Slots whose numbers differ by a multiple of {@code places} share one. */
        private Cached(int places) {
            this.places = places;
        }

        private @Nullable PlanRealisation get(int slot) {
            int place = slot % places;
            return place < realisations.length ? realisations[place] : null;
        }

        private void use(int slot, long frame) {
            lastFrames[slot % places] = frame;
        }

        private void put(int slot, PlanRealisation realisation, long frame) {
            int place = slot % places;
            if (place >= realisations.length) {
                realisations = Arrays.copyOf(realisations, place + 1);
                lastFrames = Arrays.copyOf(lastFrames, place + 1);
            }
            realisations[place] = realisation;
            lastFrames[place] = frame;
        }

        /** Forgets what no frame since {@code oldest} has used; returns whether nothing is left. */
        private boolean forgetBefore(long oldest) {
            boolean empty = true;
            for (int place = 0; place < realisations.length; place++) {
                if (lastFrames[place] < oldest) {
                    realisations[place] = null;
                }
                empty &= realisations[place] == null;
            }
            return empty;
        }
    }

    private final GpuDevice device;
    private final QueueTopology topology;
    private final TransientHeaps heaps;
    private final ResourcePool pool;
    private final int framesInFlight;
    private final boolean heapsPerFrame;
    private final int keepFrames;
    private final Map<PlanIdentity, Cached> cache = new HashMap<>();
    /** Of the plan that was realised last. */
    private @Nullable PlanIdentity newest;

    PlanRealiser(
            GpuDevice device, TransientHeaps heaps, ResourcePool pool, FrameExecutorOptions options, int keepFrames) {
        this.device = device;
        this.topology = QueueTopology.of(device);
        this.heaps = heaps;
        this.pool = pool;
        this.framesInFlight = options.framesInFlight();
        this.heapsPerFrame = options.heapsPerFrame();
        this.keepFrames = keepFrames;
    }

    /**
     * Returns the realisation of a plan for {@code frame}.
     *
     * @throws RdgException if the plan does not fit the device, or an external resource is closed
     */
    PlanRealisation realise(CompiledPlan plan, long frame, int slot) {
        announce(plan);
        PlanIdentity former = newest;
        PlanIdentity identity = former != null && former.isOf(plan) ? former : PlanIdentity.of(plan);
        newest = identity;
        Cached cached = cache.get(identity);
        PlanRealisation known = cached == null ? null : cached.get(slot);
        if (cached != null && known != null && known.isRepeatable()) {
            cached.use(slot, frame);
            known.use(frame);
            return known;
        }
        PlanRealisation same = sameButForNames(plan, identity, frame, slot);
        PlanRealisation realisation = same == null ? build(plan, frame, slot) : same;
        if (realisation.isRepeatable()) {
            cache.computeIfAbsent(identity, key -> new Cached(places(plan))).put(slot, realisation, frame);
        }
        return realisation;
    }

    /**
     * Returns the realisation of a plan that differs in names alone, under the names of the plan; null if none is kept.
     */
    private @Nullable PlanRealisation sameButForNames(FramePlan plan, PlanIdentity identity, long frame, int slot) {
        if (plan.options().debug()) {
            return null;
        }
        for (Map.Entry<PlanIdentity, Cached> each : cache.entrySet()) {
            PlanRealisation known =
                    identity.isSameButForNames(each.getKey()) ? each.getValue().get(slot) : null;
            if (known != null && known.isRepeatable()) {
                known.use(frame);
                return new PassLabels(plan, renderPasses(plan)).onto(known);
            }
        }
        return null;
    }

    /** Returns how many realisations slots share, so that those whose numbers differ by a multiple have the same. */
    private int places(FramePlan plan) {
        if (plan.resources().stream().anyMatch(PlanRealiser::isMappedTransient)) {
            return Integer.MAX_VALUE;
        }
        return heapsPerFrame ? framesInFlight : 1;
    }

    /** Returns which heaps a slot uses: the graphs of one frame share theirs. */
    private int heapSlotOf(int slot) {
        return heapsPerFrame ? slot % framesInFlight : 0;
    }

    private static boolean isMappedTransient(FramePlan.ResourcePlan resource) {
        BufferDescription buffer = resource.bufferDescription();
        return resource.used()
                && resource.lifetime() == Lifetime.TRANSIENT
                && buffer != null
                && buffer.memory() != MemoryUsage.DEVICE;
    }

    /** Forgets the realisations that no frame since {@code frame - keepFrames} has used. */
    void forgetUnused(long frame) {
        cache.values().removeIf(cached -> cached.forgetBefore(frame - keepFrames));
    }

    void forgetAll() {
        newest = null;
        cache.clear();
    }

    private PlanRealisation build(CompiledPlan plan, long frame, int slot) {
        List<GpuQueue> queues = device.queues();
        QueueTopology compiledFor = plan.queues().ofDevice();
        if (!compiledFor.equals(topology)) {
            throw new RdgException("plan '" + plan.name() + "' is for the queues " + compiledFor + ", but the device '"
                    + device.capabilities().name() + "' has " + topology
                    + "; compile with QueueTopology.of the device that executes");
        }
        List<TransientHeaps.Heap> planHeaps = realiseHeaps(plan, frame, slot);
        List<TransientHeaps.Entry> entries = new ArrayList<>();
        @Nullable Resource[] resources = new Resource[plan.resources().size()];
        List<Resource> extracted = new ArrayList<>();
        boolean whole = false;
        try {
            realiseResources(plan, planHeaps, resources, entries, extracted, frame, slot);
            List<List<Integer>> renderPasses = renderPasses(plan);
            PassTranslation translation = new PassTranslation(plan, resources, new PassLabels(plan, renderPasses));
            @Nullable
            PassRealisation[] passes = new PassRealisation[plan.passes().size()];
            for (FramePlan.PassPlan pass : plan.passes()) {
                if (!pass.culled()) {
                    passes[pass.index()] = translation.translate(pass, renderPasses.get(pass.index()));
                }
            }
            PlanRealisation realisation = new PlanRealisation(
                    plan,
                    resources,
                    groups(plan, passes, queues),
                    batches(plan, queues),
                    planHeaps,
                    entries,
                    extracted,
                    translation.events(),
                    TouchCollector.collect(plan, resources, renderPasses));
            whole = true;
            return realisation;
        } finally {
            if (!whole) {
                extracted.forEach(resource -> pool.give(resource, 0));
            }
        }
    }

    private void realiseResources(
            FramePlan plan,
            List<TransientHeaps.Heap> planHeaps,
            @Nullable Resource[] resources,
            List<TransientHeaps.Entry> entries,
            List<Resource> extracted,
            long frame,
            int slot) {
        Map<Object, Integer> occurrences = new HashMap<>();
        for (FramePlan.ResourcePlan resource : plan.resources()) {
            if (!resource.used()) {
                continue;
            }
            int index = resource.index();
            switch (resource.lifetime()) {
                case EXTERNAL, HISTORY -> resources[index] = external(plan, resource);
                case EXTRACTED -> {
                    Resource own = extracted(resource);
                    extracted.add(own);
                    resources[index] = own;
                }
                case TRANSIENT -> {
                    int occurrence = occurrences.merge(
                            List.of(resource.name(), resource.heap(), resource.offset()), 1, Integer::sum);
                    TransientHeaps.Entry entry = placed(resource, planHeaps, occurrence, frame, slot);
                    entries.add(entry);
                    resources[index] = entry.resource();
                }
            }
        }
    }

    private static void announce(FramePlan plan) {
        RdgWatch watch = plan.options().diagnostics().watch();
        if (watch.breakpoint() != Breakpoint.RESOURCE) {
            return;
        }
        for (FramePlan.ResourcePlan resource : plan.resources()) {
            if (resource.used() && watch.breaksAtResource(Breakpoint.RESOURCE, plan.name(), resource.name())) {
                watch.listener().reached(Breakpoint.RESOURCE, plan.name(), resource.name());
            }
        }
    }

    private List<TransientHeaps.Heap> realiseHeaps(FramePlan plan, long frame, int slot) {
        List<TransientHeaps.Heap> result = new ArrayList<>();
        Map<Integer, Integer> ordinals = new HashMap<>();
        for (FramePlan.HeapPlan heap : plan.heaps()) {
            int ordinal = ordinals.merge(heap.memoryTypes(), 1, Integer::sum) - 1;
            TransientHeaps.Heap made = heaps.heap(heap.memoryTypes(), ordinal, heapSlotOf(slot), heap.bytes(), frame);
            if (heap.bytes() < heap.unsearchedBytes()) {
                made.lower(heap.bytes(), frame);
            }
            result.add(made);
        }
        return result;
    }

    private static Resource external(FramePlan plan, FramePlan.ResourcePlan resource) {
        Resource external = resource.external();
        if (external == null) {
            throw new RdgException("plan '" + plan.name() + "' names no native object for the external resource '"
                    + resource.name() + "'");
        }
        if (external.isClosed()) {
            throw new RdgException("external resource '" + resource.name() + "' of plan '" + plan.name()
                    + "' is closed; keep it open until the last frame that uses it has completed");
        }
        return external;
    }

    private Resource extracted(FramePlan.ResourcePlan resource) {
        if (resource.textureDescription() != null) {
            return pool.texture(resource.name(), resource.textureDescription());
        }
        return pool.buffer(resource.name(), bufferDescription(resource));
    }

    private TransientHeaps.Entry placed(
            FramePlan.ResourcePlan resource,
            List<TransientHeaps.Heap> planHeaps,
            int occurrence,
            long frame,
            int slot) {
        String name = resource.name();
        if (resource.lazy() && resource.textureDescription() != null) {
            return heaps.ownTexture(name, resource.textureDescription(), occurrence, heapSlotOf(slot), frame);
        }
        if (resource.heap() < 0) {
            return resource.textureDescription() != null
                    ? heaps.ownTexture(name, resource.textureDescription(), occurrence, slot, frame)
                    : heaps.ownBuffer(name, bufferDescription(resource), occurrence, slot, frame);
        }
        TransientHeaps.Heap heap = planHeaps.get(resource.heap());
        return resource.textureDescription() != null
                ? heaps.texture(heap, resource.offset(), name, resource.textureDescription(), occurrence, frame)
                : heaps.buffer(heap, resource.offset(), name, bufferDescription(resource), occurrence, frame);
    }

    private static BufferDescription bufferDescription(FramePlan.ResourcePlan resource) {
        BufferDescription description = resource.bufferDescription();
        if (description == null) {
            throw new RdgException("resource '" + resource.name() + "' of the plan has no description");
        }
        return description;
    }

    private static PlanRealisation.GroupRealisation[] groups(
            FramePlan plan, @Nullable PassRealisation[] passes, List<GpuQueue> queues) {
        PlanRealisation.GroupRealisation[] groups =
                new PlanRealisation.GroupRealisation[plan.recordingGroups().size()];
        for (int g = 0; g < groups.length; g++) {
            FramePlan.RecordingGroup group = plan.recordingGroups().get(g);
            int queue = onDevice(plan, plan.batches().get(group.batch()));
            List<PassRealisation> members = new ArrayList<>(group.passes().size());
            boolean onCaller = group.serial();
            for (int index : group.passes()) {
                PassRealisation pass = passes[index];
                if (pass == null) {
                    throw new RdgException("recording group " + g + " of plan '" + plan.name()
                            + "' contains the culled pass "
                            + plan.passes().get(index).name());
                }
                members.add(pass);
                onCaller |= pass.plan().flags().contains(PassFlag.NEVER_PARALLEL);
            }
            groups[g] = PlanRealisation.GroupRealisation.of(group.batch(), queues.get(queue), members, onCaller);
        }
        return groups;
    }

    private static PlanRealisation.BatchRealisation[] batches(FramePlan plan, List<GpuQueue> queues) {
        int count = plan.batches().size();
        List<List<Integer>> members = new ArrayList<>();
        for (int b = 0; b < count; b++) {
            members.add(new ArrayList<>());
        }
        for (FramePlan.RecordingGroup group : plan.recordingGroups()) {
            members.get(group.batch()).add(group.index());
        }
        boolean[] begun = new boolean[queues.size() + 1];
        PlanRealisation.BatchRealisation[] batches = new PlanRealisation.BatchRealisation[count];
        for (int b = 0; b < count; b++) {
            FramePlan.Batch batch = plan.batches().get(b);
            boolean host = batch.queue() == plan.queues().host();
            GpuQueue queue = queues.get(onDevice(plan, batch));
            batches[b] = new PlanRealisation.BatchRealisation(
                    queue,
                    host,
                    List.copyOf(members.get(b)),
                    batch.waits(),
                    !begun[batch.queue()],
                    new BatchNames(host ? "arm" : "submit", (host ? "host" : queue.name()) + " #" + b));
            begun[batch.queue()] = true;
        }
        return batches;
    }

    /** Returns the queue that a batch is submitted to; 0 for one of the host, of which nothing is. */
    private static int onDevice(FramePlan plan, FramePlan.Batch batch) {
        return batch.queue() == plan.queues().host() ? 0 : batch.queue();
    }

    /** Returns by pass the passes that share its render pass, none for a pass without one. */
    private static List<List<Integer>> renderPasses(FramePlan plan) {
        List<List<Integer>> result =
                new ArrayList<>(Collections.nCopies(plan.passes().size(), List.of()));
        for (FramePlan.RenderPassPlan renderPass : plan.renderPasses()) {
            renderPass.passes().forEach(pass -> result.set(pass, renderPass.passes()));
        }
        return result;
    }
}
