package io.frameloom.gpu.cache.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.cache.CacheFolder.Exported;
import io.frameloom.gpu.cache.CacheFolder.Imported;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs come in from a bundle all together or not at all, and take no more memory or room than they may. */
@Timeout(60)
class BundleTest {
    private static final Path ROOT = Path.of("/home/cache");
    private static final long BUDGET = 1 << 20;
    private static final long ENTRY = Entries.fileBytes(100);
    private static final String STORE = CacheLayout.storeName(Entries.KIND, Digest.of(Entries.COMPATIBILITY));

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

    private static void put(ZipOutputStream zip, String name, byte[] bytes, int method) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setMethod(method);
        if (method == ZipEntry.STORED) {
            CRC32 crc = new CRC32();
            crc.update(bytes);
            entry.setSize(bytes.length);
            entry.setCrc(crc.getValue());
        }
        zip.putNextEntry(entry);
        zip.write(bytes);
        zip.closeEntry();
    }

    private Path bundle(byte[] compatibility, int method, int... programs) throws IOException {
        Path bundle = temporary.resolve("bundle");
        try (OutputStream out = Files.newOutputStream(bundle);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            put(zip, CacheLayout.MARKER, CacheLayout.MARKER_TEXT.getBytes(StandardCharsets.UTF_8), ZipEntry.STORED);
            put(
                    zip,
                    CacheLayout.storeName(Entries.KIND, Digest.of(compatibility)) + "/" + CacheLayout.COMPATIBILITY,
                    compatibility,
                    method);
            for (int program : programs) {
                String name = CacheLayout.programName(Entries.digest(program));
                put(zip, STORE + "/" + name, EntryFormat.encode(Entries.entry(program)), method);
            }
        }
        return bundle;
    }

    private Path bundle(int... programs) throws IOException {
        return bundle(Entries.COMPATIBILITY, ZipEntry.STORED, programs);
    }

    private Imported add(Path bundle, long budget) throws Exception {
        return Bundle.add(disk.process(), bundle, ROOT, budget);
    }

    private List<Path> programs() {
        return disk.filesBelow(ROOT).stream()
                .filter(path -> path.toString().endsWith(CacheLayout.PROGRAM))
                .toList();
    }

    @Test
    void whatIsAddedIsCountedAndFound() throws Exception {
        store(open()).publish(Entries.entry(1));
        assertThat(add(bundle(1, 2, 3), 3 * ENTRY)).isEqualTo(new Imported(2, 1));
        DiskCache cache = open();
        for (int i = 1; i <= 3; i++) {
            assertThat(store(cache).read(Entries.digest(i), Entries.keyText(i)))
                    .isInstanceOf(EntryReading.Intact.class);
        }
    }

    @Test
    void whatWouldTakeMoreMemoryThanItsOwnLengthIsRefused() throws Exception {
        Path compressed = bundle(Entries.COMPATIBILITY, ZipEntry.DEFLATED, 1);
        assertThatThrownBy(() -> add(compressed, 3 * ENTRY))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is compressed or too large");
        assertThat(disk.filesBelow(ROOT)).isEmpty();
    }

    @Test
    void whatDoesNotFitTheBudgetIsRefusedAndEvictsNothing() throws Exception {
        assertThatThrownBy(() -> add(bundle(1, 2, 3), 3 * ENTRY - 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("would hold " + 3 * ENTRY + " bytes")
                .hasMessageContaining("raise the budget");
        assertThat(disk.filesBelow(ROOT)).isEmpty();
        store(open()).publish(Entries.entry(0));
        assertThatThrownBy(() -> add(bundle(1, 2, 3), 4 * ENTRY - 1)).isInstanceOf(IOException.class);
        assertThat(programs()).hasSize(1);
        assertThat(add(bundle(1, 2, 3), 4 * ENTRY).added()).isEqualTo(3);
    }

    @Test
    void aFullDiskKeepsWhatItHasTaken() throws Exception {
        store(open()).publish(Entries.entry(1));
        Path bundle = bundle(1, 2, 3, 4);
        String last = CacheLayout.ownedName(Entries.digest(4), "");
        disk.refuse((operation, path) ->
                operation.equals("write") && String.valueOf(path.getFileName()).startsWith(last)
                        ? new IOException("No space left")
                        : null);
        assertThatThrownBy(() -> add(bundle, 9 * ENTRY)).hasMessage("No space left");
        disk.refuse((operation, path) -> null);
        assertThat(programs()).as("those before it stay").hasSize(3);
        assertThat(disk.filesBelow(ROOT)).noneMatch(path -> path.toString().endsWith(CacheLayout.TMP));
    }

    private Path bundleOf(String... names) throws IOException {
        Path bundle = temporary.resolve("bundle");
        try (OutputStream out = Files.newOutputStream(bundle);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            for (String name : names) {
                byte[] bytes = name.equals(CacheLayout.MARKER)
                        ? CacheLayout.MARKER_TEXT.getBytes(StandardCharsets.UTF_8)
                        : name.endsWith(CacheLayout.PROGRAM)
                                ? EntryFormat.encode(Entries.entry(1))
                                : Entries.COMPATIBILITY;
                put(zip, name, bytes, ZipEntry.STORED);
            }
        }
        return bundle;
    }

    private void refused(String reason, String... names) throws IOException {
        Path bundle = bundleOf(names);
        assertThatThrownBy(() -> add(bundle, 9 * ENTRY))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(reason);
        assertThat(disk.filesBelow(ROOT)).isEmpty();
    }

    @Test
    void whatIsNotExportedIsRefused() throws Exception {
        String text = STORE + "/" + CacheLayout.COMPATIBILITY;
        String program = STORE + "/" + CacheLayout.programName(Entries.digest(1));
        refused("was not exported from a program cache", text, program);
        refused("it holds 'letter.txt'", CacheLayout.MARKER, text, program, "letter.txt");
        refused("does not belong there", CacheLayout.MARKER, program);
        refused("does not belong there", CacheLayout.MARKER, text, program.replace(STORE, "..\\" + STORE));
        assertThat(add(bundleOf(CacheLayout.MARKER, text, program), 9 * ENTRY).added())
                .isEqualTo(1);
    }

    @Test
    void whatWasAddedSurvivesALossOfPower() throws Exception {
        for (int seed = 0; seed < 20; seed++) {
            SimulatedDisk fresh = new SimulatedDisk(Path.of("/"), Path.of("/home"));
            Bundle.add(fresh.process(), bundle(1, 2, 3), ROOT, 9 * ENTRY);
            fresh.losePower(new Random(seed));
            try (DiskCache cache = DiskCache.open(fresh.process(), ROOT, BUDGET, observer)) {
                for (int i = 1; i <= 3; i++) {
                    assertThat(store(cache).read(Entries.digest(i), Entries.keyText(i)))
                            .as("program %d with seed %d", i, seed)
                            .isInstanceOf(EntryReading.Intact.class);
                }
            }
        }
    }

    private FolderContents realCache(Path folder) throws Exception {
        NativeFiles files = new NativeFiles();
        try (DiskCache cache = DiskCache.open(files, folder, BUDGET, observer)) {
            store(cache).publish(Entries.entry(1));
        }
        return FolderContents.of(files, folder);
    }

    private static void writeRefused(FolderContents contents, Path target, String reason) {
        assertThatThrownBy(() -> Bundle.write(contents, target))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(reason);
    }

    private static List<Path> below(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.sorted().toList();
        }
    }

    @Test
    void noBundleIsWrittenIntoTheCache() throws Exception {
        Path folder = temporary.resolve("cache");
        FolderContents contents = realCache(folder);
        Path link = Files.createSymbolicLink(temporary.resolve("link"), folder);
        Files.createDirectory(temporary.resolve("other"));
        List<Path> before = below(folder);
        byte[] marker = Files.readAllBytes(folder.resolve(CacheLayout.MARKER));
        for (String name : List.of(CacheLayout.MARKER, "lock", "new", STORE + "/new")) {
            for (Path way : List.of(folder, link, temporary.resolve("other/../cache"))) {
                writeRefused(contents, way.resolve(name), "inside of the cache " + folder);
            }
        }
        assertThat(below(folder)).isEqualTo(before);
        assertThat(folder.resolve(CacheLayout.MARKER)).hasBinaryContent(marker);
        Path neighbour = temporary.resolve("cache.zip");
        assertThat(Bundle.write(contents, neighbour).programs()).isEqualTo(1);
        // JUnit warns of links that lead out of its folder.
        Files.delete(link);
    }

    @Test
    void nothingButABundleIsReplaced() throws Exception {
        FolderContents contents = realCache(temporary.resolve("cache"));
        Path letter = temporary.resolve("letter");
        for (String text : List.of("mine", CacheLayout.MARKER_TEXT)) {
            Files.writeString(letter, text);
            writeRefused(contents, letter, "not exported from a program cache");
            assertThat(letter).hasContent(text);
        }
        Path loose = Files.createSymbolicLink(temporary.resolve("loose"), temporary.resolve("nowhere"));
        writeRefused(contents, loose, "not exported from a program cache");
        assertThat(loose).isSymbolicLink();
        Files.delete(loose);
        assertThat(Bundle.write(contents, Files.createFile(temporary.resolve("empty")))
                        .programs())
                .isEqualTo(1);
        Path marked = temporary.resolve("marked");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(marked))) {
            put(
                    zip,
                    CacheLayout.MARKER,
                    (CacheLayout.MARKER_TEXT + "!").getBytes(StandardCharsets.UTF_8),
                    ZipEntry.STORED);
        }
        writeRefused(contents, marked, "not exported from a program cache");
        writeRefused(contents, bundleOf("letter.txt"), "not exported from a program cache");
    }

    @Test
    void aBundleIsReplacedEvenIfItIsDamaged() throws Exception {
        FolderContents contents = realCache(temporary.resolve("cache"));
        Path fresh = temporary.resolve("fresh");
        Bundle.write(contents, fresh);
        String program = STORE + "/" + CacheLayout.programName(Entries.digest(1));
        for (Path old : List.of(bundle(1, 2), bundleOf(CacheLayout.MARKER), bundleOf(CacheLayout.MARKER, program))) {
            assertThat(Bundle.write(contents, old)).isEqualTo(new Exported(1, 0));
            assertThat(old).hasSameBinaryContentAs(fresh);
        }
    }
}
