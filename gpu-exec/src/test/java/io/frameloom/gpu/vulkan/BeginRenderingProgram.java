package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.DepthAttachment;
import io.frameloom.gpu.command.RenderingInfo.StencilAttachment;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.taskgraph.TaskGraph;
import java.util.List;
import org.lwjgl.vulkan.VK13;

/** Begins, in a process of its own, a render pass for whose depth and stencil the driver makes no view. */
final class BeginRenderingProgram {
    /** Begins the lines that say what happened. */
    static final String SAYS = "begin rendering: ";

    private BeginRenderingProgram() {}

    public static void main(String[] arguments) {
        FaultyVulkan driver = FaultyVulkan.install();
        driver.arm(null, false);
        try (TaskGraph tasks = TaskGraph.builder().name("begin").workers(1).build();
                VulkanDevice device = VulkanDevices.open("", new DeviceOptions(tasks, "begin", true, null));
                FrameContext context = device.createFrameContext("frame")) {
            Format format = device.firstSupported(TextureUsage.DEPTH_ATTACHMENT, Format.DEPTH_STENCIL);
            try (Texture texture =
                    device.createTexture("both", TextureDescription.of(4, 4, format, TextureUsage.DEPTH_ATTACHMENT))) {
                record(driver, context.beginCommands(device.queues().get(0), "list"), texture);
            }
            device.validationMessages().forEach(message -> System.out.println(SAYS + message));
        }
    }

    private static void record(FaultyVulkan driver, CommandList list, Texture texture) {
        TextureView depth = texture.view(SubresourceRange.mip(0));
        TextureView stencil = texture.view(SubresourceRange.mip(0).plane(1));
        RenderingInfo info = new RenderingInfo(
                        4, 4, List.of(), new DepthAttachment(depth, LoadOp.CLEAR, StoreOp.STORE, 1, false))
                .withStencil(new StencilAttachment(stencil, LoadOp.CLEAR, StoreOp.STORE, 0, false));
        driver.arm(new FaultyVulkan.Fault("vkCreateImageView", 1, VK13.VK_ERROR_OUT_OF_DEVICE_MEMORY), false);
        try {
            list.beginRendering(info);
        } catch (GpuException e) {
            System.out.println(SAYS + "refused");
        }
        try {
            list.endRendering();
        } catch (IllegalStateException e) {
            System.out.println(SAYS + "nothing to end");
        }
        list.beginRendering(info);
        list.endRendering();
        list.end();
    }
}
