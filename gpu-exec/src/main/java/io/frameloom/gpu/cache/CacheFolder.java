package io.frameloom.gpu.cache;

import io.frameloom.gpu.cache.disk.Bundle;
import io.frameloom.gpu.cache.disk.FolderContents;
import io.frameloom.gpu.cache.disk.NativeFiles;
import io.frameloom.gpu.cache.disk.StoreFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Manages the folder of a program cache from outside: lists it, checks it, empties it, and moves its programs to other
 * machines as one file. Processes that have the cache open go on meanwhile. Any thread.
 */
public final class CacheFolder {
    private final Path folder;

    private CacheFolder(Path folder) {
        this.folder = folder.toAbsolutePath().normalize();
    }

    /** Names a folder; nothing is looked at yet. */
    public static CacheFolder of(Path folder) {
        return new CacheFolder(folder);
    }

    /**
     * The contents of a folder.
     *
     * @param stores programs by compiler or device
     * @param problems files that are no whole programs
     * @param crashes crashes that are remembered
     */
    public record Contents(List<Store> stores, List<Problem> problems, int crashes) {
        public Contents {
            stores = List.copyOf(stores);
            problems = List.copyOf(problems);
        }

        /** Returns the number of programs. */
        public int programs() {
            return stores.stream().mapToInt(store -> store.programs().size()).sum();
        }

        /** Returns the bytes of their files. */
        public long bytes() {
            return stores.stream()
                    .flatMap(store -> store.programs().stream())
                    .mapToLong(Program::bytes)
                    .sum();
        }
    }

    /**
     * Programs for one compiler or device.
     *
     * @param name name of their folder
     * @param compatibility what they are for
     */
    public record Store(String name, List<Field> compatibility, List<Program> programs) {
        public Store {
            compatibility = List.copyOf(compatibility);
            programs = List.copyOf(programs);
        }
    }

    /**
     * A program.
     *
     * @param id SHA-256 of its key, in 64 hexadecimal digits
     * @param bytes bytes of its file
     * @param buildNanos nanoseconds that it took to make
     * @param key what it was made from
     */
    public record Program(String id, long bytes, long buildNanos, List<Field> key) {
        public Program {
            key = List.copyOf(key);
        }
    }

    /**
     * A named value.
     *
     * @param value value in words
     */
    public record Field(String name, String value) {}

    /**
     * A file that is no whole program.
     *
     * @param words its defect, to follow its name
     */
    public record Problem(Path file, String words) {}

    /**
     * What {@link #clear} has deleted.
     *
     * @param bytes bytes of their files
     */
    public record Cleared(long programs, long bytes) {}

    /**
     * What {@link #exportTo} has written.
     *
     * @param programs programs written
     * @param damaged files left out because they are no whole programs
     */
    public record Exported(int programs, int damaged) {}

    /**
     * What {@link #importFrom} has added.
     *
     * @param added programs added
     * @param present programs that were there already
     */
    public record Imported(int added, int present) {}

    /**
     * Reads everything and checks it.
     *
     * @throws ProgramCacheException if the folder is no cache or cannot be read
     */
    public Contents contents() {
        return guarded("read", folder, () -> open().read());
    }

    /**
     * Deletes all programs, and the memory of crashes.
     *
     * @throws ProgramCacheException if the folder is no cache or cannot be written
     */
    public Cleared clear() {
        return guarded("cleared", folder, () -> open().clear());
    }

    /**
     * Writes the programs into one file, the same for the same programs. It replaces one that was exported before.
     *
     * @throws ProgramCacheException if the folder is no cache, or the file cannot be written, would lie in the folder
     *     or would replace a file that was not exported; there is then no new file
     */
    public Exported exportTo(Path bundle) {
        FolderContents found = open();
        return guarded("written", bundle, () -> {
            if (Files.isDirectory(bundle)) {
                throw new IOException("it is a folder; name a file");
            }
            return Bundle.write(found, bundle);
        });
    }

    /**
     * Adds the programs of an exported file within the default budget of a cache in this folder: {@link
     * ProgramCacheOptions#in} and system property {@code frameloom.cache.diskBytes}.
     *
     * @throws ProgramCacheException as for {@link #importFrom(Path, long)}
     */
    public Imported importFrom(Path bundle) {
        return importFrom(
                bundle, ProgramCacheOptions.in(folder).withSystemProperties().diskBytes());
    }

    /**
     * Adds the programs of an exported file; creates the folder if it is not there. Nothing is evicted for them.
     *
     * @param diskBytes bytes that all programs of the cache may have afterwards
     * @throws ProgramCacheException if the file was not exported or is damaged, its programs do not fit, or the folder
     *     cannot be a cache: no program is then imported. A folder that becomes full keeps the programs imported so far
     */
    public Imported importFrom(Path bundle, long diskBytes) {
        return guarded("imported", bundle, () -> Bundle.add(new NativeFiles(), bundle, folder, diskBytes));
    }

    private FolderContents open() {
        return FolderContents.of(new NativeFiles(), folder);
    }

    /** Something that reads or writes the folder. */
    @FunctionalInterface
    private interface Work<T> {
        T run() throws IOException;
    }

    private static <T> T guarded(String tried, Path file, Work<T> work) {
        try {
            return work.run();
        } catch (IOException e) {
            throw new ProgramCacheException(file + " cannot be " + tried + ": " + StoreFiles.reason(e), e);
        }
    }
}
