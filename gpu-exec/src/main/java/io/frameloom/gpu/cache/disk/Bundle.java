package io.frameloom.gpu.cache.disk;

import io.frameloom.gpu.cache.CacheFolder.Contents;
import io.frameloom.gpu.cache.CacheFolder.Exported;
import io.frameloom.gpu.cache.CacheFolder.Imported;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * The programs of a cache as one file: an uncompressed ZIP archive with the cache's own files in the order of their
 * names and without times, so equal caches give equal bundles. No more than one program is in memory at a time.
 * Stateless.
 */
public final class Bundle {
    private static final LocalDateTime NO_TIME = LocalDateTime.of(1980, 1, 1, 0, 0);
    private static final byte[] MARKER = CacheLayout.MARKER_TEXT.getBytes(StandardCharsets.UTF_8);
    private static final String FOREIGN = "it was not exported from a program cache";

    private Bundle() {}

    /**
     * Writes the whole programs of a cache. The file appears complete or not at all, also after a loss of power, and
     * replaces an existing bundle.
     *
     * @throws IOException if that fails, or the file would lie in the folder of the cache, or replace a file that is no
     *     bundle
     */
    public static Exported write(FolderContents contents, Path bundle) throws IOException {
        StoreFiles files = new NativeFiles();
        Path root = contents.layout().root();
        Path target = bundle.toAbsolutePath();
        Path folder = target.getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new IOException("there is no folder " + folder);
        }
        if (Files.exists(root) && folder.toRealPath().startsWith(root.toRealPath())) {
            throw new IOException("it would lie inside of the cache " + root + "; name a file elsewhere");
        }
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS) && !isReplaceable(target)) {
            throw new IOException("it would replace what was not exported from a program cache; delete that or name"
                    + " another file");
        }
        Path draft = folder.resolve(target.getFileName() + "." + Processes.newInstance(files) + CacheLayout.TMP);
        try {
            Exported exported;
            try (ZipOutputStream zip = new ZipOutputStream(new BufferedOutputStream(created(draft)))) {
                put(zip, CacheLayout.MARKER, MARKER);
                exported = putAll(zip, contents);
            }
            files.force(draft);
            files.move(draft, target);
            files.forceFolder(folder);
            return exported;
        } finally {
            files.delete(draft);
        }
    }

    /** An empty file is replaced as well, such as one that mktemp has made. */
    private static boolean isReplaceable(Path target) throws IOException {
        if (!Files.isRegularFile(target) || Files.size(target) == 0) {
            return Files.isRegularFile(target);
        }
        try (ZipFile zip = new ZipFile(target.toFile())) {
            return isMarked(zip);
        } catch (ZipException | EOFException foreign) {
            return false;
        }
    }

    private static boolean isMarked(ZipFile zip) throws IOException {
        ZipEntry marker = zip.getEntry(CacheLayout.MARKER);
        return marker != null && Arrays.equals(bytes(zip, marker), MARKER);
    }

    /** Creates the draft; its own name means nothing. */
    private static OutputStream created(Path draft) throws IOException {
        try {
            return Files.newOutputStream(draft, StandardOpenOption.CREATE_NEW);
        } catch (FileSystemException e) {
            String reason = e.getReason() == null ? "" : ": " + e.getReason();
            throw new IOException("no file can be created in " + draft.getParent() + reason, e);
        }
    }

    private static Exported putAll(ZipOutputStream zip, FolderContents contents) throws IOException {
        Set<String> described = new HashSet<>();
        Contents all = contents.read((store, compatibility, entry) -> {
            if (described.add(store)) {
                put(zip, store + "/" + CacheLayout.COMPATIBILITY, compatibility);
            }
            put(zip, store + "/" + CacheLayout.programName(entry.digest()), EntryFormat.encode(entry));
        });
        return new Exported(all.programs(), all.problems().size());
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
     * Returns the bytes of a file that takes its full length in the bundle, so no small file can request a lot of
     * memory.
     */
    private static byte[] bytes(ZipFile zip, ZipEntry file) throws IOException {
        if (file.getMethod() != ZipEntry.STORED || file.getSize() > EntryFormat.LARGEST) {
            throw new IOException("it is damaged: " + file.getName() + " is compressed or too large");
        }
        try (InputStream in = zip.getInputStream(file)) {
            return in.readNBytes((int) file.getSize());
        }
    }

    /**
     * Adds the programs of a bundle to a cache, which is created if it is not there. A bundle with anything wrong in it
     * is refused as a whole, before anything is written.
     *
     * @param budget bytes that all programs of the cache may have afterwards
     * @throws IOException if the bundle is refused or cannot be read, or the folder does not take a program; those that
     *     came before it stay
     */
    public static Imported add(StoreFiles files, Path bundle, Path folder, long budget) throws IOException {
        try (ZipFile zip = new ZipFile(bundle.toFile())) {
            if (!isMarked(zip)) {
                throw new IOException(FOREIGN + " of this version");
            }
            List<ZipEntry> programs = new ArrayList<>();
            for (ZipEntry file : zip.stream().toList()) {
                if (file.getName().endsWith(CacheLayout.PROGRAM)) {
                    entry(zip, file);
                    programs.add(file);
                } else if (!file.getName().equals(CacheLayout.MARKER)
                        && !file.getName().endsWith("/" + CacheLayout.COMPATIBILITY)) {
                    throw new IOException(FOREIGN + ", it holds '" + file.getName() + "'");
                }
            }
            requireRoom(files, new CacheLayout(folder), programs, budget);
            try (DiskCache cache = DiskCache.open(files, folder, Long.MAX_VALUE, new DiskObserver() {})) {
                return add(zip, programs, cache);
            }
        } catch (ZipException | EOFException e) {
            throw new IOException(FOREIGN + ", or is cut off (" + e.getMessage() + ")", e);
        }
    }

    private static Imported add(ZipFile zip, List<ZipEntry> programs, DiskCache cache) throws IOException {
        int present = 0;
        Set<DiskStore> touched = new LinkedHashSet<>();
        for (ZipEntry program : programs) {
            StoredEntry entry = entry(zip, program);
            String name = store(program);
            DiskStore store = cache.store(name.substring(0, name.indexOf('-')), text(zip, name));
            if (store.preload(entry.digest()) instanceof EntryReading.Intact) {
                present++;
            } else {
                store.write(entry);
                touched.add(store);
            }
        }
        for (DiskStore store : touched) {
            store.force();
        }
        return new Imported(programs.size() - present, present);
    }

    private static StoredEntry entry(ZipFile zip, ZipEntry program) throws IOException {
        String store = store(program);
        Digest compatibility = Digest.of(text(zip, store));
        Digest digest = CacheLayout.programDigest(program.getName().substring(store.length() + 1));
        if (digest == null || !CacheLayout.isStoreFor(store, compatibility)) {
            throw new IOException("it is damaged: " + program.getName() + " does not belong there");
        }
        EntryReading reading = EntryFormat.decode(bytes(zip, program), digest, compatibility);
        if (reading instanceof EntryReading.Damaged damaged) {
            throw new IOException("it is damaged: " + program.getName() + " "
                    + damaged.damage().words());
        }
        return ((EntryReading.Intact) reading).entry();
    }

    private static String store(ZipEntry program) {
        return program.getName().substring(0, Math.max(0, program.getName().indexOf('/')));
    }

    /** Returns the compatibility of a store; nothing if the bundle lacks it. */
    private static byte[] text(ZipFile zip, String store) throws IOException {
        ZipEntry text = zip.getEntry(store + "/" + CacheLayout.COMPATIBILITY);
        return text == null ? new byte[0] : bytes(zip, text);
    }

    private static void requireRoom(StoreFiles files, CacheLayout layout, List<ZipEntry> programs, long budget)
            throws IOException {
        FileFacts root = files.facts(layout.root());
        boolean isThere = root != null && root.kind() == FileFacts.Kind.FOLDER;
        long bytes = 0;
        for (Path store : isThere ? layout.stores(files) : List.<Path>of()) {
            for (FileFacts file : CacheLayout.list(files, store)) {
                bytes += CacheLayout.programDigest(file.name()) == null ? 0 : file.bytes();
            }
        }
        for (ZipEntry program : programs) {
            boolean present = isThere && files.facts(layout.root().resolve(program.getName())) != null;
            bytes += present ? 0 : program.getSize();
        }
        if (bytes > budget) {
            throw new IOException("it does not fit: the cache " + layout.root() + " would hold " + bytes
                    + " bytes of programs, and its budget is " + budget + "; clear it or raise the budget");
        }
    }
}
