package io.frameloom.gpu.check;

import io.frameloom.gpu.check.Program.BarrierStep;
import io.frameloom.gpu.check.Program.Batch;
import io.frameloom.gpu.check.Program.BatchWait;
import io.frameloom.gpu.check.Program.PassStep;
import io.frameloom.gpu.check.Program.Step;
import io.frameloom.gpu.command.BarrierBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** What a program becomes when a part of its synchronisation is taken away or changed. */
final class ProgramMutants {
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

    private final Program program;

    ProgramMutants(Program program) {
        this.program = program;
    }

    /** Returns the bits of all masks of barriers and waits; of a wait only if it has several. */
    List<Part> parts() {
        List<Part> parts = new ArrayList<>();
        int n = 0;
        for (Batch batch : program.batches) {
            for (BatchWait wait : batch.waits) {
                if (Integer.bitCount(wait.stages()) > 1) {
                    bits(parts, n, Mask.WAIT_STAGES, wait.stages());
                }
                n++;
            }
            for (Step step : batch.steps) {
                if (step instanceof BarrierStep barrier) {
                    bits(parts, n, Mask.SOURCE_STAGES, barrier.scope().srcStages());
                    bits(parts, n, Mask.SOURCE_ACCESS, barrier.scope().srcAccess());
                    bits(parts, n, Mask.DESTINATION_STAGES, barrier.scope().dstStages());
                    bits(parts, n, Mask.DESTINATION_ACCESS, barrier.scope().dstAccess());
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
        for (Batch batch : program.batches) {
            Batch narrowed = batch.empty();
            for (BatchWait wait : batch.waits) {
                boolean here = at++ == part.n();
                narrowed.waits.add(new BatchWait(
                        wait.batch(),
                        wait.stages() & ~(here ? part.bit() : 0),
                        wait.workStages(),
                        wait.early(),
                        wait.external()));
            }
            for (Step step : batch.steps) {
                boolean here = step instanceof BarrierStep && at++ == part.n();
                narrowed.steps.add(here ? narrowed((BarrierStep) step, part) : step);
            }
            copy.batches.add(narrowed);
        }
        return copy;
    }

    private static BarrierStep narrowed(BarrierStep barrier, Part part) {
        BarrierBatch.Scope scope = barrier.scope();
        return barrier.with(new BarrierBatch.Scope(
                scope.srcStages() & ~(part.mask() == Mask.SOURCE_STAGES ? part.bit() : 0),
                scope.srcAccess() & ~(part.mask() == Mask.SOURCE_ACCESS ? part.bit() : 0),
                scope.dstStages() & ~(part.mask() == Mask.DESTINATION_STAGES ? part.bit() : 0),
                scope.dstAccess() & ~(part.mask() == Mask.DESTINATION_ACCESS ? part.bit() : 0)));
    }

    /** Returns the programs in which one barrier of all memory is one of the cell that it is for. */
    List<Program> scoped() {
        List<Program> all = new ArrayList<>();
        for (int b = 0; b < program.batches.size(); b++) {
            List<Step> steps = program.batches.get(b).steps;
            for (int s = 0; s < steps.size(); s++) {
                if (steps.get(s) instanceof BarrierStep barrier && barrier.global()) {
                    Program copy = program.without(-1);
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
        for (int from = 0; from < Program.FAMILIES; from++) {
            for (int to = 0; to < Program.FAMILIES; to++) {
                BarrierBatch.OwnershipTransfer other = new BarrierBatch.OwnershipTransfer(from, to);
                all.addAll(transfersChanged((steps, at) -> {
                    BarrierStep half = (BarrierStep) steps.get(at);
                    boolean changes = other.from() != other.to() && !other.equals(half.transfer());
                    return changes ? steps.set(at, half.with(other)) : null;
                }));
            }
        }
        return all;
    }

    /** Returns a program for each half of a transfer that {@code change} changes, which it says by not returning null. */
    private List<Program> transfersChanged(BiFunction<List<Step>, Integer, @Nullable Step> change) {
        List<Program> all = new ArrayList<>();
        for (int b = 0; b < program.batches.size(); b++) {
            List<Step> steps = program.batches.get(b).steps;
            for (int s = 0; s < steps.size(); s++) {
                if (steps.get(s) instanceof BarrierStep barrier && barrier.transfer() != null) {
                    Program copy = program.without(-1);
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
        for (int b = 0; b < program.batches.size(); b++) {
            for (int w = 0; w < program.batches.get(b).waits.size(); w++) {
                BatchWait wait = program.batches.get(b).waits.get(w);
                if (!wait.early() && !wait.external() && program.batches.get(wait.batch()).earlySignal != 0) {
                    Program copy = program.without(-1);
                    copy.batches
                            .get(b)
                            .waits
                            .set(w, new BatchWait(wait.batch(), wait.stages(), wait.workStages(), true));
                    all.add(copy);
                }
            }
        }
        return all;
    }

    /** Returns the programs in which one use is in no group. */
    List<Program> ungrouped() {
        List<Program> all = new ArrayList<>();
        for (int b = 0; b < program.batches.size(); b++) {
            List<Step> steps = program.batches.get(b).steps;
            for (int s = 0; s < steps.size(); s++) {
                if (steps.get(s) instanceof PassStep pass && !pass.continued()) {
                    for (int t = 0; t < pass.spec().touches().size(); t++) {
                        if (pass.spec().touches().get(t).group() >= 0) {
                            Program copy = program.without(-1);
                            Program.Spec ungrouped = pass.spec().ungrouped(t);
                            copy.batches
                                    .get(b)
                                    .steps
                                    .replaceAll(step -> step instanceof PassStep part
                                                    && part.spec().equals(pass.spec())
                                            ? new PassStep(ungrouped, part.continued())
                                            : step);
                            all.add(copy);
                        }
                    }
                }
            }
        }
        return all;
    }
}
