package io.frameloom.rdg.compile;

import io.frameloom.rdg.MemorySizer;
import io.frameloom.rdg.PlanReuse;
import io.frameloom.rdg.QueueTopology;
import io.frameloom.rdg.compile.plan.PlanStructure;
import io.frameloom.rdg.declare.DeclarationJournal;
import io.frameloom.rdg.declare.DeclaredNames;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The plans that graphs were compiled to lately. They are found again by what was declared and by the passes that were
 * kept on the graphics queue, mostly none. A bounded number: the one that was not used for longest makes room. A hash
 * narrows down, a compare of everything decides, so that equal hashes of different graphs do no harm.
 *
 * <p>Names do not decide: a graph with others gets the same plan under its own. The last few lists of names of each
 * plan are kept, so alternating views share all that was made of each. Any thread.
 */
final class KeptPlans {
    private static final int MOST_NAMED = 4;

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
        /** The plan under the names of one graph and another; the newest use is the first. */
        final List<Named> named = new ArrayList<>(1);

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
            named.add(new Named(journal.names(), structure));
        }

        boolean fits(long wanted, DeclarationJournal declared, QueueTopology topology, MemorySizer sizes, BitSet kept) {
            return hash == wanted
                    && demoted.equals(kept)
                    && queues.equals(topology)
                    && sizer.equals(sizes)
                    && journal.isEqualTo(declared);
        }

        PlanStructure named(DeclaredNames names) {
            int at = 0;
            while (at < named.size() && !named.get(at).names.isEqualTo(names)) {
                at++;
            }
            if (at == 0) {
                return named.get(0).structure;
            }
            Named wanted = at < named.size() ? named.remove(at) : renamed(names.copy());
            named.add(0, wanted);
            return wanted.structure;
        }

        private Named renamed(DeclaredNames names) {
            if (named.size() == MOST_NAMED) {
                named.remove(MOST_NAMED - 1);
            }
            return new Named(names, named.get(0).structure.named(names));
        }
    }

    private record Named(DeclaredNames names, PlanStructure structure) {}

    /** Returns what a graph with such a journal was compiled to, under the names of that journal, or null. */
    synchronized @Nullable PlanStructure find(
            DeclarationJournal declared, QueueTopology queues, MemorySizer sizer, BitSet demoted) {
        Kept known = known(declared, queues, sizer, demoted);
        if (known == null) {
            misses++;
            return null;
        }
        hits++;
        known.lastUse = ++clock;
        return known.named(declared.names());
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

    /** Keeps a plan, unless another thread has just kept an equal one. */
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
