package io.frameloom.gpu.cache.disk;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Everything in the folder of a cache, for looking at, for checking and for deleting. Needs nobody to have the cache open,
 * and minds nobody who has. One thread.
 */
public final class FolderContents {
    private static final long LOCK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final StoreFiles files;
    private final CacheLayout layout;

    private FolderContents(StoreFiles files, CacheLayout layout) {
        this.files = files;
        this.layout = layout;
    }

    /** What a store is for, as it is kept. Immutable. */
    public static final class StoreText {
        private final byte[] bytes;

        StoreText(byte[] bytes) {
            this.bytes = bytes;
        }

        /** Returns the bytes; not to be changed. */
        public byte[] bytes() {
            return bytes;
        }
    }

    /**
     * A whole program.
     *
     * @param facts its file
     * @param entry its contents
     */
    public record Program(FileFacts facts, StoredEntry entry) {}

    /**
     * A file that is no whole program.
     *
     * @param file file
     * @param words what is wrong with it, to follow its name
     */
    public record Problem(Path file, String words) {}

    /** Is handed what is found, one file after another; no more than one program is in memory at a time. */
    public interface Visitor {
        /** Takes a store, before what is in it. */
        void store(String name, StoreText compatibility) throws IOException;

        /** Takes a program of the store that came last. */
        void program(Program program) throws IOException;

        /** Takes a file of the store that came last. */
        void problem(Problem problem) throws IOException;
    }

    /**
     * What was deleted.
     *
     * @param programs programs
     * @param bytes bytes of their files
     */
    public record Cleared(long programs, long bytes) {}

    /**
     * Looks at a folder.
     *
     * @throws FolderRefusedException if it is no cache
     */
    public static FolderContents of(StoreFiles files, Path folder) throws FolderRefusedException {
        CacheLayout layout = new CacheLayout(folder);
        new FolderOpening(files, layout).requireCache();
        return new FolderContents(files, layout);
    }

    Path root() {
        return layout.root();
    }

    /** Reads everything, in the order of names; what somebody clears meanwhile may be missing. */
    public void visit(Visitor visitor) throws IOException {
        for (String name : stores()) {
            visit(name, visitor);
        }
    }

    private List<String> stores() throws IOException {
        return files.list(layout.root()).stream()
                .filter(found -> found.kind() == FileFacts.Kind.FOLDER)
                .map(FileFacts::name)
                .filter(CacheLayout::isStoreName)
                .sorted()
                .toList();
    }

    private void visit(String name, Visitor visitor) throws IOException {
        Path folder = layout.store(name);
        List<FileFacts> found = listed(folder);
        if (found.isEmpty()) {
            return;
        }
        byte[] text = compatibility(folder);
        Digest compatibility = Digest.of(text);
        visitor.store(name, new StoreText(text));
        if (!CacheLayout.isStoreFor(name, compatibility)) {
            visitor.problem(
                    new Problem(folder.resolve(CacheLayout.COMPATIBILITY), "does not say what the folder's name says"));
            return;
        }
        for (FileFacts facts : found) {
            Path path = folder.resolve(facts.name());
            Digest digest = CacheLayout.programDigest(facts.name());
            if (digest == null) {
                if (!facts.name().equals(CacheLayout.COMPATIBILITY) && !isDraft(facts)) {
                    visitor.problem(new Problem(path, "does not belong here"));
                }
                continue;
            }
            EntryReading reading = read(path, digest, compatibility);
            if (reading instanceof EntryReading.Intact intact) {
                visitor.program(new Program(facts, intact.entry()));
            } else if (reading instanceof EntryReading.Damaged damaged) {
                visitor.problem(new Problem(path, damaged.damage().words()));
            }
        }
    }

    private List<FileFacts> listed(Path folder) throws IOException {
        try {
            List<FileFacts> found = new ArrayList<>(files.list(folder));
            found.sort(Comparator.comparing(FileFacts::name));
            return found;
        } catch (NoSuchFileException e) {
            // Its last program has gone since.
            return List.of();
        }
    }

    private static boolean isDraft(FileFacts file) {
        return file.name().endsWith(CacheLayout.TMP);
    }

    private EntryReading read(Path path, Digest digest, Digest compatibility) {
        try {
            return DiskStore.read(files, path, digest, compatibility, EntryFormat.LARGEST);
        } catch (IOException e) {
            return new EntryReading.Damaged(EntryDamage.UNREADABLE);
        }
    }

    /** Returns what a store says that it is for; nothing if it says more than any does. */
    private byte[] compatibility(Path folder) throws IOException {
        Path file = folder.resolve(CacheLayout.COMPATIBILITY);
        FileFacts facts = files.facts(file);
        return facts == null || !facts.isFile() || facts.bytes() > CacheLayout.LARGEST_COMPATIBILITY
                ? new byte[0]
                : files.read(file, CacheLayout.LARGEST_COMPATIBILITY);
    }

    /** Returns the bytes of the files of all programs, whole or not. */
    static long bytes(StoreFiles files, CacheLayout layout) throws IOException {
        long bytes = 0;
        FolderContents contents = new FolderContents(files, layout);
        for (String name : contents.stores()) {
            for (FileFacts file : contents.listed(layout.store(name))) {
                bytes += CacheLayout.programDigest(file.name()) == null ? 0 : file.bytes();
            }
        }
        return bytes;
    }

    /** Returns how many programs have ended processes. */
    public int crashes() throws IOException {
        return files.list(layout.quarantine()).size();
    }

    /** Deletes all programs, and what is remembered of crashes; whoever has the cache open goes on. */
    public Cleared clear() throws IOException {
        long programs = 0;
        long bytes = 0;
        try (FolderLock lock = new FolderLock(files.openCounter(layout.lock()), LOCK_NANOS, new SilentObserver())) {
            for (String name : stores()) {
                Path folder = layout.store(name);
                for (FileFacts file : listed(folder)) {
                    boolean program = CacheLayout.programDigest(file.name()) != null;
                    if (program || isLitter(file)) {
                        files.delete(folder.resolve(file.name()));
                    }
                    programs += program ? 1 : 0;
                    bytes += program ? file.bytes() : 0;
                }
                new EmptyStores(files, layout, lock).prune(name);
            }
            // What others know of the folder has ended; the number is too large now, and is made right when that
            // matters.
            lock.run(locked -> {
                long version = locked ? lock.counter().version() : -1;
                if (version >= 0) {
                    lock.counter().set(version + 1, lock.counter().total());
                }
                return locked;
            });
        }
        for (FileFacts crash : files.list(layout.quarantine())) {
            files.delete(layout.quarantine().resolve(crash.name()));
        }
        return new Cleared(programs, bytes);
    }

    private boolean isLitter(FileFacts file) throws IOException {
        return isDraft(file) && !Processes.isAlive(files, layout, CacheLayout.owner(file.name()));
    }
}
