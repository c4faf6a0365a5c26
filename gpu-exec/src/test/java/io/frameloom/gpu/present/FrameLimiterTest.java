package io.frameloom.gpu.present;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.taskgraph.deterministic.DeterministicScheduler;
import io.frameloom.taskgraph.deterministic.Exploration;
import io.frameloom.testing.TestEffort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Times are those of a clock that the test moves. */
final class FrameLimiterTest {
    private static final long MILLI = 1_000_000;
    private static final long STEP = 1_000;

    /** A clock on which sleeps end late and a look takes a moment. */
    private static final class Clock implements PacingClock {
        private long now = 5 * MILLI;
        private long overshoot = 60_000;
        private long slept;
        private long spins;

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public void park(Object blocker, long nanos) {
            assertThat(nanos).isPositive();
            slept += nanos;
            now += nanos + overshoot;
        }

        @Override
        public void spin() {
            spins++;
            now += STEP;
        }

        @Override
        public void unpark(Thread thread) {
            throw new AssertionError("nothing sleeps");
        }
    }

    private final Clock clock = new Clock();

    /** Returns when frames begin that take these times. */
    private List<Long> begins(FrameLimiter limiter, long... lengths) {
        List<Long> begins = new ArrayList<>();
        for (long length : lengths) {
            assertThat(limiter.await()).isTrue();
            begins.add(clock.now);
            clock.now += length;
        }
        return begins;
    }

    private static List<Long> intervals(List<Long> begins) {
        List<Long> intervals = new ArrayList<>();
        for (int i = 1; i < begins.size(); i++) {
            intervals.add(begins.get(i) - begins.get(i - 1));
        }
        return intervals;
    }

    /** A third of a second has no whole number of nanoseconds, and 60 frames have not either. */
    @ParameterizedTest
    @ValueSource(doubles = {0.3, 24, 60, 143.98, 1000, 7777.7})
    void framesDoNotDrift(double rate) {
        FrameLimiter limiter = new FrameLimiter(rate, clock);
        clock.overshoot = Math.min(clock.overshoot, (long) (1e9 / rate / 8));
        long start = clock.now;
        for (int i = 0; i < 2_000; i++) {
            assertThat(limiter.await()).isTrue();
            // Within one look at the clock, in the last frame as in the first.
            assertThat(clock.now - start - i * 1e9 / rate).isBetween(-1.0, (double) STEP + 1);
        }
        assertThat(limiter.missed()).isZero();
        assertThat(clock.slept).isGreaterThan((clock.now - start) / 2);
    }

    @Test
    void aFrameThatIsLateByLessThanAPeriodShortensTheNextInterval() {
        FrameLimiter limiter = new FrameLimiter(100, clock);
        List<Long> begins = begins(limiter, MILLI, 14 * MILLI, MILLI, MILLI, MILLI);
        assertThat(intervals(begins))
                .zipSatisfy(
                        List.of(10, 14, 6, 10),
                        (interval, millis) ->
                                assertThat(interval).isBetween(millis * MILLI - STEP, millis * MILLI + STEP));
        assertThat(limiter.missed()).isZero();
    }

    @Test
    void noBurstFollowsALongFrame() {
        FrameLimiter limiter = new FrameLimiter(100, clock);
        List<Long> begins = begins(limiter, MILLI, 20 * MILLI, MILLI, 5_000 * MILLI, MILLI, MILLI);
        assertThat(intervals(begins))
                .zipSatisfy(
                        List.of(10, 20, 10, 5_000, 10),
                        (interval, millis) ->
                                assertThat(interval).isBetween(millis * MILLI - STEP, millis * MILLI + STEP));
        assertThat(limiter.missed()).isEqualTo(2);
    }

    @Test
    void aLoopThatIsAlwaysTooSlowNeverWaits() {
        FrameLimiter limiter = new FrameLimiter(100, clock);
        assertThat(intervals(begins(limiter, 10 * MILLI, 12 * MILLI, 12 * MILLI, 12 * MILLI, 12 * MILLI, 0)))
                .containsExactly(10 * MILLI, 12 * MILLI, 12 * MILLI, 12 * MILLI, 12 * MILLI);
        assertThat(clock.slept).isZero();
        assertThat(clock.spins).isZero();
    }

    @Test
    void aSleepThatEndedVeryLateDoesNotMakeEveryLaterWaitSpin() {
        FrameLimiter limiter = new FrameLimiter(100, clock);
        begins(limiter, 0, 0, 0);
        long before = clock.spins;
        begins(limiter, 0, 0, 0);
        long usual = clock.spins - before;

        clock.overshoot = 8 * MILLI;
        begins(limiter, 0);
        clock.overshoot = 60_000;
        before = clock.spins;
        begins(limiter, 0);
        assertThat(clock.spins - before).isBetween(2 * usual / 3, MILLI / STEP);

        // Too little is left to sleep in; the limiter forgets in these frames, too.
        long[] busy = new long[50];
        Arrays.fill(busy, 10 * MILLI - 50_000);
        begins(limiter, busy);
        begins(limiter, 0);
        before = clock.spins;
        begins(limiter, 0, 0, 0);
        assertThat(clock.spins - before).isEqualTo(usual);
    }

    @Test
    void anInterruptedThreadDoesNotWaitAndStaysInterrupted() {
        FrameLimiter limiter = new FrameLimiter(100, clock);
        long first = begins(limiter, MILLI).get(0);
        Thread.currentThread().interrupt();
        assertThat(limiter.await()).isFalse();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(clock.now).isEqualTo(first + MILLI);
        // The frame is still to come.
        assertThat(begins(limiter, 0).get(0)).isBetween(first + 10 * MILLI, first + 10 * MILLI + STEP);
    }

    @Test
    void aClosedLimiterLetsNoFrameBegin() {
        FrameLimiter limiter = new FrameLimiter(100, clock);
        limiter.close();
        limiter.close();
        assertThat(limiter.await()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -60, Double.NaN, Double.POSITIVE_INFINITY, 1e-4, 1e7})
    void ratesHaveARange(double rate) {
        assertThatThrownBy(() -> new FrameLimiter(rate))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a frame limiter takes 0.001 to 1000000 frames per second, got " + rate);
    }

    /** On the system's clock no frame begins before its time. */
    @Test
    void theSystemsClockBeginsNoFrameEarly() {
        try (FrameLimiter limiter = new FrameLimiter(500)) {
            long start = System.nanoTime();
            for (int i = 0; i < 20; i++) {
                assertThat(limiter.await()).isTrue();
                assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(i * 2 * MILLI);
            }
        }
    }

    /** A wait that closing missed would last as long as its frame, 1000 s. */
    @Test
    void closingEndsAWaitWhereverItIs() {
        DeterministicScheduler.explore(Exploration.random(7, TestEffort.of(300, 3_000)), scheduler -> {
            FrameLimiter limiter = new FrameLimiter(0.001, new Scheduled(scheduler));
            assertThat(limiter.await()).isTrue();
            long start = scheduler.nanoTime();
            Thread waiting = scheduler.thread("waiting", () -> {
                assertThat(limiter.await()).isFalse();
                assertThat(limiter.await()).isFalse();
            });
            scheduler.point("before closing");
            limiter.close();
            scheduler.join(waiting);
            assertThat(scheduler.nanoTime()).isEqualTo(start);
        });
    }

    private record Scheduled(DeterministicScheduler scheduler) implements PacingClock {
        @Override
        public long nanoTime() {
            scheduler.point("looks at the clock");
            return scheduler.nanoTime();
        }

        @Override
        public void park(Object blocker, long nanos) {
            scheduler.point("goes to sleep");
            scheduler.parkUntil(blocker, scheduler.nanoTime() + nanos);
        }

        @Override
        public void spin() {
            scheduler.parkUntil(this, scheduler.nanoTime() + STEP);
        }

        @Override
        public void unpark(Thread thread) {
            scheduler.unpark(thread);
        }
    }
}
