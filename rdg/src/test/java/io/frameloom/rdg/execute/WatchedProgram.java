package io.frameloom.rdg.execute;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;

/** A program that asks for nothing and looks at nothing; run by {@link WatchedProgramTest} in a JVM of its own. */
final class WatchedProgram {
    private WatchedProgram() {}

    public static void main(String[] arguments) {
        try (TaskGraph tasks = TaskGraph.builder().name("watched").workers(1).build()) {
            tasks.start(NamedThread.RHI);
            try (GpuDevice device =
                            GpuDevices.open(DeviceSelector.Virtual.DEFAULT, DeviceOptions.of(tasks, "watched"));
                    FrameExecutor executor = new FrameExecutor(device, tasks, FrameExecutorOptions.defaults())) {
                RenderGraphCompiler compiler = new RenderGraphCompiler(RdgOptions.defaults());
                for (int frame = 0; frame < 3; frame++) {
                    RenderGraph graph = new RenderGraph("frame");
                    RdgTexture picture = graph.createTexture("picture", FakeRig.TARGET);
                    RdgBuffer untaken = graph.createBuffer("untaken", FakeRig.BUFFER);
                    graph.createBuffer("unused", FakeRig.BUFFER);
                    graph.addPass("draw", PassKind.RASTER)
                            .color(picture, LoadOp.CLEAR, FakeRig.CLEAR)
                            .overwrites(untaken, Access.STORAGE_READ_WRITE_FRAGMENT)
                            .flag(PassFlag.NEVER_CULL)
                            .record(context -> {});
                    executor.execute(compiler.compile(graph, QueueTopology.of(device), MemorySizer.of(device)))
                            .completed()
                            .await();
                }
            }
        }
    }
}
