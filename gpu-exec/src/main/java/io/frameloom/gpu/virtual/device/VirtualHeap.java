package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.record.ResourceLimits;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.virtual.memory.VirtualMemory;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/** Memory of the virtual device in which resources are placed, clobbered when it is created. */
final class VirtualHeap extends VirtualObject implements MemoryHeap {
    private final VirtualMemory memory;
    private final Set<VirtualResource> residents = new LinkedHashSet<>();
    /**
     * From which byte on how many resources hold the bytes up to the next. Counts those that are placed here, and
     * closed ones that the virtual GPU may be using.
     */
    private final TreeMap<Long, Integer> holders = new TreeMap<>(Map.of(0L, 0));

    VirtualHeap(SimulatedDevice device, String name, VirtualMemory memory) {
        super(device, name);
        this.memory = memory;
    }

    @Override
    public long bytes() {
        return memory.bytes();
    }

    @Override
    public Texture placeTexture(String textureName, TextureDescription description, long offset) {
        ResourceLimits.requireName(textureName, "a texture");
        requirePlaceable(textureName);
        Resource.Placement placement = ResourceLimits.place(
                this, 1, "texture '" + textureName + "'", device().resources().requirements(description), offset);
        return device().gate()
                .inside(() ->
                        occupied(new VirtualTexture(device(), textureName, description, memory, placement, false)));
    }

    @Override
    public Buffer placeBuffer(String bufferName, BufferDescription description, long offset) {
        ResourceLimits.requireName(bufferName, "a buffer");
        requirePlaceable(bufferName);
        ResourceLimits.checkPlaced(this, bufferName, description);
        Resource.Placement placement = ResourceLimits.place(
                this, 1, "buffer '" + bufferName + "'", device().resources().requirements(description), offset);
        return device().gate()
                .inside(() -> occupied(new VirtualBuffer(device(), bufferName, description, memory, placement)));
    }

    private synchronized <T extends VirtualResource> T occupied(T resource) {
        requirePlaceable(resource.name());
        clobber(resource);
        residents.add(resource);
        hold(resource, 1);
        device().objects().add(resource);
        return resource;
    }

    private void requirePlaceable(String resource) {
        if (isClosed()) {
            throw new IllegalStateException("'" + resource + "' is placed in " + describe() + " after it was closed");
        }
    }

    synchronized void vacated(VirtualResource resource) {
        residents.remove(resource);
    }

    /** Notes that nothing uses a closed resource any more. */
    synchronized void freed(VirtualResource resource) {
        hold(resource, -1);
        clobber(resource);
    }

    private void hold(VirtualResource resource, int more) {
        Resource.Placement placement = resource.placement();
        if (placement == null) {
            return;
        }
        long end = placement.offset() + placement.bytes();
        for (long border : new long[] {placement.offset(), end}) {
            holders.putIfAbsent(
                    border, Objects.requireNonNull(holders.floorEntry(border)).getValue());
        }
        holders.subMap(placement.offset(), end).replaceAll((from, count) -> count + more);
        for (long border : new long[] {placement.offset(), end}) {
            Map.Entry<Long, Integer> before = holders.lowerEntry(border);
            if (before != null && before.getValue().equals(holders.get(border))) {
                holders.remove(border);
            }
        }
    }

    /** Leaves garbage where a resource comes or goes, except in bytes that others hold. */
    private void clobber(VirtualResource resource) {
        Resource.Placement placement = resource.placement();
        if (placement == null) {
            return;
        }
        long end = placement.offset() + placement.bytes();
        for (Long at = holders.floorKey(placement.offset()); at != null && at < end; at = holders.higherKey(at)) {
            Long next = holders.higherKey(at);
            long from = Math.max(at, placement.offset());
            long to = next == null ? end : Math.min(next, end);
            if (Integer.valueOf(0).equals(holders.get(at))) {
                device().resources().clobber(memory, from, to - from);
            }
        }
    }

    @Override
    public void close() {
        boolean ended;
        synchronized (this) {
            if (!isClosed() && !residents.isEmpty()) {
                throw new IllegalStateException(describe() + " still holds "
                        + residents.stream().map(VirtualResource::name).toList() + "; close those first");
            }
            ended = end();
        }
        // Out of the lock, which frees of placed resources take.
        if (ended) {
            retire();
        }
    }
}
