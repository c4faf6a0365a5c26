package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.vulkan.driver.DebugNames;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lwjgl.vulkan.VK13;

/**
 * The part of a slot in the {@link KeptSets} of its context: the sets that it has made, and those that it may write
 * anew. The thread that records from the slot; at the end of a round the one that ends it.
 */
public final class SetSupply implements AutoCloseable {
    /** A set that has no contents for so long goes back to its pool. */
    private static final int LONGEST_EMPTY = 2 * KeptSets.LONGEST_IDLE;

    private final KeptSets shared;
    private final DescriptorPools pools;
    private final DebugNames names;
    private final List<KeptSet> kept = new ArrayList<>();
    private final List<Empty> empty = new ArrayList<>();
    /** The sets of the last round and of this one, in the order in which they were asked for: frames repeat it. */
    private final List<KeptSet> order = new ArrayList<>();

    /** How many of them are of this round. */
    private int asked;

    private @Nullable Empty lastEmpty;
    /** Whether a set of this round found no place in the table. */
    private boolean unseen;

    private long written;

    /** Sets of one layout without contents. */
    private static final class Empty {
        private final SetLayout layout;
        private final List<KeptSet> sets = new ArrayList<>();

        Empty(SetLayout layout) {
            this.layout = layout;
        }
    }

    public SetSupply(KeptSets shared, DescriptorPools pools, DebugNames names) {
        this.shared = shared;
        this.pools = pools;
        this.names = names;
        shared.register(this);
    }

    /** Returns a set of the contents that are bound, which stays as it is until the context is reset. */
    KeptSet get(PipelineInterface pipeline, int set, BindingValues values) {
        SetLayout layout = pipeline.setLayout(set);
        KeptSet same = asked < order.size() ? order.get(asked) : null;
        if (same != null && same.has(layout, values, set)) {
            shared.use(same);
        } else {
            int hash = values.hash(set) + layout.hashCode();
            KeptSet known = shared.find(layout, values, set, hash);
            same = known != null ? known : write(pipeline, set, values, hash);
            if (asked < order.size()) {
                order.set(asked, same);
            } else {
                order.add(same);
            }
        }
        asked++;
        return same;
    }

    private KeptSet write(PipelineInterface pipeline, int set, BindingValues values, int hash) {
        KeptSet made = take(pipeline, set);
        made.fill(values, set, hash);
        values.write(set, made.handle());
        written++;
        names.nameWhileRecording(VK13.VK_OBJECT_TYPE_DESCRIPTOR_SET, made.handle(), pipeline.setName(set));
        KeptSet shown = shared.publish(made, values, set);
        if (shown == null) {
            unseen = true;
        } else if (shown != made) {
            drop(made);
            return shown;
        }
        kept.add(made);
        return made;
    }

    private KeptSet take(PipelineInterface pipeline, int set) {
        SetLayout layout = pipeline.setLayout(set);
        Empty same = emptyOf(layout);
        if (same != null && !same.sets.isEmpty()) {
            return same.sets.remove(same.sets.size() - 1);
        }
        int[] needs = pipeline.setNeeds(set);
        return new KeptSet(layout, pools.allocate(layout.handle(), needs), pipeline.elements(set));
    }

    private @Nullable Empty emptyOf(SetLayout layout) {
        if (lastEmpty == null || lastEmpty.layout != layout) {
            lastEmpty = null;
            for (int i = 0; i < empty.size() && lastEmpty == null; i++) {
                lastEmpty = empty.get(i).layout == layout ? empty.get(i) : null;
            }
        }
        return lastEmpty;
    }

    private void drop(KeptSet set) {
        set.empty();
        Empty same = emptyOf(set.layout());
        if (same == null) {
            same = new Empty(set.layout());
            empty.add(same);
        }
        same.sets.add(set);
    }

    /**
     * Drops sets that were idle for too long or name something closed, and counts the others.
     *
     * @param search whether something was closed since the last round
     * @param idle takes by rounds of idleness how many there are
     * @return whether the table has to be made anew
     */
    boolean sort(int round, boolean search, int[] idle) {
        asked = 0;
        freeEmpty(round);
        int before = kept.size();
        int left = 0;
        for (int i = 0; i < before; i++) {
            KeptSet set = kept.get(i);
            if (set.idle(round) > KeptSets.LONGEST_IDLE || (search && set.closedPart() != null)) {
                drop(set);
            } else {
                idle[set.idle(round)]++;
                kept.set(left++, set);
            }
        }
        boolean unplaced = unseen;
        unseen = false;
        return shorten(left) || unplaced;
    }

    /** Drops sets that were idle for more than some rounds; returns whether there was one. */
    boolean dropIdle(int round, int longest) {
        int left = 0;
        for (int i = 0; i < kept.size(); i++) {
            KeptSet set = kept.get(i);
            if (set.idle(round) > longest) {
                drop(set);
            } else {
                kept.set(left++, set);
            }
        }
        return shorten(left);
    }

    private boolean shorten(int left) {
        boolean shorter = left < kept.size();
        for (int i = kept.size(); i > left; i--) {
            kept.remove(i - 1);
        }
        return shorter;
    }

    private void freeEmpty(int round) {
        for (int i = empty.size() - 1; i >= 0; i--) {
            List<KeptSet> sets = empty.get(i).sets;
            for (int j = sets.size() - 1; j >= 0; j--) {
                if (sets.get(j).idle(round) > LONGEST_EMPTY) {
                    sets.remove(j).free(pools);
                }
            }
            if (sets.isEmpty()) {
                empty.remove(i);
                lastEmpty = null;
            }
        }
    }

    /** Puts the kept sets into the table, which is empty: some set was dropped, or there are many more. */
    void show() {
        order.clear();
        for (int i = 0; i < kept.size(); i++) {
            shared.put(kept.get(i));
        }
    }

    int size() {
        return kept.size();
    }

    int held() {
        return kept.size() + empty.stream().mapToInt(same -> same.sets.size()).sum();
    }

    long written() {
        return written;
    }

    /** Lets go of everything; the pools are about to be destroyed. */
    @Override
    public void close() {
        kept.forEach(KeptSet::empty);
        kept.forEach(set -> set.layout().release());
        empty.forEach(same -> same.sets.forEach(set -> set.layout().release()));
    }
}
