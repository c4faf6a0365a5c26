package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.gpu.vulkan.VulkanDeviceInfo;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.VirtualDevices;
import io.frameloom.rdg.utility.DeviceCrossing;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Assumptions;

/** One task graph with two devices, each with an executor and a submit thread of its own, and a crossing between them. */
final class TwoDevices implements AutoCloseable {
    /** Which two. */
    enum Pair {
        VIRTUAL,
        VIRTUAL_AND_VULKAN,
        /** Two devices of one physical device, which share memory; skipped by name where none can. */
        VULKAN,
        /** Devices of two drivers. */
        TWO_DRIVERS;

        TwoDevices open() {
            if (this != VIRTUAL) {
                String reason = VulkanDevices.unavailableReason();
                Assumptions.assumeTrue(reason.isEmpty(), reason);
            }
            return switch (this) {
                case VIRTUAL -> of(virtual(2, 5), virtual(3, 6));
                case VIRTUAL_AND_VULKAN -> of(vulkan(""), virtual(2, 7));
                case VULKAN -> {
                    TestDevice.assumeAny(Capability.EXTERNAL_MEMORY_FD);
                    yield of(sharing(), sharing());
                }
                case TWO_DRIVERS -> {
                    List<VulkanDeviceInfo> usable = VulkanDevices.list().stream()
                            .filter(VulkanDeviceInfo::usable)
                            .toList();
                    Assumptions.assumeTrue(usable.size() > 1, "there is one driver");
                    yield of(
                            vulkan("#" + usable.get(0).index()),
                            vulkan("#" + usable.get(1).index()));
                }
            };
        }
    }

    static final NamedThread SECOND_RHI = NamedThread.of("RHI 2");

    final TaskGraph tasks = TaskGraph.builder().name("two devices").workers(2).build();
    final HazardChecker firstChecker = new HazardChecker();
    final HazardChecker secondChecker = new HazardChecker();
    final GpuDevice firstDevice;
    final GpuDevice secondDevice;
    final FrameExecutor first;
    final FrameExecutor second;
    final DeviceCrossing crossing;
    /** Of both devices, with a recording group for each pass. */
    final RenderGraphCompiler compiler =
            new RenderGraphCompiler(RdgOptions.defaults().withPassLimits(1, 1));

    private TwoDevices(Function<DeviceOptions, GpuDevice> openFirst, Function<DeviceOptions, GpuDevice> openSecond) {
        tasks.start(NamedThread.RHI);
        tasks.start(SECOND_RHI);
        firstDevice = openFirst.apply(new DeviceOptions(tasks, "first", false, firstChecker));
        secondDevice = openSecond.apply(new DeviceOptions(tasks, "second", false, secondChecker));
        first = new FrameExecutor(firstDevice, tasks);
        second = new FrameExecutor(
                secondDevice, tasks, FrameExecutorOptions.defaults().withSubmitThread(SECOND_RHI));
        crossing = new DeviceCrossing("picture", firstDevice, secondDevice);
    }

    static TwoDevices of(Function<DeviceOptions, GpuDevice> openFirst, Function<DeviceOptions, GpuDevice> openSecond) {
        return new TwoDevices(openFirst, openSecond);
    }

    static Function<DeviceOptions, GpuDevice> virtual(int queues, long seed) {
        return options -> VirtualDevices.open(new VirtualGpuOptions(queues, seed), options);
    }

    /** Opens a device under validation that shares memory if it can. */
    static Function<DeviceOptions, GpuDevice> vulkan(String name) {
        return options -> VulkanDevices.open(name, options.withValidation(true).prefer(Capability.EXTERNAL_MEMORY_FD));
    }

    private static Function<DeviceOptions, GpuDevice> sharing() {
        return options -> VulkanDevices.open("", options.withValidation(true).require(Capability.EXTERNAL_MEMORY_FD));
    }

    FramePlan compileFirst(RenderGraph graph) {
        return compiler.compile(graph, QueueTopology.of(firstDevice), MemorySizer.of(firstDevice));
    }

    FramePlan compileSecond(RenderGraph graph) {
        return compiler.compile(graph, QueueTopology.of(secondDevice), MemorySizer.of(secondDevice));
    }

    void assertClean() {
        assertThat(firstChecker.hazards()).isEmpty();
        assertThat(secondChecker.hazards()).isEmpty();
        assertThat(firstDevice.validationMessages()).isEmpty();
        assertThat(secondDevice.validationMessages()).isEmpty();
    }

    @Override
    public void close() {
        second.close();
        first.close();
        crossing.close();
        secondDevice.close();
        firstDevice.close();
        tasks.close();
    }
}
