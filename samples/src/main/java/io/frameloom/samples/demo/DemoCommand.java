package io.frameloom.samples.demo;

import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.rdg.AsyncCompute;
import io.frameloom.rdg.capture.Capture;
import io.frameloom.rdg.tools.range.FrameRange;
import io.frameloom.samples.AskedDevices;
import io.frameloom.samples.DeviceConverter;
import io.frameloom.samples.PathArgument;
import io.frameloom.samples.PictureSize;
import io.frameloom.samples.frame.MeshletForm;
import io.frameloom.samples.window.WindowSystems;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
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
        version = DemoCommand.VERSION,
        sortOptions = false,
        description = {
            "Renders a deferred frame with three frames in flight and writes picture, report, trace, graph and summary.",
            "Without a model it renders a procedural city of several thousand draws."
        })
public final class DemoCommand implements Callable<Integer> {
    /** Stands in manifests, too. */
    static final String VERSION = "frameloom 0.1.0-SNAPSHOT";

    /** Smallest side of a picture: the bloom chain needs a few mips. */
    private static final int MIN_EXTENT = 16;

    private static final int BLOCK = 40;

    /** Then an empty history weighs less than a tenth. */
    private static final int WARM_UP = 24;

    /** Most texels of a picture: its bytes fit one mapped buffer. */
    private static final long MAX_TEXELS = 1L << 28;

    private static final int MOST_WINDOWS = 8;
    private static final int MOST_FPS = 1000;

    @Option(
            names = "--model",
            paramLabel = "FILE",
            description = "glTF 2.0 file to show, with a floor, and coloured lights unless it has lights of its own;"
                    + " what is shown differently from the file is named on standard error")
    private @Nullable String model;

    @Option(
            names = "--animation",
            paramLabel = "NAME",
            description = "animation of the model to play, by name or number, or none; the first if left out")
    private @Nullable String animation;

    @Option(
            names = "--frames",
            paramLabel = "N|A..B",
            defaultValue = "120",
            description = "frames to render; the last one is kept (default ${DEFAULT-VALUE}). A..B writes a picture of"
                    + " each of these frames that --out lacks, and manifests, but no other file")
    private String frames = "";

    @Option(
            names = "--block",
            paramLabel = "N",
            description = "with --frames A..B: frames that share a history; blocks begin at multiples of N (default "
                    + BLOCK + ")")
    private @Nullable Integer block;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            description = "with --frames A..B: frames rendered before each block to fill its history (default "
                    + WARM_UP + ")")
    private @Nullable Integer warmUp;

    @Option(
            names = "--size",
            paramLabel = "WxH",
            defaultValue = "1280x720",
            converter = SizeConverter.class,
            description = "size of the picture in pixels (default ${DEFAULT-VALUE})")
    private PictureSize size = new PictureSize(MIN_EXTENT, MIN_EXTENT);

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "out/demo",
            description = "folder that gets frame.png, report.html, trace.json, graph.json and summary.json (default"
                    + " ${DEFAULT-VALUE})")
    private String out = "";

    @Option(
            names = "--device",
            paramLabel = "NAME",
            defaultValue = "auto",
            converter = DeviceConverter.class,
            description =
                    "auto[:orFail], virtual, virtual:queues=N,seed=N or a part of a device's name (default ${DEFAULT-VALUE})."
                            + " Several equal devices share the blocks of --frames A..B: give the option for each, or say"
                            + " all")
    private List<DeviceSelector> devices = List.of();

    @Option(
            names = "--async",
            paramLabel = "MODE",
            defaultValue = "tagged",
            converter = AsyncConverter.class,
            description = "compute passes that may run beside graphics: off, tagged (those that may profit), measured"
                    + " (those that do on this device) or all (default ${DEFAULT-VALUE})")
    private AsyncCompute async = AsyncCompute.TAGGED;

    @Option(
            names = "--capture",
            paramLabel = "EXPR",
            converter = CaptureConverter.class,
            description = {
                "write a texture of the frame as a picture, such as depth, radiance@1:channel=r:range=0..4 or"
                        + " 'bloom down@2:mip=1:as=pfm'; give the option once per picture.",
                "name[@version][:mip=N][:layer=N]",
                "  [:channel=rgb|rgba|r|g|b|a|stencil]",
                "  [:range=LOW..HIGH|auto][:as=png|pfm]",
                "in one word; version n is what the n-th write has left"
            })
    private List<Capture> captures = List.of();

    @Option(names = "--list-textures", description = "list the textures of the frame and their versions")
    private boolean listTextures;

    @Option(
            names = "--validate",
            description = "load the validation layer and the hazard checker; exit code 1 if they find anything")
    private boolean validate;

    @Option(
            names = "--window",
            arity = "0..1",
            fallbackValue = "glfw",
            paramLabel = "API",
            converter = WindowsConverter.class,
            description = {
                "show the frames in a window, of glfw (if you name none) or sdl, and write no files.",
                "W A S D or the arrows, Q and E fly, dragging looks around, the wheel and shift change the speed, F1"
                        + " switches the overlay, space pauses, '.' makes one step, F11 fills the screen, Esc closes"
            })
    private @Nullable WindowSystems window;

    @Option(
            names = "--windows",
            paramLabel = "N",
            defaultValue = "1",
            description = "with --window: how many windows, each with a camera of its own (default ${DEFAULT-VALUE})")
    private int windows;

    @Option(
            names = "--fps",
            paramLabel = "N",
            description = "with --window: at most so many frames a second (default: as many as the screen takes)")
    private @Nullable Integer fps;

    @Option(
            names = "--particles",
            description = "add sparks to the scene by passes of Vulkan's own commands, which need a Vulkan device")
    private boolean particles;

    @Option(
            names = "--meshlets",
            arity = "0..1",
            fallbackValue = "vertex",
            paramLabel = "BY",
            converter = MeshletsConverter.class,
            description =
                    "let the device cull the city meshlet by meshlet, in two phases with a depth pyramid, and draw what"
                            + " is left by vertex (if you name none) or mesh shaders; by vertex shaders the pictures stay the same,"
                            + " by mesh shaders a driver may round otherwise")
    private @Nullable MeshletForm meshlets;

    @Option(
            names = "--serve",
            paramLabel = "PORT",
            description = "show frames in a browser of this machine while they run; the address is printed, 0 takes any"
                    + " free port")
    private @Nullable Integer serve;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private static final class SizeConverter implements ITypeConverter<PictureSize> {
        @Override
        public PictureSize convert(String value) {
            PictureSize size = PictureSize.parse(value);
            if (size.width() < MIN_EXTENT || size.height() < MIN_EXTENT) {
                throw new TypeConversionException(
                        "'" + value + "' is too small; " + MIN_EXTENT + "x" + MIN_EXTENT + " is the smallest size");
            }
            if (size.texels() > MAX_TEXELS) {
                throw new TypeConversionException("'" + value + "' is too large; 16384x16384 pixels are the most");
            }
            return size;
        }
    }

    private static final class CaptureConverter implements ITypeConverter<Capture> {
        @Override
        public Capture convert(String value) {
            try {
                return Capture.parse(value);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    private static final class WindowsConverter implements ITypeConverter<WindowSystems> {
        @Override
        public WindowSystems convert(String value) {
            for (WindowSystems system : WindowSystems.values()) {
                if (system.toString().equals(value)) {
                    return system;
                }
            }
            throw new TypeConversionException("'" + value + "' is no window system; there are glfw and sdl");
        }
    }

    private static final class MeshletsConverter implements ITypeConverter<MeshletForm> {
        @Override
        public MeshletForm convert(String value) {
            for (MeshletForm form : MeshletForm.values()) {
                if (form.toString().equals(value)) {
                    return form;
                }
            }
            throw new TypeConversionException("'" + value + "' draws no meshlets; there are vertex and mesh");
        }
    }

    private static final class AsyncConverter implements ITypeConverter<AsyncCompute> {
        @Override
        public AsyncCompute convert(String value) {
            for (AsyncCompute policy : AsyncCompute.values()) {
                if (policy.name().toLowerCase(Locale.ROOT).equals(value)) {
                    return policy;
                }
            }
            throw new TypeConversionException("'" + value + "' is no mode; there are off, tagged, measured and all");
        }
    }

    @Override
    public Integer call() throws Exception {
        PrintWriter output = spec.commandLine().getOut();
        PrintWriter errors = spec.commandLine().getErr();
        FrameRange range = frames.contains("..") ? range() : null;
        if (range == null && (block != null || warmUp != null)) {
            throw new ParameterException(
                    spec.commandLine(), "--block and --warm-up need a range, such as --frames 0..119");
        }
        if (range != null && (!captures.isEmpty() || listTextures || serve != null)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--capture, --list-textures and --serve need a number of frames, such as --frames 120, not a range");
        }
        if (range == null && AskedDevices.areSeveral(devices)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--device: several devices share a range of frames; write one, such as --frames 0..119, or name one"
                            + " device");
        }
        if (animation != null && model == null) {
            throw new ParameterException(spec.commandLine(), "--animation needs --model: the city has one of its own");
        }
        if (meshlets != null && model != null) {
            throw new ParameterException(
                    spec.commandLine(), "--meshlets shows the city; leave out either it or --model");
        }
        if (window != null) {
            WindowOptions shown = windowOptions(window);
            return StopSignal.during(
                    spec.qualifiedName(), stop -> new WindowDemo(shown, output, errors, stop).run(), errors);
        }
        if (isGiven("--windows") || fps != null) {
            throw new ParameterException(spec.commandLine(), (fps == null ? "--windows" : "--fps") + " needs --window");
        }
        if (serve != null && (serve < 0 || serve > 65_535)) {
            throw new ParameterException(spec.commandLine(), "--serve must be a port, 0 to 65535, not " + serve);
        }
        DemoOptions options = new DemoOptions(
                model == null ? null : PathArgument.of(spec, "--model", model),
                animation,
                range == null ? count() : range.count(),
                range,
                size.width(),
                size.height(),
                PathArgument.of(spec, "--out", out),
                devices,
                async,
                captures,
                listTextures,
                // The property switches the device's validation on; then the demo counts and judges what it says, too.
                validate || Boolean.getBoolean("frameloom.gpu.validation"),
                particles,
                meshlets,
                serve);
        return StopSignal.during(
                spec.qualifiedName(), stop -> new DemoRunner(options, output, errors, stop).run(), errors);
    }

    private FrameRange range() {
        int length = block == null ? BLOCK : block;
        int before = warmUp == null ? WARM_UP : warmUp;
        named("--block", () -> new FrameRange(0, 0, length, 0));
        named("--warm-up", () -> new FrameRange(0, 0, 1, before));
        return named("--frames", () -> FrameRange.parse(frames, length, before));
    }

    private FrameRange named(String option, Supplier<FrameRange> range) {
        try {
            return range.get();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), option + ": " + e.getMessage(), e);
        }
    }

    private int count() {
        int count;
        try {
            count = Integer.parseInt(frames);
        } catch (NumberFormatException e) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--frames: '" + frames + "' is "
                            + (frames.matches("[0-9]+")
                                    ? "too large; " + Integer.MAX_VALUE + " frames are the most"
                                    : "neither a number nor a range, such as 120 or 0..119"),
                    e);
        }
        if (count < 1) {
            throw new ParameterException(spec.commandLine(), "--frames must be at least 1, not " + count);
        }
        return count;
    }

    private boolean isGiven(String option) {
        return spec.commandLine().getParseResult().hasMatchedOption(option);
    }

    private WindowOptions windowOptions(WindowSystems system) {
        for (String files : List.of(
                "--out",
                "--capture",
                "--list-textures",
                "--block",
                "--warm-up",
                "--particles",
                "--meshlets",
                "--serve")) {
            if (isGiven(files)) {
                throw new ParameterException(
                        spec.commandLine(), files + " is for frames in files; leave out either it or --window");
            }
        }
        if (frames.contains("..")) {
            throw new ParameterException(
                    spec.commandLine(), "--frames A..B writes pictures; leave out either it or --window");
        }
        if (windows < 1 || windows > MOST_WINDOWS) {
            throw new ParameterException(
                    spec.commandLine(), "--windows must be 1 to " + MOST_WINDOWS + ", not " + windows);
        }
        if (fps != null && (fps < 1 || fps > MOST_FPS)) {
            throw new ParameterException(spec.commandLine(), "--fps must be 1 to " + MOST_FPS + ", not " + fps);
        }
        boolean endless = !isGiven("--frames");
        if (endless && devices.get(0) instanceof DeviceSelector.Virtual) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--window on the virtual GPU shows nothing that could be closed; give --frames");
        }
        return new WindowOptions(
                system,
                windows,
                fps == null ? 0 : fps,
                endless ? 0 : count(),
                model == null ? null : PathArgument.of(spec, "--model", model),
                animation,
                size.width(),
                size.height(),
                devices.get(0),
                async,
                validate || Boolean.getBoolean("frameloom.gpu.validation"));
    }
}
