package io.frameloom.benchmarks.gpu.frame;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.frameloom.benchmarks.driver.Complaints;
import io.frameloom.benchmarks.driver.ThreadUsage;
import io.frameloom.benchmarks.gpu.plain.PlainDevice;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.error.NoSuchDeviceException;
import io.frameloom.gpu.internal.Plural;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.taskgraph.IdlePolicy;
import io.frameloom.taskgraph.TaskGraph;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * {@code bench --gpu frame}: what a frame costs the processor as a render graph, declared, compiled or its plan found
 * again, recorded and submitted, next to the same frame in plain LWJGL; where the time goes; and how recording a frame
 * speeds up with workers. The ways take turns, round by round.
 */
public final class FrameBench {
    /** The command line. */
    public static final String USAGE =
            "usage: bench --gpu frame [--quick] [--device NAME] [--workers N] [--validate]" + " [--json FILE]";

    private static final String HELP = USAGE + """


            Makes frames of 24 passes, 18 that draw and 6 that compute, each with a target that later passes sample:

              plain LWJGL    by hand: targets, sets and lists made once, one submission, nothing checked
              graph          a render graph that is declared every frame, recorded by one thread
              graph, new     the same with a new graph for every frame; all others declare into that of the frame before
              graph, parked  the same with threads that park at once when there is nothing to do: without it they spin for
                             a while, which is processor time
              graph, inline  as graph, parked, and the thread that records a frame submits it
              graph, unchecked
                             as graph, inline, with command lists that check nothing, as in a shipped game
              graph, N       as graph, each pass recorded by a task, with N workers beside the calling thread

            cpu is the processor time of all Java threads. Then, by the clock of the thread that makes the frame: declaring,
            getting the plan, launching the frame, and from then until its last command is recorded.

              --quick        short: a first look, no figures to publish
              --device NAME  part of the name of a device (default: the best)
              --workers N    most workers, 1 to 99 (default: processors less one)
              --validate     let validation layers check what all of them do: no figures to publish
              --json FILE    write {device, driver, processors, rows}
              -h, --help     print this text

            Status 0, 1 when a validation layer had something to say, or 2 with one line on standard error when the command
            line is wrong or there is no device.""";

    private static final int PASSES = 24;
    /** Commands of a pass; without any a frame still binds pipelines and textures. */
    static final List<Integer> COMMANDS = List.of(0, 10, 100, 1_000);

    private static final int ROUNDS = 9;
    private static final int QUICK_ROUNDS = 3;
    /** Frames of a round: at least these, more of those with few commands, down to 240 of them. */
    private static final int ROUND_FRAMES = 20;

    private static final int FEW = 10 * PASSES;

    private static final int QUICK_ROUND_FRAMES = 1;
    private static final int ROUND_COMMANDS = 120_000;

    private static final int QUICK_ROUND_COMMANDS = 2_400;
    private static final int INVALID = 1;
    private static final double MICRO = 1e3;
    private static final double MILLION = 1e6;

    private FrameBench() {}

    /** What is asked for: {@code device} is part of a name or empty, {@code workers} the most of them. */
    private record Wish(
            boolean quick,
            boolean validate,
            String device,
            int workers,
            @Nullable Path json) {}

    /** The medians of one way. */
    private record Cost(double cpuMicros, FrameSteps steps, double bytes) {}

    /** A way and the workers that record beside the calling thread. */
    private record Way(Frames frames, int workers) {}

    /**
     * Runs the benchmark and returns the exit code.
     *
     * @param arguments what follows {@code frame}
     * @throws IOException when the result cannot be written
     */
    public static int run(List<String> arguments, PrintStream out, PrintStream complaints) throws IOException {
        return run(arguments, COMMANDS, out, complaints);
    }

    /** Measures frames whose passes have each of these numbers of commands in turn. */
    static int run(List<String> arguments, List<Integer> commands, PrintStream out, PrintStream complaints)
            throws IOException {
        boolean quick = false;
        boolean validate = false;
        String device = "";
        int workers = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);
        Path json = null;
        for (int i = 0; i < arguments.size(); i++) {
            String option = arguments.get(i);
            String value = i + 1 < arguments.size() ? arguments.get(i + 1) : "";
            if (option.equals("-h") || option.equals("--help")) {
                out.println(HELP);
                return 0;
            } else if (option.equals("--quick")) {
                quick = true;
            } else if (option.equals("--validate")) {
                validate = true;
            } else if (option.equals("--device") && !value.isEmpty()) {
                device = value;
                i++;
            } else if (option.equals("--workers") && value.matches("[1-9]\\d?")) {
                workers = Integer.parseInt(value);
                i++;
            } else if (option.equals("--json") && path(value) != null) {
                json = path(value);
                i++;
            } else {
                return Complaints.refuse(complaints, "'" + option + "' is not understood here; " + USAGE);
            }
        }
        return measure(new Wish(quick, validate, device, workers, json), commands, out, complaints);
    }

    private static @Nullable Path path(String name) {
        try {
            return name.isEmpty() ? null : Path.of(name);
        } catch (InvalidPathException e) {
            return null;
        }
    }

    private static int measure(Wish wish, List<Integer> counts, PrintStream out, PrintStream complaints)
            throws IOException {
        String uuid;
        List<FrameRow> rows = new ArrayList<>();
        ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        ObjectNode root = mapper.createObjectNode();
        try (TaskGraph tasks = TaskGraph.builder().name("probe").workers(1).build();
                VulkanDevice probe =
                        VulkanDevices.open(wish.device, new DeviceOptions(tasks, "Frameloom bench", false, null))) {
            uuid = PlainDevice.uuid(probe.handles().physicalDevice());
            root.put("device", probe.capabilities().name())
                    .put("driver", probe.capabilities().driver())
                    .put("processors", Runtime.getRuntime().availableProcessors());
        } catch (NoSuchDeviceException e) {
            return Complaints.refuse(complaints, String.valueOf(e.getMessage()));
        }
        out.println(root.get("device").asText() + ", " + root.get("driver").asText() + ", "
                + Runtime.getRuntime().availableProcessors() + " processors, " + PASSES + " passes a frame");
        out.printf(
                Locale.ROOT,
                "%-16s %8s %10s %6s %10s %8s %10s %10s %12s %8s %12s%n",
                "way",
                "commands",
                "cpu us",
                "ratio",
                "declare us",
                "plan us",
                "launch us",
                "record us",
                "1/s",
                "speedup",
                "bytes/frame");
        List<String> messages = new ArrayList<>();
        for (int commands : counts) {
            FrameShape shape = new FrameShape(PASSES, commands);
            for (FrameRow row : rows(shape, uuid, wish, messages)) {
                rows.add(row);
                out.printf(
                        Locale.ROOT,
                        "%-16s %8d %10.1f %6.2f %10.1f %8.1f %10.1f %10.1f %12.0f %8.2f %12.0f%n",
                        row.way(),
                        row.passes() * row.commands(),
                        row.cpuMicros(),
                        row.cpuRatio(),
                        row.steps().declareMicros(),
                        row.steps().planMicros(),
                        row.steps().launchMicros(),
                        row.steps().recordMicros(),
                        row.perSecond(),
                        row.speedup(),
                        row.bytes());
            }
        }
        Path json = wish.json;
        if (json != null) {
            Path folder = json.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            root.set("rows", mapper.valueToTree(rows));
            mapper.writeValue(json.toFile(), root);
        }
        if (wish.validate) {
            out.println(Plural.of(messages.size(), "validation message"));
        }
        messages.forEach(message -> Complaints.say(complaints, message));
        return messages.isEmpty() ? 0 : INVALID;
    }

    private static List<FrameRow> rows(FrameShape shape, String uuid, Wish wish, List<String> messages) {
        try (OpenedFrames opened = new OpenedFrames(shape, uuid, wish.validate)) {
            List<Way> ways = new ArrayList<>();
            ways.add(new Way(opened.plain(), 0));
            IdlePolicy spinning = IdlePolicy.framePhase();
            IdlePolicy parking = IdlePolicy.parking();
            FrameExecutorOptions parallel = FrameExecutorOptions.defaults();
            FrameExecutorOptions serial = parallel.withSerialRecording(true);
            FrameExecutorOptions inline = serial.withInlineSubmission(true);
            ways.add(new Way(opened.graph("graph", 1, spinning, serial, true, true), 0));
            ways.add(new Way(opened.graph("graph, new", 1, spinning, serial, false, true), 0));
            ways.add(new Way(opened.graph("graph, parked", 1, parking, serial, true, true), 0));
            ways.add(new Way(opened.graph("graph, inline", 1, parking, inline, true, true), 0));
            ways.add(new Way(opened.graph("graph, unchecked", 1, parking, inline, true, false), 0));
            for (int workers = 1; ; workers = Math.min(2 * workers, wish.workers)) {
                ways.add(new Way(opened.graph("graph, " + workers, workers, spinning, parallel, true, true), workers));
                if (workers == wish.workers) {
                    break;
                }
            }
            int frames = Math.max(
                    wish.quick ? QUICK_ROUND_FRAMES : ROUND_FRAMES,
                    (wish.quick ? QUICK_ROUND_COMMANDS : ROUND_COMMANDS) / Math.max(FEW, shape.total()));
            Cost[] costs = compare(ways, frames, wish.quick ? QUICK_ROUNDS : ROUNDS);
            messages.addAll(opened.messages());
            List<FrameRow> rows = new ArrayList<>();
            for (int i = 0; i < costs.length; i++) {
                double micros = costs[i].steps.totalMicros();
                rows.add(new FrameRow(
                        ways.get(i).frames.name(),
                        ways.get(i).workers,
                        shape.passes(),
                        shape.commands(),
                        costs[i].cpuMicros,
                        costs[i].cpuMicros / costs[0].cpuMicros,
                        costs[i].steps,
                        shape.total() / micros * MILLION,
                        costs[1].steps.totalMicros() / micros,
                        costs[i].bytes));
            }
            return rows;
        }
    }

    /** The first two rounds warm up. */
    private static Cost[] compare(List<Way> ways, int frames, int rounds) {
        double[][] cpu = new double[ways.size()][rounds];
        FrameSteps[][] steps = new FrameSteps[ways.size()][rounds];
        double[][] bytes = new double[ways.size()][rounds];
        FrameSteps.Samples samples = new FrameSteps.Samples(frames);
        for (int round = -2; round < rounds; round++) {
            for (int way = 0; way < ways.size(); way++) {
                Frames made = ways.get(way).frames;
                ThreadUsage before = ThreadUsage.now();
                for (int i = 0; i < frames; i++) {
                    made.frame(samples);
                }
                made.finish();
                ThreadUsage after = ThreadUsage.now();
                FrameSteps medians = samples.medians();
                if (round >= 0) {
                    cpu[way][round] = after.cpuNanosSince(before) / MICRO / frames;
                    bytes[way][round] = (double) after.bytesSince(before) / frames;
                    steps[way][round] = medians;
                }
            }
        }
        Cost[] costs = new Cost[ways.size()];
        for (int way = 0; way < costs.length; way++) {
            costs[way] = new Cost(median(cpu[way]), median(steps[way]), median(bytes[way]));
        }
        return costs;
    }

    private static FrameSteps median(FrameSteps[] rounds) {
        return new FrameSteps(
                median(Arrays.stream(rounds)
                        .mapToDouble(FrameSteps::declareMicros)
                        .toArray()),
                median(Arrays.stream(rounds).mapToDouble(FrameSteps::planMicros).toArray()),
                median(Arrays.stream(rounds)
                        .mapToDouble(FrameSteps::launchMicros)
                        .toArray()),
                median(Arrays.stream(rounds)
                        .mapToDouble(FrameSteps::recordMicros)
                        .toArray()));
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
