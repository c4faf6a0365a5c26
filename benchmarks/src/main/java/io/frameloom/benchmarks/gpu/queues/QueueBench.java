package io.frameloom.benchmarks.gpu.queues;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.frameloom.benchmarks.driver.Complaints;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.QueueCounts;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.error.NoSuchDeviceException;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.TaskGraph;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@code bench --gpu queues}: measures 1, 2, 4, ... queues of each kind, prints a table and writes JSON. */
public final class QueueBench {
    /** The command line. */
    public static final String USAGE = "usage: bench --gpu queues [--quick] [--device NAME] [--json FILE]";

    private static final int SUBMISSIONS = 20_000;
    private static final int QUICK_SUBMISSIONS = 500;
    private static final int LATENCIES = 3_000;
    private static final int QUICK_LATENCIES = 200;
    private static final int ROUNDS = 50;
    private static final int QUICK_ROUNDS = 3;
    private static final int TURNS = 20_000;
    private static final int QUICK_TURNS = 500;

    private static final String HELP = USAGE + """


            Opens all queues of a Vulkan device and measures 1, 2, 4, ... and all of each kind, with a thread for each:

              submit    submissions of nothing a second; the times are those of the call
              latency   submission of nothing to event, awaited before the next, on all queues at once
              overlap   16 chains of 16 dispatches that follow each other, spread over the queues; the times are those of
                        all chains. Only on queues that compute. What comes out is checked.

              --quick        short: a first look, no figures to publish
              --device NAME  part of the name of a device (default: the best)
              --json FILE    write {device, driver, processors, rows: [{what, kind, queues, perSecond, p50us, p99us, speedup}]}
              -h, --help     print this text

            Status 0, or 2 with one line on standard error when the command line is wrong or there is no device.""";

    private QueueBench() {}

    /**
     * Runs the benchmark and returns the exit code.
     *
     * @param arguments what follows {@code queues}
     * @throws IOException when the result cannot be written
     */
    public static int run(List<String> arguments, PrintStream out, PrintStream complaints) throws IOException {
        boolean quick = false;
        String device = "";
        Path json = null;
        for (int i = 0; i < arguments.size(); i++) {
            String option = arguments.get(i);
            String value = i + 1 < arguments.size() ? arguments.get(i + 1) : null;
            switch (option) {
                case "-h", "--help" -> {
                    out.println(HELP);
                    return 0;
                }
                case "--quick" -> quick = true;
                case "--device", "--json" -> {
                    if (value == null) {
                        return complain(complaints, option + " needs a value");
                    }
                    i++;
                    if (option.equals("--device")) {
                        device = value;
                    } else {
                        json = path(value);
                        if (json == null) {
                            return complain(complaints, "--json " + value + " is no file name");
                        }
                    }
                }
                default -> {
                    return complain(complaints, option + " is unknown");
                }
            }
        }
        return measure(quick, device, json, out, complaints);
    }

    private static @Nullable Path path(String name) {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            return null;
        }
    }

    private static int complain(PrintStream complaints, String words) {
        return Complaints.refuse(complaints, words + "; " + USAGE);
    }

    private static int measure(boolean quick, String name, @Nullable Path json, PrintStream out, PrintStream complaints)
            throws IOException {
        ExecutorService pool = Executors.newCachedThreadPool();
        try (TaskGraph tasks = TaskGraph.builder().name("queues").workers(1).build();
                VulkanDevice device = VulkanDevices.open(
                        name, new DeviceOptions(tasks, "Frameloom bench", false, null).withQueues(QueueCounts.ALL))) {
            out.println(
                    device.capabilities().name() + ", " + device.capabilities().driver() + ", "
                            + Runtime.getRuntime().availableProcessors() + " processors, "
                            + device.queues(QueueKind.GRAPHICS).size() + " graphics, "
                            + device.queues(QueueKind.COMPUTE).size() + " compute and "
                            + device.queues(QueueKind.COPY).size() + " copy queues");
            out.printf(
                    Locale.ROOT,
                    "%-8s %-9s %6s %14s %10s %10s %8s%n",
                    "what",
                    "kind",
                    "queues",
                    "1/s",
                    "p50 us",
                    "p99 us",
                    "speedup");
            List<QueueRow> rows = new ArrayList<>();
            QueueSubmissions nothing = new QueueSubmissions(pool, quick ? QUICK_SUBMISSIONS : SUBMISSIONS);
            QueueSubmissions awaited = new QueueSubmissions(pool, quick ? QUICK_LATENCIES : LATENCIES);
            try (QueueOverlap overlap =
                    new QueueOverlap(device, pool, quick ? QUICK_ROUNDS : ROUNDS, quick ? QUICK_TURNS : TURNS)) {
                for (QueueKind kind : QueueKind.values()) {
                    List<GpuQueue> queues = device.queues(kind);
                    rows.addAll(series(queues, queues.size(), nothing::throughput, out));
                    rows.addAll(series(queues, queues.size(), awaited::latency, out));
                    if (kind.supports(QueueKind.COMPUTE)) {
                        rows.addAll(series(queues, QueueOverlap.CHAINS, overlap::measure, out));
                    }
                }
            }
            if (json != null) {
                write(json, device, rows);
            }
            return 0;
        } catch (NoSuchDeviceException e) {
            return Complaints.refuse(complaints, String.valueOf(e.getMessage()));
        } finally {
            pool.shutdown();
        }
    }

    /** Measures 1, 2, 4, ... and all of some queues, at most {@code most}. */
    private static List<QueueRow> series(
            List<GpuQueue> queues, int most, Function<List<GpuQueue>, QueueRow> measurement, PrintStream out) {
        List<QueueRow> rows = new ArrayList<>();
        for (int count : counts(Math.min(queues.size(), most))) {
            QueueRow alone = measurement.apply(queues.subList(0, count));
            QueueRow row = new QueueRow(
                    alone.what(),
                    alone.kind(),
                    alone.queues(),
                    alone.perSecond(),
                    alone.p50us(),
                    alone.p99us(),
                    alone.perSecond()
                            / (rows.isEmpty() ? alone.perSecond() : rows.get(0).perSecond()));
            rows.add(row);
            out.printf(
                    Locale.ROOT,
                    "%-8s %-9s %6d %14.0f %10.1f %10.1f %8.2f%n",
                    row.what(),
                    row.kind(),
                    row.queues(),
                    row.perSecond(),
                    row.p50us(),
                    row.p99us(),
                    row.speedup());
        }
        return rows;
    }

    /** Returns 1, 2, 4, ... and {@code most}. */
    static List<Integer> counts(int most) {
        List<Integer> counts = new ArrayList<>();
        for (int count = 1; count < most; count *= 2) {
            counts.add(count);
        }
        if (most > 0) {
            counts.add(most);
        }
        return counts;
    }

    static String name(QueueKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /** Returns the nearest-rank quantile of sorted nanoseconds, in microseconds. */
    static double micros(long[] sorted, double quantile) {
        int rank = (int) Math.ceil(quantile * sorted.length);
        return sorted[Math.max(0, rank - 1)] / 1e3;
    }

    private static void write(Path file, VulkanDevice device, List<QueueRow> all) throws IOException {
        ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        ObjectNode root = mapper.createObjectNode()
                .put("device", device.capabilities().name())
                .put("driver", device.capabilities().driver())
                .put("processors", Runtime.getRuntime().availableProcessors());
        ArrayNode rows = root.putArray("rows");
        for (QueueRow row : all) {
            rows.addObject()
                    .put("what", row.what())
                    .put("kind", row.kind())
                    .put("queues", row.queues())
                    .put("perSecond", row.perSecond())
                    .put("p50us", row.p50us())
                    .put("p99us", row.p99us())
                    .put("speedup", row.speedup());
        }
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        mapper.writeValue(file.toFile(), root);
    }
}
