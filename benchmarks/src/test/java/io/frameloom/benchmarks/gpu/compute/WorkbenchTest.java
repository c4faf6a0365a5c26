package io.frameloom.benchmarks.gpu.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.TaskGraph;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WorkbenchTest {
    /** Both outputs are compared, window by window. */
    @Test
    void aClipWhoseResultIsWrongIsFoundWhereverItIs() {
        String reason = VulkanDevices.unavailableReason();
        assumeTrue(reason.isEmpty(), reason);
        try (TaskGraph tasks = TaskGraph.builder().name("clips").workers(1).build();
                GpuDevice device = VulkanDevices.open("", new DeviceOptions(tasks, "clips", false, null))) {
            long length = Workbench.WINDOW_WORDS / 4 + 5;
            try (Workbench bench = new Workbench(device, 1, true, 8 * length)) {
                ClipCase clips = new ClipCase(bench, Inputs.Brackets.RANDOM, length);
                assertThat(clips.check()).isEmpty();
                Buffer links = clips.arguments().links().buffer();
                Buffer boxes = clips.arguments().effective().buffer();
                // The last of the second window and of the first.
                for (long wrong : new long[] {length - 1, length - 6}) {
                    bench.execute(list -> list.fillBuffer(boxes, 16 * wrong + 12, 4, 0x7777_7777));
                    assertThat(clips.difference()).isEqualTo("boxes: word " + (4 * wrong + 3) + " is wrong");
                    bench.execute(list -> list.fillBuffer(links, 4 * wrong, 4, 0x7777_7777));
                    assertThat(clips.difference()).isEqualTo("links: word " + wrong + " is wrong");
                }
            }
        }
    }

    /** What the largest case needs of most roles may be more than any can have, and small cases still run. */
    @Test
    void rolesTakeNoMoreThanTheDeviceAllocatesAtOnce() {
        List<Long> heaps = new ArrayList<>();
        try (TaskGraph tasks = TaskGraph.builder().name("roles").workers(1).build();
                GpuDevice device = VirtualDevice.open(
                        new VirtualGpuOptions(1, 1), new DeviceOptions(tasks, "roles", false, null));
                RoleMemory memory = new RoleMemory(withAllocations(device, 1 << 20, heaps), 1L << 40);
                Buffer buffer = memory.buffer("input", BufferDescription.device(5000, BufferUsage.STORAGE))) {
            assertThat(buffer.description().bytes()).isEqualTo(5000);
            assertThat(heaps).containsExactly(1L << 20);
        }
    }

    /** Returns a device that says that it allocates so many bytes at once. */
    private static GpuDevice withAllocations(GpuDevice device, long most, List<Long> heaps) {
        DeviceCapabilities has = device.capabilities();
        DeviceLimits limits = has.limits();
        DeviceLimits.Memory memory = limits.memory();
        DeviceCapabilities says = new DeviceCapabilities(
                has.name(),
                has.kind(),
                has.driver(),
                has.renders(),
                has.timestamps(),
                has.maxTextureExtent(),
                has.maxStorageRange(),
                has.uniformAlignment(),
                has.storageAlignment(),
                has.maxPushConstantBytes(),
                has.maxAnisotropy(),
                has.robustBufferAccess(),
                new DeviceLimits(
                        limits.textures(),
                        new DeviceLimits.Memory(
                                memory.maxBufferBytes(),
                                most,
                                memory.maxAllocations(),
                                memory.maxUniformRange(),
                                memory.lazilyAllocated()),
                        limits.compute(),
                        limits.drawing(),
                        limits.pipelines(),
                        limits.shaders(),
                        limits.depthResolve(),
                        limits.rendering(),
                        limits.samplers(),
                        limits.accelerationStructures(),
                        limits.meshShaders(),
                        limits.rayTracing()),
                has.on());
        return (GpuDevice) Proxy.newProxyInstance(
                GpuDevice.class.getClassLoader(), new Class<?>[] {GpuDevice.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("createHeap")) {
                        heaps.add((Long) arguments[1]);
                    }
                    return method.getName().equals("capabilities") ? says : method.invoke(device, arguments);
                });
    }
}
