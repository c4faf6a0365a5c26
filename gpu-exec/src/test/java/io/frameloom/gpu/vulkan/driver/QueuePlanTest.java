package io.frameloom.gpu.vulkan.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.QueueCounts;
import io.frameloom.gpu.command.CopyUnit;
import io.frameloom.gpu.command.QueueKind;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lwjgl.vulkan.VK13;

@Timeout(60)
class QueuePlanTest {
    private static final int GRAPHICS = VK13.VK_QUEUE_GRAPHICS_BIT;
    private static final int COMPUTE = VK13.VK_QUEUE_COMPUTE_BIT;
    private static final int COPY = VK13.VK_QUEUE_TRANSFER_BIT;
    private static final int SPARSE = VK13.VK_QUEUE_SPARSE_BINDING_BIT;
    private static final int VIDEO = 0x20;

    private static QueueFamily family(int index, int flags, int count) {
        return new QueueFamily(index, flags, count, 64, CopyUnit.TEXEL);
    }

    private static Optional<QueuePlan> plan(List<QueueFamily> families) {
        return QueuePlan.of(families, QueueCounts.ONE_OF_EACH);
    }

    private static List<String> names(QueuePlan plan) {
        return plan.queues().stream()
                .map(queue -> queue.name() + " " + queue.family().index() + "." + queue.index())
                .toList();
    }

    @Test
    void oneQueueOfASoftwareDriver() {
        QueuePlan plan = plan(List.of(family(0, GRAPHICS | COMPUTE | COPY, 1))).orElseThrow();
        assertThat(names(plan)).containsExactly("graphics 0.0");
        assertThat(plan.families()).containsExactly(0);
    }

    @Test
    void dedicatedFamiliesOfALargeGpu() {
        QueuePlan plan = plan(List.of(
                        family(0, GRAPHICS | COMPUTE | COPY | SPARSE, 16),
                        family(1, COPY | SPARSE, 2),
                        family(2, COMPUTE | COPY | SPARSE, 8),
                        family(3, COPY | VIDEO, 7)))
                .orElseThrow();
        assertThat(names(plan)).containsExactly("graphics 0.0", "compute 2.0", "copy 1.0");
        assertThat(plan.queues())
                .extracting(QueuePlan.Entry::kind)
                .containsExactly(QueueKind.GRAPHICS, QueueKind.COMPUTE, QueueKind.COPY);
        assertThat(plan.families()).containsExactly(0, 1, 2);
    }

    @Test
    void secondQueueOfTheOnlyFamily() {
        QueuePlan plan = plan(List.of(family(0, GRAPHICS | COMPUTE | COPY, 2))).orElseThrow();
        assertThat(names(plan)).containsExactly("graphics 0.0", "compute 0.1");
        assertThat(plan.families()).containsExactly(0);
    }

    @Test
    void videoEnginesAreNoCopyQueues() {
        QueuePlan plan = plan(List.of(family(0, GRAPHICS | COMPUTE, 1), family(1, COPY | VIDEO, 1)))
                .orElseThrow();
        assertThat(names(plan)).containsExactly("graphics 0.0");
    }

    @Test
    void noPlanWithoutGraphics() {
        assertThat(plan(List.of(family(0, COMPUTE | COPY, 4)))).isEmpty();
    }

    @Test
    void asManyQueuesAsAreAskedForAndThere() {
        List<QueueFamily> large = List.of(
                family(0, GRAPHICS | COMPUTE | COPY | SPARSE, 16),
                family(1, COPY | SPARSE, 2),
                family(2, COMPUTE | COPY | SPARSE, 8));
        assertThat(names(QueuePlan.of(large, new QueueCounts(2, 3, 9)).orElseThrow()))
                .containsExactly(
                        "graphics 0.0",
                        "graphics 2 0.1",
                        "compute 2.0",
                        "compute 2 2.1",
                        "compute 3 2.2",
                        "copy 1.0",
                        "copy 2 1.1");
        assertThat(names(QueuePlan.of(large, new QueueCounts(1, 0, 0)).orElseThrow()))
                .containsExactly("graphics 0.0");
        List<QueueFamily> one = List.of(family(0, GRAPHICS | COMPUTE | COPY, 3));
        assertThat(names(QueuePlan.of(one, new QueueCounts(2, 4, 1)).orElseThrow()))
                .containsExactly("graphics 0.0", "graphics 2 0.1", "compute 0.2");
    }

    @Test
    void allQueuesOfALargeGpu() {
        QueuePlan plan = QueuePlan.of(
                        List.of(
                                family(0, GRAPHICS | COMPUTE | COPY | SPARSE, 16),
                                family(1, COPY | SPARSE, 2),
                                family(2, COMPUTE | COPY | SPARSE, 8),
                                family(3, COPY | VIDEO, 7)),
                        QueueCounts.ALL)
                .orElseThrow();
        assertThat(plan.queues()).hasSize(26);
        assertThat(names(plan)).doesNotHaveDuplicates().startsWith("graphics 0.0", "graphics 2 0.1");
        assertThat(names(plan).subList(14, 19))
                .containsExactly(
                        "graphics 15 0.14", "graphics 16 0.15", "compute 2.0", "compute 2 2.1", "compute 3 2.2");
        assertThat(names(plan).subList(24, 26)).containsExactly("copy 1.0", "copy 2 1.1");
        assertThat(plan.families()).containsExactly(0, 1, 2);
    }

    @Test
    void aFamilyForEverythingLeavesOneQueueToComputeWorkThatIsAskedFor() {
        List<QueueFamily> one = List.of(family(0, GRAPHICS | COMPUTE | COPY, 1));
        assertThat(names(QueuePlan.of(one, QueueCounts.ALL).orElseThrow())).containsExactly("graphics 0.0");
        List<QueueFamily> three = List.of(family(0, GRAPHICS | COMPUTE | COPY, 3));
        assertThat(names(QueuePlan.of(three, QueueCounts.ALL).orElseThrow()))
                .containsExactly("graphics 0.0", "graphics 2 0.1", "compute 0.2");
        assertThat(names(QueuePlan.of(three, new QueueCounts(1, 9, 0)).orElseThrow()))
                .containsExactly("graphics 0.0", "compute 0.1", "compute 2 0.2");
        assertThat(names(QueuePlan.of(three, new QueueCounts(9, 0, 9)).orElseThrow()))
                .containsExactly("graphics 0.0", "graphics 2 0.1", "graphics 3 0.2");
    }

    @Test
    void severalFamiliesOfAKindAreUsedUpInTurn() {
        List<QueueFamily> families = List.of(
                family(0, GRAPHICS | COMPUTE | COPY, 2),
                family(1, COPY, 1),
                family(2, COMPUTE | COPY, 2),
                family(3, COPY, 2),
                family(4, COMPUTE, 1));
        assertThat(names(QueuePlan.of(families, QueueCounts.ALL).orElseThrow()))
                .containsExactly(
                        "graphics 0.0",
                        "graphics 2 0.1",
                        "compute 2.0",
                        "compute 2 2.1",
                        "compute 3 4.0",
                        "copy 1.0",
                        "copy 2 3.0",
                        "copy 3 3.1");
        assertThat(QueuePlan.of(families, QueueCounts.ONE_OF_EACH).orElseThrow().families())
                .containsExactly(0, 1, 2);
    }
}
