package io.frameloom.benchmarks.gpu;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.command.AccelerationStructureDescription.Flag;
import io.frameloom.gpu.error.NoSuchDeviceException;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/**
 * {@code bench --gpu builds}: how long the bottom level of an acceleration structure takes to build and to update,
 * through command lists, through a frame of a render graph, and by plain LWJGL, which is the driver alone.
 *
 * <p>Run it by {@code ./frameloom bench --gpu builds --json builds.json} on a device with ray tracing; {@code --quick} is
 * for drivers on processors. All ways take turns in one run, on the same device and triangles. A sample is the time from
 * the beginning of recording until the host knows that the device is done.
 */
public final class BuildsBench {
    /** The command line. */
    public static final String USAGE = "usage: bench --gpu builds [--quick] [--device NAME] [--json FILE]";

    private static final List<Integer> TRIANGLES = List.of(10_000, 1_000_000);
    private static final int ROUNDS = 300;
    private static final int QUICK_ROUNDS = 10;
    private static final double MILLION = 1e6;

    private static final String HELP = USAGE + """


            Measures, on a Vulkan device with ray tracing, how long the bottom level of 10,000 and of 1,000,000 triangles
            takes from the first command until the host knows that it is done: built for fast rays, built fast, and
            updated; by plain LWJGL, by a command list, and by a frame of a render graph. All three take turns.

              --quick        10,000 triangles and few rounds: a first look, no figures to publish
              --device NAME  part of the name of a device (default: the best)
              --json FILE    write {device, driver, processors, rounds,
                             rows: [{triangles, work, way, count, p50ms, p99ms, msPerMillion, ratio}]}
              -h, --help     print this text

            Status 0, or 2 with one line on standard error when the command line is wrong or there is no device.""";

    private BuildsBench() {}

    /** What is measured. */
    private enum Work {
        BUILD_FOR_FAST_RAYS(false),
        BUILD_FAST(false, Flag.FAST_BUILD),
        UPDATE(true, Flag.UPDATABLE);

        private final boolean update;
        private final Flag[] flags;

        Work(boolean update, Flag... flags) {
            this.update = update;
            this.flags = flags;
        }

        String words() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /**
     * Runs the benchmark and returns the exit code.
     *
     * @param arguments what follows {@code builds}
     * @throws IOException when the result cannot be written
     */
    public static int run(List<String> arguments, PrintStream out, PrintStream complaints) throws IOException {
        return GpuOptions.run(arguments, USAGE, HELP, BuildsBench::measure, out, complaints);
    }

    /** Either kind of ray tracing has acceleration structures. */
    private static VulkanDevice open(TaskGraph tasks, String name) {
        DeviceOptions options = new DeviceOptions(tasks, "Frameloom bench", false, null);
        try {
            return VulkanDevices.open(name, options.require(Capability.RAY_TRACING_PIPELINES));
        } catch (NoSuchDeviceException e) {
            return VulkanDevices.open(name, options.require(Capability.RAY_QUERIES));
        }
    }

    private static int measure(GpuOptions options, PrintStream out) throws IOException {
        int rounds = options.quick() ? QUICK_ROUNDS : ROUNDS;
        try (TaskGraph tasks = TaskGraph.builder().name("builds").workers(1).build()) {
            tasks.start(NamedThread.RHI);
            try (VulkanDevice device = open(tasks, options.device());
                    FrameExecutor executor = new FrameExecutor(device, tasks)) {
                out.println(device.capabilities().name() + ", "
                        + device.capabilities().driver() + ", "
                        + Runtime.getRuntime().availableProcessors() + " processors, " + rounds + " rounds");
                out.printf(
                        Locale.ROOT,
                        "%-10s %-20s %-12s %10s %10s %15s %8s%n",
                        "triangles",
                        "work",
                        "way",
                        "p50 ms",
                        "p99 ms",
                        "ms per million",
                        "ratio");
                ObjectNode result = GpuOptions.result(device).put("rounds", rounds);
                ArrayNode rows = result.putArray("rows");
                for (int triangles : options.quick() ? TRIANGLES.subList(0, 1) : TRIANGLES) {
                    for (Work work : Work.values()) {
                        try (BuiltMesh mesh = new BuiltMesh(device, triangles, work.flags);
                                BuildWay plain = new PlainBuilds(device, mesh);
                                BuildWay commands = new BuildWay.Commands(mesh);
                                BuildWay frames = new BuildWay.Frames(mesh, executor)) {
                            List<BuildWay> ways = List.of(plain, commands, frames);
                            report(triangles, work, compare(ways, work, rounds), out, rows);
                            device.waitIdle();
                        }
                    }
                }
                options.write(result);
                return 0;
            }
        }
    }

    /** Lets the ways take turns, so that all meet the same disturbances; the first half is to warm up. */
    private static List<Latencies> compare(List<BuildWay> ways, Work work, int rounds) {
        List<Latencies> all =
                ways.stream().map(way -> new Latencies(way.name(), rounds)).toList();
        // An update is of what is built.
        ways.forEach(way -> way.build(false));
        for (int round = -rounds; round < rounds; round++) {
            for (int way = 0; way < ways.size(); way++) {
                long start = System.nanoTime();
                ways.get(way).build(work.update);
                long nanos = System.nanoTime() - start;
                if (round >= 0) {
                    all.get(way).add(nanos);
                }
            }
        }
        return all;
    }

    private static void report(int triangles, Work work, List<Latencies> all, PrintStream out, ArrayNode rows) {
        double driver = all.get(0).micros(0.5);
        for (Latencies latencies : all) {
            double median = latencies.micros(0.5) / 1e3;
            double slow = latencies.micros(0.99) / 1e3;
            double perMillion = median * MILLION / triangles;
            double ratio = latencies.micros(0.5) / driver;
            out.printf(
                    Locale.ROOT,
                    "%-10d %-20s %-12s %10.3f %10.3f %15.3f %8.2f%n",
                    triangles,
                    work.words(),
                    latencies.way(),
                    median,
                    slow,
                    perMillion,
                    ratio);
            rows.addObject()
                    .put("triangles", triangles)
                    .put("work", work.words())
                    .put("way", latencies.way())
                    .put("count", latencies.count())
                    .put("p50ms", median)
                    .put("p99ms", slow)
                    .put("msPerMillion", perMillion)
                    .put("ratio", ratio);
        }
    }
}
