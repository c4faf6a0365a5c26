package io.frameloom.streaming;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides what is loaded and dropped. One level at a time, those that are worst off first. What nobody wishes stays
 * until its room is needed.
 *
 * <p>Stable, since no texture takes from another what that could take back: it takes levels that are not wished, levels
 * of lower priority, or of the same priority where the other then still lacks fewer levels than this one did.
 *
 * <p>An image that loses a level is a new one beside the old. So room for the largest such image is always kept, else
 * nothing could be dropped when memory is full.
 */
final class ResidencyPolicy {
    private static final Comparator<Residency> WORST_FIRST = Comparator.comparing(Residency::isAbsent)
            .thenComparingInt((Residency each) -> each.priority)
            .thenComparingInt(Residency::lack)
            .reversed()
            .thenComparingInt((Residency each) -> each.index);

    private final long budget;
    private final long loadBudget;

    /** Images that exist or are decided, and those of them that frames under way alone use. */
    private long allocated;

    private long leaving;
    private long loading;
    private long reserve;

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
        List<Residency> lacking = new ArrayList<>();
        for (Residency each : textures) {
            if (!each.isAbsent()) {
                int finest = each.isBusy ? each.next() : each.resident;
                reserve = Math.max(reserve, each.shrunkBytes(finest));
            }
            if (!each.isBusy && !each.isFailed && each.lack() > 0) {
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
        long need = texture.imageBytes(texture.next());
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
        List<Residency> victims = new ArrayList<>();
        long beside = 0;
        long gain = 0;
        while (gain < missing) {
            Residency victim = victim(texture, textures, changes, victims);
            if (victim == null) {
                return false;
            }
            long smaller = victim.shrunkBytes(victim.resident);
            if (allocated + beside + smaller > budget) {
                break; // the rest is dropped when this has been
            }
            victims.add(victim);
            beside += smaller;
            gain += victim.imageBytes(victim.resident) - smaller;
        }
        for (Residency victim : victims) {
            changes.add(new Change(victim, victim.resident + 1));
            leaving += victim.imageBytes(victim.resident);
        }
        allocated += beside;
        return true;
    }

    private static @Nullable Residency victim(
            Residency texture, Collection<Residency> textures, List<Change> changes, List<Residency> victims) {
        Residency best = null;
        for (Residency each : textures) {
            if (each != texture
                    && !each.isBusy
                    && each.resident < each.tail
                    && mayLose(each, texture)
                    && (best == null || loses(each, best))
                    && !victims.contains(each)
                    && changes.stream().noneMatch(change -> change.texture == each)) {
                best = each;
            }
        }
        return best;
    }

    private static boolean mayLose(Residency victim, Residency taker) {
        return victim.lack() < 0
                || taker.isAbsent()
                || victim.priority < taker.priority
                || (victim.priority == taker.priority && victim.lack() + 1 < taker.lack());
    }

    /** Returns whether one loses a level rather than another: what is not wished, of low priority, that lacks little. */
    private static boolean loses(Residency one, Residency other) {
        boolean idle = one.lack() < 0;
        if (idle != other.lack() < 0) {
            return idle;
        }
        if (one.priority != other.priority) {
            return one.priority < other.priority;
        }
        return one.lack() < other.lack();
    }
}
