package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.ExternalSemaphore;
import io.frameloom.gpu.command.ExternalTimeline;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualExternalTimeline;
import io.frameloom.gpu.vulkan.VulkanDevice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkSemaphoreCreateInfo;
import org.lwjgl.vulkan.VkSemaphoreSignalInfo;
import org.lwjgl.vulkan.VkSemaphoreSubmitInfo;
import org.lwjgl.vulkan.VkSemaphoreTypeCreateInfo;
import org.lwjgl.vulkan.VkSemaphoreWaitInfo;
import org.lwjgl.vulkan.VkSubmitInfo2;

/** The semaphores of an engine that shares a device: in plain LWJGL on Vulkan, else the virtual GPU's. */
final class EngineSemaphores implements AutoCloseable {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final GpuDevice device;
    private final List<Long> made = new ArrayList<>();

    EngineSemaphores(GpuDevice device) {
        this.device = device;
    }

    private VulkanDevice vulkan() {
        return (VulkanDevice) device;
    }

    private VkDevice handle() {
        return vulkan().handles().device();
    }

    private boolean isVirtual() {
        return device instanceof VirtualDevice;
    }

    ExternalTimeline timeline(String name) {
        return isVirtual()
                ? ((VirtualDevice) device).createExternalTimeline(name)
                : vulkan().importTimeline(name, create(VK13.VK_SEMAPHORE_TYPE_TIMELINE));
    }

    ExternalSemaphore binary(String name) {
        return vulkan().importSemaphore(name, create(VK13.VK_SEMAPHORE_TYPE_BINARY));
    }

    private long create(int type) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            done(VK13.vkCreateSemaphore(
                    handle(),
                    VkSemaphoreCreateInfo.calloc(stack)
                            .sType$Default()
                            .pNext(VkSemaphoreTypeCreateInfo.calloc(stack)
                                    .sType$Default()
                                    .semaphoreType(type)),
                    null,
                    out));
            made.add(out.get(0));
            return out.get(0);
        }
    }

    /** Signals by the host. */
    void signal(ExternalTimeline timeline, long value) {
        if (timeline instanceof VirtualExternalTimeline ours) {
            ours.signal(value);
            return;
        }
        try (MemoryStack stack = MemoryStack.stackPush()) {
            done(VK13.vkSignalSemaphore(
                    handle(),
                    VkSemaphoreSignalInfo.calloc(stack)
                            .sType$Default()
                            .semaphore(timeline.nativeHandle())
                            .value(value)));
        }
    }

    long value(ExternalTimeline timeline) {
        if (timeline instanceof VirtualExternalTimeline ours) {
            return ours.value();
        }
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            done(VK13.vkGetSemaphoreCounterValue(handle(), timeline.nativeHandle(), out));
            return out.get(0);
        }
    }

    /** Waits for a value that is about to be reached: what signals it is complete. */
    void await(ExternalTimeline timeline, long value) {
        if (!isVirtual()) {
            try (MemoryStack stack = MemoryStack.stackPush()) {
                done(VK13.vkWaitSemaphores(
                        handle(),
                        VkSemaphoreWaitInfo.calloc(stack)
                                .sType$Default()
                                .semaphoreCount(1)
                                .pSemaphores(stack.longs(timeline.nativeHandle()))
                                .pValues(stack.longs(value)),
                        LONG.toNanos()));
            }
        }
        assertThat(value(timeline)).isEqualTo(value);
    }

    /** Submits nothing of the engine's but a wait and a signal of binary semaphores, each of which may be missing. */
    void pass(@Nullable ExternalSemaphore waited, @Nullable ExternalSemaphore signalled) {
        Lock guard = vulkan().handles().guard(device.queues().get(0));
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkSubmitInfo2.Buffer info = VkSubmitInfo2.calloc(1, stack);
            info.get(0)
                    .sType$Default()
                    .pWaitSemaphoreInfos(infos(stack, waited))
                    .pSignalSemaphoreInfos(infos(stack, signalled));
            guard.lock();
            try {
                done(VK13.vkQueueSubmit2(
                        vulkan().handles().queue(device.queues().get(0)), info, VK13.VK_NULL_HANDLE));
            } finally {
                guard.unlock();
            }
        }
    }

    private static VkSemaphoreSubmitInfo.Buffer infos(MemoryStack stack, @Nullable ExternalSemaphore semaphore) {
        VkSemaphoreSubmitInfo.Buffer infos = VkSemaphoreSubmitInfo.calloc(semaphore == null ? 0 : 1, stack);
        if (semaphore != null) {
            infos.get(0)
                    .sType$Default()
                    .semaphore(semaphore.nativeHandle())
                    .stageMask(VK13.VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
        }
        return infos;
    }

    private static void done(int result) {
        assertThat(result).isEqualTo(VK13.VK_SUCCESS);
    }

    /** Destroys them when the device has done everything. */
    @Override
    public void close() {
        device.waitIdle();
        if (!made.isEmpty()) {
            done(VK13.vkDeviceWaitIdle(handle()));
        }
        made.forEach(semaphore -> VK13.vkDestroySemaphore(handle(), semaphore, null));
    }
}
