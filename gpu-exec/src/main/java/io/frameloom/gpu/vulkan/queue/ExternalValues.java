package io.frameloom.gpu.vulkan.queue;

import io.frameloom.gpu.command.ExternalPoint;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.QueueDriver;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values that submissions signal of the timeline semaphores that an engine has lent, by handle: one that was
 * imported twice is one. Any thread.
 */
public final class ExternalValues {
    private final Map<Long, WeakReference<SignalledValues>> bySemaphore = new HashMap<>();

    /** Returns the values of a semaphore, which each import of it keeps. */
    public synchronized SignalledValues of(DeviceCore core, long semaphore) {
        bySemaphore.values().removeIf(values -> values.refersTo(null));
        WeakReference<SignalledValues> known = bySemaphore.get(semaphore);
        SignalledValues values = known == null ? null : known.get();
        if (values == null) {
            values = new SignalledValues(core, semaphore);
            bySemaphore.put(semaphore, new WeakReference<>(values));
        }
        return values;
    }

    /**
     * Notes all signals of a submission that is about to be made, or none.
     *
     * @param complete value of the queue's timeline when the submission is done
     * @throws IllegalArgumentException if a timeline would go backwards
     */
    static void take(Submission submission, VulkanQueue queue, QueueDriver driver, long complete) {
        List<ExternalPoint> signals = submission.externalSignals();
        try {
            for (int i = 0; i < signals.size(); i++) {
                take(submission, signals.get(i), queue, driver, complete);
            }
        } catch (RuntimeException failure) {
            giveBack(submission, queue, complete);
            throw failure;
        }
    }

    private static void take(
            Submission submission, ExternalPoint signal, VulkanQueue queue, QueueDriver driver, long complete) {
        SignalledValues signalled = values(signal);
        if (signalled == null) {
            return;
        }
        String timeline = signal.semaphore().name();
        for (int i = 0; i < submission.externalWaits().size(); i++) {
            ExternalPoint wait = submission.externalWaits().get(i);
            if (values(wait) == signalled && signal.value() <= wait.value()) {
                throw new IllegalArgumentException("submission '" + submission.label() + "' waits for value "
                        + wait.value() + " of timeline '" + timeline + "' and signals " + signal.value()
                        + "; values of a timeline only grow, signal a greater one");
            }
        }
        signalled.take(submission, timeline, signal.value(), queue, driver, complete);
    }

    static void giveBack(Submission submission, VulkanQueue queue, long complete) {
        for (int i = 0; i < submission.externalSignals().size(); i++) {
            SignalledValues signalled = values(submission.externalSignals().get(i));
            if (signalled != null) {
                signalled.giveBack(queue, complete);
            }
        }
    }

    /** Returns the values of a timeline, or null for a binary semaphore. */
    private static @Nullable SignalledValues values(ExternalPoint point) {
        return point.semaphore() instanceof VulkanExternalSemaphore ours ? ours.values() : null;
    }
}
