package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.check.UnneededSync;
import io.frameloom.gpu.command.AccelerationStructureBuild;
import io.frameloom.gpu.command.AccelerationStructureBuild.Input;
import io.frameloom.gpu.command.AccelerationStructureDescription;
import io.frameloom.gpu.command.AccelerationStructureDescription.Triangles;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.rdg.AsyncCompute;
import io.frameloom.rdg.AsyncGains;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.VirtualDevices;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Structures that are rebuilt for the next frame beside graphics, on the virtual GPU and by its clocks. */
@Timeout(60)
class AsyncRaysTest {
    private static final BufferDescription DATA =
            BufferDescription.device(MixKernel.BYTES, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);
    private static final int TRIANGLES = 10_000;
    private static final AccelerationStructureDescription SHAPE = AccelerationStructureDescription.of(
            new Triangles(Format.R32G32B32_SFLOAT, 12, 3 * TRIANGLES, null, TRIANGLES, true));
    private static final long VERTEX_BYTES = 36L * TRIANGLES;
    private static final int GROUPS = 10_000;
    private static final int COST_PERCENT = 100_000;
    /** What a rebuild takes by that: its bytes at 20 a nanosecond. */
    private static final long BUILD_NANOS = 32_000_000;

    private static final int LONG_ENOUGH = 120;

    /** Each frame traces rays through the structure that the frame before has built, of several that take turns. */
    private static final class Rig implements AutoCloseable {
        final HazardChecker checker;
        final TaskGraph tasks = TaskGraph.builder().name("rig").workers(2).build();
        final VirtualDevice device;
        final FrameExecutor executor;
        final RenderGraphCompiler compiler;
        private final ComputePipeline mix;
        private final Buffer vertices;
        private final Buffer out;
        private final List<AccelerationStructure> structures = new ArrayList<>();
        private int frames;

        Rig(int structureCount, UnneededSync.Search search, AsyncCompute async) {
            tasks.start(NamedThread.RHI);
            checker = new HazardChecker(search);
            device = VirtualDevices.open(
                    new VirtualGpuOptions(2, 1)
                            .withOrder(VirtualGpuOptions.Order.IN_ORDER)
                            .withCostPercent(COST_PERCENT),
                    new DeviceOptions(tasks, "rays", false, checker).require(Capability.RAY_QUERIES));
            executor = new FrameExecutor(device, tasks);
            compiler = new RenderGraphCompiler(RdgOptions.defaults().withAsync(async));
            mix = MixKernel.create(device);
            vertices = device.createBuffer(
                    "vertices", BufferDescription.device(VERTEX_BYTES, BufferUsage.STORAGE, BufferUsage.COPY_DST));
            out = device.createBuffer("out", DATA);
            for (int i = 0; i < structureCount; i++) {
                structures.add(device.createAccelerationStructure(
                        "structure " + i, SHAPE.level(), device.sizes(SHAPE).structureBytes()));
            }
        }

        private AccelerationStructure structure(int frame) {
            return structures.get(frame % structures.size());
        }

        private void build(RenderGraph graph, String name, RdgBuffer from, AccelerationStructure structure) {
            RdgBuffer scratch = graph.createBuffer(
                    "scratch", BufferDescription.device(device.sizes(SHAPE).buildScratchBytes()));
            graph.addPass(name, PassKind.COMPUTE)
                    .flag(PassFlag.ASYNC_COMPUTE)
                    .reads(from, Access.ACCELERATION_STRUCTURE_INPUT)
                    .overwrites(graph.registerExternal(structure), Access.ACCELERATION_STRUCTURE_BUILD_WRITE)
                    .overwrites(scratch, Access.ACCELERATION_STRUCTURE_SCRATCH)
                    .record(context -> context.commands()
                            .buildAccelerationStructure(new AccelerationStructureBuild(
                                    structure, SHAPE, Input.at(context.buffer(from), 0), context.buffer(scratch))));
        }

        FramePlan compile() {
            RenderGraph graph = new RenderGraph("frame");
            RdgBuffer from = graph.registerExternal(vertices);
            if (frames == 0) {
                graph.addPass("fill", PassKind.COPY)
                        .overwrites(from, Access.COPY_DST)
                        .record(context -> context.commands().fillBuffer(context.buffer(from), 0, VERTEX_BYTES, 0));
                build(graph, "build", from, structure(0));
            }
            build(graph, "rebuild", from, structure(frames + 1));
            RdgBuffer seed = graph.createBuffer("seed", DATA);
            graph.addPass("seed", PassKind.COPY)
                    .overwrites(seed, Access.COPY_DST)
                    .record(context -> context.commands().fillBuffer(context.buffer(seed), 0, MixKernel.BYTES, 1));
            RdgBuffer result = graph.registerExternal(out);
            graph.addPass("trace", PassKind.COMPUTE)
                    .reads(seed, Access.STORAGE_READ_COMPUTE)
                    .reads(graph.registerExternal(structure(frames)), Access.ACCELERATION_STRUCTURE_TRACE_COMPUTE)
                    .overwrites(result, Access.STORAGE_WRITE_COMPUTE)
                    .record(context -> {
                        Buffer in = context.buffer(seed);
                        MixKernel.bind(context.commands(), mix, in, in, context.buffer(result), 0, 3);
                        context.commands().dispatch(GROUPS, 1, 1);
                    });
            return compiler.compile(graph, QueueTopology.of(device), MemorySizer.of(device));
        }

        FrameHandle run(int count) {
            FrameHandle last = null;
            for (int i = 0; i < count; i++) {
                last = executor.execute(compile());
                frames++;
            }
            last.completed().await();
            return last;
        }

        @Override
        public void close() {
            executor.close();
            mix.close();
            vertices.close();
            out.close();
            structures.forEach(AccelerationStructure::close);
            device.close();
            tasks.close();
            assertThat(checker.hazards()).isEmpty();
            assertThat(checker.undeclared()).isEmpty();
        }
    }

    /**
     * With three structures the compute queue is ahead of graphics by whole frames, so that a frame takes longer from its first
     * pass to its last one than without; but twice as many of them are done.
     */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void rebuildsForTheNextFrameStayBesideGraphics(int structures) {
        try (Rig rig = new Rig(structures, UnneededSync.Search.NONE, AsyncCompute.MEASURED)) {
            FrameHandle last = rig.run(LONG_ENOUGH);
            assertThat(rig.compile().passes().stream()
                            .filter(pass -> pass.queue() > 0)
                            .map(PassPlan::name))
                    .containsExactly("rebuild");
            AsyncGains.Region rebuild = last.asyncGains().regions().get(0);
            assertThat(rebuild.serialNanos()).isBetween(BUILD_NANOS, BUILD_NANOS * 11 / 10);
            assertThat(rebuild.join()).isEmpty();
            assertThat(rebuild.predictedNanos()).isBetween(BUILD_NANOS, BUILD_NANOS * 11 / 10);
            assertThat(rebuild.measuredNanos().orElseThrow()).isBetween(BUILD_NANOS * 9 / 10, BUILD_NANOS * 11 / 10);
        }
    }

    /** Traces wait for the rebuild of the frame before, and rebuilds for the traces through what they replace. */
    @Test
    void everyWaitBetweenFramesIsNeeded() {
        try (Rig rig = new Rig(2, UnneededSync.Search.WHOLE, AsyncCompute.TAGGED)) {
            rig.run(3);
            rig.checker.finish();
            assertThat(rig.checker.unneeded())
                    .filteredOn(each -> each.kind() == UnneededSync.Kind.WAIT)
                    .isEmpty();
        }
    }
}
