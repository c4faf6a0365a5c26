package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.compile.plan.PlanStructure;
import io.frameloom.rdg.declare.ConditionalPass;
import io.frameloom.taskgraph.TaskGraph;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The lists of a plan are made when somebody asks, of what the plan has kept of its graph. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PlanStructureTest {
    private static final QueueTopology QUEUES = QueueTopology.graphicsAndCompute();
    private static final RdgOptions OPTIONS = RdgOptions.defaults().withReusePlans(false);
    private static final BufferDescription BUFFER = BufferDescription.device(64, BufferUsage.STORAGE);

    /** One for all graphs of a test: it works in memory in which it has worked before. */
    private final RenderGraphCompiler compiler = new RenderGraphCompiler(OPTIONS);

    private final RenderGraphCompiler keeping = new RenderGraphCompiler(RdgOptions.defaults());

    private FramePlan compile(RenderGraph graph) {
        return compiler.compile(graph, QUEUES, PlanPropertiesTest.SIZER);
    }

    /** Binds the graph to the plan of the first equal one. */
    private FramePlan reusing(RenderGraph graph) {
        return keeping.compile(graph, QUEUES, PlanPropertiesTest.SIZER);
    }

    /** Kept for later frames, a structure must not keep what the bodies of one frame hold. */
    @Test
    void aStructureKeepsNoBodyThoughItsListsAreNotMadeYet() {
        List<PlanStructure> structures = new ArrayList<>();
        WeakReference<PassBody> body = compileWithBody(structures);
        for (int i = 0; i < 100 && body.get() != null; i++) {
            System.gc();
        }
        assertThat(body.get()).isNull();
        PlanStructure structure = structures.get(0);
        assertThat(structure.passes()).extracting(FramePlan.PassPlan::name).containsExactly("fill", "read");
        assertThat(structure.barrierCount()).isPositive();
        assertThat(structure.arrays().forkRuleRenderPasses()).isEmpty();
    }

    private WeakReference<PassBody> compileWithBody(List<PlanStructure> structures) {
        byte[] large = new byte[1];
        PassBody body = context -> large[0]++;
        RenderGraph graph = new RenderGraph("bodies");
        RdgBuffer buffer = graph.createBuffer("buffer", BUFFER);
        graph.addPass("fill", PassKind.COMPUTE)
                .overwrites(buffer, Access.STORAGE_WRITE_COMPUTE)
                .record(body);
        graph.addPass("read", PassKind.COMPUTE)
                .reads(buffer, Access.STORAGE_READ_COMPUTE)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> large[0]++);
        structures.add(CompiledPlan.of(compile(graph)).structure());
        return new WeakReference<>(body);
    }

    @Test
    void threadsThatAskFirstAtOnceGetEqualLists() throws Exception {
        int threads = 3;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            for (int seed = 0; seed < 100; seed++) {
                FramePlan plan = compile(RandomGraphs.graph(seed).declare());
                CyclicBarrier together = new CyclicBarrier(threads);
                List<Future<List<Object>>> results = new ArrayList<>();
                for (int t = 0; t < threads; t++) {
                    results.add(pool.submit(() -> {
                        together.await(10, TimeUnit.SECONDS);
                        return List.of(
                                plan.passes(),
                                plan.resources(),
                                plan.batches(),
                                plan.recordingGroups(),
                                plan.heaps(),
                                plan.renderPasses(),
                                plan.barrierCount(),
                                plan.waitCount(),
                                plan.culledCount());
                    }));
                }
                List<Object> first = results.get(0).get();
                for (Future<List<Object>> other : results) {
                    assertThat(other.get()).as("seed %d", seed).isEqualTo(first);
                }
            }
        } finally {
            pool.shutdownNow();
        }
    }

    /** Most plans are executed, and nobody asks for these lists. */
    @Test
    void executionMakesNoListsOfUsesAndBarriers() {
        try (ModelDevice device = new ModelDevice(new VirtualGpuOptions(2, 1), new HazardChecker());
                FrameExecutor executor = new FrameExecutor(device.gpu, device.tasks, FrameExecutorOptions.defaults())) {
            RdgOptions splitting = OPTIONS.withPolicy(OPTIONS.policy().withSplitBarriers(true));
            for (RdgOptions options : List.of(OPTIONS, splitting)) {
                FramePlan plan = new RenderGraphCompiler(options)
                        .compile(framesOfAllKinds(), QueueTopology.of(device.gpu), MemorySizer.of(device.gpu));
                FrameHandle frame = executor.execute(plan);
                frame.completed().await();
                assertThat(frame.statistics().barriers()).isPositive();
                assertThat(hasMade(FramePlan.UsePlan.class, plan)).isFalse();
                assertThat(hasMade(FramePlan.PlanBarrier.class, plan)).isFalse();
                assertThat(plan.passes()).anyMatch(pass -> !pass.uses().isEmpty());
                assertThat(plan.passes().stream()
                                .flatMap(pass -> pass.before().stream())
                                .anyMatch(FramePlan.PlanBarrier::isSplit))
                        .isEqualTo(options.policy().splitBarriers());
                assertThat(hasMade(FramePlan.UsePlan.class, plan)).isTrue();
                assertThat(hasMade(FramePlan.PlanBarrier.class, plan)).isTrue();
            }
        }
    }

    private static boolean hasMade(Class<?> type, FramePlan plan) {
        PlanFootprint footprint = new PlanFootprint();
        footprint.leaveOut(plan);
        return footprint.reaches(type);
    }

    /** Passes that share a render pass, one beside the graphics queue, one with a condition, and one of the host. */
    private static RenderGraph framesOfAllKinds() {
        RenderGraph graph = new RenderGraph("all kinds");
        RdgTexture target =
                graph.createTexture("target", TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM, TextureUsage.SAMPLED));
        RdgBuffer mapped = graph.createBuffer("mapped", BufferDescription.upload(64, BufferUsage.STORAGE));
        RdgBuffer filled = graph.createBuffer("filled", BUFFER);
        RdgBuffer last = graph.createBuffer("last", BUFFER);
        graph.hostPass("write")
                .overwrites(mapped, Access.HOST_WRITE)
                .run(context -> context.write(mapped).putInt(1));
        graph.addPass("fill", PassKind.COMPUTE)
                .flag(PassFlag.ASYNC_COMPUTE)
                .reads(mapped, Access.STORAGE_READ_COMPUTE)
                .overwrites(filled, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        graph.addPass("clear", PassKind.RASTER)
                .color(target, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                .record(context -> {});
        graph.addPass("draw", PassKind.RASTER)
                .color(target, LoadOp.LOAD, ClearColor.BLACK_TRANSPARENT)
                .record(context -> {});
        graph.addPass("between", PassKind.COMPUTE)
                .overwrites(last, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        graph.addPass("read", PassKind.COMPUTE)
                .reads(target, Access.SAMPLED_COMPUTE)
                .reads(filled, Access.STORAGE_READ_COMPUTE)
                .writes(last, Access.STORAGE_WRITE_COMPUTE)
                .flag(PassFlag.NEVER_CULL)
                .onlyIf(() -> true)
                .record(context -> {});
        return graph;
    }

    /** Lists that are made when the compiler's memory has had other graphs are those that another compiler makes at once. */
    @Test
    void listsMadeBehindOtherGraphsAreTheSame() throws IOException {
        List<FramePlan> plans = new ArrayList<>();
        for (int seed = 0; seed < 100; seed++) {
            plans.add(compile(RandomGraphs.graph(seed).declare()));
        }
        for (int seed = 0; seed < 100; seed++) {
            FramePlan alone = new RenderGraphCompiler(OPTIONS)
                    .compile(RandomGraphs.graph(seed).declare(), QUEUES, PlanPropertiesTest.SIZER);
            assertThat(PlanWords.data(plans.get(seed))).as("seed %d", seed).isEqualTo(PlanWords.data(alone));
        }
    }

    /** What is of one frame is bound to the plan of the frame, whoever asks first for the lists that the plans share. */
    @Test
    void externalsExtractionsAndSetupTasksAreThoseOfEachGraph() throws Exception {
        try (TaskGraph tasks = TaskGraph.builder().workers(1).build()) {
            List<FramePlan> plans = new ArrayList<>();
            List<Buffer> inputs = new ArrayList<>();
            List<RdgSetupTask> setups = new ArrayList<>();
            List<BufferExtraction> results = new ArrayList<>();
            for (int frame = 0; frame < 3; frame++) {
                RenderGraph graph = new RenderGraph("frame");
                Buffer input = FakeResources.buffer("input", 64);
                RdgBuffer external = graph.registerExternal(input);
                RdgBuffer made = graph.createBuffer("made", BUFFER);
                RdgSetupTask setup = graph.setupTask(tasks, "setup", () -> {});
                graph.addPass("copies", PassKind.COPY)
                        .reads(external, Access.COPY_SRC)
                        .overwrites(made, Access.COPY_DST)
                        .record(context -> {});
                graph.addPass("awaits", PassKind.COMPUTE)
                        .writes(made, Access.STORAGE_READ_WRITE_COMPUTE)
                        .after(setup)
                        .record(context -> {});
                results.add(graph.extract(made));
                inputs.add(input);
                setups.add(setup);
                plans.add(reusing(graph));
            }
            for (int frame = 2; frame >= 0; frame--) {
                FramePlan plan = plans.get(frame);
                assertThat(CompiledPlan.of(plan).shape())
                        .isSameAs(CompiledPlan.of(plans.get(0)).shape());
                assertThat(plan.resources().get(0).external()).isSameAs(inputs.get(frame));
                assertThat(plan.resources().get(1).external()).isNull();
                assertThat(plan.resources().get(1).extraction()).isSameAs(results.get(frame));
                assertThat(CompiledPlan.of(plan).setups(0)).isEmpty();
                assertThat(CompiledPlan.of(plan).setups(1)).containsExactly(setups.get(frame));
            }
            assertThat(keeping.planReuse().hits()).isEqualTo(2);
        }
    }

    /** Passes are mostly bound by their bodies alone: one that is not must be noticed wherever it stands. */
    @Test
    void whatIsMoreThanABodyIsBound() {
        RenderGraph graph = new RenderGraph("bound");
        RdgBuffer buffer = graph.createBuffer("buffer", BUFFER);
        RdgUniformBuffer uniforms = graph.createUniforms("uniforms", ByteBuffer.allocate(16));
        PassBody body = context -> {};
        for (int p = 0; p < 20; p++) {
            PassBuilder pass = graph.addPass("plain " + p, PassKind.COMPUTE)
                    .overwrites(buffer, Access.STORAGE_WRITE_COMPUTE)
                    .flag(PassFlag.NEVER_CULL);
            if (p == 17) {
                pass.uniforms(uniforms);
            }
            pass.record(body);
        }
        assertThat(CompiledPlan.of(reusing(graph)).uniforms(17)).containsExactly(uniforms);
        assertThat(CompiledPlan.of(reusing(graph)).body(16)).isSameAs(body);

        RenderGraph conditional = new RenderGraph("conditional");
        RdgBuffer other = conditional.createBuffer("buffer", BUFFER);
        conditional
                .addPass("plain", PassKind.COMPUTE)
                .overwrites(other, Access.STORAGE_WRITE_COMPUTE)
                .flag(PassFlag.NEVER_CULL)
                .record(body);
        conditional
                .addPass("sometimes", PassKind.COMPUTE)
                .overwrites(other, Access.STORAGE_WRITE_COMPUTE)
                .flag(PassFlag.NEVER_CULL)
                .onlyIf(() -> true)
                .record(body);
        FramePlan plan = reusing(conditional);
        assertThat(CompiledPlan.of(plan).body(0)).isSameAs(body);
        assertThat(CompiledPlan.of(plan).body(1)).isInstanceOf(ConditionalPass.class);
    }
}
