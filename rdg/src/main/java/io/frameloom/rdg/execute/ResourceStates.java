package io.frameloom.rdg.execute;

import io.frameloom.gpu.BarrierBatch;
import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.Resource;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.rdg.BarrierSplit;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.FramePlan.PlanBarrier;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.execute.touch.TextureCuts;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The layouts and queue families that the resources of a frame are really in when only its first recording groups were
 * submitted: of textures that outlive the frame, and of whatever belongs to one queue family at a time.
 *
 * <p>Follows the barriers and the discarding writes of those groups in plan order, in which all that concern one range are.
 * What the plan treats apart is a part of its own.
 */
final class ResourceStates {
    /** In place of a family: nobody has it, or all share it. */
    private static final int NOBODY = -1;

    /** A range of a resource, all of it in one state. */
    static final class Part {
        private final Resource resource;
        private final @Nullable SubresourceRange range;
        private final long offset;
        private final long bytes;
        private final boolean outlives;
        private final TextureLayout promised;
        private int family;
        private TextureLayout layout;
        private @Nullable PlanBarrier released;

        private Part(
                FramePlan.ResourcePlan plan,
                Resource resource,
                @Nullable SubresourceRange range,
                long offset,
                long bytes,
                int home) {
            this.resource = resource;
            this.range = range;
            this.offset = offset;
            this.bytes = bytes;
            outlives = outlivesFrame(plan);
            promised = plan.finalLayout();
            family = outlives && resource.isExclusive() ? home : NOBODY;
            layout = plan.initialLayout();
        }

        Resource resource() {
            return resource;
        }

        /** Returns the range of a texture, null for a buffer. */
        @Nullable
        SubresourceRange range() {
            return range;
        }

        /** Returns the first byte of a buffer. */
        long offset() {
            return offset;
        }

        /** Returns the length in a buffer. */
        long bytes() {
            return bytes;
        }

        /** Returns the layout in which the frame was to leave it. */
        TextureLayout promised() {
            return promised;
        }

        /** Returns the layout of a texture, UNDEFINED if nobody knows. */
        TextureLayout layout() {
            return layout;
        }

        /** Returns the release that nothing has acquired by, or null. */
        @Nullable
        PlanBarrier released() {
            return released;
        }

        /**
         * Returns whether a family has contents that the next frame may expect, and has not released them; a texture in no
         * known layout has none.
         */
        boolean isAwayWith(int other) {
            boolean contents = range == null || layout != TextureLayout.UNDEFINED;
            return outlives && contents && family == other && released == null;
        }

        /** Returns whether the next frame expects another layout. */
        boolean isMisplaced() {
            return outlives && range != null && layout != promised && promised != TextureLayout.UNDEFINED;
        }

        /** Notes that a family has it now, in a layout. */
        void arrived(int at, TextureLayout in) {
            family = at;
            layout = in;
            released = null;
        }

        private boolean isIn(PlanBarrier barrier) {
            SubresourceRange other = barrier.range();
            if (range == null || other == null) {
                return isIn(barrier.offset(), barrier.bytes());
            }
            return range.overlaps(other);
        }

        private boolean isIn(long from, long count) {
            return offset < from + count && from < offset + bytes;
        }

        private void pass(PlanBarrier barrier, int issuer) {
            BarrierBatch.OwnershipTransfer transfer = barrier.ownership();
            if (transfer != null && transfer.from() == issuer) {
                released = barrier;
            } else if (transfer != null) {
                arrived(issuer, barrier.newLayout());
            } else if (barrier.oldLayout() == TextureLayout.UNDEFINED && range != null) {
                arrived(resource.isExclusive() ? issuer : NOBODY, barrier.newLayout());
            } else if (barrier.oldLayout() != barrier.newLayout()) {
                layout = barrier.newLayout();
            }
        }
    }

    private final FramePlan plan;
    /** By resource; nothing of those whose states nobody asks for. */
    private final List<List<Part>> parts;

    private ResourceStates(Frame frame) {
        plan = frame.plan();
        TextureCuts cuts = new TextureCuts(plan.resources().size());
        List<SortedSet<Long>> ends = new ArrayList<>();
        plan.resources().forEach(each -> ends.add(new TreeSet<>()));
        for (FramePlan.PassPlan pass : plan.passes()) {
            for (PlanBarrier barrier : barriers(pass)) {
                if (barrier.range() != null && frame.resource(barrier.resource()) instanceof Texture texture) {
                    cuts.note(barrier.resource(), texture, barrier.range());
                } else if (barrier.ownership() != null) {
                    cut(ends.get(barrier.resource()), barrier.offset(), barrier.bytes());
                }
            }
            for (FramePlan.UsePlan use : pass.uses()) {
                if (use.discard()) {
                    cut(ends.get(use.resource()), use.offset(), use.bytes());
                }
            }
        }
        parts = new ArrayList<>();
        int home = plan.queues().queues().get(0).family();
        for (FramePlan.ResourcePlan each : plan.resources()) {
            parts.add(parts(each, frame.resource(each.index()), cuts, ends.get(each.index()), home));
        }
    }

    private static List<PlanBarrier> barriers(FramePlan.PassPlan pass) {
        List<PlanBarrier> all = new ArrayList<>(pass.before());
        all.addAll(pass.after());
        return all;
    }

    private static void cut(Set<Long> ends, long from, long count) {
        ends.add(from);
        ends.add(from + count);
    }

    private static List<Part> parts(
            FramePlan.ResourcePlan plan,
            @Nullable Resource resource,
            TextureCuts cuts,
            SortedSet<Long> ends,
            int home) {
        List<Part> found = new ArrayList<>();
        if (resource instanceof Texture texture
                && !texture.isSwapchainImage()
                && (outlivesFrame(plan) || texture.isExclusive())) {
            for (SubresourceRange box : cuts.boxes(plan.index(), texture, Integer.MAX_VALUE)) {
                found.add(new Part(plan, texture, box, 0, 0, home));
            }
        } else if (resource instanceof Buffer buffer && buffer.isExclusive()) {
            cut(ends, 0, buffer.description().bytes());
            Long from = null;
            for (Long end : ends) {
                if (from != null) {
                    found.add(new Part(plan, buffer, null, from, end - from, home));
                }
                from = end;
            }
        }
        return found;
    }

    private static boolean outlivesFrame(FramePlan.ResourcePlan plan) {
        return plan.lifetime() == Lifetime.EXTERNAL || plan.lifetime() == Lifetime.HISTORY;
    }

    /** Returns all parts as they are when so many recording groups of a frame were submitted, the first ones in plan order. */
    static List<Part> behind(Frame frame, int groups) {
        ResourceStates states = new ResourceStates(frame);
        List<FramePlan.RecordingGroup> all = frame.plan().recordingGroups();
        Set<Integer> passed = new HashSet<>();
        for (FramePlan.RecordingGroup group : all.subList(0, groups)) {
            group.passes().forEach(states::pass);
            passed.addAll(group.passes());
        }
        for (FramePlan.PassPlan pass : frame.plan().passes()) {
            if (!passed.contains(pass.index())) {
                states.begin(pass, passed);
            }
        }
        return states.parts.stream().flatMap(List::stream).toList();
    }

    private void pass(int index) {
        FramePlan.PassPlan pass = plan.passes().get(index);
        int family = plan.queues().queues().get(pass.queue()).family();
        pass.before().forEach(barrier -> pass(barrier, family));
        for (FramePlan.UsePlan use : pass.uses()) {
            if (use.discard() && use.range() == null) {
                for (Part part : parts.get(use.resource())) {
                    if (part.isIn(use.offset(), use.bytes())) {
                        part.arrived(family, part.layout);
                    }
                }
            }
        }
        pass.after().forEach(barrier -> pass(barrier, family));
    }

    private void pass(PlanBarrier barrier, int family) {
        for (Part part : parts.get(barrier.resource())) {
            if (part.isIn(barrier)) {
                part.pass(barrier, family);
            }
        }
    }

    /** Nobody knows whether the layout has changed of what is between the halves of a split barrier. */
    private void begin(FramePlan.PassPlan pass, Set<Integer> passed) {
        for (PlanBarrier barrier : pass.before()) {
            BarrierSplit split = barrier.split();
            if (split != null && passed.contains(split.begin())) {
                for (Part part : parts.get(barrier.resource())) {
                    if (part.isIn(barrier)) {
                        part.layout = TextureLayout.UNDEFINED;
                    }
                }
            }
        }
    }
}
