package io.frameloom.rdg.execute;

import io.frameloom.gpu.command.QueryResults;
import io.frameloom.gpu.command.QuerySet;
import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FrameStatistics;
import io.frameloom.taskgraph.GraphEvent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads what was measured of a frame that has completed, and gives the trace its device rows. No task does this, since
 * drivers may answer late: Mesa's software driver does so when the device is idle. What is read is put together when it
 * is asked for. The frame calls it, one thread at a time.
 */
final class FrameMeasurement {
    private static final long[] NONE = {};

    private final Frame frame;
    private final FrameSlot slot;
    private final @Nullable FrameTrace trace;
    /** By batch the tasks that submit the frame; none if the calling thread does. */
    private final List<GraphEvent> submissions = new ArrayList<>(0);

    private boolean read;
    /** Two times for each pass, or null if none are collected. */
    private long @Nullable [] nanos;
    /** By pass what the pipeline did, or null if that is not counted. */
    private @Nullable QueryResults counts;

    /** The {@link FrameSlot#hostSpans} of a frame with passes of the host. */
    private long[] hostSpans = NONE;

    private long recordNanos;
    private long submitNanos;

    FrameMeasurement(Frame frame, FrameSlot slot, @Nullable FrameTrace trace) {
        this.frame = frame;
        this.slot = slot;
        this.trace = trace;
    }

    /** Adds the task that submits the next batch. Before the frame is launched. */
    void submittedBy(GraphEvent task) {
        if (trace != null) {
            submissions.add(task);
        }
    }

    /** Reads what the slot has of the frame, once, before another frame takes the slot. */
    void read() {
        if (read) {
            return;
        }
        read = true;
        TimestampSet timestamps = slot.timestamps();
        nanos = timestamps == null ? null : timestamps.readNanos();
        QuerySet statistics = slot.statistics();
        counts = statistics == null ? null : statistics.read();
        PlanRealisation realisation = frame.realisation();
        for (int group = 0; group < realisation.groupCount(); group++) {
            recordNanos += slot.recordNanos[group];
        }
        submitNanos = slot.submitNanos;
        if (realisation.hasHost()) {
            hostSpans = slot.hostSpans.clone();
        }
    }

    /** Returns whether somebody waits for the times who does not ask the frame. */
    boolean isAwaited() {
        return trace != null || frame.isCounted();
    }

    /** Puts together what was read. */
    FrameStatistics statistics() {
        PlanRealisation realisation = frame.realisation();
        FramePlan plan = frame.plan();
        long[] device = nanos;
        if (frame.isCounted()) {
            frame.count(device == null ? null : withHost(realisation, device));
        }
        List<FrameStatistics.PassTime> times = new ArrayList<>(device == null ? 0 : realisation.passCount());
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (int group = 0; group < realisation.groupCount(); group++) {
            if (realisation.isOnHost(group)) {
                addHost(times, group);
                continue;
            }
            int before = times.size();
            if (device != null) {
                addDevice(times, realisation.group(group), device);
            }
            for (FrameStatistics.PassTime time : times.subList(before, times.size())) {
                first = Math.min(first, time.startNanos());
                last = Math.max(last, time.startNanos() + time.nanos());
            }
        }
        if (trace != null && device != null) {
            trace.device(frame, device, submissions, frame.done());
        }
        return new FrameStatistics(
                frame.number(),
                recordNanos,
                submitNanos,
                first > last ? 0 : last - first,
                realisation.taskCount(),
                plan.passes().size() - plan.culledCount(),
                plan.culledCount(),
                plan.barrierCount(),
                plan.waitCount(),
                plan.heapBytes(),
                times,
                counts(plan),
                device == null ? List.of() : ScopeTimes.of(plan, device));
    }

    private List<FrameStatistics.PassCounts> counts(FramePlan plan) {
        QueryResults all = counts;
        if (all == null) {
            return List.of();
        }
        List<FrameStatistics.PassCounts> result = new ArrayList<>();
        for (FramePlan.Batch batch : plan.batches()) {
            for (int pass : batch.passes()) {
                if (all.isCounted(pass)) {
                    result.add(new FrameStatistics.PassCounts(
                            plan.passes().get(pass).name(), pass, all.one(pass)));
                }
            }
        }
        return result;
    }

    /** Returns the times of the device's passes and of those of the host, two for each pass. */
    private long[] withHost(PlanRealisation realisation, long[] nanos) {
        long[] all = nanos.clone();
        for (int group = 0; group < realisation.groupCount(); group++) {
            if (realisation.isOnHost(group)) {
                int pass = realisation.group(group).passes().get(0).plan().index();
                all[2 * pass] = hostSpans[2 * group];
                all[2 * pass + 1] = hostSpans[2 * group + 1];
            }
        }
        return all;
    }

    private void addHost(List<FrameStatistics.PassTime> times, int group) {
        long start = hostSpans[2 * group];
        if (start != Long.MIN_VALUE) {
            FramePlan.PassPlan pass =
                    frame.realisation().group(group).passes().get(0).plan();
            String queue = frame.plan().queues().queues().get(pass.queue()).name();
            times.add(new FrameStatistics.PassTime(pass.name(), queue, start, hostSpans[2 * group + 1] - start));
        }
    }

    private static void addDevice(
            List<FrameStatistics.PassTime> times, PlanRealisation.GroupRealisation members, long[] nanos) {
        for (PassRealisation pass : members.passes()) {
            long start = nanos[2 * pass.plan().index()];
            long end = nanos[2 * pass.plan().index() + 1];
            if (start != Long.MIN_VALUE && end != Long.MIN_VALUE) {
                times.add(new FrameStatistics.PassTime(
                        pass.plan().name(), members.queue().name(), start, Math.max(0, end - start)));
            }
        }
    }
}
