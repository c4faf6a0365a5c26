package io.frameloom.gpu.cache;

import java.util.Map;

/**
 * What a cache has done since it was opened. Times are nanoseconds.
 *
 * @param lookups results of the lookups
 * @param memory the memory level
 * @param disk the disk level; all zero without one
 * @param times durations
 */
public record ProgramCacheStatistics(Lookups lookups, Memory memory, Disk disk, Times times) {
    /**
     * Results of the lookups of programs.
     *
     * @param memoryHits taken from memory
     * @param diskHits read from disk
     * @param joined made by another thread while this one waited
     * @param builds compiled
     * @param failures did not compile
     * @param knownFailures were known not to compile, and not tried again
     * @param refusals binaries that a driver did not take; each was made anew
     * @param savedNanos nanoseconds that it once took to compile the programs read from disk
     * @param audits hits that were compiled anew nonetheless, and compared
     * @param auditMismatches audits that gave another program, which was kept instead
     */
    public record Lookups(
            long memoryHits,
            long diskHits,
            long joined,
            long builds,
            long failures,
            long knownFailures,
            long refusals,
            long savedNanos,
            long audits,
            long auditMismatches) {}

    /**
     * The memory level.
     *
     * @param programs programs in there now
     * @param bytes their bytes
     * @param preloaded programs that were read ahead in the background
     * @param evictions programs that were evicted
     * @param entryBytes sizes of the programs that came in
     * @param bytesBefore bytes before each program came in
     * @param bytesAfter bytes after each program came in
     */
    public record Memory(
            long programs,
            long bytes,
            long preloaded,
            long evictions,
            Distribution entryBytes,
            Distribution bytesBefore,
            Distribution bytesAfter) {}

    /**
     * The disk level.
     *
     * @param writes programs written
     * @param writtenBytes their bytes
     * @param droppedWrites programs not written because too much was waiting
     * @param failedWrites writes refused by the file system: a full or read-only disk, a program beyond the budget
     * @param evictions programs deleted to make room
     * @param damaged files that were not taken for programs, each once, by reason
     * @param crashes programs found to have ended a process while a driver was given them
     * @param litter remains of ended processes, removed
     * @param bytesBefore bytes of all programs that this process knew of before each write
     * @param bytesAfter bytes of all programs that this process knew of after each write
     */
    public record Disk(
            long writes,
            long writtenBytes,
            long droppedWrites,
            long failedWrites,
            long evictions,
            Map<String, Long> damaged,
            long crashes,
            long litter,
            Distribution bytesBefore,
            Distribution bytesAfter) {
        public Disk {
            damaged = Map.copyOf(damaged);
        }
    }

    /**
     * Durations in nanoseconds.
     *
     * @param memoryHit a program from memory, the driver's part included
     * @param diskHit a program from disk, the driver's part included
     * @param miss a program that was in neither, in all
     * @param build its compilation alone
     * @param diskRead finding, reading and checking a file, without the driver's part
     */
    public record Times(
            Distribution memoryHit,
            Distribution diskHit,
            Distribution miss,
            Distribution build,
            Distribution diskRead) {}

    /**
     * A distribution of values.
     *
     * @param count number of values
     * @param mean mean, 0 if there are none
     * @param p50 median, at most a sixteenth too large
     * @param p90 90th percentile, likewise
     * @param p99 99th percentile, likewise
     * @param max largest value, exactly
     */
    public record Distribution(long count, double mean, long p50, long p90, long p99, long max) {}
}
