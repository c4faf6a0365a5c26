package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.taskgraph.TaskGraph;
import java.util.List;

/** A program with mistakes that looks for none; run by {@link MistakenProgramTest} in a JVM of its own. */
final class MistakenProgram {
    private MistakenProgram() {}

    public static void main(String[] arguments) {
        try (TaskGraph tasks = TaskGraph.builder().name("mistaken").workers(1).build();
                GpuDevice device =
                        GpuDevices.open(DeviceSelector.parse(arguments[0]), DeviceOptions.of(tasks, "mistaken"));
                FrameContext context = device.createFrameContext("frame");
                Buffer numbers = device.createBuffer("numbers", BufferDescription.device(64, BufferUsage.COPY_DST));
                Texture picture = device.createTexture(
                        "picture", TextureDescription.of(4, 4, Format.R8G8B8A8_UNORM, TextureUsage.COPY_SRC));
                Buffer texels = device.createBuffer("texels", BufferDescription.readback(64))) {
            GpuQueue queue = device.queues().get(0);
            for (int frame = 0; frame < 3; frame++) {
                CommandList list = context.beginCommands(queue, "frame commands");
                for (String pass : List.of("first fill", "second fill")) {
                    list.beginPass(pass, List.of(new ResourceUse.OfBuffer(numbers, 0, 64, Access.COPY_DST, true)));
                    list.fillBuffer(numbers, 0, 64, frame);
                    list.endPass();
                }
                list.beginPass("read", List.of());
                list.copyTextureToBuffer(picture, 0, 0, texels, 0);
                list.endPass();
                list.end();
                queue.submit(new Submission("frame", List.of(list), List.of()));
                device.waitIdle();
                context.reset();
            }
        }
    }
}
