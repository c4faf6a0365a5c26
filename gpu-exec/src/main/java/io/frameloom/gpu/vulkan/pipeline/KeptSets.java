package io.frameloom.gpu.vulkan.pipeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The descriptor sets of a frame context by content: bindings that a frame has made once find their set again in later
 * ones. A round lasts from one reset of the context to the next.
 *
 * <p><b>Who may call.</b> {@link #find} and {@link #publish}: any thread that records a list of the context.
 * {@link #register}, {@link #endRound} and {@link #close}: a thread that holds the lock of the context, with which each
 * list is begun and ended.
 *
 * <p><b>Why a set in use is never written.</b> Only lists of this context bind its sets. When a round ends, the device
 * has finished with all of them, and those that were not submitted can no longer be. Only then do sets lose their
 * contents.
 *
 * <p><b>Memory order.</b> The table is a hash table with open addressing. Within a round it only grows. The
 * compare-and-set of {@link #publish} is its linearization point. It releases what its thread has written into the set,
 * and the volatile load of {@link #find} acquires it. Two threads that publish equal contents probe the same places, so
 * the second meets the set of the first, and takes it.
 *
 * <p><b>Progress.</b> Both are wait-free: they look at {@link #PROBES} places at most. If none of these is free, the set
 * is used by its list alone. From the next round on the table has room for it.
 *
 * <p><b>Bounds.</b> A set goes when something in it was closed, and when it was idle for {@link #LONGEST_IDLE} rounds.
 * Of more than {@link #MOST_IDLE} idle sets the longest idle go first.
 */
public final class KeptSets implements AutoCloseable {
    public static final int LONGEST_IDLE = 8;
    public static final int MOST_IDLE = 1024;
    private static final int PROBES = 32;
    private static final int LEAST_PLACES = 256;
    /** Places for each set, so that few probes are enough. */
    private static final int PLACES = 4;

    private final List<SetSupply> supplies = new ArrayList<>();
    /** By rounds of idleness: how many sets; work memory of {@link #endRound}. */
    private final int[] idle = new int[LONGEST_IDLE + 1];

    // Both change at the end of a round alone, and are published by the lock of the context.
    private AtomicReferenceArray<@Nullable KeptSet> table = new AtomicReferenceArray<>(LEAST_PLACES);
    /** From 1, so that a set that was never used is not of this round. */
    private int round = 1;
    /** The number of closings that sets were last searched for. */
    private long searched;

    /** Adds a slot's part, before its first list. */
    void register(SetSupply supply) {
        supplies.add(supply);
    }

    /** Returns the set of these contents, for use in this round; null if there is none. */
    @Nullable
    KeptSet find(SetLayout layout, BindingValues values, int set, int hash) {
        for (int i = 0; i < PROBES; i++) {
            KeptSet known = table.get(hash + i & table.length() - 1);
            if (known == null) {
                return null;
            }
            if (known.hash() == hash && known.has(layout, values, set)) {
                known.use(round);
                return known;
            }
        }
        return null;
    }

    /** Notes that a set of an earlier round, which has not been dropped since, is used in this one. */
    void use(KeptSet kept) {
        kept.use(round);
    }

    /**
     * Shows a set to the other threads.
     *
     * @param made a set of {@code values} that nothing uses yet
     * @return that, or the set of equal contents that another thread has shown meanwhile; null if there is no place
     */
    @Nullable
    KeptSet publish(KeptSet made, BindingValues values, int set) {
        made.use(round);
        for (int i = 0; i < PROBES; i++) {
            int place = made.hash() + i & table.length() - 1;
            KeptSet known = table.get(place);
            if (known == null) {
                known = table.compareAndExchange(place, null, made);
                if (known == null) {
                    return made;
                }
            }
            if (known.hash() == made.hash() && known.has(made.layout(), values, set)) {
                known.use(round);
                return known;
            }
        }
        return null;
    }

    /**
     * Ends a round: no thread records, and the device has finished with every list.
     *
     * @param closings number of the device's closings
     */
    public void endRound(long closings) {
        boolean search = closings != searched;
        searched = closings;
        int count = 0;
        boolean changed = false;
        Arrays.fill(idle, 0);
        for (int i = 0; i < supplies.size(); i++) {
            changed |= supplies.get(i).sort(round, search, idle);
        }
        int longest = longest();
        for (int i = 0; i < supplies.size(); i++) {
            changed |= supplies.get(i).dropIdle(round, longest);
            count += supplies.get(i).size();
        }
        round++;
        if (changed || 2 * count > table.length()) {
            rebuild(count);
        }
    }

    /** Returns the most rounds of idleness for which the sets that are not older are not too many. */
    private int longest() {
        int longest = 0;
        int sum = 0;
        while (longest < LONGEST_IDLE && sum + idle[longest + 1] <= MOST_IDLE) {
            longest++;
            sum += idle[longest];
        }
        return longest;
    }

    private void rebuild(int count) {
        int places = Integer.highestOneBit(Math.max(LEAST_PLACES, PLACES * count) * 2 - 1);
        if (places > table.length() || places < table.length() / PLACES) {
            table = new AtomicReferenceArray<>(places);
        } else {
            for (int i = 0; i < table.length(); i++) {
                table.setPlain(i, null);
            }
        }
        for (int i = 0; i < supplies.size(); i++) {
            supplies.get(i).show();
        }
    }

    void put(KeptSet kept) {
        for (int i = 0; i < PROBES; i++) {
            int place = kept.hash() + i & table.length() - 1;
            if (table.getPlain(place) == null) {
                table.setPlain(place, kept);
                return;
            }
        }
    }

    /** Returns the number of sets that later rounds may find. */
    public int size() {
        return supplies.stream().mapToInt(SetSupply::size).sum();
    }

    /** Returns the number of sets that are taken from pools, those without contents included. */
    public int held() {
        return supplies.stream().mapToInt(SetSupply::held).sum();
    }

    /** Returns how many times a set was written, which finding one does not change. */
    public long written() {
        return supplies.stream().mapToLong(SetSupply::written).sum();
    }

    @Override
    public void close() {
        supplies.forEach(SetSupply::close);
    }
}
