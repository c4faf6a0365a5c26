package io.frameloom.rdg.compile.renderpass;

import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RenderTargets;
import io.frameloom.rdg.compile.graph.IntList;
import io.frameloom.rdg.compile.graph.Scratch;
import io.frameloom.rdg.compile.graph.Sentence;
import io.frameloom.rdg.compile.graph.StateMerge;
import io.frameloom.rdg.compile.graph.SubresourceMap;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Puts raster passes that follow each other with the same targets into one render pass, so that targets are neither
 * stored nor loaded in between.
 *
 * <p>A pass joins the open render pass if nothing lies between them on their queue, and both have the same attachments,
 * render area and depth access. It must load what is there. It may read attachments that members have written ({@link
 * io.frameloom.gpu.command.Access#INPUT_ATTACHMENT}), behind a barrier inside of the render pass. Neither may write
 * storage or have to stay alone. It must need no barrier for anything that a member has touched, other than as an
 * attachment. Members lie in one batch. So a path of dependencies cannot leave the group and return, since that takes a
 * signal and a wait between its members. The barriers of all members come before the first, respectively after the last
 * one.
 */
public final class RenderPassMerge {
    private static final int NONE = -1;
    private static final int[] ALL_ALONE = {};
    private static final Sentence OFF = names -> "merging is off";
    private static final Sentence CHANGE_BETWEEN = names -> "a change of layout lies between them";
    private static final Sentence OTHER_BATCH = names -> "a signal or wait between queues lies between them";
    private static final Sentence RESOLVES = names -> "samples are resolved at the end of a render pass";
    private static final Sentence OTHER_AREA = names -> "their render areas differ";
    private static final Sentence OTHER_TARGETS = names -> "their render targets differ";

    /** Passes of all render passes, those that stay alone included, in order, queue by queue. */
    public final int[] members;
    /** Where the passes of each begin, and the number of passes at the end. */
    public final int[] start;
    /** Render pass of each pass, -1 for passes without one. In scratch memory; a plan has it only if some are shared. */
    public int[] renderPassOf;
    /**
     * For each pass that begins a render pass why it does not join the one before it, null for the first of a queue;
     * none if reasons are off.
     */
    final @Nullable Sentence[] refusals;

    private final int passes;

    /**
     * Groups the passes of each queue that has raster passes, one queue after the other.
     *
     * @param nodes all nodes in order, added ones included
     * @param batchOf batch of each node; nodes of different batches never share a render pass
     * @param cutBefore passes that always begin a render pass; none if it is empty
     * @param enabled whether passes share render passes at all
     */
    RenderPassMerge(
            DeclaredGraph graph,
            SubresourceMap map,
            StateMerge states,
            TargetInference targets,
            int[] nodes,
            int ordered,
            int[] queue,
            int[] batchOf,
            boolean[] cutBefore,
            boolean enabled,
            boolean withReasons,
            Scratch scratch) {
        Joining joining = new Joining(graph, map, states, targets, batchOf, cutBefore, withReasons);
        int count = graph.passes();
        passes = count;
        renderPassOf = scratch.ints(count, -1);
        refusals = new Sentence[withReasons ? count : 0];
        long mark = scratch.mark();
        IntList found = scratch.list();
        IntList starts = scratch.list();
        for (int q = 0, end = queues(graph, nodes, ordered, queue); q < end; q++) {
            int others = starts.size();
            int between = NONE;
            for (int i = 0; i < ordered; i++) {
                int node = nodes[i];
                if (queue[node] != q) {
                    continue;
                }
                if (node >= count || graph.kind(node) != PassKind.RASTER) {
                    between = node;
                    continue;
                }
                int last = starts.size() - 1;
                boolean first = last < others;
                Sentence refusal =
                        first ? null : enabled ? joining.refusal(found, starts.get(last), between, node) : OFF;
                if (first || refusal != null) {
                    if (withReasons) {
                        refusals[node] = refusal;
                    }
                    starts.add(found.size());
                }
                found.add(node);
                renderPassOf[node] = starts.size() - 1;
                between = NONE;
            }
        }
        starts.add(found.size());
        members = found.toArray();
        start = starts.toArray();
        scratch.release(mark);
    }

    /** Returns the number of queues up to the last one that has raster passes. */
    private static int queues(DeclaredGraph graph, int[] nodes, int ordered, int[] queue) {
        int queues = 0;
        for (int i = 0; i < ordered; i++) {
            int node = nodes[i];
            if (node < graph.passes() && graph.kind(node) == PassKind.RASTER) {
                queues = Math.max(queues, queue[node] + 1);
            }
        }
        return queues;
    }

    public int count() {
        return start.length - 1;
    }

    /** Lets go of what only the compiler asks for. */
    public void keepForPlan() {
        renderPassOf = anyShared() ? Arrays.copyOf(renderPassOf, passes) : ALL_ALONE;
    }

    public boolean anyShared() {
        return count() < members.length;
    }

    /** Returns the first pass of the render pass of a pass; the pass itself if it has none. */
    public int firstMember(int pass) {
        return pass >= renderPassOf.length || renderPassOf[pass] < 0 ? pass : members[start[renderPassOf[pass]]];
    }

    /** Returns the last pass of the render pass of a pass; the pass itself if it has none. */
    public int lastMember(int pass) {
        return pass >= renderPassOf.length || renderPassOf[pass] < 0
                ? pass
                : members[start[renderPassOf[pass] + 1] - 1];
    }

    /** Returns why a pass shares no render pass, whatever the other ones do, or null. */
    static @Nullable Sentence staysAlone(DeclaredGraph graph, int pass) {
        if (graph.has(pass, PassFlag.SKIP_RENDER_PASS)) {
            return named(pass, "' begins its render passes itself");
        }
        if (graph.has(pass, PassFlag.NEVER_MERGE)) {
            return named(pass, "' has the flag NEVER_MERGE");
        }
        if (graph.has(pass, PassFlag.MULTIVIEW)) {
            return named(pass, "' has the flag MULTIVIEW, and no timestamp lies inside its render pass");
        }
        if (graph.has(pass, PassFlag.UNTRACKED_ACCESS)) {
            return named(pass, "' touches resources that it does not declare");
        }
        for (int use = graph.firstUse(pass), end = graph.firstUse(pass + 1); use < end; use++) {
            if ((graph.access(use).memoryAccess() & MemoryAccess.STORAGE_WRITE.bit()) != 0) {
                int written = graph.resource(use);
                return names -> "'" + names.pass(pass) + "' writes storage, '" + names.resource(written) + "'";
            }
        }
        return null;
    }

    private static Sentence named(int pass, String rest) {
        return names -> "'" + names.pass(pass) + rest;
    }

    /** Finds why one pass does not join others. */
    private static final class Joining {
        private final DeclaredGraph graph;
        private final SubresourceMap map;
        private final StateMerge states;
        private final TargetInference targets;
        private final int[] batchOf;
        private final boolean[] cutBefore;
        private final boolean withReasons;
        private final int[] box = new int[6];
        private final int[] own = new int[6];

        Joining(
                DeclaredGraph graph,
                SubresourceMap map,
                StateMerge states,
                TargetInference targets,
                int[] batchOf,
                boolean[] cutBefore,
                boolean withReasons) {
            this.graph = graph;
            this.map = map;
            this.states = states;
            this.targets = targets;
            this.batchOf = batchOf;
            this.cutBefore = cutBefore;
            this.withReasons = withReasons;
        }

        /** Returns why a pass does not join the open passes from {@code first} on, null if it does. */
        @Nullable
        Sentence refusal(IntList open, int first, int between, int pass) {
            boolean cut = cutBefore.length > 0 && cutBefore[pass];
            int earlier = open.get(open.size() - 1);
            // What takes the shortest look comes first where any reason will do.
            if (!withReasons && (between != NONE || cut || batchOf[earlier] != batchOf[pass] || anyBegun(pass))) {
                return OFF;
            }
            if (between != NONE) {
                return between >= graph.passes() ? CHANGE_BETWEEN : named(between, "' lies between them");
            }
            Sentence alone = staysAlone(graph, earlier);
            if (alone == null) {
                alone = staysAlone(graph, pass);
            }
            if (alone != null) {
                return alone;
            }
            if (batchOf[earlier] != batchOf[pass]) {
                return OTHER_BATCH;
            }
            if (cut) {
                return names -> "another queue forks behind '" + names.pass(pass) + "'";
            }
            RenderTargets targetsOfEarlier = targets.of(earlier);
            RenderTargets targetsOfPass = targets.of(pass);
            if (!sameTargets(targetsOfEarlier, targetsOfPass)) {
                return OTHER_TARGETS;
            }
            if (!sameArea(targetsOfEarlier, targetsOfPass)) {
                return OTHER_AREA;
            }
            if (resolvesBetween(targetsOfEarlier, targetsOfPass)) {
                return RESOLVES;
            }
            for (int a = graph.firstAttachment(pass), end = graph.firstAttachment(pass + 1); a < end; a++) {
                if (graph.load(pass, graph.attachment(a)) != LoadOp.LOAD) {
                    int target = graph.resource(graph.useOf(pass, graph.attachment(a)));
                    return names -> "it does not load '" + names.resource(target) + "' but begins it anew";
                }
            }
            return innerBarrier(open, first, pass);
        }

        private boolean anyBegun(int pass) {
            for (int a = graph.firstAttachment(pass), end = graph.firstAttachment(pass + 1); a < end; a++) {
                if (graph.load(pass, graph.attachment(a)) != LoadOp.LOAD) {
                    return true;
                }
            }
            return false;
        }

        private boolean sameTargets(@Nullable RenderTargets a, @Nullable RenderTargets b) {
            if (a == null || b == null || a.colors().size() != b.colors().size()) {
                return false;
            }
            for (int i = 0; i < a.colors().size(); i++) {
                RenderTargets.Color first = a.colors().get(i);
                RenderTargets.Color second = b.colors().get(i);
                if (first.resource() != second.resource()
                        || !first.range().equals(second.range())
                        || !Objects.equals(first.slices(), second.slices())) {
                    return false;
                }
            }
            return sameDepth(a.depth(), b.depth()) && sameStencil(a.stencil(), b.stencil());
        }

        private static boolean sameArea(@Nullable RenderTargets a, @Nullable RenderTargets b) {
            return a == null || b == null || a.hasAreaOf(b);
        }

        private boolean sameDepth(RenderTargets.@Nullable Depth first, RenderTargets.@Nullable Depth second) {
            if (first == null || second == null) {
                return first == null && second == null;
            }
            return first.resource() == second.resource()
                    && first.range().equals(second.range())
                    && (first.readOnly() == second.readOnly() || graph.isLocal(first.resource()));
        }

        private static boolean sameStencil(
                RenderTargets.@Nullable Stencil first, RenderTargets.@Nullable Stencil second) {
            if (first == null || second == null) {
                return first == null && second == null;
            }
            return first.resource() == second.resource()
                    && first.range().equals(second.range())
                    && first.readOnly() == second.readOnly();
        }

        /** What is resolved has to be whole: no pass follows, and stencil and depth are resolved by stages of their own. */
        private static boolean resolvesBetween(@Nullable RenderTargets earlier, @Nullable RenderTargets later) {
            return (earlier != null && earlier.resolves()) || (later != null && later.resolvesDepthOrStencil());
        }

        /**
         * Inside of a render pass barriers are allowed before reads of attachments alone; among draws their order counts.
         */
        private @Nullable Sentence innerBarrier(IntList open, int first, int later) {
            for (int t = map.touchBase[later]; t < map.touchBase[later + 1]; t++) {
                int cell = map.touchCell[t];
                int resource = map.cellResource[cell];
                int epoch = states.epochOfTouch[t];
                if (epoch == states.firstEpoch[cell]) {
                    continue;
                }
                if (isAttachment(later, cell)) {
                    Sentence refusal = graph.isLocal(resource) ? readBefore(open, first, later, resource, epoch) : null;
                    if (refusal != null) {
                        return refusal;
                    }
                    continue;
                }
                for (int other = states.firstTouch[epoch - 1]; other >= 0; other = states.nextTouch[other]) {
                    int before = map.touchPass[other];
                    for (int m = first; m < open.size(); m++) {
                        if (open.get(m) == before) {
                            return names -> "'" + names.resource(resource) + "' needs a barrier between '"
                                    + names.pass(before) + "' and '" + names.pass(later) + "'";
                        }
                    }
                }
            }
            return null;
        }

        /** What was read on the tile stays, in one layout, until the end of the render pass. */
        private @Nullable Sentence readBefore(IntList open, int first, int later, int resource, int epoch) {
            boolean changes = states.layoutCode(epoch) != states.layoutCode(epoch - 1);
            boolean rewrites = states.writes(epoch) && !states.writes(epoch - 1);
            for (int other = states.firstTouch[epoch - 1];
                    (changes || rewrites) && other >= 0;
                    other = states.nextTouch[other]) {
                int before = map.touchPass[other];
                for (int m = first; m < open.size(); m++) {
                    if (open.get(m) == before && changes) {
                        return CHANGE_BETWEEN;
                    }
                    if (open.get(m) == before) {
                        return names -> "'" + names.pass(later) + "' writes '" + names.resource(resource) + "', which '"
                                + names.pass(before) + "' reads";
                    }
                }
            }
            return null;
        }

        private boolean isAttachment(int pass, int cell) {
            int resource = map.cellResource[cell];
            for (int a = graph.firstAttachment(pass), end = graph.firstAttachment(pass + 1); a < end; a++) {
                int use = graph.useOf(pass, graph.attachment(a));
                if (graph.resource(use) == resource) {
                    map.boxOfCell(cell, own);
                    map.box(use, box);
                    if (box[0] <= own[0]
                            && own[0] < box[1]
                            && box[2] <= own[2]
                            && own[2] < box[3]
                            && box[4] <= own[4]
                            && own[4] < box[5]) {
                        return true;
                    }
                }
            }
            return false;
        }
    }
}
