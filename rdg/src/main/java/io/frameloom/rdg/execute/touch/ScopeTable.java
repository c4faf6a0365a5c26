package io.frameloom.rdg.execute.touch;

import io.frameloom.gpu.command.BarrierBatch;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The scopes and barriers that frames have asked for before, found without an allocation. Two open hash tables, emptied
 * when they are half full. RENDER thread only.
 */
final class ScopeTable {
    private static final int SIZE = 512;

    private final BarrierBatch.@Nullable Scope[] scopes = new BarrierBatch.Scope[SIZE];
    private final BarrierBatch.@Nullable Scope[] @Nullable [] members = new BarrierBatch.Scope[SIZE][];
    private final @Nullable BarrierBatch[] batches = new BarrierBatch[SIZE];
    private int scopeCount;
    private int batchCount;

    BarrierBatch.Scope scope(int srcStages, int srcAccess, int dstStages, int dstAccess) {
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

    /** Returns a barrier of all memory for each scope. */
    BarrierBatch batch(List<BarrierBatch.Scope> wanted) {
        int hash = wanted.hashCode();
        int at = slot(hash);
        for (BarrierBatch known = batches[at]; known != null; known = batches[at]) {
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
        BarrierBatch added = new BarrierBatch(
                List.of(),
                List.of(),
                wanted.stream().map(BarrierBatch.GlobalBarrier::new).toList());
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
