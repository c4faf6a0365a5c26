package io.frameloom.samples.demo;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder of the results. Files are written aside and moved into place together by {@link #publish}; closing without
 * that leaves the file system as it was. One thread.
 */
final class OutputFolder implements AutoCloseable {
    private final Path folder;
    private final Path staging;
    private final List<Path> created;
    private boolean published;

    private OutputFolder(Path folder, Path staging, List<Path> created) {
        this.folder = folder;
        this.staging = staging;
        this.created = created;
    }

    /**
     * Makes sure that results can be written to {@code folder}.
     *
     * @throws UsageException if not, naming the folder and the reason
     */
    static OutputFolder prepare(Path folder) throws UsageException {
        Path target = folder.toAbsolutePath().normalize();
        List<Path> created = new ArrayList<>();
        try {
            if (Files.exists(target) && !Files.isDirectory(target)) {
                throw new UsageException("output folder " + folder + " is a file; name another one with --out");
            }
            Path parent = target.getParent();
            boolean inside = Files.exists(target) || parent == null;
            if (!inside) {
                createParents(parent, created);
            }
            Path staging = (inside || parent == null ? target : parent)
                    .resolve(".frameloom-"
                            + Long.toHexString(ThreadLocalRandom.current().nextLong()));
            Files.createDirectory(staging);
            return new OutputFolder(target, staging, created);
        } catch (IOException e) {
            UsageException failure = new UsageException(
                    "output folder " + folder + " cannot be written: " + reason(e) + "; name another one with --out",
                    e);
            removeCreated(created, failure);
            throw failure;
        }
    }

    private static void createParents(@Nullable Path path, List<Path> created) throws IOException {
        if (path == null || Files.isDirectory(path)) {
            return;
        }
        if (Files.exists(path)) {
            throw new FileAlreadyExistsException(path + " is a file");
        }
        createParents(path.getParent(), created);
        Files.createDirectory(path);
        created.add(0, path);
    }

    /** Says it in words where the JDK's message is only a path. */
    private static String reason(IOException e) {
        String message = String.valueOf(e.getMessage());
        if (e instanceof AccessDeniedException) {
            return "access denied to " + message;
        }
        if (e instanceof NoSuchFileException) {
            return "there is no " + message;
        }
        return message;
    }

    /** Returns where to write a file of the results. */
    Path file(String name) {
        return staging.resolve(name);
    }

    /**
     * Moves the files into place.
     *
     * @param obsolete names of results of an earlier run that this one does not have
     */
    void publish(List<String> obsolete) throws IOException {
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(staging)) {
                for (Path file : files.toList()) {
                    Files.move(
                            file,
                            folder.resolve(file.getFileName()),
                            StandardCopyOption.ATOMIC_MOVE,
                            StandardCopyOption.REPLACE_EXISTING);
                }
            }
            for (String name : obsolete) {
                Files.deleteIfExists(folder.resolve(name));
            }
        } else {
            Files.move(staging, folder, StandardCopyOption.ATOMIC_MOVE);
        }
        published = true;
    }

    /** Removes what was not published. */
    @Override
    public void close() throws IOException {
        if (Files.isDirectory(staging)) {
            try (Stream<Path> files = Files.walk(staging)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
        if (!published) {
            for (Path path : created) {
                Files.deleteIfExists(path);
            }
        }
    }

    private static void removeCreated(List<Path> created, Exception failure) {
        for (Path path : created) {
            try {
                Files.deleteIfExists(path);
            } catch (IOException e) {
                failure.addSuppressed(e);
            }
        }
    }
}
