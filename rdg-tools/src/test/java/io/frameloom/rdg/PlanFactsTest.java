package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.PlanDerivation.Dependency;
import io.frameloom.rdg.explain.PlanClocks;
import io.frameloom.rdg.tools.GraphFile;
import io.frameloom.rdg.tools.PlanJson;
import io.frameloom.rdg.tools.facts.PossibleSplits;
import io.frameloom.testing.TestEffort;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a plan says of itself holds in the plan: where barriers could be split, which waits imply others, why memory is shared. */
class PlanFactsTest {
    private static final int GRAPHS = TestEffort.of(50, 300);
    private static final BufferDescription DATA = BufferDescription.device(1024, BufferUsage.STORAGE);
    private static final QueueTopology THREE = new QueueTopology(List.of(
            new QueueTopology.Queue("graphics", QueueKind.GRAPHICS, 0),
            new QueueTopology.Queue("compute", QueueKind.COMPUTE, 1),
            new QueueTopology.Queue("compute 2", QueueKind.COMPUTE, 1)));

    @TempDir
    private Path folder;

    private final RenderGraph graph = new RenderGraph("facts");

    private GraphFile.Compiled compiled(FramePlan plan) throws IOException {
        StringWriter text = new StringWriter();
        PlanJson.write(plan, text);
        Path file = Files.writeString(folder.resolve("graph.json"), text.toString());
        return GraphFile.read(file).compile(UnaryOperator.identity());
    }

    /** Nodes that the compiler adds are no passes to hide something behind, and fences hold on all queues. */
    @Test
    void splitsAreThoseOfThePlan() throws IOException {
        int split = 0;
        int added = 0;
        for (long seed = 0; seed < GRAPHS; seed++) {
            PlanCase random = RandomCases.judged(seed, 1 + (int) (seed % 5));
            PlanPolicy policy =
                    random.options().policy().withSplitBarriers(true).withHoistBarriers(false);
            GraphFile.Compiled file =
                    compiled(random.with(random.options().withPolicy(policy)).compile());
            FramePlan plan = Objects.requireNonNull(file.plan());
            Set<Map<String, Object>> wanted = new PossibleSplits(plan).rows();
            assertThat(new HashSet<>((List<?>) file.facts().get("split")))
                    .as("seed %d", seed)
                    .isEqualTo(wanted);
            split += wanted.size();
            added += (int) plan.passes().stream()
                    .filter(pass -> pass.level() < 0 && !pass.culled())
                    .count();
        }
        assertThat(split).isGreaterThan(GRAPHS / 2);
        assertThat(added).isGreaterThan(3);
    }

    /** In the plan of seed 74 another barrier from and to the same layouts stands at the start of the frame. */
    @Test
    void aChangeOfLayoutIsOnTheQueueOfItsBarrier() throws IOException {
        int changes = 0;
        for (long seed : LongStream.concat(LongStream.range(0, GRAPHS), LongStream.of(74))
                .toArray()) {
            GraphFile.Compiled file =
                    compiled(RandomCases.judged(seed, 1 + (int) (seed % 5)).compile());
            FramePlan plan = Objects.requireNonNull(file.plan());
            PlanOrder order = new PlanOrder(plan);
            for (Object transition :
                    Objects.requireNonNull((Set<?>) file.facts().get("transitions"))) {
                Map<?, ?> row = (Map<?, ?>) transition;
                List<PassPlan> after = named(plan, Objects.requireNonNull((List<?>) row.get("after")));
                List<PassPlan> before = named(plan, Objects.requireNonNull((List<?>) row.get("before")));
                assertThat(plan.passes())
                        .as("seed %d: %s", seed, row)
                        .anyMatch(pass -> pass.queue() >= 0
                                && plan.queues()
                                        .queues()
                                        .get(pass.queue())
                                        .name()
                                        .equals(row.get("onQueue"))
                                && Stream.concat(pass.before().stream(), pass.after().stream())
                                        .anyMatch(barrier -> barrier.oldLayout()
                                                        .name()
                                                        .equals(row.get("from"))
                                                && barrier.newLayout().name().equals(row.get("to"))
                                                && plan.resources()
                                                        .get(barrier.resource())
                                                        .name()
                                                        .equals(row.get("r")))
                                && after.stream()
                                        .allMatch(each -> each.index() == pass.index()
                                                || order.before(each.index(), pass.index()))
                                && before.stream()
                                        .allMatch(each -> each.index() == pass.index()
                                                || order.before(pass.index(), each.index())));
                changes++;
            }
        }
        assertThat(changes).isGreaterThan(GRAPHS);
    }

    private static List<PassPlan> named(FramePlan plan, List<?> names) {
        return plan.passes().stream()
                .filter(pass -> names.contains(pass.name()))
                .toList();
    }

    private RdgBuffer pass(String name, int queue, RdgBuffer... read) {
        RdgBuffer written = graph.createBuffer("of " + name, DATA);
        PassBuilder pass = graph.addPass(name, PassKind.COMPUTE).flag(PassFlag.NEVER_CULL);
        if (queue > 0) {
            pass.onQueue(queue);
        }
        for (RdgBuffer each : read) {
            pass.reads(each, Access.STORAGE_READ_COMPUTE);
        }
        pass.overwrites(written, Access.STORAGE_WRITE_COMPUTE).record(context -> {});
        return written;
    }

    private FramePlan plan() {
        return new RenderGraphCompiler(RdgOptions.defaults()).compile(graph, THREE, PlanCase.SIZER);
    }

    @Test
    void aWaitThatIsLeftOutNamesThoseThatImplyIt() throws IOException {
        RdgBuffer a = pass("A", 0);
        RdgBuffer b = pass("B", 1, a);
        pass("C", 2, a, b);
        FramePlan plan = plan();
        String words = "implied by the wait of 'B' on compute for 'A' on graphics, then by that of 'C' on compute 2 for"
                + " 'B' on compute";
        assertThat(plan.explain("C")).contains("  comes after 'A': read after write on 'of A'; " + words);
        assertThat(compiled(plan).facts())
                .containsEntry("culledSyncs", List.of(List.of("A", "C")))
                .containsEntry("culledSyncsBy", List.of(List.of(List.of("A", "B"), List.of("B", "C"))));
    }

    @Test
    void waitsThatImplyOthersAreThoseOfThePlan() {
        int implied = 0;
        int chains = 0;
        for (long seed = 0; seed < GRAPHS; seed++) {
            FramePlan plan = RandomCases.judged(seed, 2 + (int) (seed % 4)).compile();
            Map<List<Integer>, Integer> place = places(plan);
            Set<PlanClocks.Wait> waits = waits(plan);
            PlanClocks clocks = new PlanClocks(plan);
            for (Dependency dependency : plan.dependencies()) {
                List<PlanClocks.Wait> chain = clocks.implying(dependency);
                if (!dependency.crossQueue() || dependency.waited()) {
                    assertThat(chain).isEmpty();
                    continue;
                }
                int at = dependency.from();
                for (PlanClocks.Wait wait : chain) {
                    assertThat(waits).contains(wait);
                    inOrder(plan, place, at, wait.from());
                    at = wait.to();
                }
                inOrder(plan, place, at, dependency.to());
                implied++;
                chains += chain.size() > 1 ? 1 : 0;
            }
        }
        assertThat(implied).isGreaterThan(GRAPHS);
        assertThat(chains).isGreaterThan(10);
    }

    private static void inOrder(FramePlan plan, Map<List<Integer>, Integer> place, int earlier, int later) {
        int queue = plan.passes().get(earlier).queue();
        assertThat(plan.passes().get(later).queue()).isEqualTo(queue);
        assertThat(place.get(List.of(queue, earlier))).isLessThanOrEqualTo(place.get(List.of(queue, later)));
    }

    /** By queue and pass its place in the order of submission. */
    private static Map<List<Integer>, Integer> places(FramePlan plan) {
        List<List<Integer>> order = new ArrayList<>();
        plan.batches().forEach(batch -> batch.passes().forEach(pass -> order.add(List.of(batch.queue(), pass))));
        return order.stream().collect(Collectors.toMap(key -> key, order::indexOf));
    }

    private static Set<PlanClocks.Wait> waits(FramePlan plan) {
        Set<PlanClocks.Wait> waits = new HashSet<>();
        for (FramePlan.Batch batch : plan.batches()) {
            for (FramePlan.BatchWait wait : batch.waits()) {
                List<Integer> source = plan.batches().get(wait.batch()).passes();
                waits.add(new PlanClocks.Wait(
                        source.get(source.size() - 1), batch.passes().get(0)));
            }
        }
        return waits;
    }

    @Test
    void placementsSayWhoseMemoryIsTakenOverAndWhyItIsNotShared() throws IOException {
        RdgBuffer a = pass("A", 0);
        RdgBuffer b = pass("B", 0, a);
        RdgBuffer c = pass("C", 0, b);
        RdgBuffer unshared = graph.createBuffer("unshared", DATA);
        graph.neverAlias(unshared);
        graph.addPass("D", PassKind.COMPUTE)
                .flag(PassFlag.NEVER_CULL)
                .reads(c, Access.STORAGE_READ_COMPUTE)
                .overwrites(unshared, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        FramePlan plan = plan();
        assertThat(plan.resources())
                .extracting(plan::placementReason)
                .containsExactly(
                        "is the first in its bytes, taken over after it by 'of C'",
                        "shares with nobody, since in use beside 'of A', 'of C'",
                        "takes over the memory of 'of A': all of their uses come before 'C'",
                        "has memory of its own, since it is declared to share none");
        assertThat(plan.explain("of C"))
                .contains("  " + plan.placementReason(plan.resources().get(2)));
        assertThat(compiled(plan).facts().get("placement"))
                .asString()
                .contains("reason=" + plan.placementReason(plan.resources().get(2)));
    }

    /** Whoever takes over memory says so, and only of what is complete before. */
    @Test
    void whatIsTakenOverIsComplete() {
        int taken = 0;
        for (long seed = 0; seed < GRAPHS; seed++) {
            FramePlan plan = RandomCases.judged(seed, 1 + (int) (seed % 5)).compile();
            PlanOrder order = new PlanOrder(plan);
            for (ResourcePlan resource : plan.resources()) {
                List<ResourcePlan> former = plan.resources().stream()
                        .filter(other -> other.index() != resource.index() && other.heap() == resource.heap())
                        .filter(other -> resource.heap() >= 0
                                && other.offset() < resource.offset() + resource.bytes()
                                && resource.offset() < other.offset() + other.bytes())
                        .filter(other -> precedes(plan, order, other, resource))
                        .toList();
                String reason = plan.placementReason(resource);
                assertThat(reason.startsWith("takes over"))
                        .as("seed %d: '%s' %s", seed, resource.name(), reason)
                        .isEqualTo(!former.isEmpty());
                for (ResourcePlan other : plan.resources()) {
                    if (!former.contains(other) && reason.startsWith("takes over")) {
                        assertThat(reason).doesNotContain("'" + other.name() + "'");
                    }
                }
                taken += former.isEmpty() ? 0 : 1;
            }
        }
        assertThat(taken).isGreaterThan(GRAPHS / 20);
    }

    private static boolean precedes(FramePlan plan, PlanOrder order, ResourcePlan a, ResourcePlan b) {
        for (int first : users(plan, a)) {
            for (int second : users(plan, b)) {
                if (!order.before(first, second)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static List<Integer> users(FramePlan plan, ResourcePlan resource) {
        return plan.passes().stream()
                .filter(pass -> !pass.culled())
                .filter(pass -> pass.uses().stream().anyMatch(use -> use.resource() == resource.index()))
                .map(PassPlan::index)
                .toList();
    }

    @Test
    void aBarrierNamesThePartOfItsResource() {
        RenderGraph graph = new RenderGraph("parts");
        RdgTexture texture = graph.createTexture(
                "levels",
                TextureDescription.of(8, 8, Format.R8G8B8A8_UNORM).withMips(4).withLayers(3));
        graph.addPass("whole", PassKind.COMPUTE)
                .flag(PassFlag.NEVER_CULL)
                .overwrites(texture, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        graph.addPass("some", PassKind.COMPUTE)
                .flag(PassFlag.NEVER_CULL)
                .reads(texture, new SubresourceRange(1, 2, 2, 1, 0, 1), Access.SAMPLED_COMPUTE)
                .record(context -> {});
        FramePlan plan =
                new RenderGraphCompiler(RdgOptions.defaults()).compile(graph, QueueTopology.single(), PlanCase.SIZER);
        assertThat(plan.explain("some"))
                .anyMatch(line -> line.startsWith("  before it: levels (mips 1 to 2, layer 2): GENERAL -> "));
        assertThat(plan.explain("whole")).anyMatch(line -> line.startsWith("  before it: levels: UNDEFINED -> "));
    }
}
