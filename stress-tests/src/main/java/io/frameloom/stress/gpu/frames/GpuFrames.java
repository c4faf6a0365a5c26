package io.frameloom.stress.gpu.frames;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.ValidationMessage;
import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.internal.Plural;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.tools.PlanJson;
import io.frameloom.taskgraph.SystemPropertyException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Random graphs on all queues of a device: the frames of each case are compared with {@link HostModel}, every
 * submission is judged, and what the validation layers say counts. One thread, which submits nothing itself; the task
 * graph of the device has a thread that does.
 */
final class GpuFrames implements AutoCloseable {
    /** How layers begin advice, such as another layout than GENERAL for what a shader loads and a copy reads. */
    private static final String ADVICE = "Validation Performance Warning";

    private final GpuDevice device;
    private final HazardChecker checker;
    private final SubmissionCounts counts;
    private final Path folder;
    private final BiConsumer<RenderGraph, KeptResources> more;
    private final DeviceTraits traits;
    private final FrameKernels kernels;
    private final List<String> problems = new ArrayList<>();
    private long graphs;
    private long frames;
    private long passes;
    private long reused;
    private long words;
    private long sharedBytes;

    /**
     * Frames to come.
     *
     * @param device opened with {@code counts} as its observer
     * @param checker what {@code counts} hands on to
     * @param folder where the graphs of a case go that is wrong
     */
    GpuFrames(GpuDevice device, HazardChecker checker, SubmissionCounts counts, Path folder) {
        this(device, checker, counts, folder, (graph, kept) -> {});
    }

    /** Frames that declare more than the cases say. */
    GpuFrames(
            GpuDevice device,
            HazardChecker checker,
            SubmissionCounts counts,
            Path folder,
            BiConsumer<RenderGraph, KeptResources> more) {
        this.device = device;
        this.checker = checker;
        this.counts = counts;
        this.folder = folder;
        this.more = more;
        this.traits = DeviceTraits.of(device);
        this.kernels = new FrameKernels(device);
    }

    /** Runs the case of a seed; returns whether nothing was wrong. */
    boolean run(long seed) {
        return run(RandomCase.of(seed, traits), new HostModel());
    }

    /** Runs a case that was decided elsewhere. */
    boolean run(RandomCase random, HostModel expected) {
        FrameSequence sequence = new FrameSequence(device, kernels, traits, more);
        List<String> wrong = new ArrayList<>();
        try {
            wrong.addAll(sequence.run(random, expected));
        } catch (SystemPropertyException notOurs) {
            throw notOurs;
        } catch (RuntimeException failure) {
            wrong.add(failure.toString());
        }
        checker.hazards().stream().map(Hazard::explanation).forEach(wrong::add);
        checker.undeclared().stream().map(Hazard::explanation).forEach(wrong::add);
        device.validationMessages().stream()
                .filter(message -> !message.text().startsWith(ADVICE))
                .map(ValidationMessage::toString)
                .forEach(wrong::add);
        graphs += random.graphs();
        frames += random.frames().size();
        passes += sequence.passes();
        reused += sequence.reused();
        words += sequence.words();
        sharedBytes += sequence.sharedBytes();
        if (!wrong.isEmpty()) {
            String where = "seed " + random.seed() + ", graphs in "
                    + dumped(random.seed(), sequence.plans()).toAbsolutePath();
            wrong.forEach(each -> problems.add(where + ": " + each));
        }
        return wrong.isEmpty();
    }

    private Path dumped(long seed, Map<String, FramePlan> plans) {
        Path into = folder.resolve("gpu-frames-" + seed);
        try {
            Files.createDirectories(into);
            for (Map.Entry<String, FramePlan> plan : plans.entrySet()) {
                try (Writer writer = Files.newBufferedWriter(into.resolve(plan.getKey() + ".json"))) {
                    PlanJson.write(plan.getValue(), writer);
                }
            }
            return into;
        } catch (IOException failure) {
            throw new UncheckedIOException("the graphs of seed " + seed + " cannot be written", failure);
        }
    }

    /** Takes notice of queues that nothing ran on, or that never waited for each other. */
    void judgeQueues() {
        int there = device.queues().size();
        if (counts.queues() < there) {
            problems.add("of " + there + " queues only " + counts.queues() + " were used");
        }
        if (there > 1 && counts.waits() == 0) {
            problems.add("none of " + there + " queues waited for another one");
        }
    }

    /** Returns what cases are decided for. */
    DeviceTraits traits() {
        return traits;
    }

    /** Returns how many graphs there were so far. */
    long graphs() {
        return graphs;
    }

    /** Returns what was wrong so far. */
    List<String> problems() {
        return List.copyOf(problems);
    }

    /** Returns a line of what there was so far. */
    String summary() {
        return String.format(
                Locale.ROOT,
                "%s, %s, %s, %s judged, %s between queues, %s, %d of %s used, %s reused, %s shared, %s compared",
                Plural.of(graphs, "graph"),
                Plural.of(frames, "frame"),
                Plural.of(passes, "pass"),
                Plural.of(counts.submissions(), "submission"),
                Plural.of(counts.waits(), "wait"),
                Plural.of(counts.transfers(), "ownership transfer"),
                counts.queues(),
                Plural.of(device.queues().size(), "queue"),
                Plural.of(reused, "plan"),
                Plural.of(sharedBytes, "heap byte"),
                Plural.of(words, "word"));
    }

    @Override
    public void close() {
        kernels.close();
    }
}
