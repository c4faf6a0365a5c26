package io.frameloom.gpu.check;

import io.frameloom.gpu.check.Program.BarrierStep;
import io.frameloom.gpu.check.Program.Batch;
import io.frameloom.gpu.check.Program.BatchWait;
import io.frameloom.gpu.check.Program.PassStep;
import io.frameloom.gpu.check.Program.Spec;
import io.frameloom.gpu.check.Program.Touch;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.TextureLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Gives passes the waits, barriers and transfers that they need, cell by cell. */
final class ProgramBuilder {
    private final List<Batch> batches;
    private final Map<Integer, CellState> cells = new LinkedHashMap<>();
    private final Map<Integer, TextureLayout> layouts = new LinkedHashMap<>();

    private record Done(Spec spec, Cells resource, int batch, int stages, int writes) {
        int queue() {
            return spec.queue();
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
                    && group == touch.group()
                    && touch.access().writes()
                    && writes.get(0).resource.equals(touch.resource());
        }

        List<Done> before(Touch touch, boolean moves, boolean lean) {
            List<Done> before = new ArrayList<>(joins(touch) ? writesBefore : writes);
            if (moves || touch.access().writes()) {
                List<Done> readers = joins(touch) ? readsBefore : reads;
                // What follows the readers of another pass follows what was made available to them.
                boolean handedOn = readers.stream()
                        .anyMatch(reader -> before.stream().noneMatch(write -> write.spec.equals(reader.spec)));
                if (lean
                        && handedOn
                        && touch.access() != Access.HOST_WRITE
                        && (moves || !touch.access().reads())) {
                    before.clear();
                }
                before.addAll(readers);
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
                boolean opens = touch.group() >= 0 && !samePass;
                writesBefore = opens ? writes : List.of();
                readsBefore = opens ? reads : List.of();
                group = opens ? touch.group() : -1;
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

    ProgramBuilder(List<Batch> batches) {
        this.batches = batches;
    }

    /** Adds a pass behind all others, with the waits and barriers that it needs. */
    void add(Spec spec) {
        Map<Integer, BatchWait> waits = new LinkedHashMap<>();
        Set<Integer> hostWaits = new LinkedHashSet<>();
        List<BarrierStep> barriers = new ArrayList<>();
        List<BarrierStep> releases = new ArrayList<>();
        Set<Integer> handedOver = new HashSet<>();
        for (Touch touch : spec.touches()) {
            for (int cell = touch.from(); cell < touch.to(); cell++) {
                int id = touch.resource().id(cell);
                CellState state = cells.computeIfAbsent(id, i -> new CellState());
                TextureLayout layout = layouts.getOrDefault(id, TextureLayout.UNDEFINED);
                boolean moves = touch.resource().isTexture() && layout != touch.layout();
                if (touch.resource().exclusive() && state.owner >= 0 && state.owner != spec.queue()) {
                    handOver(spec, touch, cell, state, layout, releases, barriers);
                    handedOver.add(id);
                } else if (!handedOver.contains(id)) {
                    List<Done> before = new ArrayList<>(state.before(touch, moves, spec.lean()));
                    before.removeIf(Done::isHostWrite);
                    for (Done done : before) {
                        if (touch.access() == Access.HOST_WRITE && done.writes != 0) {
                            hostWaits.add(toHost(spec, touch, cell, done));
                        } else if (touch.access() == Access.HOST_WRITE || done.isHostRead()) {
                            hostWaits.add(done.batch);
                        }
                    }
                    before.removeIf(done -> touch.access() == Access.HOST_WRITE || done.isHostRead());
                    barriers.addAll(dependencies(spec, touch, cell, before, moves, layout, waits));
                }
                state.owner = spec.queue();
                layouts.put(id, touch.resource().isTexture() ? touch.layout() : TextureLayout.UNDEFINED);
            }
        }
        release(releases, barriers, waits);
        Batch last = batches.isEmpty() ? null : batches.get(batches.size() - 1);
        if (last == null || last.queue != spec.queue() || spec.apart() || !waits.isEmpty() || !hostWaits.isEmpty()) {
            last = new Batch(spec.queue());
            batches.add(last);
            last.waits.addAll(waits.values());
            last.hostWaits.addAll(hostWaits);
        }
        last.steps.addAll(barriers);
        if (spec.ahead()) {
            last = new Batch(spec.queue());
            batches.add(last);
        }
        last.steps.add(new PassStep(spec, false));
        if (spec.inner()) {
            last.steps.add(inner(spec));
            last.steps.add(new PassStep(spec, true));
        }
        int batch = batches.size() - 1;
        for (Touch touch : spec.touches()) {
            if (touch.access().writes()) {
                note(spec, touch, batch, cells, barriers);
            }
        }
        for (Touch touch : spec.touches()) {
            if (!touch.access().writes()) {
                note(spec, touch, batch, cells, barriers);
            }
        }
    }

    /** Makes a batch that makes a write available to the host, on the queue of the write; returns it. */
    private int toHost(Spec spec, Touch touch, int cell, Done done) {
        Batch batch = new Batch(done.queue());
        batch.steps.add(new BarrierStep(
                touch.resource(),
                cell,
                new BarrierBatch.Scope(
                        done.stages,
                        done.writes,
                        PipelineStage.HOST.bit(),
                        touch.access().memoryAccess()),
                TextureLayout.UNDEFINED,
                TextureLayout.UNDEFINED,
                spec.global() || !done.resource.equals(touch.resource()),
                null));
        batches.add(batch);
        return batches.size() - 1;
    }

    /** Makes a barrier of all memory between the uses of a pass. */
    private static BarrierStep inner(Spec spec) {
        int stages = 0;
        int accesses = 0;
        for (Touch touch : spec.touches()) {
            stages |= touch.access().stages();
            accesses |= touch.access().memoryAccess();
        }
        Touch first = spec.touches().get(0);
        return new BarrierStep(
                first.resource(),
                first.from(),
                new BarrierBatch.Scope(stages, MemoryAccess.writesOf(accesses), stages, accesses),
                first.layout(),
                first.layout(),
                true,
                null);
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
        for (Touch each : spec.touches()) {
            if (each.resource().equals(touch.resource()) && each.from() <= cell && cell < each.to()) {
                stages |= each.access().stages();
                accesses |= each.access().memoryAccess();
            }
        }
        BarrierStep half = new BarrierStep(
                touch.resource(),
                cell,
                new BarrierBatch.Scope(source, writes, PipelineStage.NONE, 0),
                layout,
                touch.resource().isTexture() ? touch.layout() : layout,
                false,
                new BarrierBatch.OwnershipTransfer(state.owner, spec.queue()));
        releases.add(half);
        acquires.add(half.with(new BarrierBatch.Scope(PipelineStage.NONE, 0, stages, accesses)));
    }

    /** Adds a batch of releases for each queue that hands something over, and waits for them. */
    private void release(List<BarrierStep> releases, List<BarrierStep> acquires, Map<Integer, BatchWait> waits) {
        for (int queue = 0; queue < Program.FAMILIES; queue++) {
            Batch batch = new Batch(queue);
            int stages = 0;
            for (BarrierStep half : releases) {
                if (half.releases(queue)) {
                    batch.steps.add(half);
                    for (BarrierStep acquire : acquires) {
                        boolean other = acquire.transfer() != null && acquire.cell() == half.cell();
                        stages |= other && acquire.resource().equals(half.resource())
                                ? acquire.scope().dstStages()
                                : 0;
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
        int stages = touch.access().stages();
        int accesses = touch.access().memoryAccess();
        accesses &= spec.lean() ? ~MemoryAccess.writesOf(accesses) : -1;
        int source = 0;
        int writes = 0;
        for (Done done : before) {
            if (done.queue() != spec.queue()) {
                boolean toHost = touch.access() == Access.HOST_READ;
                // No stage of the host waits on a queue: another one does, and a barrier goes on from there.
                int waiting = toHost ? PipelineStage.COPY.bit() : stages;
                if (toHost) {
                    barriers.add(new BarrierStep(
                            touch.resource(),
                            cell,
                            new BarrierBatch.Scope(waiting, 0, stages, accesses),
                            layout,
                            layout,
                            false,
                            null));
                }
                waits.merge(
                        done.batch,
                        new BatchWait(done.batch, waiting, done.stages, false),
                        (a, b) -> new BatchWait(
                                a.batch(), a.stages() | b.stages(), a.workStages() | b.workStages(), false));
                source |= stages;
            } else if (moves) {
                source |= done.stages;
                writes |= done.writes;
            } else {
                barriers.add(new BarrierStep(
                        touch.resource(),
                        cell,
                        new BarrierBatch.Scope(done.stages, done.writes, stages, accesses),
                        layout,
                        layout,
                        // A barrier of one resource does not make available what was written through another.
                        spec.global() || (done.writes != 0 && !done.resource.equals(touch.resource())),
                        null));
            }
        }
        if (moves) {
            barriers.add(new BarrierStep(
                    touch.resource(),
                    cell,
                    new BarrierBatch.Scope(source, writes, stages, accesses),
                    layout,
                    touch.layout(),
                    false,
                    null));
        }
        return barriers;
    }

    private static void note(
            Spec spec, Touch touch, int batch, Map<Integer, CellState> cells, List<BarrierStep> barriers) {
        for (int cell = touch.from(); cell < touch.to(); cell++) {
            CellState state = cells.computeIfAbsent(touch.resource().id(cell), i -> new CellState());
            int stages = touch.access().stages();
            int at = cell;
            boolean moved = barriers.stream()
                    .anyMatch(barrier ->
                            barrier.resource().equals(touch.resource()) && barrier.cell() == at && barrier.rewrites());
            if (touch.access().writes() || moved) {
                int writes = MemoryAccess.writesOf(touch.access().memoryAccess());
                state.write(new Done(spec, touch.resource(), batch, stages, writes), touch);
            }
            if (!touch.access().writes()) {
                state.read(new Done(spec, touch.resource(), batch, stages, 0));
            }
        }
    }
}
