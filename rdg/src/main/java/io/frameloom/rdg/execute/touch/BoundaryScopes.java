package io.frameloom.rdg.execute.touch;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The scopes of the barriers that one frame needs on one queue after former frames. RENDER thread only.
 *
 * <p>Former uses come before all of the frame's barriers, so one of these serves every later pass of the queue that
 * asks for no more.
 */
public final class BoundaryScopes {
    private static final BarrierBatch NOTHING = new BarrierBatch(List.of(), List.of(), List.of());

    private final List<BarrierBatch.Scope> issued = new ArrayList<>();
    private final List<BarrierBatch.Scope> open = new ArrayList<>();
    private final ScopeTable known = new ScopeTable();

    public void beginFrame() {
        issued.clear();
        open.clear();
    }

    /** Orders a former use before a touch at the pass at hand, unless a barrier does that already. */
    public void order(LastUses.Use use, PlanTouches.Touch touch) {
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
        for (int i = 0; i < scopes.size(); i++) {
            BarrierBatch.Scope scope = scopes.get(i);
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
        for (int i = 0; i < open.size(); i++) {
            BarrierBatch.Scope scope = open.get(i);
            boolean sameSource = scope.srcStages() == srcStages && scope.srcAccess() == srcAccess;
            boolean sameDestination = scope.dstStages() == dstStages && scope.dstAccess() == dstAccess;
            if (sameSource || sameDestination) {
                BarrierBatch.Scope wider = known.scope(
                        scope.srcStages() | srcStages,
                        scope.srcAccess() | srcAccess,
                        scope.dstStages() | dstStages,
                        scope.dstAccess() | dstAccess);
                open.set(i, wider);
                return wider;
            }
        }
        BarrierBatch.Scope added = known.scope(srcStages, srcAccess, dstStages, dstAccess);
        open.add(added);
        return added;
    }

    /** Ends the pass at hand; returns its barrier, empty if it needs none. */
    public BarrierBatch take() {
        if (open.isEmpty()) {
            return NOTHING;
        }
        BarrierBatch batch = known.batch(open);
        for (int i = 0; i < open.size(); i++) {
            issued.add(open.get(i));
        }
        open.clear();
        return batch;
    }

    /** Notes that everything of former frames on the queue comes before the pass at hand. */
    public void orderAll() {
        open.clear();
        open.add(BarrierBatch.GlobalBarrier.FULL.scope());
    }
}
