package io.frameloom.gpu.cache.disk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets one process at a time compile a program. A lease is no lock: it ends with its process or with its time, so one
 * that is stopped holds nobody up for longer. Any thread.
 */
final class CompileLeases {
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int LONGEST_NAME = 128;

    private final StoreFiles files;
    private final CacheLayout layout;
    private final Processes processes;
    private final FolderLock lock;
    private final long leaseMillis;
    private final DiskObserver observer;

    CompileLeases(
            StoreFiles files,
            CacheLayout layout,
            Processes processes,
            FolderLock lock,
            long leaseMillis,
            DiskObserver observer) {
        this.files = files;
        this.layout = layout;
        this.processes = processes;
        this.lock = lock;
        this.leaseMillis = leaseMillis;
        this.observer = observer;
    }

    /** How waiting for a lease ended. */
    enum Outcome {
        /** The caller has it: compile, publish, and give it back. */
        GRANTED,
        /** The program is there by now. */
        PUBLISHED,
        /** Another process did not end in time: compile without a lease. */
        TIMED_OUT
    }

    /**
     * Waits until the caller may compile or has no need to.
     *
     * @param program file of the program
     */
    Outcome acquire(Digest digest, Path program) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(leaseMillis);
        Path lease = layout.leases().resolve(digest.hex());
        while (true) {
            Optional<Outcome> outcome = lock.run(locked -> tryAcquire(lease, program, locked));
            if (outcome.isPresent()) {
                return outcome.get();
            }
            if (System.nanoTime() - deadline >= 0) {
                observer.patienceLost("lease " + digest);
                return Outcome.TIMED_OUT;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** Returns nothing while another process has the lease. */
    private Optional<Outcome> tryAcquire(Path lease, Path program, boolean locked) throws IOException {
        if (files.facts(program) != null) {
            return Optional.of(Outcome.PUBLISHED);
        }
        if (!locked) {
            return Optional.of(Outcome.TIMED_OUT);
        }
        FileFacts held = files.facts(lease);
        if (held != null) {
            if (isValid(held, lease)) {
                return Optional.empty();
            }
            files.delete(lease);
        }
        files.write(lease, processes.instance().getBytes(StandardCharsets.UTF_8));
        return Optional.of(Outcome.GRANTED);
    }

    /** Returns whether a lease binds this process: not its own, not too old, and its process lives. */
    boolean isValid(FileFacts held, Path lease) throws IOException {
        // A clock that jumped gives ages that no lease has.
        long age = Math.abs(files.nowMillis() - held.modifiedMillis());
        if (!held.isFile() || age >= leaseMillis) {
            return false;
        }
        String holder = holder(lease);
        return !holder.equals(processes.instance()) && processes.isAlive(holder);
    }

    private String holder(Path lease) throws IOException {
        return new String(files.read(lease, LONGEST_NAME), StandardCharsets.UTF_8);
    }

    /** Gives a lease back, if it is still the caller's. */
    void release(Digest digest) throws IOException {
        Path lease = layout.leases().resolve(digest.hex());
        lock.run(locked -> {
            FileFacts held = files.facts(lease);
            if (locked && held != null && held.isFile() && holder(lease).equals(processes.instance())) {
                files.delete(lease);
            }
            return locked;
        });
    }
}
