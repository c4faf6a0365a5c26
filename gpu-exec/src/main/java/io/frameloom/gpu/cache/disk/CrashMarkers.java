package io.frameloom.gpu.cache.disk;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers which programs end processes. While a driver is given a program from disk, a marker exists; a marker whose
 * process has ended shows a crash. The program is then deleted and made anew; after a second crash it is not kept at
 * all. A process that exits meanwhile has not crashed. Any thread.
 */
public final class CrashMarkers implements AutoCloseable {
    private static final int CRASHES_TO_DISABLE = 2;
    private static final int CRASHES_TO_KEEP = 256;

    private final StoreFiles files;
    private final CacheLayout layout;
    private final Processes processes;
    private final DiskObserver observer;
    private final Map<Digest, Integer> crashes = new ConcurrentHashMap<>();
    /** Threads inside a driver with a program. */
    private final Map<Digest, Integer> entered = new ConcurrentHashMap<>();

    private final End end;
    private final StoreFiles.AtExit atExit;

    CrashMarkers(StoreFiles files, CacheLayout layout, Processes processes, DiskObserver observer) {
        this.files = files;
        this.layout = layout;
        this.processes = processes;
        this.observer = observer;
        end = new End(files, layout.loading(), processes.instance());
        atExit = processes.hasJoined() ? files.atExit(end) : () -> {};
    }

    /**
     * The end of an open cache that is no crash: it is closed, or its process exits, while a driver may still be given
     * a program. The markers of the cache go, and no further one is left. Waits for no driver, since that may never
     * return. Refers to nothing else of the cache, which may be forgotten without being closed.
     */
    private static final class End implements Runnable {
        private final StoreFiles files;
        private final Path loading;
        private final String instance;
        /** Each thread that leaves a marker asks afterwards, too: either markers are listed later, or this is true. */
        private volatile boolean begun;

        End(StoreFiles files, Path loading, String instance) {
            this.files = files;
            this.loading = loading;
            this.instance = instance;
        }

        /** Removes the markers as the process exits, when an error of the disk can no longer be reported. */
        @Override
        public void run() {
            try {
                sweep();
            } catch (IOException e) {
                // The markers stay and count as a crash.
                return;
            }
        }

        void sweep() throws IOException {
            begun = true;
            for (FileFacts marker : files.list(loading)) {
                if (CacheLayout.owner(marker.name()).equals(instance)) {
                    files.delete(loading.resolve(marker.name()));
                }
            }
        }
    }

    /** Turns the markers of ended processes into crashes; before any program is read. */
    void collect() throws IOException {
        if (processes.hasJoined()) {
            countEnded();
        }
        if (files.facts(layout.quarantine()) == null) {
            // A copy of a folder that left out empty folders, and takes no file.
            return;
        }
        for (FileFacts crash : files.list(layout.quarantine())) {
            Digest digest = CacheLayout.ownedDigest(crash.name());
            if (digest != null) {
                crashes.merge(digest, 1, Integer::sum);
            }
        }
    }

    private void countEnded() throws IOException {
        for (FileFacts marker : files.list(layout.loading())) {
            Digest digest = CacheLayout.ownedDigest(marker.name());
            if (digest == null || processes.isAlive(CacheLayout.owner(marker.name()))) {
                continue;
            }
            for (Path store : layout.stores(files)) {
                files.delete(store.resolve(CacheLayout.programName(digest)));
            }
            Path loading = layout.loading().resolve(marker.name());
            try {
                // In one step, so that it counts once even if this process ends here.
                files.move(loading, layout.quarantine().resolve(marker.name()));
                observer.crashed(digest);
            } catch (NoSuchFileException e) {
                // Another process that starts has counted it.
                if (files.facts(loading) != null) {
                    throw e;
                }
            }
        }
    }

    /** Forgets the oldest of many crashes: programs for drivers of the past never come again. */
    void prune() throws IOException {
        List<FileFacts> oldestFirst = new ArrayList<>(files.list(layout.quarantine()));
        oldestFirst.sort(Comparator.comparingLong(FileFacts::modifiedMillis).thenComparing(FileFacts::name));
        for (int i = 0; i < oldestFirst.size() - CRASHES_TO_KEEP; i++) {
            files.delete(layout.quarantine().resolve(oldestFirst.get(i).name()));
        }
    }

    /** Returns whether a program must be neither read nor written. */
    public boolean isDisabled(Digest digest) {
        return crashes.getOrDefault(digest, 0) >= CRASHES_TO_DISABLE;
    }

    /**
     * A driver is about to be given a program; several threads may do so for the same one. On a disk that takes no
     * marker the program is given without one.
     */
    public void enter(Digest digest) {
        if (!processes.hasJoined()) {
            return;
        }
        entered.compute(digest, (key, inside) -> {
            if (inside == null) {
                mark(key);
            }
            return inside == null ? 1 : inside + 1;
        });
    }

    public void leave(Digest digest) {
        entered.computeIfPresent(digest, (key, inside) -> {
            if (inside == 1) {
                unmark(key);
            }
            return inside == 1 ? null : Integer.valueOf(inside - 1);
        });
    }

    private void mark(Digest digest) {
        if (end.begun) {
            return;
        }
        try {
            files.write(marker(digest), new byte[0]);
            if (end.begun) {
                files.delete(marker(digest));
            }
        } catch (FileAlreadyExistsException e) {
            // It could not be deleted the last time, and has the right contents.
            return;
        } catch (IOException e) {
            observer.writeFailed(e);
        }
    }

    private void unmark(Digest digest) {
        try {
            files.delete(marker(digest));
        } catch (IOException e) {
            observer.writeFailed(e);
        }
    }

    private Path marker(Digest digest) {
        return layout.loading().resolve(CacheLayout.ownedName(digest, processes.instance()));
    }

    /** Takes back the markers of programs that drivers are still given, before the process is said to have ended. */
    @Override
    public void close() throws IOException {
        atExit.close();
        if (processes.hasJoined()) {
            end.sweep();
        }
    }
}
