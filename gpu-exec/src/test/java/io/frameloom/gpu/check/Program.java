package io.frameloom.gpu.check;

import io.frameloom.gpu.Access;
import io.frameloom.gpu.BarrierBatch;
import io.frameloom.gpu.PipelineStage;
import io.frameloom.gpu.Submission;
import io.frameloom.gpu.SubmissionRecord;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.gpu.TimelinePoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Submissions with a barrier or wait for every single dependency, made without any cleverness from a list of passes; any
 * one barrier or wait can be left out.
 */
final class Program {
    final List<Batch> batches = new ArrayList<>();

    /** A pass to be made: a queue, uses of cells, and whether it begins a submission even if it need not. */
    record Spec(String name, int queue, boolean apart, List<Touch> touches) {}

    /** A use of a range of cells of a resource. */
    record Touch(Cells resource, int from, int to, Access access) {}

    /** A submission. */
    static final class Batch {
        final int queue;
        final long value;
        final List<BatchWait> waits = new ArrayList<>();
        final List<Step> steps = new ArrayList<>();

        Batch(int queue, long value) {
            this.queue = queue;
            this.value = value;
        }
    }

    /** A wait for a batch. */
    record BatchWait(int batch, int stages) {}

    /** A command: a pass or a barrier of one cell. */
    sealed interface Step {}

    /** A pass. */
    record PassStep(Spec spec) implements Step {}

    /** A barrier. */
    record BarrierStep(Cells resource, int cell, BarrierBatch.Scope scope, TextureLayout from, TextureLayout to)
            implements Step {
        boolean transition() {
            return from != to;
        }
    }

    private record Done(int batch, int queue, int stages, int writes) {}

    private static final class CellState {
        private List<Done> writes = new ArrayList<>();
        private List<Done> reads = new ArrayList<>();
    }

    static Program of(List<Spec> specs) {
        Program program = new Program();
        Map<Integer, CellState> cells = new LinkedHashMap<>();
        Map<Integer, TextureLayout> layouts = new LinkedHashMap<>();
        long[] values = new long[3];
        for (Spec spec : specs) {
            program.add(spec, cells, layouts, values);
        }
        return program;
    }

    private void add(Spec spec, Map<Integer, CellState> cells, Map<Integer, TextureLayout> layouts, long[] values) {
        Map<Integer, Integer> waits = new LinkedHashMap<>();
        List<Step> barriers = new ArrayList<>();
        for (Touch touch : spec.touches) {
            for (int cell = touch.from; cell < touch.to; cell++) {
                int id = touch.resource.id(cell);
                CellState state = cells.computeIfAbsent(id, i -> new CellState());
                TextureLayout layout = layouts.getOrDefault(id, TextureLayout.UNDEFINED);
                boolean moves = touch.resource.isTexture() && layout != touch.access.layout();
                List<Done> before = new ArrayList<>(state.writes);
                if (moves || touch.access.writes()) {
                    before.addAll(state.reads);
                }
                barriers.addAll(dependencies(spec, touch, cell, before, moves, layout, waits));
                layouts.put(id, touch.access.layout());
            }
        }
        Batch last = batches.isEmpty() ? null : batches.get(batches.size() - 1);
        if (last == null || last.queue != spec.queue || spec.apart || !waits.isEmpty()) {
            last = new Batch(spec.queue, ++values[spec.queue]);
            batches.add(last);
            for (Map.Entry<Integer, Integer> wait : waits.entrySet()) {
                last.waits.add(new BatchWait(wait.getKey(), wait.getValue()));
            }
        }
        last.steps.addAll(barriers);
        last.steps.add(new PassStep(spec));
        int batch = batches.size() - 1;
        for (Touch touch : spec.touches) {
            note(spec, touch, batch, cells, barriers);
        }
    }

    private static List<Step> dependencies(
            Spec spec,
            Touch touch,
            int cell,
            List<Done> before,
            boolean moves,
            TextureLayout layout,
            Map<Integer, Integer> waits) {
        List<Step> barriers = new ArrayList<>();
        int stages = touch.access.stages();
        int source = 0;
        int writes = 0;
        for (Done done : before) {
            if (done.queue != spec.queue) {
                waits.merge(done.batch, stages, (a, b) -> a | b);
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
                        layout));
            }
        }
        if (moves) {
            barriers.add(new BarrierStep(
                    touch.resource,
                    cell,
                    new BarrierBatch.Scope(source, writes, stages, touch.access.memoryAccess()),
                    layout,
                    touch.access.layout()));
        }
        return barriers;
    }

    private static void note(Spec spec, Touch touch, int batch, Map<Integer, CellState> cells, List<Step> barriers) {
        for (int cell = touch.from; cell < touch.to; cell++) {
            CellState state = cells.computeIfAbsent(touch.resource.id(cell), i -> new CellState());
            int stages = touch.access.stages();
            int at = cell;
            boolean moved = barriers.stream()
                    .anyMatch(step -> step instanceof BarrierStep barrier
                            && barrier.resource.equals(touch.resource)
                            && barrier.cell == at
                            && barrier.transition());
            if (touch.access.writes() || moved) {
                int writes = io.frameloom.gpu.MemoryAccess.writesOf(touch.access.memoryAccess());
                state.writes = new ArrayList<>(List.of(new Done(batch, spec.queue, stages, writes)));
                state.reads = new ArrayList<>();
            }
            if (!touch.access.writes()) {
                state.reads.add(new Done(batch, spec.queue, stages, 0));
            }
        }
    }

    /** Returns the number of barriers and waits. */
    int removable() {
        int count = 0;
        for (Batch batch : batches) {
            count += batch.waits.size();
            count += (int)
                    batch.steps.stream().filter(BarrierStep.class::isInstance).count();
        }
        return count;
    }

    /** Returns the program without its n-th barrier or wait. */
    Program without(int n) {
        Program copy = new Program();
        int at = 0;
        for (Batch batch : batches) {
            Batch kept = new Batch(batch.queue, batch.value);
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

    List<Hazard> judge() {
        HazardChecker checker = new HazardChecker();
        List<Fakes.Queue> queues = List.of(new Fakes.Queue("a", 0), new Fakes.Queue("b", 1), new Fakes.Queue("c", 2));
        for (Batch batch : batches) {
            List<Submission.Wait> waits = new ArrayList<>();
            for (BatchWait wait : batch.waits) {
                Batch other = batches.get(wait.batch);
                waits.add(new Submission.Wait(new TimelinePoint(queues.get(other.queue), other.value), wait.stages));
            }
            List<SubmissionRecord.Command> commands = new ArrayList<>();
            for (Step step : batch.steps) {
                if (step instanceof PassStep pass) {
                    commands.add(new SubmissionRecord.Pass(
                            pass.spec.name,
                            pass.spec.touches.stream()
                                    .map(touch -> touch.resource.use(touch.from, touch.to, touch.access))
                                    .toList()));
                } else if (step instanceof BarrierStep barrier) {
                    commands.add(new SubmissionRecord.Barrier(
                            barrier.resource.barrier(barrier.cell, barrier.scope, barrier.from, barrier.to)));
                }
            }
            checker.submitted(new SubmissionRecord(queues.get(batch.queue), "batch", waits, batch.value, commands));
        }
        return checker.hazards();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < batches.size(); i++) {
            Batch batch = batches.get(i);
            text.append("\nbatch ").append(i).append(" on queue ").append(batch.queue);
            for (BatchWait wait : batch.waits) {
                text.append(" waits for ")
                        .append(wait.batch)
                        .append(" in ")
                        .append(PipelineStage.describe(wait.stages));
            }
            batch.steps.forEach(step -> text.append("\n  ").append(step));
        }
        return text.toString();
    }
}
