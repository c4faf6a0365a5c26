package io.frameloom.gpu.cache;

import io.frameloom.gpu.error.SystemPropertyException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * System properties that override how a program cache is opened, whatever the application says:
 *
 * <pre>
 * frameloom.cache.folder       folder of the disk level; empty for none
 * frameloom.cache.memoryBytes  budget of the memory level
 * frameloom.cache.diskBytes    budget of the disk level
 * frameloom.cache.queueBytes   most bytes that wait to be written
 * frameloom.cache.leaseMillis  longest wait for another process
 * frameloom.cache.auditEvery   one of how many hits is compiled anew and compared; 0 for none
 * </pre>
 */
final class CacheProperties {
    static final String PREFIX = "frameloom.cache.";

    private static final Set<String> NAMES =
            Set.of("folder", "memoryBytes", "diskBytes", "queueBytes", "leaseMillis", "auditEvery");

    private CacheProperties() {}

    /**
     * Returns the options with the properties applied.
     *
     * @throws SystemPropertyException naming a property that has a wrong value
     */
    static ProgramCacheOptions over(ProgramCacheOptions options) {
        return new ProgramCacheOptions(
                folder(options.folder()),
                number("memoryBytes", options.memoryBytes(), 1),
                number("diskBytes", options.diskBytes(), 1),
                number("queueBytes", options.queueBytes(), 1),
                Duration.ofMillis(number("leaseMillis", options.lease().toMillis(), 1)),
                (int) Math.min(Integer.MAX_VALUE, number("auditEvery", options.auditEvery(), 0)));
    }

    static Set<String> names() {
        return NAMES.stream().map(PREFIX::concat).collect(Collectors.toUnmodifiableSet());
    }

    private static @Nullable Path folder(@Nullable Path otherwise) {
        String text = System.getProperty(PREFIX + "folder");
        if (text == null) {
            return otherwise;
        }
        try {
            return text.isBlank() ? null : Path.of(text);
        } catch (InvalidPathException e) {
            throw new SystemPropertyException(PREFIX + "folder", "=" + text + " is no path", e);
        }
    }

    private static long number(String name, long otherwise, long least) {
        String text = System.getProperty(PREFIX + name);
        if (text == null) {
            return otherwise;
        }
        try {
            long value = Long.parseLong(text.trim());
            if (value >= least) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new SystemPropertyException(
                    PREFIX + name, "=" + text + " is not a whole number of at least " + least, e);
        }
        throw new SystemPropertyException(PREFIX + name, "=" + text + " must be at least " + least, null);
    }
}
