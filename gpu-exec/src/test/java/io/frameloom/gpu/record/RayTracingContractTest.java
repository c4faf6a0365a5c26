package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.PipelineLibrary;
import io.frameloom.gpu.PipelineRequest;
import io.frameloom.gpu.WhileCompiling;
import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.BarrierBatch.GlobalBarrier;
import io.frameloom.gpu.command.BarrierBatch.Scope;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.error.DeviceLostException;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.RayTracingPipeline;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription.General;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription.Group;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription.ProceduralHit;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription.TrianglesHit;
import io.frameloom.gpu.pipeline.ShaderBindingTable;
import io.frameloom.gpu.pipeline.ShaderBindingTable.ShaderRecord;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.vulkan.VulkanDevice;
import io.frameloom.taskgraph.TaskGraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What ray-tracing pipelines see, what they refuse, and what their order is. */
@Timeout(100)
class RayTracingContractTest {
    private static final int SIDE = RayScene.SIDE;
    private static final String EMPTY = """
            #version 460
            layout(local_size_x = 1) in;
            void main() {}
            """;

    private static CommandRig rig(Backend backend) {
        return new CommandRig(backend, null, Set.of(Capability.RAY_TRACING_PIPELINES));
    }

    private static void refused(String words, Runnable command) {
        assertThatThrownBy(command::run)
                .isInstanceOfAny(IllegalArgumentException.class, IllegalStateException.class)
                .hasMessageContaining(words);
    }

    private static int[] picture(CommandRig rig, RayScene scene, Consumer<CommandList> trace) {
        Buffer host = rig.readback(4L * SIDE * SIDE);
        rig.execute(list -> {
            scene.bind(list);
            trace.accept(list);
            CommandRig.full(list);
            list.copyBuffer(scene.hits, 0, host, 0, 4L * SIDE * SIDE);
            CommandRig.full(list);
        });
        return CommandRig.words(host);
    }

    @ParameterizedTest
    @EnumSource
    void raysOfAllStagesSeeWhatASearchSees(Backend backend) {
        try (CommandRig rig = rig(backend)) {
            RayScene scene = new RayScene(rig);
            int[] direct = squares(rig, scene);
            Buffer size = rig.upload(new int[] {SIDE, SIDE, 1}, BufferUsage.INDIRECT);
            int[] indirect = picture(rig, scene, list -> list.traceRaysIndirect(scene.table, scene.memory, 0, size, 0));
            if (rig.device.capabilities().renders()) {
                int[] expected = RayScene.expected();
                // Each instance is seen, in light and in shadow, and so is the sky.
                assertThat(Arrays.stream(expected).map(word -> word >> 8 & 0xF).distinct())
                        .contains(7, 8, 9, 10, 0xF);
                assertThat(Arrays.stream(expected).map(word -> word >> 24).distinct())
                        .containsExactlyInAnyOrder(0, 1);
                assertThat(direct).containsExactly(expected);
                assertThat(indirect).containsExactly(expected);
            }
            refusals(rig, scene);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aLinkedPipelineTracesWhatAWholeOneDoes(Backend backend) {
        int[] whole = RayScene.expected();
        if (backend == Backend.VIRTUAL) {
            try (CommandRig rig = rig(backend)) {
                whole = squares(rig, new RayScene(rig));
            }
        }
        try (CommandRig rig = new CommandRig(backend, null, Set.of(Capability.RAY_TRACING_PIPELINE_LIBRARY))) {
            assertThat(rig.device.capabilities().has(Capability.RAY_TRACING_PIPELINES))
                    .isTrue();
            assertThat(squares(rig, new RayScene(rig)))
                    .as("with push constants")
                    .containsExactly(whole);
        }
    }

    /** One of its groups is there twice. */
    @Test
    void aPipelineTracesWithThePartsOfAClosedOne() {
        List<Group> groups = new ArrayList<>(RayScene.PIPELINE.groups());
        groups.set(0, new General("pixel", RayScene.UNPUSHED));
        RayTracingPipelineDescription closed = new RayTracingPipelineDescription("closed", groups, 2);
        List<Group> more = new ArrayList<>(groups);
        more.add(0, new TrianglesHit("again", RayScene.CLOSEST));
        try (CommandRig rig = new CommandRig(Backend.VULKAN, null, Set.of(Capability.RAY_TRACING_PIPELINE_LIBRARY))) {
            RayTracingPipeline first = rig.device.createRayTracingPipeline(closed);
            RayScene scene = new RayScene(rig, new RayTracingPipelineDescription("rays", more, 2));
            first.close();
            rig.device.waitIdle();
            assertThat(squares(rig, scene)).containsExactly(RayScene.expected());
        }
    }

    private static int[] squares(CommandRig rig, RayScene scene) {
        return picture(rig, scene, list -> list.traceRays(scene.table, scene.memory, 0, SIDE, SIDE, 1));
    }

    private static void refusals(CommandRig rig, RayScene scene) {
        DeviceLimits limits = rig.device.capabilities().limits();
        RayTracingPipelineDescription deep = new RayTracingPipelineDescription(
                "deep", RayScene.PIPELINE.groups(), limits.rayTracing().maxRecursion() + 1);
        refused("(DeviceLimits.RayTracing.maxRecursion)", () -> rig.device.createRayTracingPipeline(deep));
        refused(
                "which needs PUSH_DESCRIPTORS",
                () -> rig.device.createRayTracingPipeline(RayScene.PIPELINE.withPushDescriptorSet(0)));
        refused(
                "has a recursion of 1, and shader 'shade.rchit' of CLOSEST_HIT traces rays; say at least 2",
                () -> rig.device.createRayTracingPipeline(
                        new RayTracingPipelineDescription("flat", RayScene.PIPELINE.groups(), 1)));
        int attributes = limits.rayTracing().maxHitAttributeBytes() / Integer.BYTES + 1;
        ShaderSource large = new ShaderSource(
                "large.rint",
                ShaderStage.INTERSECTION,
                "#version 460\n#extension GL_EXT_ray_tracing : require\nhitAttributeEXT uint attributes[" + attributes
                        + "];\nvoid main() { attributes[0] = 1; reportIntersectionEXT(1.0, 5); }");
        refused(
                "shader 'large.rint' has a hitAttributeEXT of " + attributes * Integer.BYTES
                        + " bytes, the device allows " + limits.rayTracing().maxHitAttributeBytes(),
                () -> rig.device.createRayTracingPipeline(new RayTracingPipelineDescription(
                        "attributes",
                        List.of(new General("pixel", RayScene.GENERATION), new ProceduralHit("box", large, null, null)),
                        1)));
        ShaderSource wide = new ShaderSource(
                "wide.rmiss",
                ShaderStage.MISS,
                "#version 460\n#extension GL_EXT_ray_tracing : require\n"
                        + "struct P { vec3 light; uint depth; };\nlayout(location = 0) rayPayloadInEXT P payload;\n"
                        + "void main() { payload.depth = 1; }");
        refused(
                "shader 'wide.rmiss' has a rayPayloadInEXT of 16 bytes, and no rayPayloadEXT has more than 4;",
                () -> rig.device.createRayTracingPipeline(new RayTracingPipelineDescription(
                        "payloads", List.of(new General("pixel", RayScene.GENERATION), new General("wide", wide)), 1)));
        assertThat(scene.pipeline.recordBytes())
                .containsEntry("pixel", 0)
                .containsEntry("lit", 0)
                .containsEntry("solid", 8)
                .containsEntry("tint", 8);
        RayTracingPipeline twin = rig.own(rig.device.createRayTracingPipeline(RayScene.PIPELINE));
        ShaderBindingTable other =
                new ShaderBindingTable(twin, new ShaderRecord("pixel"), List.of(), List.of(), List.of());
        ComputePipeline compute = rig.compute("compute", EMPTY, invocation -> {});
        Buffer vertices = rig.buffer("vertices", scene.table.bytes(), BufferUsage.VERTEX);
        Buffer small = rig.buffer("small", scene.table.bytes() - 1, BufferUsage.STORAGE);
        Buffer words = rig.buffer("words", 16, BufferUsage.INDIRECT);
        Buffer gone = rig.device.createBuffer("gone", small.description());
        gone.close();
        CommandList list = rig.frame.beginCommands(rig.queue(), "list");
        refused("comes before any bindPipeline", () -> list.traceRays(scene.table, scene.memory, 0, 1, 1, 1));
        list.bindPipeline(compute);
        refused(
                "needs a ray-tracing pipeline, 'compute' is a compute pipeline",
                () -> list.traceRays(scene.table, scene.memory, 0, 1, 1, 1));
        list.bindPipeline(scene.pipeline);
        refused("needs a compute pipeline, 'rays' is a ray-tracing pipeline", () -> list.dispatch(1, 1, 1));
        refused("'rays' still needs binding 'scene'", () -> list.traceRays(scene.table, scene.memory, 0, 1, 1, 1));
        scene.bind(list);
        refused(
                "the binding table is of pipeline 'rays', and 'rays' is bound; make a table for each pipeline",
                () -> list.traceRays(other, scene.memory, 0, 1, 1, 1));
        refused(
                "'vertices' was created without usage STORAGE",
                () -> list.traceRays(scene.table, vertices, 0, 1, 1, 1));
        refused(
                "must be in multiples of " + limits.rayTracing().records().baseAlignment(),
                () -> list.traceRays(scene.table, scene.memory, 4, 1, 1, 1));
        refused("is not within buffer 'small'", () -> list.traceRays(scene.table, small, 0, 1, 1, 1));
        refused("'gone' used by command list 'list' is closed", () -> list.traceRays(scene.table, gone, 0, 1, 1, 1));
        refused(
                "of 1x-1x1 rays; the device takes at most",
                () -> list.traceRays(scene.table, scene.memory, 0, 1, -1, 1));
        refused(
                "(DeviceLimits.RayTracing.maxInvocations)",
                () -> list.traceRays(scene.table, scene.memory, 0, 65_535, 65_535, 65_535));
        refused(
                "'upload' was created without usage INDIRECT",
                () -> list.traceRaysIndirect(scene.table, scene.memory, 0, scene.memory, 0));
        refused(
                "offset 2 in buffer 'words' must be in multiples of 4",
                () -> list.traceRaysIndirect(scene.table, scene.memory, 0, words, 2));
        refused(
                "range 8+12 is not within buffer 'words'",
                () -> list.traceRaysIndirect(scene.table, scene.memory, 0, words, 8));
        if (rig.device instanceof VulkanDevice vulkan) {
            Buffer table = rig.own(vulkan.importBuffer(
                    "table",
                    vulkan.handles().buffer(rig.buffer("lent", scene.table.bytes(), BufferUsage.STORAGE)),
                    BufferDescription.device(scene.table.bytes(), BufferUsage.STORAGE)));
            Buffer size = rig.own(vulkan.importBuffer(
                    "size", vulkan.handles().buffer(words), BufferDescription.device(16, BufferUsage.INDIRECT)));
            refused(
                    "buffer 'table' is imported or shared and has no address, by which traces read",
                    () -> list.traceRays(scene.table, table, 0, 1, 1, 1));
            refused(
                    "buffer 'size' is imported or shared and has no address, by which traces read",
                    () -> list.traceRaysIndirect(scene.table, scene.memory, 0, size, 0));
        }
        list.traceRays(scene.table, scene.memory, 0, 1, 1, 1);
        list.end();
    }

    @Test
    void withoutTheCapabilityThereAreNone() {
        try (CommandRig rig = new CommandRig(Backend.VIRTUAL)) {
            refused(
                    "ray-tracing pipeline 'rays' needs RAY_TRACING_PIPELINES, which is off in device 'Frameloom virtual"
                            + " GPU'; open the device with DeviceOptions.require or prefer",
                    () -> rig.device.createRayTracingPipeline(RayScene.PIPELINE));
            Scope traced = new Scope(PipelineStage.COMPUTE_SHADER.bit(), 0, PipelineStage.RAY_TRACING_SHADER.bit(), 0);
            rig.execute(list -> refused(
                    "comes before RAY_TRACING_SHADER, and device 'Frameloom virtual GPU' has no ray tracing pipelines;"
                            + " leave the stage out",
                    () -> list.barrier(global(traced))));
        }
    }

    @Test
    void tracesUnderAConditionAreRefused() {
        Set<Capability> needed = Set.of(Capability.RAY_TRACING_PIPELINES, Capability.CONDITIONAL_RENDERING);
        try (CommandRig rig = new CommandRig(Backend.VIRTUAL, null, needed)) {
            RayScene scene = new RayScene(rig);
            Buffer condition = rig.upload(new int[1], BufferUsage.INDIRECT);
            rig.execute(list -> {
                scene.bind(list);
                list.beginConditionalRendering(condition, 0, false);
                refused(
                        "a condition is still open; call endConditionalRendering before",
                        () -> list.traceRays(scene.table, scene.memory, 0, 1, 1, 1));
                list.endConditionalRendering();
            });
        }
    }

    @Test
    void aLibraryCompilesInTheBackgroundAndTakesNoFallback() {
        try (CommandRig rig = rig(Backend.VIRTUAL);
                TaskGraph tasks = TaskGraph.builder().name("library").workers(1).build();
                PipelineLibrary library = new PipelineLibrary(rig.device, tasks)) {
            PipelineRequest<RayTracingPipeline> request = library.compile(RayScene.PIPELINE);
            assertThat(library.compile(RayScene.PIPELINE)).isSameAs(request);
            assertThat(request.await().description()).isEqualTo(RayScene.PIPELINE);
            RayTracingPipeline twin = rig.own(rig.device.createRayTracingPipeline(RayScene.PIPELINE));
            ComputePipeline compute = rig.compute("compute", EMPTY, invocation -> {});
            rig.execute(list -> {
                refused(
                        "their binding tables are of the one and of the other",
                        () -> request.bind(list, WhileCompiling.fallback(twin)));
                refused(
                        "their kinds are ray tracing and compute",
                        () -> request.bind(list, WhileCompiling.fallback(compute)));
                assertThat(request.bind(list, WhileCompiling.SKIP)).isTrue();
            });
        }
    }

    private static BarrierBatch global(Scope scope) {
        return new BarrierBatch(List.of(), List.of(), List.of(new GlobalBarrier(scope)));
    }

    private static ResourceUse use(Buffer buffer, Access access, boolean discard) {
        return new ResourceUse.OfBuffer(buffer, 0, buffer.description().bytes(), access, discard);
    }

    /** Builds the top level anew and traces rays through it; returns what is left. */
    private static int[] rebuilt(CommandRig rig, boolean barrier, boolean declared, Access ofHits) {
        RayScene scene = new RayScene(rig);
        Buffer table = rig.buffer("table", scene.table.bytes(), BufferUsage.STORAGE, BufferUsage.COPY_DST);
        Buffer host = rig.readback(4L * SIDE * SIDE);
        rig.execute(list -> {
            list.beginPass(
                    "table", List.of(use(scene.memory, Access.COPY_SRC, false), use(table, Access.COPY_DST, true)));
            list.copyBuffer(scene.memory, 0, table, 0, scene.table.bytes());
            list.endPass();
            CommandRig.full(list);
            List<ResourceUse> building = new ArrayList<>();
            building.add(use(scene.top, Access.ACCELERATION_STRUCTURE_BUILD_WRITE, true));
            building.add(use(scene.building.scratch(), Access.ACCELERATION_STRUCTURE_SCRATCH, true));
            scene.bottoms.forEach(bottom -> building.add(use(bottom, Access.ACCELERATION_STRUCTURE_BUILD_READ, false)));
            list.beginPass("build", building.stream().distinct().toList());
            list.buildAccelerationStructure(scene.building);
            list.endPass();
            if (barrier) {
                list.barrier(global(new Scope(
                        PipelineStage.ACCELERATION_STRUCTURE_BUILD.bit(),
                        MemoryAccess.ACCELERATION_STRUCTURE_WRITE.bit(),
                        PipelineStage.RAY_TRACING_SHADER.bit(),
                        MemoryAccess.ACCELERATION_STRUCTURE_READ.bit())));
            }
            List<ResourceUse> tracing = new ArrayList<>();
            tracing.add(use(scene.top, Access.ACCELERATION_STRUCTURE_TRACE_RAYS, false));
            scene.bottoms.forEach(bottom -> tracing.add(use(bottom, Access.ACCELERATION_STRUCTURE_TRACE_RAYS, false)));
            tracing.add(use(scene.hits, ofHits, true));
            if (declared) {
                tracing.add(use(table, Access.SHADER_BINDING_TABLE, false));
            }
            list.beginPass("trace", tracing.stream().distinct().toList());
            scene.bind(list);
            list.traceRays(scene.table, table, 0, SIDE, SIDE, 1);
            list.endPass();
            CommandRig.full(list);
            list.beginPass("copy", List.of(use(scene.hits, Access.COPY_SRC, false), use(host, Access.COPY_DST, true)));
            list.copyBuffer(scene.hits, 0, host, 0, 4L * SIDE * SIDE);
            list.endPass();
            CommandRig.full(list);
        });
        return CommandRig.words(host);
    }

    private static int[] rebuilt(HazardChecker checker, boolean barrier, boolean declared, Access ofHits) {
        try (CommandRig rig = new CommandRig(Backend.VIRTUAL, checker, Set.of(Capability.RAY_TRACING_PIPELINES))) {
            return rebuilt(rig, barrier, declared, ofHits);
        }
    }

    @Test
    void aMissingBarrierBetweenBuildAndTraceIsFound() {
        HazardChecker checker = new HazardChecker();
        int[] left = rebuilt(checker, true, true, Access.STORAGE_WRITE_RAYS);
        assertThat(ofTop(checker)).isEmpty();
        assertThat(checker.undeclared())
                .filteredOn(use -> use.secondPass().equals("trace"))
                .isEmpty();
        assertThat(rebuilt(new HazardChecker(), true, true, Access.STORAGE_WRITE_RAYS))
                .containsExactly(left);
        HazardChecker without = new HazardChecker();
        rebuilt(without, false, true, Access.STORAGE_WRITE_RAYS);
        assertThat(ofTop(without))
                .extracting(Hazard::firstPass, Hazard::secondPass)
                .containsExactly(tuple("build", "trace"));
    }

    /** Of the scene's bottom levels, which no pass builds, the checker knows no contents. */
    private static List<Hazard> ofTop(HazardChecker checker) {
        return checker.hazards().stream()
                .filter(hazard -> hazard.resource().equals("top"))
                .toList();
    }

    @Test
    void aTableThatIsNotDeclaredIsListed() {
        HazardChecker checker = new HazardChecker();
        rebuilt(checker, true, false, Access.STORAGE_WRITE_RAYS);
        assertThat(checker.undeclared())
                .filteredOn(use -> use.secondPass().equals("trace"))
                .extracting(Hazard::resource)
                .containsExactly("table");
    }

    /** As a dispatch would use it: no barrier would name the stage of rays. */
    @Test
    void whatIsDeclaredForAnotherStageIsListed() {
        HazardChecker checker = new HazardChecker();
        rebuilt(checker, true, true, Access.STORAGE_WRITE_COMPUTE);
        assertThat(checker.undeclared())
                .filteredOn(use -> use.secondPass().equals("trace"))
                .singleElement()
                .satisfies(use -> {
                    assertThat(use.resource()).isEqualTo("hits");
                    assertThat(use.explanation())
                            .contains("uses 'hits' in a shader of RAY_TRACING_SHADER that may write it");
                });
    }

    @Test
    void whatATraceLeavesFollowsFromItsTable() {
        try (CommandRig rig = rig(Backend.VIRTUAL)) {
            RayScene scene = new RayScene(rig);
            int[] left = squares(rig, scene);
            ShaderBindingTable.Region hits = scene.table.regions().get(2);
            int data = (int) hits.offset() + scene.pipeline.recordLimits().handle();
            scene.memory.mapped().putInt(data, 77);
            assertThat(squares(rig, scene)).isNotEqualTo(left);
        }
    }

    @Test
    void moreIndirectRaysThanTheDeviceTakesLoseIt() {
        try (CommandRig rig = rig(Backend.VIRTUAL)) {
            RayScene scene = new RayScene(rig);
            Buffer size = rig.upload(new int[] {1 << 20, 1 << 20, 1}, BufferUsage.INDIRECT);
            assertThatThrownBy(() -> rig.execute(list -> {
                        scene.bind(list);
                        list.traceRaysIndirect(scene.table, scene.memory, 0, size, 0);
                    }))
                    .isInstanceOf(DeviceLostException.class)
                    .hasMessageContaining("traces indirectly 1048576x1048576x1 rays, read from buffer 'upload' at 0");
        }
    }
}
