package io.frameloom.gpu.cache.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the programs of all stores within a budget of bytes: the least recently used ones go before a new one comes in.
 *
 * <p>The shared counter holds what all stores are known to hold, and a version. It is raised before anything changes, so
 * that a process that ends in between leaves a number that is too large, never one that is too small; folders are listed
 * again before anything is evicted on somebody else's number. Any thread.
 */
final class SpaceKeeper {
    private static final Comparator<Item> OLDEST_FIRST =
            Comparator.comparingLong(Item::usedMillis).thenComparing(Item::path);

    private final StoreFiles files;
    private final CacheLayout layout;
    private final FolderLock lock;
    private final long budget;
    private final DiskObserver observer;

    /** What the stores held when they were last listed, with the changes of this process since. */
    private final Map<Path, Item> items = new HashMap<>();

    private final TreeSet<Item> byUse = new TreeSet<>(OLDEST_FIRST);
    private long listedBytes;
    /** Version of the counter for which the items are complete. */
    private long listedVersion = -1;

    SpaceKeeper(StoreFiles files, CacheLayout layout, FolderLock lock, long budget, DiskObserver observer) {
        this.files = files;
        this.layout = layout;
        this.lock = lock;
        this.budget = budget;
        this.observer = observer;
    }

    private record Item(Path path, Digest digest, long bytes, long usedMillis) {}

    long budget() {
        return budget;
    }

    /** Counts what is there. */
    void rescan() throws IOException {
        lock.run(locked -> {
            synchronized (items) {
                list();
                if (locked) {
                    listedVersion = Math.max(0, lock.counter().version()) + 1;
                    lock.counter().set(listedVersion, listedBytes);
                }
            }
            return locked;
        });
    }

    /** Makes room for a program, and gives its file the name under which it is found. */
    void publish(Path written, Path program, Digest digest, long bytes) throws IOException {
        lock.run(locked -> {
            synchronized (items) {
                publishLocked(written, program, digest, bytes, locked);
            }
            return locked;
        });
    }

    private void publishLocked(Path written, Path program, Digest digest, long bytes, boolean locked)
            throws IOException {
        long version = locked ? lock.counter().version() : -1;
        if (version < 0) {
            list();
        }
        boolean complete = version < 0 || version == listedVersion;
        long before = complete ? listedBytes : lock.counter().total();
        FileFacts replaced = files.facts(program);
        long freed = replaced == null || !replaced.isFile() ? 0 : replaced.bytes();
        if (before - freed + bytes > budget && !complete) {
            list();
            complete = true;
            before = listedBytes;
        }
        long next = Math.max(0, version) + 1;
        if (locked) {
            lock.counter().set(next, before + bytes);
        }
        long held = before - evict(before - freed + bytes - budget, program);
        files.move(written, program);
        long after = held - freed + bytes;
        forget(program);
        remember(new Item(program, digest, bytes, files.nowMillis()));
        if (locked) {
            lock.counter().set(next, after);
            listedVersion = complete ? next : -1;
        }
        observer.written(digest, bytes, before, after);
    }

    /** Deletes the programs that were not used for longest, and returns the bytes that were freed. */
    private long evict(long needed, Path keep) {
        long freed = 0;
        Iterator<Item> oldest = byUse.iterator();
        while (freed < needed && oldest.hasNext()) {
            Item item = oldest.next();
            if (item.path().equals(keep)) {
                continue;
            }
            try {
                files.delete(item.path());
            } catch (IOException e) {
                observer.writeFailed(e);
                continue;
            }
            oldest.remove();
            items.remove(item.path());
            listedBytes -= item.bytes();
            freed += item.bytes();
            observer.evicted(item.digest(), item.bytes());
        }
        return freed;
    }

    private void list() throws IOException {
        List<Item> found = new ArrayList<>();
        long now = files.nowMillis();
        for (FileFacts store : files.list(layout.root())) {
            if (store.kind() != FileFacts.Kind.FOLDER || !CacheLayout.isStoreName(store.name())) {
                continue;
            }
            Path folder = layout.store(store.name());
            for (FileFacts file : files.list(folder)) {
                Digest digest = CacheLayout.programDigest(file.name());
                if (digest != null && file.isFile()) {
                    // A time to come would make it immortal.
                    long used = Math.min(file.modifiedMillis(), now);
                    found.add(new Item(folder.resolve(file.name()), digest, file.bytes(), used));
                }
            }
        }
        items.clear();
        byUse.clear();
        listedBytes = 0;
        found.forEach(this::remember);
    }

    private void remember(Item item) {
        items.put(item.path(), item);
        byUse.add(item);
        listedBytes += item.bytes();
    }

    private @Nullable Item forget(Path program) {
        Item known = items.remove(program);
        if (known != null) {
            byUse.remove(known);
            listedBytes -= known.bytes();
        }
        return known;
    }

    /** Notes that a program was used. */
    void used(Path program) throws IOException {
        long now = files.nowMillis();
        files.touch(program, now);
        synchronized (items) {
            Item known = forget(program);
            if (known != null) {
                remember(new Item(program, known.digest(), known.bytes(), now));
            }
        }
    }

    /** Returns whether a program was there when the stores were last listed, or came since. */
    boolean isKnown(Path program) {
        synchronized (items) {
            return items.containsKey(program);
        }
    }
}
