package io.frameloom.gpu.cache.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two processes that publish at the same time: the budget holds, and nobody keeps the lock while he lists the folder. */
@Timeout(60)
class SpaceContentionTest {
    private static final Path ROOT = Path.of("/home/cache");
    private static final Path LOCK = ROOT.resolve("lock");
    private static final long ENTRY = Entries.fileBytes(100);
    private static final int ROOM = 64;
    /** Programs that go at once when the folder has been listed: what is needed, and a part of what is there. */
    private static final int AT_ONCE = 1 + ROOM / 32;

    private final SimulatedDisk disk = new SimulatedDisk(Path.of("/"), Path.of("/home"));
    private final RecordingObserver observer = new RecordingObserver();
    /** Whether the lock was free, for each listing of the store. */
    private final List<Boolean> free = new ArrayList<>();

    private DiskCache cache;
    private DiskCache other;
    private int published;
    private int disturbances;

    @BeforeEach
    void fill() throws Exception {
        cache = open(ROOM * ENTRY, observer);
        other = open(ROOM * ENTRY, new RecordingObserver());
        while (published < ROOM) {
            publishByTheOther();
        }
    }

    private DiskCache open(long budget, DiskObserver observer) throws FolderRefusedException {
        return DiskCache.open(disk.process(), ROOT, new DiskCache.Limits(budget, budget, 100, 0), observer);
    }

    private static DiskStore store(DiskCache cache) {
        return cache.store(Entries.KIND, Entries.COMPATIBILITY);
    }

    private void publishByTheOther() {
        assertThat(store(other).publish(Entries.entry(published++))).isTrue();
    }

    private int present() {
        return (int) disk.filesBelow(ROOT).stream()
                .filter(path -> path.toString().endsWith(CacheLayout.PROGRAM))
                .count();
    }

    /** Returns what the counter says. */
    private long total() throws IOException {
        try (StoreFiles.SharedCounter counter = disk.process().openCounter(LOCK)) {
            return counter.total();
        }
    }

    /** Lets the other process publish in the middle of the next listings, unless it cannot have the lock. */
    private void disturb(int times) throws IOException {
        disturbances = times;
        StoreFiles.SharedCounter probe = disk.process().openCounter(LOCK);
        Path folder = ROOT.resolve(store(cache).name());
        boolean[] inside = new boolean[1];
        disk.refuse((operation, path) -> {
            if (!inside[0] && operation.equals("list") && path.equals(folder)) {
                inside[0] = true;
                boolean acquired = acquired(probe);
                free.add(acquired);
                if (acquired && disturbances-- > 0) {
                    publishByTheOther();
                }
                inside[0] = false;
            }
            return null;
        });
    }

    private static boolean acquired(StoreFiles.SharedCounter probe) {
        try {
            boolean acquired = probe.tryAcquire();
            if (acquired) {
                probe.release();
            }
            return acquired;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void publish() {
        assertThat(store(cache).publish(Entries.entry(-1))).isTrue();
        assertThat(disk.filesBelow(ROOT)).anyMatch(path -> path.endsWith(CacheLayout.programName(Entries.digest(-1))));
        assertThat(present()).isLessThanOrEqualTo(ROOM);
        assertThat(observer.count("evicted")).isEqualTo(AT_ONCE);
    }

    @Test
    void listsWithoutTheLock() throws Exception {
        disturb(0);
        publish();
        assertThat(free).containsExactly(true);
        assertThat(total()).isEqualTo(present() * ENTRY);
    }

    @Test
    void listsAgainWithoutTheLockWhenSomebodyPublishedMeanwhile() throws Exception {
        disturb(2);
        publish();
        assertThat(free).containsExactly(true, true, true);
        assertThat(total()).isEqualTo(present() * ENTRY);
    }

    @Test
    void listsWithTheLockWhenSomebodyPublishesAllTheTime() throws Exception {
        disturb(Integer.MAX_VALUE);
        publish();
        assertThat(free).containsExactly(true, true, true, false);
        assertThat(total()).isEqualTo(present() * ENTRY);
    }

    @Test
    void cleaningUpListsOnceIfNobodyPublishesMeanwhile() throws Exception {
        disturb(0);
        cache.tidy();
        // For drafts, to count, and to see whether the store is empty.
        assertThat(free).containsExactly(true, true, false);
    }

    @Test
    void cleaningUpListsAgainWhenSomebodyPublishedMeanwhile() throws Exception {
        DiskCache smaller = open((ROOM - 9) * ENTRY, observer);
        disturb(2);
        smaller.tidy();
        assertThat(present()).isEqualTo(ROOM - 9);
        assertThat(total()).isEqualTo(present() * ENTRY);
    }

    @Test
    void cleaningUpEvictsNothingOnWhatIsNotTheWholeTruth() throws Exception {
        DiskCache smaller = open((ROOM - 9) * ENTRY, observer);
        disturb(Integer.MAX_VALUE);
        smaller.tidy();
        assertThat(observer.count("evicted")).isZero();
        assertThat(total()).isEqualTo(present() * ENTRY);
    }

    @Test
    void cleaningUpKeepsTheLockForFewProgramsAtATime() throws Exception {
        DiskCache smaller = open(ENTRY, observer);
        int[] together = new int[2];
        disk.refuse((operation, path) -> {
            if (operation.equals("acquire")) {
                together[0] = 0;
            } else if (operation.equals("delete") && path.toString().endsWith(CacheLayout.PROGRAM)) {
                together[0]++;
                together[1] = Math.max(together[1], together[0]);
            }
            return null;
        });
        smaller.tidy();
        assertThat(present()).isEqualTo(1);
        assertThat(together[1]).isEqualTo(ROOM / 32);
    }
}
