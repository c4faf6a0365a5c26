package io.frameloom.gpu.cache.disk;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDateTime;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The programs of a cache as one file: an uncompressed ZIP archive with the cache's own files in the order of their names
 * and without times, so equal caches give equal bundles. Stateless.
 */
public final class Bundle {
    private static final LocalDateTime NO_TIME = LocalDateTime.of(1980, 1, 1, 0, 0);
    static final Pattern PATH = Pattern.compile("([a-z]{1,16}-[0-9a-f]{32})/([0-9a-z.]+)");

    private Bundle() {}

    /** A bundle that is refused; the message names it and what is wrong, on one line. */
    public static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;

        RefusedException(Path bundle, String reason) {
            super("bundle " + bundle + " " + reason);
        }
    }

    /**
     * What was written.
     *
     * @param programs programs
     * @param leftOut files that are no whole programs
     */
    public record Written(int programs, int leftOut) {}

    /**
     * Writes the whole programs of a cache; the file appears complete or not at all, also after a loss of power, and
     * replaces a bundle that is there.
     *
     * @throws IOException naming the file that failed
     * @throws RefusedException if the file would lie in the folder of the cache, or replace what is no bundle
     */
    public static Written write(FolderContents contents, Path bundle) throws IOException, RefusedException {
        StoreFiles files = new NativeFiles();
        Path target = bundle.toAbsolutePath();
        BundleTarget.requireFolder(target);
        BundleTarget.require(contents.root(), target);
        Path draft = target.resolveSibling(target.getFileName() + "."
                + Integer.toHexString(ThreadLocalRandom.current().nextInt()) + CacheLayout.TMP);
        try {
            Written written;
            try (ZipOutputStream zip = new ZipOutputStream(new BufferedOutputStream(created(draft)))) {
                put(zip, CacheLayout.MARKER, CacheLayout.MARKER_TEXT.getBytes(StandardCharsets.UTF_8));
                Export export = new Export(zip);
                contents.visit(export);
                written = new Written(export.programs, export.leftOut);
            }
            files.force(draft);
            files.move(draft, target);
            Path folder = target.getParent();
            if (folder != null) {
                files.forceFolder(folder);
            }
            return written;
        } finally {
            files.delete(draft);
        }
    }

    /** Creates the draft; its own name says nothing to anybody. */
    private static OutputStream created(Path draft) throws IOException {
        try {
            return Files.newOutputStream(draft, StandardOpenOption.CREATE_NEW);
        } catch (FileSystemException e) {
            String reason = e.getReason() == null ? "" : ": " + e.getReason();
            throw new IOException("no file can be created in " + draft.getParent() + reason, e);
        }
    }

    /** Takes what is to be exported, one file after another. */
    private static final class Export implements FolderContents.Visitor {
        private final ZipOutputStream zip;
        private String store = "";
        /** What the store is for, until it is written before its first program. */
        private FolderContents.@Nullable StoreText compatibility;

        int programs;
        int leftOut;

        Export(ZipOutputStream zip) {
            this.zip = zip;
        }

        @Override
        public void store(String name, FolderContents.StoreText text) {
            store = name;
            compatibility = text;
        }

        @Override
        public void program(FolderContents.Program program) throws IOException {
            FolderContents.StoreText unwritten = compatibility;
            if (unwritten != null) {
                put(zip, store + "/" + CacheLayout.COMPATIBILITY, unwritten.bytes());
                compatibility = null;
            }
            StoredEntry entry = program.entry();
            put(zip, store + "/" + CacheLayout.programName(entry.digest()), EntryFormat.encode(entry));
            programs++;
        }

        @Override
        public void problem(FolderContents.Problem problem) {
            leftOut++;
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
}
