package io.frameloom.gpu.vulkan.driver;

import io.frameloom.gpu.record.Perishable;

/** Objects of the driver that command lists name: destroyed when the device has finished with them. Any thread. */
public abstract class VulkanObject extends Perishable {
    protected final DeviceCore core;

    protected VulkanObject(DeviceCore core, String name) {
        super(core, name);
        this.core = core;
    }

    @Override
    public void close() {
        core.gate().closing(this::destroy);
    }

    /** Closes this; the caller is in the gate of the device. */
    public final void destroy() {
        if (takeAway()) {
            core.retired().add(this::free);
            retired();
        }
    }

    /** Closes this without destroying anything, and returns whether it was open. */
    protected final boolean takeAway() {
        boolean open = end();
        if (open) {
            core.closings().add();
            reportClosed();
            core.objects().remove(this);
        }
        return open;
    }

    /** Reports the close, before the driver may give the handles away again. */
    protected void reportClosed() {}

    /** Follows the close, when {@link #free} is sure to come. */
    protected void retired() {}

    /** Destroys the handles, which the device no longer uses. */
    protected abstract void free();
}
