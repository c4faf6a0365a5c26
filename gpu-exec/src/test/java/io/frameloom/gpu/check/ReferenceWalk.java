package io.frameloom.gpu.check;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/** What has become of one access in one stage before another one; stage 0 is a transition. */
final class ReferenceWalk {
    private static final List<PipelineStage> RASTER = List.of(
            PipelineStage.DRAW_INDIRECT,
            PipelineStage.VERTEX_INPUT,
            PipelineStage.VERTEX_SHADER,
            PipelineStage.FRAGMENT_SHADER,
            PipelineStage.DEPTH_TESTS,
            PipelineStage.COLOR_OUTPUT);

    /** What {@link #before} and {@link #after} are made of, by the number of a stage's bit. */
    private static final int[] BEFORE =
            IntStream.range(0, Integer.SIZE).map(bit -> beforeStage(1 << bit)).toArray();

    private static final int[] AFTER =
            IntStream.range(0, Integer.SIZE).map(bit -> afterStage(1 << bit)).toArray();

    /** What a stage can do, by the number of its bit. */
    private static final int[] PERFORMED_BY = performed();

    private static final int HOST_ITSELF = 3;

    private final Program program;
    private final Reference.Event first;
    private final int stage;
    private final Reference.Event second;
    private final int[] executed = new int[3];
    private final int[] available = new int[3];
    /** Accesses that see it, by queue and stage. */
    private final int[] visible = new int[3 * Integer.SIZE];
    /**
     * Whether the host sees the access after the work of a queue, or has it available if it writes over it; the last one is
     * the host itself.
     */
    private final boolean[] shown = new boolean[4];
    /** Points behind which it does. */
    private final BitSet shownBehind = new BitSet();

    private boolean hostHasSeen;
    private final boolean[] queueSignalled = new boolean[3];
    private final boolean[] queueSignalledAvailable = new boolean[3];
    private final boolean[] queueShown = new boolean[3];
    private final BitSet signalled = new BitSet();
    private final BitSet signalledAvailable = new BitSet();

    ReferenceWalk(Program program, Reference.Event first, int stage, Reference.Event second) {
        this.program = program;
        this.first = first;
        this.stage = stage;
        this.second = second;
        if (stage == 0) {
            executed[first.queue()] = after(first.scope().dstStages());
            available[first.queue()] = executed[first.queue()];
            if (first.resource().equals(second.resource())) {
                see(first.queue(), first.scope().dstStages(), first.scope().dstAccess());
            }
        }
    }

    boolean reaches() {
        for (int b = first.batch(); b <= second.batch(); b++) {
            Program.Batch batch = program.batches.get(b);
            for (int waited : batch.hostWaits) {
                hostWaits(point(waited, false));
            }
            for (int waited : batch.earlyHostWaits) {
                hostWaits(point(waited, true));
            }
            boolean told = !second.isOfHost() || !first.write() || shown[HOST_ITSELF];
            boolean reads = second.isOfHost() && !second.write() && first.write();
            if (told && (reads || hostHasSeen)) {
                return true;
            }
            if (b > first.batch()) {
                waits(batch);
            }
            int from = b == first.batch() ? first.step() + 1 : 0;
            int to = b == second.batch() ? second.step() : batch.steps.size();
            for (int s = from; s < to; s++) {
                if (batch.steps.get(s) instanceof Program.BarrierStep barrier) {
                    barrier(batch.queue, barrier);
                }
            }
            if (b < second.batch()) {
                signals(b, batch);
            }
        }
        if (first.isOfHost() || (second.isOfHost() && second.write())) {
            // Nothing but its own waiting tells the host, and nothing else ends what it does.
            return false;
        }
        return second.stages() == 0 ? transitionFollows() : accessFollows();
    }

    /** A host that has waited relies on what is executed, of writes on what is available, and reads what is shown. */
    private void hostWaits(int point) {
        if (signalled.get(point)) {
            Arrays.fill(executed, -1);
        }
        hostHasSeen |= (first.write() ? signalledAvailable : signalled).get(point);
        if (shownBehind.get(point)) {
            shown[HOST_ITSELF] = true;
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
            boolean mine = b == first.batch() && stage != 0;
            queueSignalled[queue] |= (mine && (before(early) & stage) != 0) || (executed[queue] & before(early)) != 0;
            queueSignalledAvailable[queue] |= (mine && (early & stage) != 0) || (available[queue] & before(early)) != 0;
            note(point(b, true), queue);
        }
        if (shown[queue]) {
            queueShown[queue] = true;
        }
        queueSignalled[queue] |= queue == first.queue() || executed[queue] != 0;
        queueSignalledAvailable[queue] |= queue == first.queue() || available[queue] != 0;
        note(point(b, false), queue);
    }

    private void note(int point, int queue) {
        if (queueSignalled[queue]) {
            signalled.set(point);
        }
        if (queueSignalledAvailable[queue]) {
            signalledAvailable.set(point);
        }
        if (queueShown[queue]) {
            shownBehind.set(point);
        }
    }

    private void waits(Program.Batch batch) {
        int nowExecuted = 0;
        int nowAvailable = 0;
        for (Program.BatchWait wait : batch.waits) {
            if (follows(shownBehind, wait)) {
                shown[batch.queue] = true;
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
    private boolean follows(BitSet points, Program.BatchWait wait) {
        if (!wait.external()) {
            return points.get(point(wait.batch(), wait.early()));
        }
        for (int b = 0; b <= wait.batch(); b++) {
            if (program.batches.get(b).signalsExternal && points.get(point(b, false))) {
                return true;
            }
        }
        return false;
    }

    private void barrier(int queue, Program.BarrierStep barrier) {
        BarrierBatch.Scope scope = barrier.scope();
        boolean follows = inSource(queue, scope);
        boolean chained = (available[queue] & before(scope.srcStages())) != 0;
        int enough = MemoryAccess.HOST_READ.bit() | (second.write() ? MemoryAccess.HOST_WRITE.bit() : 0);
        boolean toHost = (scope.dstStages() & Reference.HOST) != 0 && (scope.dstAccess() & enough) != 0;
        boolean done = hostHasSeen || chained || (reaches(barrier, first) && makesAvailable(queue, scope));
        if (toHost && done && reaches(barrier, second)) {
            shown[queue] = true;
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
    private static boolean reaches(Program.BarrierStep barrier, Reference.Event event) {
        return barrier.global()
                || (barrier.resource().equals(event.resource())
                        && barrier.resource().id(barrier.cell()) == event.id());
    }

    private boolean inSource(int queue, BarrierBatch.Scope scope) {
        return (queue == first.queue() && (before(scope.srcStages()) & stage) != 0)
                || (executed[queue] & before(scope.srcStages())) != 0;
    }

    private boolean makesAvailable(int queue, BarrierBatch.Scope scope) {
        int writes = MemoryAccess.writesOf(first.access());
        return queue == first.queue()
                && stage != 0
                && first.write()
                && (scope.srcStages() & stage) != 0
                && MemoryAccess.covers(scope.srcAccess(), writes);
    }

    private boolean transitionFollows() {
        // The source scope of an acquire says nothing; what it releases has to be waited for.
        int acquiring = second.scope().dstStages();
        if (second.acquires() && first.write() && acquiring != 0 && (acquiring & ~executed[second.queue()]) == 0) {
            return true;
        }
        if (!first.write()) {
            return inSource(second.queue(), second.scope());
        }
        return makesAvailable(second.queue(), second.scope())
                || (available[second.queue()] & before(second.scope().srcStages())) != 0;
    }

    private boolean accessFollows() {
        if (!first.write()) {
            return (second.stages() & ~executed[second.queue()]) == 0;
        }
        if (second.stages() == Reference.HOST) {
            return shown[second.queue()];
        }
        int writes = MemoryAccess.writesOf(second.access());
        if (second.write() && (second.stages() & ~available[second.queue()]) != 0) {
            return false;
        }
        for (int rest = second.stages(); rest != 0; rest &= rest - 1) {
            int stage = Integer.numberOfTrailingZeros(rest);
            int possible = second.access() & ~writes & PERFORMED_BY[stage];
            if ((possible & ~visible[key(second.queue(), stage)]) != 0) {
                return false;
            }
        }
        return true;
    }

    private void see(int queue, int stages, int access) {
        for (int rest = stages; rest != 0; rest &= rest - 1) {
            visible[key(queue, Integer.numberOfTrailingZeros(rest))] |= access;
        }
    }

    private static int key(int queue, int stage) {
        return queue * Integer.SIZE + stage;
    }

    private static int[] performed() {
        int[] all = new int[Integer.SIZE];
        Arrays.fill(all, -1);
        for (PipelineStage stage : PipelineStage.values()) {
            all[Integer.numberOfTrailingZeros(stage.bit())] = performedBy(stage);
        }
        return all;
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
        return union(BEFORE, mask);
    }

    /** Stages that cannot begin before those of {@code mask} may. */
    private static int after(int mask) {
        return union(AFTER, mask);
    }

    private static int union(int[] masks, int bits) {
        int all = 0;
        for (int rest = bits; rest != 0; rest &= rest - 1) {
            all |= masks[Integer.numberOfTrailingZeros(rest)];
        }
        return all;
    }

    private static int beforeStage(int mask) {
        int all = mask & ~Reference.HOST;
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

    private static int afterStage(int mask) {
        int all = mask & ~Reference.HOST;
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
