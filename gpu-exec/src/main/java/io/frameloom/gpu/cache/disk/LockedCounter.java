package io.frameloom.gpu.cache.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;

/**
 * The two numbers and the complement of their sum, in the file that is the lock. An interrupt that comes while the numbers
 * are read or written closes the file, and another process may have the lock at once: what is being done then fails, and
 * the next to take the lock opens the file again. So it does when others have deleted or replaced the file meanwhile: what
 * has its name then is the lock. One thread at a time.
 */
final class LockedCounter implements StoreFiles.SharedCounter {
    private static final int BYTES = 3 * Long.BYTES;
    /** How often the file may be replaced while somebody takes the lock. */
    private static final int ATTEMPTS = 8;

    private final Path file;
    private LockFile opened;
    private boolean closed;

    LockedCounter(Path file) throws IOException {
        this.file = file;
        this.opened = LockFile.open(file);
    }

    @Override
    public boolean tryAcquire() throws IOException {
        for (int i = 0; i < ATTEMPTS; i++) {
            if (!opened.isOpen() && !closed) {
                opened = LockFile.open(file);
            }
            boolean locked = opened.tryLock();
            if (closed || isCurrent(locked)) {
                return locked;
            }
            opened.close();
        }
        return false;
    }

    /** Gives the lock back if the file cannot be looked at. */
    private boolean isCurrent(boolean locked) throws IOException {
        boolean known = false;
        try {
            boolean current = opened.isCurrent();
            known = true;
            return current;
        } finally {
            if (locked && !known) {
                opened.unlock();
            }
        }
    }

    @Override
    public void release() throws IOException {
        opened.unlock();
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
            opened.read(numbers);
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
            opened.write(numbers);
            return numbers;
        });
    }

    /** Does something that ends with the lock: it cannot be done again when an interrupt has closed the file. */
    private <T> void locked(InterruptedChannels.Work<T> work) throws IOException {
        InterruptedChannels.repeat(() -> {
            try {
                return work.run();
            } catch (ClosedByInterruptException e) {
                throw new IOException("an interrupt has closed " + file + ", which was locked; it is opened again", e);
            }
        });
    }

    /** Waits for another cache of this process that has the lock at the moment, as closing would take it from it. */
    @Override
    public void close() throws IOException {
        closed = true;
        opened.close();
    }
}
