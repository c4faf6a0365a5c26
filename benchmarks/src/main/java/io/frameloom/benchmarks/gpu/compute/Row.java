package io.frameloom.benchmarks.gpu.compute;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * One measured figure, or the reason why there is none.
 *
 * @param work what was done: copy, scan, match or compact
 * @param variant of what, such as {@code u32 sum}
 * @param how by which algorithm or program
 * @param input kind of input
 * @param length number of elements
 * @param medianNanos time of one execution
 * @param minNanos shortest time
 * @param maxNanos longest time
 * @param samples how many
 * @param elementsPerSecond at the median
 * @param bytes what must at least be moved: the input once, the output once
 * @param gigabytesPerSecond of those, at the median
 * @param ratioToCopy of that to the faster copy dispatch that moves as many bytes; 0 where there is none
 * @param skipped why it was not measured, else null
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Row(
        String work,
        String variant,
        String how,
        String input,
        long length,
        double medianNanos,
        double minNanos,
        double maxNanos,
        int samples,
        double elementsPerSecond,
        long bytes,
        double gigabytesPerSecond,
        double ratioToCopy,
        @Nullable String skipped) {

    /** Whether a processor did it. */
    boolean onProcessor() {
        return how.endsWith("1 thread") || how.endsWith(" workers");
    }

    static Row of(Subject subject, long length, long bytes, Timing timing, double copyGigabytesPerSecond) {
        double rate = bytes / timing.median();
        return new Row(
                subject.work(),
                subject.variant(),
                subject.how(),
                subject.input(),
                length,
                timing.median(),
                timing.min(),
                timing.max(),
                timing.samples(),
                length / timing.median() * 1e9,
                bytes,
                rate,
                copyGigabytesPerSecond > 0 ? rate / copyGigabytesPerSecond : 0,
                null);
    }

    static Row skipped(Subject subject, long length, String reason) {
        return new Row(
                subject.work(),
                subject.variant(),
                subject.how(),
                subject.input(),
                length,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                reason);
    }
}
