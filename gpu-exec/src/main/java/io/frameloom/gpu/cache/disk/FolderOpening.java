package io.frameloom.gpu.cache.disk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Makes a folder a cache, or finds that it is one, or refuses it and leaves everything as it was. The marker comes first
 * and durably, so that a folder that was being made when the power failed is empty or a cache. One thread.
 */
final class FolderOpening {
    private static final byte[] MARKER = CacheLayout.MARKER_TEXT.getBytes(StandardCharsets.UTF_8);

    private final StoreFiles files;
    private final CacheLayout layout;
    private final Deque<Path> created = new ArrayDeque<>();
    private boolean wasCache;

    FolderOpening(StoreFiles files, CacheLayout layout) {
        this.files = files;
        this.layout = layout;
    }

    /** Finds a cache, and makes none. */
    void requireCache() throws FolderRefusedException {
        Path root = layout.root();
        try {
            FileFacts facts = files.facts(root);
            if (facts == null) {
                throw FolderRefusedException.of(root, "is not there");
            }
            requireFolder(facts);
            requireMarker();
        } catch (IOException e) {
            throw FolderRefusedException.of(root, "read", e);
        }
    }

    /** Finds a cache or makes one, and joins its processes. */
    Processes open() throws FolderRefusedException {
        Path root = layout.root();
        try {
            FileFacts facts = files.facts(root);
            if (facts == null) {
                createWithParents(root);
            } else {
                requireFolder(facts);
            }
            if (files.facts(layout.marker()) == null && isEmpty()) {
                createMarker();
            }
            requireMarker();
            wasCache = !created.contains(layout.marker());
            for (Path folder : List.of(layout.processes(), layout.leases(), layout.loading(), layout.quarantine())) {
                FileFacts below = files.facts(folder);
                if (below == null) {
                    create(folder);
                } else if (below.kind() != FileFacts.Kind.FOLDER) {
                    throw FolderRefusedException.of(
                            root, "is damaged: " + below.name() + " is no folder; delete the cache folder");
                }
            }
            return Processes.join(files, layout);
        } catch (IOException e) {
            FolderRefusedException refusal = FolderRefusedException.of(root, "written", e);
            undo(refusal);
            throw refusal;
        } catch (FolderRefusedException refusal) {
            undo(refusal);
            throw refusal;
        }
    }

    /** Returns whether the folder was found to have been a cache before. */
    boolean wasCache() {
        return wasCache;
    }

    private void requireFolder(FileFacts facts) throws FolderRefusedException {
        switch (facts.kind()) {
            case FOLDER -> {}
            case LINK ->
                throw FolderRefusedException.of(layout.root(), "is a symbolic link; name the folder that it leads to");
            case FILE -> throw FolderRefusedException.of(layout.root(), "is a file; name a folder");
            case OTHER -> throw FolderRefusedException.of(layout.root(), "is no folder; name a folder");
        }
    }

    /** Returns whether nothing is there but what other processes are about to make the marker of. */
    private boolean isEmpty() throws IOException, FolderRefusedException {
        for (FileFacts found : files.list(layout.root())) {
            if (isDraft(found.name())) {
                continue;
            }
            // Another process may have made the folder a cache since; it makes the marker first.
            if (files.facts(layout.marker()) != null) {
                return false;
            }
            throw FolderRefusedException.of(
                    layout.root(),
                    "is no program cache, it holds '" + found.name() + "'; name a new or an empty folder");
        }
        return true;
    }

    /** Returns whether a file is a marker that is being made. */
    static boolean isDraft(String name) {
        return name.startsWith(CacheLayout.MARKER + ".") && name.endsWith(CacheLayout.TMP);
    }

    private void requireMarker() throws IOException, FolderRefusedException {
        FileFacts marker = files.facts(layout.marker());
        if (marker == null) {
            throw FolderRefusedException.of(
                    layout.root(), "is no program cache, it holds no file '" + CacheLayout.MARKER + "'");
        }
        if (!marker.isFile() || !Arrays.equals(files.read(layout.marker(), MARKER.length + 1), MARKER)) {
            throw FolderRefusedException.of(
                    layout.root(),
                    "is no program cache of this version, its file '" + CacheLayout.MARKER
                            + "' says something else; name another folder");
        }
    }

    private void createMarker() throws IOException {
        Path draft =
                layout.root().resolve(CacheLayout.MARKER + "." + Processes.newInstance(files) + CacheLayout.TMP);
        created.push(draft);
        files.write(draft, MARKER);
        try {
            files.force(draft);
            created.push(layout.marker());
            files.move(draft, layout.marker());
        } catch (NoSuchFileException e) {
            if (files.facts(layout.marker()) == null) {
                throw e;
            }
            // A faster process made the marker and took this draft for litter.
        }
        files.forceFolder(layout.root());
    }

    private void createWithParents(Path folder) throws IOException {
        Path parent = folder.getParent();
        if (parent != null && files.facts(parent) == null) {
            createWithParents(parent);
        }
        create(folder);
        if (parent != null) {
            files.forceFolder(parent);
        }
    }

    private void create(Path folder) throws IOException {
        try {
            files.createFolder(folder);
            created.push(folder);
        } catch (FileAlreadyExistsException e) {
            FileFacts facts = files.facts(folder);
            // Another process may have been faster.
            if (facts == null || facts.kind() != FileFacts.Kind.FOLDER) {
                throw e;
            }
        }
    }

    /**
     * Removes what was created, the last first, as far as the disk allows: what stays begins with the marker and is a cache,
     * also for another process that has joined meanwhile.
     */
    void undo(FolderRefusedException refusal) {
        try {
            while (!created.isEmpty()) {
                files.delete(created.pop());
            }
        } catch (IOException e) {
            refusal.addSuppressed(e);
        }
    }
}
