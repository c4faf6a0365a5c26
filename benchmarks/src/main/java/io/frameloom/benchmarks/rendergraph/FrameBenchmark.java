package io.frameloom.benchmarks.rendergraph;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.PassBody;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.taskgraph.IdlePolicy;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * An unchanged frame of 24 passes without commands: declared, planned and executed by one thread that records all of it.
 * The score has its waits for the device, too. {@code processorMicros} by {@code frames} is the processor time of that
 * thread for a frame. {@code -prof gc} counts the bytes of all threads.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class FrameBenchmark {
    private static final int FRAMES_IN_FLIGHT = 2;
    private static final int PASSES = 24;
    /** One pass in so many computes, the others draw. */
    private static final int COMPUTE_EVERY = 4;
    /** A pass also reads the target of the pass so many before it. */
    private static final int FAR = 3;

    private static final TextureDescription TARGET = TextureDescription.of(
            64, 64, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.SAMPLED, TextureUsage.STORAGE);
    private static final PassBody NOTHING = context -> {};

    /** {@code virtual}, or part of the name of a Vulkan device. */
    @Param("virtual")
    public String device = "";

    /** Whether the thread submits the frame as well; else RHI does. */
    @Param({"false", "true"})
    public boolean inline;

    private final String[] names = new String[PASSES];
    private final RdgTexture[] targets = new RdgTexture[PASSES];
    private final @Nullable FrameHandle[] handles = new @Nullable FrameHandle[FRAMES_IN_FLIGHT];
    private final RenderGraph graph = new RenderGraph("frame");
    private int next;
    private @Nullable TaskGraph tasks;
    private @Nullable GpuDevice gpu;
    private @Nullable FrameExecutor executor;

    /** The processor time of the thread that makes frames. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Processor {
        private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        private long begun;
        /** Frames made. */
        public long frames;

        /** Begins an iteration. */
        @Setup(Level.Iteration)
        public void begin() {
            begun = threads.getCurrentThreadCpuTime();
            frames = 0;
        }

        /** Microseconds for all frames. */
        public long processorMicros() {
            return (threads.getCurrentThreadCpuTime() - begun) / 1_000;
        }
    }

    /** Opens the device. */
    @Setup
    public void open() {
        TaskGraph made = TaskGraph.builder()
                .name("frames")
                .workers(1)
                .idlePolicy(IdlePolicy.parking())
                .build();
        tasks = made;
        made.start(NamedThread.RHI);
        DeviceOptions options = new DeviceOptions(made, "Frameloom bench", false, null);
        GpuDevice opened = device.equals("virtual")
                ? VirtualDevice.open(
                        new VirtualGpuOptions(1, 0)
                                .withOrder(VirtualGpuOptions.Order.IN_ORDER)
                                .withClobber(false),
                        options)
                : VulkanDevices.open(device, options);
        gpu = opened;
        executor = new FrameExecutor(
                opened,
                made,
                FrameExecutorOptions.defaults()
                        .withFramesInFlight(FRAMES_IN_FLIGHT)
                        .withCollectTimestamps(false)
                        .withSerialRecording(true)
                        .withInlineSubmission(inline));
        for (int pass = 0; pass < PASSES; pass++) {
            names[pass] = "pass " + pass;
        }
    }

    /** Makes a frame when the one two before it is done. */
    @Benchmark
    public FrameHandle frame(Processor processor) {
        FrameHandle former = handles[next];
        if (former != null) {
            former.completed().await();
        }
        declare();
        FrameHandle handle = Objects.requireNonNull(executor).run(graph);
        handles[next] = handle;
        next = (next + 1) % FRAMES_IN_FLIGHT;
        processor.frames++;
        return handle;
    }

    private void declare() {
        graph.reset();
        for (int pass = 0; pass < PASSES; pass++) {
            boolean computes = pass % COMPUTE_EVERY == COMPUTE_EVERY - 1;
            RdgTexture target = graph.createTexture(names[pass], TARGET);
            targets[pass] = target;
            PassBuilder builder = graph.addPass(names[pass], computes ? PassKind.COMPUTE : PassKind.RASTER);
            if (pass > 0) {
                Access access = computes ? Access.SAMPLED_COMPUTE : Access.SAMPLED_FRAGMENT;
                RdgTexture far = targets[Math.max(pass - FAR, 0)];
                builder.reads(targets[pass - 1], access);
                if (far != targets[pass - 1]) {
                    builder.reads(far, access);
                }
            }
            if (pass == PASSES - 1) {
                builder.flag(PassFlag.NEVER_CULL);
            }
            if (computes) {
                builder.overwrites(target, Access.STORAGE_WRITE_COMPUTE);
            } else {
                builder.color(target, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT);
            }
            builder.record(NOTHING);
        }
    }

    /** Closes the device. */
    @TearDown
    public void close() {
        Objects.requireNonNull(executor).close();
        Objects.requireNonNull(gpu).close();
        Objects.requireNonNull(tasks).close();
    }
}
