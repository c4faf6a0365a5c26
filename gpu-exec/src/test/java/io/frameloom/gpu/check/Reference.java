package io.frameloom.gpu.check;

import io.frameloom.gpu.BarrierBatch;
import io.frameloom.gpu.MemoryAccess;
import io.frameloom.gpu.PipelineStage;
import io.frameloom.gpu.TextureLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The slow truth: for every pair of conflicting accesses, follows the earlier one through all commands between, by sets.
 * Shares nothing with the checker but the specification.
 */
final class Reference {
    private static final int HOST = PipelineStage.HOST.bit();
    private static final List<PipelineStage> RASTER = List.of(
            PipelineStage.DRAW_INDIRECT,
            PipelineStage.VERTEX_INPUT,
            PipelineStage.VERTEX_SHADER,
            PipelineStage.FRAGMENT_SHADER,
            PipelineStage.DEPTH_TESTS,
            PipelineStage.COLOR_OUTPUT);

    private final Program program;

    private Reference(Program program) {
        this.program = program;
    }

    /** An access of a cell: by a pass, in one stage, or by a transition (stage null). */
    private record Event(
            int batch,
            int step,
            int queue,
            Cells resource,
            int id,
            boolean write,
            int stages,
            int access,
            int group,
            BarrierBatch.Scope scope,
            boolean acquires,
            boolean moves,
            Program.@Nullable Spec pass) {
        boolean sameStep(Event other) {
            return batch == other.batch && step == other.step;
        }

        /** The parts of a pass between barriers inside of it are not ordered among each other. */
        boolean samePass(Event other) {
            return pass != null && pass.equals(other.pass);
        }

        boolean isOfHost() {
            return stages == HOST;
        }
    }

    /** Returns whether the program is correct. */
    static boolean correct(Program program) {
        return new Reference(program).correct();
    }

    private boolean correct() {
        Map<Integer, List<Event>> byCell = new HashMap<>();
        Map<Integer, TextureLayout> layouts = new HashMap<>();
        Map<Integer, Owner> owners = new HashMap<>();
        BarrierBatch.Scope none = new BarrierBatch.Scope(0, 0, 0, 0);
        for (int b = 0; b < program.batches.size(); b++) {
            Program.Batch batch = program.batches.get(b);
            for (int s = 0; s < batch.steps.size(); s++) {
                Program.Step step = batch.steps.get(s);
                if (step instanceof Program.BarrierStep barrier
                        && !barrier.global()
                        && !owners.computeIfAbsent(barrier.resource().id(barrier.cell()), i -> new Owner())
                                .allows(batch.queue, barrier)) {
                    return false;
                }
                if (step instanceof Program.BarrierStep barrier && barrier.rewrites()) {
                    int id = barrier.resource().id(barrier.cell());
                    TextureLayout is = layouts.getOrDefault(id, TextureLayout.UNDEFINED);
                    if (barrier.from() != TextureLayout.UNDEFINED && is != barrier.from()) {
                        return false;
                    }
                    if (!barrier.releases(batch.queue)) {
                        layouts.put(id, barrier.to());
                    }
                    byCell.computeIfAbsent(id, i -> new ArrayList<>())
                            .add(new Event(
                                    b,
                                    s,
                                    batch.queue,
                                    barrier.resource(),
                                    id,
                                    true,
                                    0,
                                    0,
                                    -1,
                                    barrier.scope(),
                                    barrier.acquires(batch.queue),
                                    barrier.transfer() == null,
                                    null));
                } else if (step instanceof Program.BarrierStep barrier
                        && barrier.resource().isTexture()
                        && !barrier.global()) {
                    int id = barrier.resource().id(barrier.cell());
                    if (layouts.getOrDefault(id, TextureLayout.UNDEFINED) != barrier.from()) {
                        return false;
                    }
                } else if (step instanceof Program.PassStep pass) {
                    if (!Owner.allows(owners, batch.queue, pass)) {
                        return false;
                    }
                    for (Program.Touch touch : pass.spec().touches()) {
                        for (int cell = touch.from(); cell < touch.to(); cell++) {
                            int id = touch.resource().id(cell);
                            if (touch.resource().isTexture()
                                    && layouts.getOrDefault(id, TextureLayout.UNDEFINED) != touch.layout()) {
                                return false;
                            }
                            byCell.computeIfAbsent(id, i -> new ArrayList<>())
                                    .add(new Event(
                                            b,
                                            s,
                                            batch.queue,
                                            touch.resource(),
                                            id,
                                            touch.access().writes(),
                                            touch.access().stages(),
                                            touch.access().memoryAccess(),
                                            touch.group(),
                                            none,
                                            false,
                                            false,
                                            pass.spec()));
                        }
                    }
                }
            }
        }
        return byCell.values().stream().map(Reference::steps).allMatch(this::correct);
    }

    /** Which family a cell belongs to; nobody's before the first transfer. */
    private static final class Owner {
        private int family = -1;
        /** The first half of a transfer whose second half has not come yet. */
        private Program.@Nullable BarrierStep released;

        private boolean isFree(int queue) {
            return released == null && (family < 0 || family == queue);
        }

        boolean allows(int queue, Program.BarrierStep barrier) {
            Program.BarrierStep first = released;
            if (barrier.transfer() == null) {
                boolean discards = barrier.from() == TextureLayout.UNDEFINED && barrier.rewrites();
                return discards ? discard(queue) : isFree(queue);
            }
            if (barrier.releases(queue)) {
                boolean free = isFree(queue);
                released = barrier;
                return free;
            }
            released = null;
            family = queue;
            return barrier.acquires(queue)
                    && first != null
                    && barrier.transfer().equals(first.transfer())
                    && barrier.from() == first.from()
                    && barrier.to() == first.to();
        }

        /** The uses of a pass do not follow each other: what needs contents needs those from before the pass. */
        static boolean allows(Map<Integer, Owner> owners, int queue, Program.PassStep pass) {
            for (boolean discarding : new boolean[] {false, true}) {
                for (Program.Touch touch : pass.spec().touches()) {
                    boolean discards =
                            touch.access().writes() && !touch.access().reads();
                    for (int cell = touch.from(); discards == discarding && cell < touch.to(); cell++) {
                        Owner owner = owners.computeIfAbsent(touch.resource().id(cell), i -> new Owner());
                        if (!(discards ? owner.discard(queue) : owner.isFree(queue))) {
                            return false;
                        }
                    }
                }
            }
            return true;
        }

        /** Whoever needs no contents takes what it is given. */
        private boolean discard(int queue) {
            family = isFree(queue) ? family : queue;
            released = null;
            return true;
        }
    }

    /** Cuts the accesses of a cell into those of one pass each, which are not ordered among each other. */
    private static List<List<Event>> steps(List<Event> events) {
        List<List<Event>> steps = new ArrayList<>();
        for (Event event : events) {
            if (steps.isEmpty() || !steps.get(steps.size() - 1).get(0).sameStep(event)) {
                steps.add(new ArrayList<>());
            }
            steps.get(steps.size() - 1).add(event);
        }
        return steps;
    }

    private boolean correct(List<List<Event>> steps) {
        for (int later = 0; later < steps.size(); later++) {
            for (Event second : steps.get(later)) {
                int earlier = later - 1;
                while (earlier >= 0 && steps.get(earlier).get(0).samePass(second)) {
                    earlier--;
                }
                while (earlier >= 0 && second.write && second.group >= 0 && isOfGroup(steps.get(earlier), second)) {
                    earlier--;
                }
                boolean done = false;
                for (; earlier >= 0 && !done; earlier--) {
                    List<Event> firsts = steps.get(earlier);
                    for (Event first : firsts) {
                        if ((first.write || second.write) && !first.samePass(second) && !ordered(first, second)) {
                            return false;
                        }
                    }
                    done = firsts.stream().anyMatch(Event::write)
                            && !firsts.get(0).samePass(second)
                            && !(earlier > 0
                                    && firsts.get(0).group >= 0
                                    && isOfGroup(firsts, firsts.get(0))
                                    && isOfGroup(steps.get(earlier - 1), firsts.get(0)));
                }
            }
        }
        return true;
    }

    /** Whether all that a pass does with a cell is to write it in the group of {@code other}. */
    private static boolean isOfGroup(List<Event> step, Event other) {
        return step.stream()
                .allMatch(event -> event.write && event.group == other.group && event.resource.equals(other.resource));
    }

    private boolean ordered(Event first, Event second) {
        if (first.isOfHost() && first.write) {
            // It was done before the submission.
            return true;
        }
        if (first.moves && second.moves && first.queue == second.queue) {
            // Layout transitions of one queue are executed in submission order.
            return true;
        }
        if (first.stages == 0) {
            return new Walk(first, 0, second).reaches();
        }
        for (PipelineStage stage : PipelineStage.values()) {
            if ((first.stages & stage.bit()) != 0 && !new Walk(first, stage.bit(), second).reaches()) {
                return false;
            }
        }
        return true;
    }

    /** What has become of one access in one stage before another one; stage 0 is a transition. */
    private final class Walk {
        private final Event first;
        private final int stage;
        private final Event second;
        private final int[] executed = new int[3];
        private final int[] available = new int[3];
        private final Map<Integer, Integer> visible = new HashMap<>();
        /** Queues behind whose work the host sees the access; -1 is the host itself. */
        private final Set<Integer> shown = new HashSet<>();
        /** Points behind which it does. */
        private final Set<Integer> shownBehind = new HashSet<>();

        private boolean hostHasSeen;
        private final boolean[] queueSignalled = new boolean[3];
        private final boolean[] queueSignalledAvailable = new boolean[3];
        private final boolean[] queueShown = new boolean[3];
        private final TreeSet<Integer> signalled = new TreeSet<>();
        private final TreeSet<Integer> signalledAvailable = new TreeSet<>();

        Walk(Event first, int stage, Event second) {
            this.first = first;
            this.stage = stage;
            this.second = second;
            if (stage == 0) {
                executed[first.queue] = after(first.scope.dstStages());
                available[first.queue] = executed[first.queue];
                if (first.resource.equals(second.resource)) {
                    see(first.queue, first.scope.dstStages(), first.scope.dstAccess());
                }
            }
        }

        boolean reaches() {
            for (int b = first.batch; b <= second.batch; b++) {
                Program.Batch batch = program.batches.get(b);
                for (int waited : batch.hostWaits) {
                    hostWaits(point(waited, false));
                }
                for (int waited : batch.earlyHostWaits) {
                    hostWaits(point(waited, true));
                }
                boolean read = second.access == MemoryAccess.HOST_READ.bit() && first.write;
                if (read ? shown.contains(-1) : hostHasSeen) {
                    return true;
                }
                if (b > first.batch) {
                    waits(batch);
                }
                int from = b == first.batch ? first.step + 1 : 0;
                int to = b == second.batch ? second.step : batch.steps.size();
                for (int s = from; s < to; s++) {
                    if (batch.steps.get(s) instanceof Program.BarrierStep barrier) {
                        barrier(batch.queue, barrier);
                    }
                }
                if (b < second.batch) {
                    signals(b, batch);
                }
            }
            if (first.isOfHost() || (second.isOfHost() && second.write)) {
                // Nothing but its own waiting tells the host, and nothing else ends what it does.
                return false;
            }
            return second.stages == 0 ? transitionFollows() : accessFollows();
        }

        /** A host that has waited relies on what is executed, of writes on what is available, and reads what is shown. */
        private void hostWaits(int point) {
            if (signalled.contains(point)) {
                Arrays.fill(executed, -1);
            }
            hostHasSeen |= (first.write ? signalledAvailable : signalled).contains(point);
            if (shownBehind.contains(point)) {
                shown.add(-1);
            }
        }

        private static int point(int batch, boolean early) {
            return 2 * batch + (early ? 0 : 1);
        }

        /** Points of a queue are reached in order: what one follows, all later ones follow. */
        private void signals(int b, Program.Batch batch) {
            int queue = batch.queue;
            int early = batch.earlySignal;
            if (early != 0) {
                boolean mine = b == first.batch && stage != 0;
                queueSignalled[queue] |=
                        (mine && (before(early) & stage) != 0) || (executed[queue] & before(early)) != 0;
                queueSignalledAvailable[queue] |=
                        (mine && (early & stage) != 0) || (available[queue] & before(early)) != 0;
                note(point(b, true), queue);
            }
            if (shown.contains(queue)) {
                queueShown[queue] = true;
            }
            queueSignalled[queue] |= queue == first.queue || executed[queue] != 0;
            queueSignalledAvailable[queue] |= queue == first.queue || available[queue] != 0;
            note(point(b, false), queue);
        }

        private void note(int point, int queue) {
            if (queueSignalled[queue]) {
                signalled.add(point);
            }
            if (queueSignalledAvailable[queue]) {
                signalledAvailable.add(point);
            }
            if (queueShown[queue]) {
                shownBehind.add(point);
            }
        }

        private void waits(Program.Batch batch) {
            int nowExecuted = 0;
            int nowAvailable = 0;
            for (Program.BatchWait wait : batch.waits) {
                if (follows(shownBehind, wait)) {
                    shown.add(batch.queue);
                }
                if (follows(signalled, wait)) {
                    nowExecuted |= after(wait.stages());
                }
                if (follows(signalledAvailable, wait)) {
                    nowAvailable |= after(wait.stages());
                    see(batch.queue, wait.stages(), -1);
                }
            }
            executed[batch.queue] |= nowExecuted;
            available[batch.queue] |= nowAvailable;
        }

        /** A point of the other timeline is reached behind all lower ones that somebody signals. */
        private boolean follows(Set<Integer> points, Program.BatchWait wait) {
            if (!wait.external()) {
                return points.contains(point(wait.batch(), wait.early()));
            }
            for (int b = 0; b <= wait.batch(); b++) {
                if (program.batches.get(b).signalsExternal && points.contains(point(b, false))) {
                    return true;
                }
            }
            return false;
        }

        private void barrier(int queue, Program.BarrierStep barrier) {
            BarrierBatch.Scope scope = barrier.scope();
            boolean follows = inSource(queue, scope);
            boolean chained = (available[queue] & before(scope.srcStages())) != 0;
            boolean toHost = (scope.dstStages() & HOST) != 0 && (scope.dstAccess() & MemoryAccess.HOST_READ.bit()) != 0;
            boolean done = hostHasSeen || chained || (reaches(barrier, first) && makesAvailable(queue, scope));
            if (toHost && done && reaches(barrier, second)) {
                shown.add(queue);
            }
            if (follows) {
                executed[queue] |= after(scope.dstStages());
            }
            if (chained || (reaches(barrier, first) && makesAvailable(queue, scope))) {
                available[queue] |= after(scope.dstStages());
                if (reaches(barrier, second)) {
                    see(queue, scope.dstStages(), scope.dstAccess());
                }
            }
        }

        /** Memory operations of a barrier reach what is accessed through the cell that it names, or everything. */
        private static boolean reaches(Program.BarrierStep barrier, Event event) {
            return barrier.global()
                    || (barrier.resource().equals(event.resource)
                            && barrier.resource().id(barrier.cell()) == event.id);
        }

        private boolean inSource(int queue, BarrierBatch.Scope scope) {
            return (queue == first.queue && (before(scope.srcStages()) & stage) != 0)
                    || (executed[queue] & before(scope.srcStages())) != 0;
        }

        private boolean makesAvailable(int queue, BarrierBatch.Scope scope) {
            int writes = MemoryAccess.writesOf(first.access);
            return queue == first.queue
                    && stage != 0
                    && first.write
                    && (scope.srcStages() & stage) != 0
                    && MemoryAccess.covers(scope.srcAccess(), writes);
        }

        private boolean transitionFollows() {
            // The source scope of an acquire says nothing; what it releases has to be waited for.
            int acquiring = second.scope.dstStages();
            if (second.acquires && first.write && acquiring != 0 && (acquiring & ~executed[second.queue]) == 0) {
                return true;
            }
            if (!first.write) {
                return inSource(second.queue, second.scope);
            }
            return makesAvailable(second.queue, second.scope)
                    || (available[second.queue] & before(second.scope.srcStages())) != 0;
        }

        private boolean accessFollows() {
            if (!first.write) {
                return (second.stages & ~executed[second.queue]) == 0;
            }
            if (second.stages == HOST) {
                return shown.contains(second.queue);
            }
            int writes = MemoryAccess.writesOf(second.access);
            if (second.write && (second.stages & ~available[second.queue]) != 0) {
                return false;
            }
            for (PipelineStage to : PipelineStage.values()) {
                int possible = second.access & ~writes & performedBy(to);
                if ((second.stages & to.bit()) != 0
                        && (possible & ~visible.getOrDefault(key(second.queue, to), 0)) != 0) {
                    return false;
                }
            }
            return true;
        }

        private void see(int queue, int stages, int access) {
            for (PipelineStage to : PipelineStage.values()) {
                if ((stages & to.bit()) != 0) {
                    visible.merge(key(queue, to), access, (a, b) -> a | b);
                }
            }
        }

        private int key(int queue, PipelineStage to) {
            return (queue << 16) | to.bit();
        }
    }

    private static int performedBy(PipelineStage stage) {
        return switch (stage) {
            case DRAW_INDIRECT -> MemoryAccess.INDIRECT_READ.bit();
            case VERTEX_INPUT -> MemoryAccess.mask(MemoryAccess.INDEX_READ, MemoryAccess.VERTEX_READ);
            case DEPTH_TESTS -> MemoryAccess.mask(MemoryAccess.DEPTH_READ, MemoryAccess.DEPTH_WRITE);
            case COLOR_OUTPUT -> MemoryAccess.mask(MemoryAccess.COLOR_READ, MemoryAccess.COLOR_WRITE);
            case COPY -> MemoryAccess.mask(MemoryAccess.COPY_READ, MemoryAccess.COPY_WRITE);
            default -> -1;
        };
    }

    /** Stages that must have executed when those of {@code mask} have. */
    private static int before(int mask) {
        int all = mask & ~HOST;
        for (PipelineStage stage : RASTER) {
            if ((mask & stage.bit()) != 0) {
                for (PipelineStage earlier : RASTER.subList(0, RASTER.indexOf(stage))) {
                    all |= earlier.bit();
                }
            }
        }
        if ((mask & PipelineStage.COMPUTE_SHADER.bit()) != 0) {
            all |= PipelineStage.DRAW_INDIRECT.bit();
        }
        return all;
    }

    /** Stages that cannot begin before those of {@code mask} may. */
    private static int after(int mask) {
        int all = mask & ~HOST;
        for (PipelineStage stage : RASTER) {
            if ((mask & stage.bit()) == 0) {
                continue;
            }
            for (PipelineStage later : RASTER.subList(RASTER.indexOf(stage), RASTER.size())) {
                boolean earlyTests = stage == PipelineStage.FRAGMENT_SHADER && later == PipelineStage.DEPTH_TESTS;
                all |= earlyTests ? 0 : later.bit();
            }
            if (stage == PipelineStage.DEPTH_TESTS) {
                all |= PipelineStage.FRAGMENT_SHADER.bit();
            }
            if (stage == PipelineStage.DRAW_INDIRECT) {
                all |= PipelineStage.COMPUTE_SHADER.bit();
            }
        }
        return all;
    }
}
