package io.frameloom.gpu.vulkan.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.vulkan.SeamedDevices;
import io.frameloom.gpu.vulkan.ValidatedDevice;
import io.frameloom.gpu.vulkan.device.DriverDevice;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import io.frameloom.taskgraph.TaskGraph;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.KHRAccelerationStructure;

/** What drivers are told of buffers. */
@Timeout(60)
class ResourceInfosTest {
    /** Another device, which may have no acceleration structures, creates the same for the memory that it imports. */
    @Test
    void sharedBuffersAreNothingThatBuildsRead() {
        ValidatedDevice.assumeDriver(Capability.RAY_QUERIES);
        BufferDescription storage = BufferDescription.device(1024, BufferUsage.STORAGE);
        int input = KHRAccelerationStructure.VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR;
        try (TaskGraph tasks = TaskGraph.builder().name("infos").workers(1).build();
                DriverDevice device = SeamedDevices.open(
                        "",
                        new DeviceOptions(tasks, "infos", false, null).require(Capability.RAY_QUERIES),
                        DeviceSeams.none());
                MemoryStack stack = MemoryStack.stackPush()) {
            assertThat(ResourceInfos.buffer(device.core(), storage, stack).usage() & input)
                    .isEqualTo(input);
            assertThat(ResourceInfos.shared(device.core(), storage, stack).usage())
                    .isEqualTo(ResourceInfos.buffer(storage, device.core().families(), stack)
                            .usage());
        }
    }
}
