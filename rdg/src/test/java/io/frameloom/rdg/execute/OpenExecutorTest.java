package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.utility.ClearPasses;
import io.frameloom.rdg.utility.ReadbackPasses;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A device that is closed before its executor says whose the things on it are that no program has made. */
@Timeout(60)
class OpenExecutorTest {
    @Test
    void whatAnOpenExecutorLeavesOnADeviceNamesIt() {
        try (TaskGraph tasks = TaskGraph.builder().name("open").workers(1).build()) {
            tasks.start(NamedThread.RHI);
            GpuDevice device = VirtualDevice.open(
                    new VirtualGpuOptions(1, 1), DeviceOptions.of(tasks, "open").withValidation(false));
            FrameExecutor executor = new FrameExecutor(device, tasks, FrameExecutorOptions.defaults());
            RenderGraph graph = new RenderGraph("frame");
            RdgTexture texture = graph.createTexture("texture", TextureDescription.of(8, 8, Format.R32_UINT));
            ClearPasses.texture(graph, texture, ClearColor.BLACK_TRANSPARENT);
            ReadbackPasses.texture(graph, texture);
            executor.execute(new RenderGraphCompiler(RdgOptions.defaults())
                            .compile(graph, QueueTopology.of(device), MemorySizer.of(device)))
                    .completed()
                    .await();
            String message = String.valueOf(catchThrowable(device::close).getMessage());
            assertThat(message)
                    .contains("frame context 'FrameExecutor frame slot 0'")
                    .contains("timestamp set 'FrameExecutor frame slot 0'")
                    .contains("heap 'FrameExecutor transient heap 0x");
        }
    }
}
