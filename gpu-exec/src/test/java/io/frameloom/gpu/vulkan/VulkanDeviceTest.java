package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.ValidationMessage;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.device.ObjectKind;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.error.NoSuchDeviceException;
import io.frameloom.gpu.record.DeviceObject;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryHeap;
import io.frameloom.gpu.resource.MemoryRequirements;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.vulkan.device.DriverDevice;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import io.frameloom.gpu.vulkan.driver.RawExtensions;
import io.frameloom.gpu.vulkan.driver.VulkanAdapter;
import io.frameloom.gpu.vulkan.driver.VulkanInstance;
import io.frameloom.taskgraph.TaskGraph;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lwjgl.vulkan.EXTCalibratedTimestamps;

@Timeout(60)
class VulkanDeviceTest {
    private TaskGraph tasks;
    private DeviceOptions options;

    @BeforeEach
    void buildTaskGraph() {
        ValidatedDevice.assumeDriver();
        tasks = TaskGraph.builder().name("device-test").workers(1).build();
        options = new DeviceOptions(tasks, "gpu-exec tests", true, null);
    }

    @AfterEach
    void closeTaskGraph() {
        if (tasks != null) {
            tasks.close();
        }
    }

    @Test
    void aDeviceOpensAndClosesAgainAndAgain() {
        for (int i = 0; i < 2; i++) {
            VulkanDevice device = VulkanDevices.open("", options);
            DeviceCapabilities capabilities = device.capabilities();
            assertThat(capabilities.renders()).isTrue();
            assertThat(capabilities.maxTextureExtent()).isGreaterThanOrEqualTo(4096);
            assertThat(capabilities.maxPushConstantBytes()).isGreaterThanOrEqualTo(128);
            assertThat(device.queues().get(0).kind()).isEqualTo(QueueKind.GRAPHICS);
            assertThat(device.queues())
                    .allSatisfy(queue ->
                            assertThat(device.queues().get(queue.index())).isSameAs(queue));
            assertThat(device.sampler(SamplerDescription.SHADOW))
                    .isSameAs(device.sampler(new SamplerDescription(true, false, true, 1)));
            device.waitIdle();
            device.close();
            device.close();
            assertThat(device.validationMessages()).isEmpty();
            assertThatThrownBy(device::waitIdle)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
        }
    }

    /** An error while the report of forgotten objects is written leaves neither the device nor its threads. */
    @Test
    void aReportThatFailsDoesNotKeepTheDeviceOpen() {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        DriverDevice device = (DriverDevice) VulkanDevices.open("", options);
        Set<Thread> its = new HashSet<>(Thread.getAllStackTraces().keySet());
        its.removeAll(before);
        its.removeIf(thread -> !thread.getName().startsWith("frameloom-gpu-"));
        assertThat(its).isNotEmpty();
        device.createFrameContext("forgotten");
        AssertionError failure = new AssertionError("no memory for the report");
        device.core().objects().add(new DeviceObject() {
            @Override
            public ObjectKind objectKind() {
                return ObjectKind.FRAME_CONTEXT;
            }

            @Override
            public String name() {
                throw failure;
            }

            @Override
            public void close() {}
        });
        assertThatThrownBy(device::close).isSameAs(failure);
        assertThat(its).noneMatch(Thread::isAlive);
        device.close();
        assertThatThrownBy(device::waitIdle).hasMessageContaining("closed");
    }

    @Test
    void aDeviceWhoseClockCannotBeMeasuredLeavesNothing() {
        StagedDriver driver = new StagedDriver();
        driver.failSubmissions();
        assertFailsToOpen(
                new DeviceSeams(driver, Set.of(EXTCalibratedTimestamps.VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME)),
                "submit the calibration");
    }

    @Test
    void aDeviceWhoseQueuesCannotBeHadLeavesNothing() {
        StagedDriver driver = new StagedDriver();
        driver.failQueues();
        assertFailsToOpen(new DeviceSeams(driver, Set.of()), "no queue for the test");
    }

    /** The validation layer reports what is left when the device is destroyed. */
    private void assertFailsToOpen(DeviceSeams seams, String message) {
        try (VulkanInstance instance = VulkanInstance.create("gpu-exec tests", true, Set.of())) {
            VulkanAdapter adapter = instance.adapters(seams.hiddenExtensions()).get(0);
            assertThatThrownBy(() -> new DriverDevice(instance, adapter, options, RawExtensions.NONE, seams))
                    .isInstanceOf(GpuException.class)
                    .hasMessageContaining(message);
            assertThat(Objects.requireNonNull(instance.log()).messages()).isEmpty();
        }
    }

    @Test
    void twoDevicesLiveSideBySide() {
        try (VulkanDevice first = VulkanDevices.open("", options);
                VulkanDevice second = VulkanDevices.open("", options)) {
            try (var buffer = first.createBuffer("of the first", BufferDescription.device(16, BufferUsage.COPY_DST));
                    var context = second.createFrameContext("of the second")) {
                var list = context.beginCommands(second.queues().get(0), "list");
                assertThatThrownBy(() -> list.fillBuffer(buffer, 0, 16, 0))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("'of the first'")
                        .hasMessageContaining("another device");
                assertThatThrownBy(() -> context.beginCommands(first.queues().get(0), "wrong"))
                        .isInstanceOf(IllegalArgumentException.class);
                list.end();
            }
        }
    }

    @Test
    void devicesAreFoundByAPartOfTheirName() {
        List<VulkanDeviceInfo> present = VulkanDevices.list();
        assertThat(present).anySatisfy(info -> assertThat(info.usable()).isTrue());
        String name = present.stream()
                .filter(VulkanDeviceInfo::usable)
                .findFirst()
                .orElseThrow()
                .name();
        String part = name.substring(0, Math.min(5, name.length())).toUpperCase(Locale.ROOT);
        try (VulkanDevice device = VulkanDevices.open(part, options)) {
            assertThat(device.capabilities().name()).isEqualTo(name);
        }
    }

    @Test
    void devicesAreFoundByTheirIndexAndUuid() {
        VulkanDeviceInfo first = VulkanDevices.list().stream()
                .filter(VulkanDeviceInfo::usable)
                .findFirst()
                .orElseThrow();
        assertThat(first.uuid()).matches("[0-9a-f]{32}");
        for (String wanted : List.of("#" + first.index(), first.uuid().toUpperCase(Locale.ROOT))) {
            try (VulkanDevice device = VulkanDevices.open(wanted, options)) {
                assertThat(device.capabilities().name()).isEqualTo(first.name());
                assertThat(device.info()).isEqualTo(first);
            }
        }
        VulkanDeviceInfo last = VulkanDevices.list().stream()
                .filter(VulkanDeviceInfo::usable)
                .max(Comparator.comparing(VulkanDeviceInfo::index))
                .orElseThrow();
        try (VulkanDevice device = VulkanDevices.open("#" + last.index(), options)) {
            assertThat(device.info()).isEqualTo(last);
        }
        assertThatThrownBy(() -> VulkanDevices.open("#99", options))
                .isInstanceOf(NoSuchDeviceException.class)
                .hasMessageContainingAll("no usable Vulkan device is #99", "#" + first.index(), first.uuid());
    }

    @Test
    void anUnknownNameListsTheDevicesPresent() {
        String present = VulkanDevices.list().get(0).name();
        assertThatThrownBy(() -> VulkanDevices.open("no such device", options))
                .isInstanceOf(NoSuchDeviceException.class)
                .hasMessageContaining("no such device")
                .hasMessageContaining(present);
    }

    @Test
    void closingNamesWhatWasForgottenAndDestroysIt() {
        VulkanDevice device = VulkanDevices.open("", options);
        TextureDescription shape = TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED);
        var texture = device.createTexture("lost texture", shape);
        texture.view();
        MemoryRequirements needs = device.requirements(shape);
        MemoryHeap heap = device.createHeap("lost heap", needs.bytes(), needs.memoryTypes());
        heap.placeTexture("lost resident", shape, 0);
        device.createFrameContext("lost context").allocateUpload(16, 16);
        device.createTimestampSet("lost stamps", 2);
        device.createBuffer("closed in time", BufferDescription.readback(4)).close();

        assertThatThrownBy(device::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("texture 'lost texture'")
                .hasMessageContaining("heap 'lost heap'")
                .hasMessageContaining("texture 'lost resident'")
                .hasMessageContaining("frame context 'lost context'")
                .hasMessageContaining("timestamp set 'lost stamps'")
                .hasMessageNotContaining("closed in time");
        assertThat(device.validationMessages())
                .noneSatisfy(message -> assertThat(message.severity()).isEqualTo(ValidationMessage.Severity.ERROR));
        device.close();
        texture.close();
    }
}
