package io.frameloom.gpu.cache.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.cache.ProgramCacheStatistics.Distribution;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HistogramTest {
    @Test
    void emptyIsAllZero() {
        assertThat(new Histogram().snapshot()).isEqualTo(new Distribution(0, 0, 0, 0, 0, 0));
    }

    @Test
    void bucketsFollowEachOtherWithoutGapsOrOverlaps() {
        for (long value : new long[] {0, 1, 15, 16, 31, 32, 33, 63, 64, 1_000_000, Long.MAX_VALUE}) {
            int bucket = Histogram.bucket(value);
            assertThat(Histogram.largest(bucket)).isGreaterThanOrEqualTo(value);
            assertThat(Histogram.largest(bucket) - value).isLessThanOrEqualTo(value / 16);
            if (bucket > 0) {
                assertThat(Histogram.largest(bucket - 1)).isLessThan(value);
            }
        }
        for (int bucket = 0; bucket < Histogram.bucket(Long.MAX_VALUE); bucket++) {
            assertThat(Histogram.bucket(Histogram.largest(bucket))).isEqualTo(bucket);
            assertThat(Histogram.bucket(Histogram.largest(bucket) + 1)).isEqualTo(bucket + 1);
        }
    }

    @Test
    void quantilesAreAtMostASixteenthTooLarge() {
        Random random = new Random(7);
        Histogram histogram = new Histogram();
        long[] values = new long[10_000];
        for (int i = 0; i < values.length; i++) {
            values[i] = (long) Math.exp(random.nextDouble() * 30);
            histogram.record(values[i]);
        }
        Arrays.sort(values);
        Distribution found = histogram.snapshot();
        assertThat(found.count()).isEqualTo(values.length);
        assertThat(found.max()).isEqualTo(values[values.length - 1]);
        near(found.p50(), values[values.length / 2 - 1]);
        near(found.p90(), values[values.length * 9 / 10 - 1]);
        near(found.p99(), values[values.length * 99 / 100 - 1]);
        assertThat(found.mean()).isEqualTo(Arrays.stream(values).sum() / 10_000.0);
    }

    private static void near(long found, long exact) {
        assertThat(found).isBetween(exact, exact + exact / 16);
    }

    @Test
    void negativeTimesCountAsNone() {
        Histogram histogram = new Histogram();
        histogram.record(-5);
        assertThat(histogram.snapshot()).isEqualTo(new Distribution(1, 0, 0, 0, 0, 0));
    }
}
