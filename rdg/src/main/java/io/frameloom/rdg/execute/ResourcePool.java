package io.frameloom.rdg.execute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Resources with memory of their own that no frame needs any more, by description. The next frame that needs one of a
 * description takes it from here. What no frame takes for a number of frames is destroyed. Any thread.
 *
 * <p>The first frame that has waited for the end of a resource's frame may take it. Earlier ones might find it or not,
 * and what is submitted must not depend on the speed of the device. Its next frame is ordered after its former uses.
 */
final class ResourcePool {
    private record Idle(Resource resource, long sinceFrame, long fromFrame) {}

    private final GpuDevice device;
    private final int keepFrames;
    private final Map<Object, ArrayDeque<Idle>> idle = new HashMap<>();
    private long frame;
    private long created;
    private long reused;
    private long evicted;
    private boolean closed;

    ResourcePool(GpuDevice device, int keepFrames) {
        this.device = device;
        this.keepFrames = keepFrames;
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
        Idle found = free == null ? null : find(free, name);
        while (free != null && found != null) {
            free.remove(found);
            if (!found.resource().isClosed()) {
                reused++;
                return found.resource();
            }
            found = find(free, name);
        }
        created++;
        return null;
    }

    private @Nullable Idle find(ArrayDeque<Idle> free, String name) {
        Idle any = null;
        Iterator<Idle> newestFirst = free.descendingIterator();
        while (newestFirst.hasNext()) {
            Idle each = newestFirst.next();
            if (each.fromFrame() <= frame) {
                if (each.resource().name().equals(name)) {
                    return each;
                }
                any = any == null ? each : any;
            }
        }
        return any;
    }

    /**
     * Takes a resource back that the application is through with; nothing happens if it is here already.
     *
     * @param fromFrame number of the first frame that may take it
     */
    synchronized void give(Resource resource, long fromFrame) {
        if (resource.isClosed()) {
            return;
        }
        if (closed) {
            resource.close();
            return;
        }
        Object key = resource instanceof Texture texture ? texture.description() : ((Buffer) resource).description();
        ArrayDeque<Idle> free = idle.computeIfAbsent(key, description -> new ArrayDeque<>(2));
        for (Idle each : free) {
            if (each.resource() == resource) {
                return;
            }
        }
        free.addLast(new Idle(resource, frame, fromFrame));
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
