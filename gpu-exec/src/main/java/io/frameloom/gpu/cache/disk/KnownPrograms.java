package io.frameloom.gpu.cache.disk;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The programs that a folder is known to hold, by file and by use. Any thread asks for one, and never waits;
 * everything else is done by one thread at a time, which its owner sees to.
 */
final class KnownPrograms {
    private static final Comparator<Item> OLDEST_FIRST =
            Comparator.comparingLong(Item::usedMillis).thenComparing(Item::path);

    private final Map<Path, Item> items = new ConcurrentHashMap<>();
    private final TreeSet<Item> byUse = new TreeSet<>(OLDEST_FIRST);
    private long bytes;

    /**
     * A program.
     *
     * @param path its file
     * @param digest digest of its key
     * @param bytes bytes of the file
     * @param stampMillis what the file says about its last use
     * @param usedMillis last use, never in the future
     */
    record Item(Path path, Digest digest, long bytes, long stampMillis, long usedMillis) {
        Item usedAt(long stamp, long now) {
            // A time to come would make it immortal.
            return new Item(path, digest, bytes, stamp, Math.min(stamp, now));
        }
    }

    boolean contains(Path program) {
        return items.containsKey(program);
    }

    @Nullable
    Item get(Path program) {
        return items.get(program);
    }

    /** Returns the programs that others do not have. */
    List<Item> missingIn(KnownPrograms others) {
        return items.values().stream()
                .filter(item -> !others.contains(item.path()))
                .toList();
    }

    void put(Item item) {
        remove(item.path());
        items.put(item.path(), item);
        byUse.add(item);
        bytes += item.bytes();
    }

    void remove(Path program) {
        Item known = items.remove(program);
        if (known != null) {
            byUse.remove(known);
            bytes -= known.bytes();
        }
    }

    /** Returns the program that was not used for longest, of those after another one; null if there is none. */
    @Nullable
    Item oldestAfter(@Nullable Item other) {
        if (other != null) {
            return byUse.higher(other);
        }
        return byUse.isEmpty() ? null : byUse.first();
    }

    long bytes() {
        return bytes;
    }

    int size() {
        return items.size();
    }
}
