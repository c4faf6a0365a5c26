package io.frameloom.gpu.transfer.staging;

import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.error.DeviceLostException;
import java.time.Duration;
import java.util.List;

/** The end of what the device may still work on. Stateless. */
public final class Closing {
    private static final Duration LONG = Duration.ofDays(1);

    private Closing() {}

    /**
     * Waits until the device has reached a point, or is lost: in either case it no longer writes the memory of the
     * point.
     */
    public static void awaitEnd(TimelinePoint point) {
        try {
            await(point);
        } catch (DeviceLostException lost) {
            // The events and submissions of the device report it; for memory it is an end like any other.
            return;
        }
    }

    /** Waits until the device has reached a point. */
    static void await(TimelinePoint point) {
        while (!point.queue().timeline().await(point.value(), LONG)) {
            Thread.onSpinWait();
        }
    }

    /** Does everything, even if something fails, and throws the first failure with the others. */
    public static void all(List<Runnable> closings) {
        Throwable first = null;
        for (Runnable closing : closings) {
            try {
                closing.run();
            } catch (RuntimeException | Error e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first instanceof Error error) {
            throw error;
        }
        if (first != null) {
            throw (RuntimeException) first;
        }
    }
}
