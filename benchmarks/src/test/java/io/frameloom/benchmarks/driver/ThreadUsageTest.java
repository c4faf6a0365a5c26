package io.frameloom.benchmarks.driver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ThreadUsageTest {
    private static final int HOARD = 64 << 20;

    @Test
    void aThreadThatEndsTakesNothingBackFromTheOthers() throws InterruptedException {
        Object lock = new Object();
        byte[][] kept = new byte[1][];
        Thread ending = new Thread(() -> {
            kept[0] = new byte[HOARD];
            synchronized (lock) {
                lock.notifyAll();
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        ThreadUsage before;
        synchronized (lock) {
            ending.start();
            lock.wait();
            before = ThreadUsage.now();
            lock.notifyAll();
        }
        ending.join();
        ThreadUsage after = ThreadUsage.now();
        assertThat(after.bytesSince(before)).isBetween(0L, (long) HOARD);
        assertThat(after.cpuNanosSince(before)).isNotNegative();
        assertThat(kept[0]).hasSize(HOARD);
    }
}
