package io.frameloom.rdg;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.rdg.FramePlan.Batch;
import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a plan orders, down to pipeline stages, by the rules of Vulkan and brute force: an event for each stage of each
 * pass, each barrier, each wait and signal; edges where scopes meet; closed transitively. The host does one thing after the
 * other.
 */
final class EventGraph {
    private enum Kind {
        STAGE,
        BARRIER,
        WAIT,
        SIGNAL
    }

    /** The stages of a wait are its second scope. */
    private record Event(Kind kind, int pass, int stages, int call, BarrierBatch.Scope scope) {}

    /** A barrier with its event, or those of its halves. */
    record Placed(PlanBarrier barrier, int first, int second) {}

    private static final BarrierBatch.Scope NO_SCOPE = new BarrierBatch.Scope(0, 0, 0, 0);

    private final List<Event> events = new ArrayList<>();
    private final List<BitSet> after = new ArrayList<>();
    private final Map<Integer, List<Integer>> stageEvents = new HashMap<>();
    private final List<Integer> waits = new ArrayList<>();
    /** By wait the events of its queue. */
    private final Map<Integer, List<Integer>> queueOf = new HashMap<>();

    final List<Placed> barriers = new ArrayList<>();
    private final IdentityHashMap<PlanBarrier, Integer> begun = new IdentityHashMap<>();
    private final int start;
    private int call;

    EventGraph(FramePlan plan) {
        start = add(new Event(Kind.SIGNAL, -1, 0, -1, NO_SCOPE));
        int[] signalOf = new int[plan.batches().size()];
        List<List<Integer>> sequences = new ArrayList<>();
        for (int q = 0; q < plan.queues().queues().size(); q++) {
            sequences.add(new ArrayList<>());
        }
        for (Batch batch : plan.batches()) {
            List<Integer> sequence = sequences.get(batch.queue());
            int frame = append(sequence, new Event(Kind.WAIT, -1, PipelineStage.ALL_COMMANDS.bit(), -1, NO_SCOPE));
            after.get(start).set(frame);
            for (FramePlan.BatchWait w : batch.waits()) {
                int wait = append(sequence, new Event(Kind.WAIT, -1, w.stages(), -1, NO_SCOPE));
                after.get(signalOf[w.batch()]).set(wait);
                waits.add(wait);
                queueOf.put(wait, sequence);
            }
            for (int index : batch.passes()) {
                PassPlan pass = plan.passes().get(index);
                barriers(sequence, pass.before());
                awaited(sequence, pass.before());
                stageEvents.put(index, new ArrayList<>());
                int stages = 0;
                for (FramePlan.UsePlan use : pass.uses()) {
                    stages |= use.access().stages();
                }
                for (PipelineStage stage : PipelineStage.values()) {
                    if ((stages & stage.bit()) != 0) {
                        stageEvents
                                .get(index)
                                .add(append(sequence, new Event(Kind.STAGE, index, stage.bit(), -1, NO_SCOPE)));
                    }
                }
                begun(plan, sequence, index);
                barriers(sequence, pass.after());
            }
            signalOf[batch.index()] = append(sequence, new Event(Kind.SIGNAL, -1, 0, -1, NO_SCOPE));
        }
        for (int q = 0; q < sequences.size(); q++) {
            List<Integer> sequence = sequences.get(q);
            boolean inOrder = q == plan.queues().host();
            for (int i = 0; i < sequence.size(); i++) {
                for (int j = i + 1; j < sequence.size(); j++) {
                    if (inOrder || meets(events.get(sequence.get(i)), events.get(sequence.get(j)))) {
                        after.get(sequence.get(i)).set(sequence.get(j));
                    }
                }
            }
        }
        for (int k = 0; k < events.size(); k++) {
            for (int i = 0; i < events.size(); i++) {
                if (after.get(i).get(k)) {
                    after.get(i).or(after.get(k));
                }
            }
        }
    }

    /** Whether everything a pass does in {@code stages} happens before what another does in {@code otherStages}. */
    boolean before(int pass, int stages, int other, int otherStages) {
        for (int a : of(pass, stages)) {
            for (int b : of(other, otherStages)) {
                if (!after.get(a).get(b)) {
                    return false;
                }
            }
        }
        return true;
    }

    boolean before(int pass, int stages, Placed barrier) {
        return of(pass, stages).stream().allMatch(a -> after.get(a).get(barrier.first));
    }

    boolean before(Placed barrier, int pass, int stages) {
        return of(pass, stages).stream().allMatch(b -> after.get(barrier.second).get(b));
    }

    boolean before(Placed a, Placed b) {
        return after.get(a.second).get(b.first);
    }

    boolean startsAfterFrameStart(Placed barrier) {
        return after.get(start).get(barrier.first);
    }

    /**
     * Whether semaphores lie between the passes, which makes all memory available, and visible to the stages that wait.
     */
    boolean throughSemaphore(int pass, int stages, int other, int otherStages) {
        List<Integer> from = of(pass, stages);
        return of(other, otherStages).stream()
                .allMatch(b -> waits.stream()
                        .anyMatch(wait -> waitsFor(wait, b)
                                && from.stream().allMatch(a -> after.get(a).get(wait))));
    }

    /** Whether a semaphore lies between a pass and a barrier, which makes all memory available. */
    boolean throughSemaphore(int pass, int stages, Placed barrier) {
        return waits.stream()
                .anyMatch(wait -> after.get(wait).get(barrier.first)
                        && of(pass, stages).stream().allMatch(a -> after.get(a).get(wait)));
    }

    /** Whether a stage is in the second scope of a wait itself, not only behind a barrier that is. */
    private boolean waitsFor(int wait, int stage) {
        return queueOf.getOrDefault(wait, List.of()).contains(stage)
                && wait < stage
                && meets(events.get(wait), events.get(stage));
    }

    private List<Integer> of(int pass, int stages) {
        List<Integer> result = new ArrayList<>();
        for (int event : stageEvents.getOrDefault(pass, List.of())) {
            if ((events.get(event).stages & stages) != 0) {
                result.add(event);
            }
        }
        return result;
    }

    private void barriers(List<Integer> sequence, List<PlanBarrier> list) {
        call++;
        for (PlanBarrier barrier : list) {
            if (!barrier.isSplit()) {
                int event = append(sequence, new Event(Kind.BARRIER, -1, 0, call, barrier.scope()));
                barriers.add(new Placed(barrier, event, event));
            }
        }
    }

    /** The first scopes of split barriers. */
    private void begun(FramePlan plan, List<Integer> sequence, int pass) {
        for (PassPlan end : plan.passes()) {
            for (PlanBarrier barrier : end.before()) {
                BarrierSplit split = barrier.split();
                if (split != null && split.begin() == pass) {
                    BarrierBatch.Scope scope = barrier.scope();
                    BarrierBatch.Scope half =
                            new BarrierBatch.Scope(scope.srcStages(), scope.srcAccess(), 0, MemoryAccess.NONE);
                    begun.put(barrier, append(sequence, new Event(Kind.BARRIER, -1, 0, ++call, half)));
                }
            }
        }
    }

    /** The second scopes of split barriers, whose events are set before on the same queue. */
    private void awaited(List<Integer> sequence, List<PlanBarrier> list) {
        for (PlanBarrier barrier : list) {
            if (barrier.isSplit()) {
                BarrierBatch.Scope scope = barrier.scope();
                BarrierBatch.Scope half =
                        new BarrierBatch.Scope(0, MemoryAccess.NONE, scope.dstStages(), scope.dstAccess());
                int second = append(sequence, new Event(Kind.BARRIER, -1, 0, ++call, half));
                Integer first = begun.get(barrier);
                if (first == null || !sequence.contains(first)) {
                    throw new AssertionError(barrier + " is not begun on its queue before it ends");
                }
                after.get(first).set(second);
                barriers.add(new Placed(barrier, first, second));
            }
        }
    }

    private int append(List<Integer> sequence, Event event) {
        int id = add(event);
        sequence.add(id);
        return id;
    }

    private int add(Event event) {
        events.add(event);
        after.add(new BitSet());
        return events.size() - 1;
    }

    /** Whether the second scope of an earlier event on a queue meets the first scope of a later one. */
    private static boolean meets(Event a, Event b) {
        return switch (a.kind) {
            case STAGE -> b.kind == Kind.SIGNAL || (b.kind == Kind.BARRIER && contains(b.scope.srcStages(), a.stages));
            case BARRIER ->
                switch (b.kind) {
                    case STAGE -> contains(a.scope.dstStages(), b.stages);
                    case BARRIER -> a.call != b.call && intersect(a.scope.dstStages(), b.scope.srcStages());
                    case SIGNAL -> true;
                    case WAIT -> false;
                };
            case WAIT ->
                switch (b.kind) {
                    case STAGE -> contains(a.stages, b.stages);
                    case SIGNAL -> true;
                    case BARRIER -> intersect(a.stages, b.scope.srcStages());
                    case WAIT -> false;
                };
            case SIGNAL -> false;
        };
    }

    private static boolean contains(int mask, int stage) {
        return (mask & (stage | PipelineStage.ALL_COMMANDS.bit())) != 0;
    }

    private static boolean intersect(int a, int b) {
        int all = PipelineStage.ALL_COMMANDS.bit();
        return a != 0 && b != 0 && ((a & b) != 0 || ((a | b) & all) != 0);
    }
}
