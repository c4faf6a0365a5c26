package io.frameloom.samples.demo;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.error.SurfaceLostException;
import io.frameloom.gpu.internal.Plural;
import io.frameloom.gpu.present.FrameLimiter;
import io.frameloom.gpu.present.Surface;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.options.PrintableText;
import io.frameloom.samples.AskedDevice;
import io.frameloom.samples.Causes;
import io.frameloom.samples.Closing;
import io.frameloom.samples.frame.SceneBuffers;
import io.frameloom.samples.frame.SceneUpload;
import io.frameloom.samples.scene.Scene;
import io.frameloom.samples.window.Stage;
import io.frameloom.samples.window.StageKey;
import io.frameloom.samples.window.WindowSystem;
import io.frameloom.samples.window.WindowSystems;
import io.frameloom.taskgraph.FrameScope;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.StallExplanation;
import io.frameloom.taskgraph.TaskBody;
import io.frameloom.taskgraph.TaskGraph;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The demo in windows. The calling thread, the one that started the program, sees to the windows and is GAME; all
 * windows of a frame are graphs of one frame of the executor.
 */
final class WindowDemo {
    private static final int FINDINGS = 1;

    /** How long to sleep at most while nothing is to be drawn: Ctrl-C is seen then. */
    private static final Duration NAP = Duration.ofMillis(250);

    /** The scene does not jump after a pause of the program. */
    private static final double LONGEST_STEP = 0.1;

    private static final double SINGLE_STEP = 1 / 60.0;
    private static final int GAP = 16;
    private static final double NANOS = 1e9;

    private final WindowOptions options;
    private final PrintWriter out;
    private final PrintWriter err;
    private final StopSignal stop;
    private final List<DemoWindow> windows = new ArrayList<>();
    private final List<Stage> stages = new ArrayList<>();
    private final List<Frame> frames = new ArrayList<>();

    private boolean paused;
    private boolean step;
    private double seconds;

    /** One of the frames in flight. */
    private static final class Frame {
        private final int slot;
        private @Nullable FrameScope scope;
        private @Nullable GraphEvent built;
        private @Nullable GraphEvent ended;

        Frame(int slot) {
            this.slot = slot;
        }
    }

    WindowDemo(WindowOptions options, PrintWriter out, PrintWriter err, StopSignal stop) {
        this.options = options;
        this.out = out;
        this.err = err;
        this.stop = stop;
    }

    /**
     * Runs until the windows are closed or all frames were shown.
     *
     * @return the exit code
     * @throws UsageException on bad input
     */
    int run() throws UsageException {
        Scene scene = DemoRunner.scene(options.model(), options.animation(), this::say);
        if (stop.requested()) {
            return StopSignal.INTERRUPTED;
        }
        try (WindowSystem system = system();
                TaskGraph tasks = TaskGraph.builder()
                        .name("frameloom")
                        .stallWatchdog(DemoRunner.STALL_LIMIT, this::stalled)
                        .build()) {
            tasks.attach(NamedThread.GAME);
            try {
                tasks.start(NamedThread.RENDER);
                tasks.start(NamedThread.RHI);
                return run(system, tasks, scene);
            } finally {
                tasks.detach(NamedThread.GAME);
            }
        } catch (RuntimeException failure) {
            GpuOutOfMemoryException memory = Causes.find(failure, GpuOutOfMemoryException.class);
            if (memory != null) {
                throw new UsageException(
                        "--size " + options.width() + "x" + options.height() + " needs more memory than there is: "
                                + memory.getMessage() + "; choose a smaller size",
                        failure);
            }
            UsageException refused = Causes.find(failure, UsageException.class);
            if (refused != null) {
                throw refused;
            }
            SurfaceLostException lost = Causes.find(failure, SurfaceLostException.class);
            if (lost != null) {
                throw new UsageException(String.valueOf(lost.getMessage()), failure);
            }
            throw failure;
        }
    }

    private GpuDevice open(TaskGraph tasks, WindowSystem system, @Nullable HazardChecker checker)
            throws UsageException {
        DeviceSelector selector =
                options.device() instanceof DeviceSelector.Auto auto ? auto.orFail() : options.device();
        return AskedDevice.open(
                selector,
                new DeviceOptions(tasks, "Frameloom demo", options.validate(), checker)
                        .withSurfaces(system.extensions()));
    }

    private void stalled(Thread waiting, Duration waited, StallExplanation explanation) {
        say("frameloom demo: thread " + waiting.getName() + " has waited for " + waited.toSeconds() + " s");
        explanation.toString().lines().forEach(this::say);
    }

    private WindowSystem system() throws UsageException {
        if (options.device() instanceof DeviceSelector.Virtual) {
            return WindowSystems.headless();
        }
        String reason = VulkanDevices.unavailableReason();
        if (!reason.isEmpty()) {
            throw new UsageException("--window needs a Vulkan device: " + reason);
        }
        WindowSystem system = options.system().begin();
        if (system == null) {
            throw new UsageException("--window " + options.system() + " finds no display that Vulkan can show to; start"
                    + " this where there is one, such as under xvfb-run, or leave out --window");
        }
        return system;
    }

    private int run(WindowSystem system, TaskGraph tasks, Scene scene) throws UsageException {
        HazardChecker checker = options.validate() ? new HazardChecker() : null;
        GpuDevice device = open(tasks, system, checker);
        try {
            boolean whole;
            try (device) {
                DemoRunner.checkModel(device.capabilities(), scene, options.model());
                for (int i = 0; i < options.windows(); i++) {
                    // The last one gets the keys where no window manager decides, so it stands first.
                    int x = (options.windows() - 1 - i) * (options.width() + GAP);
                    stages.add(system.open("Frameloom", x, 0, options.width(), options.height()));
                }
                whole = show(system, device, tasks, scene);
            }
            device.validationMessages().forEach(message -> say("validation: " + message.text()));
            if (checker != null) {
                checker.hazards().forEach(hazard -> say("hazard: " + hazard));
            }
            if (!whole) {
                return StopSignal.INTERRUPTED;
            }
            boolean clean = device.validationMessages().isEmpty()
                    && (checker == null || checker.hazards().isEmpty());
            return clean ? 0 : FINDINGS;
        } finally {
            stages.forEach(Stage::close);
        }
    }

    private boolean show(WindowSystem system, GpuDevice device, TaskGraph tasks, Scene scene) {
        RenderGraphCompiler compiler = new RenderGraphCompiler(
                RdgOptions.defaults().withPassLimits(1, 1).withAsync(options.async()));
        for (int slot = 0; slot < FrameLoop.FRAMES_IN_FLIGHT; slot++) {
            frames.add(new Frame(slot));
        }
        try (SceneBuffers buffers = new SceneBuffers(device, scene)) {
            onRender(tasks, "upload scene", () -> SceneUpload.upload(device, scene, buffers));
            FrameExecutor executor = new FrameExecutor(
                    device, tasks, FrameExecutorOptions.defaults().withFramesInFlight(FrameLoop.FRAMES_IN_FLIGHT));
            boolean whole;
            try {
                for (Stage stage : stages) {
                    Surface surface = stage.surface(device);
                    onRender(
                            tasks,
                            "open window",
                            () -> windows.add(new DemoWindow(
                                    stage,
                                    surface,
                                    device,
                                    tasks,
                                    scene,
                                    buffers,
                                    executor,
                                    compiler,
                                    windows.size(),
                                    FrameLoop.FRAMES_IN_FLIGHT)));
                    stage.listen(windows.get(windows.size() - 1).input());
                }
                whole = loop(system, device, tasks, executor);
            } catch (RuntimeException | Error failure) {
                abandon(failure);
                try {
                    close(tasks, executor);
                } catch (RuntimeException another) {
                    failure.addSuppressed(another);
                }
                throw failure;
            }
            close(tasks, executor);
            return whole;
        }
    }

    private void close(TaskGraph tasks, FrameExecutor executor) {
        List<Runnable> steps = new ArrayList<>();
        windows.forEach(window -> steps.add(window::close));
        steps.add(executor::close);
        onRender(tasks, "close windows", () -> Closing.all(steps));
    }

    private boolean loop(WindowSystem system, GpuDevice device, TaskGraph tasks, FrameExecutor executor) {
        FrameLimiter limiter = options.fps() == 0 ? null : new FrameLimiter(options.fps());
        List<String> names =
                windows.stream().map(window -> window.stage().name()).toList();
        List<String> extents = new ArrayList<>();
        long start = System.nanoTime();
        long before = start;
        int begun = 0;
        // The limiter waits before input is read, so that frames show the newest.
        while (!stop.requested()
                && (options.frames() == 0 || begun < options.frames())
                && (limiter == null || limiter.await())) {
            system.poll();
            obey();
            closeWhatTheUserClosed(tasks, extents);
            if (windows.isEmpty()) {
                break;
            }
            List<DemoWindow> seen = windows.stream()
                    .filter(window -> !window.stage().isMinimized())
                    .toList();
            long now = System.nanoTime();
            double elapsed = Math.min(LONGEST_STEP, (now - before) / NANOS);
            before = now;
            if (seen.isEmpty()) {
                system.await(NAP);
                continue;
            }
            begin(frames.get(begun % frames.size()), seen, elapsed, tasks, executor, begun);
            begun++;
        }
        for (int i = 0; i < frames.size(); i++) {
            finish(frames.get((begun + i) % frames.size()));
        }
        onRender(tasks, "settle windows", () -> windows.forEach(DemoWindow::settle));
        windows.forEach(window -> extents.add(String.join(", then ", window.extents())));
        double rate = begun * NANOS / (System.nanoTime() - start);
        out.println(String.format(
                Locale.ROOT,
                "%s: %s in %s, %.1f a second, %s",
                device.capabilities().name(),
                Plural.of(begun, "frame"),
                names.size() == 1 ? names.get(0) : names.size() + " windows",
                rate,
                String.join("; ", extents)));
        return !stop.requested();
    }

    private void obey() {
        for (DemoWindow window : windows) {
            for (StageKey key = window.input().takePressed();
                    key != null;
                    key = window.input().takePressed()) {
                switch (key) {
                    case F1 -> window.switchOverlay();
                    case F11 -> window.switchFullScreen();
                    case SPACE -> {
                        paused = !paused;
                        windows.forEach(each -> each.stage().title(paused ? "Frameloom (paused)" : "Frameloom"));
                    }
                    case PERIOD -> step = true;
                    case ESCAPE -> window.requestClose();
                    default -> {}
                }
            }
        }
    }

    /** Waits for frames that nobody will ask for any more; they may have failed for the same reason. */
    private void abandon(Throwable failure) {
        for (Frame frame : frames) {
            try {
                finish(frame);
            } catch (RuntimeException another) {
                failure.addSuppressed(another);
            }
        }
    }

    private void closeWhatTheUserClosed(TaskGraph tasks, List<String> extents) {
        List<DemoWindow> closing =
                windows.stream().filter(DemoWindow::isClosing).toList();
        if (closing.isEmpty()) {
            return;
        }
        frames.forEach(this::finish);
        onRender(tasks, "settle window", () -> closing.forEach(DemoWindow::settle));
        // From here on they are closed here, whatever fails.
        windows.removeAll(closing);
        List<Runnable> steps =
                closing.stream().<Runnable>map(window -> window::close).toList();
        onRender(tasks, "close window", () -> Closing.all(steps));
        for (DemoWindow window : closing) {
            extents.add(String.join(", then ", window.extents()));
            stages.remove(window.stage());
            window.stage().close();
        }
    }

    private void begin(
            Frame frame, List<DemoWindow> seen, double elapsed, TaskGraph tasks, FrameExecutor executor, int number) {
        finish(frame);
        frame.scope = tasks.beginFrame();
        boolean sceneMoves = !paused || step;
        seconds += paused ? (step ? SINGLE_STEP : 0) : elapsed;
        step = false;
        seen.forEach(window -> window.prepare(frame.slot, (float) elapsed, seconds, sceneMoves));
        frame.built = tasks.task("build frame " + number, () -> build(frame, seen, executor, number))
                .on(NamedThread.RENDER)
                .dispatch();
    }

    private static void build(Frame frame, List<DemoWindow> seen, FrameExecutor executor, int number) {
        executor.beginFrame();
        try {
            for (DemoWindow window : seen) {
                window.render(frame.slot, "frame " + number);
            }
        } finally {
            frame.ended = executor.endFrame();
        }
    }

    /** Waits until the device has done a frame, and takes its times. */
    private void finish(Frame frame) {
        GraphEvent built = frame.built;
        if (built == null) {
            return;
        }
        frame.built = null;
        built.await();
        GraphEvent ended = frame.ended;
        if (ended != null) {
            ended.await();
        }
        FrameScope scope = frame.scope;
        frame.scope = null;
        if (scope != null) {
            scope.close();
        }
        windows.forEach(window -> window.finished(frame.slot));
    }

    private static void onRender(TaskGraph tasks, String name, TaskBody body) {
        tasks.task(name, body).on(NamedThread.RENDER).dispatch().await();
    }

    /** Names of files and models must not steer a terminal. */
    private void say(String line) {
        err.println(PrintableText.of(line));
    }
}
