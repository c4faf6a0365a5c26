package io.frameloom.samples.demo;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceKind;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.ValidationMessage;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.vulkan.VulkanDevice;
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
import io.frameloom.rdg.tools.CrashFolder;
import io.frameloom.rdg.tools.PlanJson;
import io.frameloom.rdg.tools.live.LiveView;
import io.frameloom.rdg.tools.range.FrameRange;
import io.frameloom.rdg.tools.report.PlanReport;
import io.frameloom.samples.AskedDevice;
import io.frameloom.samples.AskedDevices;
import io.frameloom.samples.Causes;
import io.frameloom.samples.IoReasons;
import io.frameloom.samples.Main;
import io.frameloom.samples.Progress;
import io.frameloom.samples.city.CityGenerator;
import io.frameloom.samples.frame.DeferredFrame;
import io.frameloom.samples.frame.MeshletCounts;
import io.frameloom.samples.frame.MeshletForm;
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
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One run of the demo: opens the device, renders, writes the results. The calling thread is GAME during the run.
 */
final class DemoRunner {
    private static final long CITY_SEED = 2026;

    /** A frame takes a software driver many seconds on a slow machine. */
    static final Duration STALL_LIMIT = Duration.ofSeconds(60);

    private static final int SUCCESS = 0;
    private static final int FINDINGS = 1;

    private final DemoOptions options;
    private final PrintWriter out;
    private final PrintWriter err;
    private final StopSignal stop;
    private final TraceRecorder trace = new TraceRecorder();
    private final DemoListener listener = new DemoListener(this::say);
    private final TaskCounter counter = new TaskCounter(trace);
    private final CrashFolder crash;
    /** Of each device, if they are to look on. */
    private final List<HazardChecker> hazardCheckers = new ArrayList<>();

    private final Set<String> captureFiles = new LinkedHashSet<>();
    /** Where captures of the system property go, or empty without any. */
    private String captureFolder = "";

    DemoRunner(DemoOptions options, PrintWriter out, PrintWriter err, StopSignal stop) {
        this.options = options;
        this.out = out;
        this.err = err;
        this.stop = stop;
        this.crash = new CrashFolder(options.out());
        crash.trace(trace);
    }

    /**
     * Runs the demo.
     *
     * @return the exit code
     * @throws UsageException on bad input
     */
    int run() throws Exception {
        try {
            return prepareAndRun();
        } catch (Exception | Error failure) {
            if (isCrash(failure)) {
                crash.write(failure).ifPresent(folder -> say("frameloom demo: see " + folder + " for what failed"));
            }
            throw failure;
        }
    }

    private boolean isCrash(Throwable failure) {
        return !stop.requested()
                && !(failure instanceof Exception exception && Main.isBadInput(exception))
                && refusal(failure) == null;
    }

    /** Writes the crash folder while loop, device and task graph can say what they are at; of one device at a time. */
    private synchronized void failed(GpuDevice device, FrameLoop loop, Throwable failure) {
        crash.device(device);
        loop.newestPlan().ifPresent(crash::plan);
        writeCrash(failure);
    }

    private void writeCrash(Throwable failure) {
        if (isCrash(failure)) {
            crash.write(failure);
        }
    }

    private int prepareAndRun() throws Exception {
        FrameRange range = options.range();
        if (range != null) {
            return withTasks((tasks, scene) -> run(tasks, new RangeRun(options, range, out), scene));
        }
        try (OutputFolder folder = OutputFolder.prepare(options.out())) {
            return withTasks((tasks, scene) -> run(tasks, scene, folder));
        }
    }

    /** The work of a run, once there are threads and a scene. */
    private interface Work {
        int run(TaskGraph tasks, Scene scene) throws Exception;
    }

    private int withTasks(Work work) throws Exception {
        Scene scene = scene(options.model(), options.animation(), this::say);
        if (stop.requested()) {
            return StopSignal.INTERRUPTED;
        }
        try (TaskGraph tasks = TaskGraph.builder()
                .name("frameloom")
                .observer(counter)
                .stallWatchdog(STALL_LIMIT, this::stalled)
                .build()) {
            tasks.attach(NamedThread.GAME);
            try {
                tasks.start(NamedThread.RENDER);
                tasks.start(NamedThread.RHI);
                return work.run(tasks, scene);
            } finally {
                tasks.detach(NamedThread.GAME);
            }
        }
    }

    private void stalled(Thread waiting, Duration waited, StallExplanation explanation) {
        say("frameloom demo: thread " + waiting.getName() + " has waited for " + waited.toSeconds() + " s");
        explanation.toString().lines().forEach(this::say);
    }

    /**
     * Returns what is shown.
     *
     * @param model glTF file, or null for the procedural city
     * @param say receives what is shown differently
     */
    static Scene scene(@Nullable Path model, @Nullable String animation, Consumer<String> say) throws UsageException {
        if (model == null) {
            return CityGenerator.generate(CITY_SEED);
        }
        try {
            return GltfLoader.load(model, animation, note -> say.accept("frameloom demo: " + note));
        } catch (ModelException e) {
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
    }

    private int run(TaskGraph tasks, Scene scene, OutputFolder folder) throws Exception {
        GpuDevice device = open(tasks, options.devices().get(0));
        Summary summary = using(device, scene, () -> stop.requested() ? null : render(device, tasks, scene, folder));
        int findings = findings(List.of(device));
        if (summary == null) {
            return StopSignal.INTERRUPTED;
        }
        listener.notCaptured().forEach(line -> say("frameloom demo: " + line));
        publish(
                summary.withFindings(
                        device.validationMessages().size(), hazards().size()),
                folder);
        return findings;
    }

    private int run(TaskGraph tasks, RangeRun range, Scene scene) throws Exception {
        List<DeviceSelector> selectors =
                AskedDevices.each(options.devices(), drawsMeshes() ? Set.of(Capability.MESH_SHADERS) : Set.of());
        for (int i = 1; i < selectors.size(); i++) {
            for (NamedThread thread : List.of(NamedThread.GAME, NamedThread.RENDER, NamedThread.RHI)) {
                tasks.start(AskedDevices.thread(thread, i));
            }
        }
        List<GpuDevice> devices = new ArrayList<>();
        boolean complete = using(tasks, selectors, devices, scene, () -> {
            AskedDevices.requireEqual(selectors, devices);
            return !stop.requested()
                    && range.render(
                            tasks,
                            IntStream.range(0, devices.size())
                                    .mapToObj(i -> new RangeRun.Renderer(
                                            AskedDevices.label(selectors.get(i), devices.get(i)),
                                            devices.get(i).capabilities(),
                                            () -> loop(devices.get(i), tasks, scene, i),
                                            (loop, failure) -> failed(devices.get(i), loop, failure)))
                                    .toList(),
                            scene,
                            stop,
                            this::survived);
        });
        int findings = findings(devices);
        return complete ? findings : StopSignal.INTERRUPTED;
    }

    /** Opens the devices that are not opened yet, and closes them after the work. */
    private <T> T using(
            TaskGraph tasks, List<DeviceSelector> asked, List<GpuDevice> opened, Scene scene, Callable<T> work)
            throws Exception {
        if (opened.size() == asked.size()) {
            return work.call();
        }
        GpuDevice device = open(tasks, asked.get(opened.size()));
        opened.add(device);
        return using(device, scene, () -> using(tasks, asked, opened, scene, work));
    }

    /** Says which device has failed although the command has not. */
    private void survived(String device, Throwable failure) {
        say("frameloom demo: --device " + device + " failed, and the others went on without it: "
                + Main.oneLine(Causes.innermost(failure).toString()));
        if (isCrash(failure)) {
            crash.write(failure).ifPresent(folder -> say("frameloom demo: see " + folder + " for what failed"));
        }
    }

    /** Closes the device after the work, and says what the user can do about a size or a capture that is refused. */
    private <T extends @Nullable Object> T using(GpuDevice device, Scene scene, Callable<T> work) throws Exception {
        crash.device(device);
        try (device) {
            try {
                checkSize(device.capabilities());
                checkParticles(device);
                checkModel(device.capabilities(), scene, options.model());
                return work.call();
            } catch (Exception | Error failure) {
                writeCrash(failure);
                throw failure;
            }
        } catch (RuntimeException failure) {
            UsageException refusal = refusal(failure);
            if (refusal != null) {
                throw refusal;
            }
            throw failure;
        }
    }

    /** Returns what the user is told of something that is refused, or null for another failure. */
    private @Nullable UsageException refusal(Throwable failure) {
        UsageException told = Causes.find(failure, UsageException.class);
        if (told != null) {
            return told;
        }
        RdgException refused = Causes.find(failure, RdgException.class);
        if (refused != null && String.valueOf(refused.getMessage()).startsWith("cannot capture")) {
            String asking = System.getProperty("frameloom.rdg.capture") == null
                    ? "--capture: "
                    : "system property frameloom.rdg.capture: ";
            return new UsageException(asking + refused.getMessage(), failure);
        }
        GpuOutOfMemoryException memory = Causes.find(failure, GpuOutOfMemoryException.class);
        if (memory == null || options.devices().stream().anyMatch(DemoRunner::isAskedFor)) {
            return null;
        }
        return new UsageException(
                "--size " + options.width() + "x" + options.height() + " needs more memory than there is: "
                        + memory.getMessage() + "; choose a smaller size"
                        + (options.model() == null ? "" : " or model")
                        + (System.getProperty("frameloom.gpu.memoryLimit") == null
                                ? ""
                                : ", or a larger frameloom.gpu.memoryLimit"),
                failure);
    }

    private List<Hazard> hazards() {
        return hazardCheckers.stream()
                .flatMap(checker -> checker.hazards().stream())
                .toList();
    }

    /** Says what validation layer and hazard checker have found; returns the exit code. */
    private int findings(List<GpuDevice> devices) {
        List<ValidationMessage> messages = devices.stream()
                .flatMap(device -> device.validationMessages().stream())
                .toList();
        messages.forEach(message -> say("validation " + message.severity() + " " + message.id() + ": "
                + message.text().replaceAll("\\s*\\R\\s*", " ")));
        hazards().forEach(hazard -> say("hazard " + hazard.kind() + ": " + hazard.explanation()));
        return messages.isEmpty() && hazards().isEmpty() ? SUCCESS : FINDINGS;
    }

    /** Whether the user chose a device on which an allocation fails. */
    private static boolean isAskedFor(DeviceSelector device) {
        return device instanceof DeviceSelector.Virtual virtual
                && virtual.options().outOfMemoryAt() > 0;
    }

    private boolean drawsMeshes() {
        return options.meshlets() == MeshletForm.MESH;
    }

    private GpuDevice open(TaskGraph tasks, DeviceSelector asked) throws UsageException {
        HazardChecker checker = null;
        if (options.validate()) {
            checker = new HazardChecker();
            hazardCheckers.add(checker);
        }
        DeviceOptions opening = new DeviceOptions(tasks, "Frameloom demo", options.validate(), checker);
        if (!drawsMeshes()) {
            return AskedDevice.open(asked, opening);
        }
        try {
            return AskedDevice.open(asked, opening.require(Capability.MESH_SHADERS));
        } catch (UsageException e) {
            throw new UsageException(
                    "--meshlets mesh: " + e.getMessage() + "; --meshlets vertex needs no mesh shaders", e);
        }
    }

    /** Refuses a model whose meshes a shader of the device cannot see at once. */
    static void checkModel(DeviceCapabilities capabilities, Scene scene, @Nullable Path model) throws UsageException {
        String problem = SceneBuffers.problem(scene, capabilities.maxStorageRange());
        if (problem != null) {
            throw new UsageException("model " + model + " " + problem);
        }
    }

    private void checkSize(DeviceCapabilities capabilities) throws UsageException {
        int most = capabilities.maxTextureExtent();
        if (options.width() > most || options.height() > most) {
            throw new UsageException("--size " + options.width() + "x" + options.height() + " exceeds what "
                    + capabilities.name() + " can render: " + most + "x" + most);
        }
    }

    private void checkParticles(GpuDevice device) throws UsageException {
        if (options.particles() && !(device instanceof VulkanDevice)) {
            throw new UsageException("--particles records commands of Vulkan, which "
                    + device.capabilities().name() + " has not; leave it out, or name another --device");
        }
    }

    private FrameLoop loop(GpuDevice device, TaskGraph tasks, Scene scene, int number) {
        // A pass per command list: the geometry passes are long, and every one of them is a task of its own.
        RdgOptions graphs = RdgOptions.defaults()
                .withPassLimits(1, 1)
                .withAsync(options.async())
                .withDiagnostics(RdgDiagnostics.none().withWatch(RdgWatch.none().withListener(listener)));
        return new FrameLoop(
                device, tasks, trace, scene, options.width(), options.height(), options.frames(), graphs, number);
    }

    private @Nullable Summary render(GpuDevice device, TaskGraph tasks, Scene scene, OutputFolder folder)
            throws Exception {
        DeviceCapabilities capabilities = device.capabilities();
        try (FrameLoop loop = loop(device, tasks, scene, 0);
                LiveView live = serve(device)) {
            loop.check(options.captures());
            loop.show(live);
            if (options.particles()) {
                loop.showParticles();
            }
            MeshletForm meshlets = options.meshlets();
            if (meshlets != null) {
                loop.drawMeshlets(meshlets);
            }
            trace.clear();
            long tasksBefore = counter.finished();
            long start = System.nanoTime();
            boolean complete;
            try (Progress progress = new Progress(
                    out, options.frames(), (done, perSecond) -> framesDone(done, options.frames(), perSecond))) {
                complete = loop.run(stop::requested, progress::update);
            } catch (Exception | Error failure) {
                failed(device, loop, failure);
                throw failure;
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
                    options.meshlets() == null ? scene.draws().size() : null,
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
                    loop.meshletCounts(),
                    capabilities.renders(),
                    trace.dropped());
        }
    }

    private @Nullable LiveView serve(GpuDevice device) throws UsageException {
        Integer port = options.serve();
        if (port == null) {
            return null;
        }
        try {
            LiveView view = LiveView.open(port, device, trace);
            say("frameloom demo: look at the frames at " + view.address());
            return view;
        } catch (IOException e) {
            throw new UsageException(
                    "--serve " + port + ": " + IoReasons.of(e) + "; choose another port, or 0 for any that is free", e);
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
        MeshletCounts meshlets = loop.meshletCounts();
        if (meshlets != null) {
            report = report.withFact("meshlets", meshlets.toString());
        }
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
