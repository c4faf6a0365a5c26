package io.frameloom.samples.pathtrace;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.backend.DeviceSelector;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.internal.Plural;
import io.frameloom.rdg.options.PrintableText;
import io.frameloom.samples.AskedDevice;
import io.frameloom.samples.AskedDevices;
import io.frameloom.samples.ByteSize;
import io.frameloom.samples.Causes;
import io.frameloom.samples.DeviceConverter;
import io.frameloom.samples.Main;
import io.frameloom.samples.PathArgument;
import io.frameloom.samples.PictureFile;
import io.frameloom.samples.PictureSize;
import io.frameloom.samples.Progress;
import io.frameloom.samples.city.CityGenerator;
import io.frameloom.samples.demo.StopSignal;
import io.frameloom.samples.demo.UsageException;
import io.frameloom.samples.gltf.GltfLoader;
import io.frameloom.samples.gltf.ModelException;
import io.frameloom.samples.pathtrace.PathTracers.Picture;
import io.frameloom.samples.pathtrace.PathTracers.Share;
import io.frameloom.samples.scene.Scene;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.StallExplanation;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
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

    /** Bytes of Java's memory for each pixel: its light and numbers of rays, as they are read back, and its colour. */
    private static final int HEAP_BYTES = 16 + 8 + 4;

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
            converter = SizeConverter.class,
            description = "size of the picture in pixels (default ${DEFAULT-VALUE})")
    private PictureSize size = new PictureSize(1, 1);

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
            description = "part of the name of a Vulkan device (default: the best that can). Several equal ones share"
                    + " the picture: give the option for each, or say all")
    private List<DeviceSelector> devices = List.of();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private static final class SizeConverter implements ITypeConverter<PictureSize> {
        @Override
        public PictureSize convert(String value) {
            return PictureSize.parse(value);
        }
    }

    @Override
    public Integer call() throws Exception {
        PathOptions options = options();
        PictureFile file = PictureFile.of(spec, out);
        Path source = model == null ? null : PathArgument.of(spec, "--model", model);
        return StopSignal.during(
                spec.qualifiedName(),
                stop -> run(options, source, file, stop),
                spec.commandLine().getErr());
    }

    private PathOptions options() {
        if (size.texels() < 1 || size.texels() > MOST_PIXELS) {
            throw refused("--size must have 1 to " + MOST_PIXELS + " pixels, such as 8192x8192, not " + size);
        }
        String lack = lackOfHeap(size.texels(), Runtime.getRuntime().maxMemory());
        if (lack != null) {
            throw refused("--size " + size + lack);
        }
        requireWithin("--samples", samples, 1, MOST_SAMPLES);
        requireWithin("--bounces", bounces, 0, MOST_BOUNCES);
        return new PathOptions(size.width(), size.height(), samples, bounces, seed);
    }

    /** Returns why Java's memory is too small for a picture, or null if it is not. The scene needs some of it, too. */
    static @Nullable String lackOfHeap(long pixels, long heap) {
        long needed = pixels * HEAP_BYTES;
        return needed <= heap / 4 * 3
                ? null
                : " needs " + ByteSize.of(needed) + " of memory and more for the scene, and Java has "
                        + ByteSize.of(heap) + "; choose a smaller size, or set JAVA_TOOL_OPTIONS=-Xmx... to more";
    }

    private void requireWithin(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw refused(option + " must be " + least + " to " + most + ", not " + value);
        }
    }

    private ParameterException refused(String line) {
        return new ParameterException(spec.commandLine(), line);
    }

    private int run(PathOptions options, @Nullable Path source, PictureFile file, StopSignal stop) throws Exception {
        Scene loaded = source == null ? null : load(source);
        file.prepare();
        if (stop.requested()) {
            return StopSignal.INTERRUPTED;
        }
        List<DeviceSelector> selectors = AskedDevices.each(devices, Set.of(Capability.ACCELERATION_STRUCTURES));
        try (TaskGraph tasks = TaskGraph.builder()
                .name(spec.name())
                .workers(selectors.size())
                .stallWatchdog(STALL_LIMIT, this::stalled)
                .build()) {
            for (int i = 0; i < selectors.size(); i++) {
                tasks.start(AskedDevices.thread(NamedThread.RHI, i));
                if (i > 0) {
                    tasks.start(AskedDevices.thread(PathTracers.PATHS, i));
                }
            }
            return withDevices(selectors, new ArrayList<>(), tasks, opened -> {
                AskedDevices.requireEqual(selectors, opened);
                Scene scene = loaded == null ? CityGenerator.generate(CITY_SEED) : loaded;
                return trace(options, scene, file, stop, tasks, selectors, opened);
            });
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

    private interface Work {
        int with(List<GpuDevice> devices) throws Exception;
    }

    /** Opens the devices that are not opened yet, and closes them after the work. */
    private int withDevices(List<DeviceSelector> asked, List<GpuDevice> opened, TaskGraph tasks, Work work)
            throws Exception {
        if (opened.size() == asked.size()) {
            return work.with(opened);
        }
        DeviceOptions needs = DeviceOptions.of(tasks, spec.name())
                .require(Capability.ACCELERATION_STRUCTURES)
                .prefer(Capability.RAY_TRACING_PIPELINES, Capability.RAY_QUERIES);
        try (GpuDevice gpu = AskedDevice.openDrawing(asked.get(opened.size()), needs)) {
            opened.add(gpu);
            return withDevices(asked, opened, tasks, work);
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

    private int trace(
            PathOptions options,
            Scene scene,
            PictureFile file,
            StopSignal stop,
            TaskGraph tasks,
            List<DeviceSelector> selectors,
            List<GpuDevice> opened)
            throws Exception {
        DeviceCapabilities capabilities = opened.get(0).capabilities();
        int most = capabilities.maxTextureExtent();
        if (options.width() > most || options.height() > most) {
            throw new UsageException(
                    "--size " + size + " exceeds what " + capabilities.name() + " can render: " + most + "x" + most);
        }
        RayForm form = Arrays.stream(RayForm.values())
                .filter(each -> capabilities.has(each.needed))
                .findFirst()
                .orElseThrow(() -> new UsageException(capabilities.name()
                        + " has neither RAY_TRACING_PIPELINES nor RAY_QUERIES turned on; name another device"
                        + " (frameloom devices lists them), or leave out -Dframeloom.gpu.preferred"));
        PathScene flat = new PathScene(scene, capabilities.maxStorageRange(), this::say);
        Picture picture;
        try (PathTracers tracers = new PathTracers(tasks, opened, flat, form)) {
            long pixels = size.texels();
            try (Progress progress = new Progress(
                    spec.commandLine().getOut(),
                    options.samples(),
                    (done, perSecond) -> String.format(
                            Locale.ROOT,
                            "%d of %d samples, %.2f million rays of the camera/s",
                            done,
                            options.samples(),
                            perSecond * pixels * 1e-6))) {
                picture = tracers.trace(options, scene.atmosphere().exposure(), stop::requested, progress::update);
            }
        }
        if (picture == null) {
            return StopSignal.INTERRUPTED;
        }
        file.write(options.width(), options.height(), picture.texels());
        for (int i = 0; i < opened.size(); i++) {
            Share share = picture.shares().get(i);
            String name = AskedDevices.label(selectors.get(i), opened.get(i));
            Throwable failure = share.failure();
            if (failure != null) {
                say("--device " + name + " failed, and the others went on without it: "
                        + Main.oneLine(Causes.innermost(failure).toString()));
            }
            if (opened.size() > 1) {
                print(String.format(
                        Locale.ROOT,
                        "%s: %,d rays in %.2f s, %s",
                        name,
                        share.rays(),
                        share.seconds(),
                        Plural.of(share.parts(), "part")));
            }
        }
        long camera = size.texels() * options.samples();
        print(String.format(
                Locale.ROOT,
                "%s%s, %s: %,d rays of the camera, %,d after bounces and %,d of shadows in %.2f s, %.2f million a second;"
                        + " the picture is in %s",
                opened.size() > 1 ? opened.size() + " of " : "",
                capabilities.name(),
                form.needed,
                camera,
                picture.pathRays() - camera,
                picture.shadowRays(),
                picture.seconds(),
                (picture.pathRays() + picture.shadowRays()) / picture.seconds() * 1e-6,
                file));
        return 0;
    }

    private void print(String line) {
        spec.commandLine().getOut().println(PrintableText.of(line));
    }
}
