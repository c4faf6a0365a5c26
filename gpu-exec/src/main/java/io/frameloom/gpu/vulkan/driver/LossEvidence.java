package io.frameloom.gpu.vulkan.driver;

import io.frameloom.gpu.error.CrashReport.Fault;
import io.frameloom.gpu.error.CrashReport.Marking;
import org.jspecify.annotations.Nullable;

/** What a device keeps and asks for the report of its loss. Any thread. */
public final class LossEvidence {
    private final CrashCalls calls;
    private final CrashSupport support;
    private final Marking marking;
    private final AddressBook addresses = new AddressBook();

    /**
     * Evidence of a device.
     *
     * @param markers whether passes are marked
     */
    public LossEvidence(OpenedDevice opened, CrashCalls calls, boolean markers) {
        this.calls = calls;
        this.support = opened.crash();
        this.marking = markers ? calls.marking(opened.handle()) : Marking.NONE;
    }

    public CrashCalls calls() {
        return calls;
    }

    public Marking marking() {
        return marking;
    }

    public AddressBook addresses() {
        return addresses;
    }

    /** Returns whether the driver reports all addresses by itself. */
    public boolean reportsAddresses() {
        return support.bindings();
    }

    /** Returns whether those of buffers are to be noted: the driver reports faults, and no addresses by itself. */
    public boolean keepsAddresses() {
        return support.faults() && !support.bindings();
    }

    /** Returns the fault that the driver reports of a device that it has lost, or null. */
    public @Nullable Fault fault(DeviceCore core) {
        return support.faults() ? DeviceFaults.read(calls, core.handle(), addresses) : null;
    }
}
