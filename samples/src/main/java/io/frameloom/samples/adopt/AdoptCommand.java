package io.frameloom.samples.adopt;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.ValidationMessage;
import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.rdg.PrintableText;
import io.frameloom.rdg.capture.Png;
import io.frameloom.samples.IoReasons;
import io.frameloom.samples.demo.UsageException;
import io.frameloom.taskgraph.TaskGraph;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code frameloom sample adopt}: an engine and Frameloom take turns at one image of the engine's own device. */
@Command(
        name = "adopt",
        mixinStandardHelpOptions = true,
        description = {
            "Starts a small engine in plain LWJGL, which draws colour bars on its own Vulkan device and queue.",
            "Frameloom adopts that device and runs a compute pass over the engine's image; the engine copies it out.",
            "Neither waits on the processor for the other: both wait for the other's timeline semaphore."
        })
public final class AdoptCommand implements Callable<Integer> {
    private static final int WIDTH = 480;
    private static final int HEIGHT = 270;
    private static final int FINDINGS = 1;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            defaultValue = "out/adopt.png",
            description = "the picture (default ${DEFAULT-VALUE})")
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
        Path file = file();
        if (device.equals("virtual") || device.startsWith("virtual:")) {
            throw new UsageException("the virtual GPU cannot be adopted, since an engine has no such device; name a"
                    + " Vulkan device (frameloom devices lists them)");
        }
        String reason = VulkanDevices.unavailableReason();
        if (!reason.isEmpty()) {
            throw new UsageException(reason);
        }
        PrintWriter words = spec.commandLine().getOut();
        HazardChecker checker = new HazardChecker();
        try (TaskGraph tasks = TaskGraph.builder().name("adopt").workers(1).build();
                Engine engine = new Engine(WIDTH, HEIGHT, device, validate);
                EngineFrame frame = new EngineFrame(engine)) {
            List<ValidationMessage> messages;
            VulkanDevice gpu = VulkanDevices.adopt(
                    engine.describe(), new DeviceOptions(tasks, "adopt", validate, validate ? checker : null));
            try (gpu) {
                run(engine, frame, gpu);
                write(file, engine);
            }
            messages = gpu.validationMessages();
            words.println(engine.name() + ": the engine drew and copied, Frameloom computed; the picture is in "
                    + PrintableText.of(file.toString()));
            messages.forEach(message -> words.println("validation: " + message.text()));
            List<Hazard> hazards = checker.hazards();
            hazards.forEach(hazard -> words.println("hazard: " + hazard));
            return messages.isEmpty() && hazards.isEmpty() ? 0 : FINDINGS;
        } catch (EngineException e) {
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
    }

    private static void run(Engine engine, EngineFrame frame, VulkanDevice gpu) {
        try (FrameloomPass pass = new FrameloomPass(gpu, engine)) {
            frame.drawBars(1);
            long computed = pass.submitAfter(1).value();
            frame.copyOut(pass.timeline(), computed, 2);
        }
    }

    private Path file() {
        try {
            return Path.of(out);
        } catch (InvalidPathException e) {
            throw new ParameterException(spec.commandLine(), "--out " + out + " is no file name: " + e.getReason(), e);
        }
    }

    private static void write(Path file, Engine engine) throws UsageException {
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            try (OutputStream stream = Files.newOutputStream(file)) {
                Png.write(stream, engine.width(), engine.height(), engine.pixels());
            }
        } catch (IOException e) {
            throw new UsageException("cannot write " + file + ": " + IoReasons.of(e), e);
        }
    }
}
