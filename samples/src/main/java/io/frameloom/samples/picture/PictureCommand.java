package io.frameloom.samples.picture;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.rdg.options.PrintableText;
import io.frameloom.samples.AskedDevice;
import io.frameloom.samples.DeviceConverter;
import io.frameloom.samples.PictureFile;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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
        PictureFile file = PictureFile.of(spec, out == null ? "out/" + spec.name() + ".png" : out);
        try (TaskGraph tasks = TaskGraph.builder().name(spec.name()).workers(1).build()) {
            tasks.start(NamedThread.RHI);
            try (GpuDevice gpu = AskedDevice.openDrawing(
                    device, DeviceOptions.of(tasks, spec.name()).require(needed))) {
                file.prepare();
                Drawn drawn = draw(gpu, tasks);
                int size = (int) Math.sqrt(drawn.texels().remaining() / 4.0);
                file.write(size, size, drawn.texels());
                spec.commandLine()
                        .getOut()
                        .println(PrintableText.of(
                                gpu.capabilities().name() + ": " + drawn.words() + "; the picture is in " + file));
            }
        }
        return 0;
    }
}
