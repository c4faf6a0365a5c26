package io.frameloom.benchmarks.gpu.compute;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.resource.MemoryRequirements;
import java.util.HashMap;
import java.util.Map;

/**
 * Device memory by role, such as input and output, which one case after the other uses. Memory that comes and goes with the
 * cases lies where the driver finds room, and the same kernel runs at up to a tenth of its speed there.
 */
final class RoleMemory implements AutoCloseable {
    private final GpuDevice device;
    private final long usualBytes;
    private final Map<String, MemoryHeap> heaps = new HashMap<>();

    /**
     * @param usualBytes what most roles need in the largest case; those that need more get that, and all what the device
     *     allocates at once, if that is less
     */
    RoleMemory(GpuDevice device, long usualBytes) {
        this.device = device;
        this.usualBytes =
                Math.min(usualBytes, device.capabilities().limits().memory().maxAllocationBytes());
    }

    /** Returns a buffer in the memory of a role. The one before in that role must be closed. */
    Buffer buffer(String role, BufferDescription description) {
        MemoryRequirements needed = device.requirements(description);
        MemoryHeap heap = heaps.get(role);
        if (heap == null || heap.bytes() < needed.bytes()) {
            if (heap != null) {
                heap.close();
            }
            heap = device.createHeap(role, Math.max(usualBytes, needed.bytes()), needed.memoryTypes());
            heaps.put(role, heap);
        }
        return heap.placeBuffer(role, description, 0);
    }

    @Override
    public void close() {
        heaps.values().forEach(MemoryHeap::close);
        heaps.clear();
    }
}
