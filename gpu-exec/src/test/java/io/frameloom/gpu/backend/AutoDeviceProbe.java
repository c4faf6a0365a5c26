package io.frameloom.gpu.backend;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.error.NoSuchDeviceException;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.TaskGraph;
import java.util.List;

/** A program that draws on the automatic choice and says what it got; run by {@link GpuDevicesTest} in a JVM of its own. */
final class AutoDeviceProbe {
    private static final String VERTEX = "#version 450\nvoid main() { gl_Position = vec4(0); }";
    private static final String FRAGMENT =
            "#version 450\nlayout(location = 0) out vec4 color;\nvoid main() { color = vec4(1); }";

    private AutoDeviceProbe() {}

    public static void main(String[] arguments) {
        try (TaskGraph tasks = TaskGraph.builder().name("probe").workers(1).build()) {
            DeviceOptions options = new DeviceOptions(tasks, "probe", false, null);
            try (GpuDevice device = GpuDevices.open(new DeviceSelector.Auto(), options)) {
                System.out.println("kind=" + device.capabilities().kind());
                draw(device, false);
                System.out.println("cleared");
                draw(device, true);
                draw(device, true);
            }
            System.out.println("reason=" + VulkanDevices.unavailableReason());
            System.out.println("list=" + GpuDevices.list());
            refused("named", new DeviceSelector.Named("anything"), options);
            refused("or fail", new DeviceSelector.Auto().orFail(), options);
        }
    }

    private static void refused(String what, DeviceSelector selector, DeviceOptions options) {
        try {
            GpuDevices.open(selector, options).close();
        } catch (NoSuchDeviceException e) {
            System.out.println(what + "=" + e.getMessage());
        }
    }

    /** Clears a picture, draws if that is asked for, and reads it back. */
    private static void draw(GpuDevice device, boolean draws) {
        GpuQueue queue = device.queues().get(0);
        try (Texture picture = device.createTexture(
                        "picture",
                        TextureDescription.of(
                                4, 4, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_SRC));
                Buffer texels = device.createBuffer("texels", BufferDescription.readback(64));
                GraphicsPipeline pipeline = device.createGraphicsPipeline(GraphicsPipelineDescription.of(
                        "point",
                        new ShaderSource("point.vert", ShaderStage.VERTEX, VERTEX),
                        new ShaderSource("point.frag", ShaderStage.FRAGMENT, FRAGMENT),
                        Format.R8G8B8A8_UNORM));
                FrameContext context = device.createFrameContext("frame")) {
            CommandList list = context.beginCommands(queue, "frame");
            list.beginPass(
                    "draw",
                    List.of(new ResourceUse.OfTexture(
                            picture,
                            SubresourceRange.all(picture.description()),
                            Access.COLOR_WRITE,
                            true,
                            TextureLayout.COLOR)));
            list.beginRendering(new RenderingInfo(
                    4,
                    4,
                    List.of(new RenderingInfo.ColorAttachment(
                            picture.view(), LoadOp.CLEAR, StoreOp.STORE, RenderingInfo.ClearColor.BLACK_TRANSPARENT)),
                    null));
            if (draws) {
                list.bindPipeline(pipeline);
                list.draw(1, 1, 0, 0);
            }
            list.endRendering();
            list.endPass();
            list.copyTextureToBuffer(picture, 0, 0, texels, 0);
            list.end();
            queue.submit(new Submission("frame", List.of(list), List.of()));
            device.waitIdle();
        }
    }
}
