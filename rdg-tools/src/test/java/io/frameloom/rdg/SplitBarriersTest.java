package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureUsage;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import io.frameloom.rdg.tools.PlanDiff;
import io.frameloom.rdg.tools.PlanJson;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Barriers are split where that is allowed and passes lie between; the judge proves the plans sound. */
class SplitBarriersTest {
    private static final QueueTopology ALL = new QueueTopology(List.of(
            new QueueTopology.Queue("graphics", QueueKind.GRAPHICS, 0),
            new QueueTopology.Queue("compute", QueueKind.COMPUTE, 1),
            new QueueTopology.Queue("copy", QueueKind.COPY, 2)));
    private static final TextureDescription TARGET =
            TextureDescription.of(64, 64, Format.R8G8B8A8_UNORM, TextureUsage.COLOR_ATTACHMENT, TextureUsage.SAMPLED);

    private final RenderGraph graph = new RenderGraph("splitting");
    private final FilledBuffers buffers = new FilledBuffers(graph);

    private FramePlan compile(boolean hoist) {
        RdgOptions options = RdgOptions.defaults()
                .withPolicy(PlanPolicy.defaults().withSplitBarriers(true).withHoistBarriers(hoist));
        return new RenderGraphCompiler(options).compile(graph, ALL, PlanCase.SIZER);
    }

    private void other(String name) {
        RdgBuffer to = graph.createBuffer("of " + name, FilledBuffers.DATA);
        graph.extract(to, Access.STORAGE_WRITE_COMPUTE);
        graph.addPass(name, PassKind.COMPUTE)
                .overwrites(to, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
    }

    /** The barriers of a resource, each by the pass behind which it begins, or by why it is whole, and the pass before which it ends. */
    private static List<String> halves(FramePlan plan, RdgResource resource) {
        List<String> halves = new ArrayList<>();
        for (PassPlan pass : plan.passes()) {
            for (PlanBarrier barrier : pass.before()) {
                if (plan.resources().get(barrier.resource()).name().equals(resource.name())) {
                    BarrierSplit split = Objects.requireNonNull(barrier.split());
                    halves.add((split.refusal() == null
                                    ? plan.passes().get(split.begin()).name()
                                    : split.refusal()) + " to " + pass.name());
                }
            }
        }
        return halves;
    }

    @Test
    void whatIsUsedLaterIsSplitAndWhatIsUsedNextIsNot() {
        RdgBuffer a = buffers.filled("a");
        RdgBuffer b = buffers.filled("b");
        buffers.user("use b", b).record(context -> {});
        buffers.user("use a", a).record(context -> {});
        FramePlan plan = compile(false);
        assertThat(halves(plan, a)).containsExactly("fill a to use a");
        assertThat(halves(plan, b)).containsExactly("ADJACENT to use b");
        assertThat(plan.explain("a"))
                .contains(
                        "  barrier before 'use a': a: read after write: fill a wrote, use a read; split: the first half"
                                + " after fill a");
        assertThat(plan.explain("b"))
                .contains("  barrier before 'use b': b: read after write: fill b wrote, use b read; whole: no pass lies"
                        + " between");
    }

    @Test
    void nothingIsSplitOrSaidWhereNobodyAsks() {
        RdgBuffer a = buffers.filled("a");
        other("other");
        buffers.user("use a", a).record(context -> {});
        FramePlan plan = new RenderGraphCompiler(RdgOptions.defaults()).compile(graph, ALL, PlanCase.SIZER);
        assertThat(plan.passes())
                .flatExtracting(PassPlan::before)
                .isNotEmpty()
                .allMatch(barrier -> barrier.split() == null && !barrier.isSplit());
        assertThat(String.join("\n", plan.explain("a"))).doesNotContain("whole").doesNotContain("split");
    }

    @Test
    void thePlanIsWrittenAndComparedWithItsHalves() throws IOException {
        RdgBuffer a = buffers.filled("a");
        RdgBuffer b = buffers.filled("b");
        buffers.user("use b", b).record(context -> {});
        buffers.user("use a", a).record(context -> {});
        FramePlan split = compile(false);
        StringWriter json = new StringWriter();
        PlanJson.write(split, json);
        assertThat(json.toString())
                .contains("\"splitBarriers\" : true")
                .contains("\"splitBehind\" : ")
                .contains("\"whole\" : \"ADJACENT\"");
        FramePlan whole = new RenderGraphCompiler(RdgOptions.defaults()).compile(graph, ALL, PlanCase.SIZER);
        assertThat(PlanDiff.between(whole, split).changes().toString()).contains("split: the first half after fill a");
    }

    @Test
    void passesOfOneRenderPassAreOne() {
        RdgTexture target = graph.createTexture("target", TARGET);
        RdgTexture shown = graph.createTexture("shown", TARGET);
        graph.extract(shown, Access.SAMPLED_FRAGMENT);
        for (String name : List.of("draw", "draw more")) {
            graph.addPass(name, PassKind.RASTER)
                    .color(target, name.equals("draw") ? LoadOp.CLEAR : LoadOp.LOAD, ClearColor.BLACK_TRANSPARENT)
                    .record(context -> {});
        }
        graph.addPass("show", PassKind.RASTER)
                .reads(target, Access.SAMPLED_FRAGMENT)
                .color(shown, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                .record(context -> {});
        assertThat(halves(compile(false), target)).endsWith("ADJACENT to show");
    }

    @Test
    void theFirstHalfIsBehindTheWholeRenderPass() {
        RdgTexture target = graph.createTexture("target", TARGET);
        RdgTexture shown = graph.createTexture("shown", TARGET);
        graph.extract(shown, Access.SAMPLED_FRAGMENT);
        graph.addPass("draw", PassKind.RASTER)
                .color(target, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                .record(context -> {});
        graph.addPass("draw more", PassKind.RASTER)
                .color(target, LoadOp.LOAD, ClearColor.BLACK_TRANSPARENT)
                .record(context -> {});
        other("other");
        graph.addPass("show", PassKind.RASTER)
                .reads(target, Access.SAMPLED_FRAGMENT)
                .color(shown, LoadOp.CLEAR, ClearColor.BLACK_TRANSPARENT)
                .record(context -> {});
        FramePlan plan = compile(false);
        assertThat(plan.renderPasses().get(0).passes()).hasSize(2);
        assertThat(halves(plan, target)).endsWith("draw more to show");
    }

    @Test
    void nothingIsInTransitionAcrossUndeclaredAccesses() {
        RdgBuffer a = buffers.filled("a");
        RdgBuffer b = buffers.filled("b");
        graph.addPass("untracked", PassKind.COMPUTE)
                .flag(PassFlag.UNTRACKED_ACCESS)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {});
        buffers.user("use b", b).record(context -> {});
        buffers.user("use a", a).record(context -> {});
        FramePlan plan = compile(false);
        assertThat(halves(plan, b)).containsExactly("UNTRACKED to use b");
        assertThat(halves(plan, a)).containsExactly("untracked to use a");
    }

    @Test
    void norOfAnotherQueueThanTheirs() {
        RdgBuffer a = graph.createBuffer("a", FilledBuffers.DATA);
        RdgBuffer b = graph.createBuffer("b", FilledBuffers.DATA);
        graph.addPass("fill", PassKind.COMPUTE)
                .flag(PassFlag.ASYNC_COMPUTE)
                .overwrites(a, Access.STORAGE_WRITE_COMPUTE)
                .overwrites(b, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        buffers.user("before", b).flag(PassFlag.ASYNC_COMPUTE).record(context -> {});
        graph.addPass("untracked", PassKind.COMPUTE)
                .flag(PassFlag.UNTRACKED_ACCESS)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {});
        buffers.user("behind", b).flag(PassFlag.ASYNC_COMPUTE).record(context -> {});
        buffers.user("between", b).flag(PassFlag.ASYNC_COMPUTE).record(context -> {});
        buffers.user("use a", a).flag(PassFlag.ASYNC_COMPUTE).record(context -> {});
        assertThat(halves(compile(false), a)).containsExactly("behind to use a");
    }

    @Test
    void notBetweenQueuesAndNotForTheHost() {
        RdgBuffer a = buffers.filled("a");
        other("other");
        buffers.user("beside", a).flag(PassFlag.ASYNC_COMPUTE).record(context -> {});
        buffers.user("use a", a).record(context -> {});
        assertThat(halves(compile(false), a)).containsExactly("CROSS_QUEUE to use a");
    }

    @Test
    void notOnAQueueThatOnlyCopies() {
        RdgBuffer a = graph.createBuffer("a", FilledBuffers.DATA);
        graph.addPass("fill", PassKind.COPY).overwrites(a, Access.COPY_DST).record(context -> {});
        for (String name : List.of("other", "copy a")) {
            RdgBuffer to = graph.createBuffer("to " + name, FilledBuffers.DATA);
            graph.extract(to, Access.COPY_DST);
            PassBuilder pass = graph.addPass(name, PassKind.COPY).overwrites(to, Access.COPY_DST);
            (name.equals("other") ? pass : pass.reads(a, Access.COPY_SRC)).record(context -> {});
        }
        FramePlan plan = QueuedGraphs.compile(
                graph,
                pass -> 2,
                RdgOptions.defaults().withPolicy(PlanPolicy.defaults().withSplitBarriers(true)),
                ALL,
                PlanCase.SIZER);
        assertThat(halves(plan, a)).containsExactly("COPY_QUEUE to copy a");
    }

    /** What is hoisted goes with others as one command, and those stay whole with it. */
    @Test
    void hoistingComesFirst() {
        RdgBuffer a = buffers.filled("a");
        RdgBuffer b = buffers.filled("b");
        other("first");
        buffers.user("use b", b).record(context -> {});
        other("second");
        buffers.user("use a", a).record(context -> {});
        RdgBuffer c = buffers.filled("c");
        other("third");
        buffers.user("use c", c).record(context -> {});
        FramePlan both = compile(true);
        assertThat(halves(both, a)).containsExactly("HOISTED to use b");
        assertThat(halves(both, b)).containsExactly("HOISTED to use b");
        assertThat(halves(both, c)).endsWith("fill c to use c");
        FramePlan split = compile(false);
        assertThat(halves(split, a)).containsExactly("fill a to use a");
        assertThat(halves(split, b)).containsExactly("fill b to use b");
    }

    /** Each split barrier of random plans, with its first half anywhere else, or without the second. */
    @Test
    void theJudgeNoticesAHalfInTheWrongPlace() {
        int early = 0;
        int gone = 0;
        int acrossQueues = 0;
        for (long seed = 0; seed < 1200 && Math.min(early, gone) < 60; seed++) {
            PlanCase random = RandomCases.judged(seed, 1 + (int) (seed % 3));
            FramePlan plan = random.with(random.options()
                            .withPolicy(random.options().policy().withSplitBarriers(true)))
                    .compile();
            new PlanJudge(random.model(), plan).judge();
            for (PassPlan pass : plan.passes()) {
                for (int i = 0; i < pass.before().size(); i++) {
                    PlanBarrier barrier = pass.before().get(i);
                    if (!barrier.isSplit()) {
                        continue;
                    }
                    int begin = Objects.requireNonNull(barrier.split()).begin();
                    int before = neighbour(plan, begin, true);
                    boolean moves = barrier.oldLayout() != barrier.newLayout();
                    // Whatever lies before the last pass of the former state misses that pass.
                    if (before >= 0 && moves && usesRange(plan, begin, barrier)) {
                        refused(random, PlanPropertiesTest.with(plan, pass.index(), i, begun(barrier, before)), seed);
                        early++;
                    }
                    if (moves) {
                        refused(random, PlanPropertiesTest.with(plan, pass.index(), i, null), seed);
                        gone++;
                    }
                    int elsewhere = neighbour(plan, begin, false);
                    if (elsewhere >= 0) {
                        refused(
                                random,
                                PlanPropertiesTest.with(plan, pass.index(), i, begun(barrier, elsewhere)),
                                seed);
                        acrossQueues++;
                    }
                }
            }
        }
        assertThat(List.of(early, gone)).allMatch(count -> count >= 60);
        assertThat(acrossQueues).isPositive();
    }

    private static boolean usesRange(FramePlan plan, int pass, PlanBarrier barrier) {
        return plan.passes().get(pass).uses().stream()
                .anyMatch(use -> use.resource() == barrier.resource()
                        && use.range() != null
                        && use.range().overlaps(Objects.requireNonNull(barrier.range())));
    }

    /** Returns the pass before one on its queue, or one of another queue before it; -1 if there is none. */
    private static int neighbour(FramePlan plan, int pass, boolean sameQueue) {
        int queue = plan.passes().get(pass).queue();
        List<Integer> order = plan.batches().stream()
                .flatMap(batch -> batch.passes().stream())
                .toList();
        for (int i = order.indexOf(pass) - 1; i >= 0; i--) {
            if ((plan.passes().get(order.get(i)).queue() == queue) == sameQueue) {
                return order.get(i);
            }
        }
        return -1;
    }

    private static PlanBarrier begun(PlanBarrier barrier, int pass) {
        return new PlanBarrier(
                barrier.resource(),
                barrier.range(),
                barrier.offset(),
                barrier.bytes(),
                barrier.scope(),
                barrier.oldLayout(),
                barrier.newLayout(),
                barrier.ownership(),
                barrier.allMemory(),
                new BarrierSplit(pass, null),
                barrier.why());
    }

    private static void refused(PlanCase random, FramePlan broken, long seed) {
        assertThatThrownBy(() -> new PlanJudge(random.model(), broken).judge())
                .as("seed " + seed)
                .isInstanceOf(AssertionError.class);
    }
}
