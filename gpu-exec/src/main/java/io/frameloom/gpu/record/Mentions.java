package io.frameloom.gpu.record;

import io.frameloom.gpu.resource.Resource;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The objects that a command list names, each once, to find those closed since. Used for one list after another, so
 * that naming allocates nothing once it has grown to the largest. One thread at a time.
 */
public final class Mentions {
    private static final int FIRST_SLOTS = 64;

    private final Closings closings;
    /** Hash set by identity, at most half full; free slots are null. */
    private @Nullable Perishable[] slots = new @Nullable Perishable[FIRST_SLOTS];
    /** The same things in the order in which they were named. */
    private @Nullable Perishable[] order = new @Nullable Perishable[FIRST_SLOTS / 2];

    private int count;
    /** The two that were named last: many commands name the same two over and over. */
    private @Nullable Perishable last;

    private @Nullable Perishable lastButOne;
    /** The number of closings up to which nothing named was closed. */
    private long seen;
    /** Receives every resource that a command uses; null for none. */
    private final @Nullable CommandLog log;

    /** The mentions of a list of the device whose closings are given. */
    public Mentions(Closings closings) {
        this(closings, null);
    }

    /** The mentions of a list of the device whose closings are given, which report the commands' uses to a log. */
    public Mentions(Closings closings, @Nullable CommandLog log) {
        this.closings = closings;
        this.seen = closings.count();
        this.log = log;
    }

    /** Takes another list, whose recording begins. */
    public void begin() {
        clear();
        seen = closings.count();
    }

    /** Forgets everything, so that what was named may be collected. */
    public void clear() {
        if (count > 0) {
            Arrays.fill(slots, null);
            Arrays.fill(order, 0, count, null);
            count = 0;
            last = null;
            lastButOne = null;
        }
    }

    /** Notes that a command uses something, which is open. */
    public void add(Perishable thing) {
        if (log != null && thing instanceof Resource resource) {
            log.mention(resource);
        }
        name(thing);
    }

    /** Notes that shaders find something bound, which is open. */
    public void bound(Perishable thing, boolean mayWrite) {
        if (log != null) {
            log.bound((Resource) thing, mayWrite);
        }
        name(thing);
    }

    /** Returns whether a log receives the commands' uses. */
    public boolean reports() {
        return log != null;
    }

    /** Reports something that shaders find in a binding set, which the list names. */
    public void reportBound(Resource resource, boolean mayWrite) {
        if (log != null) {
            log.bound(resource, mayWrite);
        }
    }

    /** Notes that the list names an open object, by a command that declares uses of others and has none itself. */
    public void name(Perishable thing) {
        if (thing != last && thing != lastButOne) {
            lookUp(thing);
        }
    }

    /** Notes what a list names no second time: nothing looks for it. */
    void append(KnownCommand known) {
        if (count == order.length) {
            grow();
        }
        order[count++] = known;
    }

    private void lookUp(Perishable thing) {
        lastButOne = last;
        last = thing;
        int slot = slotOf(thing);
        if (slots[slot] == null) {
            insert(thing, slot);
        }
    }

    /** Returns the slot of a thing, or the free one for it. */
    private int slotOf(Perishable thing) {
        int mask = slots.length - 1;
        int hash = System.identityHashCode(thing);
        int slot = (hash ^ hash >>> 15) & mask;
        while (slots[slot] != null && slots[slot] != thing) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private void insert(Perishable thing, int slot) {
        if (count < order.length) {
            slots[slot] = thing;
        } else {
            grow();
            slots[slotOf(thing)] = thing;
        }
        order[count++] = thing;
    }

    private void grow() {
        order = Arrays.copyOf(order, 2 * count);
        slots = new @Nullable Perishable[4 * count];
        for (int i = 0; i < count; i++) {
            Perishable known = order[i];
            if (known != null) {
                slots[slotOf(known)] = known;
            }
        }
    }

    /** Returns the first named object that was closed since, in words for a message, or null if all are open. */
    public @Nullable String firstClosed() {
        long now = closings.count();
        if (now == seen) {
            return null;
        }
        for (int i = 0; i < count; i++) {
            Perishable thing = order[i];
            String closed = thing == null ? null : thing.closedPart();
            if (closed != null) {
                return closed;
            }
        }
        seen = now;
        return null;
    }

    /**
     * Returns the refusal of a list.
     *
     * @param list what is refused, to be followed by "names"
     * @param closed what {@link #firstClosed} has returned
     */
    public static IllegalStateException refusal(String list, String closed) {
        return new IllegalStateException(list + " names " + closed + ", which was closed after it was recorded; record"
                + " the list anew without it, and close things when the lists that name them were submitted");
    }
}
