package io.frameloom.gpu.cache.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Everything in the folder of a cache, for looking at, for checking and for deleting. Needs nobody to have the cache open,
 * and minds nobody who has. One thread.
 */
public final class FolderContents {
    private static final long LARGEST = Integer.MAX_VALUE - 8L;

    private final StoreFiles files;
    private final CacheLayout layout;

    private FolderContents(StoreFiles files, CacheLayout layout) {
        this.files = files;
        this.layout = layout;
    }

    /**
     * The programs for one compatibility.
     *
     * @param name name of the folder
     * @param compatibility what they are for
     * @param programs the programs, ordered by name
     * @param problems files that are no whole programs, ordered by name
     */
    public record Store(String name, StoreText compatibility, List<Program> programs, List<Problem> problems) {
        /** Copies the lists. */
        public Store {
            programs = List.copyOf(programs);
            problems = List.copyOf(problems);
        }
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

    /** Is handed what is found, one store after another. */
    @FunctionalInterface
    public interface Visitor {
        /** Takes a store; may throw what its own files throw. */
        void visit(Store store) throws IOException;
    }

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

    /** Reads everything, in the order of names. */
    public void visit(Visitor visitor) throws IOException {
        for (String name : stores()) {
            visitor.visit(read(name));
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

    private Store read(String name) throws IOException {
        Path folder = layout.store(name);
        List<Program> programs = new ArrayList<>();
        List<Problem> problems = new ArrayList<>();
        byte[] text = compatibility(folder);
        Digest compatibility = Digest.of(text);
        if (!name.endsWith("-" + compatibility.hex().substring(0, 32))) {
            problems.add(
                    new Problem(folder.resolve(CacheLayout.COMPATIBILITY), "does not say what the folder's name says"));
            return new Store(name, new StoreText(text), programs, problems);
        }
        List<FileFacts> found = new ArrayList<>(files.list(folder));
        found.sort(Comparator.comparing(FileFacts::name));
        for (FileFacts facts : found) {
            Path path = folder.resolve(facts.name());
            Digest digest = CacheLayout.programDigest(facts.name());
            if (digest == null) {
                if (!facts.name().equals(CacheLayout.COMPATIBILITY)
                        && !facts.name().endsWith(CacheLayout.TMP)) {
                    problems.add(new Problem(path, "does not belong here"));
                }
                continue;
            }
            EntryReading reading = read(path, digest, compatibility);
            if (reading instanceof EntryReading.Intact intact) {
                programs.add(new Program(facts, intact.entry()));
            } else if (reading instanceof EntryReading.Damaged damaged) {
                problems.add(new Problem(path, damaged.damage().words()));
            }
        }
        return new Store(name, new StoreText(text), programs, problems);
    }

    private EntryReading read(Path path, Digest digest, Digest compatibility) {
        try {
            return DiskStore.read(files, path, digest, compatibility, LARGEST);
        } catch (IOException e) {
            return new EntryReading.Damaged(EntryDamage.UNREADABLE);
        }
    }

    private byte[] compatibility(Path folder) throws IOException {
        Path file = folder.resolve(CacheLayout.COMPATIBILITY);
        FileFacts facts = files.facts(file);
        return facts == null || !facts.isFile() ? new byte[0] : files.read(file, LARGEST);
    }

    /** Returns how many programs have ended processes. */
    public int crashes() throws IOException {
        return files.list(layout.quarantine()).size();
    }

    /**
     * Deletes all programs, and what is remembered of crashes; whoever has the cache open goes on.
     *
     * @return programs and bytes
     */
    public long[] clear() throws IOException {
        long[] deleted = new long[2];
        for (String name : stores()) {
            Path folder = layout.store(name);
            for (FileFacts file : files.list(folder)) {
                if (!isBeingWritten(file)) {
                    files.delete(folder.resolve(file.name()));
                    if (CacheLayout.programDigest(file.name()) != null) {
                        deleted[0]++;
                        deleted[1] += file.bytes();
                    }
                }
            }
            if (files.list(folder).isEmpty()) {
                files.delete(folder);
            }
        }
        for (FileFacts crash : files.list(layout.quarantine())) {
            files.delete(layout.quarantine().resolve(crash.name()));
        }
        return deleted;
    }

    private boolean isBeingWritten(FileFacts file) throws IOException {
        return file.name().endsWith(CacheLayout.TMP)
                && Processes.isAlive(files, layout, CacheLayout.owner(file.name()));
    }
}
