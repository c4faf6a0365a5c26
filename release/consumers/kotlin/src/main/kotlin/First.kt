import io.frameloom.gpu.DeviceOptions
import io.frameloom.gpu.backend.DeviceSelector
import io.frameloom.gpu.backend.GpuDevices
import io.frameloom.gpu.command.RenderingInfo.ClearColor
import io.frameloom.gpu.command.LoadOp
import io.frameloom.gpu.resource.Format
import io.frameloom.gpu.resource.TextureDescription
import io.frameloom.rdg.FrameExecutor
import io.frameloom.rdg.PassKind
import io.frameloom.rdg.RenderGraph
import io.frameloom.rdg.utility.ReadbackPasses
import io.frameloom.taskgraph.NamedThread
import io.frameloom.taskgraph.TaskGraph

fun main() {
    TaskGraph.builder().name("first").build().use { tasks ->
        tasks.start(NamedThread.RHI)
        GpuDevices.open(DeviceSelector.Auto(), DeviceOptions.of(tasks, "first")).use { device ->
            FrameExecutor(device, tasks).use { executor ->
                val graph = RenderGraph("frame")
                val picture = graph.createTexture("picture", TextureDescription.of(64, 64, Format.R8G8B8A8_UNORM))
                graph.addPass("draw", PassKind.RASTER)
                    .color(picture, LoadOp.CLEAR, ClearColor(1.0, 0.0, 0.0, 1.0))
                    .record { }
                val pixels = ReadbackPasses.texture(graph, picture)
                executor.execute(executor.compile(graph))
                println("red of the first texel: " + (pixels.bytes().join().get(0).toInt() and 0xff))
            }
        }
    }
}
