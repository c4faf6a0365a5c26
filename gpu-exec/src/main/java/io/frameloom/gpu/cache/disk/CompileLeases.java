package io.frameloom.gpu.cache.disk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets one process at a time compile a program: the one that creates the file of the lease. A lease ends with its
 * process or with its time, so a stopped process holds up the others no longer than that. If two processes find at the
 * same time that a lease has ended, both compile. Any thread.
 */
final class CompileLeases {
    private static final long FIRST_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int LONGEST_HOLDER = 128;

    private final StoreFiles files;
    private final CacheLayout layout;
    private final Processes processes;
    private final long leaseMillis;
    private final DiskObserver observer;

    CompileLeases(StoreFiles files, CacheLayout layout, Processes processes, long leaseMillis, DiskObserver observer) {
        this.files = files;
        this.layout = layout;
        this.processes = processes;
        this.leaseMillis = leaseMillis;
        this.observer = observer;
    }

    /**
     * Waits until the caller may compile a program or has no need to; at most as long as a lease lasts.
     *
     * @param program file of the program
     * @return whether the program is there; if not, the caller compiles it and then calls {@link #release}
     */
    boolean await(Digest digest, Path program) throws IOException {
        Path lease = layout.leases().resolve(digest.hex());
        // No pause would last in a thread that is interrupted.
        boolean interrupted = Thread.interrupted();
        try {
            long poll = FIRST_POLL_NANOS;
            long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(leaseMillis);
            while (!take(lease)) {
                if (files.facts(program) != null) {
                    return true;
                }
                if (System.nanoTime() - deadline >= 0) {
                    observer.patienceLost("lease " + digest);
                    return false;
                }
                LockSupport.parkNanos(poll);
                poll = Math.min(2 * poll, LONGEST_POLL_NANOS);
            }
            // The process that had the lease before has published the program before it gave the lease back.
            boolean published = files.facts(program) != null;
            if (published) {
                release(digest);
            }
            return published;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean take(Path lease) throws IOException {
        if (create(lease)) {
            return true;
        }
        FileFacts facts = files.facts(lease);
        if (facts != null && binds(facts)) {
            return false;
        }
        if (facts != null) {
            files.delete(lease);
        }
        return create(lease);
    }

    private boolean create(Path lease) throws IOException {
        try {
            files.write(lease, processes.instance().getBytes(StandardCharsets.UTF_8));
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        }
    }

    /** Returns whether a lease keeps this open cache from compiling: it is not too old, and its process lives. */
    private boolean binds(FileFacts facts) throws IOException {
        // A clock that jumped gives ages that no lease has.
        boolean young = Math.abs(files.nowMillis() - facts.modifiedMillis()) < leaseMillis;
        if (!young || !facts.isFile()) {
            return false;
        }
        String holder = holder(layout.leases().resolve(facts.name()));
        // An empty one is being written, or has been given back since: the next look finds out.
        return holder.isEmpty() || (!holder.equals(processes.instance()) && processes.isAlive(holder));
    }

    /** Returns which open cache has a lease; empty if the lease has no name. */
    private String holder(Path lease) throws IOException {
        try {
            return new String(files.read(lease, LONGEST_HOLDER), StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            return "";
        }
    }

    /** Gives a lease back, if it is still the caller's. */
    void release(Digest digest) throws IOException {
        Path lease = layout.leases().resolve(digest.hex());
        if (holder(lease).equals(processes.instance())) {
            files.delete(lease);
        }
    }

    /** Removes leases that have ended. */
    void tidy() throws IOException {
        for (FileFacts listed : files.list(layout.leases())) {
            Path lease = layout.leases().resolve(listed.name());
            boolean own = listed.isFile() && holder(lease).equals(processes.instance());
            if (!own && !binds(listed)) {
                files.delete(lease);
                observer.litterRemoved(listed.name());
            }
        }
    }
}
