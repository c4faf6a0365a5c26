package io.frameloom.gpu.cache.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An open file of which one channel at a time has the lock, in this process and in all others.
 *
 * <p>POSIX drops the locks of a process on a file with the first of its channels on that file that is closed, whichever of
 * them has the lock. So a channel is closed, and locked, only in a monitor that all channels of the process on the file
 * have in common, and not closed while another one of them has the lock. The monitor is an interned string with the
 * identity of the file: a table of open files would have to be static, and each class loader that loads this class would
 * have another one, but strings are interned once for all of them, as the system's locks are kept once for all of them.
 *
 * <p>An interrupt closes a channel, too, but only in the middle of reading or writing: whoever does that has the lock, and
 * is in the monitor until the channel is closed.
 *
 * <p>Somebody may delete the file, or its whole folder, while it is open, and make another: whoever has the lock asks whether
 * it {@linkplain #isCurrent is} still that of the file with the name, for others may have that one. One thread at a time.
 */
final class LockFile implements AutoCloseable {
    private static final int ATTEMPTS = 16;

    private final Path file;
    private final FileChannel channel;
    private final Object identity;
    private final String monitor;
    private @Nullable FileLock lock;

    private LockFile(Path file, FileChannel channel, Object identity) {
        this.file = file;
        this.channel = channel;
        this.identity = identity;
        this.monitor = (LockFile.class.getName() + " " + identity).intern();
    }

    /**
     * Opens a file; creates it if it is not there.
     *
     * @throws IOException if that fails, or if others replace the file again and again
     */
    static LockFile open(Path file) throws IOException {
        for (int i = 0; i < ATTEMPTS; i++) {
            Object before = identity(file);
            FileChannel channel = FileChannel.open(
                    file,
                    Set.of(
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE,
                            StandardOpenOption.CREATE,
                            LinkOption.NOFOLLOW_LINKS));
            Object after;
            try {
                after = identity(file);
            } catch (IOException e) {
                // With the monitor of the file that it most likely is.
                new LockFile(file, channel, before == null ? channel : before).close();
                throw e;
            }
            LockFile opened = new LockFile(file, channel, after == null ? channel : after);
            if (opened.identity.equals(before)) {
                return opened;
            }
            // What was not there before and after may not be what was opened.
            opened.close();
        }
        throw new IOException(file + " is replaced by others again and again; let them end first");
    }

    /** Returns what tells a file from others that have or had its name, null if there is none. */
    private static @Nullable Object identity(Path file) throws IOException {
        try {
            Object key = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .fileKey();
            return key == null ? file.toRealPath(LinkOption.NOFOLLOW_LINKS) : key;
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** Returns whether the file that is open still has its name. */
    boolean isCurrent() throws IOException {
        return identity.equals(identity(file));
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    /** Takes the lock, unless another channel has it. */
    boolean tryLock() throws IOException {
        synchronized (monitor) {
            lock = NativeFiles.lock(channel);
            return lock != null;
        }
    }

    /** Gives the lock back, if it is still there. */
    void unlock() throws IOException {
        synchronized (monitor) {
            FileLock held = lock;
            lock = null;
            monitor.notifyAll();
            if (held != null && held.isValid()) {
                held.release();
            }
        }
    }

    /** Reads from the start of the file; with the lock. */
    void read(ByteBuffer bytes) throws IOException {
        synchronized (monitor) {
            NativeFiles.fill(channel.position(0), bytes);
        }
    }

    /** Writes to the start of the file; with the lock. */
    void write(ByteBuffer bytes) throws IOException {
        synchronized (monitor) {
            while (bytes.hasRemaining()) {
                channel.write(bytes, bytes.position());
            }
        }
    }

    @Override
    public void close() throws IOException {
        boolean interrupted = false;
        synchronized (monitor) {
            while (isLockedByAnotherOfThisProcess()) {
                try {
                    monitor.wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            lock = null;
            channel.close();
            monitor.notifyAll();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isLockedByAnotherOfThisProcess() throws IOException {
        if (lock != null || !channel.isOpen()) {
            return false;
        }
        try {
            // Whether another process has it is all the same; if this takes it, closing gives it back.
            channel.tryLock();
            return false;
        } catch (OverlappingFileLockException e) {
            return true;
        }
    }
}
