package io.frameloom.gpu.cache.level;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Values are {@code NAME COST SIZE}; the budget is ten bytes. */
class GreedyDualBytesTest {
    private final GreedyDualBytes<String, String> cache =
            new GreedyDualBytes<>(10, GreedyDualBytesTest::size, GreedyDualBytesTest::cost);

    private static long cost(String value) {
        return Long.parseLong(value.split(" ", -1)[1]);
    }

    private static long size(String value) {
        return Long.parseLong(value.split(" ", -1)[2]);
    }

    @Test
    void theCheapestForItsBytesGoes() {
        cache.put("a", "a 100 5");
        cache.put("b", "b 10 5");
        assertThat(cache.put("c", "c 50 5")).containsExactly("b 10 5");
        assertThat(cache.peek("a")).isNotNull();
    }

    @Test
    void sizeCounts() {
        cache.put("a", "a 100 8");
        cache.put("b", "b 50 2");
        assertThat(cache.put("c", "c 1 1")).as("100/8 is less than 50/2").containsExactly("a 100 8");
    }

    @Test
    void ofEqualOnesTheOldestGoes() {
        cache.put("a", "a 10 5");
        cache.put("b", "b 10 5");
        assertThat(cache.get("a")).isEqualTo("a 10 5");
        assertThat(cache.put("c", "c 10 5")).containsExactly("b 10 5");
    }

    @Test
    void whatIsExpensiveButNeverUsedGoesInTheEnd() {
        cache.put("old", "old 50 5");
        for (int i = 0; i < 5; i++) {
            assertThat(cache.peek("old")).as("round %d", i).isNotNull();
            cache.put("new" + i, "new" + i + " 10 5");
        }
        for (int i = 5; i < 10; i++) {
            cache.put("new" + i, "new" + i + " 10 5");
        }
        assertThat(cache.peek("old")).isNull();
    }

    @Test
    void whatIsLargerThanEverythingIsNotKept() {
        cache.put("a", "a 1 5");
        assertThat(cache.put("b", "b 100 11")).containsExactly("b 100 11");
        assertThat(cache.size()).isEqualTo(1);
        assertThat(cache.bytes()).isEqualTo(5);
    }

    @Test
    void whatIsReadAheadEvictsNothing() {
        cache.put("a", "a 1 6");
        assertThat(cache.offerOldest("b", "b 100 5")).isFalse();
        assertThat(cache.offerOldest("a", "a 100 1")).isFalse();
        assertThat(cache.offerOldest("c", "c 100 4")).isTrue();
        assertThat(cache.trim(4)).containsExactly("a 1 6");
        assertThat(cache.remove("c")).isEqualTo("c 100 4");
        assertThat(cache.bytes()).isZero();
    }

    @Test
    void behavesLikeASimpleModel() {
        long seed = 20261121;
        Random random = new Random(seed);
        Map<String, String> values = new LinkedHashMap<>();
        Map<String, double[]> credits = new LinkedHashMap<>();
        double level = 0;
        double uses = 0;
        for (int i = 0; i < 20_000; i++) {
            String key = String.valueOf((char) ('a' + random.nextInt(8)));
            if (random.nextBoolean()) {
                String value = key + " " + random.nextInt(20) + " " + (1 + random.nextInt(4));
                values.remove(key);
                credits.remove(key);
                List<String> expected = new ArrayList<>();
                while (values.values().stream()
                                        .mapToLong(GreedyDualBytesTest::size)
                                        .sum()
                                + size(value)
                        > 10) {
                    String least = credits.entrySet().stream()
                            .min((x, y) -> x.getValue()[0] != y.getValue()[0]
                                    ? Double.compare(x.getValue()[0], y.getValue()[0])
                                    : Double.compare(x.getValue()[1], y.getValue()[1]))
                            .orElseThrow()
                            .getKey();
                    level = Objects.requireNonNull(credits.remove(least))[0];
                    expected.add(values.remove(least));
                }
                values.put(key, value);
                credits.put(key, new double[] {level + (double) cost(value) / size(value), ++uses});
                assertThat(cache.put(key, value)).as("seed %d step %d", seed, i).isEqualTo(expected);
            } else {
                String value = values.get(key);
                if (value != null) {
                    credits.put(key, new double[] {level + (double) cost(value) / size(value), ++uses});
                }
                assertThat(cache.get(key)).as("seed %d step %d", seed, i).isEqualTo(value);
            }
        }
    }
}
