package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.record.BindingSlot;
import io.frameloom.gpu.record.Perishable;
import io.frameloom.gpu.resource.Resource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A persistent set of bindings of the virtual device. */
final class VirtualBindingSet implements BindingSet, VirtualObject, Perishable {
    private final SimulatedDevice device;
    private final String name;
    private final int set;
    private final List<BindingSlot> slots;
    private final Map<Integer, BoundResource> resources;
    /** Its resources, element by element in the order of the slots. */
    private final List<BoundResource> elements;

    private final List<Resource> contents;
    private final long[] ranges;
    private final AtomicBoolean closed = new AtomicBoolean();

    VirtualBindingSet(
            SimulatedDevice device,
            String name,
            int set,
            List<BindingSlot> slots,
            Map<Integer, BoundResource> resources,
            long[] ranges) {
        this.device = device;
        this.name = name;
        this.set = set;
        this.slots = slots;
        this.resources = Map.copyOf(resources);
        this.elements = slots.stream()
                .map(slot -> Objects.requireNonNull(resources.get(slot.binding())))
                .flatMap(resource -> DispatchArguments.elements(resource).stream())
                .toList();
        Set<Resource> distinct = new LinkedHashSet<>();
        for (BoundResource element : elements) {
            Resource resource = DispatchArguments.resource(element);
            if (resource != null) {
                distinct.add(resource);
            }
        }
        this.contents = List.copyOf(distinct);
        this.ranges = ranges;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int set() {
        return set;
    }

    /** Returns the bindings that a pipeline needs there for the set to fit. */
    List<BindingSlot> slots() {
        return slots;
    }

    /** Returns the resources by the numbers of their bindings. */
    Map<Integer, BoundResource> resources() {
        return resources;
    }

    /** Returns its resources, element by element. */
    List<BoundResource> elements() {
        return elements;
    }

    /** Returns the ranges for {@link io.frameloom.gpu.record.BindingRules#checkRanges}. Not to be changed. */
    long[] ranges() {
        return ranges;
    }

    SimulatedDevice device() {
        return device;
    }

    boolean isClosed() {
        return closed.get();
    }

    /** Returns a resource in it that was closed since, the first by the numbers of the bindings, or null. */
    @Nullable
    Resource firstClosed() {
        for (int i = 0; i < contents.size(); i++) {
            if (contents.get(i).isClosed()) {
                return contents.get(i);
            }
        }
        return null;
    }

    @Override
    public @Nullable String closedPart() {
        if (closed.get()) {
            return "binding set '" + name + "'";
        }
        Resource gone = firstClosed();
        return gone == null ? null : "'" + gone.name() + "' in binding set '" + name + "'";
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            device.closed(this);
        }
    }
}
