package io.frameloom.rdg;

import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureLayout;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How the compiler came from a graph to a plan. Execution needs none of this; it is put into objects on request: {@link
 * FramePlan#dependencies}, {@link FramePlan#epochs}, {@link FramePlan#asyncRegions}. Passes are named by their index in
 * {@link FramePlan#passes}, resources by theirs in {@link FramePlan#resources}. Immutable; any thread.
 */
public final class PlanDerivation {
    private PlanDerivation() {}

    /** Why a pass must run after another one. */
    public enum DependencyKind {
        /** It reads what the other one wrote. */
        READ_AFTER_WRITE,
        /** It overwrites what the other one read. */
        WRITE_AFTER_READ,
        /** It writes what the other one wrote. */
        WRITE_AFTER_WRITE,
        /** It reads in another layout than the other one. */
        LAYOUT,
        /** The application says so. */
        DECLARED;

        /** Returns the kind in lower-case words. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /**
     * An ordering between two passes that both run.
     *
     * @param from earlier pass
     * @param to later pass
     * @param resource resource of the first access that asks for it, or -1 if the application declared the order
     * @param kinds why
     * @param crossQueue whether the passes run on different queues
     * @param waited whether it became a wait; a cross-queue dependency without one is implied by other waits
     */
    public record Dependency(
            int from, int to, int resource, Set<DependencyKind> kinds, boolean crossQueue, boolean waited) {}

    /**
     * A state of a range: passes that use it without a barrier in between.
     *
     * @param resource index of the resource
     * @param range range of a texture, or null for a buffer
     * @param offset first byte of a buffer
     * @param bytes length in a buffer, or 0 for a texture
     * @param write whether the passes write
     * @param passes passes in order
     */
    public record Epoch(
            int resource,
            @Nullable SubresourceRange range,
            long offset,
            long bytes,
            boolean write,
            TextureLayout layout,
            List<Integer> passes) {
        public Epoch {
            passes = List.copyOf(passes);
        }
    }

    /**
     * Where a pass beside the graphics queue runs.
     *
     * @param fork graphics pass after which it may start, or -1 for the start of the frame
     * @param join graphics pass before which it must be complete, or -1 for the end of the frame
     */
    public record AsyncRegion(int pass, int fork, int join) {}
}
