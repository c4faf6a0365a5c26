package io.frameloom.gpu.device;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.QueueCounts;
import io.frameloom.gpu.cache.ProgramCache;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.SubmissionObserver;
import io.frameloom.gpu.error.SystemPropertyException;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads {@link DeviceOptions} from system properties. A wrong value is refused by name, with the right values. */
public final class GpuProperties {
    private static final String PREFIX = "frameloom.gpu.";

    /** Names of the properties without the prefix, with that of {@link io.frameloom.gpu.backend.GpuDevices}. */
    private static final Set<String> NAMES = Set.of(
            "device",
            "applicationName",
            "validation",
            "hazardChecker",
            "programCache",
            "queues",
            "memoryLimit",
            "creationSites",
            "surfaceExtensions",
            "robustBufferAccess");

    private GpuProperties() {}

    /**
     * Returns the options with the properties applied.
     *
     * @throws SystemPropertyException naming a property that has a wrong value
     */
    public static DeviceOptions over(DeviceOptions options) {
        String name = parsed("applicationName", options.applicationName(), GpuProperties::text);
        return new DeviceOptions(
                options.taskGraph(),
                name,
                parsed("validation", options.validation(), GpuProperties::flag),
                observer(name, options.observer()),
                cache(options.programCache()),
                parsed("queues", options.queues(), QueueCounts::parse),
                parsed("memoryLimit", options.memoryLimit(), GpuProperties::bytes),
                parsed("creationSites", options.creationSites(), GpuProperties::flag),
                parsed(
                        "surfaceExtensions",
                        options.surfaceExtensions(),
                        value -> options.withSurfaces(names(value)).surfaceExtensions()),
                parsed("robustBufferAccess", options.robustBufferAccess(), GpuProperties::flag));
    }

    /** Returns whether the property asks for the validation layer, whose messages are then logged. */
    public static boolean wantsValidation() {
        return parsed("validation", false, GpuProperties::flag);
    }

    /** Returns the whole names of the properties. */
    public static Set<String> names() {
        return NAMES.stream().map(PREFIX::concat).collect(Collectors.toUnmodifiableSet());
    }

    private static @Nullable SubmissionObserver observer(String name, @Nullable SubmissionObserver given) {
        if (parsed("hazardChecker", false, GpuProperties::flag)) {
            return given instanceof HazardLog
                    ? given
                    : new HazardLog(System.getLogger("io.frameloom.gpu"), name, given);
        }
        boolean leftOut = System.getProperty(PREFIX + "hazardChecker") != null && given instanceof HazardChecker;
        return leftOut ? null : given;
    }

    private static @Nullable ProgramCache cache(@Nullable ProgramCache given) {
        return parsed("programCache", true, GpuProperties::flag) ? given : null;
    }

    private static <T> T parsed(String name, T otherwise, Function<String, T> parser) {
        @Nullable String value = System.getProperty(PREFIX + name);
        if (value == null) {
            return otherwise;
        }
        try {
            return parser.apply(value);
        } catch (IllegalArgumentException e) {
            throw new SystemPropertyException(PREFIX + name, ": " + e.getMessage(), e);
        }
    }

    private static boolean flag(String value) {
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("must be true or false, got '" + value + "'");
        };
    }

    private static String text(String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException("needs a name, it is empty");
        }
        return value;
    }

    private static long bytes(String value) {
        if (!value.matches("[1-9][0-9]{0,17}")) {
            throw new IllegalArgumentException("must be a whole number of bytes, 1 or more, got '" + value + "'");
        }
        return Long.parseLong(value);
    }

    private static Set<String> names(String value) {
        Set<String> names =
                Arrays.stream(value.split(",", -1)).map(String::strip).collect(Collectors.toSet());
        if (names.stream().anyMatch(name -> !name.matches("VK_[A-Za-z0-9_]+"))) {
            throw new IllegalArgumentException(
                    "must be names of instance extensions as VK_KHR_xlib_surface, separated by commas, got '" + value
                            + "'");
        }
        return names;
    }
}
