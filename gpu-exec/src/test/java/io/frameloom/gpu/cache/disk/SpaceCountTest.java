package io.frameloom.gpu.cache.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What processes tell each other of the bytes on disk is right, also after they had to go on without the lock. */
@Timeout(60)
class SpaceCountTest {
    private static final Path ROOT = Path.of("/home/cache");
    private static final long ENTRY = Entries.fileBytes(100);
    private static final int ROOM = 64;
    private static final long BUDGET = ROOM * ENTRY;

    private final SimulatedDisk disk = new SimulatedDisk(Path.of("/"), Path.of("/home"));
    private final RecordingObserver observer = new RecordingObserver();
    private final List<Long> beforeAndAfter = new ArrayList<>();
    private DiskCache cache;
    private DiskStore store;
    private StoreFiles.SharedCounter counter;

    @BeforeEach
    void open() throws Exception {
        cache = open(BUDGET, observer);
        store = store(cache);
        counter = disk.process().openCounter(ROOT.resolve("lock"));
    }

    private DiskCache open(long budget, DiskObserver told) throws FolderRefusedException {
        return DiskCache.open(disk.process(), ROOT, new DiskCache.Limits(budget, budget, 100, 0), told);
    }

    private static DiskStore store(DiskCache of) {
        return of.store(Entries.KIND, Entries.COMPATIBILITY);
    }

    private void publish(DiskStore to, int from, int end) {
        for (int i = from; i < end; i++) {
            assertThat(to.publish(Entries.entry(i))).isTrue();
        }
    }

    private List<FileFacts> programs() throws IOException {
        return disk.process().list(ROOT.resolve(store.name())).stream()
                .filter(file -> file.isFile() && file.name().endsWith(CacheLayout.PROGRAM))
                .toList();
    }

    private void countIsRight() throws IOException {
        assertThat(counter.version()).isNotNegative();
        assertThat(counter.total())
                .isEqualTo(programs().stream().mapToLong(FileFacts::bytes).sum())
                .isLessThanOrEqualTo(BUDGET);
    }

    private void plantLink(int number) {
        disk.plant(store.program(Entries.digest(number)), FileFacts.Kind.LINK, new byte[10_000]);
    }

    @Test
    void aProgramThatIsReplacedCountsOnceAndIsNotEvicted() throws Exception {
        publish(store, 0, ROOM);
        assertThat(store.publish(Entries.entry(0, 1, 100 + (int) ENTRY))).isTrue();
        countIsRight();
        assertThat(observer.count("evicted")).isEqualTo(1);
        assertThat(observer.count("evicted " + Entries.digest(1))).isEqualTo(1);
    }

    @Test
    void whatIsNoFileTakesNoRoom() throws Exception {
        publish(store, 0, 20);
        plantLink(20);
        publish(store, 20, 21);
        countIsRight();
        plantLink(21);
        cache.tidy();
        countIsRight();
        long before = counter.total();
        store.withdraw(Entries.digest(21));
        assertThat(counter.total()).isEqualTo(before);
    }

    @Test
    void whatIsTakenOutCountsNoMore() throws Exception {
        publish(store, 0, 2);
        store.withdraw(Entries.digest(0));
        countIsRight();
        assertThat(store.isKnown(Entries.digest(0))).isFalse();
        counter.set(counter.version(), 1);
        store.withdraw(Entries.digest(1));
        assertThat(counter.total()).isZero();
    }

    @Test
    void numbersThatWereLostAreNotMadeUp() throws Exception {
        publish(store, 0, 2);
        counter.set(-7, 0);
        store.withdraw(Entries.digest(0));
        assertThat(counter.version()).isNegative();
        publish(store, 3, 4);
        countIsRight();
    }

    @Test
    void whoHasNotTheLockLeavesTheNumbersAlone() throws Exception {
        publish(store, 0, 2);
        long version = counter.version();
        assertThat(counter.tryAcquire()).isTrue();
        store.withdraw(Entries.digest(0));
        assertThat(counter.version()).isEqualTo(version);
        assertThat(counter.total()).isEqualTo(2 * ENTRY);
        assertThat(programs()).hasSize(1);
        assertThat(store.isKnown(Entries.digest(0))).isFalse();
    }

    @Test
    void whatWasPublishedWithoutTheLockIsCountedAfterwards() throws Exception {
        DiskCache second = open(BUDGET, observer);
        publish(store, 0, 40);
        cache.tidy();
        second.tidy();
        assertThat(counter.tryAcquire()).isTrue();
        publish(store, 40, 41);
        publish(store(second), 41, 42);
        counter.release();
        publish(store, 42, 43);
        countIsRight();
        assertThat(counter.tryAcquire()).isTrue();
        publish(store, 43, 48);
        counter.release();
        publish(store(second), 48, 49);
        publish(store, 49, 50);
        countIsRight();
        assertThat(observer.count("evicted")).isZero();
    }

    @Test
    void processesWithoutTheLockSeeEachOthersProgramsBeforeLong() throws Exception {
        DiskCache second = open(BUDGET, observer);
        publish(store, 0, ROOM);
        cache.tidy();
        second.tidy();
        assertThat(counter.tryAcquire()).isTrue();
        for (int i = ROOM; i < 2 * ROOM; i++) {
            publish(i % 2 == 0 ? store : store(second), i, i + 1);
            // Each publishes as many without looking.
            assertThat(programs()).hasSizeLessThanOrEqualTo(ROOM + 2 * (1 + ROOM / 32));
        }
    }

    /** Opens the cache as a process to which something happens after the next listing of the store. */
    private DiskCache open(Runnable afterListing) throws FolderRefusedException {
        StoreFiles files = disk.process();
        Path folder = ROOT.resolve(store.name());
        boolean[] done = new boolean[1];
        StoreFiles eventful = (StoreFiles) Proxy.newProxyInstance(
                StoreFiles.class.getClassLoader(), new Class<?>[] {StoreFiles.class}, (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(files, arguments);
                        if (!done[0]
                                && method.getName().equals("list")
                                && arguments[0].equals(folder)
                                && isCounting()) {
                            done[0] = true;
                            afterListing.run();
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        return DiskCache.open(eventful, ROOT, new DiskCache.Limits(BUDGET, BUDGET, 100, 0), observer);
    }

    private static boolean isCounting() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getClassName().equals(SpaceKeeper.class.getName())));
    }

    @Test
    void whatThisProcessDoesWhileItListsIsKnown() throws Exception {
        publish(store, 0, 10);
        DiskCache[] own = new DiskCache[1];
        own[0] = open(() -> {
            publish(store(own[0]), 10, 11);
            withdraw(store(own[0]), 3);
        });
        int before = disk.count("list");
        own[0].tidy();
        assertThat(disk.count("list") - before)
                .as("the root four times, processes, leases, quarantine, and the store three times")
                .isEqualTo(10);
        countIsRight();
        assertThat(store(own[0]).isKnown(Entries.digest(10))).isTrue();
        assertThat(store(own[0]).isKnown(Entries.digest(3))).isFalse();
        assertThat(observer.count("vanished")).isZero();
    }

    private static void withdraw(DiskStore from, int number) {
        try {
            from.withdraw(Entries.digest(number));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whatAnotherProcessDoesMeanwhileIsNotTakenForKnown() throws Exception {
        publish(store, 0, 10);
        DiskCache[] own = new DiskCache[1];
        own[0] = open(() -> {
            publish(store, 20, 21);
            publish(store(own[0]), 10, 11);
        });
        own[0].tidy();
        countIsRight();
        assertThat(store(own[0]).isKnown(Entries.digest(20))).isTrue();
    }

    @Test
    void whatAnotherProcessWasInTheMiddleOfIsNotTakenForKnown() throws Exception {
        publish(store, 0, 10);
        assertThat(counter.tryAcquire()).isTrue();
        counter.set(counter.version() + 1, 11 * ENTRY);
        DiskCache own = open(() -> {
            disk.plant(store.program(Entries.digest(20)), FileFacts.Kind.FILE, EntryFormat.encode(Entries.entry(20)));
            release();
        });
        own.tidy();
        countIsRight();
    }

    @Test
    void whoLosesTheLockWhileHeListsLeavesTheNumbersAlone() throws Exception {
        publish(store, 0, 10);
        counter.set(-1, 0);
        DiskCache own = open(this::acquire);
        own.tidy();
        assertThat(counter.version()).isNegative();
    }

    private void acquire() {
        try {
            assertThat(counter.tryAcquire()).isTrue();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void release() {
        try {
            counter.release();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whatAnotherProcessHasUsedGoesInItsTurn() throws Exception {
        publish(store, 0, ROOM);
        store(open(BUDGET, observer)).used(Entries.digest(0));
        publish(store, ROOM, ROOM + 1);
        assertThat(programs()).anyMatch(file -> file.name().equals(CacheLayout.programName(Entries.digest(0))));
        publish(store, ROOM + 1, 2 * ROOM + 1);
        assertThat(programs()).noneMatch(file -> file.name().equals(CacheLayout.programName(Entries.digest(0))));
    }

    @Test
    void whatIsUsedInVainIsForgotten() throws Exception {
        publish(store, 0, 2);
        disk.process().delete(store.program(Entries.digest(0)));
        store.used(Entries.digest(0));
        store.used(Entries.digest(1));
        assertThat(store.isKnown(Entries.digest(0))).isFalse();
        assertThat(store.isKnown(Entries.digest(1))).isTrue();
        assertThat(observer.count("vanished")).isEqualTo(1);
        assertThat(observer.count("failed")).isZero();
    }

    @Test
    void whatIsMissedAndThereAgainStaysKnown() throws Exception {
        publish(store, 0, 1);
        StoreFiles files = disk.process();
        CacheLayout layout = new CacheLayout(ROOT);
        FolderLock lock = new FolderLock(files.openCounter(layout.lock()), 0, observer);
        SpaceKeeper space = new SpaceKeeper(files, layout, lock, BUDGET, observer);
        space.rescan();
        Path program = store.program(Entries.digest(0));
        space.missed(program);
        assertThat(space.isKnown(program)).isTrue();
        files.delete(program);
        space.missed(program);
        assertThat(space.isKnown(program)).isFalse();
        space.missed(program);
        assertThat(observer.count("vanished")).isEqualTo(1);
    }

    @Test
    void whoEvictsNothingLeavesTheVersionAlone() throws Exception {
        publish(store, 0, ROOM);
        cache.tidy();
        long version = counter.version();
        cache.tidy();
        assertThat(counter.version()).isEqualTo(version);
    }

    @Test
    void whatCannotBeDeletedIsSaid() throws Exception {
        publish(store, 0, ROOM);
        disk.refuse((operation, path) -> operation.equals("delete") && path.equals(store.program(Entries.digest(0)))
                ? new IOException("in use")
                : null);
        publish(store, ROOM, ROOM + 1);
        assertThat(observer.count("failed in use")).isEqualTo(1);
    }

    @Test
    void aFileThatIsNamedLikeAStoreIsPassedOver(@TempDir Path folder) throws Exception {
        DiskCache real = DiskCache.open(
                new NativeFiles(), folder.resolve("cache"), new DiskCache.Limits(BUDGET, BUDGET, 100, 0), observer);
        try (real) {
            Files.createFile(folder.resolve("cache").resolve(store.name().replace(Entries.KIND, "other")));
            real.tidy();
            publish(store(real), 0, 1);
        }
        assertThat(observer.count("failed")).isZero();
    }

    @Test
    void whoIsToldOfAWriteLearnsWhatWasThereBeforeAndAfter() throws Exception {
        DiskCache told = open(3 * ENTRY, new SilentObserver() {
            @Override
            public void written(Digest digest, long bytes, long before, long after) {
                beforeAndAfter.addAll(List.of(before, after));
            }
        });
        publish(store(told), 0, 4);
        assertThat(beforeAndAfter)
                .containsExactly(0L, ENTRY, ENTRY, 2 * ENTRY, 2 * ENTRY, 3 * ENTRY, 3 * ENTRY, 3 * ENTRY);
    }
}
