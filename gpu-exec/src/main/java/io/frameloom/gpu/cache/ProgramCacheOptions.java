package io.frameloom.gpu.cache;

import io.frameloom.taskgraph.property.PropertyGroup;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a program cache is opened. Immutable. System properties {@code frameloom.cache.folder}, {@code memoryBytes},
 * {@code diskBytes}, {@code queueBytes} and {@code auditEvery} override them when it is opened.
 * The least recently used programs leave memory and disk first.
 *
 * @param folder folder of the disk level, created if it is not there; null for a cache in memory only
 * @param memoryBytes budget of the memory level, at least 1
 * @param diskBytes budget of the disk level for all devices and compilers together, at least 1; each process may exceed
 *     it by an eighth before it sees what the others have written
 * @param queueBytes most bytes that wait to be written; programs beyond it are not written
 * @param auditEvery one of so many hits is compiled anew and compared with the kept program, to find a cache that gives
 *     wrong programs; 0 for none
 */
public record ProgramCacheOptions(
        @Nullable Path folder, long memoryBytes, long diskBytes, long queueBytes, int auditEvery) {
    private static final long MEBIBYTE = 1 << 20;

    private static final PropertyGroup PROPERTIES =
            new PropertyGroup("frameloom.cache.", "folder", "memoryBytes", "diskBytes", "queueBytes", "auditEvery");

    public ProgramCacheOptions {
        requirePositive("memoryBytes", memoryBytes);
        requirePositive("diskBytes", diskBytes);
        requirePositive("queueBytes", queueBytes);
        if (auditEvery < 0) {
            throw new IllegalArgumentException(
                    "program cache option auditEvery must be at least 0, but is " + auditEvery);
        }
    }

    /** Options without audits. */
    public ProgramCacheOptions(@Nullable Path folder, long memoryBytes, long diskBytes, long queueBytes) {
        this(folder, memoryBytes, diskBytes, queueBytes, 0);
    }

    /** Returns the whole names of the system properties, such as {@code frameloom.cache.folder}. */
    public static Set<String> propertyNames() {
        return PROPERTIES.names();
    }

    /** Returns these options with the system properties applied. */
    ProgramCacheOptions withSystemProperties() {
        return new ProgramCacheOptions(
                folderWithSystemProperties(),
                PROPERTIES.number("memoryBytes", memoryBytes, 1, Long.MAX_VALUE),
                PROPERTIES.number("diskBytes", diskBytes, 1, Long.MAX_VALUE),
                PROPERTIES.number("queueBytes", queueBytes, 1, Long.MAX_VALUE),
                PROPERTIES.number("auditEvery", auditEvery, 0, Integer.MAX_VALUE));
    }

    private @Nullable Path folderWithSystemProperties() {
        @Nullable String text = PROPERTIES.text("folder");
        if (text == null) {
            return folder;
        }
        return text.isBlank() ? null : PROPERTIES.folder("folder", Path.of(""));
    }

    private static void requirePositive(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException("program cache option " + name + " must be at least 1, but is " + value);
        }
    }

    /** A cache in memory only: 64 MiB. */
    public static ProgramCacheOptions inMemory() {
        return new ProgramCacheOptions(null, 64 * MEBIBYTE, 1, 1);
    }

    /** A cache in a folder: 64 MiB in memory, 512 MiB on disk, 64 MiB waiting. */
    public static ProgramCacheOptions in(Path folder) {
        return new ProgramCacheOptions(folder, 64 * MEBIBYTE, 512 * MEBIBYTE, 64 * MEBIBYTE);
    }

    /** As these, with another budget of the memory level. */
    public ProgramCacheOptions withMemoryBytes(long bytes) {
        return new ProgramCacheOptions(folder, bytes, diskBytes, queueBytes, auditEvery);
    }

    /** As these, with another budget of the disk level. */
    public ProgramCacheOptions withDiskBytes(long bytes) {
        return new ProgramCacheOptions(folder, memoryBytes, bytes, queueBytes, auditEvery);
    }

    /** As these, with another limit of the bytes that wait to be written. */
    public ProgramCacheOptions withQueueBytes(long bytes) {
        return new ProgramCacheOptions(folder, memoryBytes, diskBytes, bytes, auditEvery);
    }

    /** As these, with one of {@code hits} hits compiled anew and compared; 0 for none. */
    public ProgramCacheOptions withAuditEvery(int hits) {
        return new ProgramCacheOptions(folder, memoryBytes, diskBytes, queueBytes, hits);
    }
}
