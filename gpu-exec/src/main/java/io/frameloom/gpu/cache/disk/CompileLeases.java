package io.frameloom.gpu.cache.disk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Lets one process at a time compile a program. A lease is no lock: it ends with its process or with its time, so one
 * that is stopped holds nobody up for longer. Any thread.
 */
final class CompileLeases {
    private static final long FIRST_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int LONGEST_LEASE = 128;
    private static final Pattern LEASE = Pattern.compile("([0-9a-f-]+) ([0-9]{1,18})");

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
        long poll = FIRST_POLL_NANOS;
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
            // Nothing but looking again tells that another process has ended.
            LockSupport.parkNanos(poll);
            poll = Math.min(2 * poll, LONGEST_POLL_NANOS);
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
            Lease binding = live(held, lease);
            if (binding != null && !isOwn(binding)) {
                return Optional.empty();
            }
            files.delete(lease);
        }
        files.write(lease, new Lease(processes.instance(), leaseMillis).bytes());
        return Optional.of(Outcome.GRANTED);
    }

    /**
     * What the file of a lease says.
     *
     * @param holder process that compiles
     * @param millis longest time that it wants others to wait
     */
    private record Lease(String holder, long millis) {
        byte[] bytes() {
            return (holder + " " + millis).getBytes(StandardCharsets.UTF_8);
        }

        static @Nullable Lease parse(byte[] bytes) {
            Matcher lease = LEASE.matcher(new String(bytes, StandardCharsets.UTF_8));
            return lease.matches() ? new Lease(lease.group(1), Long.parseLong(lease.group(2))) : null;
        }
    }

    private boolean isOwn(Lease lease) {
        return lease.holder().equals(processes.instance());
    }

    /** Returns a lease that has not ended: it is not too old, and its process lives; null if it has. */
    private @Nullable Lease live(FileFacts held, Path file) throws IOException {
        Lease lease = held.isFile() ? Lease.parse(files.read(file, LONGEST_LEASE)) : null;
        if (lease == null) {
            return null;
        }
        // A clock that jumped gives ages that no lease has.
        long age = Math.abs(files.nowMillis() - held.modifiedMillis());
        return age < lease.millis() && processes.isAlive(lease.holder()) ? lease : null;
    }

    /** Gives a lease back, if it is still the caller's. */
    void release(Digest digest) throws IOException {
        Path file = layout.leases().resolve(digest.hex());
        lock.run(locked -> {
            FileFacts held = files.facts(file);
            if (locked && held != null && held.isFile()) {
                Lease lease = Lease.parse(files.read(file, LONGEST_LEASE));
                if (lease != null && isOwn(lease)) {
                    files.delete(file);
                }
            }
            return locked;
        });
    }

    /** Removes leases that have ended. */
    void tidy() throws IOException {
        for (FileFacts listed : files.list(layout.leases())) {
            Path file = layout.leases().resolve(listed.name());
            // With the lock: it may be granted anew between looking and deleting.
            lock.run(locked -> {
                FileFacts held = locked ? files.facts(file) : null;
                if (held != null && live(held, file) == null) {
                    files.delete(file);
                    observer.litterRemoved(listed.name());
                }
                return locked;
            });
        }
    }
}
