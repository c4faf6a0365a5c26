package io.frameloom.gpu.cache.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The budget about holds, and what was not used for longest goes first. */
@Timeout(60)
class DiskSpaceTest {
    private static final Path ROOT = Path.of("/home/cache");
    private static final long ENTRY = Entries.fileBytes(100);

    private final SimulatedDisk disk = new SimulatedDisk(Path.of("/"), Path.of("/home"));
    private final RecordingObserver observer = new RecordingObserver();

    private DiskCache open(long budget) {
        return DiskCache.open(disk.process(), ROOT, budget, observer);
    }

    private static DiskStore store(DiskCache cache) {
        return cache.store(Entries.KIND, Entries.COMPATIBILITY);
    }

    private Set<Integer> present() {
        Set<String> names = new HashSet<>();
        disk.filesBelow(ROOT).forEach(file -> names.add(String.valueOf(file.getFileName())));
        Set<Integer> numbers = new TreeSet<>();
        for (int i = 0; i < 100; i++) {
            if (names.contains(CacheLayout.programName(Entries.digest(i)))) {
                numbers.add(i);
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
        assertThat(second.isKnown(Entries.digest(2))).isTrue();
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
        int before = disk.count("write");
        assertThat(store.publish(Entries.entry(1, 0, 5_000))).isFalse();
        assertThat(disk.count("write")).isEqualTo(before);
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
    void twoProcessesExceedOneBudgetByAnEighthEach() throws Exception {
        int room = 40;
        DiskCache[] caches = {open(room * ENTRY), open(room * ENTRY)};
        Random random = new Random(3);
        for (int i = 0; i < 100; i++) {
            store(caches[random.nextInt(2)]).publish(Entries.entry(i));
            assertThat(present().size()).as("after %d", i).isLessThanOrEqualTo(room + 2 * room / 8);
        }
        assertThat(present()).contains(99);
        caches[0].tidy();
        assertThat(present()).hasSizeLessThanOrEqualTo(room).contains(99);
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
        assertThat(observer.count("failed in use")).isEqualTo(1);
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

    @Test
    void aProcessThatPublishesBeyondTheBudgetListsTheFolderSeldom() throws Exception {
        int room = 128;
        DiskStore store = store(open(room * ENTRY));
        int before = disk.count("list");
        for (int i = 0; i < 2 * room; i++) {
            assertThat(store.publish(Entries.entry(i))).isTrue();
            assertThat(disk.filesBelow(ROOT).stream()
                            .filter(path -> path.toString().endsWith(CacheLayout.PROGRAM))
                            .count())
                    .isLessThanOrEqualTo(room);
        }
        assertThat(disk.count("list") - before).isLessThan(room);
    }

    @Test
    void aProgramThatIsReplacedCountsOnceAndIsNotEvicted() throws Exception {
        DiskStore store = store(open(4 * ENTRY));
        for (int i = 0; i < 4; i++) {
            store.publish(Entries.entry(i));
        }
        assertThat(store.publish(Entries.entry(0, 1, 100 + (int) ENTRY))).isTrue();
        assertThat(present()).containsExactly(0, 2, 3);
        assertThat(observer.told.stream().filter(line -> line.startsWith("evicted")))
                .containsExactly("evicted " + Entries.digest(1));
    }

    @Test
    void whatIsNoFileTakesNoRoom() throws Exception {
        DiskCache cache = open(2 * ENTRY);
        store(cache).publish(Entries.entry(0));
        disk.plant(store(cache).program(Entries.digest(1)), FileFacts.Kind.LINK, new byte[10_000]);
        cache.tidy();
        assertThat(store(cache).publish(Entries.entry(1))).isTrue();
        assertThat(present()).containsExactly(0, 1);
    }

    @Test
    void whatIsUsedOrReadInVainIsForgotten() throws Exception {
        DiskCache cache = open(9 * ENTRY);
        DiskStore store = store(cache);
        for (int i = 0; i < 3; i++) {
            store.publish(Entries.entry(i));
            disk.process().delete(store.program(Entries.digest(i)));
            assertThat(cache.isKnown(Entries.digest(i))).isTrue();
        }
        store.used(Entries.digest(0));
        assertThat(store.read(Entries.digest(1), Entries.keyText(1))).isInstanceOf(EntryReading.Absent.class);
        for (int i = 0; i < 3; i++) {
            assertThat(cache.isKnown(Entries.digest(i))).isEqualTo(i == 2);
        }
        assertThat(observer.count("vanished")).isEqualTo(2);
        assertThat(observer.count("failed")).isZero();
    }

    @Test
    void whatAnotherProcessHasDeletedIsForgottenWhenTheFolderIsListed() throws Exception {
        DiskCache cache = open(9 * ENTRY);
        store(cache).publish(Entries.entry(0));
        store(cache).publish(Entries.entry(1));
        disk.process().delete(store(cache).program(Entries.digest(0)));
        cache.tidy();
        assertThat(cache.isKnown(Entries.digest(0))).isFalse();
        assertThat(cache.isKnown(Entries.digest(1))).isTrue();
        assertThat(observer.count("vanished " + Entries.digest(0))).isEqualTo(1);
    }

    @Test
    void aFileThatIsNamedLikeAStoreIsPassedOver() throws Exception {
        DiskCache cache = open(9 * ENTRY);
        disk.plant(
                ROOT.resolve(CacheLayout.storeName("other", Digest.of(Entries.COMPATIBILITY))),
                FileFacts.Kind.FILE,
                new byte[0]);
        cache.tidy();
        assertThat(store(cache).publish(Entries.entry(0))).isTrue();
        assertThat(observer.count("failed")).isZero();
    }

    @Test
    void theObserverLearnsWhatWasThereBeforeAndAfterAWrite() throws Exception {
        List<Long> told = new ArrayList<>();
        DiskObserver listening = new DiskObserver() {
            @Override
            public void written(Digest digest, long bytes, long before, long after) {
                told.addAll(List.of(before, after));
            }
        };
        DiskStore store = store(DiskCache.open(disk.process(), ROOT, 3 * ENTRY, listening));
        for (int i = 0; i < 4; i++) {
            store.publish(Entries.entry(i));
        }
        assertThat(told).containsExactly(0L, ENTRY, ENTRY, 2 * ENTRY, 2 * ENTRY, 3 * ENTRY, 3 * ENTRY, 3 * ENTRY);
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
    void whoHasCleanedUpLetsOtherThreadsDoSo() throws Exception {
        DiskCache cache = open(2 * ENTRY);
        Thread first = new Thread(cache::tidy);
        first.start();
        first.join();
        cache.tidy();
        assertThat(observer.told).isEmpty();
    }
}
