package io.frameloom.gpu.cache.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The operations on real files. An interrupt ends none of them and is kept in the thread's status. Stateless. */
public final class NativeFiles implements StoreFiles {
    private static final int CHUNK = 1 << 16;

    /** Windows makes names durable itself, and cannot open a folder. */
    private final boolean foldersCanBeForced =
            !System.getProperty("os.name", "").startsWith("Windows");

    @Override
    public @Nullable FileFacts facts(Path path) throws IOException {
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            FileFacts.Kind kind = attributes.isRegularFile()
                    ? FileFacts.Kind.FILE
                    : attributes.isDirectory()
                            ? FileFacts.Kind.FOLDER
                            : attributes.isSymbolicLink() ? FileFacts.Kind.LINK : FileFacts.Kind.OTHER;
            return new FileFacts(
                    String.valueOf(path.getFileName()),
                    kind,
                    attributes.size(),
                    attributes.lastModifiedTime().toMillis());
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    @Override
    public List<FileFacts> list(Path folder) throws IOException {
        if (Files.exists(folder) && !Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw new NotDirectoryException(folder.toString());
        }
        List<FileFacts> found = new ArrayList<>();
        try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder)) {
            for (Path path : paths) {
                FileFacts facts = facts(path);
                if (facts != null) {
                    found.add(facts);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return found;
    }

    @Override
    public void createFolder(Path folder) throws IOException {
        Files.createDirectory(folder);
    }

    @Override
    public byte[] read(Path file, long limit) throws IOException {
        return uninterrupted(() -> readOnce(file, limit));
    }

    private static byte[] readOnce(Path file, long limit) throws IOException {
        try (FileChannel channel = FileChannel.open(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            ByteBuffer all = ByteBuffer.allocate((int) Math.min(limit, channel.size()));
            int taken = 0;
            while (all.hasRemaining() && taken >= 0) {
                taken = channel.read(all);
            }
            return all.hasRemaining() ? Arrays.copyOf(all.array(), all.position()) : all.array();
        }
    }

    /** Work with channels that it opens itself. */
    @FunctionalInterface
    private interface Work<T> {
        T run() throws IOException;
    }

    /**
     * An interrupt closes the channel that a thread uses. So an interrupt waits until the work is done, and interrupted
     * work is done again from the start.
     */
    private static <T> T uninterrupted(Work<T> work) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return work.run();
                } catch (ClosedByInterruptException e) {
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void write(Path file, byte[] bytes) throws IOException {
        uninterrupted(() -> {
            writeOnce(file, bytes);
            return file;
        });
    }

    private static void writeOnce(Path file, byte[] bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(
                file, Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW, LinkOption.NOFOLLOW_LINKS))) {
            for (int at = 0; at < bytes.length; ) {
                at += channel.write(ByteBuffer.wrap(bytes, at, Math.min(CHUNK, bytes.length - at)));
            }
        } catch (ClosedByInterruptException e) {
            // It must not exist when it is written again.
            Files.delete(file);
            throw e;
        }
    }

    @Override
    public void force(Path file) throws IOException {
        force(file, StandardOpenOption.WRITE);
    }

    private static void force(Path path, StandardOpenOption access) throws IOException {
        uninterrupted(() -> {
            try (FileChannel channel = FileChannel.open(path, Set.of(access, LinkOption.NOFOLLOW_LINKS))) {
                channel.force(true);
            }
            return path;
        });
    }

    @Override
    public void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void forceFolder(Path folder) throws IOException {
        if (foldersCanBeForced) {
            force(folder, StandardOpenOption.READ);
        }
    }

    @Override
    public void delete(Path path) throws IOException {
        Files.deleteIfExists(path);
    }

    @Override
    public void touch(Path file, long millis) throws IOException {
        Files.getFileAttributeView(file, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .setTimes(FileTime.fromMillis(millis), null, null);
    }

    @Override
    public @Nullable Hold tryHold(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
        boolean held = false;
        try {
            held = channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            // Another cache of this process has it.
            held = false;
        } finally {
            if (!held) {
                channel.close();
            }
        }
        return held ? channel::close : null;
    }

    @Override
    public long nowMillis() {
        return System.currentTimeMillis();
    }

    @Override
    public String processName() {
        ProcessHandle process = ProcessHandle.current();
        long started = process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
        return process.pid() + "-" + started;
    }

    @Override
    public AtExit atExit(Runnable work) {
        Thread hook = new Thread(null, work, "frameloom program cache exit", 0, false);
        // The opener of a cache may have a class loader that is to go before the process does.
        hook.setContextClassLoader(null);
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process exits already.
            return () -> {};
        }
        return () -> remove(hook);
    }

    private static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process exits, and the hook runs.
            return;
        }
    }
}
