package io.frameloom.gpu.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.cache.ProgramCache;
import io.frameloom.gpu.cache.ProgramCacheOptions;
import io.frameloom.gpu.cache.ProgramCacheStatistics;
import io.frameloom.gpu.error.ShaderCompilationException;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.Blend;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.CullMode;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexAttribute;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.pipeline.Pipeline;
import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.taskgraph.TaskGraph;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shaders and pipelines of a validated device come from the program cache, and go there. */
class VulkanProgramCacheTest {
    private static final ShaderSource DOUBLE = new ShaderSource("double.comp", ShaderStage.COMPUTE, """
            #version 450
            layout(local_size_x = 64) in;
            layout(set = 0, binding = 1) readonly buffer Given { uint given[]; };
            layout(set = 0, binding = 0) buffer Found { uint found[]; };
            layout(push_constant) uniform Push { uint factor; };
            void main() { found[gl_GlobalInvocationID.x] = given[gl_GlobalInvocationID.x] * factor; }
            """);

    private static final ShaderSource TRIANGLE = new ShaderSource("triangle.vert", ShaderStage.VERTEX, """
            #version 450
            layout(location = 0) in vec3 place;
            void main() { gl_Position = vec4(place, 1); }
            """);

    private static final ShaderSource RED = new ShaderSource("red.frag", ShaderStage.FRAGMENT, """
            #version 450
            layout(location = 0) out vec4 color;
            void main() { color = vec4(1, 0, 0, 1); }
            """);

    @TempDir
    private Path root;

    private static ComputePipelineDescription compute(String name, ShaderSource shader) {
        return new ComputePipelineDescription(name, shader, null);
    }

    private static GraphicsPipelineDescription graphics(String name, int stride, CullMode cull) {
        return new GraphicsPipelineDescription(
                name,
                TRIANGLE,
                RED,
                List.of(new VertexBuffer(stride, false, List.of(new VertexAttribute(0, Format.R32G32B32_SFLOAT, 0)))),
                cull,
                null,
                Blend.NONE,
                List.of(Format.R8G8B8A8_UNORM),
                null);
    }

    /** Opens device and cache, does something, closes both, and fails on any word of the validation layer. */
    private <T> T start(Function<VulkanDevice, T> use, ProgramCacheStatistics[] statistics) {
        ValidatedDevice.assumeDriver();
        try (TaskGraph tasks = TaskGraph.builder().name("cache").workers(1).build();
                ProgramCache cache = ProgramCache.open(ProgramCacheOptions.in(root.resolve("cache")), tasks)) {
            DeviceOptions options = new DeviceOptions(tasks, "cache tests", true, null).withProgramCache(cache);
            VulkanDevice device = VulkanDevices.open("", options);
            T result;
            try (device) {
                result = use.apply(device);
            }
            assertThat(device.validationMessages()).isEmpty();
            cache.flush();
            statistics[0] = cache.statistics();
            return result;
        }
    }

    private ProgramCacheStatistics start(Function<VulkanDevice, ?> use) {
        ProgramCacheStatistics[] statistics = new ProgramCacheStatistics[1];
        start(use, statistics);
        return statistics[0];
    }

    private static List<ShaderBinding> bindings(Pipeline pipeline) {
        try (pipeline) {
            return pipeline.bindings();
        }
    }

    private static List<List<ShaderBinding>> createAll(VulkanDevice device) {
        return List.of(
                bindings(device.createComputePipeline(compute("double", DOUBLE))),
                bindings(device.createGraphicsPipeline(graphics("triangle", 12, CullMode.NONE))),
                bindings(device.createGraphicsPipeline(graphics("wide triangle", 16, CullMode.NONE))),
                bindings(device.createGraphicsPipeline(graphics("culled triangle", 12, CullMode.BACK))));
    }

    @Test
    void theSecondStartCompilesNothing() {
        ProgramCacheStatistics[] cold = new ProgramCacheStatistics[1];
        ProgramCacheStatistics[] warm = new ProgramCacheStatistics[1];
        List<List<ShaderBinding>> first = start(VulkanProgramCacheTest::createAll, cold);
        assertThat(cold[0].lookups().builds()).isEqualTo(7);
        assertThat(cold[0].disk().writes()).isEqualTo(7);
        List<List<ShaderBinding>> second = start(VulkanProgramCacheTest::createAll, warm);
        assertThat(warm[0].lookups().builds()).isZero();
        assertThat(warm[0].lookups().memoryHits() + warm[0].lookups().diskHits())
                .isEqualTo(7);
        assertThat(warm[0].lookups().refusals()).isZero();
        assertThat(warm[0].disk().writes()).isZero();
        assertThat(second).isEqualTo(first);
        assertThat(first.get(0)).hasSize(2);
    }

    @Test
    void aNameIsNoReasonToCompile() {
        ProgramCacheStatistics statistics = start(device -> {
            bindings(device.createGraphicsPipeline(graphics("one", 12, CullMode.NONE)));
            return bindings(device.createGraphicsPipeline(graphics("other", 12, CullMode.NONE)));
        });
        assertThat(statistics.lookups().builds()).isEqualTo(3);
        assertThat(statistics.lookups().memoryHits()).isEqualTo(1);
    }

    @Test
    void aDefinitionIsAReasonToCompile() {
        ProgramCacheStatistics statistics = start(device -> {
            for (String value : List.of("1", "2", "1")) {
                ShaderSource shader = DOUBLE.withDefines(Map.of("A", value));
                bindings(device.createComputePipeline(compute("double", shader)));
            }
            return "";
        });
        // The same code comes out of both.
        assertThat(statistics.lookups().builds()).isEqualTo(4);
    }

    @Test
    void manyThreadsCompileEachProgramOnce() {
        ProgramCacheStatistics statistics = start(device -> {
            ExecutorService pool = Executors.newFixedThreadPool(4);
            try {
                List<Future<?>> all = new ArrayList<>();
                for (int i = 0; i < 32; i++) {
                    int variant = i % 4;
                    all.add(pool.submit(() -> bindings(
                            device.createGraphicsPipeline(graphics("p" + variant, 12 + 4 * variant, CullMode.NONE)))));
                }
                for (Future<?> each : all) {
                    each.get();
                }
                return "";
            } catch (Exception e) {
                throw new AssertionError(e);
            } finally {
                pool.shutdown();
            }
        });
        assertThat(statistics.lookups().builds()).isEqualTo(6);
    }

    @Test
    void aShaderThatDoesNotCompileFailsAsWithoutACache() {
        ShaderSource broken =
                new ShaderSource("broken.comp", ShaderStage.COMPUTE, "#version 450\nvoid main() { x(); }");
        ProgramCacheStatistics statistics = start(device -> {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> device.createComputePipeline(compute("broken", broken)))
                        .isInstanceOf(ShaderCompilationException.class)
                        .hasMessageContaining("broken.comp:2:");
            }
            return "";
        });
        assertThat(statistics.lookups().failures()).isEqualTo(1);
        assertThat(statistics.lookups().knownFailures()).isEqualTo(1);
        assertThat(statistics.disk().writes()).isZero();
    }

    @Test
    void damagedFilesNeverReachTheDriver() throws IOException {
        start(VulkanProgramCacheTest::createAll);
        List<Path> programs;
        try (Stream<Path> files = Files.walk(root)) {
            programs =
                    files.filter(file -> file.toString().endsWith(".program")).toList();
        }
        assertThat(programs).hasSize(7);
        for (Path program : programs) {
            byte[] bytes = Files.readAllBytes(program);
            bytes[bytes.length - 40] ^= 4;
            Files.write(program, bytes);
        }
        ProgramCacheStatistics statistics = start(VulkanProgramCacheTest::createAll);
        assertThat(statistics.lookups().builds()).isEqualTo(7);
        assertThat(statistics.disk().damaged()).containsOnlyKeys("CHECKSUM");
        assertThat(start(VulkanProgramCacheTest::createAll).lookups().builds()).isZero();
    }
}
