package io.frameloom.samples.demo;

import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.samples.DeviceConverter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code frameloom demo}: renders a scene through task graph, render graph and GPU executor. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        version = "frameloom 0.1.0-SNAPSHOT",
        sortOptions = false,
        description = {
            "Renders a deferred frame with three frames in flight and writes picture, report, trace, graph and summary.",
            "Without a model it renders a procedural city of several thousand draws."
        })
public final class DemoCommand implements Callable<Integer> {
    /** Smallest side of a picture: the bloom chain needs a few mips. */
    private static final int MIN_EXTENT = 16;

    /** Most texels of a picture: its bytes fit one mapped buffer. */
    private static final long MAX_TEXELS = 1L << 28;

    @Option(names = "--model", paramLabel = "FILE.glb", description = "binary glTF 2.0 file to show")
    private @Nullable String model;

    @Option(
            names = "--frames",
            paramLabel = "N",
            defaultValue = "120",
            description = "frames to render; the last one is kept (default ${DEFAULT-VALUE})")
    private int frames;

    @Option(
            names = "--size",
            paramLabel = "WxH",
            defaultValue = "1280x720",
            converter = SizeConverter.class,
            description = "size of the picture in pixels (default ${DEFAULT-VALUE})")
    private Size size = new Size(MIN_EXTENT, MIN_EXTENT);

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "out/demo",
            description =
                    "folder for frame.png, report.html, trace.json, graph.json and summary.json (default ${DEFAULT-VALUE})")
    private String out = "";

    @Option(
            names = "--device",
            paramLabel = "NAME",
            defaultValue = "auto",
            converter = DeviceConverter.class,
            description =
                    "auto, virtual, virtual:queues=N,seed=N or a part of a device's name (default ${DEFAULT-VALUE})")
    private DeviceSelector device = new DeviceSelector.Auto();

    @Option(
            names = "--validate",
            description = "load the validation layer and the hazard checker; exit code 1 if they find anything")
    private boolean validate;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Size of a picture in texels. */
    private record Size(int width, int height) {}

    private static final class SizeConverter implements ITypeConverter<Size> {
        private static final Pattern FORM = Pattern.compile("([0-9]{1,9})x([0-9]{1,9})");

        @Override
        public Size convert(String value) {
            Matcher matcher = FORM.matcher(value);
            if (!matcher.matches()) {
                throw new TypeConversionException("'" + value + "' is no size; write WIDTHxHEIGHT, such as 1280x720");
            }
            int width = Integer.parseInt(matcher.group(1));
            int height = Integer.parseInt(matcher.group(2));
            if (width < MIN_EXTENT || height < MIN_EXTENT) {
                throw new TypeConversionException(
                        "'" + value + "' is too small; " + MIN_EXTENT + "x" + MIN_EXTENT + " is the smallest size");
            }
            if ((long) width * height > MAX_TEXELS) {
                throw new TypeConversionException("'" + value + "' is too large; 16384x16384 pixels are the most");
            }
            return new Size(width, height);
        }
    }

    @Override
    public Integer call() throws Exception {
        if (frames < 1) {
            throw new ParameterException(spec.commandLine(), "--frames must be at least 1, not " + frames);
        }
        DemoOptions options = new DemoOptions(
                model == null ? null : path("--model", model),
                frames,
                size.width,
                size.height,
                path("--out", out),
                device,
                validate);
        return new DemoRunner(
                        options, spec.commandLine().getOut(), spec.commandLine().getErr())
                .run();
    }

    private Path path(String option, String value) {
        if (value.isBlank()) {
            throw new ParameterException(spec.commandLine(), option + " needs a path, it is empty");
        }
        try {
            return Path.of(value);
        } catch (InvalidPathException e) {
            throw new ParameterException(spec.commandLine(), option + " is no path: " + e.getMessage(), e);
        }
    }
}
