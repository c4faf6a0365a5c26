package io.frameloom.gpu.vulkan.driver;

import io.frameloom.gpu.error.CrashReport;
import io.frameloom.gpu.error.DeviceLostException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lwjgl.vulkan.VK13;

/**
 * Whether the device is lost. Any thread may find out, whatever it holds; the first one notifies all timelines, whose
 * pending events another thread then fails.
 */
public final class DeviceLoss {
    private final AtomicReference<@Nullable DeviceLostException> cause = new AtomicReference<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile Consumer<Runnable> standstill = Runnable::run;
    /** Held while the device comes to a stop, by the first thread that gives it up; the others wait for the cause. */
    private final Object halting = new Object();
    /** Held while the first thread that finds the loss makes the report; the others wait for it. */
    private final Object reporting = new Object();

    private volatile @Nullable Reporter reporter;
    /** The cause for which submissions are refused while the device comes to a stop. */
    private volatile @Nullable DeviceLostException leaving;

    /**
     * Sets the action that stops the device: it runs its argument when nothing is executed any more. Nothing is
     * submitted meanwhile, since {@link #check} refuses. A lost device stops by itself, but a driver may fail for other
     * reasons, and then continues its work.
     */
    public void standstill(Consumer<Runnable> wait) {
        standstill = wait;
    }

    /** Makes the report of a loss, on a thread that may hold anything, and waits for nothing but the driver. */
    @FunctionalInterface
    public interface Reporter {
        /**
         * Returns the report.
         *
         * @param why the failed operation and its result
         * @param byDriver whether the driver calls the device lost, and so answers questions about that
         */
        CrashReport report(String why, boolean byDriver);
    }

    public void reporter(Reporter maker) {
        reporter = maker;
    }

    /**
     * Registers an action for the loss of the device, run once on a thread that may hold anything: it calls no
     * application.
     */
    public void onLoss(Runnable listener) {
        listeners.add(listener);
    }

    /** Returns the loss, or null while the device works. */
    public @Nullable DeviceLostException cause() {
        return cause.get();
    }

    /** Throws if the device is lost, or is being given up. */
    public void check() {
        DeviceLostException known = cause.get();
        DeviceLostException lost = known == null ? leaving : known;
        if (lost != null) {
            throw again(lost);
        }
    }

    /**
     * Declares the device lost and returns the exception to throw.
     *
     * @param where the failed operation
     * @param result the VkResult that leaves no other way; unless it is VK_ERROR_DEVICE_LOST, this returns when the
     *     device has stopped, since its objects may be destroyed from then on
     */
    public DeviceLostException lose(String where, int result) {
        String why = where + ": " + VulkanResults.name(result);
        AtomicReference<@Nullable DeviceLostException> first = new AtomicReference<>();
        Runnable declaration = () -> first.set(declare(why, result));
        if (result == VK13.VK_ERROR_DEVICE_LOST || cause.get() != null) {
            declaration.run();
        } else {
            synchronized (halting) {
                if (cause.get() == null) {
                    leaving = exception(why, null);
                    standstill.accept(declaration);
                }
            }
        }
        DeviceLostException fresh = first.get();
        if (fresh != null) {
            listeners.forEach(Runnable::run);
            return fresh;
        }
        DeviceLostException earlier = cause.get();
        return earlier == null ? exception(why, null) : again(earlier);
    }

    /** Makes the report and publishes the loss, unless another thread has. */
    private @Nullable DeviceLostException declare(String why, int result) {
        synchronized (reporting) {
            if (cause.get() != null) {
                return null;
            }
            DeviceLostException fresh = reported(why, result);
            cause.set(fresh);
            return fresh;
        }
    }

    /** The device is lost all the same where no report can be made. */
    private DeviceLostException reported(String why, int result) {
        Reporter maker = reporter;
        if (maker == null) {
            return exception(why, null);
        }
        try {
            return exception(why, maker.report(why, result == VK13.VK_ERROR_DEVICE_LOST));
        } catch (RuntimeException | Error e) {
            DeviceLostException bare = exception(why, null);
            bare.addSuppressed(e);
            return bare;
        }
    }

    private static DeviceLostException exception(String why, @Nullable CrashReport report) {
        String known = report == null ? "" : "; " + report.summary();
        return new DeviceLostException(
                "the Vulkan device is lost (" + why + ")" + known + "; close it and open a new one", report);
    }

    private static DeviceLostException again(DeviceLostException first) {
        DeviceLostException exception = new DeviceLostException(
                String.valueOf(first.getMessage()), first.report().orElse(null));
        exception.initCause(first);
        return exception;
    }
}
