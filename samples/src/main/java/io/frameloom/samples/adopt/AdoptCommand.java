package io.frameloom.samples.adopt;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.ValidationMessage;
import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.internal.Plural;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.rdg.options.PrintableText;
import io.frameloom.samples.PictureFile;
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

/** {@code frameloom sample adopt}: an engine and Frameloom share the engine's device, picture and swapchain. */
@Command(
        name = "adopt",
        mixinStandardHelpOptions = true,
        description = {
            "Starts a small engine in plain LWJGL with a Vulkan device, a queue, a window and a swapchain of its own.",
            "In each frame the engine draws colour bars to its picture, Frameloom's render graph draws rings over them and"
                    + " shows the picture in an image of the engine's swapchain, and the engine presents. The window is"
                    + " resized half-way. Neither waits on the processor for the other: both wait for semaphores.",
            "Without a display it takes a surface that shows nothing, if the driver has one. At the end the engine copies"
                    + " its picture out."
        })
public final class AdoptCommand implements Callable<Integer> {
    private static final int WIDTH = 480;
    private static final int HEIGHT = 270;
    private static final int LARGER_WIDTH = 640;
    private static final int LARGER_HEIGHT = 360;
    private static final int FINDINGS = 1;

    @Option(
            names = "--frames",
            paramLabel = "N",
            defaultValue = "300",
            description = "how many frames (default ${DEFAULT-VALUE})")
    private int frames;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            defaultValue = "out/adopt.png",
            description = "the last picture (default ${DEFAULT-VALUE})")
    private String out = "";

    @Option(
            names = "--device",
            paramLabel = "NAME",
            defaultValue = "",
            description = "part of the name of a Vulkan device (default: the first)")
    private String device = "";

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
        PictureFile file = PictureFile.of(spec, out);
        if (device.equals("virtual") || device.startsWith("virtual:")) {
            throw new UsageException("the virtual GPU cannot be adopted, since an engine has no such device; name a"
                    + " Vulkan device (frameloom devices lists them)");
        }
        String reason = VulkanDevices.unavailableReason();
        if (!reason.isEmpty()) {
            throw new UsageException(reason);
        }
        HazardChecker checker = new HazardChecker();
        try (TaskGraph tasks = TaskGraph.builder().name("adopt").workers(1).build()) {
            tasks.start(NamedThread.RHI);
            DeviceOptions options =
                    new DeviceOptions(tasks, "adopt", validate, validate ? checker : null).withSystemProperties();
            try (EngineWindow window = new EngineWindow(WIDTH, HEIGHT);
                    Engine engine = new Engine(window, device, options.validation())) {
                VulkanDevice gpu = VulkanDevices.adopt(engine.describe(), options);
                try (gpu) {
                    String shown = run(window, engine, gpu, tasks, file);
                    spec.commandLine().getOut().println(engine.name() + ": " + shown);
                }
                return report(gpu.validationMessages(), checker.hazards());
            }
        } catch (EngineException e) {
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Writes the last picture, and returns in words what was shown. */
    private String run(EngineWindow window, Engine engine, VulkanDevice gpu, TaskGraph tasks, PictureFile file)
            throws UsageException {
        file.prepare();
        try (EngineSwapchain swapchain = new EngineSwapchain(engine, EngineLoop.FRAMES_UNDER_WAY);
                EngineFrame frame = new EngineFrame(engine, EngineLoop.FRAMES_UNDER_WAY);
                FrameloomFrames frameloom = new FrameloomFrames(gpu, tasks, engine)) {
            EngineLoop loop = new EngineLoop(window, swapchain, frame, frameloom);
            int shown = loop.run(frames, frames / 2, LARGER_WIDTH, LARGER_HEIGHT);
            if (shown == 0) {
                return "closed before the first frame, so there is no picture";
            }
            file.write(engine.width(), engine.height(), engine.pixels());
            return Plural.of(shown, "frame") + " on " + window.name() + ", " + String.join(", then ", loop.extents())
                    + "; the last picture is in " + PrintableText.of(file.toString());
        }
    }

    private int report(List<ValidationMessage> messages, List<Hazard> hazards) {
        PrintWriter words = spec.commandLine().getOut();
        messages.forEach(message -> words.println("validation: " + message.text()));
        hazards.forEach(hazard -> words.println("hazard: " + hazard));
        return messages.isEmpty() && hazards.isEmpty() ? 0 : FINDINGS;
    }
}
