package io.frameloom.gpu.cache.disk;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Removes the folders of stores whose last program is gone, such as those for drivers of the past. That is done with the
 * lock with which programs are published: whoever publishes next finds that the store must be made again. Any thread.
 */
final class EmptyStores {
    private final StoreFiles files;
    private final CacheLayout layout;
    private final FolderLock lock;

    EmptyStores(StoreFiles files, CacheLayout layout, FolderLock lock) {
        this.files = files;
        this.layout = layout;
        this.lock = lock;
    }

    /** Removes a store if it holds nothing but the text of what it is for. */
    void prune(String store) throws IOException {
        Path folder = layout.store(store);
        lock.run(locked -> {
            if (locked && holdsNoFile(folder)) {
                files.delete(folder.resolve(CacheLayout.COMPATIBILITY));
                delete(folder);
            }
            return locked;
        });
    }

    private boolean holdsNoFile(Path folder) throws IOException {
        try {
            return files.list(folder).stream()
                    .allMatch(file -> file.isFile() && file.name().equals(CacheLayout.COMPATIBILITY));
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private void delete(Path folder) throws IOException {
        try {
            files.delete(folder);
        } catch (DirectoryNotEmptyException e) {
            // Somebody is making the store again.
            return;
        }
    }
}
