package io.frameloom.gpu.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LruBytesTest {
    private final LruBytes<String, String> cache = new LruBytes<>(10, String::length);

    @Test
    void withoutReuseTheOldestGoesFirst() {
        cache.put("a", "aaaa");
        cache.put("b", "bbbb");
        assertThat(cache.put("c", "cccc")).containsExactly("aaaa");
        assertThat(cache.put("d", "ddddd")).containsExactly("bbbb");
        assertThat(cache.bytes()).isEqualTo(9);
        assertThat(cache.size()).isEqualTo(2);
    }

    @Test
    void whatIsReusedStays() {
        cache.put("a", "aaaa");
        cache.put("b", "bbbb");
        assertThat(cache.get("a")).isEqualTo("aaaa");
        assertThat(cache.put("c", "cccc")).containsExactly("bbbb");
    }

    @Test
    void peekingIsNoUse() {
        cache.put("a", "aaaa");
        cache.put("b", "bbbb");
        assertThat(cache.peek("a")).isEqualTo("aaaa");
        assertThat(cache.put("c", "cccc")).containsExactly("aaaa");
        assertThat(cache.peek("nothing")).isNull();
        assertThat(cache.get("nothing")).isNull();
    }

    @Test
    void aNewValueReplacesAndDoesNotCountTwice() {
        cache.put("a", "aaaa");
        cache.put("b", "bb");
        assertThat(cache.put("a", "AAAAAAAA")).isEmpty();
        assertThat(cache.get("a")).isEqualTo("AAAAAAAA");
        assertThat(cache.bytes()).isEqualTo(10);
    }

    @Test
    void whatIsRemovedIsGone() {
        cache.put("a", "aaaa");
        assertThat(cache.remove("a")).isEqualTo("aaaa");
        assertThat(cache.remove("a")).isNull();
        assertThat(cache.bytes()).isZero();
        assertThat(cache.put("b", "bbbbbbbbbb")).isEmpty();
    }

    @Test
    void trimmingTakesTheOldest() {
        cache.put("a", "aaa");
        cache.put("b", "bbb");
        cache.put("c", "ccc");
        assertThat(cache.trim(5)).containsExactly("aaa", "bbb");
        assertThat(cache.trim(0)).containsExactly("ccc");
        assertThat(cache.size()).isZero();
    }

    @Test
    void whatIsLargerThanEverythingIsNotKeptAndEvictsNothing() {
        cache.put("a", "aaaa");
        assertThat(cache.put("b", "bbbbbbbbbbb")).containsExactly("bbbbbbbbbbb");
        assertThat(cache.peek("a")).isEqualTo("aaaa");
        assertThat(cache.peek("b")).isNull();
    }

    @Test
    void whatIsReadAheadEvictsNothingAndGoesFirst() {
        cache.put("a", "aaaa");
        assertThat(cache.offerOldest("b", "bbb")).isTrue();
        assertThat(cache.offerOldest("c", "cc")).isTrue();
        assertThat(cache.offerOldest("d", "dd")).isFalse();
        assertThat(cache.offerOldest("a", "")).isFalse();
        assertThat(cache.put("e", "eeee")).containsExactly("cc", "bbb");
    }

    @Test
    void behavesLikeASimpleModel() {
        long seed = 20261121;
        Random random = new Random(seed);
        Deque<String> oldestFirst = new ArrayDeque<>();
        for (int i = 0; i < 20_000; i++) {
            String value = String.valueOf((char) ('a' + random.nextInt(8))).repeat(1 + random.nextInt(4));
            String key = value.substring(0, 1);
            switch (random.nextInt(4)) {
                case 0, 1 -> {
                    oldestFirst.removeIf(other -> other.startsWith(key));
                    List<String> expected = new ArrayList<>();
                    while (length(oldestFirst) + value.length() > 10) {
                        expected.add(oldestFirst.remove());
                    }
                    oldestFirst.add(value);
                    assertThat(cache.put(key, value))
                            .as("seed %d step %d", seed, i)
                            .isEqualTo(expected);
                }
                case 2 -> {
                    String expected = oldestFirst.stream()
                            .filter(other -> other.startsWith(key))
                            .findFirst()
                            .orElse(null);
                    if (expected != null) {
                        oldestFirst.remove(expected);
                        oldestFirst.add(expected);
                    }
                    assertThat(cache.get(key)).as("seed %d step %d", seed, i).isEqualTo(expected);
                }
                default -> {
                    oldestFirst.removeIf(other -> other.startsWith(key));
                    cache.remove(key);
                }
            }
            assertThat(cache.bytes()).isEqualTo(length(oldestFirst));
        }
    }

    private static int length(Deque<String> values) {
        return values.stream().mapToInt(String::length).sum();
    }
}
