package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.ValidatedDevice.memory;
import static io.frameloom.gpu.vulkan.ValidatedDevice.transition;
import static io.frameloom.gpu.vulkan.ValidatedDevice.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.cache.ProgramCache;
import io.frameloom.gpu.cache.ProgramCacheOptions;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.IndexType;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.RenderingInfo.DepthAttachment;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthCompare;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthState;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexAttribute;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.ShortBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lwjgl.vulkan.VK10;

/** Meshlets through task and mesh shaders, under validation: their picture is that of vertex shaders, pixel for pixel. */
@Timeout(100)
class VulkanMeshShaderTest {
    private static final int SIZE = 64;
    private static final int MESHLETS = 40;
    /** Triangles of a meshlet, which has a vertex in its middle and as many around it. */
    private static final int TRIANGLES = 12;

    private static final int VERTICES = TRIANGLES + 1;
    private static final float LIMIT = 0.25f;
    private static final int DRAWS = 4;

    /**
     * The layer 1.3.239 looks for a vertex shader in the parts of pipelines that are linked, and finds no mesh shader there.
     * Later ones do.
     */
    private static final List<String> LAYER_DEFECTS = ValidatedDevice.layerSince(VK10.VK_MAKE_VERSION(1, 3, 250))
            ? List.of()
            : List.of(
                    "VUID-VkGraphicsPipelineCreateInfo-pStages-06896",
                    "VUID-VkGraphicsPipelineCreateInfo-stage-02096",
                    "VUID-vkCmdDrawMeshTasksEXT-MeshEXT-07087");

    private static final String HEAD = """
            #version 460
            #extension GL_EXT_mesh_shader : require
            layout(push_constant) uniform Push { float limit; };
            layout(set = 0, binding = 0, std430) readonly buffer Positions { vec4 positions[]; };
            struct Payload { uint meshlets[16]; };
            taskPayloadSharedEXT Payload payload;
            """;

    /** Each draw has 16 meshlets, of which it leaves out those too far to the right. */
    private static final ShaderSource TASK = new ShaderSource("meshlets.task", ShaderStage.TASK, HEAD + """
            layout(local_size_x = 16) in;
            shared uint kept;
            void main() {
                uint meshlet = (gl_WorkGroupID.x + gl_DrawID) * 16 + gl_LocalInvocationID.x;
                if (gl_LocalInvocationID.x == 0) {
                    kept = 0;
                }
                barrier();
                if (meshlet * 13 < positions.length() && positions[meshlet * 13].x < limit) {
                    payload.meshlets[atomicAdd(kept, 1)] = meshlet;
                }
                barrier();
                EmitMeshTasksEXT(kept, 1, 1);
            }
            """);

    private static final String MESHLET = """
            layout(local_size_x = 32) in;
            layout(triangles, max_vertices = 13, max_primitives = 12) out;
            layout(location = 0) out vec3 shade[];
            layout(location = 1) perprimitiveEXT out Number { uint number; } numbers[];
            void meshlet(uint meshlet) {
                SetMeshOutputsEXT(13, 12);
                uint i = gl_LocalInvocationID.x;
                if (i < 13) {
                    gl_MeshVerticesEXT[i].gl_Position = positions[meshlet * 13 + i];
                    shade[i] = vec3(i == 0, i % 2, i % 3 * 0.5);
                }
                if (i < 12) {
                    gl_PrimitiveTriangleIndicesEXT[i] = uvec3(0, 1 + i, 1 + (i + 1) % 12);
                    numbers[i].number = meshlet * 12 + i;
                }
            }
            """;

    private static final ShaderSource MESH = new ShaderSource("meshlets.mesh", ShaderStage.MESH, HEAD + MESHLET + """
            void main() { meshlet(payload.meshlets[gl_WorkGroupID.x]); }
            """);

    /** Without a task shader, and so without a payload. */
    private static final ShaderSource ALL = new ShaderSource(
            "all.mesh",
            ShaderStage.MESH,
            HEAD.substring(0, HEAD.indexOf("struct")) + MESHLET
                    + "void main() { if (limit > 0) { meshlet(gl_WorkGroupID.x); } }\n");

    private static final ShaderSource VERTEX = new ShaderSource("meshlets.vert", ShaderStage.VERTEX, """
            #version 460
            layout(location = 0) in vec4 position;
            layout(location = 0) out vec3 shade;
            layout(location = 1) flat out uint number;
            void main() {
                uint corner = gl_VertexIndex % 3;
                uint triangle = gl_VertexIndex / 3 % 12;
                uint i = corner == 0 ? 0 : 1 + (triangle + corner - 1) % 12;
                gl_Position = position;
                shade = vec3(i == 0, i % 2, i % 3 * 0.5);
                number = gl_VertexIndex / 3;
            }
            """);

    private static final String FRAGMENT = """
            #version 460
            #extension GL_EXT_mesh_shader : enable
            layout(location = 0) in vec3 shade;
            layout(location = 1) QUALIFIER in Number { uint number; };
            layout(location = 0) out vec4 color;
            void main() { color = vec4(shade * 0.75 + 0.25 * float(number % 7) / 6.0, float(number % 251) / 255.0); }
            """;

    private static final ShaderSource OF_PRIMITIVES =
            new ShaderSource("primitives.frag", ShaderStage.FRAGMENT, FRAGMENT, Map.of("QUALIFIER", "perprimitiveEXT"));

    private static final ShaderSource OF_VERTICES = new ShaderSource(
            "vertices.frag",
            ShaderStage.FRAGMENT,
            FRAGMENT.replace("#extension GL_EXT_mesh_shader : enable\n", "")
                    .replace("QUALIFIER in Number { uint number; }", "flat in uint number"));

    /** The arguments of four draws, of which the number leaves out the last. */
    private static final ShaderSource ARGUMENTS = new ShaderSource("arguments.comp", ShaderStage.COMPUTE, """
            #version 460
            layout(local_size_x = 4) in;
            layout(set = 0, binding = 0, std430) writeonly buffer Arguments { uint arguments[]; };
            void main() {
                uint draw = gl_LocalInvocationID.x;
                arguments[0] = 3;
                for (uint i = 0; i < 3; i++) {
                    arguments[4 + draw * 3 + i] = 1;
                }
            }
            """);

    private final HazardChecker checker = new HazardChecker();
    private final Deque<AutoCloseable> owned = new ArrayDeque<>();
    private VulkanDevice device;
    private FrameContext context;
    private GpuQueue queue;
    private Buffer positions;
    private Buffer corners;
    private Buffer indices;
    private Texture color;
    private Texture depth;
    private Buffer pixels;

    @TempDir
    private Path folder;

    private void open(@Nullable ProgramCache programs, Capability... more) {
        TaskGraph tasks = own(TaskGraph.builder().name("meshes").workers(1).build());
        device = own(VulkanDevices.open(
                "",
                new DeviceOptions(tasks, "meshes", true, checker, programs)
                        .require(Capability.MESH_SHADERS)
                        .require(more)));
        queue = device.queues().get(0);
        context = own(device.createFrameContext("frame"));
        positions = own(device.createBuffer(
                "positions", BufferDescription.upload(MESHLETS * VERTICES * 16, BufferUsage.STORAGE)));
        corners = own(device.createBuffer(
                "corners", BufferDescription.upload(MESHLETS * TRIANGLES * 3 * 16, BufferUsage.VERTEX)));
        indices = own(device.createBuffer(
                "indices", BufferDescription.upload(MESHLETS * TRIANGLES * 3 * 2, BufferUsage.INDEX)));
        scene();
        color = own(device.createTexture(
                "colour",
                TextureDescription.of(
                        SIZE, SIZE, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_SRC)));
        depth = own(device.createTexture(
                "depth", TextureDescription.of(SIZE, SIZE, Format.D32_SFLOAT, TextureUsage.DEPTH_ATTACHMENT)));
        pixels = own(device.createBuffer("pixels", BufferDescription.readback(SIZE * SIZE * 4)));
    }

    /** Meshlets that lie over each other, each in a depth of its own. */
    private void scene() {
        FloatBuffer shared = positions.mapped().asFloatBuffer();
        FloatBuffer apart = corners.mapped().asFloatBuffer();
        ShortBuffer all = indices.mapped().asShortBuffer();
        for (int meshlet = 0; meshlet < MESHLETS; meshlet++) {
            float[][] places = new float[VERTICES][];
            for (int i = 0; i < VERTICES; i++) {
                double angle = (i + meshlet * 0.3) * 2 * Math.PI / TRIANGLES;
                double radius = i == 0 ? 0 : 0.25;
                places[i] = new float[] {
                    (float) (centre(meshlet) + radius * Math.cos(angle)),
                    (float) ((meshlet / 8 - 2) * 0.35 + radius * Math.sin(angle)),
                    (meshlet * 7 % MESHLETS + 0.5f) / MESHLETS,
                    1
                };
                shared.put(places[i]);
            }
            for (int triangle = 0; triangle < TRIANGLES; triangle++) {
                apart.put(places[0]).put(places[1 + triangle]).put(places[1 + (triangle + 1) % TRIANGLES]);
                for (int i = 0; i < 3; i++) {
                    all.put((short) ((meshlet * TRIANGLES + triangle) * 3 + i));
                }
            }
        }
    }

    private static double centre(int meshlet) {
        return (meshlet % 8 - 3.5) * 0.24;
    }

    @AfterEach
    void close() throws Exception {
        while (!owned.isEmpty()) {
            owned.pop().close();
        }
        if (device != null) {
            assertThat(VulkanCapabilitiesTest.messages(device))
                    .filteredOn(text -> LAYER_DEFECTS.stream().noneMatch(text::contains))
                    .isEmpty();
            assertThat(checker.hazards()).isEmpty();
        }
    }

    private <T extends AutoCloseable> T own(T object) {
        owned.push(object);
        return object;
    }

    private static GraphicsPipelineDescription deep(GraphicsPipelineDescription description) {
        return description.withDepth(new DepthState(DepthCompare.LESS, true, 0, 0), Format.D32_SFLOAT);
    }

    private GraphicsPipeline ofMeshes(@Nullable ShaderSource task, ShaderSource mesh) {
        return own(device.createGraphicsPipeline(deep(
                GraphicsPipelineDescription.ofMeshes("meshlets", task, mesh, OF_PRIMITIVES, Format.R8G8B8A8_UNORM))));
    }

    private GraphicsPipeline ofVertices() {
        VertexBuffer buffer =
                new VertexBuffer(16, false, List.of(new VertexAttribute(0, Format.R32G32B32A32_SFLOAT, 0)));
        return own(device.createGraphicsPipeline(
                deep(GraphicsPipelineDescription.of("vertices", VERTEX, OF_VERTICES, Format.R8G8B8A8_UNORM))
                        .withVertexBuffers(buffer)));
    }

    private static ResourceUse use(Buffer buffer, Access access) {
        return new ResourceUse.OfBuffer(buffer, 0, buffer.description().bytes(), access, false);
    }

    private static ResourceUse use(Texture texture, Access access, boolean discard) {
        return new ResourceUse.OfTexture(
                texture, SubresourceRange.all(texture.description()), access, discard, access.layout());
    }

    private void run(Consumer<CommandList> recorder) {
        CommandList list = context.beginCommands(queue, "list");
        recorder.accept(list);
        list.end();
        TimelinePoint point = queue.submit(new Submission("work", List.of(list), List.of()));
        assertThat(queue.timeline().await(point.value(), ValidatedDevice.LONG)).isTrue();
    }

    /** Returns the pixels of a picture. */
    private int[] draw(Consumer<CommandList> before, Consumer<CommandList> drawing, ResourceUse... uses) {
        run(list -> {
            before.accept(list);
            list.barrier(transition(color, TextureLayout.UNDEFINED, TextureLayout.COLOR));
            list.barrier(transition(depth, TextureLayout.UNDEFINED, TextureLayout.DEPTH));
            ResourceUse[] all = Arrays.copyOf(uses, uses.length + 2);
            all[uses.length] = use(color, Access.COLOR_WRITE, true);
            all[uses.length + 1] = use(depth, Access.DEPTH_WRITE, true);
            list.beginPass("draw", List.of(all));
            list.beginRendering(new RenderingInfo(
                    SIZE,
                    SIZE,
                    List.of(new ColorAttachment(color.view(), LoadOp.CLEAR, StoreOp.STORE, new ClearColor(0, 0, 1, 1))),
                    new DepthAttachment(depth.view(), LoadOp.CLEAR, StoreOp.DONT_CARE, 1, false)));
            drawing.accept(list);
            list.endRendering();
            list.endPass();
            list.barrier(transition(color, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC));
            list.beginPass("copy", List.of(use(color, Access.COPY_SRC, false), use(pixels, Access.COPY_DST)));
            list.copyTextureToBuffer(color, 0, 0, pixels, 0);
            list.endPass();
            list.barrier(
                    memory(PipelineStage.COPY, MemoryAccess.COPY_WRITE, PipelineStage.HOST, MemoryAccess.HOST_READ));
        });
        return words(pixels);
    }

    /** Returns the picture of the vertex shader: of the meshlets that a condition lets through. */
    private int[] expected(double limit, int meshlets) {
        GraphicsPipeline pipeline = ofVertices();
        return draw(
                list -> {},
                list -> {
                    list.bindPipeline(pipeline);
                    list.bindVertexBuffer(0, corners, 0);
                    list.bindIndexBuffer(indices, 0, IndexType.UINT16);
                    for (int i = 0; i < meshlets; i++) {
                        if ((float) centre(i) < limit) {
                            list.drawIndexed(TRIANGLES * 3, 1, i * TRIANGLES * 3, 0, 0);
                        }
                    }
                },
                use(corners, Access.VERTEX),
                use(indices, Access.INDEX));
    }

    private void bind(CommandList list, GraphicsPipeline pipeline) {
        list.bindPipeline(pipeline);
        list.bindBuffer("Positions", positions, 0, positions.description().bytes());
        list.pushConstants(ByteBuffer.allocate(4).order(ByteOrder.nativeOrder()).putFloat(0, LIMIT));
    }

    private int[] drawMeshes(GraphicsPipeline pipeline, int groups) {
        return draw(
                list -> {},
                list -> {
                    bind(list, pipeline);
                    list.drawMeshTasks(groups, 1, 1);
                },
                use(positions, Access.STORAGE_READ_VERTEX));
    }

    private static void requireSame(int[] picture, int[] expected) {
        assertThat(picture).isEqualTo(expected);
        assertThat(Arrays.stream(picture).distinct().count()).as("colours").isGreaterThan(100);
    }

    @Test
    void meshletsLookAsVerticesDo() {
        ValidatedDevice.assumeDriver(Capability.MESH_SHADERS);
        open(null);
        int[] all = drawMeshes(ofMeshes(null, ALL), MESHLETS);
        requireSame(all, expected(2, MESHLETS));
        int[] culled = drawMeshes(ofMeshes(TASK, MESH), 3);
        requireSame(culled, expected(LIMIT, MESHLETS));
        assertThat(culled).isNotEqualTo(all);
    }

    @Test
    void linkedPipelinesDrawTheSame() {
        ValidatedDevice.assumeDriver(Capability.MESH_SHADERS, Capability.GRAPHICS_PIPELINE_LIBRARY);
        open(null, Capability.GRAPHICS_PIPELINE_LIBRARY);
        GraphicsPipeline meshes = ofMeshes(TASK, MESH);
        requireSame(drawMeshes(meshes, 3), expected(LIMIT, MESHLETS));
    }

    @Test
    void anotherStartHasThePipelineFromTheCache() throws Exception {
        ValidatedDevice.assumeDriver(Capability.MESH_SHADERS);
        int[] first = null;
        for (int start = 0; start < 2; start++) {
            try (TaskGraph tasks =
                            TaskGraph.builder().name("programs").workers(1).build();
                    ProgramCache programs = ProgramCache.open(ProgramCacheOptions.in(folder), tasks)) {
                open(programs);
                int[] picture = drawMeshes(ofMeshes(TASK, MESH), 3);
                first = first == null ? picture : first;
                requireSame(picture, first);
                close();
                programs.flush();
                assertThat(programs.statistics().lookups().builds())
                        .as("three shaders and their pipeline")
                        .isEqualTo(start == 0 ? 4 : 0);
            }
        }
    }

    @Test
    void argumentsAndTheirNumberComeFromAComputePass() {
        ValidatedDevice.assumeDriver(Capability.MESH_SHADERS);
        open(null);
        Buffer arguments = own(device.createBuffer(
                "arguments", BufferDescription.device(16 + DRAWS * 12, BufferUsage.STORAGE, BufferUsage.INDIRECT)));
        ComputePipeline writing =
                own(device.createComputePipeline(new ComputePipelineDescription("arguments", ARGUMENTS, null)));
        Consumer<CommandList> written = list -> {
            list.beginPass("arguments", List.of(use(arguments, Access.STORAGE_WRITE_COMPUTE)));
            list.bindPipeline(writing);
            list.bindBuffer("Arguments", arguments, 0, arguments.description().bytes());
            list.dispatch(1, 1, 1);
            list.endPass();
            list.barrier(memory(
                    PipelineStage.COMPUTE_SHADER,
                    MemoryAccess.STORAGE_WRITE,
                    PipelineStage.DRAW_INDIRECT,
                    MemoryAccess.INDIRECT_READ));
        };
        GraphicsPipeline pipeline = ofMeshes(TASK, MESH);
        ResourceUse[] uses = {use(positions, Access.STORAGE_READ_VERTEX), use(arguments, Access.INDIRECT)};
        int[] two = draw(
                written,
                list -> {
                    bind(list, pipeline);
                    list.drawMeshTasksIndirect(arguments, 16, 2, 12);
                },
                uses);
        requireSame(two, expected(LIMIT, 32));
        int[] counted = draw(
                list -> list.barrier(memory(
                        PipelineStage.DRAW_INDIRECT,
                        MemoryAccess.INDIRECT_READ,
                        PipelineStage.DRAW_INDIRECT,
                        MemoryAccess.INDIRECT_READ)),
                list -> {
                    bind(list, pipeline);
                    list.drawMeshTasksIndirectCount(arguments, 16, arguments, 0, DRAWS, 12);
                },
                uses);
        requireSame(counted, expected(LIMIT, MESHLETS));
        assertThat(counted).isNotEqualTo(two);
    }

    /** What the shaders of a mesh pipeline do not fit in is refused before the driver sees it. */
    @Test
    void shadersThatDoNotFitAreRefused() {
        ValidatedDevice.assumeDriver(Capability.MESH_SHADERS);
        open(null);
        assertThatThrownBy(() -> ofMeshes(null, MESH))
                .hasMessageContainingAll("'meshlets.mesh'", "a payload of 64 bytes", "no task shader");
    }
}
