package io.frameloom.gpu.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class WrittenQueriesTest {
    private static final int WRITERS = 2;
    private static final int MANY = 4_000;

    private static boolean writes(WrittenQueries written, int index) {
        try {
            written.write("list", index);
            return true;
        } catch (IllegalStateException taken) {
            assertThat(taken).hasMessageContaining("'list': timestamp " + index + " of set 'stamps' is written");
            return false;
        }
    }

    /** The writers meet before each index, so that a look and a mark that are not one step fall between each other. */
    @Test
    @Timeout(60)
    void ofWritersAtTheSameTimeOneWrites() throws Exception {
        WrittenQueries written = new WrittenQueries("writeTimestamp", "timestamp", "stamps", MANY);
        AtomicInteger arrived = new AtomicInteger();
        List<FutureTask<Integer>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            FutureTask<Integer> writer = new FutureTask<>(() -> {
                int count = 0;
                for (int index = 0; index < MANY; index++) {
                    arrived.incrementAndGet();
                    while (arrived.get() < WRITERS * (index + 1)) {
                        Thread.onSpinWait();
                    }
                    count += writes(written, index) ? 1 : 0;
                }
                return count;
            });
            writers.add(writer);
            new Thread(writer, "writer " + i).start();
        }
        int count = 0;
        for (FutureTask<Integer> writer : writers) {
            count += writer.get(60, TimeUnit.SECONDS);
        }
        assertThat(count).isEqualTo(MANY);
    }
}
