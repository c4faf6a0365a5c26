package io.frameloom.gpu.cache.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.testing.TestEffort;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Interrupts before and during work on files: each comes at another moment, and most of them in the middle of it. */
@Timeout(60)
class NativeFilesInterruptTest {
    private static final int ROUNDS = TestEffort.of(40, 200);
    private static final int LARGE = 1 << 18;
    private static final int MOST_SPINS = 20_000;

    @TempDir
    private Path folder;

    private final NativeFiles files = new NativeFiles();

    private interface Work {
        void run(int round) throws IOException;
    }

    /** Does something again and again, with one interrupt in each round, which must not be lost. */
    private static void interrupted(Work work) throws IOException, InterruptedException {
        Thread worker = Thread.currentThread();
        AtomicInteger begun = new AtomicInteger();
        Thread interrupter = new Thread(() -> {
            SplittableRandom random = new SplittableRandom(1);
            for (int round = 1; round <= ROUNDS; round++) {
                while (begun.get() < round) {
                    Thread.onSpinWait();
                }
                for (int spins = random.nextInt(MOST_SPINS); spins > 0; spins--) {
                    Thread.onSpinWait();
                }
                worker.interrupt();
            }
        });
        interrupter.start();
        for (int round = 1; round <= ROUNDS; round++) {
            begun.set(round);
            work.run(round);
            while (!Thread.interrupted()) {
                Thread.onSpinWait();
            }
        }
        interrupter.join();
    }

    @Test
    void filesAreWrittenAndReadWhole() throws Exception {
        byte[] bytes = new byte[LARGE];
        new SplittableRandom(2).nextBytes(bytes);
        interrupted(round -> {
            Path file = folder.resolve("file " + round);
            files.write(file, bytes);
            files.force(file);
            assertThat(files.read(file, 2 * LARGE)).isEqualTo(bytes);
            files.forceFolder(folder);
            files.delete(file);
        });
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void anInterruptedThreadMakesAFolderACacheAndFindsIt() throws Exception {
        RecordingObserver observer = new RecordingObserver();
        for (int i = 0; i < 2; i++) {
            Thread.currentThread().interrupt();
            DiskCache cache = DiskCache.open(files, folder.resolve("cache"), 1 << 20, observer);
            assertThat(Thread.interrupted()).isTrue();
            cache.close();
        }
        assertThat(observer.told).isEmpty();
    }
}
