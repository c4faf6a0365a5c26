package io.frameloom.gpu.cache.disk;

import io.frameloom.gpu.cache.disk.KnownPrograms.Item;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the programs of all stores within a budget of bytes: the least recently used ones go before a new one comes in.
 *
 * <p>The shared counter holds what all stores are known to hold, and a version. It is raised before anything changes, so
 * that a process that ends in between leaves a number that is too large, never one that is too small; folders are listed
 * again before anything is evicted on somebody else's number. They are listed with no lock held that a program that is
 * asked for could wait for: what changes meanwhile is made up for afterwards. Any thread.
 *
 * <p>Locks are taken in this order: the turn to list, the lock of the folder, the monitor of the known programs.
 */
final class SpaceKeeper {
    /** Listings without the lock of the folder before one with it: other processes may publish all the time. */
    private static final int ATTEMPTS = 3;
    /** Part of the programs that goes at once, or comes without a look at the folder, so that few listings suffice. */
    private static final int PART = 32;

    private static final long FIRST_VERSIONS = 1L << 48;
    private static final long UNKNOWN_VERSION = Long.MIN_VALUE;

    private final StoreFiles files;
    private final CacheLayout layout;
    private final FolderLock lock;
    private final long budget;
    private final DiskObserver observer;
    private final ReentrantLock listing = new ReentrantLock();

    /** Guards what is known, except for finding a program in it; held for moments, and for no file. */
    private final Object monitor = new Object();

    private volatile KnownPrograms known = new KnownPrograms();
    /** Files that have changed in this process since a listing began; null while nobody lists. */
    private @Nullable Set<Path> changed;

    // Guarded by the lock of the folder, whether or not other processes are kept out.
    /** Version of the counter for which the known programs are complete; none that tells of lost numbers. */
    private long completeVersion = UNKNOWN_VERSION;
    /** Version of the counter for which the listing that is made, with the changes since, is complete. */
    private long listingVersion = UNKNOWN_VERSION;
    /** Programs that may still be published without the lock before the folder is listed again. */
    private int unlockedLeft;
    /** Whether this process has published without the lock since it last listed: the counter may be too small. */
    private boolean uncounted;

    SpaceKeeper(StoreFiles files, CacheLayout layout, FolderLock lock, long budget, DiskObserver observer) {
        this.files = files;
        this.layout = layout;
        this.lock = lock;
        this.budget = budget;
        this.observer = observer;
    }

    long budget() {
        return budget;
    }

    /** Does something while no other process publishes, unless one keeps the lock for too long. */
    <T> T exclusively(FolderLock.Section<T> section) throws IOException {
        return lock.run(section);
    }

    /** Counts what is there, and evicts what is beyond the budget. */
    void rescan() throws IOException {
        listing.lock();
        try {
            boolean upToDate = false;
            for (int i = 0; i < ATTEMPTS && !upToDate; i++) {
                upToDate = list();
            }
            boolean more = true;
            while (more) {
                more = lock.run(this::trim);
            }
        } finally {
            listing.unlock();
        }
    }

    /** Evicts some programs if there are too many, and returns whether there are more to evict. */
    private boolean trim(boolean locked) throws IOException {
        long version = locked ? lock.counter().version() : -1;
        long before = bytes();
        if (!locked || version != completeVersion || before <= budget) {
            return false;
        }
        // In parts, so that nobody waits for the lock for long.
        long freed = evict(Math.min(before - budget, Math.max(1, before / PART)), null, 0);
        advance(version, before - freed);
        return freed > 0;
    }

    /** Makes room for a program, and gives its file the name under which it is found. */
    void publish(Path written, Path program, Digest digest, long bytes) throws IOException {
        Publication publication = new Publication(written, program, digest, bytes);
        if (lock.run(locked -> publish(publication, locked, 0))) {
            return;
        }
        listing.lock();
        try {
            for (int i = 0; i < ATTEMPTS; i++) {
                list();
                if (lock.run(locked -> publish(publication, locked, spare()))) {
                    return;
                }
            }
            lock.run(locked -> {
                begin(locked);
                adopt(found(), locked);
                return publish(publication, locked, spare());
            });
        } finally {
            listing.unlock();
        }
    }

    private record Publication(Path written, Path program, Digest digest, long bytes) {}

    private int spare() {
        return known.size() / PART;
    }

    /**
     * Publishes a program unless the folder must be listed first.
     *
     * @param spare programs to evict beyond what is needed, if any
     */
    private boolean publish(Publication publication, boolean locked, int spare) throws IOException {
        Path program = publication.program();
        requireCompatibility(program);
        long version = locked ? lock.counter().version() : -1;
        boolean complete = locked ? !uncounted && version == completeVersion : unlockedLeft > 0;
        if (!complete && (uncounted || version < 0)) {
            return false;
        }
        long before = complete ? bytes() : lock.counter().total();
        FileFacts replaced = files.facts(program);
        long freed = replaced == null || !replaced.isFile() ? 0 : replaced.bytes();
        long needed = before - freed + publication.bytes() - budget;
        if (needed > 0 && !complete) {
            return false;
        }
        if (locked) {
            lock.counter().set(next(version), before + publication.bytes());
        } else {
            unlockedLeft--;
            uncounted = true;
        }
        long held = before - evict(needed, program, spare);
        files.move(publication.written(), program);
        long after = held - freed + publication.bytes();
        long now = files.nowMillis();
        change(program, new Item(program, publication.digest(), publication.bytes(), now, now));
        if (locked) {
            advance(version, after);
        }
        observer.written(publication.digest(), publication.bytes(), before, after);
        return true;
    }

    /** A store that somebody has cleared must be made again before anything comes into it. */
    private void requireCompatibility(Path program) throws IOException {
        Path compatibility = program.resolveSibling(CacheLayout.COMPATIBILITY);
        if (files.facts(compatibility) == null) {
            throw new NoSuchFileException(compatibility.toString());
        }
    }

    /** Deletes a program. */
    void withdraw(Path program) throws IOException {
        lock.run(locked -> {
            if (locked) {
                withdrawLocked(program);
            } else {
                files.delete(program);
                forget(program);
            }
            return locked;
        });
    }

    /** Deletes a program; in a section that has the lock. */
    void withdrawLocked(Path program) throws IOException {
        long version = lock.counter().version();
        FileFacts facts = files.facts(program);
        files.delete(program);
        forget(program);
        if (version >= 0 && facts != null && facts.isFile()) {
            advance(version, Math.max(0, lock.counter().total() - facts.bytes()));
        }
    }

    private void forget(Path program) {
        Item item;
        synchronized (monitor) {
            item = known.get(program);
            // Also one that is not known yet: it may be in what is being listed.
            change(program, null);
        }
        if (item != null) {
            observer.vanished(item.digest());
        }
    }

    /** Sets the total after a change that this process knows of; with the lock. */
    private void advance(long version, long total) throws IOException {
        boolean complete = version == completeVersion;
        boolean listing = version == listingVersion;
        // What a write that fails leaves nobody knows.
        completeVersion = UNKNOWN_VERSION;
        listingVersion = UNKNOWN_VERSION;
        long next = next(version);
        lock.counter().set(next, total);
        completeVersion = complete ? next : UNKNOWN_VERSION;
        listingVersion = listing ? next : UNKNOWN_VERSION;
    }

    /** Numbers that begin anew, as in a file that somebody has deleted, begin where no process has known them. */
    private static long next(long version) {
        return version < 0 ? ThreadLocalRandom.current().nextLong(1, FIRST_VERSIONS) : version + 1;
    }

    /**
     * Deletes the programs that were not used for longest, and returns the bytes that were freed.
     *
     * @param spare programs to delete beyond what is needed, if anything is
     */
    private long evict(long needed, @Nullable Path keep, int spare) {
        long freed = 0;
        int spared = spare;
        Item last = null;
        while (freed < needed || (needed > 0 && spared-- > 0)) {
            Item item;
            synchronized (monitor) {
                item = known.oldestAfter(last);
            }
            if (item == null) {
                break;
            }
            last = item;
            if (!item.path().equals(keep) && delete(item)) {
                freed += item.bytes();
            }
        }
        return freed;
    }

    /** Deletes a program, unless another process has used it since it was listed. */
    private boolean delete(Item item) {
        try {
            FileFacts facts = files.facts(item.path());
            if (facts != null && facts.modifiedMillis() > item.stampMillis()) {
                change(item.path(), item.usedAt(facts.modifiedMillis(), files.nowMillis()));
                return false;
            }
            files.delete(item.path());
        } catch (IOException e) {
            observer.writeFailed(e);
            return false;
        }
        change(item.path(), null);
        observer.evicted(item.digest(), item.bytes());
        return true;
    }

    /** Notes what a file is now; null if it is gone. */
    private void change(Path program, @Nullable Item now) {
        synchronized (monitor) {
            if (changed != null) {
                changed.add(program);
            }
            if (now == null) {
                known.remove(program);
            } else {
                known.put(now);
            }
        }
    }

    private long bytes() {
        synchronized (monitor) {
            return known.bytes();
        }
    }

    /** Lists all stores, and returns whether to do so again would tell no more; the caller has the turn to list. */
    private boolean list() throws IOException {
        lock.run(this::begin);
        KnownPrograms found = found();
        return lock.run(locked -> adopt(found, locked));
    }

    private boolean begin(boolean locked) throws IOException {
        synchronized (monitor) {
            changed = new HashSet<>();
        }
        listingVersion = locked ? lock.counter().version() : UNKNOWN_VERSION;
        return locked;
    }

    private KnownPrograms found() throws IOException {
        KnownPrograms found = new KnownPrograms();
        long now = files.nowMillis();
        for (FileFacts store : files.list(layout.root())) {
            if (store.kind() != FileFacts.Kind.FOLDER || !CacheLayout.isStoreName(store.name())) {
                continue;
            }
            Path folder = layout.store(store.name());
            for (FileFacts file : listed(folder)) {
                Digest digest = CacheLayout.programDigest(file.name());
                if (digest != null && file.isFile()) {
                    found.put(new Item(folder.resolve(file.name()), digest, file.bytes(), 0, 0)
                            .usedAt(file.modifiedMillis(), now));
                }
            }
        }
        return found;
    }

    private Iterable<FileFacts> listed(Path folder) throws IOException {
        try {
            return files.list(folder);
        } catch (NoSuchFileException e) {
            // Pruned since.
            return Set.of();
        }
    }

    private boolean adopt(KnownPrograms found, boolean locked) throws IOException {
        long bytes;
        List<Item> vanished;
        synchronized (monitor) {
            for (Path path : changed == null ? Set.<Path>of() : changed) {
                Item item = known.get(path);
                if (item == null) {
                    found.remove(path);
                } else {
                    found.put(item);
                }
            }
            changed = null;
            vanished = known.missingIn(found);
            known = found;
            bytes = found.bytes();
        }
        vanished.forEach(item -> observer.vanished(item.digest()));
        unlockedLeft = 1 + spare();
        long version = locked ? lock.counter().version() : -1;
        if (!locked || version != listingVersion) {
            completeVersion = UNKNOWN_VERSION;
            return !locked;
        }
        uncounted = false;
        completeVersion = version;
        if (version < 0 || lock.counter().total() != bytes) {
            advance(version, bytes);
        }
        return true;
    }

    /** Notes that a program was used, or is gone. */
    void used(Path program) throws IOException {
        long now = files.nowMillis();
        try {
            files.touch(program, now);
        } catch (NoSuchFileException e) {
            missed(program);
            return;
        }
        synchronized (monitor) {
            Item item = known.get(program);
            if (item != null) {
                change(program, item.usedAt(now, now));
            }
        }
    }

    /** Notes that a program was not found; it may have been published since. */
    @SuppressWarnings("ReferenceEquality")
    void missed(Path program) throws IOException {
        Item item = known.get(program);
        if (item == null || files.facts(program) != null) {
            return;
        }
        boolean vanished;
        synchronized (monitor) {
            // What this process has published since is another item.
            vanished = known.get(program) == item;
            if (vanished) {
                change(program, null);
            }
        }
        if (vanished) {
            observer.vanished(item.digest());
        }
    }

    /** Returns whether a program was there when the stores were last listed, or came since. Never waits. */
    boolean isKnown(Path program) {
        return known.contains(program);
    }
}
