package io.frameloom.gpu.vulkan.queue;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.vulkan.SharedTimeline;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.QueueDriver;
import io.frameloom.gpu.vulkan.driver.VulkanObject;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.linux.FCNTL;
import org.lwjgl.vulkan.VK11;
import org.lwjgl.vulkan.VK13;

/** A timeline semaphore that leaves the device, or comes from another one, by a file descriptor. Any thread. */
public final class VulkanSharedTimeline extends VulkanObject implements VulkanExternalSemaphore, SharedTimeline {
    private final QueueDriver driver;
    private final long semaphore;
    private final SignalledValues values;
    private final boolean imported;

    private VulkanSharedTimeline(
            DeviceCore core,
            QueueDriver driver,
            ExternalValues all,
            String name,
            boolean imported,
            int fileDescriptor) {
        super(core, name);
        this.driver = driver;
        this.imported = imported;
        requireSharing();
        // Asked last: systems without shared timelines have no such call.
        if (imported && FCNTL.fcntl(null, fileDescriptor, FCNTL.F_GETFD) < 0) {
            throw new IllegalArgumentException(describe() + " is imported from " + fileDescriptor
                    + ", which is no open file descriptor; take one that SharedTimeline.share returns");
        }
        semaphore = core.create(
                VK13.VK_OBJECT_TYPE_SEMAPHORE,
                name,
                describe(),
                (stack, out) -> driver.createTimeline(core.handle(), !imported, out));
        values = all.of(core, semaphore);
    }

    private void requireSharing() {
        if (!core.capabilities().has(Capability.EXTERNAL_SEMAPHORE_FD)
                && !driver.played().contains(Capability.EXTERNAL_SEMAPHORE_FD)) {
            throw new GpuException(describe() + " is shared by a file descriptor, which needs the capability "
                    + Capability.EXTERNAL_SEMAPHORE_FD + "; open the device with DeviceOptions.require");
        }
        int needed = imported
                ? VK11.VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT
                : VK11.VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT;
        if ((driver.timelineSharing(core.adapter().handle()) & needed) == 0) {
            throw new GpuException(describe() + " cannot be " + (imported ? "imported from" : "shared by")
                    + " a file descriptor: device '" + core.capabilities().name()
                    + "' does not do that with timelines");
        }
    }

    /** Creates one whose file descriptors are handed out. */
    public static VulkanSharedTimeline create(DeviceCore core, QueueDriver driver, ExternalValues all, String name) {
        return new VulkanSharedTimeline(core, driver, all, name, false, 0);
    }

    /** Creates one with the state of another one; takes the file descriptor if it succeeds. */
    public static VulkanSharedTimeline imported(
            DeviceCore core, QueueDriver driver, ExternalValues all, String name, int fileDescriptor) {
        VulkanSharedTimeline timeline = new VulkanSharedTimeline(core, driver, all, name, true, fileDescriptor);
        int result = driver.importSemaphore(core.handle(), timeline.semaphore, fileDescriptor);
        if (result != VK13.VK_SUCCESS) {
            timeline.free();
        }
        if (result == VK11.VK_ERROR_INVALID_EXTERNAL_HANDLE) {
            throw new IllegalArgumentException(timeline.describe() + " is imported from file descriptor "
                    + fileDescriptor + ", which is of no timeline that device '"
                    + core.capabilities().name()
                    + "' knows; take one that SharedTimeline.share returns, on the same physical device");
        }
        core.check(result, "import " + timeline.describe());
        return timeline;
    }

    @Override
    public int share() {
        if (imported) {
            throw new IllegalStateException(describe() + " was imported; the device that created it shares it");
        }
        return core.gate().inside(() -> {
            requireOpen("shared");
            try (MemoryStack stack = MemoryStack.stackPush()) {
                var out = stack.mallocInt(1);
                core.check(driver.shareSemaphore(core.handle(), semaphore, out), "share " + describe());
                return out.get(0);
            }
        });
    }

    @Override
    public DeviceCore core() {
        return core;
    }

    @Override
    public long semaphore() {
        return semaphore;
    }

    @Override
    public SignalledValues values() {
        return values;
    }

    /** Submissions alone name it. */
    @Override
    protected boolean isNamed() {
        return false;
    }

    @Override
    protected void free() {
        driver.destroySemaphore(core.handle(), semaphore);
    }
}
