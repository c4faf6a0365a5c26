package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.LevelBinding;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.MemoryStatistics;
import io.frameloom.gpu.resource.MemoryStatistics.Allocation;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.vulkan.device.DriverDevice;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import io.frameloom.taskgraph.TaskGraph;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A binding that fails leaves the memory of levels as it was. */
@Timeout(60)
class VulkanSparseFaultsTest {
    private static final long LIMIT = 3 << 20;

    private final StagedDriver driver = new StagedDriver();
    private TaskGraph tasks;
    private DriverDevice device;
    private GpuQueue queue;
    private Texture texture;
    private long level;

    @BeforeEach
    void open() {
        ValidatedDevice.assumeDriver();
        assumeTrue(
                VulkanDevices.list().stream()
                        .anyMatch(each -> each.capabilities().contains(Capability.SPARSE_RESIDENCY)),
                "no device has " + Capability.SPARSE_RESIDENCY);
        tasks = TaskGraph.builder().name("sparse").workers(1).build();
        device = SeamedDevices.open(
                "",
                new DeviceOptions(tasks, "sparse", true, null)
                        .withMemoryLimit(LIMIT)
                        .require(Capability.SPARSE_RESIDENCY),
                new DeviceSeams(driver, Set.of()));
        queue = device.queues().stream()
                .filter(GpuQueue::bindsLevels)
                .findFirst()
                .orElseThrow();
        texture = device.createSparseTexture(
                "sparse",
                TextureDescription.of(512, 512, Format.R8G8B8A8_UNORM, TextureUsage.COPY_DST)
                        .withMips(2));
        level = Objects.requireNonNull(texture.sparse()).bytes().get(0);
    }

    @AfterEach
    void close() {
        if (device != null) {
            texture.close();
            device.close();
            assertThat(device.validationMessages()).isEmpty();
        }
        if (tasks != null) {
            tasks.close();
        }
    }

    private TimelinePoint bind(LevelBinding.Change... changes) {
        return queue.bind(new LevelBinding("binding", List.of(changes), List.of()));
    }

    private LevelBinding.Change gain(int of) {
        return new LevelBinding.Change(texture, of, true);
    }

    private long bytes() {
        MemoryStatistics statistics = device.memoryStatistics();
        return statistics.allocations().stream()
                .filter(each -> each.kind() == MemoryStatistics.Kind.TEXTURE)
                .mapToLong(Allocation::bytes)
                .sum();
    }

    @Test
    void oneThatTheDriverRefusesChangesNothing() {
        driver.refuseSubmission();
        assertThatThrownBy(() -> bind(gain(0)))
                .isInstanceOf(GpuException.class)
                .hasMessageContainingAll("'binding'", "VK_ERROR_OUT_OF_HOST_MEMORY");
        assertThat(bytes()).isZero();
        assertThat(queue.timeline().submitted()).isZero();
        bind(gain(0));
        assertThat(bytes()).isEqualTo(level);
    }

    @Test
    void oneThatLosesTheDeviceSaysSo() {
        bind(gain(0));
        driver.failSubmissions();
        assertThatThrownBy(() -> bind(gain(1)))
                .isInstanceOf(DeviceLostException.class)
                .hasMessageContaining("'binding'");
        assertThat(bytes()).isEqualTo(level);
    }

    @Test
    void whatItNamesIsKeptForTheDriverWhenTheDeviceIsLost() {
        AtomicLong kept = new AtomicLong();
        driver.whileBinding(() -> {
            driver.failCounters();
            queue.timeline().completed();
            texture.close();
            kept.set(bytes());
            driver.failSubmissions();
        });
        assertThatThrownBy(() -> bind(gain(0))).isInstanceOf(DeviceLostException.class);
        assertThat(kept).hasValue(level);
        assertThat(bytes()).isZero();
    }

    @Test
    void oneWithoutMemoryForAllChangesNothing() {
        Texture large = device.createSparseTexture(
                "large", TextureDescription.of(1024, 1024, Format.R8G8B8A8_UNORM, TextureUsage.COPY_DST));
        assertThatThrownBy(() -> bind(gain(0), new LevelBinding.Change(large, 0, true)))
                .isInstanceOf(GpuOutOfMemoryException.class)
                .hasMessageContaining("bind level 0 of texture 'large'");
        assertThat(bytes()).isZero();
        bind(gain(0));
        large.close();
    }

    @Test
    void allTexturesTogetherHaveTheAddressesOfTheDevice() {
        long most = device.core().adapter().sparseAddressBytes();
        assumeTrue(most == 2L << 30, "the device has addresses for 2 GiB of sparse textures, as lavapipe has");
        TextureDescription half = TextureDescription.of(1 << 14, 1 << 14, Format.R8G8B8A8_UNORM, TextureUsage.COPY_DST);
        Texture first = device.createSparseTexture("first", half);
        assertThatThrownBy(() -> device.createSparseTexture("second", half))
                .isInstanceOf(GpuOutOfMemoryException.class)
                .hasMessageContainingAll("create sparse texture 'second'", "addresses for " + most + " bytes");
        first.close();
        device.createSparseTexture("second", half).close();
    }

    @Test
    void memoryOfATextureThatIsClosedIsFreeWhenTheDeviceHasFinished() {
        driver.hold();
        TimelinePoint bound = bind(gain(0), gain(1));
        texture.close();
        assertThat(bytes()).isGreaterThan(level);
        driver.release();
        assertThat(queue.timeline().await(bound.value(), Duration.ofSeconds(30)))
                .isTrue();
        device.waitIdle();
        assertThat(bytes()).isZero();
    }
}
