package io.frameloom.gpu.cache.disk;

import io.frameloom.gpu.cache.ProgramCacheException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Makes a folder a cache, or finds that it is one, or refuses it. The marker comes first and durably, so that a folder
 * that was being made when the disk or the power failed is empty or a cache. One thread.
 */
final class FolderOpening {
    private static final byte[] MARKER = CacheLayout.MARKER_TEXT.getBytes(StandardCharsets.UTF_8);

    private final StoreFiles files;
    private final CacheLayout layout;
    private boolean isCache;

    FolderOpening(StoreFiles files, CacheLayout layout) {
        this.files = files;
        this.layout = layout;
    }

    /** Finds a cache, and makes none. */
    void requireCache() {
        try {
            FileFacts facts = files.facts(layout.root());
            if (facts == null) {
                throw refused("is not there");
            }
            requireFolder(facts);
            requireMarker();
        } catch (IOException e) {
            throw refused(layout.root(), "read", e);
        }
    }

    /**
     * Finds a cache or makes one, and joins its processes.
     *
     * @throws ProgramCacheException if the folder is something else than a cache; it is then as it was
     */
    Processes open() throws IOException {
        FileFacts facts = files.facts(layout.root());
        if (facts == null) {
            createWithParents(layout.root());
        } else {
            requireFolder(facts);
        }
        if (files.facts(layout.marker()) == null && isEmpty()) {
            createMarker();
        }
        requireMarker();
        isCache = true;
        for (Path folder : List.of(layout.processes(), layout.loading(), layout.quarantine())) {
            create(folder);
            FileFacts below = files.facts(folder);
            if (below == null || below.kind() != FileFacts.Kind.FOLDER) {
                throw refused("is damaged: " + folder.getFileName() + " is no folder; delete the cache folder");
            }
        }
        return Processes.join(files, layout);
    }

    /** Returns whether the folder was found to be a cache, whatever happened afterwards. */
    boolean isCache() {
        return isCache;
    }

    private ProgramCacheException refused(String reason) {
        return new ProgramCacheException("cache folder " + layout.root() + " " + reason, null);
    }

    /** Returns a refusal by the file system. */
    static ProgramCacheException refused(Path folder, String tried, IOException cause) {
        return new ProgramCacheException(
                "cache folder " + folder + " cannot be " + tried + ": " + StoreFiles.reason(cause)
                        + "; make room, give the rights to it, or name another folder",
                cause);
    }

    private void requireFolder(FileFacts facts) {
        switch (facts.kind()) {
            case FOLDER -> {}
            case LINK -> throw refused("is a symbolic link; name the folder that it leads to");
            case FILE -> throw refused("is a file; name a folder");
            case OTHER -> throw refused("is no folder; name a folder");
        }
    }

    /** Returns whether the folder has nothing but drafts of the marker by other processes. */
    private boolean isEmpty() throws IOException {
        for (FileFacts found : files.list(layout.root())) {
            if (isDraft(found.name())) {
                continue;
            }
            // Another process may have made the folder a cache since; it makes the marker first.
            if (files.facts(layout.marker()) != null) {
                return false;
            }
            throw refused("is no program cache, it holds '" + found.name() + "'; name a new or an empty folder");
        }
        return true;
    }

    static boolean isDraft(String name) {
        return name.startsWith(CacheLayout.MARKER + ".") && name.endsWith(CacheLayout.TMP);
    }

    private void requireMarker() throws IOException {
        FileFacts marker = files.facts(layout.marker());
        if (marker == null) {
            throw refused("is no program cache, it holds no file '" + CacheLayout.MARKER + "'");
        }
        if (!marker.isFile() || !Arrays.equals(files.read(layout.marker(), MARKER.length + 1), MARKER)) {
            throw refused("is no program cache of this version, its file '" + CacheLayout.MARKER
                    + "' says something else; name another folder");
        }
    }

    private void createMarker() throws IOException {
        Path draft = layout.root().resolve(CacheLayout.MARKER + "." + Processes.newInstance(files) + CacheLayout.TMP);
        files.write(draft, MARKER);
        try {
            files.force(draft);
            files.move(draft, layout.marker());
        } catch (NoSuchFileException e) {
            // A faster process made the marker and took this draft for litter.
            if (files.facts(layout.marker()) == null) {
                throw e;
            }
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
        if (files.facts(folder) == null) {
            try {
                files.createFolder(folder);
            } catch (FileAlreadyExistsException e) {
                // Another process was faster.
                return;
            }
        }
    }
}
