package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.error.NoSuchDeviceException;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A program that has its work captured, in a JVM of its own: RenderDoc stays in the process that it is loaded into. */
final class RenderDocProgram {
    private RenderDocProgram() {}

    /** Takes what the names of captures begin with. */
    public static void main(String[] arguments) throws Exception {
        String reason = RenderDocCapture.unavailableReason();
        System.out.println("reason=" + reason);
        if (!reason.isEmpty()) {
            try {
                RenderDocCapture.open();
            } catch (GpuException e) {
                System.out.println("open=" + e.getMessage());
            }
            return;
        }
        RenderDocCapture renderDoc = RenderDocCapture.open();
        try (TaskGraph tasks = TaskGraph.builder().name("captured").workers(1).build();
                VulkanDevice device = VulkanDevices.open("", DeviceOptions.of(tasks, "captured"));
                FrameContext context = device.createFrameContext("frame");
                Buffer buffer = device.createBuffer("filled", BufferDescription.device(64, BufferUsage.COPY_DST))) {
            renderDoc.saveAs(Path.of(arguments[0]));
            System.out.println("before=" + renderDoc.files());
            Path file = renderDoc.capture(device, () -> {
                GpuQueue queue = device.queues().get(0);
                CommandList list = context.beginCommands(queue, "fill");
                list.fillBuffer(buffer, 0, 64, 7);
                list.end();
                queue.submit(new Submission("fill", List.of(list), List.of()));
                device.waitIdle();
                try {
                    renderDoc.capture(device, () -> {});
                } catch (IllegalStateException e) {
                    System.out.println("inner=" + e.getMessage());
                }
            });
            System.out.println("file=" + file + ", " + (Files.size(file) > 0 ? "written" : "empty"));
            try {
                renderDoc.capture(device, () -> {
                    throw new IllegalStateException("of the work");
                });
            } catch (IllegalStateException e) {
                System.out.println("failed=" + e.getMessage());
            }
            System.out.println("files=" + renderDoc.files().size());
            renderDoc.captureNextFrame();
        } catch (NoSuchDeviceException e) {
            System.out.println("no device");
        }
    }
}
