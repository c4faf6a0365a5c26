package io.frameloom.gpu.virtual;

import io.frameloom.gpu.BindingSet;
import io.frameloom.gpu.BoundResource;
import io.frameloom.gpu.Resource;
import io.frameloom.gpu.record.Perishable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A persistent set of bindings of the virtual device. */
final class VirtualBindingSet implements BindingSet, VirtualObject, Perishable {
    private final VirtualDevice device;
    private final String name;
    private final int set;
    private final List<PipelineInterface.Slot> slots;
    private final Map<Integer, BoundResource> resources;
    private final AtomicBoolean closed = new AtomicBoolean();

    VirtualBindingSet(
            VirtualDevice device,
            String name,
            int set,
            List<PipelineInterface.Slot> slots,
            Map<Integer, BoundResource> resources) {
        this.device = device;
        this.name = name;
        this.set = set;
        this.slots = slots;
        this.resources = Map.copyOf(resources);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int set() {
        return set;
    }

    /** Returns what pipelines that the set fits have there. */
    List<PipelineInterface.Slot> slots() {
        return slots;
    }

    /** Returns the resources by the numbers of their bindings. */
    Map<Integer, BoundResource> resources() {
        return resources;
    }

    VirtualDevice device() {
        return device;
    }

    boolean isClosed() {
        return closed.get();
    }

    /** Returns something in it that was closed since, the first by the numbers of the bindings, or null. */
    @Nullable
    Resource firstClosed() {
        for (PipelineInterface.Slot slot : slots) {
            for (BoundResource element :
                    DispatchArguments.elements(Objects.requireNonNull(resources.get(slot.binding())))) {
                Resource resource = DispatchArguments.resource(element);
                if (resource.isClosed()) {
                    return resource;
                }
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
