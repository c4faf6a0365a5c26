package io.frameloom.samples.devices;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceKind;
import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.QueueCounts;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.resource.MemoryStatistics;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.vulkan.VulkanDeviceInfo;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.SystemPropertyException;
import io.frameloom.taskgraph.TaskGraph;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code frameloom devices}: what there is to run on. Every usable device is opened once. */
@Command(
        name = "devices",
        mixinStandardHelpOptions = true,
        version = "frameloom 0.1.0-SNAPSHOT",
        description = {
            "Lists the Vulkan devices, best first, and the virtual one, with what --device takes for each: driver, queues,"
                    + " memory, limits, and what a device lacks that cannot be opened.",
            "The default is what --device auto opens."
        })
public final class DevicesCommand implements Callable<Integer> {
    private static final String DEVICE_PROPERTY = "frameloom.gpu.device";
    private static final double GIBIBYTE = 1L << 30;
    private static final double KILO = 1024;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        String chosen = chosen();
        PrintWriter out = spec.commandLine().getOut();
        List<VulkanDeviceInfo> present = GpuDevices.list();
        String reason = VulkanDevices.unavailableReason();
        if (!reason.isEmpty()) {
            out.println("no Vulkan device can be opened: " + reason);
        }
        boolean taken = false;
        try (TaskGraph tasks = TaskGraph.builder().name("devices").workers(1).build()) {
            for (VulkanDeviceInfo device : present) {
                boolean first = device.usable() && !taken;
                taken |= first;
                print(out, device, first, tasks);
            }
            out.println(
                    "Frameloom virtual GPU: simulated, for tests without a driver" + (taken ? "" : " (the default)"));
            out.println("  --device  virtual, or with settings as virtual:queues=2+1+1,seed=7");
            open(out, tasks, options -> VirtualDevice.open(DeviceSelector.Virtual.DEFAULT.options(), options));
        }
        if (chosen != null) {
            out.println(
                    "the system property " + DEVICE_PROPERTY + "=" + chosen + " wins over --device and the default");
        }
        out.flush();
        return 0;
    }

    private static @Nullable String chosen() {
        String chosen = System.getProperty(DEVICE_PROPERTY);
        try {
            if (chosen != null) {
                DeviceSelector.parse(chosen);
            }
            return chosen;
        } catch (IllegalArgumentException e) {
            throw new SystemPropertyException(DEVICE_PROPERTY, ": " + e.getMessage(), e);
        }
    }

    private static void print(PrintWriter out, VulkanDeviceInfo device, boolean first, TaskGraph tasks) {
        out.println(device.name() + ": " + words(device.kind()) + ", Vulkan " + device.apiVersion()
                + (first ? " (the default)" : ""));
        out.println("  --device  #" + device.index()
                + (device.uuid().isEmpty() ? "" : ", " + device.uuid())
                + (device.pciAddress().isEmpty() ? "" : ", " + device.pciAddress()) + ", or a part of the name");
        out.println("  has       " + Capability.list(device.capabilities()));
        if (device.usable()) {
            open(out, tasks, options -> VulkanDevices.open("#" + device.index(), options));
        } else {
            out.println("  cannot be opened, it lacks " + device.missing());
        }
    }

    private static void open(PrintWriter out, TaskGraph tasks, Function<DeviceOptions, GpuDevice> opening) {
        DeviceOptions options = new DeviceOptions(tasks, "Frameloom devices", false, null).withQueues(QueueCounts.ALL);
        try (GpuDevice device = opening.apply(options)) {
            DeviceCapabilities capabilities = device.capabilities();
            out.println("  driver    " + capabilities.driver());
            out.println("  queues    " + queues(device));
            for (MemoryStatistics.Heap heap : device.memoryStatistics().heaps()) {
                out.println("  memory    " + words(heap));
            }
            out.println("  limits    " + limits(capabilities));
        } catch (GpuException e) {
            out.println("  cannot be opened: " + String.valueOf(e.getMessage()).replaceAll("\\s*\\R\\s*", " "));
        }
    }

    private static String queues(GpuDevice device) {
        return Arrays.stream(QueueKind.values())
                .map(kind -> device.queues(kind).size() + " " + kind.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
    }

    private static String words(MemoryStatistics.Heap heap) {
        return String.format(
                Locale.ROOT,
                "heap %d, %s: %s, of which this process may have %s",
                heap.index(),
                heap.deviceLocal() ? "the device's own" : "the host's",
                size(heap.bytes()),
                size(heap.budget()));
    }

    private static String size(long bytes) {
        double gibibytes = bytes / GIBIBYTE;
        return gibibytes < KILO
                ? String.format(Locale.ROOT, "%.1f GiB", gibibytes)
                : String.format(Locale.ROOT, "%.1f TiB", gibibytes / KILO);
    }

    private static String limits(DeviceCapabilities capabilities) {
        DeviceLimits.Compute compute = capabilities.limits().compute();
        return "textures of " + capabilities.maxTextureExtent() + ", " + capabilities.maxPushConstantBytes()
                + " bytes of push constants, workgroups of " + compute.maxInvocations() + " with "
                + compute.maxSharedBytes() + " bytes shared, subgroups of " + compute.subgroupSize()
                + (capabilities.timestamps() ? "" : ", no timestamps");
    }

    private static String words(DeviceKind kind) {
        return switch (kind) {
            case DISCRETE -> "discrete GPU";
            case INTEGRATED -> "integrated GPU";
            case VIRTUALIZED -> "GPU of a virtual machine";
            case CPU -> "software driver";
            case SIMULATED -> "simulated";
        };
    }
}
