package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceCapabilities;
import io.frameloom.gpu.DeviceKind;
import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.QuerySet;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.shader.PipelineShaders;
import io.frameloom.gpu.shader.ShaderCompiler;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What draws of mesh tasks refuse on all backends, what the checker knows of them, and what the virtual GPU draws. */
@Timeout(60)
class MeshDrawContractTest {
    /** Shared by all tests: making one takes longer than most of them. */
    private static final ShaderCompiler SHADERS = new ShaderCompiler();

    private static final String HEAD = """
            #version 460
            #extension GL_EXT_mesh_shader : require
            layout(local_size_x = SIZE) in;
            """;

    private static final String TASK = HEAD + """
            struct Payload { uint numbers[WORDS]; };
            taskPayloadSharedEXT Payload payload;
            void main() {
                payload.numbers[0] = 1;
                EmitMeshTasksEXT(1, 1, 1);
            }
            """;

    private static final String MESH = HEAD + """
            layout(triangles, max_vertices = 3, max_primitives = 1) out;
            layout(set = 0, binding = 0, std430) readonly buffer Positions { vec4 positions[]; };
            void main() {
                SetMeshOutputsEXT(3, 1);
                for (uint i = 0; i < 3; i++) {
                    gl_MeshVerticesEXT[i].gl_Position = positions[i];
                }
                gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2);
            }
            """;

    private static ShaderSource task(int size, int words) {
        return new ShaderSource(
                "some.task",
                ShaderStage.TASK,
                TASK,
                Map.of("SIZE", Integer.toString(size), "WORDS", Integer.toString(words)));
    }

    private static ShaderSource mesh(int size) {
        return new ShaderSource("some.mesh", ShaderStage.MESH, MESH, Map.of("SIZE", Integer.toString(size)));
    }

    private static GraphicsPipelineDescription describe(@Nullable ShaderSource task, ShaderSource mesh) {
        return GraphicsPipelineDescription.ofMeshes(
                task == null ? "meshes" : "tasks", task, mesh, RenderPassScene.FRAGMENT, Format.R8G8B8A8_UNORM);
    }

    /** A render pass, pipelines of both kinds, and what meshes are drawn from. */
    private static final class Scene implements AutoCloseable {
        final HazardChecker checker = new HazardChecker();
        final CommandRig rig;
        final Texture color;
        final Buffer positions;
        final Buffer arguments;
        final GraphicsPipeline meshes;
        final GraphicsPipeline tasks;
        final GraphicsPipeline triangle;

        Scene(Backend backend) {
            rig = new CommandRig(backend, checker, Set.of(Capability.MESH_SHADERS));
            color = RenderPassScene.color(rig, 1);
            positions = rig.buffer("positions", 48, BufferUsage.STORAGE, BufferUsage.COPY_DST);
            arguments = rig.buffer("arguments", 64, BufferUsage.INDIRECT, BufferUsage.COPY_DST);
            meshes = rig.own(rig.device.createGraphicsPipeline(describe(null, mesh(1))));
            tasks = rig.own(rig.device.createGraphicsPipeline(describe(task(1, 1), mesh(1))));
            triangle = RenderPassScene.triangle(rig, RenderPassScene.FRAGMENT, null);
        }

        void pass(CommandList list, Consumer<CommandList> body, ResourceUse... more) {
            ResourceUse[] uses = Arrays.copyOf(more, more.length + 1);
            uses[more.length] = new ResourceUse.OfTexture(
                    color, SubresourceRange.mip(0), Access.COLOR_WRITE, true, TextureLayout.COLOR);
            CommandRig.transition(list, color, TextureLayout.UNDEFINED, TextureLayout.COLOR);
            list.beginPass("draw", List.of(uses));
            list.beginRendering(RenderPassScene.pass(color, 1));
            body.accept(list);
            list.endRendering();
            list.endPass();
        }

        void bind(CommandList list, GraphicsPipeline pipeline) {
            list.bindPipeline(pipeline);
            list.bindBuffer("Positions", positions, 0, 48);
        }

        ResourceUse readsPositions() {
            return use(positions, Access.STORAGE_READ_VERTEX);
        }

        @Override
        public void close() {
            rig.close();
        }
    }

    private static ResourceUse use(Buffer buffer, Access access) {
        return new ResourceUse.OfBuffer(buffer, 0, buffer.description().bytes(), access, access.writes());
    }

    private static void refused(Runnable draw, Class<? extends RuntimeException> type, String... words) {
        assertThatThrownBy(draw::run).isInstanceOf(type).hasMessageContainingAll(words);
    }

    @ParameterizedTest
    @EnumSource
    void drawsOfTheOtherKindAreRefusedAndThoseOfThisKindGoOn(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            scene.rig.execute(list -> scene.pass(
                    list,
                    l -> {
                        scene.bind(l, scene.meshes);
                        l.drawMeshTasks(1, 1, 1);
                        refused(() -> l.draw(3, 1, 0, 0), IllegalStateException.class, "'meshes'", "drawMeshTasks");
                        refused(
                                () -> l.drawIndirect(scene.arguments, 0, 1, 16),
                                IllegalStateException.class,
                                "drawIndirect",
                                "has a mesh shader");
                        l.drawMeshTasks(1, 1, 1);
                        l.bindPipeline(scene.triangle);
                        l.draw(3, 1, 0, 0);
                        refused(
                                () -> l.drawMeshTasks(1, 1, 1),
                                IllegalStateException.class,
                                "drawMeshTasks",
                                "'triangle' has a vertex shader; call draw");
                        refused(
                                () -> l.drawMeshTasksIndirectCount(scene.arguments, 0, scene.arguments, 48, 1, 12),
                                IllegalStateException.class,
                                "drawMeshTasksIndirectCount",
                                "'triangle'");
                        l.draw(3, 1, 0, 0);
                    },
                    scene.readsPositions()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void groupsAndArgumentsHaveLimits(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            DeviceLimits.MeshShaders limits =
                    scene.rig.device.capabilities().limits().meshShaders();
            Class<IllegalArgumentException> bad = IllegalArgumentException.class;
            scene.rig.execute(list -> scene.pass(
                    list,
                    l -> {
                        scene.bind(l, scene.meshes);
                        refused(() -> l.drawMeshTasks(-1, 1, 1), bad, "drawMeshTasks", "-1x1x1");
                        int most = limits.mesh().maxGroups().y();
                        if (most < Integer.MAX_VALUE) {
                            refused(() -> l.drawMeshTasks(1, most + 1, 1), bad, "takes 0 to");
                        }
                        l.drawMeshTasks(0, 1, 1);
                        scene.bind(l, scene.tasks);
                        DeviceLimits.Groups groups = limits.task().maxGroups();
                        if ((long) groups.x() * groups.y() > limits.task().maxTotalGroups()) {
                            refused(
                                    () -> l.drawMeshTasks(groups.x(), groups.y(), groups.z()),
                                    bad,
                                    "the device takes " + limits.task().maxTotalGroups() + " of a draw");
                        }
                        l.drawMeshTasks(1, 1, 1);
                        refused(() -> l.drawMeshTasksIndirect(scene.arguments, 0, 2, 8), bad, "multiple of 4", "got 8");
                        refused(() -> l.drawMeshTasksIndirect(scene.arguments, 2, 1, 12), bad, "arguments");
                        refused(() -> l.drawMeshTasksIndirect(scene.arguments, 56, 1, 12), bad, "arguments");
                        refused(() -> l.drawMeshTasksIndirect(scene.positions, 0, 1, 12), bad, "INDIRECT");
                        refused(
                                () -> l.drawMeshTasksIndirectCount(scene.arguments, 0, scene.positions, 0, 1, 12),
                                bad,
                                "positions",
                                "INDIRECT");
                    },
                    scene.readsPositions()));
        }
    }

    /** No device counts vertices of meshes, so a query that would cannot be open. */
    @ParameterizedTest
    @EnumSource
    void statisticsOfVerticesAreNotCountedOfMeshes(Backend backend) {
        try (Scene scene = new Scene(backend);
                QuerySet statistics = scene.rig.device.createQuerySet("statistics", QueryKind.STATISTICS, 1)) {
            scene.rig.execute(list -> scene.pass(
                    list,
                    l -> {
                        scene.bind(l, scene.meshes);
                        l.drawMeshTasks(1, 1, 1);
                        l.beginQuery(statistics, 0);
                        refused(
                                () -> l.drawMeshTasks(1, 1, 1),
                                IllegalStateException.class,
                                "drawMeshTasks",
                                "'statistics'",
                                "endQuery");
                        l.endQuery(statistics);
                        l.drawMeshTasks(1, 1, 1);
                    },
                    scene.readsPositions()));
        }
    }

    private static BarrierBatch barrier(PipelineStage to, MemoryAccess read) {
        return new BarrierBatch(
                List.of(),
                List.of(),
                List.of(new BarrierBatch.GlobalBarrier(new BarrierBatch.Scope(
                        PipelineStage.COPY.bit(), MemoryAccess.COPY_WRITE.bit(), to.bit(), read.bit()))));
    }

    private static List<Hazard> hazards(Backend backend, BarrierBatch barrier) {
        try (Scene scene = new Scene(backend)) {
            scene.rig.execute(list -> {
                list.beginPass(
                        "fill", List.of(use(scene.positions, Access.COPY_DST), use(scene.arguments, Access.COPY_DST)));
                list.fillBuffer(scene.positions, 0, 48, 0);
                list.fillBuffer(scene.arguments, 0, 64, 1);
                list.endPass();
                list.barrier(barrier);
                scene.pass(
                        list,
                        l -> {
                            scene.bind(l, scene.tasks);
                            l.drawMeshTasksIndirect(scene.arguments, 0, 1, 12);
                        },
                        scene.readsPositions(),
                        use(scene.arguments, Access.INDIRECT));
            });
            return scene.checker.hazards();
        }
    }

    /** On the virtual GPU alone: a driver under validation is given nothing wrong. */
    @Test
    void eachReadWithoutItsBarrierIsFound() {
        assertThat(hazards(Backend.VIRTUAL, barrier(PipelineStage.DRAW_INDIRECT, MemoryAccess.INDIRECT_READ)))
                .extracting(Hazard::kind, Hazard::resource, Hazard::firstPass, Hazard::secondPass)
                .containsExactly(tuple(Hazard.Kind.READ_AFTER_WRITE, "positions", "fill", "draw"));
        assertThat(hazards(Backend.VIRTUAL, barrier(PipelineStage.VERTEX_SHADER, MemoryAccess.STORAGE_READ)))
                .extracting(Hazard::kind, Hazard::resource, Hazard::firstPass, Hazard::secondPass)
                .containsExactly(tuple(Hazard.Kind.READ_AFTER_WRITE, "arguments", "fill", "draw"));
    }

    @ParameterizedTest
    @EnumSource
    void whatThePassDoesNotDeclareIsReported(Backend backend) {
        try (Scene scene = new Scene(backend)) {
            scene.rig.execute(list -> {
                list.fillBuffer(scene.arguments, 0, 64, 0);
                CommandRig.full(list);
                scene.pass(list, l -> {
                    scene.bind(l, scene.tasks);
                    l.drawMeshTasksIndirectCount(scene.arguments, 0, scene.arguments, 48, 1, 12);
                });
            });
            assertThat(scene.checker.undeclared())
                    .extracting(Hazard::resource, Hazard::secondPass)
                    .contains(tuple("arguments", "draw"), tuple("positions", "draw"));
        }
    }

    @Test
    void theVirtualGpuDrawsWhatIsAskedFor() {
        try (Scene scene = new Scene(Backend.VIRTUAL)) {
            int one = texel(scene, scene.meshes, 2);
            assertThat(texel(scene, scene.meshes, 2)).isEqualTo(one);
            assertThat(texel(scene, scene.meshes, 3)).isNotEqualTo(one);
            assertThat(texel(scene, scene.tasks, 2)).isNotEqualTo(one);
        }
    }

    private static int texel(Scene scene, GraphicsPipeline pipeline, int groups) {
        Buffer readback = scene.rig.readback(64);
        scene.rig.execute(list -> {
            scene.pass(
                    list,
                    l -> {
                        scene.bind(l, pipeline);
                        l.drawMeshTasks(groups, 1, 1);
                    },
                    scene.readsPositions());
            CommandRig.transition(list, scene.color, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC);
            list.copyTextureToBuffer(scene.color, 0, 0, readback, 0);
            CommandRig.full(list);
        });
        return CommandRig.words(readback)[0];
    }

    @ParameterizedTest
    @EnumSource
    void aDeviceWithoutRefusesThePipeline(Backend backend) {
        try (CommandRig rig = new CommandRig(backend)) {
            refused(
                    () -> rig.device.createGraphicsPipeline(describe(null, mesh(1))),
                    IllegalArgumentException.class,
                    "'meshes'",
                    "MESH_SHADERS",
                    "DeviceOptions.require");
        }
    }

    @Test
    void shadersKeepToTheLimitsOfTheDevice() {
        DeviceLimits.MeshStage stage = new DeviceLimits.MeshStage(
                new DeviceLimits.Groups(1, 1, 1), 1, new DeviceLimits.Groups(32, 1, 1), 24, 64, 96);
        String meshShader = "'some.mesh'";
        refusedWith(meshes(stage, 128, 3, 1, 1024, 1024), null, mesh(33), "33 invocations in x");
        refusedWith(meshes(stage, 128, 3, 1, 1024, 1024), null, mesh(25), "25 invocations");
        refusedWith(meshes(stage, 128, 2, 1, 1024, 1024), null, mesh(1), meshShader, "3 vertices");
        refusedWith(meshes(stage, 128, 3, 0, 1024, 1024), null, mesh(1), meshShader, "1 primitives");
        refusedWith(
                meshes(stage, 60, 3, 1, 1024, 1024),
                task(1, 16),
                mesh(1),
                "'some.task'",
                "a payload of 64 bytes, the device allows 60");
        refusedWith(
                meshes(stage, 128, 3, 1, 1024, 1024), task(1, 25), mesh(1), "100 bytes of payload and shared memory");
        // Positions of 4 vertices, of which 3 are declared, and a number of 32 primitives, of which there is 1.
        ShaderSource numbering = new ShaderSource(
                "some.mesh", ShaderStage.MESH, MESH.replace("void main() {", """
                        layout(location = 0) perprimitiveEXT out uint number[];
                        struct Payload { uint numbers[2]; };
                        taskPayloadSharedEXT Payload payload;
                        void main() { number[0] = payload.numbers[1];
                        """), Map.of("SIZE", "1"));
        refusedWith(meshes(stage, 128, 3, 1, 63, 1024), null, mesh(1), meshShader, "64 bytes of outputs", "allows 63");
        refusedWith(meshes(stage, 128, 3, 1, 575, 1024), task(1, 2), numbering, meshShader, "576 bytes of outputs");
        refusedWith(
                meshes(stage, 128, 3, 1, 576, 583),
                task(1, 2),
                numbering,
                meshShader,
                "584 bytes of payload and outputs");
    }

    private static DeviceLimits.MeshShaders meshes(
            DeviceLimits.MeshStage stage, int payload, int vertices, int primitives, int output, int payloadAndOutput) {
        return new DeviceLimits.MeshShaders(
                stage, stage, payload, vertices, primitives, 128, output, payloadAndOutput, 4, 32);
    }

    @Test
    void whatFragmentShadersReadOfPrimitivesMeshShadersGive() {
        ShaderSource fragment = new ShaderSource("number.frag", ShaderStage.FRAGMENT, """
                #version 460
                layout(location = 0) out vec4 color;
                void main() { color = vec4(gl_PrimitiveID); }
                """);
        ShaderSource writing = new ShaderSource(
                "writing.mesh",
                ShaderStage.MESH,
                MESH.replace(
                        "SetMeshOutputsEXT(3, 1);",
                        "SetMeshOutputsEXT(3, 1); gl_MeshPrimitivesEXT[0].gl_PrimitiveID = 7;"),
                Map.of("SIZE", "1"));
        ShaderSource culling = new ShaderSource(
                "culling.mesh",
                ShaderStage.MESH,
                MESH.replace(
                        "SetMeshOutputsEXT(3, 1);",
                        "SetMeshOutputsEXT(3, 1); gl_MeshPrimitivesEXT[0].gl_CullPrimitiveEXT = false;"),
                Map.of("SIZE", "1"));
        ShaderSource of = new ShaderSource("of.frag", ShaderStage.FRAGMENT, """
                #version 460
                layout(location = 0) flat in uint number;
                layout(location = 0) out vec4 color;
                void main() { color = vec4(number); }
                """);
        ShaderSource giving = new ShaderSource(
                "giving.mesh",
                ShaderStage.MESH,
                MESH.replace("void main() {", "layout(location = 0) perprimitiveEXT out uint number[];\nvoid main() {"),
                Map.of("SIZE", "1"));
        PipelineShaders.of(SHADERS, number(writing, fragment), 128);
        refused(
                () -> PipelineShaders.of(SHADERS, number(culling, fragment), 128),
                IllegalArgumentException.class,
                "'number.frag' reads gl_PrimitiveID",
                "'culling.mesh' does not write");
        refused(
                () -> PipelineShaders.of(SHADERS, number(giving, of), 128),
                IllegalArgumentException.class,
                "'of.frag' takes uint 'number'",
                "'giving.mesh' gives perprimitiveEXT uint 'number'",
                "perprimitiveEXT, or none");
    }

    private static GraphicsPipelineDescription number(ShaderSource mesh, ShaderSource fragment) {
        return GraphicsPipelineDescription.ofMeshes("numbers", null, mesh, fragment, Format.R8G8B8A8_UNORM);
    }

    private static void refusedWith(
            DeviceLimits.MeshShaders meshes, @Nullable ShaderSource task, ShaderSource mesh, String... words) {
        DeviceLimits least = DeviceLimits.minimum();
        DeviceCapabilities device = new DeviceCapabilities(
                "least",
                DeviceKind.SIMULATED,
                "none",
                false,
                true,
                4096,
                1 << 20,
                64,
                64,
                128,
                1,
                false,
                new DeviceLimits(
                        least.textures(),
                        least.memory(),
                        least.compute(),
                        least.drawing(),
                        least.pipelines(),
                        least.shaders(),
                        least.depthResolve(),
                        least.rendering(),
                        least.samplers(),
                        least.accelerationStructures(),
                        meshes,
                        least.rayTracing()),
                Set.of());
        PipelineLimits limits = new PipelineLimits(device, format -> {
            throw new AssertionError("shaders have no formats");
        });
        GraphicsPipelineDescription description = describe(task, mesh);
        PipelineShaders shaders = PipelineShaders.of(SHADERS, description, 128);
        refused(() -> limits.check(description, shaders), IllegalArgumentException.class, words);
    }
}
