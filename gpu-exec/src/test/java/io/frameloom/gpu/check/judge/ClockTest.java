package io.frameloom.gpu.check.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clocks that share values say what clocks with values of their own would. */
@Timeout(60)
class ClockTest {
    private static final int CLOCKS = 6;
    private static final int COLUMNS = 3 * Scopes.STAGES;

    @Test
    void sharedValuesAreNobodyElsesToChange() {
        SplittableRandom random = new SplittableRandom(7);
        List<Clock> clocks = new ArrayList<>();
        long[][] expected = new long[CLOCKS][COLUMNS];
        for (int i = 0; i < CLOCKS; i++) {
            clocks.add(new Clock());
        }
        for (int step = 1; step < 20_000; step++) {
            int to = random.nextInt(CLOCKS);
            int from = random.nextInt(CLOCKS);
            switch (random.nextInt(5)) {
                case 0 -> {
                    clocks.set(to, clocks.get(from).copy());
                    expected[to] = expected[from].clone();
                }
                case 1 -> {
                    clocks.set(to, new Clock());
                    expected[to] = new long[COLUMNS];
                }
                case 2 -> {
                    clocks.get(to).raise(clocks.get(from));
                    for (int i = 0; i < COLUMNS; i++) {
                        expected[to][i] = Math.max(expected[to][i], expected[from][i]);
                    }
                }
                default -> {
                    int column = random.nextInt(COLUMNS);
                    long value = random.nextInt(100);
                    clocks.get(to).raise(column, value);
                    expected[to][column] = Math.max(expected[to][column], value);
                }
            }
            for (int i = 0; i < CLOCKS; i++) {
                for (int column = 0; column < COLUMNS; column++) {
                    assertThat(clocks.get(i).get(column)).isEqualTo(expected[i][column]);
                }
            }
        }
    }
}
