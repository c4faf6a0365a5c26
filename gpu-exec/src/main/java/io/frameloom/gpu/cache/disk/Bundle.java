package io.frameloom.gpu.cache.disk;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * The programs of a cache as one file: an uncompressed ZIP archive with the cache's own files in the order of their names
 * and without times, so equal caches give equal bundles. Stateless.
 */
public final class Bundle {
    private static final LocalDateTime NO_TIME = LocalDateTime.of(1980, 1, 1, 0, 0);
    private static final long LARGEST = 256L << 20;
    private static final Pattern PATH = Pattern.compile("([a-z]{1,16}-[0-9a-f]{32})/([0-9a-z.]+)");
    private static final DiskCache.Limits UNLIMITED = new DiskCache.Limits(Long.MAX_VALUE / 4, LARGEST, 1, 1000);

    private Bundle() {}

    /** A bundle that is refused; the message names it and what is wrong, on one line. */
    public static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;

        RefusedException(Path bundle, String reason) {
            super("bundle " + bundle + " " + reason);
        }
    }

    /**
     * Writes the whole programs of a cache; the file appears complete or not at all, and replaces one that is there.
     *
     * @return programs written, and damaged ones left out
     * @throws IOException naming the file that failed
     */
    public static int[] write(FolderContents contents, Path bundle) throws IOException {
        Path target = bundle.toAbsolutePath();
        Path draft = target.resolveSibling(target.getFileName() + "."
                + Integer.toHexString(ThreadLocalRandom.current().nextInt()) + CacheLayout.TMP);
        int[] counts = new int[2];
        try {
            try (ZipOutputStream zip = new ZipOutputStream(
                    new BufferedOutputStream(Files.newOutputStream(draft, StandardOpenOption.CREATE_NEW)))) {
                put(zip, CacheLayout.MARKER, CacheLayout.MARKER_TEXT.getBytes(StandardCharsets.UTF_8));
                contents.visit(store -> {
                    counts[1] += store.problems().size();
                    if (!store.programs().isEmpty()) {
                        put(
                                zip,
                                store.name() + "/" + CacheLayout.COMPATIBILITY,
                                store.compatibility().bytes());
                    }
                    for (FolderContents.Program program : store.programs()) {
                        String name = CacheLayout.programName(program.entry().digest());
                        put(zip, store.name() + "/" + name, EntryFormat.encode(program.entry()));
                        counts[0]++;
                    }
                });
            }
            Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return counts;
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    private static void put(ZipOutputStream zip, String name, byte[] bytes) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(bytes.length);
        CRC32 crc = new CRC32();
        crc.update(bytes);
        entry.setCrc(crc.getValue());
        entry.setTimeLocal(NO_TIME);
        zip.putNextEntry(entry);
        zip.write(bytes);
        zip.closeEntry();
    }

    /**
     * Adds the programs of a bundle to a cache, which is created if it is not there. A bundle with anything wrong in it is
     * refused as a whole, before anything is written.
     *
     * @return programs added, and programs that were there already
     * @throws IOException if the bundle cannot be read, or the folder does not take a program
     */
    public static int[] read(StoreFiles files, Path bundle, Path folder)
            throws IOException, FolderRefusedException, RefusedException {
        try (ZipFile zip = new ZipFile(bundle.toFile())) {
            Map<String, byte[]> stores = new HashMap<>();
            List<? extends ZipEntry> entries = zip.stream().toList();
            for (ZipEntry entry : entries) {
                check(zip, bundle, entry, stores);
            }
            FirstFailure failures = new FirstFailure();
            try (DiskCache cache = DiskCache.open(files, folder, UNLIMITED, failures)) {
                cache.tidy();
                return add(zip, entries, stores, cache, failures);
            }
        }
    }

    private static void check(ZipFile zip, Path bundle, ZipEntry entry, Map<String, byte[]> stores)
            throws IOException, RefusedException {
        if (entry.getSize() < 0 || entry.getSize() > LARGEST) {
            throw new RefusedException(bundle, "declares " + entry.getSize() + " bytes for " + entry.getName());
        }
        byte[] bytes = bytes(zip, entry);
        if (entry.getName().equals(CacheLayout.MARKER)) {
            if (!Arrays.equals(bytes, CacheLayout.MARKER_TEXT.getBytes(StandardCharsets.UTF_8))) {
                throw new RefusedException(bundle, "was not exported from a program cache of this version");
            }
            stores.put("", bytes);
            return;
        }
        Matcher path = PATH.matcher(entry.getName());
        if (!stores.containsKey("") || !path.matches()) {
            throw new RefusedException(
                    bundle, "was not exported from a program cache, it holds '" + entry.getName() + "'");
        }
        String store = path.group(1);
        if (path.group(2).equals(CacheLayout.COMPATIBILITY)) {
            if (!store.endsWith("-" + Digest.of(bytes).hex().substring(0, 32))) {
                throw new RefusedException(bundle, "is damaged: " + entry.getName());
            }
            stores.put(store, bytes);
            return;
        }
        Digest digest = CacheLayout.programDigest(path.group(2));
        byte[] compatibility = stores.get(store);
        if (digest == null || compatibility == null) {
            throw new RefusedException(bundle, "is damaged: " + entry.getName() + " does not belong there");
        }
        EntryReading reading = EntryFormat.decode(bytes, digest, Digest.of(compatibility));
        if (reading instanceof EntryReading.Damaged damaged) {
            throw new RefusedException(
                    bundle,
                    "is damaged: " + entry.getName() + " " + damaged.damage().words());
        }
    }

    private static byte[] bytes(ZipFile zip, ZipEntry entry) throws IOException {
        try (InputStream in = zip.getInputStream(entry)) {
            return in.readNBytes((int) entry.getSize());
        }
    }

    private static int[] add(
            ZipFile zip,
            List<? extends ZipEntry> entries,
            Map<String, byte[]> stores,
            DiskCache cache,
            FirstFailure failures)
            throws IOException {
        int[] counts = new int[2];
        for (ZipEntry entry : entries) {
            Matcher path = PATH.matcher(entry.getName());
            Digest digest = path.matches() ? CacheLayout.programDigest(path.group(2)) : null;
            byte[] compatibility = digest == null ? null : stores.get(path.group(1));
            if (digest == null || compatibility == null) {
                continue;
            }
            String kind = path.group(1).substring(0, path.group(1).indexOf('-'));
            DiskStore store = cache.store(kind, compatibility);
            if (store.preload(digest) instanceof EntryReading.Intact) {
                counts[1]++;
            } else if (EntryFormat.decode(bytes(zip, entry), digest, Digest.of(compatibility))
                            instanceof EntryReading.Intact intact
                    && store.publish(intact.entry())) {
                store.forceNames();
                counts[0]++;
            }
            failures.rethrow();
        }
        return counts;
    }

    /** Keeps the first failure to write. */
    private static final class FirstFailure extends SilentObserver {
        private volatile boolean failed;
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
