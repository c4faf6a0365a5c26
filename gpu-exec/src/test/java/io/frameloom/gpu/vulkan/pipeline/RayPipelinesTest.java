package io.frameloom.gpu.vulkan.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.PipelineLibrary;
import io.frameloom.gpu.PipelineRequest;
import io.frameloom.gpu.cache.ProgramCache;
import io.frameloom.gpu.cache.ProgramCacheOptions;
import io.frameloom.gpu.cache.ProgramCacheStatistics;
import io.frameloom.gpu.cache.program.Compatibility;
import io.frameloom.gpu.cache.program.ProgramKey;
import io.frameloom.gpu.error.GpuOutOfMemoryException;
import io.frameloom.gpu.pipeline.RayTracingPipeline;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription.General;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription.Group;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription.ProceduralHit;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription.TrianglesHit;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.shader.PipelineShaders;
import io.frameloom.gpu.shader.ShaderCompiler;
import io.frameloom.gpu.vulkan.SeamedDevices;
import io.frameloom.gpu.vulkan.ValidatedDevice;
import io.frameloom.gpu.vulkan.device.DriverDevice;
import io.frameloom.gpu.vulkan.driver.DeviceSeams;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lwjgl.vulkan.KHRRayTracingPipeline;
import org.lwjgl.vulkan.VK13;

/** Ray-tracing pipelines that are linked from their groups, under validation: what they compile, share and keep. */
@Timeout(60)
class RayPipelinesTest {
    private static final Group GO = new General("go", shader("go.rgen", ShaderStage.RAY_GENERATION, """
            layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
            layout(location = 0) rayPayloadEXT uint payload;
            void main() { traceRayEXT(scene, 0, 0xFF, 0, 0, 0, vec3(0), 0.0, vec3(1), 9.0, 0); }
            """));
    private static final Group SKY = new General("sky", shader("sky.rmiss", ShaderStage.MISS, """
            layout(location = 0) rayPayloadInEXT uint payload;
            void main() { payload = 0; }
            """));
    private static final Group ONE = hit("one", "");
    private static final Group TWO = hit("two", "hitAttributeEXT vec2 where;\n");
    private static final RayTracingPipelineDescription BASE = described("base", GO, SKY, ONE);

    /** What the driver compiled, in no order. */
    private final List<String> compiled = new CopyOnWriteArrayList<>();

    private final TaskGraph tasks = TaskGraph.builder().name("rays").workers(2).build();
    private final List<AutoCloseable> owned = new ArrayList<>();
    private final List<DriverDevice> devices = new ArrayList<>();
    private volatile @Nullable Throwable failure;
    private DriverDevice device;
    private ShaderCompiler compiler;
    private SetLayoutCache setLayouts;
    private PipelineParts parts;
    private RayPipelines rays;

    @TempDir
    private Path folder;

    @BeforeEach
    void open() {
        owned.add(tasks);
        ValidatedDevice.assumeDriver(Capability.RAY_TRACING_PIPELINE_LIBRARY);
        device = own(device(null));
        compiler = own(new ShaderCompiler());
        setLayouts = own(new SetLayoutCache(device.core()));
        parts = new PipelineParts(
                tasks, made -> VK13.vkDestroyPipeline(device.core().handle(), made, null));
        rays = new RayPipelines(device.core(), own(new Source(new DriverPipelines(device.core()))), parts, tasks);
    }

    @AfterEach
    void close() throws Exception {
        for (int i = owned.size() - 1; i >= 0; i--) {
            owned.get(i).close();
        }
        for (DriverDevice each : devices) {
            assertThat(each.validationMessages()).isEmpty();
        }
    }

    private <T extends AutoCloseable> T own(T object) {
        owned.add(object);
        return object;
    }

    private DriverDevice device(@Nullable ProgramCache programs) {
        DriverDevice opened = SeamedDevices.open(
                "",
                new DeviceOptions(tasks, "rays", true, null, programs).require(Capability.RAY_TRACING_PIPELINE_LIBRARY),
                DeviceSeams.none());
        devices.add(opened);
        return opened;
    }

    /** Writes down what is compiled, and fails at group "two". */
    private final class Source implements PipelineSource {
        private final PipelineSource driver;

        Source(PipelineSource driver) {
            this.driver = driver;
        }

        @Override
        public long obtain(String what, Function<Compatibility, ProgramKey> key, Creation creation) {
            Throwable thrown = failure;
            if (thrown != null && what.contains("'two'")) {
                if (thrown instanceof Error error) {
                    throw error;
                }
                throw (RuntimeException) thrown;
            }
            compiled.add(what.replaceAll("group '(\\w+)' of .*", "$1"));
            return driver.obtain(what, key, creation);
        }

        @Override
        public void close() {
            driver.close();
        }
    }

    private static ShaderSource shader(String name, ShaderStage stage, String body) {
        return new ShaderSource(name, stage, "#version 460\n#extension GL_EXT_ray_tracing : require\n" + body);
    }

    private static TrianglesHit hit(String name, String more) {
        return new TrianglesHit(
                name, shader(name + ".rchit", ShaderStage.CLOSEST_HIT, """
                        layout(location = 0) rayPayloadInEXT uint payload;
                        %svoid main() { payload = %d; }
                        """.formatted(more, name.hashCode())));
    }

    private static RayTracingPipelineDescription described(String name, Group... groups) {
        return new RayTracingPipelineDescription(name, List.of(groups), 1);
    }

    private static RayTracingPipelineDescription withAnother(Group group) {
        return new RayTracingPipelineDescription(
                "with " + group.name(),
                Stream.concat(BASE.groups().stream(), Stream.of(group)).toList(),
                1);
    }

    private VulkanPipeline.RayTracing create(RayTracingPipelineDescription description) {
        PipelineShaders shaders = PipelineShaders.of(compiler, description, 128);
        PipelineInterface layout = new PipelineInterface(
                device.core(),
                setLayouts,
                description.name(),
                KHRRayTracingPipeline.VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR,
                shaders);
        try {
            return rays.create(description, shaders, layout);
        } catch (RuntimeException | Error e) {
            layout.close();
            throw e;
        }
    }

    private List<String> compiledNow() {
        List<String> all = List.copyOf(compiled);
        compiled.clear();
        return all;
    }

    private static ByteBuffer handle(RayTracingPipeline of, String group) {
        List<String> names = of.description().groups().stream().map(Group::name).toList();
        int bytes = of.recordLimits().handle();
        return of.handles().slice(names.indexOf(group) * bytes, bytes);
    }

    @Test
    void aGroupMoreCompilesThatGroupAlone() {
        VulkanPipeline.RayTracing base = create(BASE);
        assertThat(compiledNow()).containsExactlyInAnyOrder("go", "sky", "one");
        TrianglesHit twin = new TrianglesHit("twin", ONE.shaders().get(0));
        VulkanPipeline.RayTracing more = create(described("more", twin, TWO, GO, SKY, ONE));
        assertThat(compiledNow()).containsExactly("two");
        assertThat(parts.size()).isEqualTo(4);
        assertThat(handle(more, "twin")).isEqualTo(handle(more, "one"));
        assertThat(Stream.of("twin", "two", "go", "sky")
                        .map(name -> handle(more, name))
                        .distinct())
                .hasSize(4);
        base.close();
        device.waitIdle();
        assertThat(parts.size()).as("the other pipeline has them").isEqualTo(4);
        more.close();
        device.waitIdle();
        assertThat(parts.size()).isZero();
        assertThat(setLayouts.size()).isZero();
    }

    @Test
    void whatAllGroupsHaveInCommonCompilesThemAnew() {
        ShaderSource box = shader("box.rint", ShaderStage.INTERSECTION, """
                hitAttributeEXT vec3 where;
                void main() { where = vec3(1); reportIntersectionEXT(1.0, 0); }
                """);
        ShaderSource wide = shader("wide.rgen", ShaderStage.RAY_GENERATION, """
                layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
                layout(location = 0) rayPayloadEXT uvec3 payload;
                void main() { traceRayEXT(scene, 0, 0xFF, 0, 0, 0, vec3(0), 0.0, vec3(1), 9.0, 0); }
                """);
        List<RayTracingPipelineDescription> others = List.of(
                new RayTracingPipelineDescription("deeper", BASE.groups(), 2),
                withAnother(new General("wide", wide)),
                withAnother(new ProceduralHit("box", box, null, null)),
                withAnother(hit("bound", "layout(set = 0, binding = 1) buffer Data { uint data; };\n")));
        List<VulkanPipeline> all = new ArrayList<>(List.of(create(BASE)));
        compiled.clear();
        for (RayTracingPipelineDescription other : others) {
            all.add(create(other));
            assertThat(compiledNow()).as(other.name()).contains("go", "sky", "one");
        }
        all.forEach(VulkanPipeline::close);
        device.waitIdle();
        assertThat(parts.size()).isZero();
    }

    @Test
    void aGroupThatFailsLeavesNothing() {
        RayTracingPipelineDescription two = withAnother(TWO);
        for (Throwable each : List.of(new GpuOutOfMemoryException("no memory"), new OutOfMemoryError("no heap"))) {
            failure = each;
            assertThatThrownBy(() -> create(two)).isSameAs(each);
            assertThat(parts.size()).isZero();
            assertThat(setLayouts.size()).isZero();
        }
        failure = null;
        create(two).close();
        device.waitIdle();
        assertThat(parts.size()).isZero();
    }

    /** Compiles pipelines of more and more groups in the background; returns how the cache did. */
    private ProgramCacheStatistics start() {
        try (ProgramCache programs = ProgramCache.open(ProgramCacheOptions.in(folder.resolve("cache")), tasks)) {
            try (DriverDevice cached = device(programs);
                    PipelineLibrary library = new PipelineLibrary(cached, tasks)) {
                List<PipelineRequest<RayTracingPipeline>> requests = Stream.of(
                                BASE, withAnother(TWO), described("all", GO, SKY, ONE, TWO, hit("three", "")))
                        .map(library::compile)
                        .toList();
                requests.forEach(PipelineRequest::await);
            }
            programs.flush();
            return programs.statistics();
        }
    }

    @Test
    void theSecondStartCompilesNothing() {
        assertThat(start().lookups().builds()).as("5 shaders and their groups").isEqualTo(5 + 5);
        ProgramCacheStatistics warm = start();
        assertThat(warm.lookups().builds()).isZero();
        assertThat(warm.lookups().refusals()).isZero();
    }
}
