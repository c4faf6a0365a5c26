package io.frameloom.samples.demo;

import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceKind;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.ValidationMessage;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.TextureListing;
import io.frameloom.rdg.capture.Capture;
import io.frameloom.rdg.capture.CapturedTexture;
import io.frameloom.rdg.capture.Png;
import io.frameloom.rdg.diagnostics.PlanWarning;
import io.frameloom.rdg.diagnostics.RdgDiagnostics;
import io.frameloom.rdg.diagnostics.RdgWatch;
import io.frameloom.rdg.options.PrintableText;
import io.frameloom.rdg.tools.PlanJson;
import io.frameloom.rdg.tools.report.PlanReport;
import io.frameloom.samples.Causes;
import io.frameloom.samples.Progress;
import io.frameloom.samples.city.CityGenerator;
import io.frameloom.samples.frame.DeferredFrame;
import io.frameloom.samples.frame.SceneBuffers;
import io.frameloom.samples.gltf.GltfLoader;
import io.frameloom.samples.gltf.ModelException;
import io.frameloom.samples.scene.Scene;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.StallExplanation;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.trace.TraceRecorder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One run of the demo: opens the device, renders, writes the results. The calling thread is GAME during the run.
 */
final class DemoRunner {
    private static final long CITY_SEED = 2026;

    /** A frame takes a software driver many seconds on a slow machine. */
    private static final Duration STALL_LIMIT = Duration.ofSeconds(60);

    private static final int SUCCESS = 0;
    private static final int FINDINGS = 1;
    private static final int INTERRUPTED = 130;

    private final DemoOptions options;
    private final PrintWriter out;
    private final PrintWriter err;
    private final TraceRecorder trace = new TraceRecorder();
    private final DemoListener listener = new DemoListener(this::say);
    private final TaskCounter counter = new TaskCounter(trace);
    private final @Nullable HazardChecker hazardChecker;
    private final Set<String> captureFiles = new LinkedHashSet<>();
    /** Where captures of the system property go, or empty without any. */
    private String captureFolder = "";

    DemoRunner(DemoOptions options, PrintWriter out, PrintWriter err) {
        this.options = options;
        this.out = out;
        this.err = err;
        this.hazardChecker = options.validate() ? new HazardChecker() : null;
    }

    /**
     * Runs the demo.
     *
     * @return the exit code
     * @throws UsageException on bad input
     */
    int run() throws Exception {
        try (StopSignal stop = StopSignal.open();
                OutputFolder folder = OutputFolder.prepare(options.out())) {
            Scene scene = scene();
            try (TaskGraph tasks = TaskGraph.builder()
                    .name("frameloom")
                    .observer(counter)
                    .stallWatchdog(STALL_LIMIT, this::stalled)
                    .build()) {
                tasks.attach(NamedThread.GAME);
                try {
                    tasks.start(NamedThread.RENDER);
                    tasks.start(NamedThread.RHI);
                    return run(tasks, scene, folder, stop);
                } finally {
                    tasks.detach(NamedThread.GAME);
                }
            }
        }
    }

    private void stalled(Thread waiting, Duration waited, StallExplanation explanation) {
        say("frameloom demo: thread " + waiting.getName() + " has waited for " + waited.toSeconds() + " s");
        explanation.toString().lines().forEach(this::say);
    }

    private Scene scene() throws UsageException {
        Path model = options.model();
        if (model == null) {
            return CityGenerator.generate(CITY_SEED);
        }
        try {
            return GltfLoader.load(model, options.animation(), note -> say("frameloom demo: " + note));
        } catch (ModelException e) {
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
    }

    private int run(TaskGraph tasks, Scene scene, OutputFolder folder, StopSignal stop) throws Exception {
        GpuDevice device = open(tasks);
        Summary summary;
        try (device) {
            checkSize(device.capabilities());
            String problem = SceneBuffers.problem(scene, device.capabilities().maxStorageRange());
            if (problem != null) {
                throw new UsageException("model " + options.model() + " " + problem);
            }
            summary = render(device, tasks, scene, folder, stop);
        } catch (RuntimeException failure) {
            RdgException refused = Causes.find(failure, RdgException.class);
            if (refused != null && String.valueOf(refused.getMessage()).startsWith("cannot capture")) {
                String asking = System.getProperty("frameloom.rdg.capture") == null
                        ? "--capture: "
                        : "system property frameloom.rdg.capture: ";
                throw new UsageException(asking + refused.getMessage(), failure);
            }
            GpuOutOfMemoryException memory = Causes.find(failure, GpuOutOfMemoryException.class);
            if (memory == null || isAskedFor(options.device())) {
                throw failure;
            }
            throw new UsageException(
                    "--size " + options.width() + "x" + options.height() + " needs more memory than there is: "
                            + memory.getMessage() + "; choose a smaller size"
                            + (options.model() == null ? "" : " or model")
                            + (System.getProperty("frameloom.gpu.memoryLimit") == null
                                    ? ""
                                    : ", or a larger frameloom.gpu.memoryLimit"),
                    failure);
        }
        List<ValidationMessage> messages = device.validationMessages();
        List<Hazard> hazards = hazardChecker == null ? List.of() : hazardChecker.hazards();
        messages.forEach(message -> say("validation " + message.severity() + " " + message.id() + ": "
                + message.text().replaceAll("\\s*\\R\\s*", " ")));
        hazards.forEach(hazard -> say("hazard " + hazard.kind() + ": " + hazard.explanation()));
        if (summary == null) {
            return INTERRUPTED;
        }
        listener.notCaptured().forEach(line -> say("frameloom demo: " + line));
        publish(summary.withFindings(messages.size(), hazards.size()), folder);
        return messages.isEmpty() && hazards.isEmpty() ? SUCCESS : FINDINGS;
    }

    /** Whether the user chose a device on which an allocation fails. */
    private static boolean isAskedFor(DeviceSelector device) {
        return device instanceof DeviceSelector.Virtual virtual
                && virtual.options().outOfMemoryAt() > 0;
    }

    private GpuDevice open(TaskGraph tasks) throws UsageException {
        try {
            return GpuDevices.open(
                    options.device(), new DeviceOptions(tasks, "Frameloom demo", options.validate(), hazardChecker));
        } catch (GpuException e) {
            // No such device, no validation layer, a driver that refuses: the message says what is there or missing.
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
    }

    private void checkSize(DeviceCapabilities capabilities) throws UsageException {
        int most = capabilities.maxTextureExtent();
        if (options.width() > most || options.height() > most) {
            throw new UsageException("--size " + options.width() + "x" + options.height() + " exceeds what "
                    + capabilities.name() + " can render: " + most + "x" + most);
        }
    }

    private @Nullable Summary render(
            GpuDevice device, TaskGraph tasks, Scene scene, OutputFolder folder, StopSignal stop) throws Exception {
        DeviceCapabilities capabilities = device.capabilities();
        // A pass per command list: the geometry passes are long, and every one of them is a task of its own.
        RdgOptions graphs = RdgOptions.defaults()
                .withPassLimits(1, 1)
                .withAsync(options.async())
                .withDiagnostics(RdgDiagnostics.none().withWatch(RdgWatch.none().withListener(listener)));
        try (FrameLoop loop = new FrameLoop(
                device, tasks, trace, scene, options.width(), options.height(), options.frames(), graphs)) {
            loop.check(options.captures());
            trace.clear();
            long tasksBefore = counter.finished();
            long start = System.nanoTime();
            boolean complete;
            try (Progress progress = new Progress(
                    out, options.frames(), (done, perSecond) -> framesDone(done, options.frames(), perSecond))) {
                complete = loop.run(stop::requested, progress::update);
            }
            double seconds = (System.nanoTime() - start) * 1e-9;
            if (!complete) {
                return null;
            }
            double tasksPerFrame = (double) (counter.finished() - tasksBefore) / options.frames();
            FramePlan plan = loop.lastPlan();
            if (!loop.capturedAnyway().isEmpty()) {
                captureFolder = System.getProperty("frameloom.rdg.captureFolder", "rdg-captures");
            }
            folder.writeText("graph.json", writer -> PlanJson.write(plan, writer));
            folder.writeText("trace.json", trace::writeChromeJson);
            if (capabilities.renders()) {
                folder.write(
                        Summary.PICTURE_FILE,
                        file -> Png.write(file, options.width(), options.height(), loop.picture()));
            }
            if (!options.captures().isEmpty() && !capabilities.renders()) {
                say("frameloom demo: captures show no picture: " + capabilities.name()
                        + " simulates raster work and shaders without a CPU kernel, and leaves noise for them");
            }
            for (CapturedTexture captured : options.captures().isEmpty()
                    ? List.<CapturedTexture>of()
                    : loop.capture(options.captures(), this::tellOfCapture)) {
                folder.write(captured.fileName(), captured::write);
                captureFiles.add(captured.fileName());
            }
            if (options.listTextures()) {
                TextureListing.of(plan).entries().forEach(out::println);
            }
            folder.writeText("report.html", report(plan, capabilities, loop)::writeHtml);
            return new Summary(
                    capabilities.name(),
                    capabilities.driver(),
                    capabilities.kind() == DeviceKind.SIMULATED,
                    scene.name(),
                    scene.draws().size(),
                    options.width(),
                    options.height(),
                    options.frames(),
                    options.frames() / seconds,
                    loop.times().medians(),
                    tasksPerFrame,
                    loop.times().last(),
                    loop.immediate(),
                    loop.async(),
                    Summary.asyncPasses(plan),
                    loop.lastGains(),
                    loop.reusedPlans(),
                    options.validate(),
                    0,
                    0,
                    capabilities.renders(),
                    trace.dropped());
        }
    }

    /** Names of files and models must not steer a terminal. */
    private void say(String line) {
        err.println(PrintableText.of(line));
    }

    private void tellOfCapture(PlanWarning warning) {
        if (warning.code() == PlanWarning.Code.CAPTURE_MOVES_MEMORY) {
            say("frameloom demo: " + warning.message());
        }
    }

    /** Returns the words after the bar, the same in every locale. */
    static String framesDone(long done, long frames, double perSecond) {
        return String.format(Locale.ROOT, "%d of %d frames, %.1f frames/s", done, frames, perSecond);
    }

    private PlanReport report(FramePlan plan, DeviceCapabilities capabilities, FrameLoop loop) throws IOException {
        String device = capabilities.name()
                + (capabilities.kind() == DeviceKind.SIMULATED ? " (its times are simulated and mean nothing)" : "");
        PlanReport report =
                PlanReport.of(plan).withMeasured(device, loop.times().last());
        if (!capabilities.renders() || !loop.capturedAnyway().isEmpty()) {
            return report;
        }
        for (List<Capture> batch : Thumbnails.batches(TextureListing.of(plan))) {
            for (CapturedTexture captured : loop.capture(batch, warning -> {})) {
                report = report.withThumbnail(Thumbnails.of(captured));
            }
        }
        return report.withThumbnail(
                Thumbnails.of(DeferredFrame.PICTURE, options.width(), options.height(), loop.picture()));
    }

    private void publish(Summary summary, OutputFolder folder) throws UsageException {
        folder.writeText("summary.json", summary::writeJson);
        List<String> files = new ArrayList<>(List.of("report.html", "trace.json", "graph.json", "summary.json"));
        if (summary.picture()) {
            files.add(0, Summary.PICTURE_FILE);
        }
        files.addAll(captureFiles);
        if (!captureFolder.isEmpty() && listener.notCaptured().isEmpty()) {
            files.add("captures of each frame in " + PrintableText.of(captureFolder));
        }
        folder.publish(summary.picture() ? List.of() : List.of(Summary.PICTURE_FILE));
        summary.print(out, options.out().toString(), files);
        out.flush();
    }
}
