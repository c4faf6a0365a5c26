package io.frameloom.benchmarks.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class ThreadUsageTest {
    private static final int HOARD = 64 << 20;

    @Test
    void aThreadThatEndsTakesNothingBackFromTheOthers() throws InterruptedException {
        CountDownLatch hoarded = new CountDownLatch(1);
        CountDownLatch counted = new CountDownLatch(1);
        byte[][] kept = new byte[1][];
        Thread ending = new Thread(() -> {
            kept[0] = new byte[HOARD];
            hoarded.countDown();
            try {
                counted.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        ending.start();
        hoarded.await();
        ThreadUsage before = ThreadUsage.now();
        counted.countDown();
        ending.join();
        ThreadUsage after = ThreadUsage.now();
        assertThat(after.bytesSince(before)).isBetween(0L, (long) HOARD);
        assertThat(after.cpuNanosSince(before)).isNotNegative();
        assertThat(kept[0]).hasSize(HOARD);
    }
}
