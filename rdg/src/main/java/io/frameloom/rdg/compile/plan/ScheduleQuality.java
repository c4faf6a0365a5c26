package io.frameloom.rdg.compile.plan;

import io.frameloom.rdg.FramePlan.Batch;
import io.frameloom.rdg.FramePlan.BatchWait;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.PassSchedule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares a plan with that of the program's order in what a policy is about. */
public final class ScheduleQuality {
    private ScheduleQuality() {}

    /**
     * Returns how often the kind of pass changes on a queue, all queues together. Passes that the compiler added carry
     * barriers only and do not count.
     *
     * @param order passes in order of submission
     */
    public static int kindSwitches(List<PassPlan> passes, List<Integer> order) {
        List<@Nullable PassKind> last = new ArrayList<>();
        int switches = 0;
        for (int p : order) {
            PassPlan pass = passes.get(p);
            if (pass.level() < 0) {
                continue;
            }
            while (last.size() <= pass.queue()) {
                last.add(null);
            }
            @Nullable PassKind before = last.set(pass.queue(), pass.kind());
            switches += before == null || before == pass.kind() ? 0 : 1;
        }
        return switches;
    }

    /** Returns how often the kind of pass changes on a queue of a plan, all queues together. */
    public static int kindSwitches(PlanStructure plan) {
        List<Integer> order = new ArrayList<>();
        plan.batches().forEach(batch -> order.addAll(batch.passes()));
        return kindSwitches(plan.passes(), order);
    }

    /** Returns in words why a plan is worse than the program's, or nothing if it is not. */
    public static String refusal(PassSchedule schedule, PlanStructure plan, PlanStructure program) {
        return switch (schedule.policy()) {
            case PROGRAM, RANDOM -> "";
            case MEMORY ->
                worse(
                        schedule,
                        "bytes of heaps",
                        plan.arrays().heapBytes(),
                        program.arrays().heapBytes());
            case BATCH -> {
                int switches = kindSwitches(plan);
                int declared = kindSwitches(program);
                String more = worse(schedule, "changes of kind", switches, declared);
                yield more.isEmpty() && switches == declared
                        ? worse(
                                schedule,
                                "batches",
                                plan.batches().size(),
                                program.batches().size())
                        : more;
            }
            case OVERLAP -> worse(schedule, "passes in a row", longestRow(plan), longestRow(program));
        };
    }

    private static String worse(PassSchedule schedule, String what, long plan, long program) {
        return plan <= program
                ? ""
                : "the order " + schedule + " has " + plan + " " + what + ", the program's " + program;
    }

    /** Passes one after the other, by order of queues and by waits, if all take the same time: what a frame lasts. */
    private static long longestRow(PlanStructure plan) {
        long[] endOfBatch = new long[plan.batches().size()];
        long[] endOfQueue = new long[plan.queues().queues().size()];
        long longest = 0;
        for (Batch batch : plan.batches()) {
            long end = endOfQueue[batch.queue()];
            for (BatchWait wait : batch.waits()) {
                end = Math.max(end, endOfBatch[wait.batch()]);
            }
            for (int pass : batch.passes()) {
                end += plan.passes().get(pass).level() < 0 ? 0 : 1;
            }
            endOfBatch[batch.index()] = end;
            endOfQueue[batch.queue()] = end;
            longest = Math.max(longest, end);
        }
        return longest;
    }
}
