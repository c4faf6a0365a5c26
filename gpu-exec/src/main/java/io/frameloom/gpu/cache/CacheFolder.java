package io.frameloom.gpu.cache;

import io.frameloom.gpu.cache.disk.Bundle;
import io.frameloom.gpu.cache.disk.CanonicalFields;
import io.frameloom.gpu.cache.disk.FolderContents;
import io.frameloom.gpu.cache.disk.FolderRefusedException;
import io.frameloom.gpu.cache.disk.NativeFiles;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks after the folder of a program cache from outside: lists it, checks it, empties it, and moves its programs to other
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
     * What is in a folder.
     *
     * @param stores programs by what they are for
     * @param problems files that are no whole programs
     * @param crashes crashes that are remembered
     */
    public record Contents(List<Store> stores, List<Problem> problems, int crashes) {
        /** Copies the lists. */
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
     * @param programs the programs
     */
    public record Store(String name, List<Field> compatibility, List<Program> programs) {
        /** Copies the lists. */
        public Store {
            compatibility = List.copyOf(compatibility);
            programs = List.copyOf(programs);
        }
    }

    /**
     * A program.
     *
     * @param id its {@link ProgramKey#id}
     * @param bytes bytes of its file
     * @param buildNanos nanoseconds that it took to make
     * @param key what it was made from
     */
    public record Program(String id, long bytes, long buildNanos, List<Field> key) {
        /** Copies the list. */
        public Program {
            key = List.copyOf(key);
        }
    }

    /**
     * A named value.
     *
     * @param name name
     * @param value value in words
     */
    public record Field(String name, String value) {}

    /**
     * A file that is no whole program.
     *
     * @param file file
     * @param words what is wrong with it, to follow its name
     */
    public record Problem(Path file, String words) {}

    /**
     * How many programs there were of two kinds.
     *
     * @param done programs deleted, exported or imported
     * @param other bytes deleted, damaged files left out, or programs that were there already
     */
    public record Count(long done, long other) {}

    /**
     * Reads everything and checks it.
     *
     * @throws ProgramCacheException if the folder is no cache or cannot be read
     */
    public Contents contents() {
        List<Store> stores = new ArrayList<>();
        List<Problem> problems = new ArrayList<>();
        return guarded("read", folder, () -> {
            FolderContents found = open();
            found.visit(store -> {
                List<Program> programs = new ArrayList<>();
                for (FolderContents.Program program : store.programs()) {
                    programs.add(new Program(
                            program.entry().digest().hex(),
                            program.facts().bytes(),
                            program.entry().buildNanos(),
                            fields(program.entry().keyText())));
                }
                stores.add(new Store(store.name(), fields(store.compatibility().bytes()), programs));
                store.problems().forEach(problem -> problems.add(new Problem(problem.file(), problem.words())));
            });
            return new Contents(stores, problems, found.crashes());
        });
    }

    private static List<Field> fields(byte[] encoded) {
        return CanonicalFields.decode(encoded).stream()
                .map(field -> new Field(field.name(), field.value()))
                .toList();
    }

    /**
     * Deletes all programs, and what is remembered of crashes.
     *
     * @return programs and bytes deleted
     * @throws ProgramCacheException if the folder is no cache or cannot be written
     */
    public Count clear() {
        return guarded("cleared", folder, () -> {
            long[] deleted = open().clear();
            return new Count(deleted[0], deleted[1]);
        });
    }

    /**
     * Writes the programs into one file, the same for the same programs.
     *
     * @return programs written, and damaged files left out
     * @throws ProgramCacheException if the folder is no cache or the file cannot be written; there is then no new file
     */
    public Count exportTo(Path bundle) {
        FolderContents found = guarded("read", folder, this::open);
        return guarded("written", bundle, () -> {
            if (Files.isDirectory(bundle)) {
                throw new IOException("it is a folder; name a file");
            }
            int[] counts = Bundle.write(found, bundle);
            return new Count(counts[0], counts[1]);
        });
    }

    /**
     * Adds the programs of an exported file; creates the folder if it is not there.
     *
     * @return programs added, and programs that were there already
     * @throws ProgramCacheException if the file was not exported or is damaged, or the folder cannot be a cache; nothing is
     *     then imported
     */
    public Count importFrom(Path bundle) {
        return guarded("imported", bundle, () -> {
            int[] counts = Bundle.read(new NativeFiles(), bundle, folder);
            return new Count(counts[0], counts[1]);
        });
    }

    private FolderContents open() throws FolderRefusedException {
        return FolderContents.of(new NativeFiles(), folder);
    }

    /** Something that reads or writes the folder. */
    @FunctionalInterface
    private interface Work<T> {
        T run() throws IOException, FolderRefusedException, Bundle.RefusedException;
    }

    private static <T> T guarded(String tried, Path file, Work<T> work) {
        try {
            return work.run();
        } catch (FolderRefusedException | Bundle.RefusedException e) {
            throw new ProgramCacheException(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new ProgramCacheException(file + " cannot be " + tried + ": " + reason(e), e);
        }
    }

    private static String reason(IOException failure) {
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof NoSuchFileException) {
            return "there is no " + message;
        }
        return failure instanceof AccessDeniedException ? "access denied to " + message : message;
    }
}
