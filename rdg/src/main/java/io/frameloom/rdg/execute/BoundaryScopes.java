package io.frameloom.rdg.execute;

import io.frameloom.gpu.BarrierBatch;
import io.frameloom.gpu.MemoryAccess;
import io.frameloom.gpu.PipelineStage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The scopes of the barriers that one frame needs on one queue behind former frames. RENDER thread only.
 *
 * <p>Former uses come before all of the frame's barriers, so one of these serves every later pass of the queue that asks for
 * no more.
 */
final class BoundaryScopes {
    private static final int KNOWN = 256;
    private static final BarrierBatch NOTHING = new BarrierBatch(List.of(), List.of(), List.of());

    private final List<BarrierBatch.Scope> issued = new ArrayList<>();
    private final List<BarrierBatch.Scope> open = new ArrayList<>();
    private final Map<List<BarrierBatch.Scope>, BarrierBatch> known = new HashMap<>();

    void beginFrame() {
        issued.clear();
        open.clear();
    }

    /** Orders a former use before a touch at the pass at hand, unless a barrier does that already. */
    void order(LastUses.Use use, PlanTouches.Touch touch) {
        if (use.isOrdered(touch)) {
            return;
        }
        int access = use.isWrite() ? touch.access() : MemoryAccess.NONE;
        BarrierBatch.Scope found = covering(issued, use, touch.stages(), access);
        if (found == null) {
            found = covering(open, use, touch.stages(), access);
        }
        if (found == null) {
            found = add(use.stages(), use.writes(), touch.stages(), access);
        }
        use.ordered(found.dstStages(), found.dstAccess());
    }

    private static BarrierBatch.@Nullable Scope covering(
            List<BarrierBatch.Scope> scopes, LastUses.Use use, int stages, int access) {
        for (BarrierBatch.Scope scope : scopes) {
            if (PipelineStage.covers(scope.srcStages(), use.stages())
                    && MemoryAccess.covers(scope.srcAccess(), use.writes())
                    && PipelineStage.covers(scope.dstStages(), stages)
                    && MemoryAccess.covers(scope.dstAccess(), access)) {
                return scope;
            }
        }
        return null;
    }

    /** Widens a scope that has the same half, so that nothing is ordered that need not be, or adds one. */
    private BarrierBatch.Scope add(int srcStages, int srcAccess, int dstStages, int dstAccess) {
        BarrierBatch.Scope added = new BarrierBatch.Scope(srcStages, srcAccess, dstStages, dstAccess);
        for (int i = 0; i < open.size(); i++) {
            BarrierBatch.Scope scope = open.get(i);
            boolean sameSource = scope.srcStages() == srcStages && scope.srcAccess() == srcAccess;
            boolean sameDestination = scope.dstStages() == dstStages && scope.dstAccess() == dstAccess;
            if (sameSource || sameDestination) {
                BarrierBatch.Scope wider = new BarrierBatch.Scope(
                        scope.srcStages() | srcStages,
                        scope.srcAccess() | srcAccess,
                        scope.dstStages() | dstStages,
                        scope.dstAccess() | dstAccess);
                open.set(i, wider);
                return wider;
            }
        }
        open.add(added);
        return added;
    }

    /** Ends the pass at hand; returns its barrier, empty if it needs none. */
    BarrierBatch take() {
        if (open.isEmpty()) {
            return NOTHING;
        }
        BarrierBatch batch = known.get(open);
        if (batch == null) {
            if (known.size() == KNOWN) {
                known.clear();
            }
            batch = new BarrierBatch(
                    List.of(),
                    List.of(),
                    open.stream().map(BarrierBatch.GlobalBarrier::new).toList());
            known.put(List.copyOf(open), batch);
        }
        issued.addAll(open);
        open.clear();
        return batch;
    }

    /** Notes that everything of former frames on the queue comes before the pass at hand. */
    void orderAll() {
        open.clear();
        open.add(BarrierBatch.GlobalBarrier.FULL.scope());
    }
}
