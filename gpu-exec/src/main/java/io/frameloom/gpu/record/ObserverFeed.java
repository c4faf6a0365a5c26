package io.frameloom.gpu.record;

import io.frameloom.gpu.command.DeviceEventSet;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.HostAccess;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.SubmissionObserver;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.device.Uncaught;
import io.frameloom.gpu.resource.Resource;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reports submissions to the observer of a device, if it has one, and before each of them the points that the host has
 * seen reached since the last. Called by the threads that submit, to several queues at once. A submission is reported
 * before its value is published, so the observer never learns of work that depends on an unknown submission. The device
 * has the work whatever the observer throws, so an exception must not look like a refusal.
 */
public final class ObserverFeed {
    private final @Nullable SubmissionObserver observer;
    private List<? extends GpuQueue> queues = List.of();
    private IntToLongFunction reached = index -> 0;
    /** By queue: the last reported value of a submission, and the last reported value reached. */
    private long[] known = {};

    private long[] reported = {};

    public ObserverFeed(@Nullable SubmissionObserver observer) {
        this.observer = observer;
    }

    /**
     * Sets the queues of the device, before any submission.
     *
     * @param reachedBy by index of a queue, the value of its timeline that the host has seen
     */
    public void connect(List<? extends GpuQueue> all, IntToLongFunction reachedBy) {
        queues = all;
        reached = reachedBy;
        known = new long[all.size()];
        reported = new long[all.size()];
    }

    /** Returns a log for a new command list, or null without an observer. */
    public @Nullable CommandLog newLog(String list) {
        return observer == null ? null : new CommandLog(list);
    }

    /** Returns whether there is an observer; if not, threads that submit to different queues have no lock in common. */
    public boolean observes() {
        return observer != null;
    }

    /** Reports what the host has seen, and returns the record of a submission, or null without an observer. */
    public @Nullable SubmissionRecord submitting(
            GpuQueue queue, Submission submission, long value, List<CommandLog> logs) {
        return observer == null ? null : observed(observer, queue, submission, value, logs);
    }

    /** Reports what the host has seen, and then that a resource is closed. */
    public void closed(Resource resource) {
        if (observer != null) {
            report(observer, true, watching -> watching.closed(resource));
        }
    }

    public void takenBack(DeviceEventSet events) {
        if (observer != null) {
            report(observer, false, watching -> watching.takenBack(events));
        }
    }

    public void taken(SubmissionRecord.TableContents contents, String slot, ResourceUse read, boolean freed) {
        if (observer != null) {
            report(observer, false, watching -> watching.taken(contents, slot, read, freed));
        }
    }

    /** Reports what the host has seen, and then that it begins to access mapped memory. */
    public void hostBegan(HostAccess access) {
        if (observer != null) {
            report(observer, true, watching -> watching.hostBegan(access));
        }
    }

    public void hostEnded(HostAccess access) {
        if (observer != null) {
            report(observer, false, watching -> watching.hostEnded(access));
        }
    }

    private synchronized SubmissionRecord observed(
            SubmissionObserver watching, GpuQueue queue, Submission submission, long value, List<CommandLog> logs) {
        reportSeen(watching);
        return CommandLog.record(queue, submission, value, logs);
    }

    /**
     * Reports a submission that the device has taken.
     *
     * @param complete value of its queue when all of it is done
     */
    public void submitted(@Nullable SubmissionRecord record, long complete) {
        if (observer != null && record != null) {
            report(observer, false, watching -> {
                known[record.queue().index()] = complete;
                watching.submitted(record);
            });
        }
    }

    private synchronized void report(
            SubmissionObserver watching, boolean afterSeen, Consumer<SubmissionObserver> news) {
        if (afterSeen) {
            reportSeen(watching);
        }
        report(watching, news);
    }

    private static void report(SubmissionObserver watching, Consumer<SubmissionObserver> news) {
        try {
            news.accept(watching);
        } catch (Throwable e) {
            Uncaught.report(e);
        }
    }

    private void reportSeen(SubmissionObserver watching) {
        for (int i = 0; i < reported.length; i++) {
            // The device may have reached the value of a submission that another thread is about to report.
            long seen = Math.min(reached.applyAsLong(i), known[i]);
            if (seen > reported[i]) {
                reported[i] = seen;
                TimelinePoint point = new TimelinePoint(queues.get(i), seen);
                report(watching, observing -> observing.hostWaited(point));
            }
        }
    }
}
