package io.frameloom.gpu.cache.disk;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The programs of one kind for one compatibility. The compatibility is compared as a whole before any program is opened.
 * Faults of the file system are told to the observer and end as a miss or as a program that is not kept. Any thread
 * reads; one thread at a time writes.
 */
public final class DiskStore {
    private static final int ATTEMPTS = 3;

    private final StoreFiles files;
    private final Path folder;
    private final String name;
    private final Digest compatibility;
    private final byte[] compatibilityText;
    private final Processes processes;
    private final SpaceKeeper space;
    private final long largestEntry;
    private final DiskObserver observer;
    /** Programs whose damaged files the observer was told of: one of them is read by several threads, or ahead. */
    private final Set<Digest> damaged = ConcurrentHashMap.newKeySet();

    private volatile boolean compatible;

    DiskStore(
            StoreFiles files,
            CacheLayout layout,
            String name,
            byte[] compatibilityText,
            Processes processes,
            SpaceKeeper space,
            long largestEntry,
            DiskObserver observer) {
        this.files = files;
        this.folder = layout.store(name);
        this.name = name;
        this.compatibility = Digest.of(compatibilityText);
        this.compatibilityText = compatibilityText.clone();
        this.processes = processes;
        this.space = space;
        this.largestEntry = largestEntry;
        this.observer = observer;
    }

    /** Returns its name: that of its folder. */
    public String name() {
        return name;
    }

    Digest compatibility() {
        return compatibility;
    }

    Path program(Digest digest) {
        return folder.resolve(CacheLayout.programName(digest));
    }

    /**
     * Reads a program. A damaged one has been told to the observer.
     *
     * @param keyText what its key must be
     */
    public EntryReading read(Digest digest, byte[] keyText) {
        EntryReading reading = load(digest);
        if (reading instanceof EntryReading.Intact intact
                && !Arrays.equals(intact.entry().keyText(), keyText)) {
            reading = new EntryReading.Damaged(EntryDamage.WRONG_KEY);
        }
        note(digest, reading);
        if (reading instanceof EntryReading.Intact) {
            used(digest);
        }
        return reading;
    }

    /** Reads a program for use to come, whatever its key. A damaged one has been told to the observer. */
    public EntryReading preload(Digest digest) {
        EntryReading reading = load(digest);
        note(digest, reading);
        return reading;
    }

    /** A file counts once, until there is another one in its place. */
    private void note(Digest digest, EntryReading reading) {
        if (!(reading instanceof EntryReading.Damaged found)) {
            damaged.remove(digest);
        } else if (damaged.add(digest)) {
            observer.damaged(found.damage());
        }
    }

    private EntryReading load(Digest digest) {
        try {
            EntryReading reading = isCompatible()
                    ? read(files, program(digest), digest, compatibility, largestEntry)
                    : new EntryReading.Absent();
            if (reading instanceof EntryReading.Absent) {
                space.missed(program(digest));
            }
            return reading;
        } catch (IOException e) {
            return new EntryReading.Damaged(EntryDamage.UNREADABLE);
        }
    }

    /** Reads and checks one file. */
    static EntryReading read(StoreFiles files, Path program, Digest digest, Digest compatibility, long largest)
            throws IOException {
        FileFacts facts = files.facts(program);
        if (facts == null) {
            return new EntryReading.Absent();
        }
        if (!facts.isFile()) {
            return new EntryReading.Damaged(EntryDamage.NOT_A_FILE);
        }
        if (facts.bytes() > largest) {
            return new EntryReading.Damaged(EntryDamage.TOO_LARGE);
        }
        try {
            return EntryFormat.decode(files.read(program, largest), digest, compatibility);
        } catch (NoSuchFileException e) {
            // Evicted since.
            return new EntryReading.Absent();
        }
    }

    /** Notes that a program was used, where the folder takes notes. */
    public void used(Digest digest) {
        if (!processes.hasJoined()) {
            return;
        }
        try {
            space.used(program(digest));
        } catch (IOException e) {
            observer.writeFailed(e);
        }
    }

    /** Lists the programs that were there last, the most recently used one first; opens none of them. */
    public List<Digest> newestFirst() {
        try {
            if (!isCompatible()) {
                return List.of();
            }
            List<FileFacts> programs = new ArrayList<>(files.list(folder));
            programs.sort(Comparator.comparingLong(FileFacts::modifiedMillis)
                    .reversed()
                    .thenComparing(FileFacts::name));
            List<Digest> digests = new ArrayList<>(programs.size());
            for (FileFacts program : programs) {
                Digest digest = CacheLayout.programDigest(program.name());
                if (digest != null) {
                    digests.add(digest);
                }
            }
            return digests;
        } catch (IOException e) {
            observer.damaged(EntryDamage.UNREADABLE);
            return List.of();
        }
    }

    /** Returns whether a program is there, as far as this process knows without looking. */
    public boolean isKnown(Digest digest) {
        return space.isKnown(program(digest));
    }

    /**
     * Writes a program, so that it is found; {@link #forceNames} makes it survive a loss of power.
     *
     * @return whether it was written; if not, the observer was told why
     */
    public boolean publish(StoredEntry entry) {
        try {
            byte[] bytes = EntryFormat.encode(entry);
            if (bytes.length > Math.min(space.budget(), largestEntry)) {
                throw new IOException("program " + entry.digest() + " has " + bytes.length
                        + " bytes, more than the cache may hold; raise its disk budget");
            }
            for (int attempt = 1; ; attempt++) {
                try {
                    prepare();
                    publish(entry.digest(), bytes);
                    break;
                } catch (NoSuchFileException e) {
                    // Somebody has cleared the folder since.
                    compatible = false;
                    if (attempt == ATTEMPTS) {
                        throw e;
                    }
                }
            }
            return true;
        } catch (IOException e) {
            compatible = false;
            observer.writeFailed(e);
            return false;
        }
    }

    private void publish(Digest digest, byte[] bytes) throws IOException {
        Path draft = folder.resolve(CacheLayout.ownedName(digest, processes.instance()) + CacheLayout.TMP);
        Path program = program(digest);
        try {
            files.delete(draft);
            files.write(draft, bytes);
            files.force(draft);
            FileFacts inTheWay = files.facts(program);
            if (inTheWay != null && inTheWay.kind() == FileFacts.Kind.FOLDER) {
                files.delete(program);
            }
            space.publish(draft, program, digest, bytes.length);
            damaged.remove(digest);
        } catch (IOException | RuntimeException | Error e) {
            try {
                files.delete(draft);
            } catch (IOException alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
            throw e;
        }
    }

    /**
     * Deletes a program that was found to be damaged, unless another process has replaced it by a whole one since or the
     * disk refuses.
     *
     * @param keyText what its key must be
     * @return whether it is gone
     */
    public boolean discard(Digest digest, byte[] keyText) {
        try {
            return space.exclusively(locked -> {
                EntryReading now = read(files, program(digest), digest, compatibility, largestEntry);
                boolean usable = now instanceof EntryReading.Intact intact
                        && Arrays.equals(intact.entry().keyText(), keyText);
                if (locked && !usable) {
                    space.withdrawLocked(program(digest));
                }
                return locked && !usable;
            });
        } catch (IOException e) {
            observer.writeFailed(e);
            return false;
        }
    }

    /** Takes a program out again. */
    void withdraw(Digest digest) throws IOException {
        space.withdraw(program(digest));
    }

    /** Makes what was published survive a loss of power. */
    public void forceNames() {
        try {
            files.forceFolder(folder);
        } catch (IOException e) {
            observer.writeFailed(e);
        }
    }

    /** Returns whether the store is there and is what its name says. */
    private boolean isCompatible() throws IOException {
        if (compatible) {
            return true;
        }
        FileFacts facts = files.facts(folder);
        if (facts == null || facts.kind() != FileFacts.Kind.FOLDER) {
            return false;
        }
        if (saysCompatible()) {
            compatible = true;
            return true;
        }
        return false;
    }

    private boolean saysCompatible() throws IOException {
        Path file = folder.resolve(CacheLayout.COMPATIBILITY);
        FileFacts facts = files.facts(file);
        return facts != null
                && facts.isFile()
                && Arrays.equals(files.read(file, compatibilityText.length + 1L), compatibilityText);
    }

    /** Creates the store. What makes the name of its first program durable makes that of the compatibility so, too. */
    private void prepare() throws IOException {
        if (isCompatible()) {
            return;
        }
        if (files.facts(folder) == null) {
            create();
        }
        // Nobody else publishes what would be removed as incompatible.
        space.exclusively(locked -> {
            if (!isCompatible()) {
                empty();
                describe();
                compatible = true;
            }
            return locked;
        });
    }

    private void create() throws IOException {
        try {
            files.createFolder(folder);
        } catch (FileAlreadyExistsException e) {
            // Another process was faster.
            return;
        }
        Path parent = folder.getParent();
        if (parent != null) {
            files.forceFolder(parent);
        }
    }

    private void describe() throws IOException {
        Path draft = folder.resolve(CacheLayout.COMPATIBILITY + "." + processes.instance() + CacheLayout.TMP);
        files.delete(draft);
        files.write(draft, compatibilityText);
        files.force(draft);
        files.move(draft, folder.resolve(CacheLayout.COMPATIBILITY));
    }

    /** Removes programs of which nobody can say what they are for. */
    private void empty() throws IOException {
        FileFacts facts = files.facts(folder);
        if (facts == null) {
            throw new NoSuchFileException(folder.toString());
        }
        if (facts.kind() != FileFacts.Kind.FOLDER) {
            throw new IOException(folder + " is no folder; delete it");
        }
        boolean removed = false;
        for (FileFacts file : files.list(folder)) {
            if (CacheLayout.programDigest(file.name()) != null) {
                files.delete(folder.resolve(file.name()));
                removed = true;
            }
        }
        if (removed) {
            observer.incompatibleStore(name);
        }
    }
}
