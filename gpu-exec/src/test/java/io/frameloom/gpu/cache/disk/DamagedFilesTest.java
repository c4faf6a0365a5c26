package io.frameloom.gpu.cache.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.cache.CacheFolder.Contents;
import io.frameloom.gpu.cache.CacheFolder.Problem;
import io.frameloom.gpu.cache.ProgramCacheException;
import io.frameloom.testing.ThreadAllocation;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A file of each kind that is damaged or planted is named or passed over, and takes no memory by what it says of itself. */
@Timeout(60)
class DamagedFilesTest {
    private static final long BUDGET = 1 << 20;
    /** Longer than any array. */
    private static final long ENDLESS = 1L << 32;
    /** What opening a small cache takes, with the loading of classes; far less than a file that is read by its length. */
    private static final long LITTLE = 32 << 20;

    @TempDir
    private Path temporary;

    private Path root;
    private Path store;
    private final RecordingObserver observer = new RecordingObserver();

    @BeforeEach
    void makeCache() {
        root = temporary.resolve("cache");
        try (DiskCache cache = open()) {
            DiskStore shaders = cache.store(Entries.KIND, Entries.COMPATIBILITY);
            shaders.publish(Entries.entry(0));
            shaders.publish(Entries.entry(1));
            store = root.resolve(shaders.name());
        }
    }

    private DiskCache open() {
        return DiskCache.open(new NativeFiles(), root, BUDGET, observer);
    }

    private static void endless(Path file) throws IOException {
        try (RandomAccessFile all = new RandomAccessFile(file.toFile(), "rw")) {
            all.setLength(ENDLESS);
        }
    }

    /** A whole header with one value changed. */
    private static byte[] promising(byte[] file, int offset, long value) {
        byte[] changed = file.clone();
        ByteBuffer.wrap(changed).putLong(offset, value);
        CRC32C crc = new CRC32C();
        crc.update(changed, 0, 104);
        ByteBuffer.wrap(changed).putInt(104, (int) crc.getValue());
        return changed;
    }

    private interface Damage {
        void to(Path program) throws IOException;
    }

    /** A damage of a program's file, and what it is found to be. */
    private record Program(EntryDamage found, String name, Damage damage) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Program> programs() {
        return Stream.of(
                new Program(EntryDamage.TOO_LARGE, "endless file", DamagedFilesTest::endless),
                new Program(
                        EntryDamage.WRONG_LENGTH,
                        "endless payload",
                        program -> Files.write(program, promising(Files.readAllBytes(program), 88, Long.MAX_VALUE))),
                new Program(
                        EntryDamage.WRONG_LENGTH,
                        "endless key",
                        program -> Files.write(program, promising(Files.readAllBytes(program), 80, Long.MAX_VALUE))),
                new Program(EntryDamage.WRONG_LENGTH, "cut", program -> {
                    byte[] whole = Files.readAllBytes(program);
                    Files.write(program, Arrays.copyOf(whole, whole.length - 1));
                }),
                new Program(EntryDamage.TOO_SHORT, "empty", program -> Files.write(program, new byte[0])),
                new Program(EntryDamage.NO_PROGRAM, "noise", program -> {
                    byte[] noise = new byte[1 << 16];
                    new Random(1).nextBytes(noise);
                    Files.write(program, noise);
                }),
                new Program(EntryDamage.NOT_A_FILE, "folder", program -> {
                    Files.delete(program);
                    Files.createDirectory(program);
                }),
                new Program(EntryDamage.NOT_A_FILE, "link", program -> {
                    Files.delete(program);
                    Files.createSymbolicLink(program, Path.of("..", CacheLayout.MARKER));
                }));
    }

    @ParameterizedTest
    @MethodSource("programs")
    void aProgram(Program kind) throws Exception {
        kind.damage.to(store.resolve(CacheLayout.programName(Entries.digest(1))));
        long before = ThreadAllocation.bytes();
        try (DiskCache cache = open()) {
            DiskStore shaders = cache.store(Entries.KIND, Entries.COMPATIBILITY);
            assertThat(shaders.read(Entries.digest(1), Entries.keyText(1)))
                    .isEqualTo(new EntryReading.Damaged(kind.found));
            assertThat(shaders.preload(Entries.digest(1))).isEqualTo(new EntryReading.Damaged(kind.found));
            assertThat(shaders.read(Entries.digest(0), Entries.keyText(0))).isInstanceOf(EntryReading.Intact.class);
            Contents contents = FolderContents.of(new NativeFiles(), root).read();
            assertThat(contents.programs()).isEqualTo(1);
            assertThat(contents.problems()).extracting(Problem::words).containsExactly(kind.found.words());
            cache.tidy();
        }
        assertThat(ThreadAllocation.bytes() - before).isLessThan(LITTLE);
    }

    /** The other files of a cache, and what the folder is found to be with them; null for a cache as before. */
    private enum Other {
        MARKER(CacheLayout.MARKER, "is no program cache of this version"),
        PROCESS("processes/1-1-a", null),
        CRASH("loading/" + Entries.digest(7).hex() + ".1-1-a", null),
        QUARANTINED("quarantine/" + Entries.digest(8).hex() + ".1-1-a", null),
        DRAFT(CacheLayout.MARKER + ".1-1-a" + CacheLayout.TMP, null);

        private final String path;
        private final @Nullable String refusal;

        Other(String path, @Nullable String refusal) {
            this.path = path;
            this.refusal = refusal;
        }
    }

    @ParameterizedTest
    @EnumSource
    void anotherFile(Other kind) throws Exception {
        endless(root.resolve(kind.path));
        long before = ThreadAllocation.bytes();
        if (kind.refusal == null) {
            readsAndWrites();
        } else {
            assertThatThrownBy(this::open)
                    .isInstanceOf(ProgramCacheException.class)
                    .hasMessageContaining(kind.refusal);
        }
        assertThat(ThreadAllocation.bytes() - before).isLessThan(LITTLE);
    }

    private void readsAndWrites() throws IOException {
        try (DiskCache cache = open()) {
            DiskStore shaders = cache.store(Entries.KIND, Entries.COMPATIBILITY);
            assertThat(shaders.read(Entries.digest(0), Entries.keyText(0))).isInstanceOf(EntryReading.Intact.class);
            assertThat(shaders.publish(Entries.entry(2))).isTrue();
            cache.tidy();
            assertThat(FolderContents.of(new NativeFiles(), root).read().programs())
                    .isEqualTo(3);
        }
    }

    /** The next program that is written says again what the store is for. */
    @Test
    void theTextOfAStore() throws Exception {
        endless(store.resolve(CacheLayout.COMPATIBILITY));
        long before = ThreadAllocation.bytes();
        Contents contents = FolderContents.of(new NativeFiles(), root).read();
        assertThat(contents.programs()).isZero();
        assertThat(contents.problems())
                .extracting(Problem::words)
                .containsExactly("does not say what the folder's name says");
        readsAndWrites();
        assertThat(ThreadAllocation.bytes() - before).isLessThan(LITTLE);
    }

    /** The largest file that is read takes its own length once. */
    @Test
    void whatIsReadTakesNoMoreThanItsLength() throws Exception {
        Path file = temporary.resolve("file");
        byte[] bytes = new byte[8 << 20];
        Files.write(file, bytes);
        NativeFiles files = new NativeFiles();
        long before = ThreadAllocation.bytes();
        byte[] whole = files.read(file, EntryFormat.LARGEST);
        assertThat(ThreadAllocation.bytes() - before).isLessThan(bytes.length + (1 << 20));
        assertThat(whole).hasSize(bytes.length);
        assertThat(files.read(file, 100)).hasSize(100);
    }
}
