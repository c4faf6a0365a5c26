package io.frameloom.rdg.async;

import io.frameloom.rdg.QueueTopology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The profiles of the graphs that were compiled lately, found by the names of their passes and the shapes of their
 * resources. Their number is bounded; the least recently used one makes room. A graph that has most of its passes in
 * common with a known one begins with what is decided there. Any thread.
 */
public final class AsyncProfiles {
    private static final int MOST_KEPT = 16;

    /** The one used last is the last. */
    private final List<AsyncProfile> kept = new ArrayList<>(MOST_KEPT);

    /**
     * Returns the profile of graphs with passes of these names on these queues.
     *
     * @param shapes hash of the shapes of the resources
     */
    public synchronized AsyncProfile of(List<String> names, int shapes, QueueTopology queues) {
        for (int i = kept.size() - 1; i >= 0; i--) {
            AsyncProfile each = kept.get(i);
            if (each.shapes() == shapes
                    && each.names().equals(names)
                    && each.queues().equals(queues)) {
                if (i < kept.size() - 1) {
                    kept.remove(i);
                    kept.add(each);
                }
                return each;
            }
        }
        AsyncProfile made = new AsyncProfile(names, shapes, queues);
        adoptNearest(made);
        if (kept.size() == MOST_KEPT) {
            kept.remove(0);
        }
        kept.add(made);
        return made;
    }

    private void adoptNearest(AsyncProfile made) {
        AsyncProfile nearest = null;
        int[] nearestPlaces = {};
        int most = 0;
        Map<String, Integer> places = places(made.names());
        for (AsyncProfile each : kept) {
            if (!each.queues().equals(made.queues())) {
                continue;
            }
            int[] place = new int[each.names().size()];
            Arrays.fill(place, -1);
            int shared = 0;
            for (Map.Entry<String, Integer> entry : places(each.names()).entrySet()) {
                @Nullable Integer here = places.get(entry.getKey());
                if (here != null) {
                    place[entry.getValue()] = here;
                    shared++;
                }
            }
            boolean alike =
                    4L * shared >= 3L * Math.max(place.length, made.names().size());
            if (alike && shared >= most) {
                most = shared;
                nearest = each;
                nearestPlaces = place;
            }
        }
        if (nearest != null) {
            made.adopt(nearest, nearestPlaces);
        }
    }

    /** Returns the position of each pass, of several of one name by name and number. */
    private static Map<String, Integer> places(List<String> names) {
        Map<String, Integer> places = new HashMap<>();
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < names.size(); i++) {
            int number = counts.merge(names.get(i), 1, Integer::sum);
            places.put(number + ":" + names.get(i), i);
        }
        return places;
    }
}
