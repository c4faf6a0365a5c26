package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.record.BindingRules;
import io.frameloom.gpu.record.BindingSlot;
import io.frameloom.gpu.record.RecordedPipeline;
import io.frameloom.gpu.record.RecordedSet;
import io.frameloom.gpu.resource.Resource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A persistent set of bindings of the virtual device. */
final class VirtualBindingSet extends VirtualObject implements RecordedSet {
    private final int set;
    private final List<BindingSlot> slots;
    /** By the numbers of the bindings. */
    private final Map<Integer, BoundResource> resources = new HashMap<>();

    private final List<Resource> contents;
    private final long[] ranges;

    /**
     * A set for a pipeline.
     *
     * @param bound its resources by name, which were checked
     */
    VirtualBindingSet(
            SimulatedDevice device, String name, VirtualPipeline pipeline, int set, Map<String, BoundResource> bound) {
        super(device, name);
        BindingRules rules = pipeline.rules();
        this.set = set;
        this.slots = pipeline.slots(set);
        bound.forEach((binding, resource) ->
                resources.put(rules.bindings().get(rules.slot(binding)).binding(), DispatchArguments.ranges(resource)));
        this.contents = slots.stream()
                .map(slot -> Objects.requireNonNull(resources.get(slot.binding())))
                .flatMap(resource -> DispatchArguments.elements(resource).stream())
                .flatMap(element -> Stream.ofNullable(DispatchArguments.resource(element)))
                .distinct()
                .toList();
        this.ranges = rules.ranges(set, bound);
    }

    @Override
    public int set() {
        return set;
    }

    Map<Integer, BoundResource> resources() {
        return resources;
    }

    @Override
    public long[] ranges() {
        return ranges;
    }

    @Override
    public boolean fits(RecordedPipeline pipeline) {
        return slots.equals(((VirtualPipeline) pipeline).slots(set));
    }

    @Override
    public @Nullable Resource firstClosed() {
        return firstClosed(contents);
    }
}
