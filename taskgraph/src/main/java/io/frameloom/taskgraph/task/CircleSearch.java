package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.queue.SubsequentList;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks for a way from an event, through what it needs, to another one. It goes from both ends by turns, an edge at a
 * time, and is done when either has nothing left. So a chain costs the same at any length, whichever end it grows at.
 * Used by one thread, once.
 */
public final class CircleSearch {
    private final CoreEvent from;
    private final CoreEvent wanted;
    private final Side needs = new Side(false);
    private final Side needed = new Side(true);

    /** What was reached from one end. */
    private static final class Side {
        private final boolean backwards;
        private final Set<CoreEvent> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        private final ArrayDeque<@Nullable Object[]> further = new ArrayDeque<>();
        private @Nullable Object @Nullable [] items;
        private int place;

        Side(boolean backwards) {
            this.backwards = backwards;
        }

        void enter(CoreEvent event) {
            if (event.isComplete() || !seen.add(event)) {
                return;
            }
            Object next = backwards ? event.subsequents() : event.inputs();
            if (next instanceof Object[] several) {
                further.add(several);
            } else if (next != null) {
                further.add(new Object[] {next});
            }
        }

        boolean hasNext() {
            while (items == null || place == items.length) {
                items = further.poll();
                place = 0;
                if (items == null) {
                    return false;
                }
            }
            return true;
        }

        /** The next event, or null if there is none at this place. */
        @Nullable
        CoreEvent next(@Nullable Object[] at) {
            Object item = SubsequentList.at(at, place++);
            if (item instanceof Object[] older) {
                further.add(older);
                return null;
            }
            if (backwards) {
                return item instanceof Subsequent subsequent ? subsequent.dependent() : null;
            }
            return (CoreEvent) item;
        }
    }

    private CircleSearch(CoreEvent from, CoreEvent wanted) {
        this.from = from;
        this.wanted = wanted;
    }

    /** Whether an event needs another one. Takes no memory if the first needs nothing, such as a device's event. */
    public static boolean needs(CoreEvent from, CoreEvent wanted) {
        return !from.isComplete() && from.inputs().length > 0 && new CircleSearch(from, wanted).found();
    }

    private boolean found() {
        needs.enter(from);
        needed.enter(wanted);
        while (true) {
            if (step(needed, from) || step(needs, wanted)) {
                return true;
            }
            if (needed.items == null || needs.items == null) {
                return false;
            }
        }
    }

    /** Goes along one edge. Returns whether it leads to the other end. */
    private boolean step(Side side, CoreEvent end) {
        if (!side.hasNext() || side.items == null) {
            return false;
        }
        CoreEvent event = side.next(side.items);
        if (event == end) {
            return true;
        }
        if (event != null) {
            side.enter(event);
        }
        return false;
    }
}
