package io.frameloom.gpu.cache.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The open folder of a program cache, shared with any number of processes. Any thread, unless it says otherwise. */
public final class DiskCache implements AutoCloseable {
    private final StoreFiles files;
    private final CacheLayout layout;
    private final Processes processes;
    private final FolderLock lock;
    private final CrashMarkers markers;
    private final CompileLeases leases;
    private final SpaceKeeper space;
    private final long largestEntry;
    private final DiskObserver observer;
    private final Map<String, DiskStore> stores = new ConcurrentHashMap<>();

    /**
     * How much a folder may hold, and how long processes wait for each other.
     *
     * @param budget bytes of all programs together
     * @param largestEntry bytes of the largest program
     * @param leaseMillis longest time that a process waits for another to compile a program
     * @param lockMillis longest time that a process waits for another to publish a program
     */
    public record Limits(long budget, long largestEntry, long leaseMillis, long lockMillis) {}

    private DiskCache(
            StoreFiles files,
            CacheLayout layout,
            Processes processes,
            StoreFiles.@Nullable SharedCounter counter,
            Limits limits,
            DiskObserver observer) {
        this.files = files;
        this.layout = layout;
        this.processes = processes;
        this.observer = observer;
        largestEntry = limits.largestEntry();
        lock = new FolderLock(counter, TimeUnit.MILLISECONDS.toNanos(limits.lockMillis()), observer);
        markers = new CrashMarkers(files, layout, processes, observer);
        leases = new CompileLeases(files, layout, processes, lock, limits.leaseMillis(), observer);
        space = new SpaceKeeper(files, layout, lock, limits.budget(), observer);
    }

    /**
     * Opens a folder; creates it if it is not there. A cache that takes no file is read, and the observer is told why.
     *
     * @throws FolderRefusedException if it cannot be a cache; everything is then as it was
     */
    public static DiskCache open(StoreFiles files, Path folder, Limits limits, DiskObserver observer)
            throws FolderRefusedException {
        CacheLayout layout = new CacheLayout(folder);
        FolderOpening opening = new FolderOpening(files, layout);
        try {
            return openToWrite(files, layout, opening, limits, observer);
        } catch (FolderRefusedException refusal) {
            if (!opening.wasCache() || !(refusal.getCause() instanceof IOException unwritable)) {
                throw refusal;
            }
            try {
                DiskCache cache =
                        new DiskCache(files, layout, Processes.reading(files, layout), null, limits, observer);
                cache.markers.collect();
                observer.writeFailed(unwritable);
                return cache;
            } catch (IOException unreadable) {
                refusal.addSuppressed(unreadable);
                throw refusal;
            }
        }
    }

    private static DiskCache openToWrite(
            StoreFiles files, CacheLayout layout, FolderOpening opening, Limits limits, DiskObserver observer)
            throws FolderRefusedException {
        Processes processes = opening.open();
        StoreFiles.SharedCounter counter = null;
        DiskCache cache = null;
        try {
            counter = opening.openLock();
            cache = new DiskCache(files, layout, processes, counter, limits, observer);
            cache.markers.collect();
            return cache;
        } catch (IOException e) {
            FolderRefusedException refusal = FolderRefusedException.of(layout.root(), "written", e);
            close(cache == null ? null : cache.markers, refusal);
            close(counter, refusal);
            close(processes, refusal);
            opening.undo(refusal);
            throw refusal;
        }
    }

    private static void close(@Nullable AutoCloseable opened, FolderRefusedException refusal) {
        try (opened) {
            return;
        } catch (Exception e) {
            refusal.addSuppressed(e);
        }
    }

    /** Returns the store of a kind of programs for a compatibility; the folder is not touched. */
    public DiskStore store(String kind, byte[] compatibilityText) {
        String name = CacheLayout.storeName(kind, Digest.of(compatibilityText));
        return stores.computeIfAbsent(
                name,
                ignored -> new DiskStore(
                        files, layout, name, compatibilityText, processes, space, largestEntry, observer));
    }

    /** Returns whether the folder takes programs; nothing is ever written to one that does not. */
    public boolean isWritable() {
        return processes.hasJoined();
    }

    /** Returns whether a program has ended processes and is neither read nor written. */
    public boolean isDisabled(Digest digest) {
        return markers.isDisabled(digest);
    }

    /**
     * Says that a driver is about to be given a program from disk. On a disk that takes no marker the program is given
     * without one.
     */
    public void enterDriver(Digest digest) {
        markers.enter(digest);
    }

    /** Says that the driver has returned. */
    public void leaveDriver(Digest digest) {
        markers.leave(digest);
    }

    /**
     * Waits until no other process compiles a program, at most as long as a lease lasts.
     *
     * @return whether the program is there by now; if not, the caller compiles it and then calls {@link #releaseLease}
     */
    public boolean awaitLease(DiskStore store, Digest digest) {
        try {
            return leases.acquire(digest, store.program(digest)) == CompileLeases.Outcome.PUBLISHED;
        } catch (IOException e) {
            observer.writeFailed(e);
            return false;
        }
    }

    /** Lets other processes compile a program, or find it. */
    public void releaseLease(Digest digest) {
        try {
            leases.release(digest);
        } catch (IOException e) {
            observer.writeFailed(e);
        }
    }

    /**
     * Removes what ended processes left behind, where the folder lets that be done, and counts what is there. For a
     * background thread.
     */
    public void tidy() {
        try {
            if (!isWritable()) {
                space.rescan();
                return;
            }
            // What is listed before it is asked who lives belongs to somebody who had joined before.
            List<Path> drafts = new ArrayList<>();
            for (FileFacts store : files.list(layout.root())) {
                if (store.kind() == FileFacts.Kind.FOLDER && CacheLayout.isStoreName(store.name())) {
                    drafts.addAll(drafts(layout.store(store.name())));
                }
            }
            for (FileFacts file : files.list(layout.root())) {
                if (file.isFile() && FolderOpening.isDraft(file.name())) {
                    drafts.add(layout.root().resolve(file.name()));
                }
            }
            leases.tidy();
            for (Path draft : drafts) {
                if (!processes.isAlive(CacheLayout.owner(String.valueOf(draft.getFileName())))) {
                    remove(draft);
                }
            }
            for (FileFacts process : files.list(layout.processes())) {
                processes.forget(process);
            }
            space.rescan();
            EmptyStores empty = new EmptyStores(files, layout, lock);
            for (FileFacts store : files.list(layout.root())) {
                if (store.kind() == FileFacts.Kind.FOLDER && CacheLayout.isStoreName(store.name())) {
                    empty.prune(store.name());
                }
            }
            markers.prune();
        } catch (IOException e) {
            observer.writeFailed(e);
        }
    }

    private List<Path> drafts(Path store) throws IOException {
        List<Path> drafts = new ArrayList<>();
        for (FileFacts file : files.list(store)) {
            if (file.isFile() && file.name().endsWith(CacheLayout.TMP)) {
                drafts.add(store.resolve(file.name()));
            }
        }
        return drafts;
    }

    private void remove(Path path) throws IOException {
        files.delete(path);
        observer.litterRemoved(String.valueOf(path.getFileName()));
    }

    /** Leaves the folder to other processes. */
    @Override
    public void close() {
        try (lock;
                processes;
                markers) {
            return;
        } catch (IOException e) {
            observer.writeFailed(e);
        }
    }
}
