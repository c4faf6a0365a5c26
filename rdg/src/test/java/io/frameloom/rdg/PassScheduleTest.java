package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.rdg.PassSchedule.Policy;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Orders of passes: what each policy is good at, what it may not do, and that it is never worse than the program's. */
class PassScheduleTest {
    private static final QueueTopology ONE =
            new QueueTopology(List.of(new QueueTopology.Queue("graphics", QueueKind.GRAPHICS, 0)));
    private static final QueueTopology TWO = new QueueTopology(List.of(
            new QueueTopology.Queue("graphics", QueueKind.GRAPHICS, 0),
            new QueueTopology.Queue("compute", QueueKind.COMPUTE, 1)));
    private static final BufferDescription DATA =
            BufferDescription.device(1024, BufferUsage.STORAGE, BufferUsage.COPY_SRC, BufferUsage.COPY_DST);

    private static FramePlan compile(RenderGraph graph, QueueTopology queues, PassSchedule schedule) {
        RdgOptions options =
                RdgOptions.defaults().withPolicy(PlanPolicy.defaults().withSchedule(schedule));
        return new RenderGraphCompiler(options).compile(graph, queues, PlanCase.SIZER);
    }

    private static FramePlan compile(RenderGraph graph, QueueTopology queues, Policy policy) {
        return compile(graph, queues, PassSchedule.of(policy));
    }

    private static List<String> order(FramePlan plan) {
        return plan.batches().stream()
                .flatMap(batch -> batch.passes().stream())
                .map(pass -> plan.passes().get(pass).name())
                .toList();
    }

    private static Set<String> culled(FramePlan plan) {
        return plan.passes().stream()
                .filter(FramePlan.PassPlan::culled)
                .map(FramePlan.PassPlan::name)
                .collect(Collectors.toSet());
    }

    private static void fill(RenderGraph graph, String name, RdgBuffer target) {
        graph.addPass(name, PassKind.COPY).overwrites(target, Access.COPY_DST).record(context -> {});
    }

    private static PassBuilder mix(RenderGraph graph, String name, RdgBuffer from, RdgBuffer to) {
        return graph.addPass(name, PassKind.COMPUTE)
                .reads(from, Access.STORAGE_READ_COMPUTE)
                .overwrites(to, Access.STORAGE_WRITE_COMPUTE);
    }

    private static RdgBuffer kept(RenderGraph graph, String name) {
        RdgBuffer buffer = graph.createBuffer(name, DATA);
        graph.extract(buffer, Access.STORAGE_READ_COMPUTE);
        return buffer;
    }

    /** Six buffers are filled, then six read: one at a time is enough. */
    @Test
    void memory() {
        RenderGraph graph = new RenderGraph("memory");
        RdgBuffer[] buffers = new RdgBuffer[6];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = graph.createBuffer("t" + i, DATA);
            fill(graph, "fill " + i, buffers[i]);
        }
        for (int i = 0; i < buffers.length; i++) {
            mix(graph, "use " + i, buffers[i], kept(graph, "o" + i)).record(context -> {});
        }
        FramePlan program = compile(graph, ONE, Policy.PROGRAM);
        FramePlan plan = compile(graph, ONE, Policy.MEMORY);
        assertThat(plan.scheduleRefusal()).isEmpty();
        assertThat(program.heapBytes()).isEqualTo(6 * plan.heapBytes());
        assertThat(order(plan)).startsWith("fill 0", "use 0", "fill 1", "use 1");
    }

    /** Passes that nothing needs have an order, too, and here it takes more dependencies than are reported. */
    @Test
    void whatIsBeyondTheCompilerLeavesTheProgramsOrder() {
        for (Policy policy : List.of(Policy.MEMORY, Policy.RANDOM, Policy.OVERLAP)) {
            RenderGraph graph = new RenderGraph("beyond");
            RdgBuffer shared = graph.createBuffer("shared", DATA);
            OverlapGroup group = graph.overlapGroup("tiles");
            for (int i = 0; i < 1500; i++) {
                PassBuilder pass = graph.addPass("p" + i, PassKind.COMPUTE);
                (i < 750
                                ? pass.writes(shared, Access.STORAGE_WRITE_COMPUTE, group)
                                : pass.reads(shared, Access.STORAGE_READ_COMPUTE))
                        .record(context -> {});
            }
            fill(graph, "last", kept(graph, "kept"));
            FramePlan plan = compile(graph, ONE, policy);
            assertThat(order(plan)).containsExactly("last");
            assertThat(plan.culledCount()).isEqualTo(1500);
            assertThat(plan.scheduleRefusal())
                    .contains("the order " + PassSchedule.of(policy), "more than 524288 dependencies");
        }
    }

    /** Copies and dispatches take turns in the program; of two kinds one change is enough. */
    @Test
    void batch() {
        RenderGraph graph = new RenderGraph("batch");
        RdgBuffer from = kept(graph, "from");
        fill(graph, "first", from);
        for (int i = 0; i < 4; i++) {
            mix(graph, "mix " + i, from, kept(graph, "a" + i)).record(context -> {});
            fill(graph, "fill " + i, kept(graph, "b" + i));
        }
        assertThat(compile(graph, ONE, Policy.PROGRAM).kindSwitches()).isEqualTo(8);
        FramePlan plan = compile(graph, ONE, Policy.BATCH);
        assertThat(plan.kindSwitches()).isEqualTo(1);
        assertThat(order(plan)).startsWith("first", "fill 0", "fill 1").endsWith("mix 3");
    }

    /** What the other queue needs goes first, what needs the other queue goes last. */
    @Test
    void overlap() {
        RenderGraph graph = new RenderGraph("overlap");
        RdgBuffer source = graph.createBuffer("source", DATA);
        RdgBuffer result = graph.createBuffer("result", DATA);
        fill(graph, "unrelated 0", kept(graph, "a"));
        fill(graph, "source", source);
        mix(graph, "async", source, result).flag(PassFlag.ASYNC_COMPUTE).record(context -> {});
        mix(graph, "needs it", result, kept(graph, "b")).record(context -> {});
        fill(graph, "unrelated 1", kept(graph, "c"));
        FramePlan plan = compile(graph, TWO, Policy.OVERLAP);
        assertThat(order(plan).stream().filter(name -> !name.equals("async")))
                .containsExactly("source", "unrelated 0", "unrelated 1", "needs it");
    }

    @Test
    void everyOrderThatMeansTheSameIsReachedAtRandom() {
        RenderGraph graph = new RenderGraph("random");
        RdgBuffer a = graph.createBuffer("a", DATA);
        fill(graph, "fill", a);
        mix(graph, "left", a, kept(graph, "l")).record(context -> {});
        mix(graph, "right", a, kept(graph, "r")).record(context -> {});
        fill(graph, "other", kept(graph, "o"));
        Set<List<String>> seen = new HashSet<>();
        for (long seed = 0; seed < 400; seed++) {
            List<String> order = order(compile(graph, ONE, PassSchedule.random(seed)));
            assertThat(order(compile(graph, ONE, PassSchedule.random(seed)))).isEqualTo(order);
            assertThat(order.indexOf("fill")).isLessThan(Math.min(order.indexOf("left"), order.indexOf("right")));
            seen.add(order);
        }
        assertThat(seen).hasSize(8);
    }

    @ParameterizedTest
    @EnumSource(Policy.class)
    void nothingIsMovedAcrossAPassWithUndeclaredAccesses(Policy policy) {
        RenderGraph graph = new RenderGraph("fence");
        for (int i = 0; i < 3; i++) {
            fill(graph, "before " + i, kept(graph, "b" + i));
        }
        graph.addPass("fence", PassKind.COMPUTE)
                .flag(PassFlag.UNTRACKED_ACCESS)
                .flag(PassFlag.NEVER_CULL)
                .record(context -> {});
        for (int i = 0; i < 3; i++) {
            fill(graph, "behind " + i, kept(graph, "a" + i));
        }
        for (long seed = 0; seed < 20; seed++) {
            List<String> order = order(
                    compile(graph, ONE, policy == Policy.RANDOM ? PassSchedule.random(seed) : PassSchedule.of(policy)));
            assertThat(order.get(3)).isEqualTo("fence");
            assertThat(order.subList(0, 3)).allMatch(name -> name.startsWith("before"));
        }
    }

    /** In what a policy is about, and with the program's own order where it says so. */
    @ParameterizedTest
    @EnumSource(
            value = Policy.class,
            names = {"MEMORY", "BATCH", "OVERLAP"})
    void neverWorseThanTheProgram(Policy policy) {
        int better = 0;
        int refused = 0;
        for (long seed = 0; seed < 1_000; seed++) {
            PlanCase random = RandomCases.judged(seed, 1 + (int) (seed % 3));
            PlanPolicy plans = random.options().policy();
            FramePlan plan = random.with(random.options().withPolicy(plans.withSchedule(PassSchedule.of(policy))))
                    .compile();
            FramePlan program = random.with(random.options().withPolicy(plans.withSchedule(PassSchedule.PROGRAM)))
                    .compile();
            assertThat(culled(plan)).isEqualTo(culled(program));
            if (!plan.scheduleRefusal().isEmpty()) {
                refused++;
                assertThat(order(plan)).isEqualTo(order(program));
                assertThat(plan.scheduleRefusal()).contains("the program's");
            }
            Comparator<FramePlan> worse = switch (policy) {
                case MEMORY -> Comparator.comparingLong(FramePlan::heapBytes);
                case BATCH ->
                    Comparator.<FramePlan>comparingInt(FramePlan::kindSwitches)
                            .thenComparingInt(p -> p.batches().size());
                default -> Comparator.comparingLong(PassScheduleTest::longestRow);
            };
            int compared = worse.compare(plan, program);
            assertThat(compared).as("seed " + seed).isLessThanOrEqualTo(0);
            better += compared < 0 ? 1 : 0;
        }
        assertThat(better).isGreaterThan(3);
        assertThat(refused).isPositive();
    }

    /** The end of the last pass if each takes one unit of time, follows its queue and waits for what its batch waits for. */
    private static long longestRow(FramePlan plan) {
        long[] end = new long[plan.batches().size()];
        for (FramePlan.Batch batch : plan.batches()) {
            long begin = 0;
            for (FramePlan.Batch former : plan.batches().subList(0, batch.index())) {
                boolean waits = batch.waits().stream().anyMatch(wait -> wait.batch() == former.index());
                begin = former.queue() == batch.queue() || waits ? Math.max(begin, end[former.index()]) : begin;
            }
            end[batch.index()] = begin
                    + batch.passes().stream()
                            .filter(p -> plan.passes().get(p).level() >= 0)
                            .count();
        }
        long longest = 0;
        for (long e : end) {
            longest = Math.max(longest, e);
        }
        return longest;
    }

    @Test
    void textOfSchedules() {
        for (PassSchedule schedule : List.of(
                PassSchedule.PROGRAM,
                PassSchedule.of(Policy.MEMORY),
                PassSchedule.random(-5),
                PassSchedule.random(Long.MAX_VALUE),
                PassSchedule.random(Long.MIN_VALUE))) {
            assertThat(PassSchedule.parse(schedule.toString())).isEqualTo(schedule);
        }
        assertThatThrownBy(() -> PassSchedule.parse("random:x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("takes program, random:SEED, memory, batch or overlap, got 'random:x'");
        assertThatThrownBy(() -> PassSchedule.parse("random:9223372036854775808"))
                .hasMessage("takes program, random:SEED, memory, batch or overlap, got 'random:9223372036854775808'");
        assertThatThrownBy(() -> new PassSchedule(Policy.BATCH, 3)).hasMessageContaining("BATCH and 3");
    }
}
