package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.record.Closings;
import java.util.concurrent.atomic.AtomicLong;
import org.lwjgl.vulkan.VkDevice;

/** What every object of a device needs to know of it. */
final class DeviceCore {
    private final LogicalDevice logical;
    private final VulkanAdapter adapter;
    private final DeviceCapabilities capabilities;
    private final int[] families;
    private final DebugNames names;
    private final ObjectRegistry objects;
    private final DeviceLoss loss = new DeviceLoss();
    private final AtomicLong serials = new AtomicLong();
    private final Closings closings = new Closings();
    private volatile boolean closed;

    DeviceCore(LogicalDevice logical, VulkanAdapter adapter, QueuePlan plan, DebugNames names, boolean creationSites) {
        this.logical = logical;
        this.adapter = adapter;
        this.capabilities = DeviceQuery.capabilities(
                adapter.handle(),
                logical.features(),
                plan.queues().get(0).family().timestampBits() > 0);
        this.families = plan.families();
        this.names = names;
        this.objects = new ObjectRegistry(creationSites);
    }

    VkDevice handle() {
        return logical.handle();
    }

    /** Returns the physical device. */
    VulkanAdapter adapter() {
        return adapter;
    }

    /** Returns whether the device was created here and is not an engine's. */
    boolean owned() {
        return logical.owned();
    }

    /** Returns the features that are on. */
    DeviceFeatures features() {
        return logical.features();
    }

    DeviceCapabilities capabilities() {
        return capabilities;
    }

    /** Returns the queue families in use, which share all resources. Not to be changed. */
    int[] families() {
        return families;
    }

    DebugNames names() {
        return names;
    }

    /** Refuses from now on what would call the driver for a device that is going. */
    void close() {
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }

    /** Throws if the device is closed; {@code what} begins the message. */
    void requireOpen(String what) {
        if (closed) {
            throw new IllegalStateException(
                    what + ": device '" + capabilities.name() + "' is closed; open another device");
        }
    }

    /** Returns the open objects. */
    ObjectRegistry objects() {
        return objects;
    }

    /** Returns a number that nothing else of this device has: a driver gives the handle of what is gone to what comes next. */
    long nextSerial() {
        return serials.incrementAndGet();
    }

    /** Returns the number of closings; raised by whatever a command list names, before the driver destroys it. */
    Closings closings() {
        return closings;
    }

    /** Returns whether the device is lost. */
    DeviceLoss loss() {
        return loss;
    }
}
