package io.frameloom.gpu.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceKind;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.QueueCounts;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.cache.ProgramCache;
import io.frameloom.gpu.cache.ProgramCacheOptions;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.SubmissionObserver;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.SystemPropertyException;
import io.frameloom.taskgraph.TaskGraph;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every option of a device can be set by a system property, and what is no value is refused by name with the way out. */
@Timeout(60)
class GpuPropertiesTest {
    private static final String PREFIX = "frameloom.gpu.";

    @TempDir
    private Path folder;

    private TaskGraph tasks;
    private ProgramCache cache;
    private DeviceOptions plain;

    /**
     * A system property.
     *
     * @param name its name without the prefix
     * @param value a value other than the default
     * @param option reads the option
     * @param expected what the option is with the value
     * @param bad what is no value
     * @param help what the message offers
     */
    private record Property(
            String name,
            String value,
            Function<DeviceOptions, Object> option,
            Object expected,
            String bad,
            String help) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Property> properties() {
        return List.of(
                new Property(
                        "applicationName", "viewer", DeviceOptions::applicationName, "viewer", " ", "needs a name"),
                new Property("validation", "true", DeviceOptions::validation, true, "yes", "true or false"),
                new Property("hazardChecker", "true", o -> o.observer() != null, true, "on", "true or false, got 'on'"),
                new Property("programCache", "false", o -> o.programCache() == null, true, "off", "true or false"),
                new Property("queues", "16,8,2", DeviceOptions::queues, new QueueCounts(16, 8, 2), "16", "as in 2,1,1"),
                new Property("memoryLimit", "1024", DeviceOptions::memoryLimit, 1024L, "0", "1 or more"),
                new Property("creationSites", "true", DeviceOptions::creationSites, true, "", "true or false"),
                new Property(
                        "surfaceExtensions",
                        "VK_KHR_xlib_surface, VK_KHR_xcb_surface",
                        DeviceOptions::surfaceExtensions,
                        Set.of("VK_KHR_surface", "VK_KHR_xlib_surface", "VK_KHR_xcb_surface"),
                        "xlib",
                        "VK_KHR_xlib_surface"),
                new Property(
                        "robustBufferAccess", "true", DeviceOptions::robustBufferAccess, true, "1", "true or false"),
                new Property("checks", "false", DeviceOptions::checks, false, "1", "true or false"),
                new Property("crashMarkers", "true", DeviceOptions::crashMarkers, true, "on", "true or false"),
                new Property(
                        "required",
                        "multiview, RAY_QUERIES",
                        DeviceOptions::required,
                        Set.of(Capability.MULTIVIEW, Capability.RAY_QUERIES),
                        "multiview,multivue",
                        "no capability is 'multivue'; there are DESCRIPTOR_INDEXING, "),
                new Property(
                        "preferred",
                        "MESH_SHADERS",
                        DeviceOptions::preferred,
                        Set.of(Capability.MESH_SHADERS),
                        "mesh",
                        "no capability is 'mesh'"));
    }

    @BeforeEach
    void makeOptions() {
        tasks = TaskGraph.builder().name("options").workers(1).build();
        cache = ProgramCache.open(ProgramCacheOptions.in(folder), tasks);
        plain = new DeviceOptions(tasks, "options", false, null).withProgramCache(cache);
    }

    @AfterEach
    void close() {
        cache.close();
        tasks.close();
    }

    private static <T> T with(String name, String value, Supplier<T> body) {
        System.setProperty(PREFIX + name, value);
        try {
            return body.get();
        } finally {
            System.clearProperty(PREFIX + name);
        }
    }

    @ParameterizedTest
    @MethodSource("properties")
    void aPropertyWinsOverTheCode(Property property) {
        assertThat(property.option.apply(plain)).isNotEqualTo(property.expected);
        DeviceOptions set = with(property.name, property.value, plain::withSystemProperties);
        assertThat(property.option.apply(set)).isEqualTo(property.expected);
        Set<String> changed = properties().stream()
                .filter(each -> !each.option.apply(set).equals(each.option.apply(plain)))
                .map(Property::name)
                .collect(Collectors.toSet());
        assertThat(changed).containsExactly(property.name);
    }

    @ParameterizedTest
    @MethodSource("properties")
    void aBadValueIsRefusedByNameWithTheWayOut(Property property) {
        assertThatThrownBy(() -> with(property.name, property.bad, plain::withSystemProperties))
                .isInstanceOf(SystemPropertyException.class)
                .hasMessageContaining("system property " + PREFIX + property.name)
                .hasMessageContaining(property.help);
    }

    @Test
    void everyOptionHasAProperty() {
        Set<String> options = Arrays.stream(DeviceOptions.class.getRecordComponents())
                .map(RecordComponent::getName)
                .map(name -> name.equals("observer") ? "hazardChecker" : name)
                .filter(name -> !name.equals("taskGraph"))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(properties().stream().map(Property::name)).containsExactlyInAnyOrderElementsOf(options);
    }

    @Test
    void theNamesAreThoseThatAreRead() {
        List<String> read = new ArrayList<>(List.of(PREFIX + "device"));
        properties().forEach(property -> read.add(PREFIX + property.name));
        assertThat(DeviceOptions.propertyNames()).containsExactlyInAnyOrderElementsOf(read);
    }

    @Test
    void withoutPropertiesOptionsStayAsTheyAre() {
        assertThat(plain.withSystemProperties()).isEqualTo(plain);
    }

    @Test
    void everyDeviceIsOpenedAsThePropertiesSay() {
        assertThatThrownBy(() -> with("memoryLimit", "x", () -> VirtualDevice.open(new VirtualGpuOptions(1, 1), plain)))
                .hasMessageContaining("frameloom.gpu.memoryLimit");
        assertThatThrownBy(() -> with("memoryLimit", "x", () -> VulkanDevices.open("", plain)))
                .hasMessageContaining("frameloom.gpu.memoryLimit");
        DeviceSelector nowhere = DeviceSelector.parse("no such device");
        try (GpuDevice device = with("device", "virtual:queues=3+2+1", () -> GpuDevices.open(nowhere, plain))) {
            assertThat(device.capabilities().kind()).isEqualTo(DeviceKind.SIMULATED);
            assertThat(device.queues()).hasSize(6);
        }
        assertThatThrownBy(() -> with("device", "virtual:queues=0", () -> GpuDevices.open(nowhere, plain)))
                .isInstanceOf(SystemPropertyException.class)
                .hasMessageContaining("system property frameloom.gpu.device: ")
                .hasMessageContaining("1 to 8 queues, got 0");
    }

    @Test
    void aCheckerOfTheApplicationIsLoggedOrLeftOut() {
        HazardChecker own = new HazardChecker();
        DeviceOptions checked = plain.withObserver(own);
        DeviceOptions logged = with("hazardChecker", "true", checked::withSystemProperties);
        assertThat(logged.observer()).isInstanceOf(HazardLog.class);
        assertThat(with("hazardChecker", "true", logged::withSystemProperties).observer())
                .as("options whose properties were applied before")
                .isSameAs(logged.observer());
        assertThat(checked.withSystemProperties().observer()).isSameAs(own);
        assertThat(with("hazardChecker", "false", checked::withSystemProperties).observer())
                .isNull();
    }

    @Test
    void aCheckerGoesBesideTheObserverOfTheApplication() {
        List<String> seen = new ArrayList<>();
        SubmissionObserver own = new SubmissionObserver() {
            @Override
            public void submitted(SubmissionRecord record) {
                seen.add(record.label());
            }

            @Override
            public void hostWaited(TimelinePoint point) {
                seen.add("host " + point.value());
            }
        };
        try (GpuDevice device = with(
                "hazardChecker",
                "true",
                () -> VirtualDevice.open(new VirtualGpuOptions(1, 1), plain.withObserver(own)))) {
            GpuQueue queue = device.queues().get(0);
            for (String label : List.of("first", "second")) {
                long value = queue.submit(new Submission(label, List.of(), List.of()))
                        .value();
                assertThat(queue.timeline().await(value, Duration.ofSeconds(30)))
                        .isTrue();
            }
        }
        assertThat(seen).containsExactly("first", "host 1", "second");
    }
}
