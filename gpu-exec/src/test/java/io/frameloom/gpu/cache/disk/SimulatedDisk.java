package io.frameloom.gpu.cache.disk;

import io.frameloom.gpu.cache.disk.DiskNames.Inode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A disk with a volatile and a durable state. Bytes become durable when their file is forced, names when their folder is.
 * When the power fails, any of the names that were not forced may or may not have made it, and bytes that were not forced
 * may be anything. Processes are views of it; each has its own holds and locks.
 */
public final class SimulatedDisk {
    /** A process was killed, or the power failed, in the middle of an operation. */
    public static final class Ended extends Error {
        private static final long serialVersionUID = 1L;
    }

    /** Decides whether an operation on a path fails. */
    @FunctionalInterface
    public interface Refusal {
        @Nullable
        IOException of(String operation, Path path);
    }

    private final DiskNames names = new DiskNames();
    private final Map<String, Integer> operations = new LinkedHashMap<>();
    private final List<Runnable> exits = new ArrayList<>();
    private Refusal refusal = (operation, path) -> null;
    private volatile Consumer<Path> beforeForce = path -> {};
    private int processes;
    private long clock = 1_000_000;
    private int steps;
    private int endAtStep = Integer.MAX_VALUE;

    /** A disk with some folders. */
    public SimulatedDisk(Path... folders) {
        for (Path folder : folders) {
            names.plant(folder, new Inode(FileFacts.Kind.FOLDER));
        }
    }

    /** Starts a process. */
    public SimulatedProcess process() {
        processes++;
        return new SimulatedProcess(this, "1" + processes + "-0");
    }

    /** Makes operations fail from now on. */
    public void refuse(Refusal newRefusal) {
        refusal = newRefusal;
    }

    /** Does something before a file is made durable, on the thread that does that and without holding up the disk. */
    public void beforeForce(Consumer<Path> action) {
        beforeForce = action;
    }

    /** Ends the running process in the middle of the step with this number, counted from now, the first being 1. */
    public void endAtStep(int step) {
        steps = 0;
        endAtStep = step;
    }

    /** Returns the steps taken since {@link #endAtStep}. */
    public int steps() {
        return steps;
    }

    /** Returns how often an operation was called. */
    public synchronized int count(String operation) {
        return operations.getOrDefault(operation, 0);
    }

    /** Returns how many operations were called. */
    public synchronized int operations() {
        return operations.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Moves the clock. */
    public synchronized void advanceClock(long millis) {
        clock += millis;
    }

    /** Returns the volatile state as text, to compare. */
    public synchronized Map<Path, String> contents() {
        Map<Path, String> all = new TreeMap<>();
        names.all().forEach(entry -> {
            Inode inode = entry.getValue();
            all.put(entry.getKey(), inode.kind + " " + Arrays.hashCode(inode.bytes));
        });
        return all;
    }

    /** Returns the names of the files below a folder. */
    public synchronized List<Path> filesBelow(Path folder) {
        return names.all()
                .filter(entry -> entry.getValue().kind == FileFacts.Kind.FILE)
                .map(Map.Entry::getKey)
                .filter(path -> path.startsWith(folder))
                .toList();
    }

    /** Puts something there behind the back of the cache. */
    public synchronized void plant(Path path, FileFacts.Kind kind, byte[] bytes) {
        Inode inode = new Inode(kind);
        inode.bytes = bytes.clone();
        inode.forced = true;
        inode.modified = ++clock;
        names.plant(path, inode);
    }

    /** Returns how many things are to be done when processes exit. */
    public synchronized int exits() {
        return exits.size();
    }

    /** Lets all processes exit, none of whose other threads does anything any more. */
    public void exit() {
        List<Runnable> last;
        synchronized (this) {
            last = List.copyOf(exits);
        }
        last.forEach(Runnable::run);
        kill();
    }

    /** Ends all processes; what they did stays. */
    public synchronized void kill() {
        endAtStep = Integer.MAX_VALUE;
        refusal = (operation, path) -> null;
        exits.clear();
        names.release();
    }

    /**
     * Ends all processes and loses what was not durable.
     *
     * @param random decides what of it survives
     */
    public synchronized void losePower(Random random) {
        kill();
        names.losePower(random);
    }

    /** What is on the disk, for who holds its lock. */
    DiskNames names() {
        return names;
    }

    /** Counts an operation and ends or refuses it if it shall be. The caller holds the lock. */
    void called(String operation, Path path) throws IOException {
        operations.merge(operation, 1, Integer::sum);
        if (steps >= endAtStep) {
            throw new Ended();
        }
        IOException refused = refusal.of(operation, path);
        if (refused != null) {
            throw refused;
        }
    }

    /** Counts a change; the one that it ends at is not made. The caller holds the lock. */
    void step(String operation, Path path) throws IOException {
        called(operation, path);
        if (takeStep()) {
            throw new Ended();
        }
    }

    /** Takes a step and returns whether the process ends in the middle of it. The caller holds the lock. */
    boolean takeStep() {
        steps++;
        return steps >= endAtStep;
    }

    /** Returns the time, which moves on. */
    synchronized long tick() {
        return ++clock;
    }

    void forcing(Path file) {
        beforeForce.accept(file);
    }

    synchronized void addExit(Runnable work) {
        exits.add(work);
    }

    synchronized void removeExit(Runnable work) {
        exits.remove(work);
    }
}
