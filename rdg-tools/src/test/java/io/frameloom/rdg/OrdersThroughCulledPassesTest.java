package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.rdg.compile.PlanCompiler;
import io.frameloom.rdg.tools.GraphFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Declared orders hold whatever is culled in between. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OrdersThroughCulledPassesTest {
    private static final RdgOptions OPTIONS = RdgOptions.defaults();

    private final RenderGraph graph = new RenderGraph("frame", OPTIONS);

    private PassBuilder external(RenderGraph of, String name) {
        RdgBuffer out = of.registerExternal(FakeResources.buffer("out of " + name, 64));
        return of.addPass(name, PassKind.COMPUTE).overwrites(out, Access.STORAGE_WRITE_COMPUTE);
    }

    private PassBuilder culled(RenderGraph of, String name) {
        RdgBuffer unread = of.createBuffer("of " + name, BufferDescription.device(64, BufferUsage.STORAGE));
        return of.addPass(name, PassKind.COMPUTE).overwrites(unread, Access.STORAGE_WRITE_COMPUTE);
    }

    private FramePlan compile(RdgOptions options) {
        return PlanCompiler.compile(
                graph.declaration().declared().copy(),
                graph.declaration().bound(),
                options,
                QueueTopology.graphicsAndCompute(),
                PlanPropertiesTest.SIZER);
    }

    @Test
    void aPassWaitsForTheOneBeforeACulledPass() {
        PassBuilder a = external(graph, "A").flag(PassFlag.ASYNC_COMPUTE);
        a.record(context -> {});
        PassBuilder b = culled(graph, "B").after(a);
        b.record(context -> {});
        PassBuilder c = culled(graph, "C").after(b);
        c.record(context -> {});
        external(graph, "D").after(c).record(context -> {});

        for (WaitStageScope scope : WaitStageScope.values()) {
            FramePlan plan = compile(OPTIONS.withPolicy(OPTIONS.policy().withWaitStageScope(scope)));

            assertThat(plan.passes()).extracting(FramePlan.PassPlan::culled).containsExactly(false, true, true, false);
            assertThat(plan.dependencies()).singleElement().satisfies(dependency -> {
                assertThat(dependency.from()).isZero();
                assertThat(dependency.to()).isEqualTo(3);
                assertThat(dependency.kinds()).containsExactly(PlanDerivation.DependencyKind.DECLARED);
                assertThat(dependency.waited()).isTrue();
            });
            assertThat(plan.waitCount()).isOne();
        }
    }

    /** Each pair of passes would be more orders than a plan may have. */
    @Test
    void aCulledPassBetweenManyAndManyStandsForNoPair() {
        int many = 1000;
        List<PassBuilder> before = new ArrayList<>();
        for (int p = 0; p < many; p++) {
            PassBuilder pass = external(graph, "before " + p);
            if (p % 2 == 0) {
                pass.flag(PassFlag.ASYNC_COMPUTE);
            }
            pass.record(context -> {});
            before.add(pass);
        }
        PassBuilder first = culled(graph, "first");
        before.forEach(first::after);
        first.record(context -> {});
        PassBuilder marker = culled(graph, "marker").after(first);
        marker.record(context -> {});
        for (int p = 0; p < many; p++) {
            PassBuilder pass = external(graph, "behind " + p).after(marker);
            if (p % 2 == 0) {
                pass.flag(PassFlag.ASYNC_COMPUTE);
            }
            pass.record(context -> {});
        }

        for (WaitStageScope scope : WaitStageScope.values()) {
            FramePlan plan = compile(OPTIONS.withPolicy(OPTIONS.policy().withWaitStageScope(scope)));

            assertThat(plan.dependencies()).hasSizeLessThanOrEqualTo(3 * many);
            assertThat(plan.waitCount()).isEqualTo(2);
            assertThat(plan.batches())
                    .extracting(batch -> batch.passes().size())
                    .containsExactly(many / 2, many / 2, many / 2, many / 2);
            assertThat(plan.passes().subList(many + 2, 2 * many + 2))
                    .allSatisfy(pass -> assertThat(pass.level()).isOne());
        }
    }

    /** What is printed of a file names each pair, whether passes stand for others in the plan or not. */
    @Test
    void theFactsOfAFileNameEachPair(@TempDir Path folder) throws IOException {
        int many = 40;
        StringBuilder passes = new StringBuilder();
        StringBuilder resources = new StringBuilder();
        StringBuilder orders = new StringBuilder();
        for (int p = 0; p <= many; p++) {
            String more = p == 0 ? "" : ",";
            resources.append(more).append("{'id':'r" + p + "','kind':'buffer','lifetime':'external'}");
            passes.append(more)
                    .append(p == many ? "{'id':'marker','kind':'compute','uses':[]}," : "")
                    .append("{'id':'p" + p + "','kind':'compute','uses':[{'r':'r" + p + "','a':'storageWriteComp'}]}");
            orders.append(more).append(p == many ? "['marker','p" + p + "']" : "['p" + p + "','marker']");
        }
        String text = "{'queues':[{'id':'g','caps':['graphics']}],'resources':[" + resources + "],'passes':[" + passes
                + "],'explicitDeps':[" + orders + "]}";
        Path file = Files.writeString(folder.resolve("graph.json"), text.replace('\'', '"'));

        Map<String, Object> facts =
                GraphFile.read(file).compile(options -> options).facts();

        assertThat(facts).containsEntry("culled", List.of("marker"));
        List<List<String>> wanted = IntStream.range(0, many)
                .mapToObj(p -> List.of("p" + p, "p" + many))
                .toList();
        assertThat(facts).containsEntry("mustPrecede", wanted).containsEntry("mustPrecedeWithTransitions", wanted);
        assertThat((List<?>) facts.get("mayReorder")).hasSize(many * (many - 1));
    }

    /** Levels count the longest chain, whichever pass is the last of its queue. */
    @Test
    void aLongChainBeforeACulledPassCounts() {
        PassBuilder a = external(graph, "A");
        a.record(context -> {});
        PassBuilder b = external(graph, "B").after(a);
        b.record(context -> {});
        List<PassBuilder> before = new ArrayList<>(List.of(b));
        for (int p = 0; p < 40; p++) {
            PassBuilder other = external(graph, "other " + p);
            other.record(context -> {});
            before.add(other);
        }
        PassBuilder marker = culled(graph, "marker");
        before.forEach(marker::after);
        marker.record(context -> {});
        external(graph, "last").after(marker).record(context -> {});

        FramePlan plan = compile(OPTIONS);

        assertThat(plan.passes().get(42).culled()).isTrue();
        assertThat(plan.passes().get(43).level()).isEqualTo(2);
        assertThat(plan.dependencies())
                .filteredOn(dependency -> dependency.to() == 43)
                .extracting(PlanDerivation.Dependency::from)
                .containsExactlyInAnyOrder(1, 41);
    }

    /** What a removed pass would have read or overwritten orders nothing. */
    @Test
    void dataOfACulledPassOrdersNothing() {
        RdgBuffer data = graph.registerExternal(FakeResources.buffer("data", 64));
        graph.addPass("A", PassKind.COMPUTE)
                .overwrites(data, Access.STORAGE_WRITE_COMPUTE)
                .record(context -> {});
        PassBuilder b = culled(graph, "B").reads(data, Access.STORAGE_READ_COMPUTE);
        b.record(context -> {});
        external(graph, "C").after(b).record(context -> {});

        assertThat(compile(OPTIONS).dependencies()).isEmpty();
    }

    @Test
    void randomOrdersHoldForAllThatIsLeft() {
        int through = 0;
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            RenderGraph frame = new RenderGraph("seed " + seed, OPTIONS);
            int passes = 2 + random.nextInt(60);
            List<PassBuilder> all = new ArrayList<>();
            boolean[][] before = new boolean[passes][passes];
            boolean[] live = new boolean[passes];
            for (int p = 0; p < passes; p++) {
                live[p] = random.nextInt(3) == 0;
                PassBuilder pass = live[p] ? external(frame, "P" + p) : culled(frame, "P" + p);
                if (live[p] && random.nextBoolean()) {
                    pass.flag(PassFlag.ASYNC_COMPUTE);
                }
                for (int n = random.nextInt(random.nextInt(6) == 0 ? 60 : 3); n > 0 && p > 0; n--) {
                    int earlier = random.nextInt(p);
                    pass.after(all.get(earlier));
                    before[earlier][p] = true;
                    for (int k = 0; k < earlier; k++) {
                        before[k][p] |= before[k][earlier];
                    }
                    through += live[earlier] ? 0 : 1;
                }
                pass.record(context -> {});
                all.add(pass);
            }
            FramePlan plan = PlanCompiler.compile(
                    frame.declaration().declared(),
                    frame.declaration().bound(),
                    OPTIONS,
                    QueueTopology.graphicsAndCompute(),
                    PlanPropertiesTest.SIZER);
            PlanOrder order = new PlanOrder(plan);
            for (int a = 0; a < passes; a++) {
                for (int b = a + 1; b < passes; b++) {
                    if (before[a][b] && live[a] && live[b]) {
                        assertThat(order.before(a, b))
                                .as("seed %d: P%d before P%d", seed, a, b)
                                .isTrue();
                    }
                }
            }
        }
        assertThat(through).isGreaterThan(100);
    }
}
