package io.frameloom.rdg;

import io.frameloom.gpu.command.QueueKind;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Options and queues at random: equal seeds give equal ones. */
final class RandomSettings {
    private final SplittableRandom random;

    RandomSettings(SplittableRandom random) {
        this.random = random;
    }

    RdgOptions options() {
        int most = 1 + random.nextInt(4);
        return RdgOptions.defaults()
                .withAsync(pick(List.of(AsyncCompute.TAGGED, AsyncCompute.TAGGED, AsyncCompute.ALL, AsyncCompute.OFF)))
                .withOrder(one(4) ? PassOrder.UNORDERED : PassOrder.DECLARED)
                .withCullPasses(!one(4))
                .withMergeRenderPasses(!one(4))
                .withOverlapStorageWrites(!one(4))
                .withAliasing(!one(4))
                .withPassLimits(1 + random.nextInt(most), most)
                // Not drawn, so that fixed seeds go on meaning what they meant.
                .withPolicy(policy().withHeapSearch(most % 2 == 0 ? HeapSearch.ALWAYS : HeapSearch.OFF));
    }

    private PlanPolicy policy() {
        PassSchedule.Policy order = pick(List.of(PassSchedule.Policy.values()));
        return PlanPolicy.defaults()
                .withHoistBarriers(one(2))
                .withSplitBarriers(one(2))
                .withWaitStageScope(one(2) ? WaitStageScope.EXACT : WaitStageScope.ALL)
                .withSchedule(
                        order == PassSchedule.Policy.RANDOM
                                ? PassSchedule.random(random.nextLong())
                                : PassSchedule.of(order));
    }

    QueueTopology queues(int count) {
        List<QueueTopology.Queue> queues = new ArrayList<>();
        queues.add(new QueueTopology.Queue("q0", QueueKind.GRAPHICS, 0));
        for (int q = 1; q < count; q++) {
            QueueKind kind = pick(List.of(
                    QueueKind.COMPUTE, QueueKind.COMPUTE, QueueKind.COPY, QueueKind.GRAPHICS, QueueKind.GRAPHICS));
            queues.add(new QueueTopology.Queue("q" + q, kind, one(3) ? q : QueueKind.values().length - 3 + q % 3));
        }
        return new QueueTopology(queues);
    }

    private boolean one(int in) {
        return random.nextInt(in) == 0;
    }

    private <T> T pick(List<T> options) {
        return options.get(random.nextInt(options.size()));
    }
}
