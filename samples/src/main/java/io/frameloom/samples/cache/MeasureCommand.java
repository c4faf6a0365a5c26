package io.frameloom.samples.cache;

import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.cache.ProgramCache;
import io.frameloom.gpu.cache.ProgramCacheOptions;
import io.frameloom.gpu.cache.ProgramCacheStatistics;
import io.frameloom.gpu.cache.ProgramCacheStatistics.Distribution;
import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.internal.Plural;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.Blend;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.CullMode;
import io.frameloom.gpu.pipeline.Pipeline;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.vulkan.VulkanDevices;
import io.frameloom.samples.PathArgument;
import io.frameloom.samples.demo.UsageException;
import io.frameloom.taskgraph.TaskGraph;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code frameloom cache measure}: creates pipelines with a cache and says how long it took. Half of them are compute
 * pipelines, half draw; each has code of its own.
 */
@Command(
        name = "measure",
        mixinStandardHelpOptions = true,
        description = {
            "Creates pipelines on a Vulkan device with this cache, one after another, and prints how long it took.",
            "The first run on a new folder is a cold start, the second a warm one; --compare does both.",
            "Exit code 3: --compare found the warm start less than ten times as fast."
        })
public final class MeasureCommand implements Callable<Integer> {
    private static final int MOST = 100_000;

    private static final String NOISE = """
            float noise(vec3 p) {
                float sum = 0.0;
                for (int octave = 0; octave < 4; octave++) {
                    vec3 q = fract(p * (1.0 + float(octave)) * 0.1031 + float(VARIANT) * 0.017);
                    q += dot(q, q.zyx + 31.32);
                    sum += fract((q.x + q.y) * q.z) / float(octave + 1);
                    p = p.yzx * 1.7 + sum;
                }
                return sum;
            }
            """;

    private static final String COMPUTE = "#version 450\nlayout(local_size_x = 64) in;\n" + NOISE + """
            layout(set = 0, binding = 0) buffer Values { float values[]; };
            layout(push_constant) uniform Push { vec4 scale; };
            void main() {
                uint i = gl_GlobalInvocationID.x;
                values[i] = noise(vec3(values[i], float(i), scale.x)) * scale.y + scale.z;
            }
            """;

    private static final String VERTEX = """
            #version 450
            layout(location = 0) out vec3 place;
            void main() {
                place = vec3(gl_VertexIndex & 1, gl_VertexIndex >> 1, 0);
                gl_Position = vec4(place.xy * 4 - 1, 0, 1);
            }
            """;

    private static final String FRAGMENT = "#version 450\n" + NOISE + """
            layout(location = 0) in vec3 place;
            layout(location = 0) out vec4 color;
            void main() { color = vec4(noise(place), noise(place.yzx), noise(place.zxy), 1); }
            """;

    @Parameters(paramLabel = "DIR", description = "folder of the cache; created if it is not there")
    private String dir = "";

    @Option(
            names = "--pipelines",
            paramLabel = "N",
            defaultValue = "1000",
            description = "number of pipelines (default ${DEFAULT-VALUE})")
    private int pipelines;

    @Option(
            names = "--device",
            paramLabel = "NAME",
            defaultValue = "",
            description = "part of the name of a Vulkan device (default: the best)")
    private String device = "";

    @Option(
            names = "--compare",
            description = "measures a cold and a warm start, each in a process of its own and without the driver's own"
                    + " cache on disk; DIR must not be there")
    private boolean compare;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws UsageException {
        if (pipelines < 1 || pipelines > MOST) {
            throw new ParameterException(
                    spec.commandLine(), "--pipelines must be from 1 to " + MOST + ", not " + pipelines);
        }
        Path folder = PathArgument.of(spec, "DIR", dir);
        requireDriver();
        if (compare) {
            requireDevice();
            return new ColdAndWarm(folder, pipelines, device, spec.commandLine().getOut()).measure();
        }
        long opening = System.nanoTime();
        try (TaskGraph tasks = TaskGraph.builder().name("measure").build();
                ProgramCache cache = ProgramCache.open(ProgramCacheOptions.in(folder), tasks)) {
            DeviceOptions options = new DeviceOptions(tasks, "Frameloom cache", false, null).withProgramCache(cache);
            try (GpuDevice opened = open(options)) {
                long start = System.nanoTime();
                List<Pipeline> created = create(opened);
                long nanos = System.nanoTime() - start;
                created.forEach(Pipeline::close);
                cache.flush();
                print(opened.capabilities(), nanos, start - opening, System.nanoTime() - start, cache.statistics());
            }
        }
        return 0;
    }

    private void requireDriver() throws UsageException {
        if (device.equals("virtual") || device.startsWith("virtual:")) {
            throw new UsageException("the virtual GPU has no driver that compiles pipelines, so there is nothing to"
                    + " measure; name a Vulkan device (frameloom devices lists them)");
        }
    }

    /** Opens the device once, so that a wrong name is reported before anything is measured. */
    private void requireDevice() throws UsageException {
        try (TaskGraph tasks = TaskGraph.builder().name("measure").workers(1).build();
                GpuDevice opened = open(new DeviceOptions(tasks, "Frameloom cache", false, null))) {
            opened.waitIdle();
        }
    }

    private GpuDevice open(DeviceOptions options) throws UsageException {
        try {
            return VulkanDevices.open(device, options);
        } catch (GpuException e) {
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
    }

    private List<Pipeline> create(GpuDevice opened) {
        List<Pipeline> created = new ArrayList<>(pipelines);
        ShaderSource vertex = new ShaderSource("measure.vert", ShaderStage.VERTEX, VERTEX);
        for (int i = 0; i < pipelines; i++) {
            Map<String, String> variant = Map.of("VARIANT", Integer.toString(i));
            if (i % 2 == 0) {
                created.add(opened.createComputePipeline(new ComputePipelineDescription(
                        "compute " + i,
                        new ShaderSource("measure.comp", ShaderStage.COMPUTE, COMPUTE, variant),
                        null)));
            } else {
                created.add(opened.createGraphicsPipeline(new GraphicsPipelineDescription(
                        "draw " + i,
                        vertex,
                        new ShaderSource("measure.frag", ShaderStage.FRAGMENT, FRAGMENT, variant),
                        List.of(),
                        CullMode.NONE,
                        null,
                        Blend.NONE,
                        List.of(Format.R8G8B8A8_UNORM),
                        null)));
            }
        }
        return created;
    }

    private void print(
            DeviceCapabilities on,
            long nanos,
            long openingNanos,
            long durableNanos,
            ProgramCacheStatistics statistics) {
        PrintWriter out = spec.commandLine().getOut();
        ProgramCacheStatistics.Lookups lookups = statistics.lookups();
        out.printf(
                Locale.ROOT,
                "%s on %s (%s): %.1f ms; cache and device opened in %.1f ms before; on disk after %.1f ms%n",
                Plural.of(pipelines, "pipeline"),
                on.name(),
                on.driver(),
                nanos * 1e-6,
                openingNanos * 1e-6,
                durableNanos * 1e-6);
        out.printf(
                Locale.ROOT,
                "compiled %d, from disk %d, from memory %d (%d of them read ahead); refused by the driver %d%n",
                lookups.builds(),
                lookups.diskHits(),
                lookups.memoryHits(),
                statistics.memory().preloaded(),
                lookups.refusals());
        print(out, "compilation", statistics.times().build());
        print(out, "from disk", statistics.times().diskHit());
        print(out, "reading and checking a file", statistics.times().diskRead());
        print(out, "from memory", statistics.times().memoryHit());
    }

    private static void print(PrintWriter out, String what, Distribution nanos) {
        if (nanos.count() > 0) {
            out.printf(
                    Locale.ROOT,
                    "%s: median %.3f ms, 99th percentile %.3f ms, largest %.3f ms%n",
                    what,
                    nanos.p50() * 1e-6,
                    nanos.p99() * 1e-6,
                    nanos.max() * 1e-6);
        }
    }
}
