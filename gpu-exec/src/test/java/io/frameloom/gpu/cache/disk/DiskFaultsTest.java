package io.frameloom.gpu.cache.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Whatever stands in place of a program, in real files: a miss that is counted, and the others are found. */
class DiskFaultsTest {
    private static final long BUDGET = 1 << 20;

    private final RecordingObserver observer = new RecordingObserver();

    @TempDir
    private Path root;

    private Path folder = Path.of("");
    private final List<DiskCache> open = new ArrayList<>();

    @BeforeEach
    void fill() {
        folder = root.resolve("cache");
        DiskStore store = store(open());
        for (int i = 0; i < 4; i++) {
            assertThat(store.publish(Entries.entry(i))).isTrue();
        }
        observer.told.clear();
    }

    @AfterEach
    void close() {
        open.forEach(DiskCache::close);
    }

    private DiskCache open() {
        DiskCache cache = DiskCache.open(new NativeFiles(), folder, BUDGET, observer);
        open.add(cache);
        return cache;
    }

    private static DiskStore store(DiskCache cache) {
        return cache.store(Entries.KIND, Entries.COMPATIBILITY);
    }

    private Path file(int number) {
        return folder.resolve(CacheLayout.storeName(Entries.KIND, Digest.of(Entries.COMPATIBILITY)))
                .resolve(CacheLayout.programName(Entries.digest(number)));
    }

    private static EntryReading read(DiskStore store, int number) {
        return store.read(Entries.digest(number), Entries.keyText(number));
    }

    /** Program 1 is damaged so; 0, 2 and 3 are not; what is written again is there again. */
    private void damaged(EntryDamage damage) {
        DiskStore store = store(open());
        assertThat(read(store, 1)).isEqualTo(new EntryReading.Damaged(damage));
        assertThat(observer.count("damaged " + damage)).isEqualTo(1);
        for (int other : new int[] {0, 2, 3}) {
            assertThat(read(store, other)).isInstanceOf(EntryReading.Intact.class);
        }
        assertThat(store.publish(Entries.entry(1))).isTrue();
        assertThat(read(store, 1)).isInstanceOf(EntryReading.Intact.class);
    }

    @Test
    void anEmptyFile() throws Exception {
        Files.write(file(1), new byte[0]);
        damaged(EntryDamage.TOO_SHORT);
    }

    @Test
    void zeros() throws Exception {
        Files.write(file(1), new byte[(int) Files.size(file(1))]);
        damaged(EntryDamage.NO_PROGRAM);
    }

    @Test
    void moreThanFourGibibytes() throws Exception {
        try (RandomAccessFile sparse = new RandomAccessFile(file(1).toFile(), "rw")) {
            sparse.setLength((1L << 32) + 7);
        }
        damaged(EntryDamage.TOO_LARGE);
    }

    @Test
    void aFolder() throws Exception {
        Files.delete(file(1));
        Files.createDirectory(file(1));
        damaged(EntryDamage.NOT_A_FILE);
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void aLinkEvenToAWholeProgram() throws Exception {
        Path elsewhere = root.resolve("elsewhere");
        Files.move(file(1), elsewhere);
        Files.createSymbolicLink(file(1), elsewhere);
        byte[] before = Files.readAllBytes(elsewhere);
        damaged(EntryDamage.NOT_A_FILE);
        assertThat(elsewhere).hasBinaryContent(before);
    }

    @Test
    void twoProgramsInEachOthersPlaces() throws Exception {
        Path aside = root.resolve("aside");
        Files.move(file(1), aside);
        Files.move(file(2), file(1));
        Files.move(aside, file(2));
        DiskStore store = store(open());
        for (int swapped : new int[] {1, 2}) {
            assertThat(read(store, swapped)).isEqualTo(new EntryReading.Damaged(EntryDamage.WRONG_KEY));
        }
        assertThat(read(store, 0)).isInstanceOf(EntryReading.Intact.class);
    }

    @Test
    void aProgramOfAnotherDevice() throws Exception {
        DiskCache cache = open();
        byte[] other = new CanonicalFields().text("device", "other").encoded();
        DiskStore store = cache.store(Entries.KIND, other);
        StoredEntry entry =
                new StoredEntry(0, Digest.of(other), Entries.keyText(1), List.of(), new byte[] {1, 2, 3}, 0);
        assertThat(store.publish(entry)).isTrue();
        Files.copy(
                folder.resolve(store.name()).resolve(CacheLayout.programName(entry.digest())),
                file(1),
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        damaged(EntryDamage.WRONG_COMPATIBILITY);
    }

    @Test
    void aFullKeyThatDiffersUnderTheSameDigest() throws Exception {
        DiskStore store = store(open());
        assertThat(store.read(Entries.digest(1), Entries.keyText(2)))
                .isEqualTo(new EntryReading.Damaged(EntryDamage.WRONG_KEY));
    }

    @Test
    void whatAStoreIsForIsSaidAgain() throws Exception {
        Path says = file(1).resolveSibling(CacheLayout.COMPATIBILITY);
        for (byte[] wrong : new byte[][] {{1, 2, 3}, {}}) {
            Files.write(says, wrong);
            DiskStore store = store(open());
            for (int i = 0; i < 4; i++) {
                assertThat(read(store, i)).isInstanceOf(EntryReading.Intact.class);
            }
            assertThat(store.publish(Entries.entry(2))).isTrue();
            assertThat(says).hasBinaryContent(Entries.COMPATIBILITY);
            // Another process may find the store empty, and remove the text, right before a program comes.
            Files.delete(says);
            assertThat(store.publish(Entries.entry(2))).isTrue();
            assertThat(says).hasBinaryContent(Entries.COMPATIBILITY);
        }
    }

    @Test
    void aFileInThePlaceOfAStoreIsNamed() throws Exception {
        DiskStore other = open().store("other", Entries.COMPATIBILITY);
        Files.createFile(folder.resolve(other.name()));
        assertThat(other.publish(Entries.entry(1))).isFalse();
        assertThat(observer.told)
                .containsExactly("failed " + folder.resolve(other.name()) + " is no folder; delete it");
    }

    @Test
    void aFolderThatSomebodyDeletesIsNoReasonToFail() throws Exception {
        DiskStore store = store(open());
        List<Path> all;
        try (java.util.stream.Stream<Path> files = Files.walk(folder)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : all) {
            Files.delete(file);
        }
        assertThat(store.publish(Entries.entry(1))).isFalse();
        assertThat(read(store, 1)).isInstanceOf(EntryReading.Absent.class);
    }

    @Test
    void aClockThatJumped() throws Exception {
        Files.setLastModifiedTime(file(0), FileTime.fromMillis(0));
        Files.setLastModifiedTime(file(2), FileTime.fromMillis(Long.MAX_VALUE / 1_000_000));
        DiskCache cache = open();
        cache.tidy();
        DiskStore store = store(cache);
        for (int i = 0; i < 4; i++) {
            assertThat(read(store, i)).isInstanceOf(EntryReading.Intact.class);
        }
        assertThat(store.publish(Entries.entry(5))).isTrue();
        assertThat(observer.count("failed")).isZero();
    }

    @Test
    void theFolderVanishesAndComesBack() throws Exception {
        DiskStore store = store(open());
        assertThat(read(store, 1)).isInstanceOf(EntryReading.Intact.class);
        FolderContents.of(new NativeFiles(), folder).clear();
        assertThat(read(store, 1)).isInstanceOf(EntryReading.Absent.class);
        assertThat(store.publish(Entries.entry(1))).isTrue();
        assertThat(read(store, 1)).isInstanceOf(EntryReading.Intact.class);
        assertThat(Files.readAllBytes(file(1).resolveSibling(CacheLayout.COMPATIBILITY)))
                .isEqualTo(Entries.COMPATIBILITY);
    }

    @Test
    void everyTruncationOfTheFile() throws Exception {
        byte[] whole = Files.readAllBytes(file(1));
        DiskStore store = store(open());
        for (int length = 0; length < whole.length; length++) {
            Files.write(file(1), Arrays.copyOf(whole, length));
            assertThat(read(store, 1)).as("%d bytes", length).isInstanceOf(EntryReading.Damaged.class);
        }
        Files.write(file(1), whole);
        assertThat(read(store, 1)).isInstanceOf(EntryReading.Intact.class);
    }

    @Test
    void whatAnEndedProcessLeftIsRemovedAndWhatALivingOneWritesIsNot() throws Exception {
        DiskCache living = open();
        String owner = livingInstances().get(0);
        Path dead = Files.createFile(file(1).resolveSibling(Entries.digest(1).hex() + ".1-1-abc" + CacheLayout.TMP));
        Path alive = Files.createFile(file(1).resolveSibling(Entries.digest(1).hex() + "." + owner + CacheLayout.TMP));
        Path process = Files.createFile(folder.resolve("processes").resolve("1-1-abc"));
        living.tidy();
        assertThat(dead).doesNotExist();
        assertThat(process).doesNotExist();
        assertThat(alive).exists();
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void linksAreNotFollowed() throws Exception {
        Path elsewhere = Files.createFile(root.resolve("elsewhere"));
        Path file = Files.createSymbolicLink(root.resolve("file"), elsewhere);
        FileTime before = FileTime.fromMillis(1_000_000);
        Files.setLastModifiedTime(elsewhere, before);
        try {
            new NativeFiles().touch(file, 5_000_000);
        } catch (IOException refused) {
            assertThat(refused).hasMessageContaining("file");
        }
        assertThat(Files.getLastModifiedTime(elsewhere)).isEqualTo(before);
        Path link = Files.createSymbolicLink(root.resolve("link"), folder);
        assertThatThrownBy(() -> new NativeFiles().forceFolder(link)).isInstanceOf(IOException.class);
        new NativeFiles().forceFolder(folder);
        // JUnit warns of links that lead out of its folder.
        Files.delete(link);
        Files.delete(file);
    }

    private List<String> livingInstances() throws IOException {
        try (java.util.stream.Stream<Path> found = Files.list(folder.resolve("processes"))) {
            return found.map(path -> path.getFileName().toString()).toList();
        }
    }
}
