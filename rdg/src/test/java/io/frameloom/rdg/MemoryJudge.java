package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import java.util.ArrayList;
import java.util.List;

/** Judges whether resources that share memory have it one after the other, handed over. */
final class MemoryJudge {
    private final GraphModel model;
    private final FramePlan plan;
    private final PlanTouches uses;
    private final EventGraph events;

    MemoryJudge(GraphModel model, FramePlan plan, PlanTouches uses, EventGraph events) {
        this.model = model;
        this.plan = plan;
        this.uses = uses;
        this.events = events;
    }

    void judge() {
        for (FramePlan.ResourcePlan a : plan.resources()) {
            boolean mapped =
                    a.bufferDescription() != null && a.bufferDescription().memory() != MemoryUsage.DEVICE;
            assertThat(a.heap() >= 0)
                    .isEqualTo(
                            a.used() && a.lifetime() == Lifetime.TRANSIENT && !mapped && !mayStayUnwritten(a.index()));
            for (FramePlan.ResourcePlan b : plan.resources()) {
                if (a.index() < b.index()
                        && a.heap() >= 0
                        && a.heap() == b.heap()
                        && a.offset() < b.offset() + b.bytes()
                        && b.offset() < a.offset() + a.bytes()) {
                    assertThat(plan.options().aliasing()).isTrue();
                    assertThat(entirelyBefore(a.index(), b.index()) || entirelyBefore(b.index(), a.index()))
                            .as(a.name() + " and " + b.name() + " share memory one after the other")
                            .isTrue();
                }
            }
        }
        plan.heaps().forEach(heap -> assertThat(heap.bytes()).isGreaterThanOrEqualTo(heap.lowerBound()));
        assertThat(plan.heapBytes()).isLessThanOrEqualTo(plan.transientBytesWithoutAliasing());
    }

    /** What a pass writes that may be left out has memory of its own. */
    private boolean mayStayUnwritten(int resource) {
        return model.passes().stream()
                .filter(pass -> pass.condition() != null)
                .flatMap(pass -> pass.uses().stream())
                .anyMatch(use -> use.resource() == resource && use.access().writes());
    }

    private boolean entirelyBefore(int a, int b) {
        for (PlanTouches.Touch first : allTouches(a)) {
            for (PlanTouches.Touch second : allTouches(b)) {
                if (!events.before(first.pass(), first.stages(), second.pass(), second.stages())) {
                    return false;
                }
            }
            for (PlanTouches.Touch second : firstTouches(b)) {
                if (first.write() && !handedOver(a, b, first, second)) {
                    return false;
                }
            }
            for (EventGraph.Placed placed : events.barriers) {
                if (placed.barrier().resource() == b && !events.before(first.pass(), first.stages(), placed)) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Whether what one resource wrote is available and visible to another one that takes its memory over. A barrier of one
     * resource reaches accesses through that resource alone, so either one of all memory does it, or one of each.
     */
    private boolean handedOver(int a, int b, PlanTouches.Touch first, PlanTouches.Touch second) {
        if (events.throughSemaphore(first.pass(), first.stages(), second.pass(), second.stages())) {
            return true;
        }
        for (EventGraph.Placed made : events.barriers) {
            boolean available = reaches(made.barrier(), a)
                    && PipelineStage.covers(made.barrier().scope().srcStages(), first.stages())
                    && MemoryAccess.covers(made.barrier().scope().srcAccess(), MemoryAccess.writesOf(first.access()))
                    && events.before(first.pass(), first.stages(), made);
            for (EventGraph.Placed seen : events.barriers) {
                if (available
                        && (made.equals(seen) || events.before(made, seen))
                        && reaches(seen.barrier(), b)
                        && PipelineStage.covers(seen.barrier().scope().dstStages(), second.stages())
                        && MemoryAccess.covers(seen.barrier().scope().dstAccess(), second.access())
                        && events.before(seen, second.pass(), second.stages())) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean reaches(PlanBarrier barrier, int resource) {
        return barrier.allMemory() || barrier.resource() == resource;
    }

    /** The touches of each unit that nothing comes before; later ones follow these. */
    private List<PlanTouches.Touch> firstTouches(int r) {
        List<PlanTouches.Touch> result = new ArrayList<>();
        for (int u = 0; u < model.resources().get(r).units(); u++) {
            List<PlanTouches.Touch> touches = uses.touches(r, u);
            for (int i = 0; i < touches.size() && (i == 0 || uses.overlap(touches, 0, i)); i++) {
                result.add(touches.get(i));
            }
        }
        return result;
    }

    private List<PlanTouches.Touch> allTouches(int r) {
        List<PlanTouches.Touch> result = new ArrayList<>();
        for (int u = 0; u < model.resources().get(r).units(); u++) {
            result.addAll(uses.touches(r, u));
        }
        return result;
    }
}
