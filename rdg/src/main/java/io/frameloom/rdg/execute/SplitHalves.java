package io.frameloom.rdg.execute;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.rdg.BarrierSplit;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * The halves of the split barriers of a plan. Those that begin after one pass and end before one pass share an event.
 */
final class SplitHalves {
    private final Map<Integer, List<SplitHalf>> awaited = new HashMap<>();
    private final Map<Integer, List<SplitHalf>> begun = new HashMap<>();
    private int events;

    /** Numbers the events of a plan whose barriers before a pass {@code translation} translates. */
    SplitHalves(FramePlan plan, BiFunction<PassPlan, List<PlanBarrier>, BarrierBatch> translation) {
        for (PassPlan pass : plan.passes()) {
            byBegin(pass).forEach((begin, barriers) -> {
                SplitHalf half = new SplitHalf(events++, translation.apply(pass, barriers));
                awaited.computeIfAbsent(pass.index(), p -> new ArrayList<>()).add(half);
                begun.computeIfAbsent(begin, p -> new ArrayList<>()).add(half);
            });
        }
    }

    private static Map<Integer, List<PlanBarrier>> byBegin(PassPlan pass) {
        Map<Integer, List<PlanBarrier>> barriers = new LinkedHashMap<>();
        for (PlanBarrier barrier : pass.before()) {
            BarrierSplit split = barrier.split();
            if (split != null && split.begin() >= 0) {
                barriers.computeIfAbsent(split.begin(), begin -> new ArrayList<>())
                        .add(barrier);
            }
        }
        return barriers;
    }

    /** Returns the number of events that a frame of the plan takes. */
    int events() {
        return events;
    }

    /** Returns the second halves before a pass. */
    List<SplitHalf> awaitedBefore(int pass) {
        return List.copyOf(awaited.getOrDefault(pass, List.of()));
    }

    /** Returns the first halves after a pass. */
    List<SplitHalf> begunBehind(int pass) {
        return List.copyOf(begun.getOrDefault(pass, List.of()));
    }
}
