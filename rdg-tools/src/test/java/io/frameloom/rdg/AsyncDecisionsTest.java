package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.async.AsyncDecision;
import io.frameloom.rdg.async.AsyncProfile;
import io.frameloom.rdg.async.CriticalPath;
import io.frameloom.rdg.async.RegionDecision;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.diagnostics.PlanWarning;
import io.frameloom.rdg.tools.GraphFile;
import io.frameloom.rdg.tools.GraphFileException;
import io.frameloom.rdg.tools.PlanJson;
import io.frameloom.testing.TestEffort;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which regions stay beside the graphics queue, by times that a made-up device takes. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AsyncDecisionsTest {
    private static final BufferDescription DATA =
            BufferDescription.device(1024, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);
    private static final RdgOptions MEASURED = RdgOptions.defaults().withAsync(AsyncCompute.MEASURED);

    /** More than the windows that two trials of a region take. */
    private static final int LONG_ENOUGH = 150;

    private final RenderGraphCompiler compiler = new RenderGraphCompiler(MEASURED);
    private final Map<String, Double> costs = new HashMap<>(
            Map.of("depth", 1e6, "ssao", 4e6, "shadow", 5e6, "light", 2e6, "blur", 3e6, "post", 1e6, "extra", 1e5));
    private final Random random = new Random(7);
    /** Relative, of each pass in each frame. */
    /** When frames begin. */
    private long now;

    private double noise;
    /** What passes are multiplied with while two queues run. */
    private double contention = 1;

    /** A region that runs beside "shadow", and one that everybody waits for. */
    private static RenderGraph graph(boolean extra) {
        return graph(extra, PassFlag.ASYNC_COMPUTE);
    }

    private static RenderGraph graph(boolean extra, PassFlag... ssao) {
        RenderGraph graph = new RenderGraph("frame");
        RdgBuffer depth = graph.createBuffer("depth", DATA);
        RdgBuffer occlusion = graph.createBuffer("occlusion", DATA);
        RdgBuffer shadows = graph.createBuffer("shadows", DATA);
        RdgBuffer light = graph.createBuffer("light", DATA);
        RdgBuffer blurred = graph.createBuffer("blurred", DATA);
        RdgBuffer out = graph.registerExternal(FakeResources.buffer("out", 1024));
        pass(graph, "depth", depth);
        pass(graph, "ssao", occlusion, depth).flag(ssao);
        pass(graph, "shadow", shadows, depth);
        if (extra) {
            pass(graph, "extra", graph.registerExternal(FakeResources.buffer("more", 1024)));
        }
        pass(graph, "light", light, occlusion, shadows);
        pass(graph, "blur", blurred, light).flag(PassFlag.ASYNC_COMPUTE);
        pass(graph, "post", out, blurred);
        return graph;
    }

    private static PassBuilder pass(RenderGraph graph, String name, RdgBuffer to, RdgBuffer... from) {
        PassBuilder pass = graph.addPass(name, PassKind.COMPUTE);
        Arrays.stream(from).forEach(each -> pass.reads(each, Access.STORAGE_READ_COMPUTE));
        pass.overwrites(to, Access.STORAGE_WRITE_COMPUTE).record(context -> {});
        return pass;
    }

    private FramePlan compile(RenderGraph graph) {
        return compiler.compile(graph, QueueTopology.graphicsAndCompute(), PlanPropertiesTest.SIZER);
    }

    private static AsyncDecision decision(FramePlan plan) {
        return Objects.requireNonNull(CompiledPlan.of(plan).decision());
    }

    private static List<String> beside(FramePlan plan) {
        return plan.passes().stream()
                .filter(pass -> pass.queue() > 0)
                .map(PassPlan::name)
                .toList();
    }

    /** Compiles and "executes" frames of one graph; returns the plan of the next. */
    private FramePlan run(int frames, boolean extra) {
        for (int i = 0; i < frames; i++) {
            FramePlan plan = compile(graph(extra));
            decision(plan).profile().measured(CompiledPlan.of(plan).structure(), decision(plan), times(plan));
        }
        return compile(graph(extra));
    }

    /** Queues run one pass at a time, behind what it depends on. */
    private long[] times(FramePlan plan) {
        int[] queue = new CriticalPath(CompiledPlan.of(plan).structure()).queues();
        boolean[] beside = new boolean[queue.length];
        for (AsyncGains.Region region : AsyncGains.of(plan, EMPTY).regions()) {
            for (PassPlan pass : plan.passes()) {
                beside[pass.index()] |= region.beside() && region.passes().contains(pass.name());
            }
        }
        long[] nanos = new long[2 * plan.passes().size()];
        Arrays.fill(nanos, Long.MIN_VALUE);
        long[] free = new long[2];
        Arrays.fill(free, 1000 + now);
        for (PassPlan pass : plan.passes()) {
            if (pass.culled()) {
                continue;
            }
            long start = free[pass.queue()];
            for (PlanDerivation.Dependency dependency : plan.dependencies()) {
                if (dependency.to() == pass.index()) {
                    start = Math.max(start, nanos[2 * dependency.from() + 1]);
                }
            }
            boolean held = pass.name().equals("ssao") || pass.name().equals("shadow");
            double factor = held && beside[1] ? contention : 1;
            double cost = Objects.requireNonNull(costs.get(pass.name()))
                    * factor
                    * (1 + noise * (2 * random.nextDouble() - 1));
            nanos[2 * pass.index()] = start;
            nanos[2 * pass.index() + 1] = start + Math.round(cost);
            free[pass.queue()] = nanos[2 * pass.index() + 1];
        }
        now = Math.max(free[0], free[1]);
        return nanos;
    }

    private static final FrameStatistics EMPTY =
            new FrameStatistics(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, List.of(), List.of(), List.of());

    @Test
    void startsAsTagged() {
        FramePlan plan = compile(graph(false));
        assertThat(beside(plan)).containsExactly("ssao", "blur");
        assertThat(decision(plan).regions()).isEmpty();
        assertThat(plan.warnings()).isEmpty();
    }

    @Test
    void keepsTheRegionThatPaysAndDemotesTheOneThatDoesNot() {
        FramePlan plan = run(LONG_ENOUGH, false);
        assertThat(beside(plan)).containsExactly("ssao");
        assertThat(decision(plan).regions())
                .extracting(RegionDecision::stage)
                .containsOnly(RegionDecision.Stage.DECIDED);
        // Serial 16 ms; "ssao" hides behind "shadow" with its 4 ms, "blur" behind nothing.
        assertThat(decision(plan).regions())
                .extracting(RegionDecision::measuredNanos)
                .containsExactly(4_000_000L, 0L);
        assertThat(decision(plan).regions())
                .extracting(RegionDecision::predictedNanos)
                .containsExactly(4_000_000L, 0L);
        assertThat(decision(plan).epoch()).isEqualTo(3);
        assertThat(plan.explain("ssao"))
                .contains("  its region is beside graphics: that was measured to save 4.000 ms (25.0 %) of the serial"
                        + " frame, predicted 4.000 ms (25.0 %); it took 1 % to be beside graphics, and takes 3 % to"
                        + " come back to it");
        assertThat(plan.explain("blur"))
                .contains("  its region is on the graphics queue: running beside graphics was measured to save 0.000 ms"
                        + " (0.0 %) of the serial frame, predicted 0.000 ms (0.0 %); it took 3 % to be beside"
                        + " graphics, and takes 3 % to come back to it");
        assertThat(plan.explain("light")).noneMatch(line -> line.contains("region"));
    }

    /** The model believes times that were measured while both queues ran; only the serial form shows what they cost. */
    @Test
    void demotesARegionThatPaysInTheModelAlone() {
        contention = 1.9;
        FramePlan plan = run(LONG_ENOUGH, false);
        assertThat(beside(plan)).isEmpty();
        RegionDecision ssao = decision(plan).regions().get(0);
        assertThat(ssao.measuredNanos()).isBetween(-1_000_000L, 0L);
        assertThat(ssao.predictedNanos()).isEqualTo(4_000_000L);
    }

    /** The frames of the trial have less to do than those before it, by chance: the region seems to cost. */
    @Test
    void aTrialInAnUnluckyMomentIsRepeated() {
        FramePlan plan = run(1, false);
        for (int i = 0; i < LONG_ENOUGH; i++) {
            boolean trial = decision(plan).regions().stream()
                    .anyMatch(region -> region.passes().contains(1) && region.stage() == RegionDecision.Stage.TRIAL);
            costs.put("light", trial ? 1e6 : 7e6);
            plan = run(1, false);
        }
        assertThat(beside(plan)).isEmpty();
        assertThat(decision(plan).regions().get(0).measuredNanos()).isNegative();
        costs.put("light", 7e6);
        assertThat(beside(run(500, false))).containsExactly("ssao");
    }

    @Test
    void comesBackWhenItClearlyPays() {
        costs.put("shadow", 1e4);
        assertThat(beside(run(LONG_ENOUGH, false))).isEmpty();
        costs.put("shadow", 5e6);
        assertThat(beside(run(LONG_ENOUGH, false))).containsExactly("ssao");
        costs.put("shadow", 1e4);
        assertThat(beside(run(2 * LONG_ENOUGH, false))).isEmpty();
    }

    private static LongStream seeds() {
        return LongStream.rangeClosed(1, TestEffort.of(1, 8));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void noiseDoesNotFlipWhatIsDecided(long seed) {
        random.setSeed(seed);
        noise = 0.1;
        FramePlan plan = run(LONG_ENOUGH, false);
        assertThat(beside(plan)).containsExactly("ssao");
        long changes = decision(plan).epoch();
        assertThat(changes).isEqualTo(3);
        for (int i = 0; i < 100; i++) {
            plan = run(50, false);
            for (RegionDecision region : decision(plan).regions()) {
                boolean pays = region.passes().contains(1);
                assertThat(region.beside()).isEqualTo(pays == (region.stage() == RegionDecision.Stage.DECIDED));
            }
        }
        // Only what may gain is tried again: after 256 frames, 512, 1,024 and 2,048.
        assertThat(decision(plan).epoch()).isEqualTo(changes + 2 * 4);
    }

    /** Whatever is measured: a region has one trial of two changes, and the further ones are 64 frames apart, 128, 256 ... */
    @ParameterizedTest
    @MethodSource("seeds")
    void changesAreFewWhateverIsMeasured(long seed) {
        random.setSeed(seed);
        Random weather = new Random(~seed);
        int frames = TestEffort.of(6_000, 12_000);
        for (int i = 0; i < frames / 20; i++) {
            noise = weather.nextDouble();
            contention = 1 + weather.nextDouble();
            costs.put("shadow", 1e4 * Math.pow(10, 3 * weather.nextDouble()));
            costs.put("ssao", 1e4 * Math.pow(10, 3 * weather.nextDouble()));
            run(20, false);
        }
        assertThat(decision(compile(graph(false))).epoch()).isBetween(1L, 2 * mostChanges(frames));
    }

    /** What is right for a hundred frames is wrong for the next hundred. */
    @Test
    void changesAreFewThoughTheFrameChangesOften() {
        int frames = TestEffort.of(6_000, 12_000);
        FramePlan plan = run(1, false);
        for (int i = 0; i < frames; i++) {
            costs.put("shadow", i / 100 % 2 == 0 ? 5e6 : 1e4);
            plan = run(1, false);
        }
        // "blur" has one change, and "ssao" a trial at the end of each of the growing distances.
        assertThat(decision(plan).epoch()).isBetween(8L, 1 + mostChanges(frames));
    }

    /** What the frame took before the pause is no measure of what it takes afterwards. */
    @Test
    void aTrialThatIsLeftForLongIsBegunAnew() {
        FramePlan plan = run(1, false);
        while (decision(plan).regions().stream().noneMatch(region -> region.stage() == RegionDecision.Stage.TRIAL)) {
            plan = run(1, false);
        }
        assertThat(beside(plan)).containsExactly("ssao");
        now += 2_000_000_000;
        costs.replaceAll((pass, nanos) -> 2 * nanos);
        assertThat(beside(run(1, false))).containsExactly("ssao", "blur");
        assertThat(beside(run(2 * LONG_ENOUGH, false))).containsExactly("ssao");
    }

    /** An application that pauses in each trial changes no more often than one whose times vary. */
    @Test
    void changesAreFewThoughEachTrialIsLeft() {
        int frames = TestEffort.of(6_000, 12_000);
        FramePlan plan = run(1, false);
        for (int i = 0; i < frames; i++) {
            now += decision(plan).regions().stream().anyMatch(region -> region.stage() == RegionDecision.Stage.TRIAL)
                    ? 2_000_000_000
                    : 0;
            plan = run(1, false);
        }
        assertThat(decision(plan).epoch()).isBetween(8L, 2 * mostChanges(frames));
    }

    /** Returns the most changes of a region: two for each trial. */
    private static long mostChanges(int frames) {
        int trials = 1;
        for (long spent = 0, dwell = 64; spent + dwell <= frames; dwell = Math.min(4096, 2 * dwell)) {
            spent += dwell;
            trials++;
        }
        return 2L * trials;
    }

    @Test
    void plansAreReusedAsLongAsTheDecisionStands() {
        FramePlan settled = run(LONG_ENOUGH, false);
        long misses = compiler.planReuse().misses();
        // Tagged, without "blur", without both.
        assertThat(misses).isEqualTo(3);
        for (int i = 0; i < 100; i++) {
            assertThat(CompiledPlan.of(run(1, false)).shape())
                    .isSameAs(CompiledPlan.of(settled).shape());
        }
        assertThat(decision(settled).epoch()).isEqualTo(3);
        run(1_000, false);
        assertThat(compiler.planReuse().misses()).isEqualTo(misses);
    }

    @Test
    void withoutReuseOfPlansTheDecisionHoldsAllTheSame() {
        RenderGraphCompiler fresh = new RenderGraphCompiler(MEASURED.withReusePlans(false));
        FramePlan plan = fresh.compile(graph(false), QueueTopology.graphicsAndCompute(), PlanPropertiesTest.SIZER);
        for (int i = 0; i < LONG_ENOUGH; i++) {
            decision(plan).profile().measured(CompiledPlan.of(plan).structure(), decision(plan), times(plan));
            plan = fresh.compile(graph(false), QueueTopology.graphicsAndCompute(), PlanPropertiesTest.SIZER);
        }
        assertThat(beside(plan)).containsExactly("ssao");
    }

    /** A frame with one pass more begins with what the others have shown. */
    @Test
    void aGraphThatIsNearlyTheSameBeginsWithWhatIsDecided() {
        run(LONG_ENOUGH, false);
        FramePlan plan = compile(graph(true));
        assertThat(beside(plan)).containsExactly("ssao");
        assertThat(decision(plan).of(CompiledPlan.of(plan).structure().planIndex(5)))
                .isSameAs(CompiledPlan.of(plan).decisionOf(5));
        assertThat(plan.explain("blur")).anyMatch(line -> line.contains("on the graphics queue: running beside"));
        assertThat(beside(run(1_000, true))).containsExactly("ssao");
    }

    @Test
    void aGraphWithOtherPassesBeginsAsTagged() {
        run(LONG_ENOUGH, false);
        RenderGraph other = new RenderGraph("other");
        RdgBuffer light = other.createBuffer("light", DATA);
        pass(other, "light", light);
        pass(other, "blur", other.registerExternal(FakeResources.buffer("out", 1024)), light)
                .flag(PassFlag.ASYNC_COMPUTE);
        assertThat(beside(compile(other))).containsExactly("blur");
    }

    @Test
    void framesOfFormerDecisionsDoNotCount() {
        FramePlan first = compile(graph(false));
        AsyncProfile profile = decision(first).profile();
        FramePlan late = run(LONG_ENOUGH, false);
        List<RegionDecision> decided = decision(late).regions();
        costs.put("ssao", 1e4);
        for (int i = 0; i < LONG_ENOUGH; i++) {
            profile.measured(CompiledPlan.of(first).structure(), decision(first), times(first));
        }
        assertThat(profile.decision().regions()).isEqualTo(decided);
    }

    @Test
    void namedPassesStayWhereTheyAre() {
        List<RenderGraph> graphs = new ArrayList<>();
        for (int i = 0; i < LONG_ENOUGH; i++) {
            RenderGraph graph = graph(false);
            graph.declaration().declared().setQueue(4, 1);
            graphs.add(graph);
            FramePlan plan = compile(graph);
            decision(plan).profile().measured(CompiledPlan.of(plan).structure(), decision(plan), times(plan));
        }
        FramePlan plan = compile(graphs.get(0));
        assertThat(beside(plan)).containsExactly("ssao", "blur");
        assertThat(decision(plan).regions()).hasSize(1);
    }

    /** Also where the plan's order is another one than that of declaration. */
    @Test
    void unorderedGraphsDemoteTheRightPass() {
        RenderGraphCompiler unordered = new RenderGraphCompiler(MEASURED.withOrder(PassOrder.UNORDERED));
        FramePlan plan = compileBackwards(unordered);
        assertThat(beside(plan)).containsExactly("blur");
        for (int i = 0; i < LONG_ENOUGH; i++) {
            decision(plan).profile().measured(CompiledPlan.of(plan).structure(), decision(plan), times(plan));
            plan = compileBackwards(unordered);
        }
        assertThat(beside(plan)).isEmpty();
        assertThat(plan.explain("blur")).anyMatch(line -> line.contains("on the graphics queue: running beside"));
    }

    /** A dump gives the same plan again, though a file has no times. */
    @Test
    void aDumpKeepsWhatIsDecided(@TempDir Path folder) throws IOException {
        FramePlan plan = run(LONG_ENOUGH, false);
        Path file = folder.resolve("graph.json");
        try (Writer writer = Files.newBufferedWriter(file)) {
            PlanJson.write(plan, writer);
        }
        FramePlan again = Objects.requireNonNull(
                GraphFile.read(file).compile(options -> options).plan());
        assertThat(again.passes())
                .extracting(PassPlan::queue)
                .isEqualTo(plan.passes().stream().map(PassPlan::queue).toList());
        assertThat(beside(again)).containsExactly("ssao");
        assertThatThrownBy(() -> GraphFile.read(file).compile(options -> MEASURED))
                .isInstanceOf(GraphFileException.class)
                .hasMessage(file + " has no measured times to decide by which passes pay beside graphics; ask for async"
                        + " off, tagged or all");
    }

    private static FramePlan compileBackwards(RenderGraphCompiler unordered) {
        RenderGraph graph = new RenderGraph("frame");
        RdgBuffer light = graph.createBuffer("light", DATA);
        RdgBuffer blurred = graph.createBuffer("blurred", DATA);
        pass(graph, "blur", blurred, light).flag(PassFlag.ASYNC_COMPUTE);
        pass(graph, "post", graph.registerExternal(FakeResources.buffer("out", 1024)), blurred);
        pass(graph, "light", light);
        return unordered.compile(graph, QueueTopology.graphicsAndCompute(), PlanPropertiesTest.SIZER);
    }

    /** Nor is it tried, for frames in which it is would not be compiled. */
    @Test
    void aPassThatMayNotUseTheGraphicsQueueStays() {
        for (int i = 0; i < LONG_ENOUGH; i++) {
            FramePlan plan = compile(lent());
            assertThat(beside(plan)).containsExactly("ssao");
            decision(plan).profile().measured(CompiledPlan.of(plan).structure(), decision(plan), times(plan));
        }
        assertThat(decision(compile(lent())).regions())
                .extracting(RegionDecision::measuredNanos)
                .containsExactly(RegionDecision.UNKNOWN);
    }

    /** A frame whose compute pass uses what is shared by the families of other queues alone. */
    private static RenderGraph lent() {
        RenderGraph graph = new RenderGraph("lent");
        TextureDescription shape = TextureDescription.of(64, 64, Format.R8G8B8A8_UNORM, TextureUsage.STORAGE);
        RdgTexture texture = graph.registerExternal(
                FakeResources.imported("lent", shape, TextureLayout.GENERAL, Set.of(1, 2)), TextureLayout.GENERAL);
        graph.addPass("ssao", PassKind.COMPUTE)
                .flag(PassFlag.ASYNC_COMPUTE)
                .overwrites(texture, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        pass(graph, "shadow", graph.registerExternal(FakeResources.buffer("out", 1024)));
        return graph;
    }

    /** The same frame in another size takes other times. */
    @Test
    void framesOfOtherShapesAreMeasuredApart() {
        RenderGraph small = new RenderGraph("view");
        pass(small, "post", small.registerExternal(FakeResources.buffer("out", 1024)));
        RenderGraph large = new RenderGraph("view");
        pass(large, "post", large.registerExternal(FakeResources.buffer("out", 4096)));
        assertThat(decision(compile(large)).profile())
                .isNotSameAs(decision(compile(small)).profile())
                .isSameAs(decision(compile(large)).profile());
    }

    /** Passes without a time would count as taking none. */
    @Test
    void saysThatAQueueHasNoTimes() {
        for (int i = 0; i < LONG_ENOUGH; i++) {
            FramePlan plan = compile(graph(false));
            long[] nanos = times(plan);
            plan.passes().stream()
                    .filter(pass -> pass.queue() == 1)
                    .forEach(pass -> Arrays.fill(nanos, 2 * pass.index(), 2 * pass.index() + 2, Long.MIN_VALUE));
            decision(plan).profile().measured(CompiledPlan.of(plan).structure(), decision(plan), nanos);
        }
        FramePlan next = compile(graph(false));
        assertThat(beside(next)).containsExactly("ssao", "blur");
        assertThat(next.warnings())
                .extracting(PlanWarning::message)
                .containsExactly("graph 'frame' measures which passes pay beside graphics, but no pass on queue"
                        + " 'compute' has a time; they stay where they are");
    }

    /** A region whose tag is gone is no longer beside graphics, whatever was decided. */
    @Test
    void aTagThatIsTakenBackLeavesNothingToMeasure() {
        run(LONG_ENOUGH, false);
        FramePlan plan = compile(graph(false));
        for (int i = 0; i < LONG_ENOUGH; i++) {
            plan = compile(graph(false, new PassFlag[0]));
            decision(plan).profile().measured(CompiledPlan.of(plan).structure(), decision(plan), times(plan));
        }
        assertThat(plan.explain("ssao")).noneMatch(line -> line.contains("its region is"));
    }

    /** What the host does meanwhile is no work of another queue of the device. */
    @Test
    void passesOfTheHostOverlapNothing() {
        RenderGraph graph = graph(false);
        RdgBuffer mapped = graph.createBuffer("mapped", BufferDescription.upload(64, BufferUsage.COPY_SRC));
        graph.hostPass("fill").overwrites(mapped, Access.HOST_WRITE).run(context -> {});
        graph.addPass("use", PassKind.COPY)
                .flag(PassFlag.NEVER_CULL)
                .reads(mapped, Access.COPY_SRC)
                .record(context -> {});
        FramePlan plan = compile(graph);
        List<FrameStatistics.PassTime> times = List.of(
                new FrameStatistics.PassTime("ssao", "compute", 1_000, 500),
                new FrameStatistics.PassTime("fill", "host", 1_000, 500),
                new FrameStatistics.PassTime("shadow", "graphics", 1_400, 500));
        FrameStatistics statistics = new FrameStatistics(0, 0, 0, 900, 0, 0, 0, 0, 0, 0, times, List.of(), List.of());
        assertThat(AsyncGains.of(plan, statistics).regions().get(0).overlappedNanos())
                .isEqualTo(100);
    }

    @Test
    void saysThatThereAreNoTimes() {
        FramePlan plan = compile(graph(false));
        long[] none = new long[2 * plan.passes().size()];
        Arrays.fill(none, Long.MIN_VALUE);
        decision(plan).profile().measured(CompiledPlan.of(plan).structure(), decision(plan), none);
        FramePlan next = compile(graph(false));
        assertThat(beside(next)).containsExactly("ssao", "blur");
        assertThat(next.warnings())
                .containsExactly(new PlanWarning(
                        PlanWarning.Code.UNMEASURED_ASYNC,
                        "frame",
                        "graph 'frame' measures which passes pay beside graphics, but the device has no timestamps;"
                                + " they stay where they are"));
    }
}
