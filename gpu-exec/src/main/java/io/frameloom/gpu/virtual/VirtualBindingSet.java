package io.frameloom.gpu.virtual;

import io.frameloom.gpu.BindingSet;
import io.frameloom.gpu.BoundResource;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** A persistent set of bindings of the virtual device. */
final class VirtualBindingSet implements BindingSet {
    private final VirtualDevice device;
    private final String name;
    private final int set;
    private final Map<String, BoundResource> resources;
    private final AtomicBoolean closed = new AtomicBoolean();

    VirtualBindingSet(VirtualDevice device, String name, int set, Map<String, BoundResource> resources) {
        this.device = device;
        this.name = name;
        this.set = set;
        this.resources = Map.copyOf(resources);
        device.opened(this, name);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int set() {
        return set;
    }

    Map<String, BoundResource> resources() {
        return resources;
    }

    VirtualDevice device() {
        return device;
    }

    boolean isClosed() {
        return closed.get();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            device.closed(this);
        }
    }
}
