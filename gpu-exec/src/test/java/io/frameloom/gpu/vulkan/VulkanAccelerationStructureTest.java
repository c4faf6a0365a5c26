package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.command.Access.ACCELERATION_STRUCTURE_BUILD_READ;
import static io.frameloom.gpu.command.Access.ACCELERATION_STRUCTURE_BUILD_READ_WRITE;
import static io.frameloom.gpu.command.Access.ACCELERATION_STRUCTURE_BUILD_WRITE;
import static io.frameloom.gpu.command.Access.ACCELERATION_STRUCTURE_INPUT;
import static io.frameloom.gpu.command.Access.ACCELERATION_STRUCTURE_OUTPUT;
import static io.frameloom.gpu.command.Access.ACCELERATION_STRUCTURE_SCRATCH;
import static io.frameloom.gpu.command.Access.ACCELERATION_STRUCTURE_TRACE_COMPUTE;
import static io.frameloom.gpu.command.Access.ACCELERATION_STRUCTURE_TRACE_GRAPHICS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.AccelerationStructureBuild;
import io.frameloom.gpu.command.AccelerationStructureBuild.Input;
import io.frameloom.gpu.command.AccelerationStructureDescription;
import io.frameloom.gpu.command.AccelerationStructureDescription.Boxes;
import io.frameloom.gpu.command.AccelerationStructureDescription.Flag;
import io.frameloom.gpu.command.AccelerationStructureDescription.Triangles;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.BarrierBatch.GlobalBarrier;
import io.frameloom.gpu.command.BarrierBatch.Scope;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.IndexType;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.QuerySet;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.resource.AccelerationStructure.CopyMode;
import io.frameloom.gpu.resource.AccelerationStructure.Level;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.resource.TopLevelInstances;
import io.frameloom.taskgraph.TaskGraph;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Acceleration structures under validation: what rays hit in them, against a search through all triangles and boxes. */
@Timeout(100)
class VulkanAccelerationStructureTest {
    private static final int SIDE = 16;
    private static final float BOX = 0.6f;

    /** The hit of the pixel's ray: custom index, primitive and distance, or 0. */
    private static final String TRACE = """
            uint trace(uvec2 pixel) {
                vec3 origin = vec3((vec2(pixel) + 0.5) / 16.0 * 4.0 - 2.0, 5.0);
                rayQueryEXT query;
                rayQueryInitializeEXT(query, scene, gl_RayFlagsNoneEXT, 0xFF, origin, 0.0, vec3(0, 0, -1), 20.0);
                while (rayQueryProceedEXT(query)) {
                    if (rayQueryGetIntersectionTypeEXT(query, false) == gl_RayQueryCandidateIntersectionAABBEXT) {
                        vec3 from = rayQueryGetIntersectionObjectRayOriginEXT(query, false);
                        if (max(abs(from.x), abs(from.y)) < 0.6) {
                            rayQueryGenerateIntersectionEXT(query, from.z - 0.6);
                        }
                    }
                }
                if (rayQueryGetIntersectionTypeEXT(query, true) == gl_RayQueryCommittedIntersectionNoneEXT) {
                    return 0;
                }
                uint distance = uint(rayQueryGetIntersectionTEXT(query, true) * 16.0 + 0.5);
                return rayQueryGetIntersectionInstanceCustomIndexEXT(query, true) + 1
                        | rayQueryGetIntersectionPrimitiveIndexEXT(query, true) << 8 | distance << 16;
            }
            """;

    private static final String HEAD = "#version 460\n#extension GL_EXT_ray_query : require\n";
    private static final String SCENE = "layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;\n";

    private static final ShaderSource COMPUTE =
            new ShaderSource("trace.comp", ShaderStage.COMPUTE, HEAD + SCENE + """
            layout(local_size_x = 8, local_size_y = 8) in;
            layout(set = 0, binding = 1, std430) writeonly buffer Hits { uint hits[]; };
            """ + TRACE + """
            void main() {
                hits[gl_GlobalInvocationID.y * 16 + gl_GlobalInvocationID.x] = trace(gl_GlobalInvocationID.xy);
            }
            """);

    /** Two triangles of a square that lies aslant, so that no ray meets an edge. */
    private static final float[] SQUARE = {-0.7f, -0.6f, 0, 0.65f, -0.55f, 0, 0.7f, 0.6f, 0.25f, -0.6f, 0.65f, 0.25f};

    private static final Triangles TRIANGLES = new Triangles(Format.R32G32B32_SFLOAT, 12, 4, IndexType.UINT16, 2, true);
    private static final short[] INDICES = {0, 1, 2, 0, 2, 3};

    private final HazardChecker checker = new HazardChecker();
    private final Deque<AutoCloseable> owned = new ArrayDeque<>();
    private TaskGraph tasks;
    private VulkanDevice device;
    private FrameContext context;
    private GpuQueue queue;
    private Buffer vertices;
    private Buffer indices;
    private Buffer boxes;
    private ComputePipeline tracing;

    @BeforeEach
    void open() {
        ValidatedDevice.assumeDriver(Capability.RAY_QUERIES);
        tasks = own(TaskGraph.builder().name("rays").workers(1).build());
        device = own(VulkanDevices.open(
                "",
                new DeviceOptions(tasks, "rays", true, checker)
                        .require(Capability.RAY_QUERIES)
                        .prefer(Capability.EXTERNAL_MEMORY_FD)));
        queue = device.queues().get(0);
        context = own(device.createFrameContext("frame"));
        tracing = own(device.createComputePipeline(new ComputePipelineDescription("trace", COMPUTE, null)));
        vertices = upload("vertices", SQUARE.length * 4);
        vertices.mapped().asFloatBuffer().put(SQUARE);
        indices = upload("indices", INDICES.length * 2);
        indices.mapped().asShortBuffer().put(INDICES);
        boxes = upload("boxes", 24);
        boxes.mapped().asFloatBuffer().put(new float[] {-BOX, -BOX, -BOX, BOX, BOX, BOX});
    }

    @AfterEach
    void close() throws Exception {
        while (!owned.isEmpty()) {
            owned.pop().close();
        }
        if (device != null) {
            assertThat(VulkanCapabilitiesTest.messages(device)).isEmpty();
            assertThat(checker.hazards()).isEmpty();
        }
    }

    private <T extends AutoCloseable> T own(T object) {
        owned.push(object);
        return object;
    }

    private Buffer upload(String name, long bytes) {
        return own(device.createBuffer(name, BufferDescription.upload(bytes, BufferUsage.STORAGE)));
    }

    private AccelerationStructure structure(String name, AccelerationStructureDescription description) {
        return own(device.createAccelerationStructure(
                name, description.level(), device.sizes(description).structureBytes()));
    }

    private Buffer scratch(AccelerationStructureDescription description) {
        AccelerationStructure.Sizes sizes = device.sizes(description);
        return own(device.createBuffer(
                "scratch",
                BufferDescription.device(
                        Math.max(sizes.buildScratchBytes(), sizes.updateScratchBytes()), BufferUsage.STORAGE)));
    }

    private static ResourceUse use(Buffer buffer, Access access) {
        boolean discard = access == ACCELERATION_STRUCTURE_SCRATCH || access == ACCELERATION_STRUCTURE_BUILD_WRITE;
        return new ResourceUse.OfBuffer(buffer, 0, buffer.description().bytes(), access, discard);
    }

    private static void pass(CommandList list, String name, Consumer<CommandList> body, ResourceUse... uses) {
        list.beginPass(name, List.of(uses));
        body.accept(list);
        list.endPass();
    }

    private static BarrierBatch barrier(int from, int written, int to, int read) {
        return new BarrierBatch(List.of(), List.of(), List.of(new GlobalBarrier(new Scope(from, written, to, read))));
    }

    /** From builds to builds and shaders, and the other way. */
    private static BarrierBatch built() {
        int stages = PipelineStage.mask(
                PipelineStage.ACCELERATION_STRUCTURE_BUILD,
                PipelineStage.COMPUTE_SHADER,
                PipelineStage.FRAGMENT_SHADER,
                PipelineStage.VERTEX_SHADER);
        int write = MemoryAccess.ACCELERATION_STRUCTURE_WRITE.bit();
        return barrier(
                stages,
                write,
                stages,
                write | MemoryAccess.ACCELERATION_STRUCTURE_READ.bit() | MemoryAccess.STORAGE_READ.bit());
    }

    private void run(Consumer<CommandList> recorder) {
        CommandList list = context.beginCommands(queue, "list");
        recorder.accept(list);
        list.end();
        TimelinePoint point = queue.submit(new Submission("work", List.of(list), List.of()));
        assertThat(queue.timeline().await(point.value(), ValidatedDevice.LONG)).isTrue();
    }

    /** Builds both bottom levels in one pass. */
    private void buildBottoms(AccelerationStructureBuild triangles, AccelerationStructureBuild ofBoxes) {
        run(list -> {
            list.barrier(built());
            pass(
                    list,
                    "bottoms",
                    l -> {
                        l.buildAccelerationStructure(triangles);
                        l.buildAccelerationStructure(ofBoxes);
                    },
                    use(triangles.destination(), ACCELERATION_STRUCTURE_BUILD_WRITE),
                    use(triangles.scratch(), ACCELERATION_STRUCTURE_SCRATCH),
                    use(ofBoxes.destination(), ACCELERATION_STRUCTURE_BUILD_WRITE),
                    use(ofBoxes.scratch(), ACCELERATION_STRUCTURE_SCRATCH));
        });
    }

    private static float[] moved(float x, float y, float z) {
        return new float[] {1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z};
    }

    private static final float[][] PLACES = {
        moved(-0.8f, -0.7f, 0.5f), moved(0.75f, 0.7f, -1), moved(0.3f, -0.4f, -0.5f)
    };

    private AccelerationStructure top(AccelerationStructure triangles, AccelerationStructure ofBoxes) {
        AccelerationStructureDescription description = AccelerationStructureDescription.of(3, Flag.UPDATABLE);
        Buffer instances = upload("instances", 3 * TopLevelInstances.BYTES);
        new TopLevelInstances(instances.mapped())
                .add(triangles, PLACES[0], 7, 0xFF, 0, TopLevelInstances.NO_CULLING)
                .add(ofBoxes, PLACES[1], 9)
                .add(triangles, PLACES[2], 11);
        AccelerationStructure top = structure("top", description);
        AccelerationStructureBuild build = new AccelerationStructureBuild(
                top, description, Input.instances(instances, 0, List.of(triangles, ofBoxes)), scratch(description));
        run(list -> {
            list.barrier(built());
            pass(
                    list,
                    "top",
                    l -> l.buildAccelerationStructure(build),
                    use(top, ACCELERATION_STRUCTURE_BUILD_WRITE),
                    use(triangles, ACCELERATION_STRUCTURE_BUILD_READ),
                    use(ofBoxes, ACCELERATION_STRUCTURE_BUILD_READ),
                    use(build.scratch(), ACCELERATION_STRUCTURE_SCRATCH));
        });
        return top;
    }

    private int[] trace(AccelerationStructure top) {
        Buffer hits = own(device.createBuffer(
                "hits", BufferDescription.device(SIDE * SIDE * 4, BufferUsage.STORAGE, BufferUsage.COPY_SRC)));
        Buffer host = own(device.createBuffer("host", BufferDescription.readback(SIDE * SIDE * 4)));
        run(list -> {
            list.barrier(built());
            pass(
                    list,
                    "trace",
                    l -> {
                        l.bindPipeline(tracing);
                        l.bindAccelerationStructure("scene", top);
                        l.bindBuffer("Hits", hits, 0, SIDE * SIDE * 4);
                        l.dispatch(SIDE / 8, SIDE / 8, 1);
                    },
                    use(top, ACCELERATION_STRUCTURE_TRACE_COMPUTE),
                    use(hits, Access.STORAGE_WRITE_COMPUTE));
            copy(list, hits, host);
        });
        return ValidatedDevice.words(host);
    }

    private static void copy(CommandList list, Buffer hits, Buffer host) {
        list.barrier(ValidatedDevice.memory(
                PipelineStage.COMPUTE_SHADER, MemoryAccess.STORAGE_WRITE, PipelineStage.COPY, MemoryAccess.COPY_READ));
        pass(
                list,
                "copy",
                l -> l.copyBuffer(hits, 0, host, 0, SIDE * SIDE * 4),
                use(hits, Access.COPY_SRC),
                use(host, Access.COPY_DST));
        list.barrier(ValidatedDevice.memory(
                PipelineStage.COPY, MemoryAccess.COPY_WRITE, PipelineStage.HOST, MemoryAccess.HOST_READ));
    }

    /** Looks at all triangles and boxes for each pixel. */
    private static int[] expected(float[] square) {
        int[] hits = new int[SIDE * SIDE];
        for (int pixel = 0; pixel < hits.length; pixel++) {
            double x = (pixel % SIDE + 0.5) / SIDE * 4 - 2;
            double y = (pixel / SIDE + 0.5) / SIDE * 4 - 2;
            double nearest = Double.MAX_VALUE;
            for (int instance = 0; instance < PLACES.length; instance++) {
                double fromX = x - PLACES[instance][3];
                double fromY = y - PLACES[instance][7];
                double fromZ = 5 - PLACES[instance][11];
                for (int primitive = 0; primitive < (instance == 1 ? 1 : 2); primitive++) {
                    double distance = instance == 1
                            ? Math.max(Math.abs(fromX), Math.abs(fromY)) < BOX ? fromZ - BOX : Double.MAX_VALUE
                            : triangle(square, primitive, fromX, fromY, fromZ);
                    if (distance < nearest) {
                        nearest = distance;
                        hits[pixel] = 7 + 2 * instance + 1 | primitive << 8 | (int) (distance * 16 + 0.5) << 16;
                    }
                }
            }
        }
        return hits;
    }

    private static double triangle(float[] square, int primitive, double x, double y, double z) {
        int a = 3 * INDICES[3 * primitive];
        int b = 3 * INDICES[3 * primitive + 1];
        int c = 3 * INDICES[3 * primitive + 2];
        double whole = cross(
                square[b] - square[a],
                square[b + 1] - square[a + 1],
                square[c] - square[a],
                square[c + 1] - square[a + 1]);
        double u =
                cross(x - square[a], y - square[a + 1], square[c] - square[a], square[c + 1] - square[a + 1]) / whole;
        double v =
                cross(square[b] - square[a], square[b + 1] - square[a + 1], x - square[a], y - square[a + 1]) / whole;
        boolean hit = u >= 0 && v >= 0 && u + v <= 1;
        return hit
                ? z - (square[a + 2] + u * (square[b + 2] - square[a + 2]) + v * (square[c + 2] - square[a + 2]))
                : Double.MAX_VALUE;
    }

    private static double cross(double ax, double ay, double bx, double by) {
        return ax * by - ay * bx;
    }

    /** The square, and the build of it. */
    private AccelerationStructureBuild ofSquare(Flag... flags) {
        AccelerationStructureDescription description = AccelerationStructureDescription.of(TRIANGLES, flags);
        return new AccelerationStructureBuild(
                structure("square", description),
                description,
                Input.indexed(vertices, 0, indices, 0),
                scratch(description));
    }

    private AccelerationStructureBuild ofBox() {
        AccelerationStructureDescription description = AccelerationStructureDescription.of(new Boxes(24, 1, false));
        return new AccelerationStructureBuild(
                structure("box", description), description, Input.at(boxes, 0), scratch(description));
    }

    @Test
    void raysHitWhatASearchHits() {
        AccelerationStructureBuild square = ofSquare();
        AccelerationStructureBuild box = ofBox();
        buildBottoms(square, box);
        AccelerationStructure top = top(square.destination(), box.destination());
        int[] expected = expected(SQUARE);
        assertThat(Arrays.stream(expected).map(hit -> hit & 0xFF).distinct()).contains(0, 8, 10, 12);
        assertThat(trace(top)).containsExactly(expected);
        assertThat(drawn(top)).containsExactly(expected);
    }

    private int[] drawn(AccelerationStructure top) {
        GraphicsPipeline pipeline = own(device.createGraphicsPipeline(new GraphicsPipelineDescription(
                "rays",
                new ShaderSource("all.vert", ShaderStage.VERTEX, """
                        #version 460
                        void main() {
                            gl_Position = vec4(gl_VertexIndex == 1 ? 3 : -1, gl_VertexIndex == 2 ? 3 : -1, 0, 1);
                        }
                        """),
                new ShaderSource(
                        "rays.frag",
                        ShaderStage.FRAGMENT,
                        HEAD + SCENE + """
                        layout(location = 0) out uint hit;
                        """ + TRACE + "void main() { hit = trace(uvec2(gl_FragCoord.xy)); }\n"),
                List.of(),
                GraphicsPipelineDescription.CullMode.NONE,
                null,
                GraphicsPipelineDescription.Blend.NONE,
                List.of(Format.R32_UINT),
                null)));
        BindingSet set =
                own(device.createBindingSet("scene", pipeline, 0, Map.of("scene", new BoundResource.Structure(top))));
        Texture target = own(device.createTexture(
                "target",
                TextureDescription.of(
                        SIDE, SIDE, Format.R32_UINT, TextureUsage.COLOR_ATTACHMENT, TextureUsage.COPY_SRC)));
        Buffer host = own(device.createBuffer("host", BufferDescription.readback(SIDE * SIDE * 4)));
        run(list -> {
            list.barrier(built());
            list.barrier(ValidatedDevice.transition(target, TextureLayout.UNDEFINED, TextureLayout.COLOR));
            list.beginPass(
                    "draw",
                    List.of(
                            use(top, ACCELERATION_STRUCTURE_TRACE_GRAPHICS),
                            new ResourceUse.OfTexture(
                                    target,
                                    SubresourceRange.all(target.description()),
                                    Access.COLOR_WRITE,
                                    true,
                                    TextureLayout.COLOR)));
            list.beginRendering(new RenderingInfo(
                    SIDE,
                    SIDE,
                    List.of(new RenderingInfo.ColorAttachment(
                            target.view(), LoadOp.CLEAR, StoreOp.STORE, RenderingInfo.ClearColor.BLACK_TRANSPARENT)),
                    null));
            list.bindPipeline(pipeline);
            list.bindSet(set);
            list.draw(3, 1, 0, 0);
            list.endRendering();
            list.endPass();
            list.barrier(ValidatedDevice.transition(target, TextureLayout.COLOR, TextureLayout.TRANSFER_SRC));
            list.copyTextureToBuffer(target, 0, 0, host, 0);
            list.barrier(ValidatedDevice.memory(
                    PipelineStage.COPY, MemoryAccess.COPY_WRITE, PipelineStage.HOST, MemoryAccess.HOST_READ));
        });
        return ValidatedDevice.words(host);
    }

    @Test
    void anUpdateMovesTriangles() {
        AccelerationStructureBuild square = ofSquare(Flag.UPDATABLE);
        AccelerationStructureBuild box = ofBox();
        buildBottoms(square, box);
        float[] smaller = SQUARE.clone();
        for (int i = 0; i < smaller.length; i++) {
            smaller[i] *= 0.55f;
        }
        vertices.mapped().asFloatBuffer().put(smaller);
        run(list -> {
            list.barrier(built());
            pass(
                    list,
                    "update",
                    l -> l.buildAccelerationStructure(square.updating(square.destination())),
                    use(square.destination(), ACCELERATION_STRUCTURE_BUILD_READ_WRITE),
                    use(square.scratch(), ACCELERATION_STRUCTURE_SCRATCH));
        });
        int[] expected = expected(smaller);
        assertThat(expected).isNotEqualTo(expected(SQUARE));
        assertThat(trace(top(square.destination(), box.destination()))).containsExactly(expected);
    }

    @Test
    void copiesAreHitAsTheirSources() {
        AccelerationStructureBuild square = ofSquare(Flag.COMPACTABLE);
        AccelerationStructureBuild box = ofBox();
        buildBottoms(square, box);
        AccelerationStructure source = square.destination();
        QuerySet compacted = own(device.createQuerySet("compacted", QueryKind.COMPACTED_BYTES, 1));
        QuerySet serialized = own(device.createQuerySet("serialized", QueryKind.SERIALIZED_BYTES, 2));
        run(list -> {
            list.barrier(built());
            pass(
                    list,
                    "measure",
                    l -> {
                        l.measureAccelerationStructure(source, compacted, 0);
                        l.measureAccelerationStructure(source, serialized, 1);
                    },
                    use(source, ACCELERATION_STRUCTURE_BUILD_READ));
        });
        long bytes = compacted.read().bytes(0);
        assertThat(bytes).isBetween(1L, source.description().bytes());
        assertThat(serialized.read().isCounted(0)).isFalse();
        long serializedBytes = serialized.read().bytes(1);
        AccelerationStructure compact = own(device.createAccelerationStructure("compact", Level.BOTTOM, bytes));
        AccelerationStructure clone = own(device.createAccelerationStructure(
                "clone", Level.BOTTOM, source.description().bytes()));
        AccelerationStructure back = own(device.createAccelerationStructure(
                "back", Level.BOTTOM, source.description().bytes()));
        Buffer memory = own(device.createBuffer(
                "memory", BufferDescription.device(256 + serializedBytes, BufferUsage.STORAGE, BufferUsage.COPY_SRC)));
        Buffer header = own(device.createBuffer("header", BufferDescription.readback(32)));
        run(list -> {
            list.barrier(built());
            pass(
                    list,
                    "copies",
                    l -> {
                        l.copyAccelerationStructure(source, compact, CopyMode.COMPACT);
                        l.copyAccelerationStructure(source, clone, CopyMode.CLONE);
                        l.serializeAccelerationStructure(source, memory, 256);
                    },
                    use(source, ACCELERATION_STRUCTURE_BUILD_READ),
                    use(compact, ACCELERATION_STRUCTURE_BUILD_WRITE),
                    use(clone, ACCELERATION_STRUCTURE_BUILD_WRITE),
                    use(memory, ACCELERATION_STRUCTURE_OUTPUT));
            list.barrier(built());
            pass(
                    list,
                    "back",
                    l -> l.deserializeAccelerationStructure(memory, 256, back),
                    use(memory, ACCELERATION_STRUCTURE_INPUT),
                    use(back, ACCELERATION_STRUCTURE_BUILD_WRITE));
            list.barrier(barrier(
                    PipelineStage.ACCELERATION_STRUCTURE_BUILD.bit(),
                    MemoryAccess.ACCELERATION_STRUCTURE_WRITE.bit(),
                    PipelineStage.COPY.bit(),
                    MemoryAccess.COPY_READ.bit()));
            pass(
                    list,
                    "header",
                    l -> l.copyBuffer(memory, 256, header, 0, 32),
                    use(memory, Access.COPY_SRC),
                    use(header, Access.COPY_DST));
            list.barrier(ValidatedDevice.memory(
                    PipelineStage.COPY, MemoryAccess.COPY_WRITE, PipelineStage.HOST, MemoryAccess.HOST_READ));
        });
        assertThat(device.canDeserialize(header.mapped())).isTrue();
        header.mapped().put(3, (byte) ~header.mapped().get(3));
        assertThat(device.canDeserialize(header.mapped())).isFalse();
        int[] expected = expected(SQUARE);
        for (AccelerationStructure copy : List.of(compact, clone, back)) {
            assertThat(trace(top(copy, box.destination()))).as(copy.name()).containsExactly(expected);
        }
    }

    /** Builds read memory by its address, which shared memory has not. */
    @Test
    void aBuildOfSharedMemoryIsRefusedAndLeavesTheStructureAsItWas() {
        assumeTrue(device.capabilities().has(Capability.EXTERNAL_MEMORY_FD), "no EXTERNAL_MEMORY_FD");
        AccelerationStructureBuild build = ofSquare();
        buildBottoms(build, ofBox());
        AccelerationStructureDescription updatable = AccelerationStructureDescription.of(TRIANGLES, Flag.UPDATABLE);
        Buffer shared = own(
                device.createSharedBuffer("shared", BufferDescription.device(SQUARE.length * 4, BufferUsage.STORAGE)));
        AccelerationStructureBuild ofShared = new AccelerationStructureBuild(
                build.destination(), updatable, Input.indexed(shared, 0, indices, 0), scratch(updatable));
        CommandList list = context.beginCommands(queue, "list");
        assertThatThrownBy(() -> list.buildAccelerationStructure(ofShared))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'shared'");
        assertThatThrownBy(() -> list.buildAccelerationStructure(ofShared.updating(build.destination())))
                .hasMessageContaining("was not built UPDATABLE");
        list.end();
    }

    @Test
    void aTopLevelWhoseBottomIsClosedIsRefused() {
        AccelerationStructureBuild square = ofSquare();
        AccelerationStructureBuild box = ofBox();
        buildBottoms(square, box);
        AccelerationStructure top = top(square.destination(), box.destination());
        Buffer hits = own(device.createBuffer("hits", BufferDescription.device(SIDE * SIDE * 4, BufferUsage.STORAGE)));
        CommandList list = context.beginCommands(queue, "list");
        list.beginPass(
                "trace",
                List.of(use(top, ACCELERATION_STRUCTURE_TRACE_COMPUTE), use(hits, Access.STORAGE_WRITE_COMPUTE)));
        list.bindPipeline(tracing);
        list.bindAccelerationStructure("scene", top);
        list.bindBuffer("Hits", hits, 0, SIDE * SIDE * 4);
        list.dispatch(1, 1, 1);
        box.destination().close();
        assertThatThrownBy(() -> list.dispatch(1, 1, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'box'")
                .hasMessageContaining("'top'");
        list.endPass();
        assertThatThrownBy(list::end)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("names 'box' in buffer 'top'");
        CommandList next = context.beginCommands(queue, "next");
        next.bindPipeline(tracing);
        assertThatThrownBy(() -> next.bindAccelerationStructure("scene", top))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("acceleration structure 'top' bound to 'scene' of pipeline 'trace' refers to bottom level"
                        + " 'box', which is closed; build it anew without that");
        next.end();
    }
}
