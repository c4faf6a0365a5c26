package io.frameloom.gpu.command;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.resource.MemoryUsage;
import java.util.List;

/**
 * An access of the host to mapped memory between two moments, while the device goes on with other work. {@link
 * GpuDevice#beginHostAccess} begins it and reports it to the observer of the device; {@link GpuDevice#endHostAccess}
 * ends it. Immutable; compared by identity.
 */
public final class HostAccess {
    private final String name;
    private final List<ResourceUse> uses;

    /**
     * An access that no observer sees.
     *
     * @param name name of the work, for messages
     * @param uses uses of buffers in mapped memory as {@link Access#HOST_READ} or {@link Access#HOST_WRITE}
     * @throws IllegalArgumentException if a use is of another kind
     */
    public HostAccess(String name, List<ResourceUse> uses) {
        this.name = name;
        this.uses = List.copyOf(uses);
        for (ResourceUse use : this.uses) {
            boolean mapped = use instanceof ResourceUse.OfBuffer of
                    && of.resource().description().memory() != MemoryUsage.DEVICE;
            if (!mapped || (use.access() != Access.HOST_READ && use.access() != Access.HOST_WRITE)) {
                throw new IllegalArgumentException("'" + name + "' uses '"
                        + use.resource().name() + "' as " + use.access()
                        + " on the host, which reads and writes buffers in mapped memory alone; name HOST_READ or"
                        + " HOST_WRITE of a buffer in UPLOAD or READBACK memory");
            }
        }
    }

    /** Returns the name of the work. */
    public String name() {
        return name;
    }

    /** Returns the uses. */
    public List<ResourceUse> uses() {
        return uses;
    }

    @Override
    public String toString() {
        return "HostAccess[" + name + "]";
    }
}
