package io.frameloom.gpu.cache.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FolderLockTest {
    private final RecordingObserver observer = new RecordingObserver();
    private final Asked counter = new Asked();
    private final FolderLock lock = new FolderLock(counter, TimeUnit.MILLISECONDS.toNanos(20), observer);

    /** A lock of which another process decides. */
    private static final class Asked implements StoreFiles.SharedCounter {
        int asked;
        int released;
        int refusals;

        @Override
        public boolean tryAcquire() {
            asked++;
            return refusals-- <= 0;
        }

        @Override
        public void release() {
            released++;
        }

        @Override
        public long version() {
            return 0;
        }

        @Override
        public long total() {
            return 0;
        }

        @Override
        public void set(long version, long total) {}

        @Override
        public void close() {}
    }

    private boolean locked() throws IOException {
        return lock.run(locked -> locked);
    }

    @Test
    void waitsForAnotherProcess() throws Exception {
        counter.refusals = 2;
        assertThat(locked()).isTrue();
        assertThat(counter.asked).isEqualTo(3);
        assertThat(counter.released).isEqualTo(1);
        assertThat(observer.told).isEmpty();
    }

    @Test
    void waitsInVainOnceAndAgainOnlyAfterItWasFree() throws Exception {
        counter.refusals = Integer.MAX_VALUE;
        assertThat(locked()).isFalse();
        assertThat(counter.asked).isGreaterThan(1);
        for (int i = 0; i < 3; i++) {
            counter.asked = 0;
            assertThat(locked()).isFalse();
            assertThat(counter.asked).isEqualTo(1);
        }
        assertThat(counter.released).isZero();
        assertThat(observer.count("patience lock")).isEqualTo(4);
        counter.refusals = 0;
        assertThat(locked()).isTrue();
        counter.refusals = 2;
        assertThat(locked()).isTrue();
    }
}
