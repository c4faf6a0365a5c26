package io.frameloom.rdg.async;

import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which passes of a graph stay on the graphics queue though they may leave it, as decided when a plan was compiled.
 * Immutable; any thread.
 *
 * @param profile receiver of the times of frames by this decision
 * @param epoch which forms of the regions it is about: how often one has changed its queue
 * @param demoted positions in the declared graph of the passes that stay; not to be changed
 * @param regions the regions that are known
 * @param unmeasured why nothing is measured; nothing if it is, or if no frame has ended yet
 */
public record AsyncDecision(
        AsyncProfile profile, long epoch, BitSet demoted, List<RegionDecision> regions, String unmeasured) {
    /** Copies the list. */
    public AsyncDecision {
        regions = List.copyOf(regions);
    }

    /** Returns the region of a declared pass, or null. */
    public @Nullable RegionDecision of(int declaredPass) {
        for (RegionDecision region : regions) {
            if (region.passes().contains(declaredPass)) {
                return region;
            }
        }
        return null;
    }
}
