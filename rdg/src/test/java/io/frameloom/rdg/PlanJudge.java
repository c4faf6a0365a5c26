package io.frameloom.rdg;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.LoadOp;
import io.frameloom.gpu.MemoryAccess;
import io.frameloom.gpu.MemoryUsage;
import io.frameloom.gpu.PipelineStage;
import io.frameloom.gpu.StoreOp;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Judges a plan by what its graph means, unit by unit, sharing nothing with the compiler. */
final class PlanJudge {
    /** The graph with its passes in the order of the plan. */
    private final GraphModel model;

    private final FramePlan plan;
    private final RdgOptions options;
    private final EventGraph events;

    /** Judges a plan that was compiled for these queues and options. */
    PlanJudge(GraphModel model, FramePlan plan) {
        this.plan = plan;
        this.options = plan.options();
        int[] order = new int[model.passes().size()];
        for (int p = 0; p < order.length; p++) {
            order[p] = plan.structure().declaredIndex(p);
        }
        PlacementJudge.order(model, order, options);
        this.model = model.ordered(order).effective();
        this.events = new EventGraph(plan);
    }

    void judge() {
        culling();
        everyPassOnce();
        new PlacementJudge(model, plan).judge();
        for (int r = 0; r < model.resources().size(); r++) {
            for (int u = 0; u < model.resources().get(r).units(); u++) {
                conflicts(r, u);
                layouts(r, u);
                host(r, u);
            }
        }
        waits();
        aliasing();
        attachments();
        resolves();
    }

    /** What each pass contributes to the outputs, by following contents forwards. */
    private void culling() {
        int passes = model.passes().size();
        BitSet live = new BitSet();
        List<List<BitSet>> contents = new ArrayList<>();
        model.resources().forEach(res -> {
            List<BitSet> units = new ArrayList<>();
            for (int u = 0; u < res.units(); u++) {
                units.add(new BitSet());
            }
            contents.add(units);
        });
        for (int p = 0; p < passes; p++) {
            BitSet cause = new BitSet();
            cause.set(p);
            for (GraphModel.Use use : model.passes().get(p).uses()) {
                GraphModel.Res res = model.resources().get(use.resource());
                for (int u = 0; u < res.units(); u++) {
                    if (use.covers(res, u) && use.needs()) {
                        cause.or(contents.get(use.resource()).get(u));
                    }
                }
            }
            for (GraphModel.Use use : model.passes().get(p).uses()) {
                GraphModel.Res res = model.resources().get(use.resource());
                for (int u = 0; u < res.units(); u++) {
                    if (use.covers(res, u) && use.access().writes()) {
                        contents.get(use.resource()).set(u, cause);
                    }
                }
            }
            if (model.passes().get(p).neverCull()
                    || model.passes().get(p).has(PassFlag.READBACK)
                    || model.passes().get(p).has(PassFlag.UNTRACKED_ACCESS)) {
                live.or(cause);
            }
        }
        for (int r = 0; r < contents.size(); r++) {
            if (isOutput(model.resources().get(r))) {
                contents.get(r).forEach(live::or);
            }
        }
        for (int p = 0; p < passes; p++) {
            assertThat(plan.passes().get(p).culled())
                    .as("culled p" + p)
                    .isEqualTo(options.cullPasses() && !live.get(p));
        }
    }

    /** What a history begins with is there for the frame alone. */
    private static boolean isOutput(GraphModel.Res res) {
        return res.lifetime() != Lifetime.TRANSIENT && res.role() != GraphModel.Role.PREVIOUS;
    }

    private void everyPassOnce() {
        int[] count = new int[plan.passes().size()];
        plan.batches().forEach(batch -> batch.passes().forEach(p -> count[p]++));
        List<Integer> recorded = new ArrayList<>();
        plan.recordingGroups().forEach(group -> recorded.addAll(group.passes()));
        List<Integer> submitted = new ArrayList<>();
        plan.batches().forEach(batch -> submitted.addAll(batch.passes()));
        for (int p = 0; p < count.length; p++) {
            assertThat(count[p]).isEqualTo(plan.passes().get(p).culled() ? 0 : 1);
        }
        assertThat(recorded).isEqualTo(submitted);
    }

    private record Touch(
            int pass, int stages, int access, boolean write, boolean needs, TextureLayout layout, int group) {}

    private List<Touch> touches(int r, int unit) {
        List<Touch> result = new ArrayList<>();
        for (int p = 0; p < model.passes().size(); p++) {
            List<GraphModel.Use> uses = model.passes().get(p).uses();
            for (int i = 0; i < uses.size() && !plan.passes().get(p).culled(); i++) {
                GraphModel.Use use = uses.get(i);
                if (use.resource() == r && use.covers(model.resources().get(r), unit)) {
                    result.add(new Touch(
                            p,
                            use.access().stages(),
                            use.access().memoryAccess(),
                            use.access().writes(),
                            use.needs(),
                            plan.passes().get(p).uses().get(i).layout(),
                            use.group()));
                }
            }
        }
        return result;
    }

    private void conflicts(int r, int unit) {
        List<Touch> touches = touches(r, unit);
        for (int i = 0; i < touches.size(); i++) {
            for (int j = i + 1; j < touches.size(); j++) {
                Touch a = touches.get(i);
                Touch b = touches.get(j);
                if ((!a.write && !b.write) || drawnInOneRenderPass(a, b) || overlap(touches, i, j)) {
                    continue;
                }
                String what = "r" + r + " unit " + unit + ": p" + a.pass + " before p" + b.pass;
                assertThat(events.before(a.pass, a.stages, b.pass, b.stages))
                        .as(what)
                        .isTrue();
                if (a.write && !overwrittenBetween(touches, i, j)) {
                    assertThat(visible(r, unit, a, b))
                            .as(what + ", with its memory")
                            .isTrue();
                }
            }
        }
    }

    /** Targets of one render pass are written in the order of drawing. */
    private boolean drawnInOneRenderPass(Touch a, Touch b) {
        return isTarget(a)
                && isTarget(b)
                && renderPass(a.pass).contains(b.pass)
                && plan.passes().get(a.pass).targets() != null;
    }

    private static boolean isTarget(Touch touch) {
        return touch.layout == TextureLayout.COLOR || touch.layout == TextureLayout.DEPTH;
    }

    private List<Integer> renderPass(int pass) {
        return plan.renderPasses().stream()
                .map(FramePlan.RenderPassPlan::passes)
                .filter(passes -> passes.contains(pass))
                .findFirst()
                .orElse(List.of());
    }

    /** Writes of one group with nothing but writes of the group between them need no order. */
    private boolean overlap(List<Touch> touches, int i, int j) {
        if (!options.overlapStorageWrites()) {
            return false;
        }
        for (int k = i; k <= j; k++) {
            if (!touches.get(k).write || touches.get(k).group < 0 || touches.get(k).group != touches.get(i).group) {
                return false;
            }
        }
        return true;
    }

    private boolean overwrittenBetween(List<Touch> touches, int i, int j) {
        for (int k = i + 1; k < j; k++) {
            if (touches.get(k).write && !overlap(touches, i, k)) {
                return true;
            }
        }
        return false;
    }

    private boolean visible(int r, int unit, Touch a, Touch b) {
        // A wait of a queue makes nothing visible to the host.
        boolean byHost = (b.access & MemoryAccess.HOST_READ.bit()) != 0;
        if (!byHost && events.throughSemaphore(a.pass, a.stages, b.pass, b.stages)) {
            return true;
        }
        int written = MemoryAccess.writesOf(a.access);
        for (EventGraph.Placed last : events.barriers) {
            // What a semaphore made available, a barrier behind it makes visible to other stages than those that
            // waited.
            if (on(last.barrier(), r, unit)
                    && PipelineStage.covers(last.barrier().scope().dstStages(), b.stages)
                    && MemoryAccess.covers(last.barrier().scope().dstAccess(), b.access)
                    && events.throughSemaphore(a.pass, a.stages, last)
                    && events.before(last, b.pass, b.stages)) {
                return true;
            }
        }
        for (EventGraph.Placed first : events.barriers) {
            boolean available = on(first.barrier(), r, unit)
                    && PipelineStage.covers(first.barrier().scope().srcStages(), a.stages)
                    && MemoryAccess.covers(first.barrier().scope().srcAccess(), written)
                    && events.before(a.pass, a.stages, first);
            for (EventGraph.Placed last : events.barriers) {
                if (available
                        && (first.equals(last) || events.before(first, last))
                        && on(last.barrier(), r, unit)
                        && PipelineStage.covers(last.barrier().scope().dstStages(), b.stages)
                        && MemoryAccess.covers(last.barrier().scope().dstAccess(), b.access)
                        && events.before(last, b.pass, b.stages)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean on(PlanBarrier barrier, int r, int unit) {
        if (barrier.resource() != r) {
            return false;
        }
        GraphModel.Res res = model.resources().get(r);
        SubresourceRange range = barrier.range();
        if (range == null) {
            long at = (long) unit * GraphModel.UNIT_BYTES;
            return barrier.offset() <= at && at < barrier.offset() + barrier.bytes();
        }
        int mip = unit % res.mips();
        int layer = unit / res.mips() % res.layers();
        int plane = unit / (res.mips() * res.layers());
        return range.overlaps(new SubresourceRange(mip, 1, layer, 1, plane, 1));
    }

    /** Every change of layout is ordered with every use and every other change; walking them in order must fit. */
    private void layouts(int r, int unit) {
        GraphModel.Res res = model.resources().get(r);
        if (!res.texture()) {
            return;
        }
        List<EventGraph.Placed> changes = new ArrayList<>();
        for (EventGraph.Placed placed : events.barriers) {
            if (on(placed.barrier(), r, unit)
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
        List<Touch> touches = touches(r, unit);
        boolean defined = res.hasContents();
        TextureLayout current = res.initial();
        int done = 0;
        for (Touch touch : touches) {
            String what = "r" + r + " unit " + unit + " at p" + touch.pass;
            while (done < changes.size() && events.before(changes.get(done), touch.pass, touch.stages)) {
                PlanBarrier change = changes.get(done++).barrier();
                assertThat(change.oldLayout()).as(what).isIn(current, TextureLayout.UNDEFINED);
                defined &= change.oldLayout() != TextureLayout.UNDEFINED || current == TextureLayout.UNDEFINED;
                current = change.newLayout();
                assertThat(defined || !touch.needs || !hasContents(r, unit, touch.pass))
                        .as(what + " keeps contents")
                        .isTrue();
            }
            if (done < changes.size()) {
                assertThat(events.before(touch.pass, touch.stages, changes.get(done)))
                        .as(what)
                        .isTrue();
            }
            assertThat(current).as(what).isEqualTo(touch.layout);
            defined |= touch.write;
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
        List<Touch> touches = touches(r, unit);
        int last = touches.size() - 1;
        while (last >= 0 && !touches.get(last).write) {
            if ((touches.get(last--).access & MemoryAccess.HOST_READ.bit()) != 0) {
                return;
            }
        }
        if (res.memory() != MemoryUsage.READBACK || res.lifetime() == Lifetime.TRANSIENT || last < 0) {
            return;
        }
        Touch write = touches.get(last);
        assertThat(events.barriers)
                .as("r" + r + " is handed to the host behind p" + write.pass)
                .anyMatch(placed -> on(placed.barrier(), r, unit)
                        && PipelineStage.covers(placed.barrier().scope().srcStages(), write.stages)
                        && MemoryAccess.covers(
                                placed.barrier().scope().srcAccess(), MemoryAccess.writesOf(write.access))
                        && PipelineStage.covers(placed.barrier().scope().dstStages(), PipelineStage.HOST.bit())
                        && MemoryAccess.covers(placed.barrier().scope().dstAccess(), MemoryAccess.HOST_READ.bit())
                        && events.before(write.pass, write.stages, placed));
    }

    private boolean hasContents(int r, int unit, int pass) {
        return model.resources().get(r).hasContents()
                || touches(r, unit).stream().anyMatch(touch -> touch.write && touch.pass < pass);
    }

    /**
     * Together the waits order every pair that must be ordered; without any one of them some pair is not; and each lies
     * between such a pair. The transitive reduction is unique, so that the waits are it.
     */
    private void waits() {
        boolean[][] needed = neededPairs();
        PlanOrder all = new PlanOrder(plan);
        assertThat(firstUnordered(needed, all)).as("waits suffice").isNull();
        if (options.policy().waitStageScope() == WaitStageScope.EXACT) {
            exactWaits();
            return;
        }
        for (FramePlan.Batch batch : plan.batches()) {
            for (int w = 0; w < batch.waits().size(); w++) {
                FramePlan.Batch source = plan.batches().get(batch.waits().get(w).batch());
                assertThat(source.signals()).isTrue();
                assertThat(source.queue()).isNotEqualTo(batch.queue());
                int from = source.passes().get(source.passes().size() - 1);
                String what = "wait of batch " + batch.index() + " for batch " + source.index();
                assertThat(needed[from][batch.passes().get(0)])
                        .as(what + " joins a pair")
                        .isTrue();
                assertThat(firstUnordered(needed, new PlanOrder(plan, batch.index(), w)))
                        .as(what + " is needed")
                        .isNotNull();
            }
        }
    }

    /** Each wait in exact stages is the only one that keeps some stage of some pass behind another pass. */
    private void exactWaits() {
        int[][] needed = neededStages();
        assertThat(new StageOrder(plan).unordered(needed)).as("waits suffice").isNull();
        for (FramePlan.Batch batch : plan.batches()) {
            for (int w = 0; w < batch.waits().size(); w++) {
                FramePlan.Batch source = plan.batches().get(batch.waits().get(w).batch());
                int from = source.passes().get(source.passes().size() - 1);
                String what = "wait of batch " + batch.index() + " for batch " + source.index();
                assertThat(StageOrder.closed(needed[from][batch.passes().get(0)]))
                        .as(what + " names the stages that need it")
                        .isEqualTo(StageOrder.closed(batch.waits().get(w).stages()));
                assertThat(new StageOrder(plan, batch.index(), w).unordered(needed))
                        .as(what + " is needed")
                        .isNotNull();
            }
        }
    }

    /** By pair of passes of different queues the stages in which the later one directly follows the earlier one. */
    private int[][] neededStages() {
        int count = plan.passes().size();
        int all = PipelineStage.ALL_COMMANDS.bit();
        int[][] needed = new int[count][count];
        for (int b = 0; b < model.passes().size(); b++) {
            BitSet before = saidBefore(b);
            for (int a = 0; a < b; a++) {
                boolean said = model.passes().get(a).has(PassFlag.UNTRACKED_ACCESS)
                        || model.passes().get(b).has(PassFlag.UNTRACKED_ACCESS)
                        || before.get(a);
                needed[a][b] = said ? all : 0;
            }
        }
        for (int r = 0; r < model.resources().size(); r++) {
            for (int unit = 0; unit < model.resources().get(r).units(); unit++) {
                List<Touch> touches = touches(r, unit);
                for (int i = 0; i < touches.size(); i++) {
                    for (int j = i + 1; j < touches.size(); j++) {
                        if (conflict(touches, i, j) && !conflictBetween(touches, i, j)) {
                            Touch later = touches.get(j);
                            needed[touches.get(i).pass][later.pass] |= later.stages == 0 ? all : later.stages;
                        }
                    }
                }
                for (int node = model.passes().size(); node < count; node++) {
                    boolean[][] around = new boolean[count][count];
                    needsOfAddedNode(around, node, r, unit, touches);
                    for (int i = 0; i < touches.size(); i++) {
                        Touch touch = touches.get(i);
                        boolean after = around[node][touch.pass];
                        boolean direct = true;
                        for (int k = 0; k < touches.size(); k++) {
                            // A touch on the same side that lies between orders the two.
                            boolean between = after ? k < i && around[node][touches.get(k).pass] : k > i;
                            between &= after || around[touches.get(k).pass][node];
                            direct &= !between || !conflict(touches, Math.min(i, k), Math.max(i, k));
                        }
                        if (direct && around[touch.pass][node]) {
                            needed[touch.pass][node] = all;
                        } else if (direct && after) {
                            needed[node][touch.pass] |= touch.stages == 0 ? all : touch.stages;
                        }
                    }
                }
            }
        }
        for (int a = 0; a < count; a++) {
            for (int b = 0; b < count; b++) {
                FramePlan.PassPlan first = plan.passes().get(a);
                FramePlan.PassPlan second = plan.passes().get(b);
                needed[a][b] = first.culled() || second.culled() || first.queue() == second.queue() ? 0 : needed[a][b];
            }
        }
        return needed;
    }

    private boolean conflict(List<Touch> touches, int i, int j) {
        Touch a = touches.get(i);
        Touch b = touches.get(j);
        return (a.write || b.write || a.layout != b.layout) && !overlap(touches, i, j);
    }

    /** Whether a chain of touches between two orders them, each in conflict with the one before it. */
    private boolean conflictBetween(List<Touch> touches, int i, int j) {
        boolean[] behind = new boolean[j];
        behind[i] = true;
        for (int k = i + 1; k < j; k++) {
            for (int m = i; m < k && !behind[k]; m++) {
                behind[k] = behind[m] && conflict(touches, m, k);
            }
            if (behind[k] && conflict(touches, k, j)) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable String firstUnordered(boolean[][] needed, PlanOrder order) {
        for (int a = 0; a < needed.length; a++) {
            for (int b = 0; b < needed.length; b++) {
                if (needed[a][b] && !order.before(a, b)) {
                    return "p" + a + " before p" + b;
                }
            }
        }
        return null;
    }

    /** The passes left that a pass is declared to come after, itself or through culled ones. */
    private BitSet saidBefore(int pass) {
        BitSet said = new BitSet();
        for (int earlier : model.passes().get(pass).after()) {
            if (plan.passes().get(earlier).culled()) {
                said.or(saidBefore(earlier));
            } else {
                said.set(earlier);
            }
        }
        return said;
    }

    /** Pairs of passes that touch a unit, one of them writing it or changing its layout. */
    private boolean[][] neededPairs() {
        int count = plan.passes().size();
        boolean[][] needed = new boolean[count][count];
        for (int p = 0; p < model.passes().size(); p++) {
            for (int earlier = 0; earlier < p; earlier++) {
                // What a pass touches without declaring it may be what any other one uses.
                needed[earlier][p] = (model.passes().get(p).has(PassFlag.UNTRACKED_ACCESS)
                                || model.passes().get(earlier).has(PassFlag.UNTRACKED_ACCESS))
                        && !plan.passes().get(p).culled()
                        && !plan.passes().get(earlier).culled();
            }
            if (!plan.passes().get(p).culled()) {
                BitSet before = saidBefore(p);
                for (int earlier = before.nextSetBit(0); earlier >= 0; earlier = before.nextSetBit(earlier + 1)) {
                    needed[earlier][p] = true;
                }
            }
        }
        for (int r = 0; r < model.resources().size(); r++) {
            for (int unit = 0; unit < model.resources().get(r).units(); unit++) {
                List<Touch> touches = touches(r, unit);
                for (int i = 0; i < touches.size(); i++) {
                    for (int j = i + 1; j < touches.size(); j++) {
                        Touch a = touches.get(i);
                        Touch b = touches.get(j);
                        needed[a.pass][b.pass] |=
                                (a.write || b.write || a.layout != b.layout) && !overlap(touches, i, j);
                    }
                }
                for (int node = model.passes().size(); node < count; node++) {
                    needsOfAddedNode(needed, node, r, unit, touches);
                }
            }
        }
        return needed;
    }

    private void needsOfAddedNode(boolean[][] needed, int node, int r, int unit, List<Touch> touches) {
        for (PlanBarrier barrier : plan.passes().get(node).before()) {
            if (on(barrier, r, unit)) {
                PlanOrder order = new PlanOrder(plan);
                for (Touch touch : touches) {
                    needed[touch.pass][node] |= order.before(touch.pass, node);
                    needed[node][touch.pass] |= !order.before(touch.pass, node);
                }
            }
        }
    }

    private void aliasing() {
        for (FramePlan.ResourcePlan a : plan.resources()) {
            boolean mapped =
                    a.bufferDescription() != null && a.bufferDescription().memory() != MemoryUsage.DEVICE;
            assertThat(a.heap() >= 0).isEqualTo(a.used() && a.lifetime() == Lifetime.TRANSIENT && !mapped);
            for (FramePlan.ResourcePlan b : plan.resources()) {
                if (a.index() < b.index()
                        && a.heap() >= 0
                        && a.heap() == b.heap()
                        && a.offset() < b.offset() + b.bytes()
                        && b.offset() < a.offset() + a.bytes()) {
                    assertThat(options.aliasing()).isTrue();
                    assertThat(entirelyBefore(a.index(), b.index()) || entirelyBefore(b.index(), a.index()))
                            .as(a.name() + " and " + b.name() + " share memory one after the other")
                            .isTrue();
                }
            }
        }
        plan.heaps().forEach(heap -> assertThat(heap.bytes()).isGreaterThanOrEqualTo(heap.lowerBound()));
        assertThat(plan.heapBytes()).isLessThanOrEqualTo(plan.transientBytesWithoutAliasing());
    }

    private boolean entirelyBefore(int a, int b) {
        for (Touch first : allTouches(a)) {
            for (Touch second : allTouches(b)) {
                if (!events.before(first.pass, first.stages, second.pass, second.stages)) {
                    return false;
                }
            }
            for (Touch second : firstTouches(b)) {
                if (first.write && !handedOver(a, b, first, second)) {
                    return false;
                }
            }
            for (EventGraph.Placed placed : events.barriers) {
                if (placed.barrier().resource() == b && !events.before(first.pass, first.stages, placed)) {
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
    private boolean handedOver(int a, int b, Touch first, Touch second) {
        if (events.throughSemaphore(first.pass, first.stages, second.pass, second.stages)) {
            return true;
        }
        for (EventGraph.Placed made : events.barriers) {
            boolean available = reaches(made.barrier(), a)
                    && PipelineStage.covers(made.barrier().scope().srcStages(), first.stages)
                    && MemoryAccess.covers(made.barrier().scope().srcAccess(), MemoryAccess.writesOf(first.access))
                    && events.before(first.pass, first.stages, made);
            for (EventGraph.Placed seen : events.barriers) {
                if (available
                        && (made.equals(seen) || events.before(made, seen))
                        && reaches(seen.barrier(), b)
                        && PipelineStage.covers(seen.barrier().scope().dstStages(), second.stages)
                        && MemoryAccess.covers(seen.barrier().scope().dstAccess(), second.access)
                        && events.before(seen, second.pass, second.stages)) {
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
    private List<Touch> firstTouches(int r) {
        List<Touch> result = new ArrayList<>();
        for (int u = 0; u < model.resources().get(r).units(); u++) {
            List<Touch> touches = touches(r, u);
            for (int i = 0; i < touches.size() && (i == 0 || overlap(touches, 0, i)); i++) {
                result.add(touches.get(i));
            }
        }
        return result;
    }

    private List<Touch> allTouches(int r) {
        List<Touch> result = new ArrayList<>();
        for (int u = 0; u < model.resources().get(r).units(); u++) {
            result.addAll(touches(r, u));
        }
        return result;
    }

    /** Nothing undefined is loaded, nothing needed is thrown away, nothing else is stored. */
    private void attachments() {
        for (int p = 0; p < model.passes().size(); p++) {
            RenderTargets targets = plan.passes().get(p).targets();
            for (GraphModel.Use use : model.passes().get(p).uses()) {
                if (targets == null || use.attachment() == null || !use.access().writes()) {
                    continue;
                }
                GraphModel.Res res = model.resources().get(use.resource());
                int unit = (use.plane() * res.layers() + use.layer()) * res.mips() + use.mip();
                RenderTargets.Depth depth = targets.depth();
                LoadOp load = null;
                StoreOp store = null;
                if (res.depth() && depth != null) {
                    load = depth.load();
                    store = depth.store();
                }
                for (RenderTargets.Color color : targets.colors()) {
                    if (color.resource() == use.resource() && color.range().equals(use.range())) {
                        load = color.load();
                        store = color.store();
                    }
                }
                List<Integer> shared = renderPass(p);
                int first = shared.get(0);
                int last = shared.get(shared.size() - 1);
                LoadOp declared = loadOf(first, use);
                boolean contents = hasContents(use.resource(), unit, first);
                assertThat(load).isEqualTo(declared == LoadOp.LOAD && !contents ? LoadOp.DONT_CARE : declared);
                boolean wanted = isOutput(res);
                for (Touch touch : touches(use.resource(), unit)) {
                    if (touch.pass > last) {
                        wanted = touch.needs;
                        break;
                    }
                }
                assertThat(store).isEqualTo(wanted ? StoreOp.STORE : StoreOp.DONT_CARE);
            }
        }
    }

    /** What somebody needs is resolved, at the end of the render pass; nothing else is. */
    private void resolves() {
        for (int p = 0; p < model.passes().size(); p++) {
            RenderTargets targets = plan.passes().get(p).targets();
            for (GraphModel.Use use : model.passes().get(p).uses()) {
                if (targets == null || !use.isResolve()) {
                    continue;
                }
                GraphModel.Res res = model.resources().get(use.resource());
                boolean wanted = isOutput(res);
                for (Touch touch : touches(use.resource(), use.layer() * res.mips() + use.mip())) {
                    if (touch.pass > p) {
                        wanted = touch.needs;
                        break;
                    }
                }
                List<Integer> shared = renderPass(p);
                boolean last = shared.get(shared.size() - 1) == p;
                boolean resolved = targets.colors().stream()
                        .anyMatch(color -> color.resolve() != null
                                && color.resolve().resource() == use.resource()
                                && color.resolve().range().equals(use.range()));
                String what = "p" + p + " resolves to " + res.name();
                assertThat(last && resolved).as(what).isEqualTo(wanted);
                assertThat(last || !resolved)
                        .as(what + " inside of its render pass")
                        .isTrue();
            }
        }
    }

    private LoadOp loadOf(int pass, GraphModel.Use target) {
        for (GraphModel.Use use : model.passes().get(pass).uses()) {
            LoadOp load = use.attachment();
            if (use.meets(target) && load != null) {
                return load;
            }
        }
        throw new AssertionError("p" + pass + " has no target r" + target.resource());
    }
}
