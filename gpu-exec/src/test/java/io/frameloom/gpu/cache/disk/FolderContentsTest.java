package io.frameloom.gpu.cache.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.cache.CacheFolder.Cleared;
import io.frameloom.gpu.cache.CacheFolder.Contents;
import io.frameloom.gpu.cache.CacheFolder.Problem;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Looking at a folder and clearing it, while nobody or somebody uses it. */
@Timeout(60)
class FolderContentsTest {
    private static final Path ROOT = Path.of("/home/cache");
    private static final long BUDGET = 1 << 20;

    private final SimulatedDisk disk = new SimulatedDisk(Path.of("/"), Path.of("/home"));
    private final RecordingObserver observer = new RecordingObserver();

    @TempDir
    private Path temporary;

    private DiskCache open() {
        return DiskCache.open(disk.process(), ROOT, BUDGET, observer);
    }

    private static DiskStore store(DiskCache cache) {
        return cache.store(Entries.KIND, Entries.COMPATIBILITY);
    }

    private static EntryReading read(DiskCache cache, int number) {
        return store(cache).read(Entries.digest(number), Entries.keyText(number));
    }

    @Test
    void filesAreReadOnce() throws Exception {
        DiskCache cache = open();
        for (int i = 0; i < 5; i++) {
            store(cache).publish(Entries.entry(i));
        }
        int before = disk.count("read");
        Contents contents = FolderContents.of(disk.process(), ROOT).read();
        assertThat(contents.stores()).hasSize(1);
        assertThat(contents.programs()).isEqualTo(5);
        // The marker and what the store is for, besides the programs.
        assertThat(disk.count("read") - before).isEqualTo(5 + 2);
    }

    private static void sparse(Path file, long bytes) throws IOException {
        try (RandomAccessFile all = new RandomAccessFile(file.toFile(), "rw")) {
            all.setLength(bytes);
        }
    }

    @Test
    void filesBeyondEveryLimitAreNotRead() throws Exception {
        Path root = temporary.resolve("cache");
        try (DiskCache cache = DiskCache.open(new NativeFiles(), root, BUDGET, observer)) {
            store(cache).publish(Entries.entry(0));
            store(cache).publish(Entries.entry(1));
            Path folder = root.resolve(store(cache).name());
            sparse(folder.resolve(CacheLayout.programName(Entries.digest(1))), EntryFormat.LARGEST + 1);
            Contents one = FolderContents.of(new NativeFiles(), root).read();
            assertThat(one.programs()).isEqualTo(1);
            assertThat(one.problems()).extracting(Problem::words).containsExactly(EntryDamage.TOO_LARGE.words());
            sparse(folder.resolve(CacheLayout.COMPATIBILITY), 1L << 31);
            Contents none = FolderContents.of(new NativeFiles(), root).read();
            assertThat(none.programs()).isZero();
            assertThat(none.problems())
                    .extracting(Problem::words)
                    .containsExactly("does not say what the folder's name says");
        }
    }

    @Test
    void aProgramThatIsWrittenMeanwhileIsFoundAfterItWasCleared() throws Exception {
        for (String moment : List.of("facts", "write", "force", "move")) {
            DiskCache writing = open();
            store(writing).publish(Entries.entry(0));
            boolean[] cleared = {false};
            disk.refuse((operation, path) -> {
                if (operation.equals(moment) && !cleared[0]) {
                    cleared[0] = true;
                    try {
                        FolderContents.of(disk.process(), ROOT).clear();
                    } catch (IOException e) {
                        return e;
                    }
                }
                return null;
            });
            assertThat(store(writing).publish(Entries.entry(1))).as(moment).isTrue();
            disk.refuse((operation, path) -> null);
            assertThat(cleared[0]).as(moment).isTrue();
            assertThat(read(open(), 1)).as(moment).isInstanceOf(EntryReading.Intact.class);
            assertThat(read(open(), 0)).as(moment).isInstanceOf(EntryReading.Absent.class);
            assertThat(FolderContents.of(disk.process(), ROOT).clear().programs())
                    .isEqualTo(1);
        }
    }

    @Test
    void clearingLeavesWhatIsNotTheCaches() throws Exception {
        DiskCache cache = open();
        store(cache).publish(Entries.entry(0));
        Path stranger = ROOT.resolve(store(cache).name()).resolve("notes.txt");
        disk.plant(stranger, FileFacts.Kind.FILE, new byte[] {1});
        Cleared cleared = FolderContents.of(disk.process(), ROOT).clear();
        assertThat(cleared.programs()).isEqualTo(1);
        assertThat(cleared.bytes()).isEqualTo(Entries.fileBytes(100));
        assertThat(disk.filesBelow(ROOT)).contains(stranger);
        store(cache).publish(Entries.entry(1));
        assertThat(read(open(), 1)).isInstanceOf(EntryReading.Intact.class);
    }

    @Test
    void storesWithoutProgramsAndOldCrashesAreRemovedInTheBackground() throws Exception {
        DiskCache cache = open();
        DiskStore old = cache.store("pipeline", Entries.COMPATIBILITY);
        old.publish(Entries.entry(0));
        store(cache).publish(Entries.entry(1));
        disk.process().delete(old.program(Entries.digest(0)));
        List<Path> crashes = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            Path crash = ROOT.resolve("quarantine").resolve(CacheLayout.ownedName(Entries.digest(i), "1-1-abc"));
            disk.plant(crash, FileFacts.Kind.FILE, new byte[0]);
            disk.advanceClock(1);
            crashes.add(crash);
        }
        cache.tidy();
        assertThat(disk.contents()).doesNotContainKey(ROOT.resolve(old.name()));
        assertThat(disk.contents()).containsKey(ROOT.resolve(store(cache).name()));
        assertThat(disk.filesBelow(ROOT.resolve("quarantine")))
                .containsExactlyInAnyOrderElementsOf(crashes.subList(300 - 256, 300));
        assertThat(old.publish(Entries.entry(2))).isTrue();
        assertThat(open().store("pipeline", Entries.COMPATIBILITY).preload(Entries.digest(2)))
                .isInstanceOf(EntryReading.Intact.class);
    }
}
