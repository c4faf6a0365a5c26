package io.frameloom.gpu.cache.disk;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which of the processes that have used a cache are alive. Each open cache holds a file of its own; the system lets go of
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

    /** Only reads a folder that takes no file, of which the others see nothing. */
    static Processes reading(StoreFiles files, CacheLayout layout) {
        return new Processes(files, layout, newInstance(files), null);
    }

    private static String newInstance(StoreFiles files) {
        return files.processName() + "-"
                + Integer.toHexString(ThreadLocalRandom.current().nextInt());
    }

    static Processes join(StoreFiles files, CacheLayout layout) throws IOException {
        for (int i = 0; i < ATTEMPTS; i++) {
            String instance = newInstance(files);
            Path file = layout.processes().resolve(instance);
            StoreFiles.Hold hold = create(files, file);
            if (hold != null) {
                return new Processes(files, layout, instance, hold);
            }
        }
        throw new IOException("no file in " + layout.processes() + " could be held");
    }

    /** Creates and holds a file; null, and no file, if another process took it for a dead one's in between. */
    private static StoreFiles.@Nullable Hold create(StoreFiles files, Path file) throws IOException {
        StoreFiles.Hold hold = null;
        try {
            files.write(file, new byte[0]);
            hold = hold(files, file);
            if (hold != null && files.facts(file) != null) {
                return hold;
            }
            release(files, file, hold);
            return null;
        } catch (IOException e) {
            try {
                release(files, file, hold);
            } catch (IOException alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
            throw e;
        }
    }

    private static void release(StoreFiles files, Path file, StoreFiles.@Nullable Hold hold) throws IOException {
        try (hold) {
            files.delete(file);
        }
    }

    private static StoreFiles.@Nullable Hold hold(StoreFiles files, Path file) throws IOException {
        try {
            return files.tryHold(file);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** Returns the name of this open cache: the process's, and which of its caches. */
    String instance() {
        return instance;
    }

    /** Returns whether others see this open cache; one that they do not see must write nothing. */
    boolean hasJoined() {
        return hold != null;
    }

    /** Returns whether the process of an open cache still runs. */
    boolean isAlive(String other) throws IOException {
        return isAlive(files, layout, other);
    }

    /** Returns whether the process of an open cache still runs. */
    static boolean isAlive(StoreFiles files, CacheLayout layout, String other) throws IOException {
        if (!NAME.matcher(other).matches()) {
            return false;
        }
        Path file = layout.processes().resolve(other);
        FileFacts facts = files.facts(file);
        if (facts == null || !facts.isFile()) {
            return false;
        }
        // Not by trying to hold it: that would let go of what this process holds.
        if (isOfThisProcess(files, other)) {
            return true;
        }
        StoreFiles.Hold taken;
        try {
            taken = files.tryHold(file);
        } catch (NoSuchFileException e) {
            return false;
        }
        if (taken == null) {
            return true;
        }
        taken.close();
        return false;
    }

    private static boolean isOfThisProcess(StoreFiles files, String instance) {
        return instance.startsWith(files.processName() + "-");
    }

    /** Deletes the file of an ended process, while holding it: a process that is about to join takes another name then. */
    void forget(FileFacts listed) throws IOException {
        Path file = layout.processes().resolve(listed.name());
        if (!listed.isFile() || !NAME.matcher(listed.name()).matches()) {
            files.delete(file);
            return;
        }
        if (isOfThisProcess(files, listed.name())) {
            return;
        }
        StoreFiles.Hold taken = hold(files, file);
        if (taken != null) {
            release(files, file, taken);
        }
    }

    @Override
    public void close() throws IOException {
        if (hold == null) {
            return;
        }
        try {
            files.delete(layout.processes().resolve(instance));
        } finally {
            hold.close();
        }
    }
}
