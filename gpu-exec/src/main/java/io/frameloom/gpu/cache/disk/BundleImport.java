package io.frameloom.gpu.cache.disk;

import io.frameloom.gpu.cache.disk.Bundle.RefusedException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * Adds the programs of a bundle to a cache: all of them or none. Nothing in the bundle is believed before it is checked,
 * and no more than one program is in memory at a time. One thread.
 */
public final class BundleImport {
    private static final byte[] MARKER = CacheLayout.MARKER_TEXT.getBytes(StandardCharsets.UTF_8);
    /** The import evicts nothing, and compiles nothing that another process would wait for. */
    private static final DiskCache.Limits LIMITS =
            new DiskCache.Limits(Long.MAX_VALUE / 4, EntryFormat.LARGEST, 1, 1000);

    private final StoreFiles files;
    private final Path bundle;
    private final ZipFile zip;
    private final Map<String, byte[]> stores = new HashMap<>();
    private final List<Listed> programs = new ArrayList<>();
    private boolean marked;

    private BundleImport(StoreFiles files, Path bundle, ZipFile zip) {
        this.files = files;
        this.bundle = bundle;
        this.zip = zip;
    }

    /**
     * What was imported.
     *
     * @param added programs that are new
     * @param present programs that were there already
     */
    public record Imported(int added, int present) {}

    /** A program in the bundle, which has been checked. */
    private record Listed(ZipEntry entry, String store, Digest digest) {}

    private record Added(DiskStore store, Digest digest) {}

    /**
     * Adds the programs of a bundle to a cache, which is created if it is not there. A bundle with anything wrong in it is
     * refused as a whole, before anything is written.
     *
     * @param budget bytes that all programs of the cache may have afterwards
     * @throws IOException if the bundle cannot be read, or the folder does not take a program; none is then added
     */
    public static Imported run(StoreFiles files, Path bundle, Path folder, long budget)
            throws IOException, FolderRefusedException, RefusedException {
        try (ZipFile zip = opened(bundle)) {
            BundleImport adding = new BundleImport(files, bundle, zip);
            for (ZipEntry entry : zip.stream().toList()) {
                adding.check(entry);
            }
            adding.requireRoom(new CacheLayout(folder), budget);
            FirstFailure failures = new FirstFailure();
            try (DiskCache cache = DiskCache.open(files, folder, LIMITS, failures)) {
                return adding.add(cache, failures);
            }
        }
    }

    private static ZipFile opened(Path bundle) throws IOException, RefusedException {
        try {
            return new ZipFile(bundle.toFile());
        } catch (ZipException e) {
            throw new RefusedException(
                    bundle, "was not exported from a program cache, or is cut off (" + e.getMessage() + ")");
        }
    }

    private void check(ZipEntry entry) throws IOException, RefusedException {
        String name = entry.getName();
        Matcher path = Bundle.PATH.matcher(name);
        boolean isProgram = path.matches() && !path.group(2).equals(CacheLayout.COMPATIBILITY);
        long largest = isProgram ? EntryFormat.LARGEST : CacheLayout.LARGEST_COMPATIBILITY;
        // Only what takes its full length in the bundle: a small file cannot ask for a lot of memory.
        if (entry.getMethod() != ZipEntry.STORED
                || entry.getSize() != entry.getCompressedSize()
                || entry.getSize() < 0
                || entry.getSize() > largest) {
            throw new RefusedException(
                    bundle,
                    "declares " + entry.getSize() + " bytes for " + name + ", of which " + entry.getCompressedSize()
                            + " are there; at most " + largest + " uncompressed ones are taken");
        }
        byte[] bytes = bytes(entry);
        if (name.equals(CacheLayout.MARKER)) {
            if (!Arrays.equals(bytes, MARKER)) {
                throw new RefusedException(bundle, "was not exported from a program cache of this version");
            }
            marked = true;
            return;
        }
        if (!marked || !path.matches()) {
            throw new RefusedException(bundle, "was not exported from a program cache, it holds '" + name + "'");
        }
        if (isProgram) {
            checkProgram(entry, path, bytes);
            return;
        }
        if (!CacheLayout.isStoreFor(path.group(1), Digest.of(bytes))) {
            throw new RefusedException(bundle, "is damaged: " + name);
        }
        stores.put(path.group(1), bytes);
    }

    private void checkProgram(ZipEntry entry, Matcher path, byte[] bytes) throws RefusedException {
        Digest digest = CacheLayout.programDigest(path.group(2));
        byte[] compatibility = stores.get(path.group(1));
        if (digest == null || compatibility == null) {
            throw new RefusedException(bundle, "is damaged: " + entry.getName() + " does not belong there");
        }
        EntryReading reading = EntryFormat.decode(bytes, digest, Digest.of(compatibility));
        if (reading instanceof EntryReading.Damaged damaged) {
            throw new RefusedException(
                    bundle,
                    "is damaged: " + entry.getName() + " " + damaged.damage().words());
        }
        programs.add(new Listed(entry, path.group(1), digest));
    }

    private byte[] bytes(ZipEntry entry) throws IOException {
        try (InputStream in = zip.getInputStream(entry)) {
            return in.readNBytes((int) entry.getSize());
        }
    }

    private void requireRoom(CacheLayout layout, long budget) throws IOException, RefusedException {
        FileFacts root = files.facts(layout.root());
        boolean isThere = root != null && root.kind() == FileFacts.Kind.FOLDER;
        long bytes = isThere ? FolderContents.bytes(files, layout) : 0;
        for (Listed program : programs) {
            Path file = layout.store(program.store()).resolve(CacheLayout.programName(program.digest()));
            bytes += isThere && files.facts(file) != null ? 0 : program.entry().getSize();
        }
        if (bytes > budget) {
            throw new RefusedException(
                    bundle,
                    "does not fit: the cache " + layout.root() + " would hold " + bytes
                            + " bytes of programs, and its budget is " + budget + "; clear it or raise the budget");
        }
    }

    private Imported add(DiskCache cache, FirstFailure failures) throws IOException {
        List<Added> added = new ArrayList<>();
        Set<DiskStore> touched = new LinkedHashSet<>();
        int present = 0;
        try {
            for (Listed program : programs) {
                DiskStore store = cache.store(kind(program), stores.getOrDefault(program.store(), new byte[0]));
                if (store.preload(program.digest()) instanceof EntryReading.Intact) {
                    present++;
                    continue;
                }
                if (EntryFormat.decode(bytes(program.entry()), program.digest(), store.compatibility())
                                instanceof EntryReading.Intact intact
                        && store.publish(intact.entry())) {
                    added.add(new Added(store, program.digest()));
                    touched.add(store);
                }
                failures.rethrow();
            }
            touched.forEach(DiskStore::forceNames);
            failures.rethrow();
            return new Imported(added.size(), present);
        } catch (IOException | RuntimeException | Error e) {
            withdraw(added, e);
            throw e;
        }
    }

    private static String kind(Listed program) {
        return program.store().substring(0, program.store().indexOf('-'));
    }

    private static void withdraw(List<Added> added, Throwable reason) {
        for (Added program : added) {
            try {
                program.store().withdraw(program.digest());
            } catch (IOException e) {
                reason.addSuppressed(e);
            }
        }
    }

    /** Keeps the first failure to write. */
    private static final class FirstFailure extends SilentObserver {
        private boolean failed;
        private IOException first = new IOException("");

        @Override
        public synchronized void writeFailed(IOException reason) {
            if (!failed) {
                failed = true;
                first = reason;
            }
        }

        synchronized void rethrow() throws IOException {
            if (failed) {
                throw first;
            }
        }
    }
}
