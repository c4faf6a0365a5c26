package io.frameloom.gpu.vulkan.resource;

import io.frameloom.gpu.device.ObjectKind;
import io.frameloom.gpu.device.SetLife;
import io.frameloom.gpu.record.DeviceObject;
import io.frameloom.gpu.record.Perishable;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import org.jspecify.annotations.Nullable;

/**
 * The life of native timestamps or events: they are destroyed once, when the device has finished with them. Any thread.
 */
public abstract class VulkanSet implements DeviceObject, Perishable {
    final DeviceCore core;
    final String name;
    final SetLife life;

    VulkanSet(DeviceCore core, ObjectKind kind, String name) {
        this.core = core;
        this.name = name;
        this.life = new SetLife(kind, name);
    }

    /** Destroys the handles, which the device no longer uses. */
    abstract void free();

    /** Follows the close; the caller is in the gate of the device. */
    void closed() {}

    public final boolean belongsTo(DeviceCore device) {
        return core == device;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final @Nullable String closedPart() {
        return life.closedPart();
    }

    @Override
    public final void close() {
        core.gate().closing(this::destroy);
    }

    private void destroy() {
        if (life.close()) {
            core.closings().add();
            core.objects().remove(this);
            core.retired().add(this::free);
            closed();
        }
    }
}
