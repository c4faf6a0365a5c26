package io.frameloom.gpu.cache.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The lock is the file that has the name, whatever somebody does to files. */
@Timeout(60)
@EnabledOnOs({OS.LINUX, OS.MAC})
class LockFileTest {
    private final StoreFiles files = new NativeFiles();

    @TempDir
    private Path root;

    private StoreFiles.SharedCounter open() throws Exception {
        return files.openCounter(root.resolve("lock"));
    }

    @Test
    void whoHasADeletedFileOpenTakesTheOneThatIsThere() throws Exception {
        try (StoreFiles.SharedCounter early = open()) {
            Files.delete(root.resolve("lock"));
            try (StoreFiles.SharedCounter late = open()) {
                assertThat(late.tryAcquire()).isTrue();
                late.set(7, 8);
                assertThat(early.tryAcquire()).isFalse();
                late.release();
                assertThat(early.tryAcquire()).isTrue();
                assertThat(early.version()).isEqualTo(7);
                assertThat(late.tryAcquire()).isFalse();
                early.release();
            }
        }
    }

    @Test
    void aFileThatIsDeletedIsMadeAnewByWhoeverTakesTheLock() throws Exception {
        try (StoreFiles.SharedCounter counter = open()) {
            assertThat(counter.tryAcquire()).isTrue();
            counter.set(7, 8);
            counter.release();
            Files.delete(root.resolve("lock"));
            assertThat(counter.tryAcquire()).isTrue();
            assertThat(counter.version()).isNegative();
            assertThat(root.resolve("lock")).exists();
            counter.release();
        }
    }

    @Test
    void whoHasTheLockWhenTheFileIsDeletedHasItNoLongerThanThat() throws Exception {
        try (StoreFiles.SharedCounter early = open()) {
            assertThat(early.tryAcquire()).isTrue();
            Files.delete(root.resolve("lock"));
            try (StoreFiles.SharedCounter late = open()) {
                assertThat(late.tryAcquire()).isTrue();
                early.release();
                assertThat(early.tryAcquire()).isFalse();
                late.release();
                assertThat(early.tryAcquire()).isTrue();
                early.release();
            }
        }
    }

    @Test
    void aFileThatIsReplacedByAnotherIsNotTheLock() throws Exception {
        try (StoreFiles.SharedCounter early = open()) {
            Path other = Files.write(root.resolve("other"), new byte[0]);
            Files.move(other, root.resolve("lock"), StandardCopyOption.REPLACE_EXISTING);
            try (StoreFiles.SharedCounter late = open()) {
                assertThat(early.tryAcquire()).isTrue();
                assertThat(late.tryAcquire()).isFalse();
                early.release();
            }
        }
    }

    /** The lock would stay with a file that nobody asks for it any more. */
    @Test
    void whoCannotLookAtTheNameGivesTheLockBack() throws Exception {
        Path folder = Files.createDirectory(root.resolve("folder"));
        try (StoreFiles.SharedCounter counter = files.openCounter(folder.resolve("lock"))) {
            Path aside = Files.move(folder, root.resolve("aside"));
            Files.createFile(folder);
            assertThatThrownBy(counter::tryAcquire)
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(NoSuchFileException.class);
            Files.delete(folder);
            Files.move(aside, folder);
            assertThat(counter.tryAcquire()).isTrue();
            counter.release();
        }
    }

    @Test
    void aFolderThatIsGoneHasNoLockUntilItIsThereAgain() throws Exception {
        Path folder = Files.createDirectory(root.resolve("folder"));
        try (StoreFiles.SharedCounter counter = files.openCounter(folder.resolve("lock"))) {
            Files.delete(folder.resolve("lock"));
            Files.delete(folder);
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(counter::tryAcquire).isInstanceOf(NoSuchFileException.class);
            }
            Files.createDirectory(folder);
            assertThat(counter.tryAcquire()).isTrue();
            counter.release();
        }
    }

    /** A process that remembers a version of the deleted file must not find it in the new one. */
    @Test
    void numbersThatBeginAnewAreNotThoseOfBefore() throws Exception {
        long before = publishAndAsk(0);
        Files.delete(root.resolve("cache").resolve("lock"));
        long after = publishAndAsk(1);
        assertThat(Math.abs(after - before)).isGreaterThan(1000);
    }

    private long publishAndAsk(int number) throws Exception {
        Path folder = root.resolve("cache");
        DiskCache.Limits limits = new DiskCache.Limits(1 << 20, 1 << 20, 100, 0);
        try (DiskCache cache = DiskCache.open(files, folder, limits, new RecordingObserver())) {
            DiskStore store = cache.store(Entries.KIND, Entries.COMPATIBILITY);
            assertThat(store.publish(Entries.entry(number))).isTrue();
            try (StoreFiles.SharedCounter counter = files.openCounter(folder.resolve("lock"))) {
                assertThat(counter.tryAcquire()).isTrue();
                return counter.version();
            }
        }
    }
}
