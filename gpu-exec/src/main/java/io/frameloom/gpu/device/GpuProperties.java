package io.frameloom.gpu.device;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.QueueCounts;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.SubmissionObserver;
import io.frameloom.taskgraph.SystemPropertyException;
import io.frameloom.taskgraph.property.PropertyGroup;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads {@link DeviceOptions} from system properties. */
public final class GpuProperties {
    public static final PropertyGroup GROUP = new PropertyGroup(
            "frameloom.gpu.",
            "device",
            "applicationName",
            "validation",
            "hazardChecker",
            "programCache",
            "queues",
            "memoryLimit",
            "creationSites",
            "surfaceExtensions",
            "robustBufferAccess",
            "checks",
            "required",
            "preferred",
            "crashMarkers");

    private GpuProperties() {}

    /**
     * Returns the options with the properties applied.
     *
     * @throws SystemPropertyException naming a property whose value is wrong
     */
    public static DeviceOptions over(DeviceOptions options) {
        String name = GROUP.parsed("applicationName", options.applicationName(), GpuProperties::name);
        return new DeviceOptions(
                options.taskGraph(),
                name,
                GROUP.flag("validation", options.validation()),
                observer(name, options.observer()),
                GROUP.flag("programCache", true) ? options.programCache() : null,
                GROUP.parsed("queues", options.queues(), QueueCounts::parse),
                GROUP.number("memoryLimit", options.memoryLimit(), 1, Long.MAX_VALUE),
                GROUP.flag("creationSites", options.creationSites()),
                GROUP.parsed(
                        "surfaceExtensions",
                        options.surfaceExtensions(),
                        value -> options.withSurfaces(extensions(value)).surfaceExtensions()),
                GROUP.flag("robustBufferAccess", options.robustBufferAccess()),
                GROUP.flag("checks", options.checks()),
                GROUP.parsed("required", options.required(), Capability::parse),
                GROUP.parsed("preferred", options.preferred(), Capability::parse),
                GROUP.flag("crashMarkers", options.crashMarkers()));
    }

    /** Returns whether the property asks for the validation layer, whose messages are then logged. */
    public static boolean wantsValidation() {
        return GROUP.flag("validation", false);
    }

    private static @Nullable SubmissionObserver observer(String name, @Nullable SubmissionObserver given) {
        if (GROUP.flag("hazardChecker", false)) {
            return given instanceof HazardLog
                    ? given
                    : new HazardLog(System.getLogger("io.frameloom.gpu"), name, given);
        }
        boolean leftOut = GROUP.text("hazardChecker") != null && given instanceof HazardChecker;
        return leftOut ? null : given;
    }

    private static String name(String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException("needs a name, it is empty");
        }
        return value;
    }

    private static Set<String> extensions(String value) {
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
