package io.frameloom.gpu.vulkan.driver;

import io.frameloom.gpu.record.Perishable;

/** An object of a Vulkan device: what it has of the driver goes when the device has finished with it. Any thread. */
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

    /** Closes this, and destroys it at once: the device does not use it. The caller is in the gate of the device. */
    public final void destroyNow() {
        if (takeAway()) {
            free();
        }
    }

    /** Closes this without destroying anything, and returns whether it was open. */
    private boolean takeAway() {
        boolean open = end();
        if (open) {
            if (isNamed()) {
                core.closings().add(this);
            }
            reportClosed();
            core.objects().remove(this);
        }
        return open;
    }

    /** Returns whether command lists name such objects, so that they look for closed ones after its close. */
    protected boolean isNamed() {
        return true;
    }

    /** Reports the close, before the driver may give the handles away again. */
    protected void reportClosed() {}

    /** Follows the close, when {@link #free} is sure to come. */
    protected void retired() {}

    /** Destroys the handles, which the device no longer uses. */
    protected abstract void free();
}
