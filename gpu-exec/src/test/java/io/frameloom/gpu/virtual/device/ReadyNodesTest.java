package io.frameloom.gpu.virtual.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.virtual.VirtualRig;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes are taken in any order, each once. */
@Timeout(60)
class ReadyNodesTest {
    private static @Nullable WorkNode newest(List<WorkNode> all, Predicate<WorkNode> wanted) {
        for (int i = all.size() - 1; i >= 0; i--) {
            if (wanted.test(all.get(i))) {
                return all.get(i);
            }
        }
        return null;
    }

    @Test
    void theOldestAndTheNewestAreThoseThatAreLeft() {
        SplittableRandom random = new SplittableRandom(7);
        try (VirtualRig rig = new VirtualRig(2, 1, null)) {
            ReadyNodes ready = new ReadyNodes();
            List<WorkNode> model = new ArrayList<>();
            for (int step = 0; step < 20_000; step++) {
                boolean grows = (step / 500) % 2 == 0;
                if (model.isEmpty() || random.nextInt(10) < (grows ? 6 : 3)) {
                    VirtualQueue queue = (VirtualQueue) rig.queue(random.nextInt(2));
                    WorkNode node = new WorkNode("node " + step, queue, 0, 0, () -> {});
                    ready.add(node);
                    model.add(node);
                    continue;
                }
                int queue = random.nextInt(2);
                @Nullable WorkNode expected;
                @Nullable WorkNode taken;
                switch (random.nextInt(4)) {
                    case 0 -> {
                        expected = model.get(0);
                        taken = ready.takeOldest();
                    }
                    case 1 -> {
                        expected = newest(model, node -> true);
                        taken = ready.takeNewest();
                    }
                    case 2 -> {
                        expected = newest(model, node -> node.queue.index() == queue);
                        taken = ready.takeNewest(queue);
                    }
                    default -> {
                        taken = ready.take(ready.get(random.nextInt(ready.size())));
                        expected = model.get(model.indexOf(taken));
                    }
                }
                assertThat(taken).isSameAs(expected);
                model.remove(taken);
                assertThat(ready.size()).isEqualTo(model.size());
            }
        }
    }
}
