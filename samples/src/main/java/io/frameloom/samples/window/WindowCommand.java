package io.frameloom.samples.window;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.internal.Plural;
import io.frameloom.gpu.present.ColorSpace;
import io.frameloom.gpu.present.Surface;
import io.frameloom.gpu.present.SurfaceFormat;
import io.frameloom.gpu.present.SwapchainDescription;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.samples.demo.UsageException;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code frameloom sample window}: a render graph's frames in a window that is resized. */
@Command(
        name = "window",
        mixinStandardHelpOptions = true,
        description = {
            "Opens a window, renders frames to its swapchain's images with a render graph, and resizes it half-way.",
            "Without a display it takes a surface that shows nothing: the driver's, or else the virtual GPU's."
        })
public final class WindowCommand implements Callable<Integer> {
    private static final int WIDTH = 480;
    private static final int HEIGHT = 270;
    private static final int LARGER_WIDTH = 640;
    private static final int LARGER_HEIGHT = 360;
    private static final int FINDINGS = 1;

    @Option(
            names = "--frames",
            paramLabel = "N",
            defaultValue = "120",
            description = "how many frames (default ${DEFAULT-VALUE})")
    private int frames;

    @Option(
            names = "--device",
            paramLabel = "NAME",
            defaultValue = "auto",
            description = "auto, part of the name of a Vulkan device, or virtual and its settings (default"
                    + " ${DEFAULT-VALUE})")
    private String device = "";

    @Option(
            names = "--latency",
            paramLabel = "N",
            defaultValue = "0",
            description = "frames on their way to the display at most (default: as many as there are images)")
    private int latency;

    @Option(
            names = "--colors",
            paramLabel = "SPACE",
            split = ",",
            description = "colour spaces, the best first: ${COMPLETION-CANDIDATES} (default SRGB)")
    private List<ColorSpace> colors = List.of();

    @Option(
            names = "--validate",
            description = "load the validation layer and check for hazards; exit code 1 on any finding")
    private boolean validate;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws UsageException {
        if (frames < 1) {
            throw new ParameterException(spec.commandLine(), "--frames is at least 1, got " + frames);
        }
        if (latency < 0) {
            throw new ParameterException(spec.commandLine(), "--latency is at least 1, or 0 for none, got " + latency);
        }
        DeviceSelector selector = selector();
        boolean vulkan = !(selector instanceof DeviceSelector.Virtual)
                && VulkanDevices.unavailableReason().isEmpty();
        WindowSystem windows = vulkan ? WindowSystems.GLFW.begin() : null;
        try (WindowSystem system = windows == null ? WindowSystems.headless() : windows;
                Stage stage = system.open("Frameloom", 0, 0, WIDTH, HEIGHT);
                TaskGraph tasks = TaskGraph.builder().name("window").workers(2).build()) {
            tasks.start(NamedThread.RHI);
            return run(system, stage, tasks, selector);
        } catch (GpuOutOfMemoryException e) {
            // Nothing that the command line could change.
            throw e;
        } catch (GpuException e) {
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
    }

    private DeviceSelector selector() {
        try {
            return DeviceSelector.parse(device);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--device " + device + ": " + e.getMessage(), e);
        }
    }

    private int run(WindowSystem system, Stage stage, TaskGraph tasks, DeviceSelector selector) {
        PrintWriter words = spec.commandLine().getOut();
        HazardChecker checker = new HazardChecker();
        DeviceOptions options = new DeviceOptions(tasks, "window", validate, validate ? checker : null);
        GpuDevice gpu = open(system, options, selector);
        try (gpu;
                FrameExecutor executor = new FrameExecutor(gpu, tasks, FrameExecutorOptions.defaults());
                Surface surface = stage.surface(gpu);
                WindowLoop loop = new WindowLoop(system, stage, gpu, surface, executor, this::wished)) {
            int presented = loop.run(frames, frames / 2, LARGER_WIDTH, LARGER_HEIGHT);
            words.println(gpu.capabilities().name() + ": " + Plural.of(presented, "frame") + " on " + stage.name()
                    + ", " + String.join(", then ", loop.extents()));
            if (latency > 0 || !colors.isEmpty()) {
                words.println(loop.images());
            }
        }
        gpu.validationMessages().forEach(message -> words.println("validation: " + message.text()));
        checker.hazards().forEach(hazard -> words.println("hazard: " + hazard));
        return gpu.validationMessages().isEmpty() && checker.hazards().isEmpty() ? 0 : FINDINGS;
    }

    private SwapchainDescription wished(SwapchainDescription usual) {
        SwapchainDescription limited = latency == 0 ? usual : usual.withMaximumFrameLatency(latency);
        return colors.isEmpty()
                ? limited
                : limited.withFormats(colors.stream().map(WindowCommand::format).toArray(SurfaceFormat[]::new));
    }

    private static SurfaceFormat format(ColorSpace space) {
        return switch (space) {
            case SRGB, DISPLAY_P3 -> new SurfaceFormat(Format.B8G8R8A8_SRGB, space);
            case EXTENDED_SRGB_LINEAR -> SurfaceFormat.SC_RGB;
            case HDR10_ST2084 -> SurfaceFormat.HDR10;
        };
    }

    private GpuDevice open(WindowSystem system, DeviceOptions options, DeviceSelector selector) {
        DeviceOptions presenting = options.withSurfaces(system.extensions());
        boolean mayBeVirtual = selector instanceof DeviceSelector.Auto auto && auto.mayBeVirtual();
        if (!mayBeVirtual || !(system instanceof Headless)) {
            return GpuDevices.open(selector, presenting);
        }
        try {
            return GpuDevices.open(selector, presenting);
        } catch (GpuException withoutHeadlessSurfaces) {
            spec.commandLine()
                    .getErr()
                    .println("frameloom sample window: running on the virtual GPU, since there is no display: "
                            + withoutHeadlessSurfaces.getMessage()
                            + "; to see a window, start this where there is a display, such as under xvfb-run");
            return GpuDevices.open(DeviceSelector.Virtual.DEFAULT, options);
        }
    }
}
