package io.frameloom.gpu.cache.program;

import io.frameloom.gpu.cache.ProgramCacheStatistics.Distribution;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts values of any size in bounded memory: sixteen buckets for each power of two, so a quantile is at most a
 * sixteenth too large, and none is below 16 off. Any thread; recording neither locks nor allocates.
 *
 * <p>HdrHistogram, which the applications use, is no JPMS module: with it this library could not be published as one,
 * nor linked into a runtime image.
 */
final class Histogram {
    private static final int BITS = 4;
    private static final int PER_POWER = 1 << BITS;
    private static final int BUCKETS = (Long.SIZE - BITS) * PER_POWER;

    private final AtomicLongArray counts = new AtomicLongArray(BUCKETS);
    private final LongAdder sum = new LongAdder();
    private final LongAccumulator max = new LongAccumulator(Math::max, 0);

    /** Records a value; a negative one counts as 0. */
    void record(long value) {
        long counted = Math.max(0, value);
        counts.getAndIncrement(bucket(counted));
        sum.add(counted);
        max.accumulate(counted);
    }

    static int bucket(long value) {
        if (value < PER_POWER) {
            return (int) value;
        }
        int shift = Long.SIZE - 1 - BITS - Long.numberOfLeadingZeros(value);
        return (shift << BITS) + (int) (value >>> shift);
    }

    /** Returns the largest value that falls into a bucket. */
    static long largest(int bucket) {
        if (bucket < 2 * PER_POWER) {
            return bucket;
        }
        int shift = (bucket >> BITS) - 1;
        long mantissa = bucket - ((long) shift << BITS);
        return ((mantissa + 1) << shift) - 1;
    }

    /** Returns what was recorded so far; values that are being recorded meanwhile may be missing in part. */
    Distribution snapshot() {
        long[] seen = new long[BUCKETS];
        long count = 0;
        for (int i = 0; i < BUCKETS; i++) {
            seen[i] = counts.get(i);
            count += seen[i];
        }
        long largest = max.get();
        return new Distribution(
                count,
                count == 0 ? 0 : (double) sum.sum() / count,
                quantile(seen, count, 0.5, largest),
                quantile(seen, count, 0.9, largest),
                quantile(seen, count, 0.99, largest),
                largest);
    }

    private static long quantile(long[] seen, long count, double part, long largest) {
        long wanted = (long) Math.ceil(count * part);
        long below = 0;
        for (int i = 0; i < seen.length; i++) {
            below += seen[i];
            if (wanted > 0 && below >= wanted) {
                return Math.min(largest(i), largest);
            }
        }
        return 0;
    }
}
