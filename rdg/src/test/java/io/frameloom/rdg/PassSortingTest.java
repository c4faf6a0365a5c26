package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.rdg.RdgError.Code;
import io.frameloom.testing.TestEffort;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Orders of passes that are declared without one, and errors of those that have none. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PassSortingTest {
    private static final RdgOptions OPTIONS =
            RdgOptions.defaults().withOrder(PassOrder.UNORDERED).withDebug(true);

    @Test
    void twoWritersAreToldWithTheirSites() {
        RenderGraph graph = new RenderGraph("writers", OPTIONS);
        RdgBuffer buffer = graph.createBuffer("buffer", BufferDescription.device(64, BufferUsage.STORAGE));
        write(graph, "A", buffer).record(context -> {});
        write(graph, "B", buffer).record(context -> {});

        refused(graph, Code.MULTI_WRITER);
    }

    @Test
    void aCircleIsToldWithItsSites() {
        RenderGraph graph = new RenderGraph("circle", OPTIONS);
        RdgBuffer a = graph.createBuffer("a", BufferDescription.device(64, BufferUsage.STORAGE));
        RdgBuffer b = graph.createBuffer("b", BufferDescription.device(64, BufferUsage.STORAGE));
        write(graph, "A", a).reads(b, Access.STORAGE_READ_COMPUTE).record(context -> {});
        write(graph, "B", b).reads(a, Access.STORAGE_READ_COMPUTE).record(context -> {});

        refused(graph, Code.CYCLE);
    }

    @Test
    void manyOrderedWritersAndReadersOfManyBuffersAreInOrder() {
        int each = TestEffort.of(700, 2_000);
        RenderGraph graph = new RenderGraph("many", OPTIONS);
        List<RdgBuffer> buffers = buffers(graph, 64);
        PassBuilder former = null;
        for (int w = 0; w < each; w++) {
            PassBuilder writer = graph.addPass("W" + w, PassKind.COMPUTE).flag(PassFlag.NEVER_CULL);
            buffers.forEach(buffer -> writer.overwrites(buffer, Access.STORAGE_WRITE_COMPUTE));
            if (former != null) {
                writer.after(former);
            }
            writer.record(context -> {});
            former = writer;
        }
        for (int r = 0; r < each; r++) {
            PassBuilder reader = graph.addPass("R" + r, PassKind.COMPUTE).flag(PassFlag.NEVER_CULL);
            buffers.forEach(buffer -> reader.reads(buffer, Access.STORAGE_READ_COMPUTE));
            reader.record(context -> {});
        }

        List<String> order = order(graph);

        assertThat(order).hasSize(2 * each);
        assertThat(order.subList(0, each)).allMatch(name -> name.startsWith("W"));
    }

    /** Every edge of the rule, one by one: what is kept of them must give the same order. */
    @Test
    void ordersAreThoseOfTheWholeRule() {
        int refused = 0;
        for (int seed = 0; seed < TestEffort.of(50, 300); seed++) {
            Random random = new Random(seed);
            int passes = 2 + random.nextInt(90);
            RenderGraph graph = new RenderGraph("seed " + seed, OPTIONS);
            List<RdgBuffer> buffers = buffers(graph, 6);
            List<Integer> shuffled =
                    new ArrayList<>(IntStream.range(0, passes).boxed().toList());
            Collections.shuffle(shuffled, random);
            BitSet[] after = new BitSet[passes];
            boolean[][] writes = new boolean[buffers.size()][passes];
            boolean[][] reads = new boolean[buffers.size()][passes];
            List<PassBuilder> builders = new ArrayList<>();
            for (int p = 0; p < passes; p++) {
                builders.add(graph.addPass("P" + p, PassKind.COMPUTE).flag(PassFlag.NEVER_CULL));
                after[p] = new BitSet();
            }
            int behind = random.nextInt(3);
            for (int i = 1; i < passes; i++) {
                int p = shuffled.get(i);
                for (int n = 0; n < behind; n++) {
                    int before = shuffled.get(n == 0 && behind == 2 ? i - 1 : random.nextInt(i));
                    builders.get(p).after(builders.get(before));
                    after[p].set(before);
                }
            }
            for (int p = 0; p < passes; p++) {
                for (int b = 0; b < buffers.size(); b++) {
                    int use = random.nextInt(behind == 2 ? 4 : 24);
                    writes[b][p] = use == 0;
                    reads[b][p] = use == 1;
                    if (writes[b][p]) {
                        builders.get(p).overwrites(buffers.get(b), Access.STORAGE_WRITE_COMPUTE);
                    } else if (reads[b][p]) {
                        builders.get(p).reads(buffers.get(b), Access.STORAGE_READ_COMPUTE);
                    }
                }
                builders.get(p).record(context -> {});
            }

            List<String> expected = whole(after, writes, reads);
            if (expected.isEmpty()) {
                refused++;
                assertThatThrownBy(() -> order(graph)).as("seed %d", seed).isInstanceOf(RdgValidationException.class);
            } else {
                assertThat(order(graph)).as("seed %d", seed).isEqualTo(expected);
            }
        }
        assertThat(refused).isBetween(10, 290);
    }

    /** Empty if nothing says which of two writers comes first, or a buffer is read that nothing writes before. */
    private static List<String> whole(BitSet[] after, boolean[][] writes, boolean[][] reads) {
        int passes = after.length;
        BitSet[] behind = new BitSet[passes];
        for (int p = 0; p < passes; p++) {
            behind[p] = (BitSet) after[p].clone();
        }
        for (int k = 0; k < passes; k++) {
            for (int p = 0; p < passes; p++) {
                if (behind[p].get(k)) {
                    behind[p].or(behind[k]);
                }
            }
        }
        BitSet[] edges = new BitSet[passes];
        for (int p = 0; p < passes; p++) {
            edges[p] = (BitSet) behind[p].clone();
        }
        for (int b = 0; b < writes.length; b++) {
            for (int p = 0; p < passes; p++) {
                boolean unwritten = reads[b][p];
                for (int q = 0; q < passes; q++) {
                    if (writes[b][p] && writes[b][q] && p != q && !behind[p].get(q) && !behind[q].get(p)) {
                        return List.of();
                    }
                    if (reads[b][p] && writes[b][q] && !behind[q].get(p)) {
                        edges[p].set(q);
                        unwritten = false;
                    }
                }
                if (unwritten) {
                    return List.of();
                }
            }
        }
        List<String> order = new ArrayList<>();
        BitSet done = new BitSet();
        for (int p = 0; p < passes; p++) {
            BitSet missing = (BitSet) edges[p].clone();
            missing.andNot(done);
            if (!done.get(p) && missing.isEmpty()) {
                done.set(p);
                order.add("P" + p);
                p = -1;
            }
        }
        return order;
    }

    private static List<RdgBuffer> buffers(RenderGraph graph, int count) {
        return IntStream.range(0, count)
                .mapToObj(b -> graph.createBuffer("b" + b, BufferDescription.device(64, BufferUsage.STORAGE)))
                .toList();
    }

    private static List<String> order(RenderGraph graph) {
        return new RenderGraphCompiler(OPTIONS)
                .compile(graph, QueueTopology.single(), PlanPropertiesTest.SIZER).passes().stream()
                        .map(FramePlan.PassPlan::name)
                        .toList();
    }

    private static PassBuilder write(RenderGraph graph, String name, RdgBuffer buffer) {
        return graph.addPass(name, PassKind.COMPUTE)
                .flag(PassFlag.NEVER_CULL)
                .overwrites(buffer, Access.STORAGE_WRITE_COMPUTE);
    }

    private static void refused(RenderGraph graph, Code code) {
        assertThatThrownBy(() -> new RenderGraphCompiler(OPTIONS)
                        .compile(graph, QueueTopology.graphicsAndCompute(), PlanPropertiesTest.SIZER))
                .isInstanceOfSatisfying(RdgValidationException.class, thrown -> {
                    assertThat(thrown.errors()).extracting(RdgError::code).containsExactly(code);
                    assertThat(thrown.errors().get(0).sites())
                            .hasSize(2)
                            .allMatch(site -> site.contains("PassSortingTest.java"));
                });
    }
}
