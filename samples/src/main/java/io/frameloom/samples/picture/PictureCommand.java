package io.frameloom.samples.picture;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.rdg.capture.Png;
import io.frameloom.rdg.options.PrintableText;
import io.frameloom.samples.DeviceConverter;
import io.frameloom.samples.IoReasons;
import io.frameloom.samples.demo.UsageException;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A sample that needs a capability of a Vulkan device, draws one square picture and says what it saw. */
public abstract class PictureCommand implements Callable<Integer> {
    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "the picture (default: the name of the sample in the folder out)")
    private @Nullable String out;

    @Option(
            names = "--device",
            paramLabel = "NAME",
            defaultValue = "auto:orFail",
            converter = DeviceConverter.class,
            description = "part of the name of a Vulkan device (default: the best that can)")
    private DeviceSelector device = new DeviceSelector.Auto();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final Capability needed;

    /** A sample that needs a capability. */
    protected PictureCommand(Capability needed) {
        this.needed = needed;
    }

    /**
     * What was drawn.
     *
     * @param texels texels of a square, red first
     * @param words what the sample says, to follow the name of the device
     */
    public record Drawn(ByteBuffer texels, String words) {}

    /** Draws the picture. */
    protected abstract Drawn draw(GpuDevice gpu, TaskGraph tasks);

    @Override
    public final Integer call() throws Exception {
        Path file = file();
        try (TaskGraph tasks = TaskGraph.builder().name(spec.name()).workers(1).build()) {
            tasks.start(NamedThread.RHI);
            try (GpuDevice gpu = open(tasks)) {
                Drawn drawn = draw(gpu, tasks);
                write(file, drawn.texels());
                spec.commandLine()
                        .getOut()
                        .println(PrintableText.of(
                                gpu.capabilities().name() + ": " + drawn.words() + "; the picture is in " + file));
            }
        }
        return 0;
    }

    private GpuDevice open(TaskGraph tasks) throws UsageException {
        GpuDevice gpu;
        try {
            gpu = GpuDevices.open(device, DeviceOptions.of(tasks, spec.name()).require(needed));
        } catch (GpuException e) {
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
        if (!gpu.capabilities().renders()) {
            gpu.close();
            throw new UsageException(
                    "the virtual GPU draws no picture; name a Vulkan device (frameloom devices lists them)");
        }
        return gpu;
    }

    private Path file() {
        String name = out;
        if (name == null) {
            return Path.of("out", spec.name() + ".png");
        }
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new ParameterException(spec.commandLine(), "--out " + name + " is no file name: " + e.getReason(), e);
        }
    }

    private static void write(Path file, ByteBuffer texels) throws UsageException {
        int size = (int) Math.sqrt(texels.remaining() / 4.0);
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            try (OutputStream stream = Files.newOutputStream(file)) {
                Png.write(stream, size, size, texels);
            }
        } catch (IOException e) {
            throw new UsageException("cannot write " + file + ": " + IoReasons.of(e), e);
        }
    }
}
