package io.frameloom.stress.gpu.compute;

import io.frameloom.gpu.compute.ClipEnd;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What a {@link ComputeSuite} is to check.
 *
 * @param kinds kinds of work
 * @param lengths elements of each work; at least one
 * @param placements where inputs and outputs lie in each run; at least one
 * @param ends modes of ENDs in which clips of every nest have every length; empty for one mode of some nests
 */
record ComputePlan(Set<ComputeSuite.Kind> kinds, List<Long> lengths, List<Placement> placements, Set<ClipEnd> ends) {
    private static final long SHORT = 1L << 24;

    /** Copies what is given. */
    ComputePlan {
        kinds = Collections.unmodifiableSet(new LinkedHashSet<>(kinds));
        lengths = List.copyOf(lengths);
        placements = List.copyOf(placements);
        ends = Set.copyOf(ends);
    }

    /** Returns the length of what there is too much of for the longest: 2^24, or the shortest if that is less. */
    long shortLength() {
        return Math.min(SHORT, Collections.min(lengths));
    }
}
