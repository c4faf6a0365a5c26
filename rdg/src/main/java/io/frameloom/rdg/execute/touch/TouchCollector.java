package io.frameloom.rdg.execute.touch;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.rdg.FramePlan;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.PassFlag;
import io.frameloom.rdg.bind.CompiledPlan;
import io.frameloom.rdg.compile.barrier.Barriers;
import io.frameloom.rdg.compile.graph.IntList;
import io.frameloom.rdg.compile.plan.PlanArrays;
import io.frameloom.rdg.compile.plan.PlanUses;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the {@link PlanTouches} of a plan in one pass over its uses and changes of layout or owner.
 *
 * <p>A texture that is used in parts is several pieces, each with its own uses. In its frame all later uses of a piece
 * come after a write of the whole piece. So former frames matter to no use after the first such write, and later frames
 * need no use before the last one. A piece that is written in parts counts as one in all of its uses. A transient may
 * be covered by others of the same frame that use its bytes earlier or later. An earlier one orders it after former
 * frames. A later one stands for it to later frames, with the stages of both. Those of the later one would do, but
 * layers that validate synchronization follow barriers of one resource only.
 *
 * <p>Acquisition orders images of swapchains. The application's waits order what the host does outside of its passes.
 */
public final class TouchCollector {
    private static final int ALL = PipelineStage.ALL_COMMANDS.bit();
    private static final int HOST = PipelineStage.HOST.bit();
    private static final int HOST_ACCESS = MemoryAccess.HOST_READ.bit() | MemoryAccess.HOST_WRITE.bit();
    private static final int NO_GROUP = -1;
    /** Mips, layers, planes. */
    private static final int AXES = 3;
    /** A texture in more boxes stays in one: frames compare each piece with each that former ones left. */
    private static final int MOST_BOXES = 64;
    /** Of a queue that has written nothing. */
    private static final int EVERYTHING = -1;

    /** A touch in a recording group, with its position among all touches of the plan. */
    private record Placed(int group, int position, PlanTouches.Touch touch) {}

    /** What is known of one resource so far. */
    private static final class Tracked {
        private final Resource resource;
        private final int memory;
        private final Piece piece;
        private final boolean placed;
        private final List<Placed> touches = new ArrayList<>(2);
        private final int[] writer;
        private final int[] writerStages;
        private final int[] writes;
        private final int[] ordered;
        private final int[] visible;
        private final int[] reader;
        private final int[] readerStages;
        private boolean taken;
        private int takenBy = NO_GROUP;
        private int overlap = NO_GROUP;

        private Tracked(Resource resource, int memory, Piece piece, boolean isTransient, int queues) {
            this.resource = resource;
            this.memory = memory;
            this.piece = piece;
            placed = isTransient && resource.placement() != null;
            writer = new int[queues];
            writerStages = new int[queues];
            writes = new int[queues];
            ordered = new int[queues];
            visible = new int[queues];
            reader = new int[queues];
            readerStages = new int[queues];
            forget();
        }

        private void forget() {
            Arrays.fill(writer, -1);
            Arrays.fill(writerStages, 0);
            Arrays.fill(writes, 0);
            Arrays.fill(ordered, EVERYTHING);
            Arrays.fill(visible, EVERYTHING);
            Arrays.fill(reader, -1);
            Arrays.fill(readerStages, 0);
        }

        /**
         * Stands also for another one whose bytes this has taken over. If both end on one queue, a barrier names the
         * stages of both. Elsewhere the waits that made sharing legal are known.
         */
        private void standFor(Tracked former) {
            for (int q = 0; q < writer.length; q++) {
                int stages = former.writerStages[q] | former.readerStages[q];
                if (writer[q] >= 0 && stages != 0) {
                    writerStages[q] |= stages;
                    ordered[q] = 0;
                    visible[q] = 0;
                } else if (reader[q] >= 0) {
                    readerStages[q] |= stages;
                }
            }
        }

        private boolean covers(Tracked other) {
            return memory == other.memory && piece.covers(other.piece);
        }

        private boolean isIn(@Nullable SubresourceRange range) {
            return range == null || piece.range() == null || range.overlaps(piece.range());
        }

        private boolean isWhole(@Nullable SubresourceRange range, long offset, long bytes) {
            if (resource instanceof Texture texture) {
                SubresourceRange own = piece.range();
                return range != null && range.contains(own == null ? SubresourceRange.all(texture.description()) : own);
            }
            return offset == 0 && bytes >= ((Buffer) resource).description().bytes();
        }
    }

    private final CompiledPlan plan;
    private final PlanArrays arrays;
    private final PlanUses uses;
    private final Barriers barriers;
    private final @Nullable Resource[] resources;
    private final List<List<Integer>> renderPasses;
    /** By texture and axis where ranges of the plan begin and end; nothing as long as all are of the whole. */
    private final @Nullable BitSet[] cuts;

    private final @Nullable List<Tracked>[] tracked;
    private final List<Tracked> inOrder = new ArrayList<>();
    private final Map<Object, Integer> memories = new HashMap<>();
    private final List<Object> identities = new ArrayList<>();
    private int group;
    private int batch;
    private int queue;
    private int place;
    private int position;

    private TouchCollector(CompiledPlan plan, @Nullable Resource[] resources, List<List<Integer>> renderPasses) {
        this.plan = plan;
        arrays = plan.structure().arrays();
        uses = arrays.uses();
        barriers = arrays.barriers();
        this.resources = resources;
        this.renderPasses = renderPasses;
        cuts = new BitSet[AXES * resources.length];
        tracked = none(resources.length);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static @Nullable List<Tracked>[] none(int count) {
        return new List[count];
    }

    /**
     * Returns the touches of a plan.
     *
     * @param resources native resources by index
     * @param renderPasses by pass the passes that share its render pass
     */
    public static PlanTouches collect(
            CompiledPlan plan, @Nullable Resource[] resources, List<List<Integer>> renderPasses) {
        return new TouchCollector(plan, resources, renderPasses).collect();
    }

    private PlanTouches collect() {
        cutTextures();
        boolean untracked = false;
        Map<Integer, IntList> begun = begun();
        for (FramePlan.RecordingGroup each : plan.recordingGroups()) {
            group = each.index();
            batch = each.batch();
            queue = plan.batches().get(batch).queue();
            for (int index : each.passes()) {
                List<Integer> shared = renderPasses.get(index);
                place = shared.isEmpty() ? index : shared.get(0);
                untracked |= plan.passes().get(index).flags().contains(PassFlag.UNTRACKED_ACCESS);
                for (int box : arrays.barriersBefore(index)) {
                    barrier(box, barriers.begin(box) < 0, true);
                }
                for (int use = uses.first(index); use < uses.end(index); use++) {
                    use(use);
                }
                IntList halves = begun.get(index);
                for (int i = 0; halves != null && i < halves.size(); i++) {
                    barrier(halves.get(i), true, false);
                }
                for (int box : arrays.barriersAfter(index)) {
                    barrier(box, true, true);
                }
            }
        }
        return new PlanTouches(List.copyOf(identities), touches(), exits(), taken(), untracked);
    }

    /** Returns by pass the split barriers whose first halves are after it. */
    private Map<Integer, IntList> begun() {
        Map<Integer, IntList> begun = new HashMap<>();
        int passes = plan.options().policy().splitBarriers() ? plan.passes().size() : 0;
        for (int pass = 0; pass < passes; pass++) {
            for (int box : arrays.barriersBefore(pass)) {
                if (barriers.begin(box) >= 0) {
                    begun.computeIfAbsent(barriers.begin(box), p -> new IntList(0))
                            .add(box);
                }
            }
        }
        return begun;
    }

    /** A barrier, or the first or second half of one. It comes after former frames where its first half is. */
    private void barrier(int box, boolean first, boolean second) {
        List<Tracked> all = tracked(barriers.resource(box));
        if (barriers.oldLayout(box) == barriers.newLayout(box) && barriers.ownership(box) == null) {
            return;
        }
        SubresourceRange range = barriers.range(box);
        for (Tracked of : all) {
            if (of.isIn(range)) {
                half(of, box, of.isWhole(range, barriers.offset(box), barriers.bytes(box)), first, second);
            }
        }
    }

    private void half(Tracked of, int box, boolean whole, boolean first, boolean second) {
        BarrierBatch.Scope scope = barriers.scope(box);
        if (first) {
            enter(of, scope.srcStages(), MemoryAccess.NONE, true, whole, NO_GROUP);
        }
        if (second) {
            leave(of, scope.dstStages(), MemoryAccess.NONE, true, whole, NO_GROUP);
            of.ordered[queue] &= scope.dstStages();
            of.visible[queue] &= scope.dstAccess();
        }
    }

    private void use(int use) {
        List<Tracked> all = tracked(uses.resource(use));
        Access declared = uses.access(use);
        int stages = declared.stages();
        if (stages == HOST && queue != plan.queues().host()) {
            return;
        }
        boolean write = declared.writes();
        int access = declared.memoryAccess() & ~HOST_ACCESS;
        int overlap = uses.overlapGroup(use);
        SubresourceRange range = uses.range(use);
        for (Tracked of : all) {
            if (of.isIn(range)) {
                boolean whole = of.isWhole(range, uses.offset(use), uses.bytes(use));
                enter(of, stages, access, write, whole, overlap);
                leave(of, stages, access, write, whole, overlap);
                if (write) {
                    of.ordered[queue] = 0;
                    of.visible[queue] = 0;
                }
            }
        }
    }

    /** Returns the pieces of a resource, none if other rules order it. */
    private List<Tracked> tracked(int index) {
        Resource resource = resources[index];
        if (resource == null || (resource instanceof Texture texture && texture.isSwapchainImage())) {
            return List.of();
        }
        List<Tracked> known = tracked[index];
        if (known == null) {
            int memory = memories.computeIfAbsent(PlanTouches.identity(resource), identity -> {
                identities.add(identity);
                return identities.size() - 1;
            });
            boolean isTransient = plan.resources().get(index).lifetime() == Lifetime.TRANSIENT;
            List<Piece> all = pieces(index);
            known = new ArrayList<>(all.size());
            for (Piece piece : all) {
                known.add(new Tracked(
                        resource,
                        memory,
                        piece,
                        isTransient,
                        plan.queues().queues().size()));
            }
            tracked[index] = known;
            inOrder.addAll(known);
        }
        return known;
    }

    /** Writes of one overlap group have no order among each other, so each of them must come after former frames. */
    private void enter(Tracked of, int stages, int access, boolean write, boolean whole, int overlap) {
        if (of.taken && (overlap == NO_GROUP || overlap != of.takenBy)) {
            return;
        }
        int waiting = onDevice(stages);
        of.touches.add(new Placed(
                group, position++, new PlanTouches.Touch(of.memory, of.piece, place, waiting, access, write)));
        if (write && whole && !of.taken) {
            of.taken = true;
            of.takenBy = overlap;
        }
    }

    /** A queue cannot hold back the host. If only the host is named, it holds back everything. */
    private static int onDevice(int stages) {
        int mask = stages & ~HOST;
        return mask == 0 ? ALL : mask;
    }

    private void leave(Tracked of, int stages, int access, boolean write, boolean whole, int overlap) {
        int known = onDevice(stages);
        if (!write) {
            of.reader[queue] = batch;
            of.readerStages[queue] |= known;
            return;
        }
        if (whole && (overlap == NO_GROUP || overlap != of.overlap)) {
            of.forget();
        }
        of.overlap = overlap;
        of.writer[queue] = batch;
        of.writerStages[queue] |= known;
        of.writes[queue] |= MemoryAccess.writesOf(access);
    }

    private List<List<PlanTouches.Touch>> touches() {
        List<Placed> all = new ArrayList<>();
        for (Tracked each : first()) {
            all.addAll(each.touches);
        }
        all.sort(Comparator.comparingInt(Placed::position));
        List<List<PlanTouches.Touch>> byGroup = new ArrayList<>();
        for (int i = 0; i < plan.recordingGroups().size(); i++) {
            byGroup.add(new ArrayList<>());
        }
        all.forEach(each -> byGroup.get(each.group).add(each.touch));
        return byGroup.stream().map(List::copyOf).toList();
    }

    private List<PlanTouches.Exit> exits() {
        List<PlanTouches.Exit> exits = new ArrayList<>();
        for (Tracked each : last()) {
            for (int q = 0; q < each.writer.length; q++) {
                if (each.writer[q] >= 0) {
                    exits.add(new PlanTouches.Exit(
                            each.memory,
                            each.piece,
                            each.writer[q],
                            each.writerStages[q],
                            each.writes[q],
                            true,
                            each.ordered[q],
                            each.visible[q]));
                }
                if (each.reader[q] >= 0) {
                    exits.add(new PlanTouches.Exit(
                            each.memory, each.piece, each.reader[q], each.readerStages[q], 0, false, 0, 0));
                }
            }
        }
        return List.copyOf(exits);
    }

    /** Returns those whose bytes none before covers. Each other one is covered by one of these. */
    private List<Tracked> first() {
        List<Tracked> found = new ArrayList<>();
        List<Tracked> placed = new ArrayList<>();
        for (Tracked each : inOrder) {
            if (!each.placed || covering(each, placed) == null) {
                found.add(each);
                if (each.placed) {
                    placed.add(each);
                }
            }
        }
        return found;
    }

    /** Returns those whose bytes no later one covers. They stand for the others. */
    private List<Tracked> last() {
        List<Tracked> found = new ArrayList<>();
        List<Tracked> placed = new ArrayList<>();
        for (int i = inOrder.size() - 1; i >= 0; i--) {
            Tracked each = inOrder.get(i);
            Tracked later = each.placed ? covering(each, placed) : null;
            if (later != null) {
                later.standFor(each);
                continue;
            }
            found.add(each);
            if (each.placed) {
                placed.add(each);
            }
        }
        return found;
    }

    private static @Nullable Tracked covering(Tracked tracked, List<Tracked> others) {
        for (int i = 0; i < others.size(); i++) {
            if (others.get(i).covers(tracked)) {
                return others.get(i);
            }
        }
        return null;
    }

    private List<PlanTouches.Taken> taken() {
        return first().stream()
                .filter(each -> each.taken)
                .map(each -> new PlanTouches.Taken(each.memory, each.piece))
                .distinct()
                .toList();
    }

    /**
     * Cuts the textures that have memory of their own into boxes of mips, layers and planes. No range of the plan then
     * overlaps a box without covering it.
     */
    private void cutTextures() {
        for (FramePlan.RecordingGroup each : plan.recordingGroups()) {
            for (int index : each.passes()) {
                for (int box : arrays.barriersBefore(index)) {
                    note(barriers.resource(box), barriers.range(box));
                }
                for (int use = uses.first(index); use < uses.end(index); use++) {
                    note(uses.resource(use), uses.range(use));
                }
                for (int box : arrays.barriersAfter(index)) {
                    note(barriers.resource(box), barriers.range(box));
                }
            }
        }
    }

    private void note(int index, @Nullable SubresourceRange range) {
        if (range == null
                || !(resources[index] instanceof Texture texture)
                || range.contains(SubresourceRange.all(texture.description()))) {
            return;
        }
        cut(AXES * index, range.baseMip(), range.mipCount());
        cut(AXES * index + 1, range.baseLayer(), range.layerCount());
        cut(AXES * index + 2, range.basePlane(), range.planeCount());
    }

    private List<Piece> pieces(int index) {
        Resource resource = resources[index];
        Resource.Placement placement = resource == null ? null : resource.placement();
        if (placement != null) {
            return List.of(new Piece(placement.offset(), placement.offset() + placement.bytes(), null));
        }
        if (!(resource instanceof Texture texture)) {
            return List.of(Piece.ALL);
        }
        return boxes(index, texture).stream().map(box -> new Piece(0, 1, box)).toList();
    }

    private void cut(int axis, int from, int count) {
        BitSet known = cuts[axis];
        if (known == null) {
            known = new BitSet();
            cuts[axis] = known;
        }
        known.set(from);
        known.set(from + count);
    }

    /** Returns the boxes of a texture; one of everything if they are too many. */
    private List<SubresourceRange> boxes(int index, Texture texture) {
        SubresourceRange all = SubresourceRange.all(texture.description());
        int[] mips = ends(AXES * index, all.mipCount());
        int[] layers = ends(AXES * index + 1, all.layerCount());
        int[] planes = ends(AXES * index + 2, all.planeCount());
        int count = (mips.length - 1) * (layers.length - 1) * (planes.length - 1);
        if (count == 1 || count > MOST_BOXES) {
            return List.of(all);
        }
        List<SubresourceRange> boxes = new ArrayList<>(count);
        for (int m = 1; m < mips.length; m++) {
            for (int l = 1; l < layers.length; l++) {
                for (int p = 1; p < planes.length; p++) {
                    boxes.add(new SubresourceRange(
                            mips[m - 1],
                            mips[m] - mips[m - 1],
                            layers[l - 1],
                            layers[l] - layers[l - 1],
                            planes[p - 1],
                            planes[p] - planes[p - 1]));
                }
            }
        }
        return boxes;
    }

    /** Returns where the boxes of an axis begin, and the end of the last. */
    private int[] ends(int axis, int end) {
        BitSet known = cuts[axis];
        if (known == null) {
            return new int[] {0, end};
        }
        known.set(0);
        known.set(end);
        return known.stream().toArray();
    }
}
