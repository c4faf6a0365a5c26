package io.frameloom.gpu.cache.disk;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    private static final class Inode {
        final FileFacts.Kind kind;
        byte[] bytes = {};
        boolean forced;
        long modified;

        @Nullable
        ProcessFiles holder;

        @Nullable
        ProcessFiles locker;

        long version = -1;
        long total;

        Inode(FileFacts.Kind kind) {
            this.kind = kind;
        }
    }

    /** A change of names that is not durable yet: {@code inode} loses the name {@code from} and gets {@code to}. */
    private record Renaming(@Nullable Path from, @Nullable Path to, Inode inode) {
        boolean concerns(Path folder) {
            return (from != null && folder.equals(from.getParent())) || (to != null && folder.equals(to.getParent()));
        }

        void apply(Map<Path, Inode> names) {
            if (from != null) {
                names.remove(from);
            }
            if (to != null) {
                names.put(to, inode);
            }
        }
    }

    private final Map<Path, Inode> names = new TreeMap<>();
    private final Map<Path, Inode> durableNames = new TreeMap<>();
    private final List<Renaming> pending = new ArrayList<>();
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
            Inode inode = new Inode(FileFacts.Kind.FOLDER);
            names.put(folder, inode);
            durableNames.put(folder, inode);
        }
    }

    /** Starts a process. */
    public ProcessFiles process() {
        processes++;
        return new ProcessFiles("1" + processes + "-0");
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
        names.forEach((path, inode) -> all.put(path, inode.kind + " " + Arrays.hashCode(inode.bytes)));
        return all;
    }

    /** Returns the names of the files below a folder. */
    public synchronized List<Path> filesBelow(Path folder) {
        return names.entrySet().stream()
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
        names.put(path, inode);
        durableNames.put(path, inode);
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
        for (Inode inode : names.values()) {
            inode.holder = null;
            inode.locker = null;
        }
    }

    /**
     * Ends all processes and loses what was not durable.
     *
     * @param random decides what of it survives
     */
    public synchronized void losePower(Random random) {
        kill();
        int policy = random.nextInt(4);
        for (Renaming renaming : pending) {
            boolean survives = policy == 0 || (policy >= 2 && random.nextBoolean());
            if (survives) {
                renaming.apply(durableNames);
            }
        }
        pending.clear();
        names.clear();
        Map<Inode, Inode> survivors = new HashMap<>();
        durableNames.forEach((path, inode) -> {
            Path parent = path.getParent();
            if (parent == null || names.containsKey(parent) || durableRoot(path)) {
                names.put(path, survivors.computeIfAbsent(inode, lost -> survivor(lost, random)));
            }
        });
        durableNames.clear();
        durableNames.putAll(names);
    }

    private boolean durableRoot(Path path) {
        return durableNames.keySet().stream().noneMatch(other -> path.startsWith(other) && !path.equals(other));
    }

    private Inode survivor(Inode inode, Random random) {
        Inode after = new Inode(inode.kind);
        after.modified = inode.modified;
        after.forced = true;
        int length = inode.bytes.length;
        if (inode.forced || inode.kind != FileFacts.Kind.FILE) {
            after.bytes = inode.bytes;
            return after;
        }
        switch (random.nextInt(5)) {
            case 0 -> after.bytes = new byte[0];
            case 1 -> after.bytes = new byte[length];
            case 2 -> after.bytes = Arrays.copyOf(inode.bytes, random.nextInt(length + 1));
            case 3 -> after.bytes = Arrays.copyOf(Arrays.copyOf(inode.bytes, random.nextInt(length + 1)), length);
            default -> {
                after.bytes = new byte[length];
                random.nextBytes(after.bytes);
            }
        }
        return after;
    }

    /** What one process sees of the disk. */
    public final class ProcessFiles implements StoreFiles {
        private final String name;

        ProcessFiles(String name) {
            this.name = name;
        }

        private void called(String operation, Path path) throws IOException {
            operations.merge(operation, 1, Integer::sum);
            if (steps >= endAtStep) {
                throw new Ended();
            }
            IOException refused = refusal.of(operation, path);
            if (refused != null) {
                throw refused;
            }
        }

        /** Counts a change; the one that it ends at is not made. */
        private void step(String operation, Path path) throws IOException {
            called(operation, path);
            steps++;
            if (steps >= endAtStep) {
                throw new Ended();
            }
        }

        private Inode existing(Path path) throws IOException {
            Inode inode = names.get(path);
            if (inode == null) {
                throw new NoSuchFileException(path.toString());
            }
            return inode;
        }

        private void rename(@Nullable Path from, @Nullable Path to, Inode inode) {
            Renaming renaming = new Renaming(from, to, inode);
            renaming.apply(names);
            pending.add(renaming);
        }

        private void requireParent(Path path) throws IOException {
            Path parent = path.getParent();
            if (parent != null && existing(parent).kind != FileFacts.Kind.FOLDER) {
                throw new IOException(parent + ": not a folder");
            }
        }

        @Override
        public @Nullable FileFacts facts(Path path) throws IOException {
            synchronized (SimulatedDisk.this) {
                called("facts", path);
                Inode inode = names.get(path);
                return inode == null
                        ? null
                        : new FileFacts(
                                String.valueOf(path.getFileName()), inode.kind, inode.bytes.length, inode.modified);
            }
        }

        @Override
        public List<FileFacts> list(Path folder) throws IOException {
            synchronized (SimulatedDisk.this) {
                called("list", folder);
                existing(folder);
                List<FileFacts> found = new ArrayList<>();
                for (Map.Entry<Path, Inode> entry : names.entrySet()) {
                    if (folder.equals(entry.getKey().getParent())) {
                        found.add(Objects.requireNonNull(facts(entry.getKey())));
                    }
                }
                return found;
            }
        }

        @Override
        public void createFolder(Path folder) throws IOException {
            synchronized (SimulatedDisk.this) {
                step("createFolder", folder);
                requireParent(folder);
                if (names.containsKey(folder)) {
                    throw new FileAlreadyExistsException(folder.toString());
                }
                rename(null, folder, new Inode(FileFacts.Kind.FOLDER));
            }
        }

        @Override
        public byte[] read(Path file, long limit) throws IOException {
            synchronized (SimulatedDisk.this) {
                called("read", file);
                byte[] bytes = existing(file).bytes;
                return Arrays.copyOf(bytes, (int) Math.min(limit, bytes.length));
            }
        }

        @Override
        public void write(Path file, byte[] bytes) throws IOException {
            synchronized (SimulatedDisk.this) {
                called("write", file);
                requireParent(file);
                if (names.containsKey(file)) {
                    throw new FileAlreadyExistsException(file.toString());
                }
                Inode inode = new Inode(FileFacts.Kind.FILE);
                steps++;
                if (steps < endAtStep) {
                    inode.bytes = bytes.clone();
                } else {
                    inode.bytes = Arrays.copyOf(bytes, bytes.length / 2);
                }
                inode.modified = ++clock;
                rename(null, file, inode);
                if (steps >= endAtStep) {
                    throw new Ended();
                }
            }
        }

        @Override
        public void force(Path file) throws IOException {
            beforeForce.accept(file);
            synchronized (SimulatedDisk.this) {
                step("force", file);
                existing(file).forced = true;
            }
        }

        @Override
        public void move(Path from, Path to) throws IOException {
            synchronized (SimulatedDisk.this) {
                step("move", from);
                Inode inode = existing(from);
                Inode replaced = names.get(to);
                if (replaced != null && replaced.kind == FileFacts.Kind.FOLDER) {
                    throw new IOException(to + ": is a folder");
                }
                rename(from, to, inode);
            }
        }

        @Override
        public void forceFolder(Path folder) throws IOException {
            synchronized (SimulatedDisk.this) {
                step("forceFolder", folder);
                existing(folder);
                pending.removeIf(renaming -> {
                    boolean concerned = renaming.concerns(folder);
                    if (concerned) {
                        renaming.apply(durableNames);
                    }
                    return concerned;
                });
            }
        }

        @Override
        public void delete(Path path) throws IOException {
            synchronized (SimulatedDisk.this) {
                if (!names.containsKey(path)) {
                    called("delete", path);
                    return;
                }
                step("delete", path);
                if (names.keySet().stream().anyMatch(other -> path.equals(other.getParent()))) {
                    throw new DirectoryNotEmptyException(path.toString());
                }
                rename(path, null, existing(path));
            }
        }

        @Override
        public void touch(Path file, long millis) throws IOException {
            synchronized (SimulatedDisk.this) {
                called("touch", file);
                existing(file).modified = millis;
            }
        }

        @Override
        public @Nullable Hold tryHold(Path file) throws IOException {
            synchronized (SimulatedDisk.this) {
                called("tryHold", file);
                Inode inode = existing(file);
                if (inode.holder != null) {
                    return null;
                }
                inode.holder = this;
                return () -> {
                    synchronized (SimulatedDisk.this) {
                        inode.holder = null;
                    }
                };
            }
        }

        @Override
        public SharedCounter openCounter(Path file) throws IOException {
            synchronized (SimulatedDisk.this) {
                called("openCounter", file);
                if (!names.containsKey(file)) {
                    rename(null, file, new Inode(FileFacts.Kind.FILE));
                }
                return new Counter(file, existing(file));
            }
        }

        @Override
        public AtExit atExit(Runnable work) {
            synchronized (SimulatedDisk.this) {
                exits.add(work);
            }
            return () -> {
                synchronized (SimulatedDisk.this) {
                    exits.remove(work);
                }
            };
        }

        @Override
        public long nowMillis() {
            synchronized (SimulatedDisk.this) {
                return ++clock;
            }
        }

        @Override
        public String processName() {
            return name;
        }

        private final class Counter implements SharedCounter {
            private final Path path;
            private final Inode inode;

            Counter(Path path, Inode inode) {
                this.path = path;
                this.inode = inode;
            }

            @Override
            public boolean tryAcquire() throws IOException {
                synchronized (SimulatedDisk.this) {
                    called("acquire", path);
                    if (inode.locker != null) {
                        return false;
                    }
                    inode.locker = ProcessFiles.this;
                    return true;
                }
            }

            @Override
            public void release() {
                synchronized (SimulatedDisk.this) {
                    inode.locker = null;
                }
            }

            @Override
            public long version() {
                synchronized (SimulatedDisk.this) {
                    return inode.version;
                }
            }

            @Override
            public long total() {
                synchronized (SimulatedDisk.this) {
                    return inode.total;
                }
            }

            @Override
            public void set(long version, long total) throws IOException {
                synchronized (SimulatedDisk.this) {
                    step("counter", path);
                    inode.version = version;
                    inode.total = total;
                }
            }

            @Override
            public void close() {
                synchronized (SimulatedDisk.this) {
                    if (inode.locker == ProcessFiles.this) {
                        inode.locker = null;
                    }
                }
            }
        }
    }
}
