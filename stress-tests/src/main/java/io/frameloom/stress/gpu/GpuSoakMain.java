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
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.lwjgl.vulkan.EXTHeadlessSurface;

/**
 * Runs {@link GpuSoak} and {@link SoakFrames} by turns on one device for a given time, and samples the memory of process
 * and device every second. It takes all queues of a device unless told otherwise, since what only shows with many of
 * them is what a soak is for.
 *
 * <pre>
 * GpuSoakMain [--minutes N] [--device NAME] [--queues all|G,C,T] [--seed N] [--validate yes|no] [--city yes|no]
 * </pre>
 *
 * <p>Exit code 0: nothing was wrong and memory is flat. 1: wrong bytes, hazards, messages of the validation layers, a
 * missed event, a failure that nobody asked for, or memory that rises. 2: the command line is wrong.
 */
public final class GpuSoakMain {
    private static final String USAGE =
            "usage: GpuSoakMain [--minutes N] [--device NAME] [--queues all|G,C,T] [--seed N] [--validate yes|no]"
                    + " [--city yes|no]";
    /** What resources may have; {@link SoakFrames} asks for more now and then. */
    static final long MEMORY_LIMIT = 512L << 20;

    private static final int BAD_INPUT = 2;
    /** Lines of the table, however long it runs. */
    private static final int LINES = 30;

    private static final Set<String> HEADLESS = Set.of(EXTHeadlessSurface.VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME);

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
        boolean validation = false;
        boolean city = false;
        for (int i = 0; i < arguments.length; i += 2) {
            String value = i + 1 < arguments.length ? arguments[i + 1] : "";
            try {
                switch (arguments[i]) {
                    case "--minutes" -> minutes = Double.parseDouble(value);
                    case "--device" -> device = value;
                    case "--queues" -> queues = QueueCounts.parse(value);
                    case "--seed" -> seed = Long.parseLong(value);
                    case "--validate" -> validation = yes(value);
                    case "--city" -> city = yes(value);
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
        boolean validate = validation;
        boolean withCity = city;
        System.exit(DeviceProgram.run(
                System.getProperties(), () -> run(length, selector, counts, start, validate, withCity), System.err));
    }

    private static boolean yes(String value) {
        return switch (value) {
            case "yes" -> true;
            case "no" -> false;
            default -> throw new IllegalArgumentException("it is yes or no, not '" + value + "'");
        };
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

    private static boolean run(
            double minutes, DeviceSelector selector, QueueCounts queues, long seed, boolean validation, boolean city) {
        HazardChecker checker = new HazardChecker();
        MemoryCurve curve = new MemoryCurve();
        List<String> problems = new ArrayList<>();
        try (TaskGraph tasks = TaskGraph.builder().name("gpu-soak").workers(2).build()) {
            tasks.start(NamedThread.RHI);
            boolean windows = hasSurfaces(selector);
            DeviceOptions options = options(tasks, validation, checker, windows).withQueues(queues);
            try (GpuDevice device = GpuDevices.open(selector, options)) {
                try (GpuSoak soak = new GpuSoak(device, checker, seed);
                        SoakFrames frames = new SoakFrames(device, tasks, new SplittableRandom(~seed), windows, city)) {
                    System.out.printf(
                            "gpu soak: %s, %s, %.1f minutes, seed %d%s%n",
                            device.capabilities().name(),
                            Plural.of(device.queues().size(), "queue"),
                            minutes,
                            seed,
                            validation ? ", validation layers on" : "");
                    System.out.println("| minutes | frames | graphs | failed | submissions | resources | alive |"
                            + " Mwords checked | heap MiB | native MiB | device MiB | RSS MiB |");
                    System.out.println("|" + " ---: |".repeat(12));
                    loop(device, soak, frames, curve, minutes);
                    frames.drain();
                    problems.addAll(soak.problems());
                    problems.addAll(frames.problems());
                    System.out.printf(
                            "%d frames, %d submissions judged, %d words read back and compared%n",
                            soak.frames(), checker.submissionsChecked(), soak.wordsChecked());
                    System.out.println(frames.summary());
                    System.out.println(summary(device, soak));
                }
                device.validationMessages()
                        .forEach(message -> problems.add("validation " + message.id() + ": " + message.text()));
                System.out.println(device.validationMessages().size() + " validation messages, "
                        + checker.hazards().size() + " hazards");
            }
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

    /** What a device is opened with. */
    static DeviceOptions options(TaskGraph tasks, boolean validation, HazardChecker checker, boolean windows) {
        DeviceOptions options = new DeviceOptions(tasks, "GPU soak", validation, checker).withMemoryLimit(MEMORY_LIMIT);
        return windows ? options.withSurfaces(HEADLESS) : options;
    }

    /**
     * Whether the first device that fits can present without a display. The loader has such surfaces if any driver does,
     * and lavapipe 22.3, which does not, dies of one. So with devices of several kinds nothing is presented.
     */
    static boolean hasSurfaces(DeviceSelector selector) {
        long kinds = VulkanDevices.list().stream()
                .map(device -> device.name() + device.apiVersion())
                .distinct()
                .count();
        if (kinds > 1 && !(selector instanceof DeviceSelector.Virtual)) {
            System.out.println("nothing is presented: there are devices of several drivers");
            return false;
        }
        try (TaskGraph tasks = TaskGraph.builder().name("surfaces").workers(1).build();
                GpuDevice device = GpuDevices.open(
                        selector, DeviceOptions.of(tasks, "surfaces").withSurfaces(HEADLESS))) {
            device.createHeadlessSurface("surface", 1, 1).close();
            return true;
        } catch (GpuException none) {
            System.out.println("nothing is presented: " + none.getMessage());
            return false;
        }
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

    private static void loop(GpuDevice device, GpuSoak soak, SoakFrames frames, MemoryCurve curve, double minutes) {
        double length = minutes * TimeUnit.MINUTES.toSeconds(1);
        long begin = System.nanoTime();
        double nextSample = 1;
        double nextLine = 0;
        ResidentMappings warm = null;
        while (soak.problems().isEmpty() && frames.problems().isEmpty()) {
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
                MemoryCurve.Sample sample = curve.take(seconds, reserved(device));
                nextSample = Math.floor(seconds) + 1;
                if (seconds >= nextLine) {
                    nextLine = seconds + length / LINES;
                    System.out.printf(
                            "| %.1f | %d | %d | %d | %d | %d | %d | %.1f | %.1f | %.1f | %.1f | %.1f |%n",
                            seconds / 60,
                            soak.frames(),
                            frames.frames(),
                            frames.failed(),
                            soak.submissions(),
                            soak.created(),
                            soak.alive(),
                            soak.wordsChecked() / 1e6,
                            sample.heap() / 1048576.0,
                            sample.nativeInUse() / 1048576.0,
                            sample.device() / 1048576.0,
                            sample.resident() / 1048576.0);
                }
            }
            soak.frame();
            frames.frame();
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
