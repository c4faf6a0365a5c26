package io.frameloom.gpu.record;

import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.resource.Resource;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The objects that a command list names, each once, to find those closed since. Repeated commands and descriptor sets
 * stand for what they name. Used for one list after another, so that naming allocates nothing once it has grown to the
 * largest. One thread at a time.
 */
public final class Mentions {
    private final Closings closings;
    private final IdentityHashMap<Perishable, Perishable> known = new IdentityHashMap<>();
    /** The same things in the order in which they were named. */
    private final List<Perishable> order = new ArrayList<>();

    /** What stands for others. */
    private final List<NamedObjects> groups = new ArrayList<>();
    /** The one that was named last: draw after draw names the same set. */
    private @Nullable NamedObjects lastGroup;

    /** The two that were named last: many commands name the same two over and over. */
    private @Nullable Perishable last;

    private @Nullable Perishable lastButOne;
    /** Stages that declarations of what is bound have; 0 if any will do. */
    private int shaderStages;
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
        groups.clear();
        lastGroup = null;
        if (!order.isEmpty()) {
            known.clear();
            order.clear();
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

    /** Says of which stages the shaders are that find something bound from now on; 0 if any will do. */
    void shaders(int stages) {
        shaderStages = stages;
    }

    /** Notes that shaders find something bound, which is open. */
    public void bound(Perishable thing, boolean mayWrite) {
        reportBound((Resource) thing, mayWrite);
        name(thing);
    }

    /** Notes that the kernel of a dispatch may take what a bindless table has. */
    public void takes(SubmissionRecord.TableContents contents) {
        if (log != null) {
            log.takes(contents);
        }
    }

    public boolean reports() {
        return log != null;
    }

    /** Reports something that shaders find bound, and the bottom levels that rays reach through it. */
    public void reportBound(Resource resource, boolean mayWrite) {
        if (log != null) {
            log.bound(resource, mayWrite, shaderStages);
            if (resource instanceof RecordedStructure top) {
                for (AccelerationStructure bottom : top.built().bottoms()) {
                    log.bound(bottom, false, shaderStages);
                }
            }
        }
    }

    /** Notes that the list names an open object, by a command that declares uses of others and has none itself. */
    public void name(Perishable thing) {
        if (thing != last && thing != lastButOne) {
            lookUp(thing);
        }
    }

    /** Notes that the list names all that something stands for, which is open. */
    public void name(NamedObjects objects) {
        if (objects != lastGroup) {
            lastGroup = objects;
            groups.add(objects);
        }
    }

    private void lookUp(Perishable thing) {
        lastButOne = last;
        last = thing;
        if (known.put(thing, thing) == null) {
            order.add(thing);
        }
    }

    /** Returns the first named object that was closed since, in words for a message, or null if all are open. */
    public @Nullable String firstClosed() {
        long now = closings.count();
        if (now == seen) {
            return null;
        }
        for (int i = 0; i < order.size(); i++) {
            String closed = order.get(i).closedPart();
            if (closed != null) {
                return closed;
            }
        }
        for (int i = 0; i < groups.size(); i++) {
            String closed = groups.get(i).closedPart();
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
