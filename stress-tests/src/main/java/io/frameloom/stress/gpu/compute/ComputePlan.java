package io.frameloom.stress.gpu.compute;

import io.frameloom.gpu.compute.ClipEnd;
import io.frameloom.gpu.compute.StuckTiles;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a {@link ComputeSuite} is to check.
 *
 * @param kinds kinds of work
 * @param lengths elements of each work; at least one
 * @param placements where inputs and outputs lie in each run; at least one
 * @param ends modes of ENDs in which clips of every nest have every length; empty for one mode of some nests
 * @param stuck tiles with which every scan that looks back has every length; empty for none and one more of each
 * @param only what the names of work contain
 */
record ComputePlan(
        Set<ComputeSuite.Kind> kinds,
        List<Long> lengths,
        List<Placement> placements,
        Set<ClipEnd> ends,
        Set<StuckTiles> stuck,
        Pattern only) {
    /** Everything. */
    static final Pattern ALL = Pattern.compile("");

    private static final long SHORT = 1L << 24;

    /** Copies what is given. */
    ComputePlan {
        kinds = Collections.unmodifiableSet(new LinkedHashSet<>(kinds));
        lengths = List.copyOf(lengths);
        placements = List.copyOf(placements);
        ends = Set.copyOf(ends);
        stuck = Set.copyOf(stuck);
    }

    /**
     * Returns the lengths of work that is done in several ways, too many for all lengths: every length of those that are
     * chosen. If none is, 2^24, or the shortest if that is less, and of usual ones the others, too.
     *
     * @param chosen ways that the plan names
     * @param way that is asked about
     * @param usual whether it is usual
     */
    <T> Set<Long> lengths(Set<T> chosen, T way, boolean usual) {
        Set<Long> some = new LinkedHashSet<>();
        if (chosen.isEmpty()) {
            some.add(Math.min(SHORT, Collections.min(lengths)));
        }
        if (chosen.isEmpty() ? usual : chosen.contains(way)) {
            some.addAll(lengths);
        }
        return some;
    }
}
