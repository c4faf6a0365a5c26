package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GroupTimesTest {
    private final GroupTimes times = new GroupTimes(2);

    @Test
    void whatWasNeverMeasuredIsAlone() {
        assertThat(times.mayJoin(times.nanos(0), 1)).isFalse();
        times.learn(new long[] {1_000, 0});
        assertThat(times.mayJoin(times.nanos(0), 1)).isFalse();
        assertThat(times.mayJoin(times.nanos(1), 0)).isFalse();
    }

    @Test
    void aTaskTakesUpToFiftyMicroseconds() {
        times.learn(new long[] {30_000, 20_000});
        assertThat(times.mayJoin(times.nanos(0), 1)).isTrue();
        assertThat(times.mayJoin(times.nanos(0) + 1, 1)).isFalse();
    }

    @Test
    void oneSlowFrameCountsAQuarter() {
        times.learn(new long[] {10_000, 10_000});
        times.learn(new long[] {50_000, 0});
        assertThat(times.nanos(0)).isEqualTo(20_000);
        assertThat(times.nanos(1)).isEqualTo(7_500);
        times.learn(new long[] {5_000_000, 7_500});
        assertThat(times.nanos(0)).as("of two tasks at most").isEqualTo(40_000);
    }

    @Test
    void aNameIsMadeAnewForOtherGroupsOnly() {
        String name = times.name(0, 3, group -> "g" + group);
        assertThat(name).isEqualTo("record g0 to g3");
        assertThat(times.name(0, 3, group -> "other")).isSameAs(name);
        assertThat(times.name(0, 2, group -> "g" + group)).isEqualTo("record g0 to g2");
    }
}
