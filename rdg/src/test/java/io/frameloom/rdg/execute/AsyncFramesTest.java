package io.frameloom.rdg.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.frameloom.gpu.DeviceOptions;
import io.frameloom.gpu.check.HazardChecker;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.SubmissionObserver;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.virtual.VirtualDevice;
import io.frameloom.gpu.virtual.VirtualGpuOptions;
import io.frameloom.rdg.AsyncCompute;
import io.frameloom.rdg.AsyncGains;
import io.frameloom.rdg.FrameExecutor;
import io.frameloom.rdg.FrameExecutorOptions;
import io.frameloom.rdg.FrameHandle;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgOptions;
import io.frameloom.rdg.RenderGraph;
import io.frameloom.rdg.RenderGraphCompiler;
import io.frameloom.rdg.VirtualDevices;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.diagnostics.PlanWarning;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Which passes stay beside graphics by the clocks of the virtual GPU, which runs in order here and takes so long for its work
 * that what the host takes to submit it does not matter.
 */
class AsyncFramesTest {
    private static final BufferDescription DATA =
            BufferDescription.device(MixKernel.BYTES, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);
    private static final FrameExecutorOptions EXECUTE = FrameExecutorOptions.defaults();
    private static final int COST_PERCENT = 100_000;

    /** Nanoseconds of a workgroup with that. */
    private static final long GROUP = 4_000;

    private static final int LONG_ENOUGH = 120;

    /** Workgroups by pass: "ssao" may run beside "shadow", "blur" beside nothing. */
    private static final Map<String, Integer> GROUPS =
            Map.of("depth", 2_000, "ssao", 8_000, "shadow", 10_000, "light", 4_000, "blur", 6_000, "post", 2_000);

    /** Writes down which passes each submission has, and hands it to the checker. */
    private static final class Recorder implements SubmissionObserver {
        private final HazardChecker checker = new HazardChecker();
        private final List<String> submissions = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void submitted(SubmissionRecord record) {
            submissions.add(RepeatedFrames.text(record));
            checker.submitted(record);
        }

        @Override
        public void hostWaited(TimelinePoint point) {
            checker.hostWaited(point);
        }
    }

    private static final class Rig implements AutoCloseable {
        final Recorder recorder = new Recorder();
        final TaskGraph tasks;
        final VirtualDevice device;
        final FrameExecutor executor;
        final RenderGraphCompiler compiler;
        final ComputePipeline mix;
        final Buffer out;

        Rig(int queues, FrameExecutorOptions execute, AsyncCompute async) {
            tasks = TaskGraph.builder().name("rig").workers(2).build();
            tasks.start(NamedThread.RHI);
            device = VirtualDevices.open(
                    new VirtualGpuOptions(queues, 1)
                            .withOrder(VirtualGpuOptions.Order.IN_ORDER)
                            .withCostPercent(COST_PERCENT),
                    new DeviceOptions(tasks, "async", false, recorder));
            executor = new FrameExecutor(device, tasks, execute);
            compiler = new RenderGraphCompiler(RdgOptions.defaults().withAsync(async));
            mix = MixKernel.create(device);
            out = device.createBuffer("out", DATA);
        }

        FramePlan compile() {
            RenderGraph graph = new RenderGraph("frame");
            RdgBuffer depth = graph.createBuffer("depth", DATA);
            RdgBuffer occlusion = graph.createBuffer("occlusion", DATA);
            RdgBuffer shadows = graph.createBuffer("shadows", DATA);
            RdgBuffer light = graph.createBuffer("light", DATA);
            RdgBuffer blurred = graph.createBuffer("blurred", DATA);
            graph.addPass("clear", PassKind.COPY)
                    .overwrites(depth, Access.COPY_DST)
                    .record(context -> context.commands().fillBuffer(context.buffer(depth), 0, MixKernel.BYTES, 1));
            RdgBuffer result = graph.registerExternal(out);
            pass(graph, "ssao", depth, depth, occlusion).flag(PassFlag.ASYNC_COMPUTE);
            pass(graph, "shadow", depth, depth, shadows);
            pass(graph, "light", occlusion, shadows, light);
            pass(graph, "blur", light, light, blurred).flag(PassFlag.ASYNC_COMPUTE);
            pass(graph, "post", blurred, blurred, result);
            return compiler.compile(graph, QueueTopology.of(device), MemorySizer.of(device));
        }

        private PassBuilder pass(RenderGraph graph, String name, RdgBuffer a, RdgBuffer b, RdgBuffer to) {
            PassBuilder pass = graph.addPass(name, PassKind.COMPUTE);
            (a == b ? List.of(a) : List.of(a, b)).forEach(from -> pass.reads(from, Access.STORAGE_READ_COMPUTE));
            pass.overwrites(to, Access.STORAGE_WRITE_COMPUTE);
            pass.record(context -> {
                MixKernel.bind(context.commands(), mix, context.buffer(a), context.buffer(b), context.buffer(to), 0, 3);
                context.commands().dispatch(Objects.requireNonNull(GROUPS.get(name)), 1, 1);
            });
            return pass;
        }

        FrameHandle run(int frames) {
            FrameHandle last = executor.execute(compile());
            for (int i = 1; i < frames; i++) {
                last = executor.execute(compile());
            }
            last.completed().await();
            assertThat(last.statistics().frame()).isEqualTo(last.frame());
            return last;
        }

        @Override
        public void close() {
            executor.close();
            mix.close();
            out.close();
            device.close();
            tasks.close();
            assertThat(recorder.checker.hazards()).isEmpty();
            assertThat(recorder.checker.undeclared()).isEmpty();
        }
    }

    private static List<String> beside(FramePlan plan) {
        return plan.passes().stream()
                .filter(pass -> pass.queue() > 0)
                .map(PassPlan::name)
                .collect(Collectors.toList());
    }

    @Test
    void aRegionThatPaysStaysAndOneThatDoesNotIsDemoted() {
        try (Rig rig = new Rig(2, EXECUTE, AsyncCompute.MEASURED)) {
            assertThat(beside(rig.compile())).containsExactly("ssao", "blur");
            FrameHandle last = rig.run(LONG_ENOUGH);
            FramePlan plan = rig.compile();
            assertThat(beside(plan)).containsExactly("ssao");
            AsyncGains gains = last.asyncGains();
            AsyncGains.Region ssao = gains.regions().get(0);
            assertThat(ssao.passes()).containsExactly("ssao");
            assertThat(ssao.beside()).isTrue();
            assertThat(ssao.fork()).isEqualTo("clear");
            assertThat(ssao.join()).isEqualTo("light");
            assertThat(ssao.serialNanos()).isGreaterThanOrEqualTo(8_000 * GROUP);
            assertThat(ssao.overlappedNanos()).isGreaterThan(7_500 * GROUP);
            assertThat(ssao.predictedNanos()).isBetween(7_500 * GROUP, 8_500 * GROUP);
            assertThat(ssao.measuredNanos().orElseThrow()).isBetween(7_000 * GROUP, 9_000 * GROUP);
            AsyncGains.Region blur = gains.regions().get(1);
            assertThat(blur.passes()).containsExactly("blur");
            assertThat(blur.beside()).isFalse();
            assertThat(blur.queue()).isEqualTo(plan.queues().queues().get(0).name());
            assertThat(blur.overlappedNanos()).isZero();
            assertThat(blur.predictedNanos()).isZero();
            assertThat(blur.measuredNanos().orElseThrow()).isBetween(-1_000 * GROUP, 1_000 * GROUP);
            assertThat(gains.serialNanos() - gains.criticalNanos()).isBetween(7_500 * GROUP, 8_500 * GROUP);
        }
    }

    @Test
    void whatIsDecidedIsReused() {
        try (Rig rig = new Rig(2, EXECUTE, AsyncCompute.MEASURED)) {
            rig.run(LONG_ENOUGH);
            Object shape = CompiledPlan.of(rig.compile()).shape();
            long misses = rig.compiler.planReuse().misses();
            assertThat(misses).isEqualTo(3);
            rig.run(LONG_ENOUGH);
            assertThat(CompiledPlan.of(rig.compile()).shape()).isSameAs(shape);
            assertThat(rig.compiler.planReuse().misses()).isEqualTo(misses);
        }
    }

    /** Frames whose times are there before the next one is compiled are decided alike, and then submitted alike. */
    @Test
    void equalDecisionsGiveEqualSubmissions() {
        assertThat(submissions()).isEqualTo(submissions());
    }

    private static List<String> submissions() {
        try (Rig rig = new Rig(2, EXECUTE, AsyncCompute.MEASURED)) {
            for (int i = 0; i < LONG_ENOUGH; i++) {
                rig.run(1);
            }
            assertThat(beside(rig.compile())).containsExactly("ssao");
            return List.copyOf(rig.recorder.submissions);
        }
    }

    @Test
    void taggedFramesTellTheirGainsToo() {
        try (Rig rig = new Rig(2, EXECUTE, AsyncCompute.TAGGED)) {
            AsyncGains gains = rig.run(4).asyncGains();
            assertThat(gains.regions())
                    .extracting(AsyncGains.Region::passes)
                    .containsExactly(List.of("ssao"), List.of("blur"));
            assertThat(gains.regions())
                    .extracting(AsyncGains.Region::measuredNanos)
                    .containsOnly(OptionalLong.empty());
            assertThat(gains.regions()).extracting(AsyncGains.Region::decision).containsOnly("");
            assertThat(gains.regions().get(0).predictedNanos()).isBetween(7_500 * GROUP, 8_500 * GROUP);
            assertThat(gains.regions().get(1).predictedNanos()).isZero();
            assertThat(gains.regions().get(1).overlappedNanos()).isZero();
            assertThat(gains.frameNanos()).isGreaterThanOrEqualTo(gains.criticalNanos());
        }
        try (Rig rig = new Rig(2, EXECUTE, AsyncCompute.OFF)) {
            AsyncGains gains = rig.run(4).asyncGains();
            assertThat(gains.regions()).isEmpty();
            assertThat(gains.criticalNanos()).isEqualTo(gains.serialNanos());
        }
    }

    @Test
    void oneQueueLeavesNothingToDecide() {
        try (Rig rig = new Rig(1, EXECUTE, AsyncCompute.MEASURED)) {
            AsyncGains gains = rig.run(40).asyncGains();
            assertThat(gains.regions()).isEmpty();
            FramePlan plan = rig.compile();
            assertThat(plan.warnings()).isEmpty();
            assertThat(rig.compiler.planReuse().misses()).isEqualTo(1);
            assertThat(plan.explain("ssao")).contains("  may leave that queue, but no other can take it");
        }
    }

    @Test
    void withoutTimestampsItStaysAsTagged() {
        try (Rig rig = new Rig(2, EXECUTE.withCollectTimestamps(false), AsyncCompute.MEASURED)) {
            AsyncGains gains = rig.run(LONG_ENOUGH).asyncGains();
            assertThat(gains.frameNanos()).isZero();
            assertThat(gains.serialNanos()).isZero();
            FramePlan plan = rig.compile();
            assertThat(beside(plan)).containsExactly("ssao", "blur");
            assertThat(plan.warnings())
                    .extracting(PlanWarning::code, PlanWarning::message)
                    .containsExactly(tuple(
                            PlanWarning.Code.UNMEASURED_ASYNC,
                            "graph 'frame' measures which passes pay beside graphics, but the executor collects no"
                                    + " timestamps; they stay where they are"));
        }
    }
}
