package io.frameloom.rdg.execute;

import org.jspecify.annotations.Nullable;

/**
 * What a batch and its task are called: the graph, which may have another name in each frame, the queue and the
 * position. Nothing is allocated while the name of the graph stays. Any thread: two that ask first at once get equal
 * names.
 */
final class BatchNames {
    private final String work;
    private final String place;
    private volatile @Nullable Names newest;

    private record Names(String plan, String label, String task) {}

    /** Names of a batch; {@code work} is what its task does, {@code place} queue and position. */
    BatchNames(String work, String place) {
        this.work = work;
        this.place = place;
    }

    String label(String plan) {
        return of(plan).label;
    }

    String task(String plan) {
        return of(plan).task;
    }

    private Names of(String plan) {
        Names known = newest;
        if (known == null || !known.plan.equals(plan)) {
            String label = plan + " " + place;
            known = new Names(plan, label, work + " " + label);
            newest = known;
        }
        return known;
    }
}
