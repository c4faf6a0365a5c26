package io.frameloom.benchmarks.gpu.async;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.frameloom.benchmarks.driver.Complaints;
import io.frameloom.benchmarks.gpu.GpuOptions;
import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.rdg.AsyncCompute;
import io.frameloom.rdg.AsyncGains;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** {@code bench --gpu async}: what builds and traces gain beside raster passes, by region and as a whole frame. */
public final class AsyncBench {
    /** The command line. */
    public static final String USAGE = "usage: bench --gpu async [--quick] [--device NAME] [--json FILE]";

    private static final String HELP = USAGE + """


            Makes frames of the same picture: a base pass and a shadow map of hills, rays for how open the hills are at half
            the size, and light. Each frame rebuilds all acceleration structures, 64 of 8,192 triangles, for the
            next one. The rays wait for the base
            pass, light for the rays and the shadow map, and nothing of the frame for the rebuild.

              off        all passes on the graphics queue
              tagged     what builds and traces on a compute queue, where the device has one
              measured   as tagged, and what does not pay goes back to the graphics queue

            The three take turns. "frame ms" is the time of the clock from one frame to the next, "gpu ms" that of the device
            from the first pass of a frame to the end of its last one; frames overlap, so this may be longer. Then each region:
            its passes, alone and what of that overlapped with other passes of its frame, and what it was predicted and
            measured to save of a frame.

              --quick        short and small: a first look, no figures to publish
              --device NAME  part of the name of a device (default: the best)
              --json FILE    write {device, driver, processors, computeQueues, frames, regions}
              -h, --help     print this text

            Status 0, 1 if the pictures differ, or 2 with one line on standard error when the command line is wrong or no
            device traces rays by a pipeline.""";

    private static final int WRONG = 1;
    private static final double MILLION = 1e6;
    private static final List<AsyncCompute> POLICIES =
            List.of(AsyncCompute.OFF, AsyncCompute.TAGGED, AsyncCompute.MEASURED);

    /**
     * How much is done.
     *
     * @param settle frames of each policy before the first round: measured queues take some hundred to be decided
     */
    private record Size(Terrain terrain, int width, int height, int settle, int rounds, int frames) {
        static final Size QUICK = new Size(new Terrain(4, 8), 96, 64, 4, 1, 4);
        static final Size WHOLE = new Size(new Terrain(64, 64), 1920, 1080, 600, 9, 60);
    }

    /** What whole frames take by a policy: medians, in milliseconds. */
    record FrameRow(String policy, double frameMillis, double gpuMillis, double ofOff) {}

    /** A region of a policy, in milliseconds; {@code measured} is null where both forms have not run. */
    record RegionRow(
            String policy,
            List<String> passes,
            String queue,
            double alone,
            double overlapped,
            double predicted,
            @Nullable Double measured,
            String decision) {}

    private AsyncBench() {}

    /**
     * Runs the benchmark and returns the exit code.
     *
     * @param arguments what follows {@code async}
     * @throws IOException when the result cannot be written
     */
    public static int run(List<String> arguments, PrintStream out, PrintStream complaints) throws IOException {
        return GpuOptions.run(
                arguments, USAGE, HELP, (options, to) -> measure(options, to, complaints), out, complaints);
    }

    private static int measure(GpuOptions options, PrintStream out, PrintStream complaints) throws IOException {
        Size size = options.quick() ? Size.QUICK : Size.WHOLE;
        try (TaskGraph tasks = TaskGraph.builder().name("async").build()) {
            tasks.start(NamedThread.RHI);
            try (VulkanDevice device = VulkanDevices.open(
                            options.device(),
                            new DeviceOptions(tasks, "Frameloom bench", false, null)
                                    .require(Capability.RAY_TRACING_PIPELINES));
                    RayFrames frames = new RayFrames(device, tasks, size.terrain, size.width, size.height)) {
                int computes = device.queues(QueueKind.COMPUTE).size();
                out.println(device.capabilities().name() + ", "
                        + device.capabilities().driver() + ", " + size.terrain.tiles() + " tiles of "
                        + size.terrain.triangles() + " triangles, " + size.width + "x" + size.height
                        + (computes == 0
                                ? ", no queue beside the graphics queue: nothing can be gained"
                                : ", with a compute queue"));
                List<RegionRow> regions = new ArrayList<>();
                List<FrameRow> rows = rows(size, frames, regions);
                print(rows, regions, out);
                ObjectMapper mapper = new ObjectMapper();
                ObjectNode result = GpuOptions.result(device).put("computeQueues", computes);
                result.set("frames", mapper.valueToTree(rows));
                result.set("regions", mapper.valueToTree(regions));
                options.write(result);
                return differ(frames, complaints) ? WRONG : 0;
            }
        }
    }

    private static List<FrameRow> rows(Size size, RayFrames frames, List<RegionRow> regions) {
        Map<AsyncCompute, double[]> clock = new EnumMap<>(AsyncCompute.class);
        Map<AsyncCompute, double[]> gpu = new EnumMap<>(AsyncCompute.class);
        for (AsyncCompute policy : POLICIES) {
            run(frames, policy, size.settle);
            clock.put(policy, new double[size.rounds]);
            gpu.put(policy, new double[size.rounds]);
        }
        for (int round = 0; round < size.rounds; round++) {
            for (AsyncCompute policy : POLICIES) {
                // So that no frame of another policy is under way.
                run(frames, policy, 4);
                long begun = System.nanoTime();
                List<FrameHandle> done = run(frames, policy, size.frames);
                clock.get(policy)[round] = (System.nanoTime() - begun) / MILLION / size.frames;
                gpu.get(policy)[round] = median(done.stream()
                        .mapToDouble(each -> each.statistics().gpuNanos() / MILLION)
                        .toArray());
                if (round == size.rounds - 1) {
                    done.get(done.size() - 1)
                            .asyncGains()
                            .regions()
                            .forEach(region -> regions.add(row(policy, region)));
                }
            }
        }
        double off = median(clock.get(AsyncCompute.OFF));
        return POLICIES.stream()
                .map(policy -> new FrameRow(
                        name(policy),
                        median(clock.get(policy)),
                        median(gpu.get(policy)),
                        median(clock.get(policy)) / off))
                .toList();
    }

    private static List<FrameHandle> run(RayFrames frames, AsyncCompute policy, int count) {
        List<FrameHandle> handles = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            handles.add(frames.run(policy));
        }
        handles.forEach(handle -> handle.completed().await());
        return handles;
    }

    /** Returns whether more pixels than one in a thousand are others on other queues, and says so. */
    private static boolean differ(RayFrames frames, PrintStream complaints) {
        ByteBuffer off = frames.picture(AsyncCompute.OFF);
        ByteBuffer tagged = frames.picture(AsyncCompute.TAGGED);
        int pixels = off.remaining() / Integer.BYTES;
        int other = 0;
        for (int i = 0; i < pixels; i++) {
            other += off.getInt(Integer.BYTES * i) == tagged.getInt(Integer.BYTES * i) ? 0 : 1;
        }
        if (1_000L * other > pixels) {
            Complaints.say(
                    complaints, other + " of " + pixels + " pixels are others with tagged passes beside graphics");
            return true;
        }
        return false;
    }

    private static double median(double[] numbers) {
        double[] sorted = numbers.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static String name(AsyncCompute policy) {
        return policy.name().toLowerCase(Locale.ROOT);
    }

    private static RegionRow row(AsyncCompute policy, AsyncGains.Region region) {
        OptionalLong measured = region.measuredNanos();
        return new RegionRow(
                name(policy),
                region.passes(),
                region.queue(),
                region.serialNanos() / MILLION,
                region.overlappedNanos() / MILLION,
                region.predictedNanos() / MILLION,
                measured.isPresent() ? (Double) (measured.getAsLong() / MILLION) : null,
                region.decision().isEmpty() ? "as tagged" : region.decision());
    }

    private static void print(List<FrameRow> rows, List<RegionRow> regions, PrintStream out) {
        out.printf(Locale.ROOT, "%-9s %9s %9s %8s%n", "policy", "frame ms", "gpu ms", "of off");
        for (FrameRow row : rows) {
            out.printf(Locale.ROOT, "%-9s %9.3f %9.3f %8.3f%n", row.policy, row.frameMillis, row.gpuMillis, row.ofOff);
        }
        if (regions.isEmpty()) {
            return;
        }
        out.printf(
                Locale.ROOT,
                "%-9s %-30s %-9s %8s %10s %9s %9s  %s%n",
                "policy",
                "region",
                "queue",
                "alone",
                "overlapped",
                "predicted",
                "measured",
                "decision");
        for (RegionRow row : regions) {
            out.printf(
                    Locale.ROOT,
                    "%-9s %-30s %-9s %8.3f %10.3f %9.3f %9s  %s%n",
                    row.policy,
                    String.join(", ", row.passes),
                    row.queue,
                    row.alone,
                    row.overlapped,
                    row.predicted,
                    row.measured == null ? "-" : String.format(Locale.ROOT, "%.3f", row.measured),
                    row.decision);
        }
    }
}
