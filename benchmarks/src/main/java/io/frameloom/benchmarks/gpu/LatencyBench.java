package io.frameloom.benchmarks.gpu;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.TaskGraph;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** {@code bench --gpu latency}: measures completion latency, prints a table and writes JSON. */
public final class LatencyBench {
    /** The command line. */
    public static final String USAGE = "usage: bench --gpu latency [--quick] [--device NAME] [--json FILE]";

    private static final int ROUNDS = 5_000;
    private static final int QUICK_ROUNDS = 300;

    private static final String HELP = USAGE + """


            Measures, on a Vulkan device, the time from the submission of nothing until the host knows that it is
            complete: by vkWaitSemaphores itself, by GpuTimeline.await, by an event that a thread awaits, and by an event
            with a task behind it (until its body runs on a worker). All four take turns in one run.

              --quick        few rounds: a first look, no figures to publish
              --device NAME  part of the name of a device (default: the best)
              --json FILE    write {device, driver, processors, rounds, rows: [{way, count, p50us, p99us, maxus}]}
              -h, --help     print this text

            Status 0, or 2 with one line on standard error when the command line is wrong or there is no device.""";

    private LatencyBench() {}

    /**
     * Runs the benchmark and returns the exit code.
     *
     * @param arguments what follows {@code latency}
     * @throws IOException when the result cannot be written
     */
    public static int run(List<String> arguments, PrintStream out, PrintStream complaints) throws IOException {
        return GpuOptions.run(arguments, USAGE, HELP, LatencyBench::measure, out, complaints);
    }

    private static int measure(GpuOptions options, PrintStream out) throws IOException {
        int rounds = options.quick() ? QUICK_ROUNDS : ROUNDS;
        try (TaskGraph tasks = TaskGraph.builder().name("latency").workers(1).build();
                VulkanDevice device = VulkanDevices.open(
                        options.device(), new DeviceOptions(tasks, "Frameloom bench", false, null))) {
            List<Latencies> all = new CompletionLatency(device, tasks).measure(rounds, rounds);
            out.println(
                    device.capabilities().name() + ", " + device.capabilities().driver() + ", "
                            + Runtime.getRuntime().availableProcessors() + " processors, " + rounds + " rounds");
            out.printf(Locale.ROOT, "%-24s %10s %10s %10s %8s%n", "way", "p50 us", "p99 us", "max us", "p50 ratio");
            ObjectNode result = GpuOptions.result(device).put("rounds", rounds);
            ArrayNode rows = result.putArray("rows");
            for (Latencies latencies : all) {
                out.printf(
                        Locale.ROOT,
                        "%-24s %10.1f %10.1f %10.1f %8.2f%n",
                        latencies.way(),
                        latencies.micros(0.5),
                        latencies.micros(0.99),
                        latencies.micros(1),
                        latencies.micros(0.5) / all.get(0).micros(0.5));
                rows.addObject()
                        .put("way", latencies.way())
                        .put("count", latencies.count())
                        .put("p50us", latencies.micros(0.5))
                        .put("p99us", latencies.micros(0.99))
                        .put("maxus", latencies.micros(1));
            }
            options.write(result);
            return 0;
        }
    }
}
