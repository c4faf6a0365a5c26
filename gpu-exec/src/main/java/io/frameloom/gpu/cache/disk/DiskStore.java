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
 * The programs of one kind for one compatibility. Each program carries the digest of its compatibility; the text in the
 * folder is for listing and export. Faults of the file system are reported to the observer and end as a miss or as a
 * program that is not kept. Any thread reads; one thread at a time writes.
 */
public final class DiskStore {
    private static final int ATTEMPTS = 3;

    private final StoreFiles files;
    private final Path root;
    private final Path folder;
    private final String name;
    private final Digest compatibility;
    private final byte[] compatibilityText;
    private final Processes processes;
    private final DiskSpace space;
    private final DiskObserver observer;
    /**
     * Programs whose damaged files were reported to the observer: several threads, or the read-ahead, may read one of
     * them.
     */
    private final Set<Digest> damaged = ConcurrentHashMap.newKeySet();
    /** Whether this process has found or made the folder and its text; for the thread that writes. */
    private boolean described;

    DiskStore(
            StoreFiles files,
            CacheLayout layout,
            String name,
            byte[] compatibilityText,
            Processes processes,
            DiskSpace space,
            DiskObserver observer) {
        this.files = files;
        this.root = layout.root();
        this.folder = layout.store(name);
        this.name = name;
        this.compatibility = Digest.of(compatibilityText);
        this.compatibilityText = compatibilityText.clone();
        this.processes = processes;
        this.space = space;
        this.observer = observer;
    }

    /** Returns its name: that of its folder. */
    public String name() {
        return name;
    }

    Path program(Digest digest) {
        return folder.resolve(CacheLayout.programName(digest));
    }

    /** Reads a program. A damaged one has been reported to the observer. */
    public EntryReading read(Digest digest, byte[] keyText) {
        EntryReading reading = read(files, program(digest), digest, compatibility);
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

    /** Reads a program for later use, whatever its key. A damaged one has been reported to the observer. */
    public EntryReading preload(Digest digest) {
        EntryReading reading = read(files, program(digest), digest, compatibility);
        note(digest, reading);
        return reading;
    }

    /** A damaged file counts once, and stays until the program is made anew and takes its place. */
    private void note(Digest digest, EntryReading reading) {
        if (!(reading instanceof EntryReading.Intact)) {
            space.vanished(digest);
        }
        if (!(reading instanceof EntryReading.Damaged found)) {
            damaged.remove(digest);
        } else if (damaged.add(digest)) {
            observer.damaged(found.damage());
        }
    }

    static EntryReading read(StoreFiles files, Path program, Digest digest, Digest compatibility) {
        try {
            FileFacts facts = files.facts(program);
            if (facts == null) {
                return new EntryReading.Absent();
            }
            if (!facts.isFile()) {
                return new EntryReading.Damaged(EntryDamage.NOT_A_FILE);
            }
            if (facts.bytes() > EntryFormat.LARGEST) {
                return new EntryReading.Damaged(EntryDamage.TOO_LARGE);
            }
            return EntryFormat.decode(files.read(program, EntryFormat.LARGEST), digest, compatibility);
        } catch (NoSuchFileException e) {
            // Evicted since.
            return new EntryReading.Absent();
        } catch (IOException e) {
            return new EntryReading.Damaged(EntryDamage.UNREADABLE);
        }
    }

    /** Notes that a program was used, where the folder takes notes. */
    public void used(Digest digest) {
        if (!processes.hasJoined()) {
            return;
        }
        try {
            files.touch(program(digest), files.nowMillis());
        } catch (NoSuchFileException e) {
            space.vanished(digest);
        } catch (IOException e) {
            observer.writeFailed(e);
        }
    }

    /** Lists the programs that were there last, the most recently used one first; opens none of them. */
    public List<Digest> newestFirst() {
        try {
            List<FileFacts> programs = new ArrayList<>(CacheLayout.list(files, folder));
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

    /**
     * Writes a program, so that it is found; {@link #forceNames} makes it survive a loss of power.
     *
     * @return whether it was written; if not, the observer got the reason
     */
    public boolean publish(StoredEntry entry) {
        try {
            write(entry);
            return true;
        } catch (IOException e) {
            observer.writeFailed(e);
            return false;
        }
    }

    /** As {@link #publish}, but throws what is otherwise reported to the observer. */
    void write(StoredEntry entry) throws IOException {
        byte[] bytes = EntryFormat.encode(entry);
        space.requireFits(entry.digest(), bytes.length);
        for (int attempt = 1; ; attempt++) {
            try {
                if (!described) {
                    describe();
                }
                write(entry.digest(), bytes);
                if (files.facts(text()) == null) {
                    // Another process has found the store empty meanwhile.
                    describe();
                }
                return;
            } catch (NoSuchFileException e) {
                // Another process has removed the store, which was empty, or everything was deleted.
                described = false;
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private void write(Digest digest, byte[] bytes) throws IOException {
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
        } catch (IOException e) {
            try {
                files.delete(draft);
            } catch (IOException alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
            throw e;
        }
    }

    /** Makes what was published survive a loss of power. */
    public void forceNames() {
        try {
            force();
        } catch (IOException e) {
            observer.writeFailed(e);
        }
    }

    void force() throws IOException {
        files.forceFolder(folder);
    }

    private Path text() {
        return folder.resolve(CacheLayout.COMPATIBILITY);
    }

    /** Creates the store. What makes the name of its first program durable makes that of the text so, too. */
    private void describe() throws IOException {
        try {
            files.createFolder(folder);
            files.forceFolder(root);
        } catch (FileAlreadyExistsException e) {
            FileFacts facts = files.facts(folder);
            if (facts != null && facts.kind() != FileFacts.Kind.FOLDER) {
                throw new IOException(folder + " is no folder; delete it", e);
            }
        }
        FileFacts facts = files.facts(text());
        boolean says = facts != null
                && facts.isFile()
                && Arrays.equals(files.read(text(), compatibilityText.length + 1L), compatibilityText);
        if (!says) {
            Path draft = folder.resolve(CacheLayout.COMPATIBILITY + "." + processes.instance() + CacheLayout.TMP);
            files.delete(draft);
            files.write(draft, compatibilityText);
            files.force(draft);
            files.move(draft, text());
        }
        described = true;
    }
}
