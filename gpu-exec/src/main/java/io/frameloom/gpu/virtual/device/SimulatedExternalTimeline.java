package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.virtual.VirtualExternalTimeline;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The waits for a timeline of the application's. Any thread. */
public final class SimulatedExternalTimeline implements VirtualExternalTimeline {
    private final SimulatedDevice device;
    private final VirtualQueues queues;
    private final String name;
    /** By value what waits for it; the virtual GPU's. */
    private final TreeMap<Long, WorkNode> awaited = new TreeMap<>();

    private volatile long value;

    SimulatedExternalTimeline(SimulatedDevice device, VirtualQueues queues, String name) {
        this.device = device;
        this.queues = queues;
        this.name = name;
    }

    boolean belongsTo(SimulatedDevice other) {
        return device == other;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long value() {
        return value;
    }

    @Override
    public void signal(long newValue) {
        if (newValue <= value) {
            throw new IllegalArgumentException(backwards(newValue));
        }
        if (!queues.post(graph -> reach(newValue, graph))) {
            queues.requireOpen();
        }
    }

    private String backwards(long newValue) {
        return "timeline '" + name + "' is signalled with " + newValue + " and has reached " + value
                + "; values only grow, signal a greater one";
    }

    /** Returns what is done when a value is reached, null if it is. */
    @Nullable
    WorkNode await(long wanted, VirtualQueue queue) {
        return wanted <= value
                ? null
                : awaited.computeIfAbsent(
                        wanted, missing -> new WorkNode(name + " " + wanted, queue, Long.MIN_VALUE, 0, null));
    }

    void reach(long newValue, WorkGraph graph) {
        if (newValue <= value) {
            throw new GpuException(backwards(newValue));
        }
        value = newValue;
        var reached = awaited.headMap(newValue, true);
        reached.values().forEach(graph::release);
        reached.clear();
    }

    @Override
    public String toString() {
        return name;
    }
}
