package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.MemoryUsage;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import java.util.ArrayList;
import java.util.List;

/** Judges whether the uses of each unit of a resource are in order, see what was written, and find their layouts. */
final class UnitJudge {
    private final GraphModel model;
    private final FramePlan plan;
    private final PlanTouches uses;
    private final EventGraph events;

    UnitJudge(GraphModel model, FramePlan plan, PlanTouches uses, EventGraph events) {
        this.model = model;
        this.plan = plan;
        this.uses = uses;
        this.events = events;
    }

    void judge() {
        for (int r = 0; r < model.resources().size(); r++) {
            for (int u = 0; u < model.resources().get(r).units(); u++) {
                conflicts(r, u);
                layouts(r, u);
                host(r, u);
            }
        }
    }

    private void conflicts(int r, int unit) {
        List<PlanTouches.Touch> touches = uses.touches(r, unit);
        for (int i = 0; i < touches.size(); i++) {
            for (int j = i + 1; j < touches.size(); j++) {
                PlanTouches.Touch a = touches.get(i);
                PlanTouches.Touch b = touches.get(j);
                if ((!a.write() && !b.write()) || drawnInOneRenderPass(a, b) || uses.overlap(touches, i, j)) {
                    continue;
                }
                String what = "r" + r + " unit " + unit + ": p" + a.pass() + " before p" + b.pass();
                assertThat(events.before(a.pass(), a.stages(), b.pass(), b.stages()))
                        .as(what)
                        .isTrue();
                if (a.write() && !overwrittenBetween(touches, i, j)) {
                    assertThat(visible(r, unit, a, b))
                            .as(what + ", with its memory")
                            .isTrue();
                }
            }
        }
    }

    /** Targets of one render pass are written in the order of drawing. */
    private boolean drawnInOneRenderPass(PlanTouches.Touch a, PlanTouches.Touch b) {
        return isTarget(a)
                && isTarget(b)
                && uses.renderPass(a.pass()).contains(b.pass())
                && plan.passes().get(a.pass()).targets() != null;
    }

    private static boolean isTarget(PlanTouches.Touch touch) {
        return touch.layout() == TextureLayout.COLOR || touch.layout() == TextureLayout.DEPTH;
    }

    private boolean overwrittenBetween(List<PlanTouches.Touch> touches, int i, int j) {
        for (int k = i + 1; k < j; k++) {
            if (touches.get(k).write() && !uses.overlap(touches, i, k)) {
                return true;
            }
        }
        return false;
    }

    private boolean visible(int r, int unit, PlanTouches.Touch a, PlanTouches.Touch b) {
        // A wait of a queue makes nothing visible to the host, nor keeps a write from landing behind one of the host.
        boolean byHost = b.stages() == PipelineStage.HOST.bit();
        boolean replaces = byHost && !b.needs() && (b.access() & MemoryAccess.HOST_READ.bit()) == 0;
        if (a.stages() == PipelineStage.HOST.bit() && b.stages() == PipelineStage.HOST.bit()) {
            // The host sees what it writes itself.
            return true;
        }
        // What has been shown to it for reading needs nothing more to be written.
        int seen = byHost ? MemoryAccess.HOST_READ.bit() : b.access();
        int enough = replaces ? MemoryAccess.HOST_WRITE.bit() : seen;
        if (!byHost && events.throughSemaphore(a.pass(), a.stages(), b.pass(), b.stages())) {
            return true;
        }
        int written = MemoryAccess.writesOf(a.access());
        for (EventGraph.Placed last : events.barriers) {
            // What a semaphore made available, a barrier behind it makes visible to other stages than those that
            // waited.
            if (uses.on(last.barrier(), r, unit)
                    && PipelineStage.covers(last.barrier().scope().dstStages(), b.stages())
                    && covers(last, seen, enough)
                    && events.throughSemaphore(a.pass(), a.stages(), last)
                    && events.before(last, b.pass(), b.stages())) {
                return true;
            }
        }
        for (EventGraph.Placed first : events.barriers) {
            boolean available = uses.on(first.barrier(), r, unit)
                    && PipelineStage.covers(first.barrier().scope().srcStages(), a.stages())
                    && MemoryAccess.covers(first.barrier().scope().srcAccess(), written)
                    && events.before(a.pass(), a.stages(), first);
            for (EventGraph.Placed last : events.barriers) {
                if (available
                        && (first.equals(last) || events.before(first, last))
                        && uses.on(last.barrier(), r, unit)
                        && PipelineStage.covers(last.barrier().scope().dstStages(), b.stages())
                        && covers(last, seen, enough)
                        && events.before(last, b.pass(), b.stages())) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean covers(EventGraph.Placed barrier, int access, int orThis) {
        int shown = barrier.barrier().scope().dstAccess();
        return MemoryAccess.covers(shown, access) || MemoryAccess.covers(shown, orThis);
    }

    /** Every change of layout is ordered with every use and every other change; walking them in order must fit. */
    private void layouts(int r, int unit) {
        GraphModel.Res res = model.resources().get(r);
        if (!res.texture()) {
            return;
        }
        List<EventGraph.Placed> changes = new ArrayList<>();
        for (EventGraph.Placed placed : events.barriers) {
            if (uses.on(placed.barrier(), r, unit)
                    && placed.barrier().oldLayout() != placed.barrier().newLayout()) {
                assertThat(events.startsAfterFrameStart(placed)).isTrue();
                changes.add(placed);
            }
        }
        changes.sort((a, b) -> events.before(a, b) ? -1 : events.before(b, a) ? 1 : 0);
        for (int i = 1; i < changes.size(); i++) {
            assertThat(events.before(changes.get(i - 1), changes.get(i)))
                    .as("changes of r" + r + " are ordered")
                    .isTrue();
        }
        List<PlanTouches.Touch> touches = uses.touches(r, unit);
        boolean defined = res.hasContents();
        TextureLayout current = res.initial();
        int done = 0;
        for (PlanTouches.Touch touch : touches) {
            String what = "r" + r + " unit " + unit + " at p" + touch.pass();
            while (done < changes.size() && events.before(changes.get(done), touch.pass(), touch.stages())) {
                PlanBarrier change = changes.get(done++).barrier();
                assertThat(change.oldLayout()).as(what).isIn(current, TextureLayout.UNDEFINED);
                defined &= change.oldLayout() != TextureLayout.UNDEFINED || current == TextureLayout.UNDEFINED;
                current = change.newLayout();
                assertThat(defined || !touch.needs() || !uses.hasContents(r, unit, touch.pass()))
                        .as(what + " keeps contents")
                        .isTrue();
            }
            if (done < changes.size()) {
                assertThat(events.before(touch.pass(), touch.stages(), changes.get(done)))
                        .as(what)
                        .isTrue();
            }
            assertThat(current).as(what).isEqualTo(touch.layout());
            defined |= touch.write();
        }
        while (done < changes.size()) {
            PlanBarrier change = changes.get(done++).barrier();
            assertThat(change.oldLayout()).isEqualTo(current);
            current = change.newLayout();
        }
        boolean history = res.role() == GraphModel.Role.CURRENT || res.role() == GraphModel.Role.PREVIOUS;
        boolean kept = history ? plan.resources().get(r).used() : res.finalAccess() != null;
        if (res.lifetime() != Lifetime.TRANSIENT && (!touches.isEmpty() || kept)) {
            assertThat(plan.resources().get(r).finalLayout()).isEqualTo(current);
            if (res.finalAccess() != null) {
                assertThat(current).isEqualTo(res.finalAccess().layout());
            }
        }
    }

    /** What the device writes last for the host is made visible to it, by a barrier that it cannot add itself. */
    private void host(int r, int unit) {
        GraphModel.Res res = model.resources().get(r);
        List<PlanTouches.Touch> touches = uses.touches(r, unit);
        int last = touches.size() - 1;
        while (last >= 0 && !touches.get(last).write()) {
            if ((touches.get(last--).access() & MemoryAccess.HOST_READ.bit()) != 0) {
                return;
            }
        }
        if (res.memory() != MemoryUsage.READBACK || res.lifetime() == Lifetime.TRANSIENT || last < 0) {
            return;
        }
        PlanTouches.Touch write = touches.get(last);
        if (write.stages() == PipelineStage.HOST.bit()) {
            return;
        }
        assertThat(events.barriers)
                .as("r" + r + " is handed to the host behind p" + write.pass())
                .anyMatch(placed -> uses.on(placed.barrier(), r, unit)
                        && PipelineStage.covers(placed.barrier().scope().srcStages(), write.stages())
                        && MemoryAccess.covers(
                                placed.barrier().scope().srcAccess(), MemoryAccess.writesOf(write.access()))
                        && PipelineStage.covers(placed.barrier().scope().dstStages(), PipelineStage.HOST.bit())
                        && MemoryAccess.covers(placed.barrier().scope().dstAccess(), MemoryAccess.HOST_READ.bit())
                        && events.before(write.pass(), write.stages(), placed));
    }
}
