package io.frameloom.gpu.check;

import io.frameloom.gpu.Access;
import io.frameloom.gpu.BarrierBatch;
import io.frameloom.gpu.ExternalPoint;
import io.frameloom.gpu.MemoryAccess;
import io.frameloom.gpu.PipelineStage;
import io.frameloom.gpu.Submission;
import io.frameloom.gpu.SubmissionObserver;
import io.frameloom.gpu.SubmissionRecord;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.gpu.TimelinePoint;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Submissions with a barrier or wait for every single dependency, made without any cleverness from a list of passes; any
 * one barrier or wait can be left out.
 */
final class Program {
    /** Queue families; each queue is one of its own. */
    private static final int FAMILIES = 3;

    private static final List<String> GROUPS = List.of("group");
    private static final List<Integer> EARLY = List.of(
            PipelineStage.COPY.bit(),
            PipelineStage.COMPUTE_SHADER.bit(),
            PipelineStage.mask(PipelineStage.COMPUTE_SHADER, PipelineStage.COPY),
            PipelineStage.mask(PipelineStage.VERTEX_SHADER, PipelineStage.COMPUTE_SHADER),
            PipelineStage.COLOR_OUTPUT.bit());

    final List<Batch> batches = new ArrayList<>();

    /**
     * A pass to be made: a queue, uses of cells, whether it begins a submission even if it need not, whether its waits and
     * barriers are in a submission before that, and whether barriers that leave the layout are of all memory.
     */
    record Spec(String name, int queue, boolean apart, boolean ahead, boolean global, List<Touch> touches) {
        /** Returns the same with one use in no group. */
        Spec ungrouped(int touch) {
            List<Touch> changed = new ArrayList<>(touches);
            Touch old = changed.get(touch);
            changed.set(touch, new Touch(old.resource, old.from, old.to, old.access, -1));
            return new Spec(name, queue, apart, ahead, global, changed);
        }
    }

    /** A use of a range of cells of a resource; writes of one group, if it is not negative, need no order. */
    record Touch(Cells resource, int from, int to, Access access, int group) {}

    /** A submission. */
    static final class Batch {
        final int queue;
        /** Stages after which a point of its own is reached, before the one after everything; 0 for none. */
        int earlySignal;

        final List<BatchWait> waits = new ArrayList<>();
        /** Batches whose end the host has waited for before it submits this one. */
        final List<Integer> hostWaits = new ArrayList<>();

        final List<Step> steps = new ArrayList<>();
        /** Whether its end is a point of somebody else's timeline, too. */
        boolean signalsExternal;

        Batch(int queue) {
            this.queue = queue;
        }

        /** Returns the same without waits and commands. */
        Batch empty() {
            Batch copy = new Batch(queue);
            copy.earlySignal = earlySignal;
            copy.hostWaits.addAll(hostWaits);
            copy.signalsExternal = signalsExternal;
            return copy;
        }
    }

    /**
     * A wait for a batch, for the sake of work in some of its stages: for its early point or for everything, and if for that,
     * by its queue's timeline or by somebody else's.
     */
    record BatchWait(int batch, int stages, int workStages, boolean early, boolean external) {
        BatchWait(int batch, int stages, int workStages, boolean early) {
            this(batch, stages, workStages, early, false);
        }

        BatchWait forBatch(int other) {
            return new BatchWait(other, stages, workStages, early, external);
        }
    }

    /** A command: a pass or a barrier of one cell. */
    sealed interface Step {}

    /** A pass, or the rest of it behind a barrier inside of it. */
    record PassStep(Spec spec, boolean continued) implements Step {}

    /** A barrier of a cell, or of all memory for the sake of a cell; with a transfer one of the halves of a hand-over. */
    record BarrierStep(
            Cells resource,
            int cell,
            BarrierBatch.Scope scope,
            TextureLayout from,
            TextureLayout to,
            boolean global,
            BarrierBatch.@Nullable OwnershipTransfer transfer)
            implements Step {
        boolean rewrites() {
            return from != to || transfer != null;
        }

        /** Returns whether this is the first half of a transfer when it is executed by a queue. */
        boolean releases(int queue) {
            return transfer != null && transfer.from() == queue;
        }

        /** Returns whether this is the second half of a transfer when it is executed by a queue. */
        boolean acquires(int queue) {
            return transfer != null && transfer.to() == queue;
        }

        /** Returns the same with another scope. */
        BarrierStep with(BarrierBatch.Scope other) {
            return new BarrierStep(resource, cell, other, from, to, global, transfer);
        }

        /** Returns the same between other families. */
        BarrierStep with(BarrierBatch.OwnershipTransfer other) {
            return new BarrierStep(resource, cell, scope, from, to, global, other);
        }

        /** Returns the same for the cell alone. */
        BarrierStep scoped() {
            return new BarrierStep(resource, cell, scope, from, to, false, transfer);
        }
    }

    private record Done(Spec spec, Cells resource, int batch, int stages, int writes) {
        int queue() {
            return spec.queue;
        }

        boolean isHostWrite() {
            return stages == PipelineStage.HOST.bit() && writes != 0;
        }

        boolean isHostRead() {
            return stages == PipelineStage.HOST.bit() && writes == 0;
        }
    }

    private static final class CellState {
        private List<Done> writes = new ArrayList<>();
        private List<Done> reads = new ArrayList<>();
        private int group = -1;
        private List<Done> writesBefore = List.of();
        private List<Done> readsBefore = List.of();
        /** The queue that used the cell last, -1 for none. */
        private int owner = -1;

        boolean joins(Touch touch) {
            return group >= 0
                    && group == touch.group
                    && touch.access.writes()
                    && writes.get(0).resource.equals(touch.resource);
        }

        List<Done> before(Touch touch, boolean moves) {
            List<Done> before = new ArrayList<>(joins(touch) ? writesBefore : writes);
            if (moves || touch.access.writes()) {
                before.addAll(joins(touch) ? readsBefore : reads);
            }
            return before;
        }

        /** Ends a group, and returns everything since the last write. */
        List<Done> handedOver() {
            group = -1;
            List<Done> all = new ArrayList<>(writes);
            all.addAll(reads);
            return all;
        }

        void write(Done done, Touch touch) {
            boolean samePass = writes.stream().anyMatch(write -> write.spec.equals(done.spec));
            if (!joins(touch)) {
                boolean opens = touch.group >= 0 && !samePass;
                writesBefore = opens ? writes : List.of();
                readsBefore = opens ? reads : List.of();
                group = opens ? touch.group : -1;
                writes = samePass ? writes : new ArrayList<>();
                reads = new ArrayList<>();
            }
            writes.add(done);
        }

        void read(Done done) {
            group = -1;
            reads.add(done);
        }
    }

    static Program of(List<Spec> specs) {
        Program program = new Program();
        Map<Integer, CellState> cells = new LinkedHashMap<>();
        Map<Integer, TextureLayout> layouts = new LinkedHashMap<>();
        for (Spec spec : specs) {
            program.add(spec, cells, layouts);
        }
        return program;
    }

    private void add(Spec spec, Map<Integer, CellState> cells, Map<Integer, TextureLayout> layouts) {
        Map<Integer, BatchWait> waits = new LinkedHashMap<>();
        Set<Integer> hostWaits = new LinkedHashSet<>();
        List<BarrierStep> barriers = new ArrayList<>();
        List<BarrierStep> releases = new ArrayList<>();
        Set<Integer> handedOver = new HashSet<>();
        for (Touch touch : spec.touches) {
            for (int cell = touch.from; cell < touch.to; cell++) {
                int id = touch.resource.id(cell);
                CellState state = cells.computeIfAbsent(id, i -> new CellState());
                TextureLayout layout = layouts.getOrDefault(id, TextureLayout.UNDEFINED);
                boolean moves = touch.resource.isTexture() && layout != touch.access.layout();
                if (touch.resource.exclusive() && state.owner >= 0 && state.owner != spec.queue) {
                    handOver(spec, touch, cell, state, layout, releases, barriers);
                    handedOver.add(id);
                } else if (!handedOver.contains(id)) {
                    List<Done> before = new ArrayList<>(state.before(touch, moves));
                    before.removeIf(Done::isHostWrite);
                    before.stream()
                            .filter(done -> touch.access == Access.HOST_WRITE || done.isHostRead())
                            .forEach(done -> hostWaits.add(done.batch));
                    before.removeIf(done -> touch.access == Access.HOST_WRITE || done.isHostRead());
                    barriers.addAll(dependencies(spec, touch, cell, before, moves, layout, waits));
                }
                state.owner = spec.queue;
                layouts.put(id, touch.resource.isTexture() ? touch.access.layout() : TextureLayout.UNDEFINED);
            }
        }
        release(releases, barriers, waits);
        Batch last = batches.isEmpty() ? null : batches.get(batches.size() - 1);
        if (last == null || last.queue != spec.queue || spec.apart || !waits.isEmpty() || !hostWaits.isEmpty()) {
            last = new Batch(spec.queue);
            batches.add(last);
            last.waits.addAll(waits.values());
            last.hostWaits.addAll(hostWaits);
        }
        last.steps.addAll(barriers);
        if (spec.ahead) {
            last = new Batch(spec.queue);
            batches.add(last);
        }
        last.steps.add(new PassStep(spec, false));
        int batch = batches.size() - 1;
        for (Touch touch : spec.touches) {
            if (touch.access.writes()) {
                note(spec, touch, batch, cells, barriers);
            }
        }
        for (Touch touch : spec.touches) {
            if (!touch.access.writes()) {
                note(spec, touch, batch, cells, barriers);
            }
        }
    }

    /**
     * Makes both halves of a transfer, for all that a pass does to the cell; all that was done to it since the last one was
     * done by its owner.
     */
    private static void handOver(
            Spec spec,
            Touch touch,
            int cell,
            CellState state,
            TextureLayout layout,
            List<BarrierStep> releases,
            List<BarrierStep> acquires) {
        int source = 0;
        int writes = 0;
        for (Done done : state.handedOver()) {
            source |= done.stages;
            writes |= done.writes;
        }
        int stages = 0;
        int accesses = 0;
        for (Touch each : spec.touches) {
            if (each.resource.equals(touch.resource) && each.from <= cell && cell < each.to) {
                stages |= each.access.stages();
                accesses |= each.access.memoryAccess();
            }
        }
        BarrierStep half = new BarrierStep(
                touch.resource,
                cell,
                new BarrierBatch.Scope(source, writes, PipelineStage.NONE, 0),
                layout,
                touch.resource.isTexture() ? touch.access.layout() : layout,
                false,
                new BarrierBatch.OwnershipTransfer(state.owner, spec.queue));
        releases.add(half);
        acquires.add(half.with(new BarrierBatch.Scope(PipelineStage.NONE, 0, stages, accesses)));
    }

    /** Adds a batch of releases for each queue that hands something over, and waits for them. */
    private void release(List<BarrierStep> releases, List<BarrierStep> acquires, Map<Integer, BatchWait> waits) {
        for (int queue = 0; queue < FAMILIES; queue++) {
            Batch batch = new Batch(queue);
            int stages = 0;
            for (BarrierStep half : releases) {
                if (half.releases(queue)) {
                    batch.steps.add(half);
                    for (BarrierStep acquire : acquires) {
                        boolean other = acquire.transfer != null && acquire.cell == half.cell;
                        stages |= other && acquire.resource.equals(half.resource) ? acquire.scope.dstStages() : 0;
                    }
                }
            }
            if (!batch.steps.isEmpty()) {
                int index = batches.size();
                batches.add(batch);
                // Transfers are done when everything is, and not by the stages of an early point.
                waits.put(index, new BatchWait(index, stages, PipelineStage.ALL_COMMANDS.bit(), false));
            }
        }
    }

    private static List<BarrierStep> dependencies(
            Spec spec,
            Touch touch,
            int cell,
            List<Done> before,
            boolean moves,
            TextureLayout layout,
            Map<Integer, BatchWait> waits) {
        List<BarrierStep> barriers = new ArrayList<>();
        int stages = touch.access.stages();
        int source = 0;
        int writes = 0;
        for (Done done : before) {
            if (done.queue() != spec.queue) {
                boolean toHost = touch.access == Access.HOST_READ;
                // No stage of the host waits on a queue: another one does, and a barrier goes on from there.
                int waiting = toHost ? PipelineStage.COPY.bit() : stages;
                if (toHost) {
                    barriers.add(new BarrierStep(
                            touch.resource,
                            cell,
                            new BarrierBatch.Scope(waiting, 0, stages, touch.access.memoryAccess()),
                            layout,
                            layout,
                            false,
                            null));
                }
                waits.merge(
                        done.batch,
                        new BatchWait(done.batch, waiting, done.stages, false),
                        (a, b) -> new BatchWait(a.batch, a.stages | b.stages, a.workStages | b.workStages, false));
                source |= stages;
            } else if (moves) {
                source |= done.stages;
                writes |= done.writes;
            } else {
                barriers.add(new BarrierStep(
                        touch.resource,
                        cell,
                        new BarrierBatch.Scope(done.stages, done.writes, stages, touch.access.memoryAccess()),
                        layout,
                        layout,
                        // A barrier of one resource does not make available what was written through another.
                        spec.global || (done.writes != 0 && !done.resource.equals(touch.resource)),
                        null));
            }
        }
        if (moves) {
            barriers.add(new BarrierStep(
                    touch.resource,
                    cell,
                    new BarrierBatch.Scope(source, writes, stages, touch.access.memoryAccess()),
                    layout,
                    touch.access.layout(),
                    false,
                    null));
        }
        return barriers;
    }

    private static void note(
            Spec spec, Touch touch, int batch, Map<Integer, CellState> cells, List<BarrierStep> barriers) {
        for (int cell = touch.from; cell < touch.to; cell++) {
            CellState state = cells.computeIfAbsent(touch.resource.id(cell), i -> new CellState());
            int stages = touch.access.stages();
            int at = cell;
            boolean moved = barriers.stream()
                    .anyMatch(barrier ->
                            barrier.resource.equals(touch.resource) && barrier.cell == at && barrier.rewrites());
            if (touch.access.writes() || moved) {
                int writes = MemoryAccess.writesOf(touch.access.memoryAccess());
                state.write(new Done(spec, touch.resource, batch, stages, writes), touch);
            }
            if (!touch.access.writes()) {
                state.read(new Done(spec, touch.resource, batch, stages, 0));
            }
        }
    }

    /** Returns the number of barriers and waits. */
    int removable() {
        int count = 0;
        for (Batch batch : batches) {
            count += batch.waits.size();
            count += barriers(batch.steps);
        }
        return count;
    }

    /** A mask of a wait or a barrier. */
    enum Mask {
        WAIT_STAGES,
        SOURCE_STAGES,
        SOURCE_ACCESS,
        DESTINATION_STAGES,
        DESTINATION_ACCESS
    }

    /** A bit of a mask of the n-th barrier or wait. */
    record Part(int n, Mask mask, int bit) {}

    /** Makes the host wait for earlier batches here and there. */
    void addHostWaits(SplittableRandom random) {
        for (int i = 1; i < batches.size(); i++) {
            if (random.nextInt(4) == 0) {
                batches.get(i).hostWaits.add(random.nextInt(i));
            }
        }
    }

    /** Makes some waits for everything of a batch waits for a point of somebody else's timeline. */
    void addExternalPoints(SplittableRandom random) {
        for (Batch batch : batches) {
            batch.waits.replaceAll(wait -> {
                boolean external = !wait.early && random.nextInt(3) == 0;
                batches.get(wait.batch).signalsExternal |= external;
                return new BatchWait(wait.batch, wait.stages, wait.workStages, wait.early, external);
            });
        }
    }

    /** Makes some batches reach a point after some stages, which waits for these stages alone then wait for. */
    void addEarlySignals(SplittableRandom random) {
        for (Batch batch : batches) {
            if (random.nextInt(3) == 0) {
                batch.earlySignal = EARLY.get(random.nextInt(EARLY.size()));
            }
        }
        for (Batch batch : batches) {
            batch.waits.replaceAll(wait -> new BatchWait(
                    wait.batch,
                    wait.stages,
                    wait.workStages,
                    batches.get(wait.batch).earlySignal != 0
                            && (wait.workStages & ~batches.get(wait.batch).earlySignal) == 0));
        }
    }

    /** Returns the value of a batch's timeline point on its queue: the early one, or the one after everything. */
    long value(int index, boolean early) {
        long value = 0;
        for (int i = 0; i <= index; i++) {
            if (batches.get(i).queue == batches.get(index).queue) {
                value += batches.get(i).earlySignal == 0 ? 1 : 2;
            }
        }
        return early ? value - 1 : value;
    }

    /** Returns the value that a submission of a batch names. */
    long submittedValue(int index) {
        return value(index, batches.get(index).earlySignal != 0);
    }

    /** Returns the bits of all masks of barriers and waits; of a wait only if it has several. */
    List<Part> parts() {
        List<Part> parts = new ArrayList<>();
        int n = 0;
        for (Batch batch : batches) {
            for (BatchWait wait : batch.waits) {
                if (Integer.bitCount(wait.stages) > 1) {
                    bits(parts, n, Mask.WAIT_STAGES, wait.stages);
                }
                n++;
            }
            for (Step step : batch.steps) {
                if (step instanceof BarrierStep barrier) {
                    bits(parts, n, Mask.SOURCE_STAGES, barrier.scope.srcStages());
                    bits(parts, n, Mask.SOURCE_ACCESS, barrier.scope.srcAccess());
                    bits(parts, n, Mask.DESTINATION_STAGES, barrier.scope.dstStages());
                    bits(parts, n, Mask.DESTINATION_ACCESS, barrier.scope.dstAccess());
                    n++;
                }
            }
        }
        return parts;
    }

    private static void bits(List<Part> parts, int n, Mask mask, int bits) {
        for (int rest = bits; rest != 0; rest &= rest - 1) {
            parts.add(new Part(n, mask, Integer.lowestOneBit(rest)));
        }
    }

    /** Returns the program without a bit of a mask. */
    Program without(Part part) {
        Program copy = new Program();
        int at = 0;
        for (Batch batch : batches) {
            Batch narrowed = batch.empty();
            for (BatchWait wait : batch.waits) {
                boolean here = at++ == part.n;
                narrowed.waits.add(new BatchWait(
                        wait.batch, wait.stages & ~(here ? part.bit : 0), wait.workStages, wait.early, wait.external));
            }
            for (Step step : batch.steps) {
                boolean here = step instanceof BarrierStep && at++ == part.n;
                narrowed.steps.add(here ? narrowed((BarrierStep) step, part) : step);
            }
            copy.batches.add(narrowed);
        }
        return copy;
    }

    private static BarrierStep narrowed(BarrierStep barrier, Part part) {
        BarrierBatch.Scope scope = barrier.scope;
        return barrier.with(new BarrierBatch.Scope(
                scope.srcStages() & ~(part.mask == Mask.SOURCE_STAGES ? part.bit : 0),
                scope.srcAccess() & ~(part.mask == Mask.SOURCE_ACCESS ? part.bit : 0),
                scope.dstStages() & ~(part.mask == Mask.DESTINATION_STAGES ? part.bit : 0),
                scope.dstAccess() & ~(part.mask == Mask.DESTINATION_ACCESS ? part.bit : 0)));
    }

    /** Returns the number of a wait of a batch, or of the barrier that is its step. */
    int number(int batch, int wait, int step) {
        int n = 0;
        for (int b = 0; b < batch; b++) {
            n += batches.get(b).waits.size() + barriers(batches.get(b).steps);
        }
        return wait >= 0
                ? n + wait
                : n
                        + batches.get(batch).waits.size()
                        + barriers(batches.get(batch).steps.subList(0, step));
    }

    private static int barriers(List<Step> steps) {
        return (int) steps.stream().filter(BarrierStep.class::isInstance).count();
    }

    /** Returns the program without its n-th barrier or wait, a copy if n is negative. */
    Program without(int n) {
        Program copy = new Program();
        int at = 0;
        for (Batch batch : batches) {
            Batch kept = batch.empty();
            for (BatchWait wait : batch.waits) {
                if (at++ != n) {
                    kept.waits.add(wait);
                }
            }
            for (Step step : batch.steps) {
                if (!(step instanceof BarrierStep) || at++ != n) {
                    kept.steps.add(step);
                }
            }
            copy.batches.add(kept);
        }
        return copy;
    }

    /** Returns the programs in which one barrier of all memory is one of the cell that it is for. */
    List<Program> scoped() {
        List<Program> all = new ArrayList<>();
        for (int b = 0; b < batches.size(); b++) {
            List<Step> steps = batches.get(b).steps;
            for (int s = 0; s < steps.size(); s++) {
                if (steps.get(s) instanceof BarrierStep barrier && barrier.global) {
                    Program copy = without(-1);
                    copy.batches.get(b).steps.set(s, barrier.scoped());
                    all.add(copy);
                }
            }
        }
        return all;
    }

    /** Returns the programs without one half of a transfer. */
    List<Program> halved() {
        return transfersChanged((steps, at) -> steps.remove((int) at));
    }

    /** Returns the programs in which one half of a transfer names other families. */
    List<Program> misdirected() {
        List<Program> all = new ArrayList<>();
        for (int from = 0; from < FAMILIES; from++) {
            for (int to = 0; to < FAMILIES; to++) {
                BarrierBatch.OwnershipTransfer other = new BarrierBatch.OwnershipTransfer(from, to);
                all.addAll(transfersChanged((steps, at) -> {
                    BarrierStep half = (BarrierStep) steps.get(at);
                    boolean changes = other.from() != other.to() && !other.equals(half.transfer);
                    return changes ? steps.set(at, half.with(other)) : null;
                }));
            }
        }
        return all;
    }

    /** Returns a program for each half of a transfer that {@code change} changes, which it says by not returning null. */
    private List<Program> transfersChanged(BiFunction<List<Step>, Integer, @Nullable Step> change) {
        List<Program> all = new ArrayList<>();
        for (int b = 0; b < batches.size(); b++) {
            List<Step> steps = batches.get(b).steps;
            for (int s = 0; s < steps.size(); s++) {
                if (steps.get(s) instanceof BarrierStep barrier && barrier.transfer != null) {
                    Program copy = without(-1);
                    if (change.apply(copy.batches.get(b).steps, s) != null) {
                        all.add(copy);
                    }
                }
            }
        }
        return all;
    }

    /** Returns the programs in which one wait for everything of a batch is one for its early point. */
    List<Program> impatient() {
        List<Program> all = new ArrayList<>();
        for (int b = 0; b < batches.size(); b++) {
            for (int w = 0; w < batches.get(b).waits.size(); w++) {
                BatchWait wait = batches.get(b).waits.get(w);
                if (!wait.early && !wait.external && batches.get(wait.batch).earlySignal != 0) {
                    Program copy = without(-1);
                    copy.batches.get(b).waits.set(w, new BatchWait(wait.batch, wait.stages, wait.workStages, true));
                    all.add(copy);
                }
            }
        }
        return all;
    }

    /** Returns the programs in which one use is in no group. */
    List<Program> ungrouped() {
        List<Program> all = new ArrayList<>();
        for (int b = 0; b < batches.size(); b++) {
            List<Step> steps = batches.get(b).steps;
            for (int s = 0; s < steps.size(); s++) {
                if (steps.get(s) instanceof PassStep pass) {
                    for (int t = 0; t < pass.spec.touches.size(); t++) {
                        if (pass.spec.touches.get(t).group >= 0) {
                            Program copy = without(-1);
                            copy.batches.get(b).steps.set(s, new PassStep(pass.spec.ungrouped(t), pass.continued));
                            all.add(copy);
                        }
                    }
                }
            }
        }
        return all;
    }

    List<Hazard> judge() {
        HazardChecker checker = new HazardChecker();
        submit(checker);
        return checker.hazards();
    }

    /** Tells an observer of everything. */
    void submit(SubmissionObserver observer) {
        Fakes.Timeline other = new Fakes.Timeline("other", 0);
        List<Fakes.Queue> queues = List.of(new Fakes.Queue("a", 0), new Fakes.Queue("b", 1), new Fakes.Queue("c", 2));
        for (int b = 0; b < batches.size(); b++) {
            Batch batch = batches.get(b);
            for (int seen : batch.hostWaits) {
                observer.hostWaited(new TimelinePoint(queues.get(batches.get(seen).queue), value(seen, false)));
            }
            List<Submission.Wait> waits = new ArrayList<>();
            List<ExternalPoint> externalWaits = new ArrayList<>();
            for (BatchWait wait : batch.waits) {
                if (wait.external) {
                    externalWaits.add(new ExternalPoint(other, wait.batch + 1, wait.stages));
                    continue;
                }
                waits.add(new Submission.Wait(
                        new TimelinePoint(queues.get(batches.get(wait.batch).queue), value(wait.batch, wait.early)),
                        wait.stages));
            }
            List<SubmissionRecord.Command> commands = new ArrayList<>();
            for (Step step : batch.steps) {
                if (step instanceof PassStep pass) {
                    commands.add(new SubmissionRecord.Pass(
                            pass.spec.name,
                            pass.spec.touches.stream()
                                    .map(touch -> touch.resource.use(
                                            touch.from,
                                            touch.to,
                                            touch.access,
                                            touch.group < 0 ? null : GROUPS.get(touch.group)))
                                    .toList(),
                            pass.continued));
                } else if (step instanceof BarrierStep barrier) {
                    commands.add(new SubmissionRecord.Barrier(
                            barrier.global
                                    ? new BarrierBatch(
                                            List.of(),
                                            List.of(),
                                            List.of(new BarrierBatch.GlobalBarrier(barrier.scope)))
                                    : barrier.resource.barrier(
                                            barrier.cell, barrier.scope, barrier.from, barrier.to, barrier.transfer)));
                }
            }
            observer.submitted(new SubmissionRecord(
                    queues.get(batch.queue),
                    "batch",
                    waits,
                    submittedValue(b),
                    commands,
                    batch.earlySignal == 0 ? PipelineStage.ALL_COMMANDS.bit() : batch.earlySignal,
                    List.of(),
                    List.of(),
                    externalWaits,
                    batch.signalsExternal ? List.of(ExternalPoint.of(other, b + 1)) : List.of()));
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < batches.size(); i++) {
            Batch batch = batches.get(i);
            text.append("\nbatch ").append(i).append(" on queue ").append(batch.queue);
            if (batch.earlySignal != 0) {
                text.append(" signalling after ").append(PipelineStage.describe(batch.earlySignal));
            }
            batch.hostWaits.forEach(
                    seen -> text.append(" after the host has seen ").append(seen));
            for (BatchWait wait : batch.waits) {
                text.append(" waits for ")
                        .append(wait.batch)
                        .append(wait.early ? " early in " : wait.external ? " by the other timeline in " : " in ")
                        .append(PipelineStage.describe(wait.stages));
            }
            batch.steps.forEach(step -> text.append("\n  ").append(step));
        }
        return text.toString();
    }
}
