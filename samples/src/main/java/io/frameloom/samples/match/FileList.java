package io.frameloom.samples.match;

import io.frameloom.samples.IoReasons;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The files of a run: those that are named, and those in folders that are named, in the order of their names. Symbolic
 * links are followed where they are named, and passed over in folders. One thread.
 */
final class FileList {
    /** A file to read, with its size when it was listed. */
    record Entry(Path path, long bytes) {}

    /** Something that cannot be read. */
    record Skipped(Path path, String reason) {}

    private final List<Entry> files = new ArrayList<>();
    private final List<Skipped> skipped = new ArrayList<>();
    private final List<Path> missing = new ArrayList<>();

    private final LongConsumer progress;
    private long found;

    private FileList(LongConsumer progress) {
        this.progress = progress;
    }

    /** @param progress receives how many files there are, whenever one was found */
    static FileList of(List<Path> named, LongConsumer progress) {
        FileList list = new FileList(progress);
        for (Path path : named) {
            list.add(path);
        }
        return list;
    }

    private void add(Path path) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            if (attributes.isDirectory()) {
                addFolder(path);
            } else {
                addFile(path, attributes, files);
            }
        } catch (NoSuchFileException e) {
            missing.add(path);
        } catch (IOException e) {
            skip(path, e);
        }
    }

    private void addFile(Path path, BasicFileAttributes attributes, List<Entry> to) {
        if (attributes.isRegularFile()) {
            to.add(new Entry(path, attributes.size()));
            found++;
            progress.accept(found);
        } else {
            skipped.add(new Skipped(path, "it is no regular file"));
        }
    }

    private void addFolder(Path folder) throws IOException {
        List<Entry> inside = new ArrayList<>();
        // After a link that is named there is the folder's own ".".
        Path start = folder.resolve(".");
        Files.walkFileTree(start, new SimpleFileVisitor<>() {
            private Path named(Path file) {
                return folder.resolve(start.relativize(file));
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (!attributes.isSymbolicLink()) {
                    addFile(named(file), attributes, inside);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException reason) {
                skip(named(file), reason);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) {
                if (failure != null) {
                    skip(named(visited), failure);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        inside.sort(Comparator.comparing(Entry::path));
        files.addAll(inside);
    }

    /** Adds what could not be read. */
    void skip(Path path, IOException reason) {
        skipped.add(new Skipped(path, IoReasons.of(reason)));
    }

    List<Entry> files() {
        return files;
    }

    List<Skipped> skipped() {
        return skipped;
    }

    /** Returns what was named but is not there. */
    List<Path> missing() {
        return missing;
    }

    /** Returns the bytes of all files, as they were listed. */
    long bytes() {
        return files.stream().mapToLong(Entry::bytes).sum();
    }
}
