package io.frameloom.gpu.cache.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps the programs of all stores within a budget of bytes. Each process counts what it has found and written. When
 * that passes the budget, it lists the folder and deletes the files that were not used for longest; it also lists when
 * it has written a part of the budget, since it does not count what others write. So each process may exceed the budget
 * by that part, for a while. Any thread; only {@link #publish} and {@link #rescan} wait, and only for each other.
 */
final class DiskSpace {
    /** Part of the programs that goes beyond what is needed, so that few listings suffice. */
    private static final int PART = 32;

    /** Part of the budget that a process writes before it looks what others have written. */
    private static final int UNLISTED_PART = 8;

    private static final long DAY_MILLIS = TimeUnit.DAYS.toMillis(1);

    private final StoreFiles files;
    private final CacheLayout layout;
    private final long budget;
    private final DiskObserver observer;
    /** Bytes of the files of the programs that are known. */
    private final Map<Digest, Long> known = new ConcurrentHashMap<>();

    private final AtomicLong bytes = new AtomicLong();
    /** Bytes written since the folder was listed. */
    private long unlisted;

    DiskSpace(StoreFiles files, CacheLayout layout, long budget, DiskObserver observer) {
        this.files = files;
        this.layout = layout;
        this.budget = budget;
        this.observer = observer;
    }

    private record Listed(Path file, Digest program, long bytes, long usedMillis) {}

    /** Returns whether a program was there when it was last looked for, or came since. Never waits. */
    boolean isKnown(Digest program) {
        return known.containsKey(program);
    }

    /** Counts what is there, and evicts what is beyond the budget. */
    synchronized void rescan() throws IOException {
        evict(list(), bytes.get() - budget, 0);
    }

    /** Refuses a program that alone exceeds the budget, or the largest size that is read. */
    void requireFits(Digest program, long size) throws IOException {
        if (size > Math.min(budget, EntryFormat.LARGEST)) {
            throw new IOException("program " + program + " has " + size
                    + " bytes, more than the cache may hold; raise its disk budget");
        }
    }

    /** Gives a program that was written the name under which it is found, and makes room for it before. */
    synchronized void publish(Path draft, Path file, Digest program, long size) throws IOException {
        long before = bytes.get();
        if (after(program, size) > budget || unlisted + size > budget / UNLISTED_PART) {
            List<Listed> found = list();
            found.removeIf(listed -> listed.file.equals(file));
            evict(found, after(program, size) - budget, found.size() / PART);
        }
        files.move(draft, file);
        note(program, size);
        unlisted += size;
        observer.written(program, size, before, bytes.get());
    }

    private long after(Digest program, long size) {
        return bytes.get() - known.getOrDefault(program, 0L) + size;
    }

    /** Notes that a program is gone, or cannot be used any more. One that came since is counted by the next listing. */
    void vanished(Digest program) {
        if (forget(program)) {
            observer.vanished(program);
        }
    }

    private void note(Digest program, long size) {
        Long old = known.put(program, size);
        bytes.addAndGet(size - (old == null ? 0 : old));
    }

    private boolean forget(Digest program) {
        Long old = known.remove(program);
        bytes.addAndGet(old == null ? 0 : -old);
        return old != null;
    }

    private List<Listed> list() throws IOException {
        List<Listed> found = new ArrayList<>();
        long now = files.nowMillis();
        for (Path folder : layout.stores(files)) {
            for (FileFacts file : CacheLayout.list(files, folder)) {
                Digest program = CacheLayout.programDigest(file.name());
                if (file.isFile() && program != null) {
                    // A time in the future, of a clock that jumped, would keep it for ever.
                    long used = file.modifiedMillis() > now + DAY_MILLIS ? 0 : file.modifiedMillis();
                    found.add(new Listed(folder.resolve(file.name()), program, file.bytes(), used));
                }
            }
        }
        Set<Digest> gone = new HashSet<>(known.keySet());
        for (Listed listed : found) {
            gone.remove(listed.program);
            note(listed.program, listed.bytes);
        }
        gone.forEach(this::vanished);
        unlisted = 0;
        return found;
    }

    /**
     * Deletes the programs that were not used for longest.
     *
     * @param needed bytes to free
     * @param spare programs to delete beyond that, if anything is needed
     */
    private void evict(List<Listed> found, long needed, int spare) {
        found.sort(Comparator.comparingLong(Listed::usedMillis).thenComparing(Listed::file));
        long left = needed;
        int spared = spare;
        for (Listed oldest : found) {
            if (needed <= 0 || (left <= 0 && spared-- <= 0)) {
                return;
            }
            try {
                files.delete(oldest.file);
            } catch (IOException e) {
                observer.writeFailed(e);
                continue;
            }
            left -= oldest.bytes;
            if (forget(oldest.program)) {
                observer.evicted(oldest.program, oldest.bytes);
            }
        }
    }
}
