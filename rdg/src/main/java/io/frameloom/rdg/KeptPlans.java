package io.frameloom.rdg;

import io.frameloom.rdg.compile.PlanStructure;
import java.util.BitSet;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The plans that graphs were compiled to lately, found again by what was declared and by the passes that were kept on the
 * graphics queue, mostly none. A bounded number: the one that was not used for longest makes room. A hash narrows down, a compare of everything decides, so that equal hashes of different
 * graphs do no harm. Any thread.
 */
final class KeptPlans {
    private final int most;
    private final LongUnaryOperator hashing;
    private final Kept[] kept;
    private int count;
    private long clock;
    private long hits;
    private long misses;

    /** No plans; {@code hashing} makes the hash that is compared of that of a journal. */
    KeptPlans(int most, LongUnaryOperator hashing) {
        this.most = most;
        this.hashing = hashing;
        this.kept = new Kept[most];
    }

    private static final class Kept {
        final long hash;
        final DeclarationJournal journal;
        final QueueTopology queues;
        final MemorySizer sizer;
        final BitSet demoted;
        final PlanStructure structure;
        long lastUse;

        Kept(
                long hash,
                DeclarationJournal journal,
                QueueTopology queues,
                MemorySizer sizer,
                BitSet demoted,
                PlanStructure structure) {
            this.hash = hash;
            this.journal = journal;
            this.queues = queues;
            this.sizer = sizer;
            this.demoted = demoted;
            this.structure = structure;
        }

        boolean fits(long wanted, DeclarationJournal declared, QueueTopology topology, MemorySizer sizes, BitSet kept) {
            return hash == wanted
                    && demoted.equals(kept)
                    && queues.equals(topology)
                    && sizer.equals(sizes)
                    && journal.isEqualTo(declared);
        }
    }

    /** Returns what a graph with such a journal was compiled to, or null. */
    synchronized @Nullable PlanStructure find(
            DeclarationJournal declared, QueueTopology queues, MemorySizer sizer, BitSet demoted) {
        Kept known = known(declared, queues, sizer, demoted);
        if (known == null) {
            misses++;
            return null;
        }
        hits++;
        known.lastUse = ++clock;
        return known.structure;
    }

    private @Nullable Kept known(DeclarationJournal declared, QueueTopology queues, MemorySizer sizer, BitSet demoted) {
        long hash = hashing.applyAsLong(declared.hash());
        for (int i = 0; i < count; i++) {
            if (kept[i].fits(hash, declared, queues, sizer, demoted)) {
                return kept[i];
            }
        }
        return null;
    }

    /** Keeps a plan, unless another thread has kept an equal one meanwhile. */
    synchronized void keep(
            DeclarationJournal declared,
            QueueTopology queues,
            MemorySizer sizer,
            BitSet demoted,
            PlanStructure structure) {
        if (known(declared, queues, sizer, demoted) != null) {
            return;
        }
        int place = count;
        if (count < most) {
            count++;
        } else {
            place = 0;
            for (int i = 1; i < count; i++) {
                place = kept[i].lastUse < kept[place].lastUse ? i : place;
            }
        }
        Kept added = new Kept(hashing.applyAsLong(declared.hash()), declared.copy(), queues, sizer, demoted, structure);
        added.lastUse = ++clock;
        kept[place] = added;
    }

    synchronized PlanReuse statistics() {
        return new PlanReuse(hits, misses, count);
    }
}
