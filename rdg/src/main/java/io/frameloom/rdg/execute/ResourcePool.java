package io.frameloom.rdg.execute;

import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.Resource;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureDescription;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Resources with memory of their own that no frame needs any more, by description: the next frame that makes one of a
 * description takes it from here. What nobody takes for a number of frames is destroyed. Any thread.
 *
 * <p>A resource that comes back when its frame has completed may be taken at once, and has no former uses that matter; one
 * that comes back before is ordered behind these by its next frame.
 */
final class ResourcePool {
    private record Idle(Resource resource, long sinceFrame, boolean settled) {}

    private final GpuDevice device;
    private final int keepFrames;
    private final Consumer<Resource> unused;
    private final Map<Object, ArrayDeque<Idle>> idle = new HashMap<>();
    private long frame;
    private long created;
    private long reused;
    private long evicted;
    private boolean closed;

    /**
     * A pool.
     *
     * @param unused is told of each resource that is taken and that no frame uses any more, by the thread that takes it
     */
    ResourcePool(GpuDevice device, int keepFrames, Consumer<Resource> unused) {
        this.device = device;
        this.keepFrames = keepFrames;
        this.unused = unused;
    }

    Texture texture(String name, TextureDescription description) {
        Resource found = take(name, description);
        return found != null ? (Texture) found : device.createTexture(name, description);
    }

    Buffer buffer(String name, BufferDescription description) {
        Resource found = take(name, description);
        return found != null ? (Buffer) found : device.createBuffer(name, description);
    }

    /** Takes one of the same name if there is one: names of resources do not change, and tools show them. */
    private synchronized @Nullable Resource take(String name, Object description) {
        ArrayDeque<Idle> free = idle.get(description);
        while (free != null && !free.isEmpty()) {
            Idle named = named(free, name);
            free.remove(named);
            Resource resource = named.resource();
            if (!resource.isClosed()) {
                reused++;
                if (named.settled()) {
                    unused.accept(resource);
                }
                return resource;
            }
        }
        created++;
        return null;
    }

    private static Idle named(ArrayDeque<Idle> free, String name) {
        Iterator<Idle> newestFirst = free.descendingIterator();
        while (newestFirst.hasNext()) {
            Idle each = newestFirst.next();
            if (each.resource().name().equals(name)) {
                return each;
            }
        }
        return free.getLast();
    }

    /**
     * Takes a resource back that the application is through with.
     *
     * @param settled whether all frames that use it have completed
     */
    synchronized void give(Resource resource, boolean settled) {
        if (resource.isClosed()) {
            return;
        }
        if (closed) {
            resource.close();
            return;
        }
        Object key = resource instanceof Texture texture ? texture.description() : ((Buffer) resource).description();
        idle.computeIfAbsent(key, description -> new ArrayDeque<>(2)).addLast(new Idle(resource, frame, settled));
    }

    /** Begins a frame; hands what was idle for too long to {@code retired}. */
    synchronized void beginFrame(long number, RetireQueue retired) {
        frame = number;
        Iterator<ArrayDeque<Idle>> all = idle.values().iterator();
        while (all.hasNext()) {
            ArrayDeque<Idle> free = all.next();
            while (!free.isEmpty() && free.peekFirst().sinceFrame() < number - keepFrames) {
                Resource old = free.removeFirst().resource();
                retired.retire(old, "pooled resource '" + old.name() + "'", number - 1);
                evicted++;
            }
            if (free.isEmpty()) {
                all.remove();
            }
        }
    }

    /** Destroys what is idle; what comes back later is destroyed at once. */
    void close() {
        List<Resource> rest = new ArrayList<>();
        synchronized (this) {
            closed = true;
            idle.values().forEach(free -> free.forEach(entry -> rest.add(entry.resource())));
            idle.clear();
        }
        rest.forEach(Resource::close);
    }

    synchronized int idleCount() {
        return idle.values().stream().mapToInt(ArrayDeque::size).sum();
    }

    synchronized long createdCount() {
        return created;
    }

    synchronized long reusedCount() {
        return reused;
    }

    synchronized long evictedCount() {
        return evicted;
    }
}
