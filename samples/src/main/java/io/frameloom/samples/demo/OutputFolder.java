package io.frameloom.samples.demo;

import io.frameloom.samples.IoReasons;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
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
            Path staging = createStaging(inside || parent == null ? target : parent);
            return new OutputFolder(target, staging, created);
        } catch (IOException e) {
            UsageException failure = refused(folder, IoReasons.of(e), e);
            removeCreated(created, failure);
            throw failure;
        }
    }

    /** Creates a folder with a name of its own, which means nothing to the user. */
    private static Path createStaging(Path within) throws IOException {
        Path staging = within.resolve(
                ".frameloom-" + Long.toHexString(ThreadLocalRandom.current().nextLong()));
        try {
            return Files.createDirectory(staging);
        } catch (FileSystemException e) {
            String reason = e instanceof AccessDeniedException ? "access denied" : e.getReason();
            throw new IOException("nothing can be created in " + within + (reason == null ? "" : ": " + reason), e);
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

    /** Something that can be written into a file. */
    @FunctionalInterface
    interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    /** Something that can be written as text. */
    @FunctionalInterface
    interface Text {
        void writeTo(Writer out) throws IOException;
    }

    /**
     * Writes a file of the results.
     *
     * @throws UsageException if the folder does not take it, naming folder, file and reason
     */
    void write(String name, Content content) throws UsageException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(staging.resolve(name)))) {
            content.writeTo(out);
        } catch (IOException e) {
            throw refused(folder, name + ": " + shown(e), e);
        }
    }

    /**
     * Writes a file of the results in UTF-8.
     *
     * @throws UsageException if the folder does not take it, naming folder, file and reason
     */
    void writeText(String name, Text text) throws UsageException {
        write(name, out -> {
            try (Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8)) {
                text.writeTo(writer);
            }
        });
    }

    /**
     * Moves the files into place, or none of them if a folder is in the way.
     *
     * @param obsolete names of results of an earlier run that this one does not have
     * @throws UsageException if they cannot be moved, naming folder and reason
     */
    void publish(List<String> obsolete) throws UsageException {
        try {
            if (Files.isDirectory(folder)) {
                publishInto(obsolete);
            } else {
                Files.move(staging, folder, StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException e) {
            throw refused(folder, shown(e), e);
        }
        published = true;
    }

    private void publishInto(List<String> obsolete) throws IOException, UsageException {
        List<Path> results;
        try (Stream<Path> files = Files.list(staging)) {
            results = files.toList();
        }
        for (Path file : results) {
            requireNoFolder(folder.resolve(file.getFileName()));
        }
        for (String name : obsolete) {
            requireNoFolder(folder.resolve(name));
        }
        for (Path file : results) {
            Files.move(
                    file,
                    folder.resolve(file.getFileName()),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        }
        for (String name : obsolete) {
            Files.deleteIfExists(folder.resolve(name));
        }
    }

    private static void requireNoFolder(Path target) throws UsageException {
        if (Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)) {
            throw new UsageException("results cannot be written: " + target
                    + " is a folder; move it away or name another output folder with --out");
        }
    }

    /** The reason, without the name of the folder aside, which means nothing to the user. */
    private String shown(IOException failure) {
        return IoReasons.of(failure).replace(staging.toString(), folder.toString());
    }

    private static UsageException refused(Path folder, String reason, IOException cause) {
        return new UsageException(
                "output folder " + folder + " cannot be written: " + reason + "; name another one with --out", cause);
    }

    /**
     * Removes what was not published.
     *
     * @throws UsageException if it cannot be removed, naming folder and reason
     */
    @Override
    public void close() throws UsageException {
        try {
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
        } catch (IOException e) {
            throw refused(folder, shown(e), e);
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
