package io.frameloom.rdg.tools.report;

import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.Batch;
import io.frameloom.rdg.FramePlan.BatchWait;
import io.frameloom.rdg.FrameStatistics;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * When passes run, in nanoseconds from the start of the first: as predicted, or as measured.
 *
 * @param spans passes in order of submission
 * @param stalls times in which a queue had nothing to do but wait for another one
 * @param waits waits of a queue for another one
 * @param nanos end of the last pass
 */
record Schedule(List<Span> spans, List<Stall> stalls, List<Wait> waits, double nanos) {
    /**
     * A pass.
     *
     * @param pass index of the pass
     * @param queue index of the queue
     * @param start start
     * @param end end
     */
    record Span(int pass, int queue, double start, double end) {}

    /**
     * A queue that stands still.
     *
     * @param queue index of the queue
     * @param start start
     * @param end end
     */
    record Stall(int queue, double start, double end) {}

    /**
     * A wait.
     *
     * @param fromQueue queue that is waited for
     * @param at end of what is waited for
     * @param toQueue queue that waits
     * @param until start of what waits
     * @param reason why
     */
    record Wait(int fromQueue, double at, int toQueue, double until, String reason) {}

    /** Returns the schedule of a device whose queues run one pass at a time, each as long as {@code costs} say. */
    static Schedule predicted(FramePlan plan, PassCosts costs) {
        double[] free = new double[plan.queues().queues().size()];
        double[] batchEnd = new double[plan.batches().size()];
        List<Span> spans = new ArrayList<>();
        List<Stall> stalls = new ArrayList<>();
        List<Wait> waits = new ArrayList<>();
        double end = 0;
        for (Batch batch : plan.batches()) {
            int queue = batch.queue();
            double start = free[queue];
            for (BatchWait wait : batch.waits()) {
                start = Math.max(start, batchEnd[wait.batch()]);
            }
            if (start > free[queue]) {
                stalls.add(new Stall(queue, free[queue], start));
            }
            for (BatchWait wait : batch.waits()) {
                int from = plan.batches().get(wait.batch()).queue();
                waits.add(new Wait(from, batchEnd[wait.batch()], queue, start, wait.reason()));
            }
            double now = start;
            for (int pass : batch.passes()) {
                double nanos = costs.nanos(plan.passes().get(pass));
                spans.add(new Span(pass, queue, now, now + nanos));
                now += nanos;
            }
            free[queue] = now;
            batchEnd[batch.index()] = now;
            end = Math.max(end, now);
        }
        return new Schedule(spans, stalls, waits, end);
    }

    /** Returns what a device has done; null if it measured none of the plan's passes but those of the host. */
    static @Nullable Schedule measured(FramePlan plan, FrameStatistics statistics) {
        Map<String, Deque<int[]>> expected = new HashMap<>();
        for (Batch batch : plan.batches()) {
            for (int pass : batch.passes()) {
                String key = key(
                        plan.queues().queues().get(batch.queue()).name(),
                        plan.passes().get(pass).name());
                expected.computeIfAbsent(key, unused -> new ArrayDeque<>()).add(new int[] {pass, batch.queue()});
            }
        }
        long first = statistics.passTimes().stream()
                .mapToLong(FrameStatistics.PassTime::startNanos)
                .min()
                .orElse(0);
        Span[] byPass = new Span[plan.passes().size()];
        double end = 0;
        for (FrameStatistics.PassTime time : statistics.passTimes()) {
            Deque<int[]> candidates = expected.get(key(time.queue(), time.pass()));
            int[] found = candidates == null ? null : candidates.poll();
            if (found != null) {
                double start = time.startNanos() - first;
                byPass[found[0]] = new Span(found[0], found[1], start, start + time.nanos());
                end = Math.max(end, start + time.nanos());
            }
        }
        List<Span> spans = new ArrayList<>();
        List<Wait> waits = new ArrayList<>();
        for (Batch batch : plan.batches()) {
            for (int pass : batch.passes()) {
                if (byPass[pass] != null) {
                    spans.add(byPass[pass]);
                }
            }
            for (BatchWait wait : batch.waits()) {
                measuredWait(plan, batch, wait, byPass, waits);
            }
        }
        return spans.stream().allMatch(span -> span.queue == plan.queues().host())
                ? null
                : new Schedule(spans, List.of(), waits, end);
    }

    private static void measuredWait(
            FramePlan plan, Batch batch, BatchWait wait, @Nullable Span[] byPass, List<Wait> waits) {
        Span last = null;
        Batch source = plan.batches().get(wait.batch());
        for (int pass : source.passes()) {
            Span span = byPass[pass];
            last = span != null && (last == null || span.end > last.end) ? span : last;
        }
        for (int pass : batch.passes()) {
            Span span = byPass[pass];
            if (last != null && span != null) {
                waits.add(new Wait(source.queue(), last.end, batch.queue(), span.start, wait.reason()));
                return;
            }
        }
    }

    private static String key(String queue, String pass) {
        return queue.length() + ":" + queue + pass;
    }
}
