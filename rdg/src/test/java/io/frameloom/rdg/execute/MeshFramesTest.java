package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RdgReadback;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.utility.ReadbackPasses;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Frames draw meshes whose vertices and number a compute pass of theirs has written, as vertex shaders draw them. */
@Timeout(60)
class MeshFramesTest {
    private static final int TRIANGLES = 8;
    private static final long POSITIONS = TRIANGLES * 3 * 16;
    private static final long ARGUMENTS = 16 + 2 * 12;
    private static final TextureDescription PICTURE =
            TextureDescription.of(32, 32, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_SRC);

    private static final String POSITIONS_BLOCK = """
            layout(set = 0, binding = 0, std430) readonly buffer Positions { vec4 positions[]; };
            """;

    /** Two draws of all triangles, each of half of them, of which the number leaves out the second in even frames. */
    private static final ShaderSource WRITE = new ShaderSource("write.comp", ShaderStage.COMPUTE, """
            #version 460
            layout(local_size_x = 8) in;
            layout(set = 0, binding = 0, std430) writeonly buffer Positions { vec4 positions[]; };
            layout(set = 0, binding = 1, std430) writeonly buffer Arguments { uint arguments[]; };
            layout(push_constant) uniform Push { uint draws; };
            void main() {
                uint i = gl_LocalInvocationID.x;
                vec2 at = vec2(i % 4, i / 4) * vec2(0.5, 1) - vec2(1);
                positions[3 * i] = vec4(at, 0, 1);
                positions[3 * i + 1] = vec4(at + vec2(0.45, 0.1), 0, 1);
                positions[3 * i + 2] = vec4(at + vec2(0.1, 0.9), 0, 1);
                if (i < 2) {
                    arguments[0] = draws;
                    arguments[4 + i * 3] = 4;
                    arguments[5 + i * 3] = 1;
                    arguments[6 + i * 3] = 1;
                }
            }
            """);

    private static final ShaderSource MESH =
            new ShaderSource("triangle.mesh", ShaderStage.MESH, """
            #version 460
            #extension GL_EXT_mesh_shader : require
            layout(local_size_x = 3) in;
            layout(triangles, max_vertices = 3, max_primitives = 1) out;
            """ + POSITIONS_BLOCK + """
            void main() {
                SetMeshOutputsEXT(3, 1);
                uint triangle = gl_WorkGroupID.x + 4 * gl_DrawID;
                uint i = gl_LocalInvocationID.x;
                gl_MeshVerticesEXT[i].gl_Position = positions[triangle * 3 + i];
                if (i == 0) {
                    gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2);
                }
            }
            """);

    private static final ShaderSource VERTEX = new ShaderSource(
            "triangle.vert",
            ShaderStage.VERTEX,
            "#version 460\n" + POSITIONS_BLOCK + "void main() { gl_Position = positions[gl_VertexIndex]; }\n");

    private static final ShaderSource FRAGMENT = new ShaderSource("triangle.frag", ShaderStage.FRAGMENT, """
            #version 460
            layout(location = 0) out vec4 color;
            void main() { color = vec4(fract(gl_FragCoord.xy / 16.0), 0.5, 1); }
            """);

    /** What frames need. */
    private record Scene(DeviceRig rig, ComputePipeline write, GraphicsPipeline mesh, GraphicsPipeline vertex)
            implements AutoCloseable {
        static Scene on(DeviceRig rig) {
            return new Scene(
                    rig,
                    rig.device.createComputePipeline(new ComputePipelineDescription("write", WRITE, null)),
                    rig.device.createGraphicsPipeline(
                            GraphicsPipelineDescription.ofMeshes("mesh", null, MESH, FRAGMENT, PICTURE.format())),
                    rig.device.createGraphicsPipeline(
                            GraphicsPipelineDescription.of("vertex", VERTEX, FRAGMENT, PICTURE.format())));
        }

        @Override
        public void close() {
            write.close();
            mesh.close();
            vertex.close();
        }

        void bind(CommandList list, GraphicsPipeline pipeline, Buffer positions) {
            list.bindPipeline(pipeline);
            list.bindBuffer("Positions", positions, 0, POSITIONS);
        }
    }

    private static PassBuilder drawing(RenderGraph graph, String name, RdgTexture picture, RdgBuffer positions) {
        return graph.addPass(name, PassKind.RASTER)
                .color(picture, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                .reads(positions, Access.STORAGE_READ_VERTEX);
    }

    @ParameterizedTest
    @EnumSource
    void framesDrawMeshesAsVertices(TestDevice kind) {
        if (kind == TestDevice.VULKAN) {
            TestDevice.assumeAny(Capability.MESH_SHADERS);
        }
        // Statistics of vertices would be in the way of meshes.
        try (DeviceRig rig = new DeviceRig(
                        2,
                        FrameExecutorOptions.defaults().withCollectStatistics(true),
                        RdgOptions.defaults().withPassLimits(1, 2),
                        kind == TestDevice.VULKAN,
                        options -> kind.open(options.require(Capability.MESH_SHADERS)));
                Scene scene = Scene.on(rig)) {
            for (int frame = 1; frame <= 4; frame++) {
                List<RdgReadback> pictures = frame(scene, 1 + frame % 2);
                byte[] expected = bytes(pictures.get(0));
                if (rig.device.capabilities().renders()) {
                    assertThat(bytes(pictures.get(1))).isEqualTo(expected);
                    assertThat(bytes(pictures.get(2))).isEqualTo(expected);
                    assertThat(expected[4 * (32 * 2 + 2)])
                            .as("a pixel of the first triangle")
                            .isNotZero();
                }
            }
            rig.assertClean();
        }
    }

    private static byte[] bytes(RdgReadback readback) {
        ByteBuffer data = readback.bytes().join();
        byte[] bytes = new byte[data.remaining()];
        data.get(bytes);
        return bytes;
    }

    /** Returns the pictures of vertices, of meshes with a number from a buffer, and of meshes drawn in two parts. */
    private static List<RdgReadback> frame(Scene scene, int draws) {
        RenderGraph graph = new RenderGraph("frame");
        RdgBuffer positions = graph.createBuffer("positions", BufferDescription.device(POSITIONS));
        RdgBuffer arguments = graph.createBuffer("arguments", BufferDescription.device(ARGUMENTS));
        graph.addPass("write", PassKind.COMPUTE)
                .overwrites(positions, Access.STORAGE_WRITE_COMPUTE)
                .overwrites(arguments, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {
                    CommandList list = context.commands();
                    list.bindPipeline(scene.write);
                    list.bindBuffer("Positions", context.buffer(positions), 0, POSITIONS);
                    list.bindBuffer("Arguments", context.buffer(arguments), 0, ARGUMENTS);
                    list.pushConstants(ByteBuffer.allocate(4)
                            .order(ByteOrder.nativeOrder())
                            .putInt(0, draws));
                    list.dispatch(1, 1, 1);
                });
        RdgTexture ofVertices = graph.createTexture("of vertices", PICTURE);
        RdgTexture counted = graph.createTexture("counted", PICTURE);
        RdgTexture inParts = graph.createTexture("in parts", PICTURE);
        drawing(graph, "vertices", ofVertices, positions).record(context -> {
            scene.bind(context.commands(), scene.vertex, context.buffer(positions));
            context.commands().draw(draws * 4 * 3, 1, 0, 0);
        });
        drawing(graph, "counted", counted, positions)
                .reads(arguments, Access.INDIRECT)
                .record(context -> {
                    scene.bind(context.commands(), scene.mesh, context.buffer(positions));
                    Buffer from = context.buffer(arguments);
                    context.commands().drawMeshTasksIndirectCount(from, 16, from, 0, 2, 12);
                });
        drawing(graph, "in parts", inParts, positions).recordParts(2, (context, part) -> {
            scene.bind(context.commands(), scene.mesh, context.buffer(positions));
            context.commands().drawMeshTasks(part == 0 ? draws * 4 : 0, 1, 1);
        });
        List<RdgReadback> pictures = List.of(
                ReadbackPasses.texture(graph, ofVertices),
                ReadbackPasses.texture(graph, counted),
                ReadbackPasses.texture(graph, inParts));
        scene.rig.executor.execute(scene.rig.compile(graph)).completed().await();
        return pictures;
    }
}
