package io.frameloom.stress.gpu.frames;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.QueueCounts;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.error.NoSuchDeviceException;
import io.frameloom.gpu.internal.Plural;
import io.frameloom.stress.gpu.DeviceProgram;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Runs {@link GpuFrames} for a number of graphs or for a time, and stops at the first case that is wrong.
 *
 * <pre>
 * GpuFramesMain [--device NAME] [--queues all|G,C,T] [--seed N] [--minutes N | --graphs N] [--validate yes|no]
 * </pre>
 *
 * <p>A case has two graphs; what is told of a wrong one is its seed, which runs it again with {@code --graphs 1}, and
 * the folder below the present one with its graphs, which {@code ./frameloom plan} reads.
 *
 * <p>Exit code 0: nothing was wrong. 1: something was, or queues were not used. 2: the command line is wrong.
 */
public final class GpuFramesMain {
    private static final int BAD_INPUT = 2;
    private static final int WORKERS = 3;

    private GpuFramesMain() {}

    /**
     * The program.
     *
     * @param arguments see the class
     */
    public static void main(String[] arguments) {
        GpuFramesOptions options;
        try {
            options = GpuFramesOptions.parse(arguments, System.nanoTime());
        } catch (IllegalArgumentException wrong) {
            System.err.println(wrong.getMessage() + "; " + GpuFramesOptions.USAGE);
            System.exit(BAD_INPUT);
            throw wrong;
        }
        System.exit(DeviceProgram.run(System.getProperties(), () -> run(options, Path.of(""), System.out), System.err));
    }

    /** Runs what is asked for; returns whether nothing was wrong. */
    static boolean run(GpuFramesOptions options, Path folder, PrintStream out) {
        HazardChecker checker = new HazardChecker();
        SubmissionCounts counts = new SubmissionCounts(checker);
        List<String> problems = new ArrayList<>();
        try (TaskGraph tasks =
                TaskGraph.builder().name("gpu-frames").workers(WORKERS).build()) {
            tasks.start(NamedThread.RHI);
            try (GpuDevice device = GpuDevices.open(
                            options.device(),
                            new DeviceOptions(tasks, "GPU frames", options.validation(), counts)
                                    .withQueues(options.queues()));
                    GpuFrames frames = new GpuFrames(device, checker, counts, folder)) {
                out.printf(
                        Locale.ROOT,
                        "gpu frames: %s, %s, seed %d%n",
                        device.capabilities().name(),
                        Plural.of(device.queues().size(), "queue"),
                        options.seed());
                problems.addAll(missing(device, options));
                loop(frames, options);
                frames.judgeQueues();
                problems.addAll(frames.problems());
                out.println(frames.summary());
            }
        } catch (NoSuchDeviceException notThere) {
            throw notThere;
        } catch (GpuException | IllegalStateException e) {
            e.printStackTrace(out);
            problems.add(e.toString());
        }
        problems.stream().distinct().limit(20).forEach(out::println);
        out.println("gpu frames: " + problems.size() + " problems, seed " + options.seed());
        return problems.isEmpty();
    }

    /** Returns which queues a driver's device has not that were asked for by number. */
    private static List<String> missing(GpuDevice device, GpuFramesOptions options) {
        QueueCounts asked = options.queues();
        List<String> missing = new ArrayList<>();
        if (asked.equals(QueueCounts.ALL) || options.device() instanceof DeviceSelector.Virtual) {
            return missing;
        }
        int[] counts = {asked.graphics(), asked.compute(), asked.copy()};
        QueueKind[] kinds = {QueueKind.GRAPHICS, QueueKind.COMPUTE, QueueKind.COPY};
        for (int i = 0; i < kinds.length; i++) {
            int there = device.queues(kinds[i]).size();
            if (there < counts[i]) {
                missing.add("of " + counts[i] + " " + kinds[i].name().toLowerCase(Locale.ROOT)
                        + " queues asked for the device has " + there);
            }
        }
        return missing;
    }

    private static void loop(GpuFrames frames, GpuFramesOptions options) {
        double seconds = options.minutes() * TimeUnit.MINUTES.toSeconds(1);
        long begin = System.nanoTime();
        long seed = options.seed();
        boolean right = true;
        while (right
                && (options.graphs() > 0
                        ? frames.graphs() < options.graphs()
                        : (System.nanoTime() - begin) / 1e9 < seconds)) {
            right = frames.run(seed++);
        }
    }
}
