package io.frameloom.rdg.execute.touch;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.internal.RepeatedCommand;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The scopes of the barriers that one frame needs on one queue after former frames. RENDER thread only.
 *
 * <p>Former uses come before all of the frame's barriers, so one of these serves every later pass of the queue that
 * asks for no more.
 */
public final class BoundaryScopes {
    private static final int SIZE = 512;

    private final List<BarrierBatch.Scope> issued = new ArrayList<>();
    private final List<BarrierBatch.Scope> open = new ArrayList<>();
    // What frames have asked for before, found without an allocation: two open hash tables, emptied when half full.
    private final BarrierBatch.@Nullable Scope[] scopes = new BarrierBatch.Scope[SIZE];
    private final BarrierBatch.@Nullable Scope[] @Nullable [] members = new BarrierBatch.Scope[SIZE][];

    @SuppressWarnings("unchecked") // nothing else is put in
    private final @Nullable RepeatedCommand<BarrierBatch>[] batches =
            (RepeatedCommand<BarrierBatch>[]) new RepeatedCommand<?>[SIZE];

    private int scopeCount;
    private int batchCount;

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
                BarrierBatch.Scope wider = scope(
                        scope.srcStages() | srcStages,
                        scope.srcAccess() | srcAccess,
                        scope.dstStages() | dstStages,
                        scope.dstAccess() | dstAccess);
                open.set(i, wider);
                return wider;
            }
        }
        BarrierBatch.Scope added = scope(srcStages, srcAccess, dstStages, dstAccess);
        open.add(added);
        return added;
    }

    /** Ends the pass at hand; returns its barrier, or null if it needs none. */
    public @Nullable RepeatedCommand<BarrierBatch> take() {
        if (open.isEmpty()) {
            return null;
        }
        RepeatedCommand<BarrierBatch> batch = batch(open);
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

    /** Returns a scope, the same object as before if one with these masks was asked for lately. */
    private BarrierBatch.Scope scope(int srcStages, int srcAccess, int dstStages, int dstAccess) {
        int hash = ((srcStages * 31 + srcAccess) * 31 + dstStages) * 31 + dstAccess;
        int at = slot(hash);
        for (BarrierBatch.Scope known = scopes[at]; known != null; known = scopes[at]) {
            if (known.srcStages() == srcStages
                    && known.srcAccess() == srcAccess
                    && known.dstStages() == dstStages
                    && known.dstAccess() == dstAccess) {
                return known;
            }
            at = (at + 1) % SIZE;
        }
        if (++scopeCount > SIZE / 2) {
            Arrays.fill(scopes, null);
            scopeCount = 1;
            at = slot(hash);
        }
        BarrierBatch.Scope added = new BarrierBatch.Scope(srcStages, srcAccess, dstStages, dstAccess);
        scopes[at] = added;
        return added;
    }

    /** Returns a barrier of all memory for each scope, the same object as before if it was asked for lately. */
    private RepeatedCommand<BarrierBatch> batch(List<BarrierBatch.Scope> wanted) {
        int hash = wanted.hashCode();
        int at = slot(hash);
        for (RepeatedCommand<BarrierBatch> known = batches[at]; known != null; known = batches[at]) {
            if (isSame(members[at], wanted)) {
                return known;
            }
            at = (at + 1) % SIZE;
        }
        if (++batchCount > SIZE / 2) {
            Arrays.fill(batches, null);
            Arrays.fill(members, null);
            batchCount = 1;
            at = slot(hash);
        }
        RepeatedCommand<BarrierBatch> added = new RepeatedCommand<>(new BarrierBatch(
                List.of(),
                List.of(),
                wanted.stream().map(BarrierBatch.GlobalBarrier::new).toList()));
        members[at] = wanted.toArray(BarrierBatch.Scope[]::new);
        batches[at] = added;
        return added;
    }

    private static boolean isSame(BarrierBatch.@Nullable Scope @Nullable [] known, List<BarrierBatch.Scope> wanted) {
        if (known == null || known.length != wanted.size()) {
            return false;
        }
        for (int i = 0; i < known.length; i++) {
            if (!wanted.get(i).equals(known[i])) {
                return false;
            }
        }
        return true;
    }

    private static int slot(int hash) {
        int mixed = hash * 0x9E3779B9;
        return (mixed >>> 16) % SIZE;
    }
}
