package io.frameloom.stress.gpu;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceKind;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.error.CrashReport;
import io.frameloom.gpu.error.NoSuchDeviceException;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.tools.CrashFolder;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskFailedException;
import io.frameloom.taskgraph.TaskGraph;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Loses a device on purpose, by a frame of which one pass stores through an address that nothing has, and prints the
 * report of the loss. Other programs on the GPU may be hurt.
 *
 * <pre>
 * GpuCrashMain [--device NAME]
 * </pre>
 *
 * <p>Exit code 0: the report names the pass. 1: it does not, the device let the store through, or the frame has not ended
 * after 60 seconds. 2: the command line is
 * wrong, or the device cannot do that: a driver that computes on the CPU would end the process.
 */
public final class GpuCrashMain {
    private static final String WILD = "wild store";
    private static final long BYTES = 1 << 16;
    private static final int BAD_INPUT = 2;

    static final String STORE = """
            #version 460
            #extension GL_EXT_buffer_reference : require
            #extension GL_EXT_buffer_reference_uvec2 : require
            layout(local_size_x = 64) in;
            layout(buffer_reference, std430, buffer_reference_align = 4) buffer Target { uint value; };
            layout(push_constant) uniform Push { uvec2 address; };
            void main() {
                Target(uvec2(address.x + 4096 * gl_GlobalInvocationID.x, address.y)).value = 1;
            }
            """;

    private static final String NOTHING = """
            #version 450
            layout(local_size_x = 64) in;
            layout(push_constant) uniform Push { uvec2 address; };
            void main() {}
            """;

    private GpuCrashMain() {}

    /**
     * The program.
     *
     * @param arguments see the class
     */
    public static void main(String[] arguments) {
        boolean named = arguments.length == 2 && arguments[0].equals("--device");
        if (!named && arguments.length > 0) {
            System.err.println("frameloom stress: '" + String.join(" ", arguments)
                    + "' is not understood; usage: GpuCrashMain [--device NAME]");
            System.exit(BAD_INPUT);
        }
        String device = named ? arguments[1] : "auto";
        System.exit(DeviceProgram.run(System.getProperties(), () -> run(device, Path.of(""), System.out), System.err));
    }

    /** Runs the frame, and returns whether the report names the pass; the crash folder is made in {@code parent}. */
    static boolean run(String selector, Path parent, PrintStream out) {
        CrashFolder folder = new CrashFolder(parent);
        try (TaskGraph tasks = TaskGraph.builder().name("crash").workers(1).build()) {
            tasks.start(NamedThread.RHI);
            DeviceOptions options =
                    DeviceOptions.of(tasks, "crash").withCrashMarkers().prefer(Capability.BUFFER_DEVICE_ADDRESS);
            try (GpuDevice device = GpuDevices.open(DeviceSelector.parse(selector), options);
                    FrameExecutor executor = new FrameExecutor(device, tasks);
                    ComputePipeline store = pipeline(device)) {
                folder.device(device);
                FrameHandle frame = executor.execute(executor.compile(graph(store)));
                if (!ends(frame.completed())) {
                    out.println(device.capabilities().name() + " reports no loss, and the frame does not end");
                    // Closing would wait for the device as well.
                    out.flush();
                    Runtime.getRuntime().halt(1);
                }
                Throwable failure = frame.completed().failure();
                if (failure == null) {
                    out.println(device.capabilities().name() + " let the store through");
                    return false;
                }
                CrashReport report = CrashReport.of(failure)
                        .orElseThrow(() -> new IllegalStateException("the failure has no report", failure));
                out.print(report.text());
                out.println("summary: " + report.summary());
                folder.write(failure).ifPresent(written -> out.println("see " + written));
                boolean found =
                        report.queues().stream().anyMatch(queue -> queue.open().contains(WILD));
                out.println(found ? "the report names the pass" : "the report does not name pass '" + WILD + "'");
                return found;
            }
        }
    }

    /** Returns whether a frame ends, if only by a failure, within a time in which drivers report a loss. */
    private static boolean ends(GraphEvent frame) {
        try {
            return frame.await(Duration.ofSeconds(60));
        } catch (TaskFailedException failed) {
            return true;
        }
    }

    private static ComputePipeline pipeline(GpuDevice device) {
        DeviceKind kind = device.capabilities().kind();
        boolean simulated = kind == DeviceKind.SIMULATED;
        if (kind == DeviceKind.CPU || !simulated && !device.capabilities().has(Capability.BUFFER_DEVICE_ADDRESS)) {
            throw new NoSuchDeviceException(device.capabilities().name()
                    + (kind == DeviceKind.CPU
                            ? " computes on the CPU, so a wild store would end this process"
                            : " has no addresses of buffers")
                    + "; name another with --device");
        }
        return pipeline(device, simulated ? NOTHING : STORE);
    }

    static ComputePipeline pipeline(GpuDevice device, String shader) {
        return device.createComputePipeline(new ComputePipelineDescription(
                "store", new ShaderSource("store.comp", ShaderStage.COMPUTE, shader), invocation -> {
                    throw new IllegalStateException("a store to an address that nothing has");
                }));
    }

    private static RenderGraph graph(ComputePipeline store) {
        RenderGraph graph = new RenderGraph("doomed frame");
        RdgBuffer data =
                graph.createBuffer("data", BufferDescription.device(BYTES, BufferUsage.STORAGE, BufferUsage.COPY_DST));
        graph.addPass("before", PassKind.COPY)
                .overwrites(data, Access.COPY_DST)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> context.commands().fillBuffer(context.buffer(data), 0, BYTES, 1));
        graph.addPass(WILD, PassKind.COMPUTE)
                .writes(data, Access.STORAGE_READ_WRITE_COMPUTE)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {
                    ByteBuffer address = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
                    context.commands().bindPipeline(store);
                    context.commands()
                            .pushConstants(
                                    address.putInt(0x4000_0000).putInt(0x7f).flip());
                    context.commands().dispatch(64, 1, 1);
                });
        graph.addPass("after", PassKind.COPY)
                .overwrites(data, Access.COPY_DST)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> context.commands().fillBuffer(context.buffer(data), 0, BYTES, 2));
        return graph;
    }
}
