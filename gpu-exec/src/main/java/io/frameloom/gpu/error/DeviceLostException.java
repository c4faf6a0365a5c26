package io.frameloom.gpu.error;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The device is lost: every pending event has failed with this; close the device and open a new one. The message has
 * the {@linkplain CrashReport#summary summary} of the report.
 */
public final class DeviceLostException extends GpuException {
    private static final long serialVersionUID = 1L;

    private final transient @Nullable CrashReport report;

    /** A lost device, without a report. */
    public DeviceLostException(String message) {
        this(message, null);
    }

    /** A lost device. */
    public DeviceLostException(String message, @Nullable CrashReport report) {
        super(message);
        this.report = report;
    }

    /**
     * Returns what is known of the loss: one object for all that a device fails with. Empty if the device is lost while it
     * is opened, in submissions that are refused while a device is given up that still works, and after serialisation.
     */
    public Optional<CrashReport> report() {
        return Optional.ofNullable(report);
    }
}
