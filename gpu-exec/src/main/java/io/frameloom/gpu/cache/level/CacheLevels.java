package io.frameloom.gpu.cache.level;

import io.frameloom.gpu.cache.ProgramKind;
import io.frameloom.gpu.cache.disk.Digest;
import io.frameloom.gpu.cache.disk.DiskCache;
import io.frameloom.gpu.cache.disk.DiskStore;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a program goes through on its way to whoever asks for it. Any thread.
 *
 * @param memory programs in memory
 * @param failures programs that will never compile
 * @param flights programs that are being made, each by one thread
 * @param counters what the cache has done
 * @param audit which hits are made anew
 * @param disk programs on disk, or null
 * @param queue programs on their way there, or null
 */
public record CacheLevels(
        MemoryLevel memory,
        FailureMemory failures,
        Map<Digest, Flight> flights,
        CacheCounters counters,
        Audit audit,
        @Nullable DiskCache disk,
        @Nullable WriteQueue queue) {

    /**
     * Returns where the disk keeps programs of a kind and compatibility, or null.
     *
     * @param compatibility its fields as bytes
     */
    public @Nullable DiskStore store(ProgramKind kind, byte[] compatibility) {
        return disk == null ? null : disk.store(ProgramIdentity.folderName(kind), compatibility);
    }

    /** Returns a program on its way to disk, or null. */
    public boolean isPending(Digest program) {
        return queue != null && queue.pending(program) != null;
    }
}
