package io.frameloom.streaming;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides what is loaded and dropped. One level at a time, those that are worst off first. What nobody asks for stays
 * until its room is needed.
 *
 * <p>Stable, since a texture takes a level only if the other may not take it back: levels that are not asked for, levels
 * of lower priority, or of the same priority where the other then still lacks fewer levels than this one did.
 *
 * <p>A texture that is not sparse and loses a level needs a second, smaller image for a frame. So room for the largest such image is always kept, else
 * nothing could be dropped when memory is full.
 */
final class ResidencyPolicy {
    private static final Comparator<Residency> WORST_FIRST = Comparator.comparing(Residency::isAbsent)
            .thenComparingInt((Residency each) -> each.priority)
            .thenComparingInt(Residency::lack)
            .reversed()
            .thenComparingInt((Residency each) -> each.index);

    /** Who loses a level first: what is not asked for, of low priority, that lacks little. */
    private static final Comparator<Residency> FIRST_TO_LOSE = Comparator.comparing(
                    (Residency each) -> each.lack() >= 0)
            .thenComparingInt(each -> each.priority)
            .thenComparingInt(Residency::lack);

    private final long budget;
    private final long loadBudget;

    /** Images that exist or are decided, and those of them that frames under way alone use. */
    private long allocated;

    private long leaving;
    private long loading;
    private long reserve;

    /**
     * Those that the next taker may take from, the first to lose first; null before one has to take. Takers come worst
     * first, and one may take from a beginning of this order that is no longer than that of the taker before.
     */
    private @Nullable List<Residency> losers;
    /** What they give if each loses one level, and the images that they then need. */
    private long gain;

    private long smaller;

    ResidencyPolicy(long budget, long loadBudget) {
        this.budget = budget;
        this.loadBudget = loadBudget;
    }

    /** A texture, and the finest level that it is to have: one level finer or coarser, or its tail. */
    record Change(Residency texture, int level) {}

    /**
     * Decides for a frame.
     *
     * @param existing bytes of all images, those that are being loaded and those about to be freed included
     * @param freed bytes of those about to be freed
     * @param underWay bytes that are being loaded
     */
    List<Change> decide(Collection<Residency> textures, long existing, long freed, long underWay) {
        allocated = existing;
        leaving = freed;
        loading = underWay;
        reserve = 0;
        losers = null;
        List<Residency> lacking = new ArrayList<>();
        for (Residency each : textures) {
            if (!each.isAbsent()) {
                int finest = each.isBusy ? each.next() : each.resident;
                reserve = Math.max(reserve, each.shrunkBytes(finest));
            }
            if (each.canGrow()) {
                lacking.add(each);
            }
        }
        lacking.sort(WORST_FIRST);
        List<Change> changes = new ArrayList<>();
        for (Residency each : lacking) {
            if (!tryLoad(each, textures, changes)) {
                break;
            }
        }
        return changes;
    }

    /** Returns false if those that come after must wait as well. */
    private boolean tryLoad(Residency texture, Collection<Residency> textures, List<Change> changes) {
        long load = texture.nextLoad();
        // A level that is larger than all that a frame may load goes alone.
        if (loading > 0 && loading + load > loadBudget) {
            return false;
        }
        long need = texture.needBytes(texture.next());
        long kept = Math.max(reserve, texture.shrunkBytes(texture.next()));
        if (allocated + need + kept <= budget) {
            allocated += need;
            loading += load;
            reserve = kept;
            changes.add(new Change(texture, texture.next()));
            return true;
        }
        if (allocated - leaving + need + kept <= budget) {
            return false; // there will be room when frames under way have ended
        }
        return !makeRoom(texture, allocated - leaving + need + kept - budget, textures, changes);
    }

    /** Drops levels of others, or nothing if that would not be enough. */
    private boolean makeRoom(Residency texture, long missing, Collection<Residency> textures, List<Change> changes) {
        List<Residency> victims = losers(texture, textures);
        if (gain < missing && allocated + smaller <= budget) {
            return false;
        }
        long beside = 0;
        long gained = 0;
        for (Residency victim : victims) {
            long bytes = victim.shrunkBytes(victim.resident);
            // If there is no room for the smaller image, the rest is dropped when this has been.
            if (gained >= missing || allocated + beside + bytes > budget) {
                break;
            }
            changes.add(new Change(victim, victim.resident + 1));
            long left = victim.leftBytes(victim.resident + 1);
            leaving += left;
            beside += bytes;
            gained += left - bytes;
        }
        allocated += beside;
        return true;
    }

    /** Returns those that one may take from. None of them is to be loaded: those are worse off than it. */
    private List<Residency> losers(Residency taker, Collection<Residency> textures) {
        List<Residency> all = losers;
        if (all == null) {
            all = new ArrayList<>();
            gain = 0;
            smaller = 0;
            for (Residency each : textures) {
                if (!each.isBusy && each.resident < each.tail) {
                    all.add(each);
                    count(each, 1);
                }
            }
            all.sort(FIRST_TO_LOSE);
            losers = all;
        }
        while (!all.isEmpty() && !mayLose(all.get(all.size() - 1), taker)) {
            count(all.remove(all.size() - 1), -1);
        }
        return all;
    }

    private void count(Residency loser, int sign) {
        long bytes = loser.shrunkBytes(loser.resident);
        smaller += sign * bytes;
        gain += sign * (loser.leftBytes(loser.resident + 1) - bytes);
    }

    private static boolean mayLose(Residency victim, Residency taker) {
        return victim.lack() < 0
                || taker.isAbsent()
                || victim.priority < taker.priority
                || (victim.priority == taker.priority && victim.lack() + 1 < taker.lack());
    }
}
