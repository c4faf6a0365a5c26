package io.frameloom.samples.bindless;

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
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code frameloom sample bindless}: a thousand textures in one indirect draw. */
@Command(
        name = "bindless",
        mixinStandardHelpOptions = true,
        description = {
            "Puts 1,000 textures into a bindless table and draws 1,000 quads in one indirect draw. Each finds its texture"
                    + " by a number.",
            "It needs a Vulkan device with descriptor indexing."
        })
public final class BindlessCommand implements Callable<Integer> {
    @Option(
            names = "--out",
            paramLabel = "FILE",
            defaultValue = "out/bindless.png",
            description = "the picture (default ${DEFAULT-VALUE})")
    private String out = "";

    @Option(
            names = "--device",
            paramLabel = "NAME",
            defaultValue = "auto:orFail",
            converter = DeviceConverter.class,
            description = "part of the name of a Vulkan device (default: the best that can)")
    private DeviceSelector device = new DeviceSelector.Auto();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        Path file = file();
        try (TaskGraph tasks = TaskGraph.builder().name("bindless").workers(1).build()) {
            tasks.start(NamedThread.RHI);
            try (GpuDevice gpu = open(tasks);
                    BindlessPicture picture = new BindlessPicture(gpu, tasks)) {
                write(file, picture.draw());
                spec.commandLine()
                        .getOut()
                        .println(PrintableText.of(gpu.capabilities().name() + ": " + BindlessPicture.QUADS
                                + " textures in one draw; the picture is in " + file));
            }
        }
        return 0;
    }

    private GpuDevice open(TaskGraph tasks) throws UsageException {
        GpuDevice gpu;
        try {
            gpu = GpuDevices.open(device, DeviceOptions.of(tasks, "bindless").require(Capability.DESCRIPTOR_INDEXING));
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
        try {
            return Path.of(out);
        } catch (InvalidPathException e) {
            throw new ParameterException(spec.commandLine(), "--out " + out + " is no file name: " + e.getReason(), e);
        }
    }

    private static void write(Path file, ByteBuffer texels) throws UsageException {
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            try (OutputStream stream = Files.newOutputStream(file)) {
                Png.write(stream, BindlessPicture.SIZE, BindlessPicture.SIZE, texels);
            }
        } catch (IOException e) {
            throw new UsageException("cannot write " + file + ": " + IoReasons.of(e), e);
        }
    }
}
