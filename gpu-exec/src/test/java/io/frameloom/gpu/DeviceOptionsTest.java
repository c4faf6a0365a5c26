package io.frameloom.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.cache.ProgramCache;
import io.frameloom.gpu.cache.ProgramCacheOptions;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceOptionsTest {
    @Test
    void everyChangeKeepsEverythingElse(@TempDir Path folder) {
        try (TaskGraph tasks = TaskGraph.builder().name("options").workers(1).build();
                ProgramCache cache = ProgramCache.open(ProgramCacheOptions.in(folder), tasks)) {
            HazardChecker observer = new HazardChecker();
            Map<String, UnaryOperator<DeviceOptions>> changes = new TreeMap<>(Map.of(
                    "validation", options -> options.withValidation(true),
                    "observer", options -> options.withObserver(observer),
                    "programCache", options -> options.withProgramCache(cache),
                    "queues", options -> options.withQueues(new QueueCounts(2, 3, 1)),
                    "memoryLimit", options -> options.withMemoryLimit(1000),
                    "creationSites", DeviceOptions::withCreationSites,
                    "surfaceExtensions", options -> options.withSurfaces(List.of()),
                    "robustBufferAccess", DeviceOptions::withRobustBufferAccess,
                    "checks", options -> options.withChecks(false)));
            changes.put("required", options -> options.require(Capability.MULTIVIEW));
            changes.put("crashMarkers", DeviceOptions::withCrashMarkers);
            changes.put("preferred", options -> options.prefer(Capability.MESH_SHADERS));
            DeviceOptions plain = DeviceOptions.of(tasks, "options");
            assertThat(plain).isEqualTo(new DeviceOptions(tasks, "options", false, null));
            changes.forEach((component, change) -> assertThat(different(plain, change.apply(plain)))
                    .as("with %s", component)
                    .isEqualTo(component));
            DeviceOptions all = plain;
            for (UnaryOperator<DeviceOptions> change : changes.values()) {
                all = change.apply(all);
            }
            assertThat(all)
                    .isEqualTo(new DeviceOptions(
                            tasks,
                            "options",
                            true,
                            observer,
                            cache,
                            new QueueCounts(2, 3, 1),
                            1000,
                            true,
                            Set.of("VK_KHR_surface"),
                            true,
                            false,
                            Set.of(Capability.MULTIVIEW),
                            Set.of(Capability.MESH_SHADERS),
                            true));
        }
    }

    @Test
    void capabilitiesAreJoined() {
        try (TaskGraph tasks = TaskGraph.builder().name("options").workers(1).build()) {
            DeviceOptions options = DeviceOptions.of(tasks, "options")
                    .require(Capability.MULTIVIEW)
                    .require(Capability.RAY_QUERIES, Capability.MULTIVIEW)
                    .prefer(Capability.MESH_SHADERS)
                    .prefer();
            assertThat(options.required()).containsExactlyInAnyOrder(Capability.MULTIVIEW, Capability.RAY_QUERIES);
            assertThat(options.preferred()).containsExactly(Capability.MESH_SHADERS);
        }
    }

    @Test
    void aMemoryLimitOfNothingIsRefused() {
        try (TaskGraph tasks = TaskGraph.builder().name("options").workers(1).build()) {
            DeviceOptions plain = new DeviceOptions(tasks, "options", false, null);
            assertThatThrownBy(() -> plain.withMemoryLimit(0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("at least 1 byte");
        }
    }

    /** Returns the names of the components in which two options differ, joined by commas. */
    private static String different(DeviceOptions some, DeviceOptions others) {
        return Arrays.stream(DeviceOptions.class.getRecordComponents())
                .filter(component -> {
                    try {
                        Object one = component.getAccessor().invoke(some);
                        Object other = component.getAccessor().invoke(others);
                        return one == null ? other != null : !one.equals(other);
                    } catch (ReflectiveOperationException e) {
                        throw new LinkageError(component.getName(), e);
                    }
                })
                .map(component -> component.getName())
                .collect(Collectors.joining(","));
    }
}
