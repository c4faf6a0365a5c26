package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.ExternalPoint;
import io.frameloom.gpu.command.ExternalTimeline;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.utility.ClearPasses;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.taskgraph.NamedThread;
import java.util.ArrayList;
import java.util.List;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkSemaphoreCreateInfo;
import org.lwjgl.vulkan.VkSemaphoreSignalInfo;
import org.lwjgl.vulkan.VkSemaphoreTypeCreateInfo;

/** Frames that the device holds until the host lets them go, one by one. */
final class GatedFrames {
    private static final int FRAMES = 2;

    private GatedFrames() {}

    /** Each frame completes, and its readback arrives, while the device holds the next one. */
    static void completeOneByOne(DeviceRig rig, VulkanDevice device) {
        VkDevice handle = device.handles().device();
        long semaphore = semaphore(handle);
        ExternalTimeline gate = device.importTimeline("gate", semaphore);
        GpuQueue queue = device.queues().get(0);
        List<RdgReadback> readbacks = new ArrayList<>();
        List<FrameHandle> frames = new ArrayList<>();
        for (int frame = 0; frame < FRAMES; frame++) {
            ExternalPoint opened = ExternalPoint.of(gate, frame + 1);
            rig.tasks
                    .task(
                            "gate",
                            () -> queue.submit(
                                    new Submission("gate", List.of(), List.of()).with(List.of(opened), List.of())))
                    .on(NamedThread.RHI)
                    .dispatch()
                    .await();
            RenderGraph graph = new RenderGraph("frame");
            RdgTexture target = graph.createTexture("target", FakeRig.TARGET);
            ClearPasses.texture(graph, target, FakeRig.CLEAR);
            readbacks.add(ReadbackPasses.texture(graph, target));
            frames.add(rig.executor.execute(rig.compile(graph)));
            frames.get(frame).submitted().await();
        }
        for (int frame = 0; frame < FRAMES; frame++) {
            signal(handle, semaphore, frame + 1);
            frames.get(frame).completed().await();
            assertThat(readbacks.get(frame).bytes()).isCompleted();
        }
        assertThat(frames.get(0).statistics().passTimes()).hasSize(2);
        device.waitIdle();
        VK13.vkDestroySemaphore(handle, semaphore, null);
    }

    private static long semaphore(VkDevice device) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            var type = VkSemaphoreTypeCreateInfo.calloc(stack)
                    .sType$Default()
                    .semaphoreType(VK13.VK_SEMAPHORE_TYPE_TIMELINE);
            var info = VkSemaphoreCreateInfo.calloc(stack).sType$Default().pNext(type);
            assertThat(VK13.vkCreateSemaphore(device, info, null, out)).isEqualTo(VK13.VK_SUCCESS);
            return out.get(0);
        }
    }

    private static void signal(VkDevice device, long semaphore, long value) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var info = VkSemaphoreSignalInfo.calloc(stack)
                    .sType$Default()
                    .semaphore(semaphore)
                    .value(value);
            assertThat(VK13.vkSignalSemaphore(device, info)).isEqualTo(VK13.VK_SUCCESS);
        }
    }
}
