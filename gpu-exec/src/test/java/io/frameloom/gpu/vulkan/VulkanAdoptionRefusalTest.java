package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.vulkan.driver.DeviceFeatures;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import io.frameloom.taskgraph.TaskGraph;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkApplicationInfo;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkDeviceCreateInfo;
import org.lwjgl.vulkan.VkDeviceQueueCreateInfo;
import org.lwjgl.vulkan.VkInstance;
import org.lwjgl.vulkan.VkInstanceCreateInfo;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceDynamicRenderingFeatures;
import org.lwjgl.vulkan.VkPhysicalDeviceHostQueryResetFeatures;
import org.lwjgl.vulkan.VkPhysicalDeviceMaintenance4Features;
import org.lwjgl.vulkan.VkPhysicalDeviceSeparateDepthStencilLayoutsFeatures;
import org.lwjgl.vulkan.VkPhysicalDeviceSynchronization2Features;
import org.lwjgl.vulkan.VkPhysicalDeviceTimelineSemaphoreFeatures;
import org.lwjgl.vulkan.VkQueue;

/** Only what the engine has switched on counts, and what is wrong is named at once, with nothing made. */
@Timeout(60)
class VulkanAdoptionRefusalTest {
    private TaskGraph tasks;

    @BeforeEach
    void buildTaskGraph() {
        ValidatedDevice.assumeDriver();
        tasks = TaskGraph.builder().name("adoption").workers(1).build();
    }

    @AfterEach
    void closeTaskGraph() {
        if (tasks != null) {
            tasks.close();
        }
    }

    private DeviceOptions options(boolean messages) {
        return new DeviceOptions(tasks, "unused", messages, null);
    }

    @Test
    void onlyFeaturesThatAreOnCount() {
        try (TestEngine engine = new TestEngine();
                VulkanDevice gpu = engine.adopt(options(true))) {
            assertThat(gpu.capabilities().maxAnisotropy()).isEqualTo(1);
            DeviceLimits.Drawing drawing = gpu.capabilities().limits().drawing();
            assertThat(drawing.multiDrawIndirect()).isFalse();
            assertThat(drawing.drawIndirectFirstInstance()).isFalse();
        }
    }

    @Test
    void featuresMayBeOnThroughStructuresOfTheirOwn() {
        // A chain holds but addresses.
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var chain = org.lwjgl.vulkan.VkPhysicalDeviceFeatures2.calloc(stack).sType$Default();
            chain.pNext(VkPhysicalDeviceTimelineSemaphoreFeatures.calloc(stack)
                    .sType$Default()
                    .timelineSemaphore(true));
            chain.pNext(VkPhysicalDeviceHostQueryResetFeatures.calloc(stack)
                    .sType$Default()
                    .hostQueryReset(true));
            chain.pNext(VkPhysicalDeviceSeparateDepthStencilLayoutsFeatures.calloc(stack)
                    .sType$Default()
                    .separateDepthStencilLayouts(true));
            chain.pNext(VkPhysicalDeviceSynchronization2Features.calloc(stack)
                    .sType$Default()
                    .synchronization2(true));
            chain.pNext(VkPhysicalDeviceDynamicRenderingFeatures.calloc(stack)
                    .sType$Default()
                    .dynamicRendering(true));
            assertThat(DeviceFeatures.read(0, chain.address()).missing())
                    .containsExactly("VkPhysicalDeviceVulkan13Features.maintenance4");
            chain.pNext(VkPhysicalDeviceMaintenance4Features.calloc(stack)
                    .sType$Default()
                    .maintenance4(true));
            assertThat(DeviceFeatures.read(0, chain.address()).missing()).isEmpty();
        }
    }

    @Test
    void everythingThatIsWrongIsNamedAtOnceAndNothingIsCreated() {
        try (TestEngine engine = new TestEngine(info -> {})) {
            AdoptedDevice description = engine.description
                    .queue(QueueKind.COMPUTE, engine.queue, 77, engine.guard)
                    .queue(QueueKind.COPY, engine.queue, TestEngine.FAMILY, engine.guard)
                    .build();
            assertThatThrownBy(() -> VulkanDevices.adopt(description, options(true)))
                    .isInstanceOfSatisfying(
                            AdoptionException.class,
                            failure -> assertThat(failure.problems())
                                    .hasSize(9)
                                    .allSatisfy(problem -> assertThat(failure).hasMessageContaining(problem)))
                    .hasMessageContaining("timelineSemaphore")
                    .hasMessageContaining("feature VkPhysicalDeviceVulkan12Features.hostQueryReset is not on")
                    .hasMessageContaining("separateDepthStencilLayouts")
                    .hasMessageContaining("synchronization2")
                    .hasMessageContaining("dynamicRendering")
                    .hasMessageContaining("maintenance4")
                    .hasMessageContaining("no graphics queue")
                    .hasMessageContaining("family 77")
                    .hasMessageContaining("'compute' and 'copy' are the same VkQueue");
            assertThat(engine.messages()).isEmpty();
        }
    }

    @Test
    void featuresThatNobodyHasDescribedAreUnknown() {
        try (TestEngine engine = new TestEngine()) {
            AdoptedDevice description = AdoptedDevice.of(engine.device)
                    .queue(QueueKind.GRAPHICS, engine.queue, TestEngine.FAMILY, engine.guard)
                    .build();
            assertThatThrownBy(() ->
                            VulkanDevices.adopt(description, options(false).withRobustBufferAccess()))
                    .isInstanceOfSatisfying(
                            AdoptionException.class,
                            failure -> assertThat(failure.problems())
                                    .singleElement()
                                    .asString()
                                    .contains("are unknown", "createdWith(VkDeviceCreateInfo)"));
        }
    }

    @Test
    void anAdoptionThatFailsHalfwayLeavesNothing() {
        TestEngine engine = new TestEngine();
        try (engine) {
            ForwardingDriver failing = new ForwardingDriver() {
                @Override
                public int submit(VkQueue queue, org.lwjgl.vulkan.VkSubmitInfo2.Buffer submission, long fence) {
                    return VK13.VK_ERROR_OUT_OF_HOST_MEMORY;
                }
            };
            AdoptedDevice description = engine.description
                    .queue(QueueKind.GRAPHICS, engine.queue, TestEngine.FAMILY, engine.guard)
                    .build();
            assertThatThrownBy(
                            () -> SeamedDevices.adopt(description, options(true), new DeviceSeams(failing, Set.of())))
                    .isInstanceOf(GpuException.class)
                    .hasMessageContaining("calibration");
            assertThat(((ReentrantLock) engine.guard).isLocked()).isFalse();
        }
        // The layer reports what is left when the engine destroys its device.
        assertThat(engine.messages()).isEmpty();
    }

    @Test
    void queuesOfAnotherDeviceAreRefused() {
        try (TestEngine engine = new TestEngine();
                TestEngine other = new TestEngine()) {
            AdoptedDevice description = engine.description
                    .queue(QueueKind.GRAPHICS, other.queue, TestEngine.FAMILY, other.guard)
                    .build();
            assertThatThrownBy(() -> VulkanDevices.adopt(description, options(false)))
                    .isInstanceOf(AdoptionException.class)
                    .hasMessageContaining("queue 'graphics' is of another VkDevice");
        }
    }

    @Test
    void queuesThatTheDeviceWasNotCreatedWithAreRefused() {
        try (TestEngine engine = new TestEngine()) {
            // As if it had been got from another family: its handle is none of this one's.
            VkQueue stray = new VkQueue(engine.queue.address() + 64, engine.device);
            AdoptedDevice description = engine.description
                    .queue(QueueKind.GRAPHICS, stray, TestEngine.FAMILY, engine.guard)
                    .build();
            assertThatThrownBy(() -> VulkanDevices.adopt(description, options(false)))
                    .isInstanceOf(AdoptionException.class)
                    .hasMessageContaining("queue 'graphics' is said to be of family 0, but is none of the queues");
        }
    }

    @Test
    @SuppressWarnings("NullAway") // what callers outside of null-checked code do
    void nothingIsTheWrongQueue() {
        try (TestEngine engine = new TestEngine()) {
            assertThatThrownBy(() -> engine.description.queue(QueueKind.COPY, null, 0, engine.guard))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("queue 'copy' is null");
            assertThatThrownBy(() -> engine.description.queue(QueueKind.COPY, engine.queue, 0, null))
                    .hasMessageContaining("guard of adopted queue 'copy 2'");
            assertThatThrownBy(() -> AdoptedDevice.of(null)).hasMessageContaining("VkDevice to adopt");
        }
    }

    @Test
    void anOldInstanceIsRefusedWithoutBeingAsked() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer out = stack.mallocPointer(1);
            VkInstanceCreateInfo info = VkInstanceCreateInfo.calloc(stack)
                    .sType$Default()
                    .pApplicationInfo(
                            VkApplicationInfo.calloc(stack).sType$Default().apiVersion(VK13.VK_API_VERSION_1_0));
            TestEngine.done(VK13.vkCreateInstance(info, null, out));
            VkInstance instance = new VkInstance(out.get(0), info);
            try {
                // There may be several.
                assertThat(VK13.vkEnumeratePhysicalDevices(instance, stack.ints(1), out))
                        .isIn(VK13.VK_SUCCESS, VK13.VK_INCOMPLETE);
                VkPhysicalDevice physical = new VkPhysicalDevice(out.get(0), instance);
                VkDeviceQueueCreateInfo.Buffer queues = VkDeviceQueueCreateInfo.calloc(1, stack);
                queues.get(0).sType$Default().pQueuePriorities(stack.floats(1));
                VkDeviceCreateInfo deviceInfo =
                        VkDeviceCreateInfo.calloc(stack).sType$Default().pQueueCreateInfos(queues);
                TestEngine.done(VK13.vkCreateDevice(physical, deviceInfo, null, out));
                VkDevice device = new VkDevice(out.get(0), physical, deviceInfo);
                VK13.vkGetDeviceQueue(device, 0, 0, out);
                AdoptedDevice description = AdoptedDevice.of(device)
                        .createdWith(deviceInfo)
                        .ownQueue(QueueKind.COPY, new VkQueue(out.get(0), device), 99)
                        .sharedWith(98)
                        .build();
                assertThatThrownBy(() -> VulkanDevices.adopt(description, options(true)))
                        .isInstanceOf(AdoptionException.class)
                        .hasMessageContaining("the instance was created for Vulkan 1.0")
                        .hasMessageContaining("VK_EXT_debug_utils")
                        .hasMessageContaining("no graphics queue")
                        .hasMessageContaining("queue 'copy' is said to be of family 99, the device has 1")
                        .hasMessageContaining("shared with family 98, the device has 1");
                VK13.vkDestroyDevice(device, null);
            } finally {
                VK13.vkDestroyInstance(instance, null);
            }
        }
    }
}
