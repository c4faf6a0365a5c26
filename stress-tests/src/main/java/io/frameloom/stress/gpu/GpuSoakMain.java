package io.frameloom.stress.gpu;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.GpuException;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.taskgraph.TaskGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs {@link GpuSoak} for a given time and samples the process's memory every second.
 *
 * <pre>
 * GpuSoakMain [--minutes N] [--device NAME] [--seed N]
 * </pre>
 *
 * <p>Exit code 0: nothing was wrong and memory is flat. 1: wrong bytes, hazards, a failure, or memory that rises. 2: the
 * command line is wrong.
 */
public final class GpuSoakMain {
    private static final String USAGE = "usage: GpuSoakMain [--minutes N] [--device NAME] [--seed N]";
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
        for (int i = 0; i < arguments.length; i += 2) {
            String value = i + 1 < arguments.length ? arguments[i + 1] : "";
            try {
                switch (arguments[i]) {
                    case "--minutes" -> minutes = Double.parseDouble(value);
                    case "--device" -> device = value;
                    case "--seed" -> seed = Long.parseLong(value);
                    default -> refuse("unknown option " + arguments[i]);
                }
            } catch (NumberFormatException e) {
                refuse(arguments[i] + " needs a number, got '" + value + "'");
            }
        }
        if (!(minutes > 0)) {
            refuse("--minutes must be positive");
        }
        System.exit(run(minutes, selector(device), seed) ? 0 : 1);
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

    private static boolean run(double minutes, DeviceSelector selector, long seed) {
        HazardChecker checker = new HazardChecker();
        MemoryCurve curve = new MemoryCurve();
        List<String> problems = new ArrayList<>();
        try (TaskGraph tasks = TaskGraph.builder().name("gpu-soak").workers(2).build();
                GpuDevice device = GpuDevices.open(selector, new DeviceOptions(tasks, "GPU soak", false, checker));
                GpuSoak soak = new GpuSoak(device, checker, seed)) {
            System.out.printf(
                    "gpu soak: %s, %d queues, %.1f minutes, seed %d%n",
                    device.capabilities().name(), device.queues().size(), minutes, seed);
            System.out.println(" seconds    frames  submissions  created  alive  Mwords checked  heap MiB   RSS MiB");
            loop(soak, curve, minutes);
            problems.addAll(soak.problems());
            System.out.printf(
                    "%d frames, %d submissions judged, %d words read back and compared%n",
                    soak.frames(), checker.submissionsChecked(), soak.wordsChecked());
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

    private static void loop(GpuSoak soak, MemoryCurve curve, double minutes) {
        double length = minutes * TimeUnit.MINUTES.toSeconds(1);
        long begin = System.nanoTime();
        double nextSample = 1;
        double nextLine = 0;
        while (soak.problems().isEmpty()) {
            double seconds = (System.nanoTime() - begin) / 1e9;
            if (seconds >= length) {
                return;
            }
            if (seconds >= nextSample) {
                MemoryCurve.Sample sample = curve.take(seconds);
                nextSample = Math.floor(seconds) + 1;
                if (seconds >= nextLine) {
                    nextLine = seconds + length / LINES;
                    System.out.printf(
                            "%8.0f %9d %12d %8d %6d %15.1f %9.1f %9.1f%n",
                            seconds,
                            soak.frames(),
                            soak.submissions(),
                            soak.created(),
                            soak.alive(),
                            soak.wordsChecked() / 1e6,
                            sample.heap() / 1048576.0,
                            sample.resident() / 1048576.0);
                }
            }
            soak.frame();
        }
    }
}
