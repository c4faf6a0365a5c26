package io.frameloom.rdg.async;

import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which passes of a graph stay on the graphics queue though they may leave it, as decided when a plan was compiled.
 * Immutable; any thread.
 */
public final class AsyncDecision {
    private final AsyncProfile profile;
    private final long epoch;
    private final BitSet demoted;
    private final List<RegionDecision> regions;
    private final String unmeasured;

    AsyncDecision(AsyncProfile profile, long epoch, BitSet demoted, List<RegionDecision> regions, String unmeasured) {
        this.profile = profile;
        this.epoch = epoch;
        this.demoted = demoted;
        this.regions = List.copyOf(regions);
        this.unmeasured = unmeasured;
    }

    /** Returns the receiver of the times of frames by this decision. */
    public AsyncProfile profile() {
        return profile;
    }

    /** Returns which forms of the regions it is about: how often one has changed its queue. */
    public long epoch() {
        return epoch;
    }

    /** Returns the positions in the declared graph of the passes that stay; not to be changed. */
    public BitSet demoted() {
        return demoted;
    }

    /** Returns the regions that are known. */
    public List<RegionDecision> regions() {
        return regions;
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

    /** Returns why nothing is measured, or nothing if it is, or if no frame has ended yet. */
    public String unmeasured() {
        return unmeasured;
    }
}
