package io.frameloom.gpu.cache.disk;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which of the processes that have used a cache are alive. Each open cache holds a file of its own; the system releases
 * it when the process ends, however it ends. Any thread.
 */
final class Processes implements AutoCloseable {
    private static final int ATTEMPTS = 16;
    private static final Pattern NAME = Pattern.compile("[0-9-]{1,64}-[0-9a-f]{1,8}");

    private final StoreFiles files;
    private final CacheLayout layout;
    private final String instance;
    /** The file of this open cache; null if it has none. */
    private final StoreFiles.@Nullable Hold hold;

    private Processes(StoreFiles files, CacheLayout layout, String instance, StoreFiles.@Nullable Hold hold) {
        this.files = files;
        this.layout = layout;
        this.instance = instance;
        this.hold = hold;
    }

    /** Only reads a folder that takes no file; the other processes do not see it. */
    static Processes reading(StoreFiles files, CacheLayout layout) {
        return new Processes(files, layout, newInstance(files), null);
    }

    /** Returns a name for an open cache: the process's, and which of its caches. */
    static String newInstance(StoreFiles files) {
        return files.processName() + "-"
                + Integer.toHexString(ThreadLocalRandom.current().nextInt());
    }

    /** Creates and holds a file; under another name if another process took it for a dead one's in between. */
    static Processes join(StoreFiles files, CacheLayout layout) throws IOException {
        for (int i = 0; i < ATTEMPTS; i++) {
            String instance = newInstance(files);
            Path file = layout.processes().resolve(instance);
            StoreFiles.Hold hold = null;
            boolean joined = false;
            try {
                files.write(file, new byte[0]);
                hold = hold(files, file);
                joined = hold != null && files.facts(file) != null;
            } finally {
                if (!joined) {
                    release(files, file, hold);
                }
            }
            if (joined) {
                return new Processes(files, layout, instance, hold);
            }
        }
        throw new IOException("no file in " + layout.processes() + " could be held");
    }

    private static StoreFiles.@Nullable Hold hold(StoreFiles files, Path file) throws IOException {
        try {
            return files.tryHold(file);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private static void release(StoreFiles files, Path file, StoreFiles.@Nullable Hold hold) throws IOException {
        try (hold) {
            files.delete(file);
        }
    }

    String instance() {
        return instance;
    }

    /** Returns whether others see this open cache; one that they do not see must write nothing. */
    boolean hasJoined() {
        return hold != null;
    }

    /** Returns whether the process of an open cache still runs. */
    boolean isAlive(String other) throws IOException {
        if (!NAME.matcher(other).matches()) {
            return false;
        }
        Path file = layout.processes().resolve(other);
        FileFacts facts = files.facts(file);
        if (facts == null || !facts.isFile()) {
            return false;
        }
        // Not by trying to hold it: that would release the hold of this process.
        if (isOfThisProcess(files, other)) {
            return true;
        }
        try (StoreFiles.Hold taken = files.tryHold(file)) {
            return taken == null;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private static boolean isOfThisProcess(StoreFiles files, String instance) {
        return instance.startsWith(files.processName() + "-");
    }

    /**
     * Deletes the files of ended processes, each while holding it: a process that just joins takes another name then.
     */
    void tidy() throws IOException {
        for (FileFacts listed : files.list(layout.processes())) {
            Path file = layout.processes().resolve(listed.name());
            if (!listed.isFile() || !NAME.matcher(listed.name()).matches()) {
                files.delete(file);
            } else if (!isOfThisProcess(files, listed.name())) {
                StoreFiles.Hold taken = hold(files, file);
                if (taken != null) {
                    release(files, file, taken);
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        if (hold != null) {
            release(files, layout.processes().resolve(instance), hold);
        }
    }
}
