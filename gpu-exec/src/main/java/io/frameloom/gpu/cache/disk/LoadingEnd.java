package io.frameloom.gpu.cache.disk;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The end of an open cache that is no crash, be it closed or its process exit while a driver is still given a program: the
 * markers of the cache go, and no further one is left. Waits for nobody, since whoever has left a marker may never return.
 * Refers to nothing else of the cache, which may be forgotten without being closed. Any thread.
 */
final class LoadingEnd implements Runnable {
    private final StoreFiles files;
    private final Path loading;
    private final String instance;
    private volatile boolean begun;

    LoadingEnd(StoreFiles files, Path loading, String instance) {
        this.files = files;
        this.loading = loading;
        this.instance = instance;
    }

    /**
     * Returns whether markers go. Who leaves one asks afterwards, too: either it is there when markers are listed, or this
     * is true.
     */
    boolean hasBegun() {
        return begun;
    }

    /** Removes the markers as the process exits, when nobody is left to be told of a disk that refuses. */
    @Override
    public void run() {
        try {
            sweep();
        } catch (IOException e) {
            // The markers stay and count as a crash.
            return;
        }
    }

    /** Removes the markers. */
    void sweep() throws IOException {
        begun = true;
        for (FileFacts marker : files.list(loading)) {
            if (CacheLayout.owner(marker.name()).equals(instance)) {
                files.delete(loading.resolve(marker.name()));
            }
        }
    }
}
