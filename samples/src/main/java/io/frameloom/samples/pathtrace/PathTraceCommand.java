package io.frameloom.samples.pathtrace;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.backend.GpuDevices;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.rdg.capture.Png;
import io.frameloom.rdg.options.PrintableText;
import io.frameloom.samples.Causes;
import io.frameloom.samples.DeviceConverter;
import io.frameloom.samples.IoReasons;
import io.frameloom.samples.Progress;
import io.frameloom.samples.city.CityGenerator;
import io.frameloom.samples.demo.StopSignal;
import io.frameloom.samples.demo.UsageException;
import io.frameloom.samples.gltf.GltfLoader;
import io.frameloom.samples.gltf.ModelException;
import io.frameloom.samples.pathtrace.PathTracer.Traced;
import io.frameloom.samples.scene.Scene;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.StallExplanation;
import io.frameloom.taskgraph.TaskGraph;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code frameloom sample pathtrace}: a picture of the demo's scene by rays. */
@Command(
        name = "pathtrace",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Traces the demo's city, or a model of yours, by rays of the device: the sun with its shadows, the sky, lit"
                    + " windows, and light that comes by way of other surfaces. Each frame adds a sample to each pixel.",
            "All surfaces are diffuse, and the picture is not denoised: more samples make it smoother. Equal seeds give"
                    + " equal pictures on one driver.",
            "It needs a Vulkan device with ray-tracing pipelines or ray queries."
        })
public final class PathTraceCommand implements Callable<Integer> {
    private static final long CITY_SEED = 2026;
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,5})x([0-9]{1,5})");

    /** Its light fits a buffer of Java. */
    private static final long MOST_PIXELS = 1L << 26;

    /** A sample takes a software driver seconds on a slow machine. */
    private static final Duration STALL_LIMIT = Duration.ofSeconds(60);

    private static final int MOST_SAMPLES = 65_536;
    private static final int MOST_BOUNCES = 64;

    @Option(
            names = "--model",
            paramLabel = "FILE",
            description = "glTF 2.0 file to show in place of the city, on a floor, in its rest pose")
    private @Nullable String model;

    @Option(
            names = "--size",
            paramLabel = "WxH",
            defaultValue = "640x360",
            description = "size of the picture in pixels (default ${DEFAULT-VALUE})")
    private String size = "";

    @Option(
            names = "--samples",
            paramLabel = "N",
            defaultValue = "64",
            description = "paths for each pixel, 1 to " + MOST_SAMPLES + " (default ${DEFAULT-VALUE})")
    private int samples;

    @Option(
            names = "--bounces",
            paramLabel = "N",
            defaultValue = "4",
            description = "how often a path goes on after the first surface, 0 to " + MOST_BOUNCES
                    + " (default ${DEFAULT-VALUE})")
    private int bounces;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "chooses the random numbers (default ${DEFAULT-VALUE})")
    private int seed;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            defaultValue = "out/pathtrace.png",
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
        PathOptions options = options();
        Path file = path("--out", out);
        Path source = model == null ? null : path("--model", model);
        return StopSignal.during(
                spec.qualifiedName(),
                stop -> run(options, source, file, stop),
                spec.commandLine().getErr());
    }

    private PathOptions options() {
        Matcher matcher = SIZE.matcher(size);
        if (!matcher.matches()) {
            throw refused("--size: '" + size + "' is no size; write WIDTHxHEIGHT, such as 1280x720");
        }
        int width = Integer.parseInt(matcher.group(1));
        int height = Integer.parseInt(matcher.group(2));
        if (width < 1 || height < 1 || (long) width * height > MOST_PIXELS) {
            throw refused("--size must have 1 to " + MOST_PIXELS + " pixels, such as 8192x8192, not " + size);
        }
        requireWithin("--samples", samples, 1, MOST_SAMPLES);
        requireWithin("--bounces", bounces, 0, MOST_BOUNCES);
        return new PathOptions(width, height, samples, bounces, seed);
    }

    private void requireWithin(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw refused(option + " must be " + least + " to " + most + ", not " + value);
        }
    }

    private Path path(String option, String value) {
        if (value.isBlank()) {
            throw refused(option + " needs a path, it is empty");
        }
        try {
            return Path.of(value);
        } catch (InvalidPathException e) {
            throw refused(option + " is no path: " + e.getMessage());
        }
    }

    private ParameterException refused(String line) {
        return new ParameterException(spec.commandLine(), line);
    }

    private int run(PathOptions options, @Nullable Path source, Path file, StopSignal stop) throws Exception {
        prepare(file);
        Scene loaded = source == null ? null : load(source);
        if (stop.requested()) {
            return StopSignal.INTERRUPTED;
        }
        try (TaskGraph tasks = TaskGraph.builder()
                .name(spec.name())
                .workers(1)
                .stallWatchdog(STALL_LIMIT, this::stalled)
                .build()) {
            tasks.start(NamedThread.RHI);
            try (GpuDevice gpu = open(tasks)) {
                Scene scene = loaded == null ? CityGenerator.generate(CITY_SEED) : loaded;
                return trace(options, scene, file, stop, tasks, gpu);
            } catch (RuntimeException failure) {
                GpuOutOfMemoryException memory = Causes.find(failure, GpuOutOfMemoryException.class);
                if (memory == null) {
                    throw failure;
                }
                throw new UsageException(
                        "--size " + size + " needs more memory than there is: " + memory.getMessage()
                                + "; choose a smaller size" + (source == null ? "" : " or model"),
                        failure);
            }
        }
    }

    private Scene load(Path source) throws UsageException {
        try {
            Scene scene = GltfLoader.load(source, "none", this::say);
            if (scene.materials().stream().anyMatch(material -> material.alphaCutoff() > 0)) {
                say("model " + source + " has surfaces with holes: they are shown closed");
            }
            if (!scene.lights().isEmpty()) {
                say("model " + source + " is shown in the light of sun and sky, without other lights");
            }
            return scene;
        } catch (ModelException e) {
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Names of files, and what is in them, must not steer a terminal. */
    private void say(String line) {
        spec.commandLine().getErr().println(spec.qualifiedName() + ": " + PrintableText.of(line));
    }

    private void stalled(Thread waiting, Duration waited, StallExplanation explanation) {
        say("thread " + waiting.getName() + " has waited for " + waited.toSeconds() + " s");
        explanation.toString().lines().forEach(this::say);
    }

    private GpuDevice open(TaskGraph tasks) throws UsageException {
        GpuDevice gpu;
        try {
            gpu = GpuDevices.open(
                    device,
                    DeviceOptions.of(tasks, spec.name())
                            .require(Capability.ACCELERATION_STRUCTURES)
                            .prefer(Capability.RAY_TRACING_PIPELINES, Capability.RAY_QUERIES));
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

    private int trace(PathOptions options, Scene scene, Path file, StopSignal stop, TaskGraph tasks, GpuDevice gpu)
            throws UsageException {
        int most = gpu.capabilities().maxTextureExtent();
        if (options.width() > most || options.height() > most) {
            throw new UsageException("--size " + size + " exceeds what "
                    + gpu.capabilities().name() + " can render: " + most + "x" + most);
        }
        RayForm form = Arrays.stream(RayForm.values())
                .filter(each -> gpu.capabilities().has(each.needed))
                .findFirst()
                .orElseThrow(() -> new UsageException(gpu.capabilities().name()
                        + " has neither RAY_TRACING_PIPELINES nor RAY_QUERIES turned on; name another device"
                        + " (frameloom devices lists them)"));
        PathScene flat = new PathScene(scene, gpu.capabilities().maxStorageRange());
        Traced traced;
        double seconds;
        try (PathTracer tracer = new PathTracer(gpu, tasks, flat, form)) {
            long start = System.nanoTime();
            long pixels = (long) options.width() * options.height();
            try (Progress progress = new Progress(
                    spec.commandLine().getOut(),
                    options.samples(),
                    (done, perSecond) -> String.format(
                            Locale.ROOT,
                            "%d of %d samples, %.2f million rays of the camera/s",
                            done,
                            options.samples(),
                            perSecond * pixels * 1e-6))) {
                traced = tracer.trace(options, stop::requested, progress::update);
            }
            seconds = (System.nanoTime() - start) * 1e-9;
        }
        if (traced == null) {
            return StopSignal.INTERRUPTED;
        }
        write(file, options, Film.develop(traced.light(), scene.atmosphere().exposure()));
        long camera = (long) options.width() * options.height() * options.samples();
        spec.commandLine()
                .getOut()
                .println(PrintableText.of(String.format(
                        Locale.ROOT,
                        "%s: %,d rays of the camera, %,d after bounces and %,d of shadows in %.2f s, %.2f million a"
                                + " second; the picture is in %s",
                        gpu.capabilities().name(),
                        camera,
                        traced.pathRays() - camera,
                        traced.shadowRays(),
                        seconds,
                        (traced.pathRays() + traced.shadowRays()) / seconds * 1e-6,
                        file)));
        return 0;
    }

    /** Makes the folder before there is a picture that could be lost. */
    private static void prepare(Path file) throws UsageException {
        if (Files.isDirectory(file)) {
            throw new UsageException("--out " + file + " is a folder; name a file in it");
        }
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
        } catch (IOException e) {
            throw unwritable(file, e);
        }
    }

    private static void write(Path file, PathOptions options, ByteBuffer texels) throws UsageException {
        try (OutputStream stream = Files.newOutputStream(file)) {
            Png.write(stream, options.width(), options.height(), texels);
        } catch (IOException e) {
            throw unwritable(file, e);
        }
    }

    private static UsageException unwritable(Path file, IOException reason) {
        return new UsageException("cannot write " + file + ": " + IoReasons.of(reason), reason);
    }
}
