package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.check.Hazard;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.AccelerationStructureBuild;
import io.frameloom.gpu.command.AccelerationStructureBuild.Input;
import io.frameloom.gpu.command.AccelerationStructureDescription;
import io.frameloom.gpu.command.AccelerationStructureDescription.Boxes;
import io.frameloom.gpu.command.AccelerationStructureDescription.Flag;
import io.frameloom.gpu.command.AccelerationStructureDescription.Instances;
import io.frameloom.gpu.command.AccelerationStructureDescription.Triangles;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.BarrierBatch.GlobalBarrier;
import io.frameloom.gpu.command.BarrierBatch.Scope;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.IndexType;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.QuerySet;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.Submission.Wait;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.resource.AccelerationStructure.CopyMode;
import io.frameloom.gpu.resource.AccelerationStructure.Level;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TopLevelInstances;
import io.frameloom.gpu.shader.ShaderCompiler;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.gpu.virtual.device.SimulatedDevice;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What builds and copies of acceleration structures refuse, and what their order is. */
@Timeout(60)
class AccelerationStructureContractTest {
    /** Shared by all devices: compiling takes longer than everything else. */
    private static final ShaderCompiler SHADERS = new ShaderCompiler();

    private static final Triangles TRIANGLE = new Triangles(Format.R32G32B32_SFLOAT, 12, 3, null, 1, true);
    private static final int SEEDS = 12;
    private static final AccelerationStructureDescription BOTTOM =
            AccelerationStructureDescription.of(TRIANGLE, Flag.UPDATABLE);
    private static final AccelerationStructureDescription TOP = AccelerationStructureDescription.of(1);
    private static final String TRACE = """
            #version 460
            #extension GL_EXT_ray_query : require
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
            layout(set = 0, binding = 1) buffer Hits { uint hits[]; };
            void main() {
                rayQueryEXT query;
                rayQueryInitializeEXT(query, scene, 0, 0xFF, vec3(0, 0, 1), 0.0, vec3(0, 0, -1), 2.0);
                hits[0] = rayQueryProceedEXT(query) ? 1 : 0;
            }
            """;

    private static void refused(String words, Runnable command) {
        assertThatThrownBy(command::run)
                .isInstanceOfAny(IllegalArgumentException.class, IllegalStateException.class)
                .hasMessageContaining(words);
    }

    @Test
    void descriptionsThatMakeNoSenseAreRefused() {
        refused(
                "cannot be R8G8B8A8_UNORM; take R32G32B32_SFLOAT",
                () -> new Triangles(Format.R8G8B8A8_UNORM, 4, 3, null, 1, true));
        refused(
                "a multiple of 4 of at least 12, got 3 vertices and stride 13",
                () -> new Triangles(Format.R32G32B32_SFLOAT, 13, 3, null, 1, true));
        refused(
                "2 triangles without indices take 6 vertices, got 3",
                () -> new Triangles(Format.R32G32B32_SFLOAT, 12, 3, null, 2, true));
        refused("a multiple of 8 of at least 24, got 28", () -> new Boxes(28, 1, true));
        refused("at least 0, got -1", () -> new Instances(-1));
        refused("at least one geometry", () -> new AccelerationStructureDescription(List.of(), Set.of()));
        refused(
                "triangles alone",
                () -> new AccelerationStructureDescription(List.of(TRIANGLE, new Boxes(24, 1, true)), Set.of()));
        refused(
                "one entry of instances",
                () -> new AccelerationStructureDescription(List.of(new Instances(1), new Instances(1)), Set.of()));
    }

    private static BarrierBatch global(Scope scope) {
        return new BarrierBatch(List.of(), List.of(), List.of(new GlobalBarrier(scope)));
    }

    @Test
    void withoutTheCapabilityThereAreNone() {
        try (CommandRig rig = new CommandRig(Backend.VIRTUAL)) {
            String off = "takes RAY_QUERIES or RAY_TRACING_PIPELINES, both off in device 'Frameloom virtual GPU'";
            refused(off, () -> rig.device.sizes(BOTTOM));
            refused(off, () -> rig.device.createAccelerationStructure("none", Level.TOP, 256));
            refused(
                    "has a binding of ACCELERATION_STRUCTURE, and the device was opened without; open it with"
                            + " DeviceOptions.require(Capability.RAY_QUERIES)",
                    () -> rig.compute("trace", TRACE, null));
            Buffer storage = rig.buffer("storage", 256, BufferUsage.STORAGE);
            ResourceUse traced =
                    new ResourceUse.OfBuffer(storage, 0, 256, Access.ACCELERATION_STRUCTURE_TRACE_COMPUTE, false);
            int build = PipelineStage.ACCELERATION_STRUCTURE_BUILD.bit();
            Scope beforeBuilds = new Scope(
                    PipelineStage.COMPUTE_SHADER.bit(),
                    MemoryAccess.STORAGE_WRITE.bit(),
                    build | PipelineStage.COPY.bit(),
                    MemoryAccess.STORAGE_READ.bit());
            Scope beforeAll = new Scope(
                    PipelineStage.COMPUTE_SHADER.bit(),
                    MemoryAccess.STORAGE_WRITE.bit(),
                    PipelineStage.mask(PipelineStage.values()),
                    MemoryAccess.STORAGE_READ.bit());
            rig.execute(list -> {
                refused(
                        "it was created for [STORAGE]; create it by GpuDevice.createAccelerationStructure",
                        () -> list.beginPass("trace", List.of(traced)));
                refused(
                        "comes before ACCELERATION_STRUCTURE_BUILD, and device 'Frameloom virtual GPU' has no"
                                + " acceleration structures; leave the stage out",
                        () -> list.barrier(global(beforeBuilds)));
                list.barrier(global(beforeAll));
            });
            assertThatThrownBy(() -> rig.device.createQuerySet("sizes", QueryKind.COMPACTED_BYTES, 1))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("has not the capability ACCELERATION_STRUCTURES on");
        }
    }

    @ParameterizedTest
    @EnumSource
    void commandsThatDoNotFitAreRefused(Backend backend) {
        try (CommandRig rig = new CommandRig(backend, null, Set.of(Capability.RAY_QUERIES))) {
            AccelerationStructure.Sizes sizes = rig.device.sizes(BOTTOM);
            AccelerationStructure bottom =
                    rig.own(rig.device.createAccelerationStructure("bottom", Level.BOTTOM, sizes.structureBytes()));
            AccelerationStructure other =
                    rig.own(rig.device.createAccelerationStructure("other", Level.BOTTOM, sizes.structureBytes()));
            AccelerationStructure small = rig.own(rig.device.createAccelerationStructure("small", Level.BOTTOM, 16));
            AccelerationStructure top = rig.own(rig.device.createAccelerationStructure(
                    "top", Level.TOP, rig.device.sizes(TOP).structureBytes()));
            Buffer vertices = rig.upload(new int[9], BufferUsage.STORAGE);
            Buffer vertexOnly = rig.upload(new int[9], BufferUsage.VERTEX);
            Buffer scratch = rig.buffer("scratch", sizes.buildScratchBytes() / 512 * 512 + 512, BufferUsage.STORAGE);
            QuerySet samples = rig.own(rig.device.createQuerySet("samples", QueryKind.ANY_SAMPLE, 1));
            QuerySet compacted = rig.own(rig.device.createQuerySet("compacted", QueryKind.COMPACTED_BYTES, 1));
            refused(
                    "create it by GpuDevice.createAccelerationStructure",
                    () -> rig.buffer("structure", 256, BufferUsage.ACCELERATION_STRUCTURE));
            refused("has 1 to ", () -> rig.device.createAccelerationStructure("none", Level.TOP, 0));
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            Input at = Input.at(vertices, 0);
            AccelerationStructureBuild build = new AccelerationStructureBuild(bottom, BOTTOM, at, scratch);
            refused(
                    "level TOP, and BOTTOM is needed",
                    () -> list.buildAccelerationStructure(new AccelerationStructureBuild(top, BOTTOM, at, scratch)));
            refused(
                    "'small' has 16 bytes, and ",
                    () -> list.buildAccelerationStructure(new AccelerationStructureBuild(small, BOTTOM, at, scratch)));
            refused(
                    "without usage STORAGE",
                    () -> list.buildAccelerationStructure(
                            new AccelerationStructureBuild(bottom, BOTTOM, Input.at(vertexOnly, 0), scratch)));
            refused(
                    "offset 2 in buffer 'upload' must be in multiples of 4",
                    () -> list.buildAccelerationStructure(
                            new AccelerationStructureBuild(bottom, BOTTOM, Input.at(vertices, 2), scratch)));
            refused(
                    "range 4+36 is not within buffer 'upload'",
                    () -> list.buildAccelerationStructure(
                            new AccelerationStructureBuild(bottom, BOTTOM, Input.at(vertices, 4), scratch)));
            refused(
                    "offset 1 in buffer 'scratch' must be in multiples of ",
                    () -> list.buildAccelerationStructure(
                            new AccelerationStructureBuild(bottom, BOTTOM, List.of(at), scratch, 1, null)));
            refused(
                    "is not within buffer 'scratch'",
                    () -> list.buildAccelerationStructure(new AccelerationStructureBuild(
                            bottom,
                            BOTTOM,
                            List.of(at),
                            scratch,
                            scratch.description().bytes(),
                            null)));
            refused(
                    "has an index buffer",
                    () -> list.buildAccelerationStructure(new AccelerationStructureBuild(
                            bottom, BOTTOM, Input.indexed(vertices, 0, vertices, 0), scratch)));
            refused(
                    "refers to bottom levels",
                    () -> list.buildAccelerationStructure(new AccelerationStructureBuild(
                            bottom, BOTTOM, Input.instances(vertices, 0, List.of(other)), scratch)));
            AccelerationStructureDescription indexed = AccelerationStructureDescription.of(
                    new Triangles(Format.R32G32B32_SFLOAT, 12, 3, IndexType.UINT32, 1, true));
            refused(
                    "has no index buffer",
                    () -> list.buildAccelerationStructure(
                            new AccelerationStructureBuild(bottom, indexed, at, scratch)));
            list.deserializeAccelerationStructure(scratch, 0, bottom);
            refused(
                    "'bottom' is updated, and was not built UPDATABLE",
                    () -> list.buildAccelerationStructure(build.updating(bottom)));
            list.buildAccelerationStructure(build);
            refused(
                    "is updated by another description",
                    () -> list.buildAccelerationStructure(new AccelerationStructureBuild(
                                    bottom, AccelerationStructureDescription.of(TRIANGLE), at, scratch)
                            .updating(bottom)));
            refused(
                    "'bottom' is copied to itself",
                    () -> list.copyAccelerationStructure(bottom, bottom, CopyMode.CLONE));
            refused("'small' has 16 bytes, and ", () -> list.copyAccelerationStructure(bottom, small, CopyMode.CLONE));
            refused(
                    "'bottom' was not built COMPACTABLE",
                    () -> list.copyAccelerationStructure(bottom, other, CopyMode.COMPACT));
            refused(
                    "'bottom' was not built COMPACTABLE",
                    () -> list.measureAccelerationStructure(bottom, compacted, 0));
            refused(
                    "counts ANY_SAMPLE; take one that counts COMPACTED_BYTES",
                    () -> list.measureAccelerationStructure(bottom, samples, 0));
            refused("counts COMPACTED_BYTES; take one that counts samples", () -> list.beginQuery(compacted, 0));
            refused("level TOP, and BOTTOM is needed", () -> list.serializeAccelerationStructure(top, scratch, 0));
            refused("must be in multiples of 256", () -> list.serializeAccelerationStructure(bottom, scratch, 128));
            refused("must be in multiples of 256", () -> list.deserializeAccelerationStructure(scratch, 128, bottom));
            long end = scratch.description().bytes();
            String beyond = " is not within buffer 'scratch' of " + end + " bytes";
            refused(end + "+1" + beyond, () -> list.serializeAccelerationStructure(bottom, scratch, end));
            refused(end + "+1" + beyond, () -> list.deserializeAccelerationStructure(scratch, end, bottom));
            refused((end + 256) + "+1" + beyond, () -> list.serializeAccelerationStructure(bottom, scratch, end + 256));
            ByteBuffer small64 = ByteBuffer.allocate(TopLevelInstances.BYTES).order(ByteOrder.nativeOrder());
            TopLevelInstances instances = new TopLevelInstances(small64);
            refused("it is a top level", () -> instances.add(top, new float[12], 0));
            refused("12 numbers, got 3", () -> instances.add(bottom, new float[3], 0));
            refused("custom index is 0 to 16777215, got 16777216", () -> instances.add(bottom, new float[12], 1 << 24));
            refused("flags is 0 to 15, got 16", () -> instances.add(bottom, new float[12], 0, 0, 0, 16));
            instances.add(bottom, new float[12], 0x123456, 0xAB, 0xFEDCBA, 5);
            assertThat(small64.getInt(48)).isEqualTo(0xAB123456);
            assertThat(small64.getInt(52)).isEqualTo(0x05FEDCBA);
            assertThat(small64.getLong(56)).isEqualTo(bottom.address());
            refused("takes 64 bytes, and 0 remain", () -> instances.add(bottom, new float[12], 0));
            other.close();
            small64.clear();
            refused("after it was closed", () -> instances.add(other, new float[12], 0));
            assertThat(small64.position()).isZero();
            refused(
                    "'other' used by command list 'list' is closed",
                    () -> list.copyAccelerationStructure(bottom, other, CopyMode.CLONE));
            list.end();
        }
    }

    /** A bottom level, a top level, and rays through it on the virtual GPU; a barrier between each may be left out. */
    private static final class Frame implements AutoCloseable {
        private final HazardChecker checker = new HazardChecker();
        private final TaskGraph tasks =
                TaskGraph.builder().name("frame").workers(1).build();
        private final GpuDevice device;
        private final List<AutoCloseable> open = new ArrayList<>();

        Frame(long seed) {
            this(1, seed);
        }

        Frame(int queues, long seed) {
            device = SimulatedDevice.open(
                    new VirtualGpuOptions(queues, seed),
                    new DeviceOptions(tasks, "frame", false, checker).require(Capability.RAY_QUERIES),
                    SHADERS);
        }

        private <T extends AutoCloseable> T own(T thing) {
            open.add(0, thing);
            return thing;
        }

        private AccelerationStructureBuild build(String name, AccelerationStructureDescription of, Input input) {
            AccelerationStructure.Sizes sizes = device.sizes(of);
            return new AccelerationStructureBuild(
                    own(device.createAccelerationStructure(name, of.level(), sizes.structureBytes())),
                    of,
                    input,
                    own(device.createBuffer(
                            "scratch of " + name,
                            BufferDescription.device(sizes.buildScratchBytes(), BufferUsage.STORAGE))));
        }

        private static ResourceUse use(Buffer buffer, Access access, boolean discard) {
            return new ResourceUse.OfBuffer(buffer, 0, buffer.description().bytes(), access, discard);
        }

        private static void pass(
                CommandList list, AccelerationStructureBuild build, List<AccelerationStructure> bottoms) {
            List<ResourceUse> uses = new ArrayList<>();
            uses.add(use(build.destination(), Access.ACCELERATION_STRUCTURE_BUILD_WRITE, true));
            uses.add(use(build.scratch(), Access.ACCELERATION_STRUCTURE_SCRATCH, true));
            bottoms.forEach(bottom -> uses.add(use(bottom, Access.ACCELERATION_STRUCTURE_BUILD_READ, false)));
            list.beginPass("build " + build.destination().name(), uses);
            list.buildAccelerationStructure(build);
            list.endPass();
        }

        private static BarrierBatch after(PipelineStage stage) {
            return global(new Scope(
                    PipelineStage.ACCELERATION_STRUCTURE_BUILD.bit(),
                    MemoryAccess.ACCELERATION_STRUCTURE_WRITE.bit(),
                    stage.bit(),
                    MemoryAccess.ACCELERATION_STRUCTURE_READ.bit()));
        }

        /** Returns what the rays leave. */
        int run(int missing) {
            return run(missing, BOTTOM, 0);
        }

        /** As with a bottom level of another description, and with another word behind its vertices. */
        int run(int missing, AccelerationStructureDescription description, int behind) {
            Buffer vertices = own(device.createBuffer("vertices", BufferDescription.upload(40, BufferUsage.STORAGE)));
            vertices.mapped().putInt(36, behind);
            AccelerationStructureBuild bottom = build("bottom", description, Input.at(vertices, 0));
            Buffer instances = own(device.createBuffer(
                    "instances", BufferDescription.upload(TopLevelInstances.BYTES, BufferUsage.STORAGE)));
            new TopLevelInstances(instances.mapped()).add(bottom.destination(), new float[12], 3);
            AccelerationStructureBuild top =
                    build("top", TOP, Input.instances(instances, 0, List.of(bottom.destination())));
            ComputePipeline pipeline = own(device.createComputePipeline(new ComputePipelineDescription(
                    "trace", new ShaderSource("trace.comp", ShaderStage.COMPUTE, TRACE), null)));
            Buffer hits = own(device.createBuffer(
                    "hits", BufferDescription.device(4, BufferUsage.STORAGE, BufferUsage.COPY_SRC)));
            Buffer host = own(device.createBuffer("host", BufferDescription.readback(4)));
            FrameContext context = own(device.createFrameContext("context"));
            CommandList list = context.beginCommands(device.queues().get(0), "list");
            pass(list, bottom, List.of());
            if (missing != 1) {
                list.barrier(after(PipelineStage.ACCELERATION_STRUCTURE_BUILD));
            }
            pass(list, top, List.of(bottom.destination()));
            if (missing != 2) {
                list.barrier(after(PipelineStage.COMPUTE_SHADER));
            }
            list.beginPass(
                    "trace",
                    List.of(
                            use(top.destination(), Access.ACCELERATION_STRUCTURE_TRACE_COMPUTE, false),
                            use(hits, Access.STORAGE_WRITE_COMPUTE, true)));
            list.bindPipeline(pipeline);
            list.bindAccelerationStructure("scene", top.destination());
            list.bindBuffer("Hits", hits, 0, 4);
            list.dispatch(1, 1, 1);
            list.endPass();
            CommandRig.full(list);
            list.beginPass("copy", List.of(use(hits, Access.COPY_SRC, false), use(host, Access.COPY_DST, true)));
            list.copyBuffer(hits, 0, host, 0, 4);
            list.endPass();
            CommandRig.full(list);
            list.end();
            long value = device.queues()
                    .get(0)
                    .submit(new Submission("frame", List.of(list), List.of()))
                    .value();
            assertThat(device.queues().get(0).timeline().await(value, Duration.ofSeconds(30)))
                    .isTrue();
            return CommandRig.words(host)[0];
        }

        private Wait submit(int queue, FrameContext context, List<Wait> waits, Consumer<CommandList> body) {
            CommandList list = context.beginCommands(device.queues().get(queue), "list");
            CommandRig.full(list);
            body.accept(list);
            CommandRig.full(list);
            list.end();
            return new Wait(
                    device.queues().get(queue).submit(new Submission("work", List.of(list), waits)),
                    PipelineStage.ALL_COMMANDS.bit());
        }

        /**
         * Builds a top level on the compute queue, traces rays through it on the graphics queue, and builds it of other
         * instances on the compute queue; returns what the rays leave.
         *
         * @param missing 1 if the rays do not wait for the build, 2 if the second build does not wait for the rays
         */
        int runOnTwoQueues(int missing) {
            Buffer instances = own(device.createBuffer(
                    "instances", BufferDescription.upload(2 * TopLevelInstances.BYTES, BufferUsage.STORAGE)));
            instances.mapped().putInt(TopLevelInstances.BYTES, 1);
            AccelerationStructureBuild first = build("top", TOP, Input.instances(instances, 0, List.of()));
            AccelerationStructureBuild second = new AccelerationStructureBuild(
                    first.destination(),
                    TOP,
                    Input.instances(instances, TopLevelInstances.BYTES, List.of()),
                    first.scratch());
            ComputePipeline pipeline = own(device.createComputePipeline(new ComputePipelineDescription(
                    "trace", new ShaderSource("trace.comp", ShaderStage.COMPUTE, TRACE), null)));
            Buffer hits = own(device.createBuffer(
                    "hits", BufferDescription.device(4, BufferUsage.STORAGE, BufferUsage.COPY_SRC)));
            Buffer host = own(device.createBuffer("host", BufferDescription.readback(4)));
            FrameContext context = own(device.createFrameContext("context"));
            Wait built = submit(1, context, List.of(), list -> pass(list, first, List.of()));
            Wait traced = submit(0, context, missing == 1 ? List.of() : List.of(built), list -> {
                list.beginPass(
                        "trace",
                        List.of(
                                use(first.destination(), Access.ACCELERATION_STRUCTURE_TRACE_COMPUTE, false),
                                use(hits, Access.STORAGE_WRITE_COMPUTE, true)));
                list.bindPipeline(pipeline);
                list.bindAccelerationStructure("scene", first.destination());
                list.bindBuffer("Hits", hits, 0, 4);
                list.dispatch(1, 1, 1);
                list.endPass();
            });
            Wait again = submit(
                    1, context, missing == 2 ? List.of() : List.of(traced), list -> pass(list, second, List.of()));
            Wait copied = submit(0, context, List.of(), list -> {
                list.beginPass("copy", List.of(use(hits, Access.COPY_SRC, false), use(host, Access.COPY_DST, true)));
                list.copyBuffer(hits, 0, host, 0, 4);
                list.endPass();
            });
            for (Wait wait : List.of(again, copied)) {
                assertThat(wait.point().queue().timeline().await(wait.point().value(), Duration.ofSeconds(30)))
                        .isTrue();
            }
            return CommandRig.words(host)[0];
        }

        @Override
        public void close() {
            try {
                for (AutoCloseable each : open) {
                    each.close();
                }
            } catch (Exception failure) {
                throw new IllegalStateException("cannot be closed", failure);
            }
            device.close();
            tasks.close();
        }
    }

    private static int leaves(AccelerationStructureDescription description, int behind) {
        try (Frame frame = new Frame(1)) {
            return frame.run(0, description, behind);
        }
    }

    @Test
    void whatABuildLeavesFollowsFromItsInputsAndItsDescription() {
        int left = leaves(BOTTOM, 0);
        assertThat(leaves(BOTTOM, 77)).isEqualTo(left);
        Triangles candidate = new Triangles(Format.R32G32B32_SFLOAT, 12, 3, null, 1, false);
        assertThat(List.of(
                        leaves(AccelerationStructureDescription.of(candidate, Flag.UPDATABLE), 0),
                        leaves(AccelerationStructureDescription.of(TRIANGLE), 0),
                        left))
                .doesNotHaveDuplicates();
    }

    /** Of two lists recorded, and never submitted. */
    @ParameterizedTest
    @EnumSource
    void aClosedBottomLevelIsNamedWhereverItsTopLevelIsUsed(Backend backend) {
        try (CommandRig rig = new CommandRig(backend, null, Set.of(Capability.RAY_QUERIES))) {
            AccelerationStructureDescription compactable = AccelerationStructureDescription.of(1, Flag.COMPACTABLE);
            AccelerationStructure.Sizes ofBottom = rig.device.sizes(BOTTOM);
            AccelerationStructure.Sizes ofTop = rig.device.sizes(compactable);
            AccelerationStructure bottom =
                    rig.own(rig.device.createAccelerationStructure("bottom", Level.BOTTOM, ofBottom.structureBytes()));
            AccelerationStructure top =
                    rig.own(rig.device.createAccelerationStructure("top", Level.TOP, ofTop.structureBytes()));
            AccelerationStructure copy =
                    rig.own(rig.device.createAccelerationStructure("copy", Level.TOP, ofTop.structureBytes()));
            Buffer input = rig.upload(new int[TopLevelInstances.BYTES / 4], BufferUsage.STORAGE);
            Buffer scratch = rig.buffer(
                    "scratch", Math.max(ofBottom.buildScratchBytes(), ofTop.buildScratchBytes()), BufferUsage.STORAGE);
            QuerySet compacted = rig.own(rig.device.createQuerySet("compacted", QueryKind.COMPACTED_BYTES, 2));
            ComputePipeline trace = rig.compute("trace", TRACE, invocation -> {});
            Buffer hits = rig.buffer("hits", 4, BufferUsage.STORAGE);
            CommandList list = rig.frame.beginCommands(rig.queue(), "list");
            list.buildAccelerationStructure(
                    new AccelerationStructureBuild(bottom, BOTTOM, Input.at(input, 0), scratch));
            CommandRig.full(list);
            list.buildAccelerationStructure(new AccelerationStructureBuild(
                    top, compactable, Input.instances(input, 0, List.of(bottom)), scratch));
            refused(
                    "measureAccelerationStructure in command list 'list': query set 'compacted' has 2",
                    () -> list.measureAccelerationStructure(top, compacted, 2));
            list.end();
            BindingSet set = rig.own(rig.device.createBindingSet(
                    "set",
                    trace,
                    0,
                    Map.of(
                            "scene",
                            new BoundResource.Structure(top),
                            "Hits",
                            new BoundResource.BufferRange(hits, 0, 4))));
            bottom.close();
            CommandList next = rig.frame.beginCommands(rig.queue(), "next");
            next.bindPipeline(trace);
            refused("has 'bottom', which is closed", () -> next.bindSet(set));
            String closed = "'top' refers to bottom level 'bottom', which is closed";
            refused(closed, () -> next.copyAccelerationStructure(top, copy, CopyMode.CLONE));
            refused(closed, () -> next.measureAccelerationStructure(top, compacted, 0));
            assertThatNullPointerException()
                    .isThrownBy(() -> next.bindAccelerationStructure("scene", none()))
                    .withMessage("structure must not be null");
            next.end();
        }
    }

    /** Hides from the compiler's checks that something is missing. */
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private static <T> T none() {
        @Nullable T nothing = null;
        return nothing;
    }

    @Test
    void aMissingWaitBetweenABuildAndATraceOfOtherQueuesIsFoundAndShows() {
        for (int missing = 0; missing <= 2; missing++) {
            Set<Integer> results = new TreeSet<>();
            for (int seed = 0; seed < SEEDS; seed++) {
                try (Frame frame = new Frame(2, seed)) {
                    results.add(frame.runOnTwoQueues(missing));
                    if (missing == 0) {
                        assertThat(frame.checker.hazards()).isEmpty();
                    } else {
                        assertThat(frame.checker.hazards())
                                .extracting(Hazard::resource)
                                .contains("top");
                    }
                }
            }
            assertThat(results.size() > 1).as("wait %d is missing", missing).isEqualTo(missing > 0);
        }
    }

    @Test
    void aMissingBarrierIsFoundAndShows() {
        for (int missing = 0; missing <= 2; missing++) {
            Set<Integer> results = new TreeSet<>();
            for (int seed = 0; seed < SEEDS; seed++) {
                try (Frame frame = new Frame(seed)) {
                    results.add(frame.run(missing));
                    List<String> found = frame.checker.hazards().stream()
                            .map(Hazard::toString)
                            .toList();
                    // Rays go through it, too, and it is built in this frame.
                    assertThat(frame.checker.undeclared())
                            .extracting(Hazard::resource, Hazard::secondPass)
                            .containsExactly(tuple("bottom", "trace"));
                    if (missing == 0) {
                        assertThat(found).isEmpty();
                    } else {
                        assertThat(found).isNotEmpty();
                        assertThat(found.get(0)).contains(missing == 1 ? "'bottom'" : "'top'");
                    }
                }
            }
            assertThat(results.size() > 1).as("barrier %d is missing", missing).isEqualTo(missing > 0);
        }
    }
}
