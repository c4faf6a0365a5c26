package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.Capability;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.linux.FCNTL;
import org.lwjgl.system.linux.UNISTD;
import org.lwjgl.vulkan.VK11;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkSemaphoreSignalInfo;

/**
 * Plays timelines that devices share, for drivers that have none: a thread carries the values of a semaphore to those
 * that were imported from it, and back. Its file descriptors are real.
 */
final class PlayedSharing extends ForwardingDriver implements AutoCloseable {
    private record Semaphore(VkDevice device, long handle) {
        long value() {
            try (MemoryStack stack = MemoryStack.stackPush()) {
                LongBuffer out = stack.mallocLong(1);
                VK13.vkGetSemaphoreCounterValue(device, handle, out);
                return out.get(0);
            }
        }

        void raise(long value) {
            try (MemoryStack stack = MemoryStack.stackPush()) {
                VK13.vkSignalSemaphore(
                        device,
                        VkSemaphoreSignalInfo.calloc(stack)
                                .sType$Default()
                                .semaphore(handle)
                                .value(value));
            }
        }
    }

    /** The import, and what it was imported from. */
    private final Map<Semaphore, Semaphore> links = new HashMap<>();

    private final Map<Integer, Semaphore> shared = new HashMap<>();
    private final Thread carrier = new Thread(this::carry, "played sharing");
    private volatile int importResult = VK13.VK_SUCCESS;
    private volatile int features =
            VK11.VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT | VK11.VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT;
    private volatile boolean closed;

    PlayedSharing() {
        carrier.setDaemon(true);
        carrier.start();
    }

    /** Makes imports end with a result. */
    void failImports(int result) {
        importResult = result;
    }

    void binaryAlone() {
        features = 0;
    }

    @Override
    public void close() {
        closed = true;
    }

    private void carry() {
        while (!closed) {
            synchronized (this) {
                links.forEach((one, other) -> {
                    long first = one.value();
                    long second = other.value();
                    if (first < second) {
                        one.raise(second);
                    } else if (second < first) {
                        other.raise(first);
                    }
                });
            }
            LockSupport.parkNanos(100_000);
        }
    }

    /** Returns a new file descriptor. */
    static int descriptor() {
        return FCNTL.fcntli(null, 2, FCNTL.F_DUPFD_CLOEXEC, 0);
    }

    @Override
    public Set<Capability> played() {
        return Set.of(Capability.EXTERNAL_SEMAPHORE_FD);
    }

    @Override
    public int timelineSharing(VkPhysicalDevice device) {
        return features;
    }

    @Override
    public int createTimeline(VkDevice device, boolean isShared, LongBuffer semaphore) {
        return super.createTimeline(device, false, semaphore);
    }

    @Override
    public synchronized void destroySemaphore(VkDevice device, long semaphore) {
        Semaphore gone = new Semaphore(device, semaphore);
        links.entrySet()
                .removeIf(link -> link.getKey().equals(gone) || link.getValue().equals(gone));
        super.destroySemaphore(device, semaphore);
    }

    @Override
    public synchronized int shareSemaphore(VkDevice device, long semaphore, IntBuffer fileDescriptor) {
        int descriptor = descriptor();
        shared.put(descriptor, new Semaphore(device, semaphore));
        fileDescriptor.put(0, descriptor);
        return VK13.VK_SUCCESS;
    }

    @Override
    public synchronized int importSemaphore(VkDevice device, long semaphore, int fileDescriptor) {
        if (importResult != VK13.VK_SUCCESS) {
            return importResult;
        }
        Semaphore from = Objects.requireNonNull(shared.remove(fileDescriptor));
        links.put(new Semaphore(device, semaphore), from);
        UNISTD.close(null, fileDescriptor);
        return VK13.VK_SUCCESS;
    }
}
