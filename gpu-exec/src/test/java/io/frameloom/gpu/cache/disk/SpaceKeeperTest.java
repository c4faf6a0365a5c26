package io.frameloom.gpu.cache.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The budget holds, and what was not used for longest goes first. */
@Timeout(60)
class SpaceKeeperTest {
    private static final Path ROOT = Path.of("/home/cache");
    private static final long ENTRY = Entries.fileBytes(100);

    private final SimulatedDisk disk = new SimulatedDisk(Path.of("/"), Path.of("/home"));
    private final RecordingObserver observer = new RecordingObserver();

    private DiskCache open(long budget) throws FolderRefusedException {
        return DiskCache.open(disk.process(), ROOT, new DiskCache.Limits(budget, budget * 2, 100, 0), observer);
    }

    private static DiskStore store(DiskCache cache) {
        return cache.store(Entries.KIND, Entries.COMPATIBILITY);
    }

    private Set<Integer> present() {
        Set<Integer> numbers = new TreeSet<>();
        for (Path file : disk.filesBelow(ROOT)) {
            for (int i = 0; i < 100; i++) {
                if (file.endsWith(CacheLayout.programName(Entries.digest(i)))) {
                    numbers.add(i);
                }
            }
        }
        return numbers;
    }

    @Test
    void withoutReuseTheOldestGoes() throws Exception {
        DiskStore store = store(open(3 * ENTRY));
        for (int i = 0; i < 5; i++) {
            store.publish(Entries.entry(i));
        }
        assertThat(present()).containsExactly(2, 3, 4);
        assertThat(observer.count("evicted")).isEqualTo(2);
        assertThat(observer.largest).isEqualTo(3 * ENTRY);
    }

    @Test
    void whatIsReadStays() throws Exception {
        DiskStore store = store(open(3 * ENTRY));
        for (int i = 0; i < 3; i++) {
            store.publish(Entries.entry(i));
        }
        assertThat(store.read(Entries.digest(0), Entries.keyText(0))).isInstanceOf(EntryReading.Intact.class);
        store.publish(Entries.entry(3));
        assertThat(present()).containsExactly(0, 2, 3);
    }

    @Test
    void theNextProcessKnowsWhatIsThereAndWhatWasUsed() throws Exception {
        DiskCache first = open(3 * ENTRY);
        for (int i = 0; i < 3; i++) {
            store(first).publish(Entries.entry(i));
        }
        store(first).used(Entries.digest(0));
        first.close();
        DiskCache second = open(3 * ENTRY);
        second.tidy();
        assertThat(store(second).isKnown(Entries.digest(2))).isTrue();
        store(second).publish(Entries.entry(3));
        assertThat(present()).containsExactly(0, 2, 3);
    }

    @Test
    void replacingCountsOnce() throws Exception {
        DiskStore store = store(open(2 * ENTRY));
        store.publish(Entries.entry(0));
        for (int version = 0; version < 5; version++) {
            store.publish(Entries.entry(1, version, 100));
        }
        assertThat(present()).containsExactly(0, 1);
    }

    @Test
    void aProgramBeyondTheBudgetIsNotKeptAndEvictsNothing() throws Exception {
        DiskStore store = store(open(2 * ENTRY));
        store.publish(Entries.entry(0));
        assertThat(store.publish(Entries.entry(1, 0, 5_000))).isFalse();
        assertThat(present()).containsExactly(0);
        assertThat(observer.count("failed program")).isEqualTo(1);
    }

    @Test
    void aTimeToComeMakesNothingImmortal() throws Exception {
        DiskCache first = open(2 * ENTRY);
        store(first).publish(Entries.entry(0));
        disk.process()
                .touch(
                        disk.filesBelow(ROOT).stream()
                                .filter(path -> path.toString().endsWith(".program"))
                                .findFirst()
                                .orElseThrow(),
                        Long.MAX_VALUE);
        first.close();
        DiskCache second = open(2 * ENTRY);
        second.tidy();
        store(second).publish(Entries.entry(1));
        store(second).publish(Entries.entry(2));
        assertThat(present()).containsExactly(1, 2);
    }

    @Test
    void twoProcessesKeepOneBudget() throws Exception {
        long budget = 5 * ENTRY;
        DiskCache[] caches = {open(budget), open(budget)};
        Random random = new Random(3);
        for (int i = 0; i < 60; i++) {
            store(caches[random.nextInt(2)]).publish(Entries.entry(i));
            assertThat(present().size()).as("after %d", i).isLessThanOrEqualTo(5);
        }
        assertThat(present()).hasSize(5);
        assertThat(present()).contains(59);
    }

    @Test
    void aProcessThatEndedWhileItPublishedLeavesNoTooSmallNumber() throws Exception {
        for (int step = 1; step < 12; step++) {
            DiskCache survivor = open(3 * ENTRY);
            store(survivor).publish(Entries.entry(0));
            DiskCache other = open(3 * ENTRY);
            disk.endAtStep(step);
            try {
                store(other).publish(Entries.entry(1));
                store(other).publish(Entries.entry(2));
            } catch (SimulatedDisk.Ended expected) {
                disk.kill();
            }
            disk.endAtStep(Integer.MAX_VALUE);
            for (int i = 3; i < 10; i++) {
                store(survivor).publish(Entries.entry(i));
                assertThat(present().size()).as("step %d", step).isLessThanOrEqualTo(3);
            }
            survivor.close();
            other.close();
        }
    }

    @Test
    void anotherProcessThatStopsWithTheLockHoldsNobodyUp() throws Exception {
        DiskCache cache = open(3 * ENTRY);
        StoreFiles.SharedCounter stopped = disk.process().openCounter(ROOT.resolve("lock"));
        assertThat(stopped.tryAcquire()).isTrue();
        for (int i = 0; i < 5; i++) {
            assertThat(store(cache).publish(Entries.entry(i))).isTrue();
        }
        assertThat(present()).containsExactly(2, 3, 4);
        assertThat(observer.count("patience lock")).isPositive();
        stopped.release();
        assertThat(store(cache).publish(Entries.entry(6))).isTrue();
        assertThat(present()).containsExactly(3, 4, 6);
    }

    @Test
    void aFileThatCannotBeDeletedIsPassedOver() throws Exception {
        DiskStore store = store(open(2 * ENTRY));
        store.publish(Entries.entry(0));
        store.publish(Entries.entry(1));
        disk.refuse((operation, path) ->
                operation.equals("delete") && path.endsWith(CacheLayout.programName(Entries.digest(0)))
                        ? new IOException("in use")
                        : null);
        assertThat(store.publish(Entries.entry(2))).isTrue();
        assertThat(present()).containsExactly(0, 2);
    }

    @Test
    void behavesLikeASimpleModel() throws Exception {
        long seed = 99;
        Random random = new Random(seed);
        int room = 4;
        DiskStore store = store(open(room * ENTRY));
        Deque<Integer> oldestFirst = new ArrayDeque<>();
        for (int i = 0; i < 2_000; i++) {
            int number = random.nextInt(10);
            if (random.nextBoolean()) {
                boolean found =
                        store.read(Entries.digest(number), Entries.keyText(number)) instanceof EntryReading.Intact;
                assertThat(found).as("seed %d step %d", seed, i).isEqualTo(oldestFirst.remove(number));
                if (found) {
                    oldestFirst.add(number);
                }
            } else {
                store.publish(Entries.entry(number));
                oldestFirst.remove(number);
                if (oldestFirst.size() == room) {
                    oldestFirst.remove();
                }
                oldestFirst.add(number);
            }
        }
        assertThat(present()).containsExactlyInAnyOrderElementsOf(oldestFirst);
    }

    @Test
    void whatAnotherProcessHasUsedSinceItWasListedStays() throws Exception {
        DiskCache first = open(3 * ENTRY);
        DiskCache second = open(3 * ENTRY);
        for (int i = 0; i < 3; i++) {
            store(first).publish(Entries.entry(i));
        }
        second.tidy();
        store(first).used(Entries.digest(0));
        store(second).publish(Entries.entry(3));
        assertThat(present()).containsExactly(0, 2, 3);
    }

    @Test
    void aSmallerBudgetHoldsFromTheStart() throws Exception {
        DiskCache first = open(50 * ENTRY);
        for (int i = 0; i < 50; i++) {
            store(first).publish(Entries.entry(i));
        }
        DiskCache second = open(2 * ENTRY);
        second.tidy();
        assertThat(present()).containsExactly(48, 49);
        assertThat(observer.count("evicted")).isEqualTo(48);
    }

    /** Publishes in turns, beyond the budget; returns how often folders were listed meanwhile. */
    private int listings(long budget, int programs, DiskCache... caches) {
        for (int i = 0; i < budget / ENTRY; i++) {
            store(caches[0]).publish(Entries.entry(i));
        }
        int before = disk.count("list");
        for (int i = 0; i < programs; i++) {
            assertThat(store(caches[i % caches.length]).publish(Entries.entry(1_000 + i)))
                    .isTrue();
            assertThat(disk.filesBelow(ROOT).stream()
                            .filter(path -> path.toString().endsWith(CacheLayout.PROGRAM))
                            .count())
                    .isLessThanOrEqualTo(budget / ENTRY);
        }
        return disk.count("list") - before;
    }

    @Test
    void processesThatPublishInTurnsListTheFolderSeldom() throws Exception {
        long budget = 128 * ENTRY;
        assertThat(listings(budget, 128, open(budget), open(budget))).isLessThan(128);
    }

    @Test
    void aProcessThatDoesNotGetTheLockListsTheFolderSeldom() throws Exception {
        long budget = 128 * ENTRY;
        DiskCache cache = open(budget);
        try (StoreFiles.SharedCounter stopped = disk.process().openCounter(ROOT.resolve("lock"))) {
            assertThat(stopped.tryAcquire()).isTrue();
            assertThat(listings(budget, 128, cache)).isLessThan(128);
        }
    }

    /** Files of a process, of which the first listing of a store waits. */
    private static StoreFiles slow(StoreFiles files, CountDownLatch listing, CountDownLatch end) {
        return (StoreFiles) Proxy.newProxyInstance(
                StoreFiles.class.getClassLoader(), new Class<?>[] {StoreFiles.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("list")
                            && arguments[0].toString().contains(Entries.KIND)) {
                        listing.countDown();
                        end.await();
                    }
                    try {
                        return method.invoke(files, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void nobodyWaitsWhileAnotherThreadListsTheFolder() throws Exception {
        DiskCache first = open(9 * ENTRY);
        store(first).publish(Entries.entry(0));
        CacheLayout layout = new CacheLayout(ROOT);
        Path folder = layout.store(store(first).name());
        CountDownLatch listing = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        StoreFiles files = slow(disk.process(), listing, end);
        FolderLock lock = new FolderLock(files.openCounter(layout.lock()), 0, observer);
        SpaceKeeper space = new SpaceKeeper(files, layout, lock, 9 * ENTRY, observer);
        ExecutorService pool = Executors.newFixedThreadPool(2);
        try {
            Future<?> rescan = pool.submit(() -> {
                space.rescan();
                return space;
            });
            listing.await();
            Path[] published = new Path[2];
            Future<?> others = pool.submit(() -> {
                for (int i = 1; i <= 2; i++) {
                    published[i - 1] = folder.resolve(CacheLayout.programName(Entries.digest(i)));
                    Path draft = folder.resolve(i + CacheLayout.TMP);
                    files.write(draft, EntryFormat.encode(Entries.entry(i)));
                    space.publish(draft, published[i - 1], Entries.digest(i), ENTRY);
                    assertThat(space.isKnown(published[i - 1])).isTrue();
                    space.used(published[i - 1]);
                }
                // Other processes get in between, too.
                store(first).publish(Entries.entry(3));
                return space;
            });
            others.get(20, TimeUnit.SECONDS);
            end.countDown();
            rescan.get();
            for (Path program : published) {
                assertThat(space.isKnown(program)).isTrue();
            }
            assertThat(space.isKnown(folder.resolve(CacheLayout.programName(Entries.digest(3)))))
                    .isTrue();
            long total = lock.run(locked -> lock.counter().total());
            assertThat(total).isEqualTo(4 * ENTRY);
        } finally {
            end.countDown();
            pool.shutdown();
        }
    }

    @Test
    void cleaningUpEvictsNoMoreThanWhatIsTooMuch() throws Exception {
        DiskCache large = open(100 * ENTRY);
        for (int i = 0; i < 70; i++) {
            store(large).publish(Entries.entry(i));
        }
        large.close();
        DiskCache small = open(69 * ENTRY);
        small.tidy();
        assertThat(present()).hasSize(69).doesNotContain(0);
        small.tidy();
        assertThat(present()).hasSize(69);
    }

    @Test
    void whatCleaningUpHasEvictedIsCountedForOtherProcesses() throws Exception {
        long budget = 2 * ENTRY + Entries.fileBytes(1);
        DiskCache large = open(9 * ENTRY);
        for (int i = 0; i < 3; i++) {
            store(large).publish(Entries.entry(i));
        }
        large.close();
        open(budget).tidy();
        assertThat(present()).containsExactly(1, 2);
        DiskCache other = open(budget);
        int listed = disk.count("list");
        assertThat(store(other).publish(Entries.entry(3, 0, 1))).isTrue();
        assertThat(disk.count("list")).as("nobody has to look what there is").isEqualTo(listed);
        assertThat(present()).containsExactly(1, 2, 3);
    }

    @Test
    void whoHasCleanedUpLetsOtherThreadsDoSo() throws Exception {
        DiskCache cache = open(2 * ENTRY);
        Thread first = new Thread(cache::tidy);
        first.start();
        first.join();
        cache.tidy();
        assertThat(observer.told).isEmpty();
    }
}
