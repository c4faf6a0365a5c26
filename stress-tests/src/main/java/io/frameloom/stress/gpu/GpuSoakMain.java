package io.frameloom.stress.gpu;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.QueueCounts;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.error.NoSuchDeviceException;
import io.frameloom.gpu.internal.Plural;
import io.frameloom.gpu.resource.MemoryStatistics;
import io.frameloom.taskgraph.TaskGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Runs {@link GpuSoak} for a given time and samples the process's memory every second. It takes all queues of a device
 * unless told otherwise, since what only shows with many of them is what a soak is for.
 *
 * <pre>
 * GpuSoakMain [--minutes N] [--device NAME] [--queues all|G,C,T] [--seed N]
 * </pre>
 *
 * <p>Exit code 0: nothing was wrong and memory is flat. 1: wrong bytes, hazards, a failure, or memory that rises. 2: the
 * command line is wrong.
 */
public final class GpuSoakMain {
    private static final String USAGE =
            "usage: GpuSoakMain [--minutes N] [--device NAME] [--queues all|G,C,T] [--seed N]";
    private static final int BAD_INPUT = 2;
    /** Lines of the table, however long it runs. */
    private static final int LINES = 60;

    private GpuSoakMain() {}

    /**
     * The program.
     *
     * @param arguments see the class
     */
    public static void main(String[] arguments) {
        double minutes = 10;
        String device = "auto";
        long seed = System.nanoTime();
        QueueCounts queues = QueueCounts.ALL;
        for (int i = 0; i < arguments.length; i += 2) {
            String value = i + 1 < arguments.length ? arguments[i + 1] : "";
            try {
                switch (arguments[i]) {
                    case "--minutes" -> minutes = Double.parseDouble(value);
                    case "--device" -> device = value;
                    case "--queues" -> queues = QueueCounts.parse(value);
                    case "--seed" -> seed = Long.parseLong(value);
                    default -> refuse("unknown option " + arguments[i]);
                }
            } catch (NumberFormatException e) {
                refuse(arguments[i] + " needs a number, got '" + value + "'");
            } catch (IllegalArgumentException e) {
                refuse(arguments[i] + ": " + e.getMessage());
            }
        }
        if (!(minutes > 0)) {
            refuse("--minutes must be positive");
        }
        double length = minutes;
        DeviceSelector selector = selector(device);
        QueueCounts counts = queues;
        long start = seed;
        System.exit(DeviceProgram.run(System.getProperties(), () -> run(length, selector, counts, start), System.err));
    }

    private static DeviceSelector selector(String device) {
        try {
            return DeviceSelector.parse(device);
        } catch (IllegalArgumentException e) {
            refuse(String.valueOf(e.getMessage()));
            throw e;
        }
    }

    private static void refuse(String reason) {
        System.err.println(reason + "; " + USAGE);
        System.exit(BAD_INPUT);
    }

    private static boolean run(double minutes, DeviceSelector selector, QueueCounts queues, long seed) {
        HazardChecker checker = new HazardChecker();
        MemoryCurve curve = new MemoryCurve();
        List<String> problems = new ArrayList<>();
        try (TaskGraph tasks = TaskGraph.builder().name("gpu-soak").workers(2).build();
                GpuDevice device = GpuDevices.open(
                        selector, new DeviceOptions(tasks, "GPU soak", false, checker).withQueues(queues));
                GpuSoak soak = new GpuSoak(device, checker, seed)) {
            System.out.printf(
                    "gpu soak: %s, %s, %.1f minutes, seed %d%n",
                    device.capabilities().name(), Plural.of(device.queues().size(), "queue"), minutes, seed);
            System.out.println(" seconds    frames  submissions  created  alive  Mwords checked  heap MiB"
                    + "  native MiB  device MiB   RSS MiB");
            loop(device, soak, curve, minutes);
            problems.addAll(soak.problems());
            System.out.printf(
                    "%d frames, %d submissions judged, %d words read back and compared%n",
                    soak.frames(), checker.submissionsChecked(), soak.wordsChecked());
            System.out.println(summary(device, soak));
        } catch (NoSuchDeviceException notThere) {
            throw notThere;
        } catch (GpuException | IllegalStateException e) {
            e.printStackTrace(System.out);
            problems.add(e.toString());
        }
        problems.addAll(curve.rising());
        if (curve.isTooShort()) {
            System.out.println("too short to say whether memory is flat; that takes two minutes");
        }
        problems.stream().distinct().limit(20).forEach(System.out::println);
        System.out.println("gpu soak: " + problems.size() + " problems, seed " + seed);
        return problems.isEmpty();
    }

    /** Says how many queues of each kind ran, how many submissions each had, and what was handed over between families. */
    static String summary(GpuDevice device, GpuSoak soak) {
        StringBuilder text = new StringBuilder();
        for (QueueKind kind : QueueKind.values()) {
            List<GpuQueue> some = device.queues(kind);
            text.append(some.size())
                    .append(some.size() == 1 ? " queue " : " queues ")
                    .append(kind.name().toLowerCase(Locale.ROOT));
            if (!some.isEmpty()) {
                text.append(" with ")
                        .append(some.stream()
                                .map(queue -> Long.toString(soak.submissions(queue)))
                                .collect(Collectors.joining(" ")))
                        .append(" submissions");
            }
            text.append("; ");
        }
        return text.append(soak.transfers())
                .append(" transfers between families")
                .toString();
    }

    private static void loop(GpuDevice device, GpuSoak soak, MemoryCurve curve, double minutes) {
        double length = minutes * TimeUnit.MINUTES.toSeconds(1);
        long begin = System.nanoTime();
        double nextSample = 1;
        double nextLine = 0;
        ResidentMappings warm = null;
        while (soak.problems().isEmpty()) {
            double seconds = (System.nanoTime() - begin) / 1e9;
            if (seconds >= length) {
                break;
            }
            if (warm == null && seconds >= length / 3) {
                warm = ResidentMappings.now();
            }
            if (seconds >= nextSample) {
                if (seconds >= nextLine) {
                    // Young collections alone say nothing of what has grown old.
                    System.gc();
                }
                MemoryCurve.Sample sample = curve.take(seconds);
                nextSample = Math.floor(seconds) + 1;
                if (seconds >= nextLine) {
                    nextLine = seconds + length / LINES;
                    System.out.printf(
                            "%8.0f %9d %12d %8d %6d %15.1f %9.1f %11.1f %11.1f %9.1f%n",
                            seconds,
                            soak.frames(),
                            soak.submissions(),
                            soak.created(),
                            soak.alive(),
                            soak.wordsChecked() / 1e6,
                            sample.heap() / 1048576.0,
                            sample.nativeInUse() / 1048576.0,
                            reserved(device) / 1048576.0,
                            sample.resident() / 1048576.0);
                }
            }
            soak.frame();
        }
        if (warm != null) {
            System.out.println("resident memory since a third of the time:");
            ResidentMappings.now().since(warm).forEach(line -> System.out.println("    " + line));
            NativeHeap.Use use = NativeHeap.now();
            System.out.printf(
                    "    of the C library: %.1f MiB in use, %.1f with what it keeps%n",
                    use.inUse() / 1048576.0, use.kept() / 1048576.0);
        }
    }

    /** Returns the bytes of device memory that the device has taken for its resources. */
    private static long reserved(GpuDevice device) {
        return device.memoryStatistics().heaps().stream()
                .mapToLong(MemoryStatistics.Heap::reserved)
                .sum();
    }
}
