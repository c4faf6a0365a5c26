package io.frameloom.gpu.cache.disk;

import io.frameloom.gpu.cache.CacheFolder.Cleared;
import io.frameloom.gpu.cache.CacheFolder.Contents;
import io.frameloom.gpu.cache.CacheFolder.Problem;
import io.frameloom.gpu.cache.CacheFolder.Program;
import io.frameloom.gpu.cache.CacheFolder.Store;
import io.frameloom.gpu.cache.ProgramCacheException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything in the folder of a cache, for looking at, for checking and for deleting. Works whether or not processes
 * have the cache open. One thread.
 */
public final class FolderContents {
    private final StoreFiles files;
    private final CacheLayout layout;

    private FolderContents(StoreFiles files, CacheLayout layout) {
        this.files = files;
        this.layout = layout;
    }

    /**
     * Looks at a folder.
     *
     * @throws ProgramCacheException if it is no cache
     */
    public static FolderContents of(StoreFiles files, Path folder) {
        CacheLayout layout = new CacheLayout(folder);
        new FolderOpening(files, layout).requireCache();
        return new FolderContents(files, layout);
    }

    CacheLayout layout() {
        return layout;
    }

    /** Receives each whole program of a store, with the text of what the store is for. */
    @FunctionalInterface
    interface Receiver {
        void receive(String store, byte[] compatibility, StoredEntry entry) throws IOException;
    }

    /** Reads everything, in the order of names; files that are deleted meanwhile may be missing. */
    public Contents read() throws IOException {
        return read((store, compatibility, entry) -> {});
    }

    /** The same; gives each program to a receiver. At most one program is in memory at a time. */
    Contents read(Receiver receiver) throws IOException {
        List<Store> stores = new ArrayList<>();
        List<Problem> problems = new ArrayList<>();
        for (Path store : layout.stores(files)) {
            List<FileFacts> found = new ArrayList<>(CacheLayout.list(files, store));
            found.removeIf(file -> file.name().equals(CacheLayout.COMPATIBILITY) || isDraft(file));
            found.sort(Comparator.comparing(FileFacts::name));
            if (!found.isEmpty()) {
                stores.add(read(store, found, problems, receiver));
            }
        }
        return new Contents(stores, problems, files.list(layout.quarantine()).size());
    }

    private Store read(Path store, List<FileFacts> found, List<Problem> problems, Receiver receiver)
            throws IOException {
        String name = String.valueOf(store.getFileName());
        byte[] text = compatibility(store);
        Digest compatibility = Digest.of(text);
        List<Program> programs = new ArrayList<>();
        if (CacheLayout.isStoreFor(name, compatibility)) {
            for (FileFacts file : found) {
                StoredEntry entry = read(store.resolve(file.name()), file, compatibility, problems);
                if (entry != null) {
                    programs.add(new Program(
                            entry.digest().hex(),
                            file.bytes(),
                            entry.buildNanos(),
                            CanonicalFields.decode(entry.keyText())));
                    receiver.receive(name, text, entry);
                }
            }
        } else {
            problems.add(
                    new Problem(store.resolve(CacheLayout.COMPATIBILITY), "does not say what the folder's name says"));
        }
        return new Store(name, CanonicalFields.decode(text), programs);
    }

    private @Nullable StoredEntry read(Path path, FileFacts file, Digest compatibility, List<Problem> problems) {
        Digest digest = CacheLayout.programDigest(file.name());
        if (digest == null) {
            problems.add(new Problem(path, "does not belong here"));
            return null;
        }
        EntryReading reading = DiskStore.read(files, path, digest, compatibility);
        if (reading instanceof EntryReading.Damaged damaged) {
            problems.add(new Problem(path, damaged.damage().words()));
        }
        return reading instanceof EntryReading.Intact intact ? intact.entry() : null;
    }

    private static boolean isDraft(FileFacts file) {
        return file.name().endsWith(CacheLayout.TMP);
    }

    /** Returns the compatibility of a store; nothing if its text is longer than any can be. */
    private byte[] compatibility(Path store) throws IOException {
        Path file = store.resolve(CacheLayout.COMPATIBILITY);
        FileFacts facts = files.facts(file);
        return facts == null || !facts.isFile() || facts.bytes() > CacheLayout.LARGEST_COMPATIBILITY
                ? new byte[0]
                : files.read(file, CacheLayout.LARGEST_COMPATIBILITY);
    }

    /** Deletes all programs, and the memory of crashes; processes that have the cache open go on. */
    public Cleared clear() throws IOException {
        Processes processes = Processes.reading(files, layout);
        long programs = 0;
        long bytes = 0;
        for (Path store : layout.stores(files)) {
            for (FileFacts file : CacheLayout.list(files, store)) {
                boolean program = CacheLayout.programDigest(file.name()) != null;
                if (program || (isDraft(file) && !processes.isAlive(CacheLayout.owner(file.name())))) {
                    files.delete(store.resolve(file.name()));
                }
                programs += program ? 1 : 0;
                bytes += program ? file.bytes() : 0;
            }
        }
        for (FileFacts crash : files.list(layout.quarantine())) {
            files.delete(layout.quarantine().resolve(crash.name()));
        }
        return new Cleared(programs, bytes);
    }
}
