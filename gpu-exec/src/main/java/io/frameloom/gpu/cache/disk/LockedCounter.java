package io.frameloom.gpu.cache.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The two numbers and the complement of their sum. The channel stays open, because POSIX drops all locks of a process on a
 * file with the first of its channels that is closed. An interrupt that comes while the numbers are read or written closes
 * it, and another process may have the lock at once: what is being done then fails, and the next to take the lock opens the
 * file again. One thread at a time.
 */
final class LockedCounter implements StoreFiles.SharedCounter {
    private static final int BYTES = 3 * Long.BYTES;

    private final Path file;
    private FileChannel channel;
    private @Nullable FileLock lock;
    private boolean closed;

    LockedCounter(Path file) throws IOException {
        this.file = file;
        this.channel = open(file);
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(
                file,
                Set.of(
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.CREATE,
                        LinkOption.NOFOLLOW_LINKS));
    }

    @Override
    public boolean tryAcquire() throws IOException {
        if (!channel.isOpen() && !closed) {
            channel = open(file);
        }
        lock = NativeFiles.lock(channel);
        return lock != null;
    }

    @Override
    public void release() throws IOException {
        FileLock held = lock;
        lock = null;
        if (held != null && held.isValid()) {
            held.release();
        }
    }

    @Override
    public long version() throws IOException {
        ByteBuffer numbers = numbers();
        if (numbers.hasRemaining()) {
            return -1;
        }
        long sum = numbers.getLong(0) + numbers.getLong(Long.BYTES);
        return numbers.getLong(2 * Long.BYTES) == ~sum ? numbers.getLong(0) : -1;
    }

    @Override
    public long total() throws IOException {
        return numbers().getLong(Long.BYTES);
    }

    private ByteBuffer numbers() throws IOException {
        ByteBuffer numbers = ByteBuffer.allocate(BYTES);
        locked(() -> {
            NativeFiles.fill(channel.position(0), numbers);
            return numbers;
        });
        return numbers;
    }

    @Override
    public void set(long version, long total) throws IOException {
        ByteBuffer numbers = ByteBuffer.allocate(BYTES)
                .putLong(version)
                .putLong(total)
                .putLong(~(version + total))
                .flip();
        locked(() -> {
            while (numbers.hasRemaining()) {
                channel.write(numbers, numbers.position());
            }
            return numbers;
        });
    }

    /** Does something that ends with the lock: it cannot be done again when an interrupt has closed the channel. */
    private <T> void locked(InterruptedChannels.Work<T> work) throws IOException {
        InterruptedChannels.repeat(() -> {
            try {
                return work.run();
            } catch (ClosedByInterruptException e) {
                throw new IOException("an interrupt has closed " + file + ", which was locked; it is opened again", e);
            }
        });
    }

    @Override
    public void close() throws IOException {
        closed = true;
        channel.close();
    }
}
