package io.frameloom.gpu.cache.disk;

import io.frameloom.gpu.cache.ProgramCacheException;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The open folder of a program cache, shared with any number of processes. Any thread, unless it says otherwise. */
public final class DiskCache implements AutoCloseable {
    private final StoreFiles files;
    private final CacheLayout layout;
    private final Processes processes;
    private final CrashMarkers markers;
    private final DiskSpace space;
    private final DiskObserver observer;
    private final Map<String, DiskStore> stores = new ConcurrentHashMap<>();

    private DiskCache(StoreFiles files, CacheLayout layout, Processes processes, long budget, DiskObserver observer) {
        this.files = files;
        this.layout = layout;
        this.processes = processes;
        this.observer = observer;
        markers = new CrashMarkers(files, layout, processes, observer);
        space = new DiskSpace(files, layout, processes.hasJoined() ? budget : Long.MAX_VALUE, observer);
    }

    /**
     * Opens a folder; creates it if it is not there. A cache that takes no file is read, and the observer gets the
     * reason.
     *
     * @param budget bytes that all programs together may have
     * @throws ProgramCacheException if it cannot be a cache; another kind of folder is then unchanged
     */
    public static DiskCache open(StoreFiles files, Path folder, long budget, DiskObserver observer) {
        CacheLayout layout = new CacheLayout(folder);
        FolderOpening opening = new FolderOpening(files, layout);
        try {
            return open(files, layout, opening.open(), budget, observer);
        } catch (IOException unwritable) {
            ProgramCacheException refusal = FolderOpening.refused(folder, "written", unwritable);
            if (!opening.isCache()) {
                throw refusal;
            }
            try {
                DiskCache reading = open(files, layout, Processes.reading(files, layout), budget, observer);
                observer.writeFailed(unwritable);
                return reading;
            } catch (IOException unreadable) {
                refusal.addSuppressed(unreadable);
                throw refusal;
            }
        }
    }

    private static DiskCache open(
            StoreFiles files, CacheLayout layout, Processes processes, long budget, DiskObserver observer)
            throws IOException {
        DiskCache cache = new DiskCache(files, layout, processes, budget, observer);
        boolean collected = false;
        try {
            cache.markers.collect();
            collected = true;
            return cache;
        } finally {
            if (!collected) {
                cache.leave();
            }
        }
    }

    /** Returns the store of a kind of programs for a compatibility; the folder is not touched. */
    public DiskStore store(String kind, byte[] compatibilityText) {
        String name = CacheLayout.storeName(kind, Digest.of(compatibilityText));
        return stores.computeIfAbsent(
                name, ignored -> new DiskStore(files, layout, name, compatibilityText, processes, space, observer));
    }

    /** Returns whether a program is there, as far as this process knows without looking. */
    public boolean isKnown(Digest digest) {
        return space.isKnown(digest);
    }

    /** Returns whether the folder takes programs; nothing is ever written to one that does not. */
    public boolean isWritable() {
        return processes.hasJoined();
    }

    public CrashMarkers markers() {
        return markers;
    }

    /**
     * Removes what ended processes left, where the folder lets that be done, counts what is there, and evicts what is
     * too much. For a background thread.
     */
    public void tidy() {
        try {
            if (isWritable()) {
                removeDrafts(layout.root());
                for (Path store : layout.stores(files)) {
                    removeDrafts(store);
                }
                processes.tidy();
                markers.prune();
            }
            space.rescan();
            if (isWritable()) {
                for (Path store : layout.stores(files)) {
                    prune(store);
                }
            }
        } catch (IOException e) {
            observer.writeFailed(e);
        }
    }

    private void removeDrafts(Path folder) throws IOException {
        boolean root = folder.equals(layout.root());
        for (FileFacts file : CacheLayout.list(files, folder)) {
            boolean draft = file.isFile()
                    && (root ? FolderOpening.isDraft(file.name()) : file.name().endsWith(CacheLayout.TMP));
            // It was listed before its owner is looked for: an owner that is not there has ended, and joins no more.
            if (draft && !processes.isAlive(CacheLayout.owner(file.name()))) {
                files.delete(folder.resolve(file.name()));
                observer.litterRemoved(file.name());
            }
        }
    }

    /** Removes a store that holds nothing but the text of what it is for, such as one for a driver of the past. */
    private void prune(Path store) throws IOException {
        boolean empty = CacheLayout.list(files, store).stream()
                .allMatch(file -> file.isFile() && file.name().equals(CacheLayout.COMPATIBILITY));
        if (empty) {
            try {
                files.delete(store.resolve(CacheLayout.COMPATIBILITY));
                files.delete(store);
            } catch (DirectoryNotEmptyException e) {
                // Another process writes a program right now, and describes the store again.
                return;
            }
        }
    }

    private void leave() throws IOException {
        try (processes;
                markers) {
            return;
        }
    }

    @Override
    public void close() {
        try {
            leave();
        } catch (IOException e) {
            observer.writeFailed(e);
        }
    }
}
