package io.frameloom.gpu.check;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.ExternalPoint;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.SubmissionObserver;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.command.TimelinePoint;
import io.frameloom.gpu.resource.TextureLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Submissions with a barrier or wait for every single dependency, made without any cleverness from a list of passes; any
 * one barrier or wait can be left out.
 */
final class Program {
    /** Queue families; each queue is one of its own. */
    static final int FAMILIES = 3;

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
     * barriers are in a submission before that, whether barriers that leave the layout are of all memory, whether its
     * writes get order alone where that is enough, and whether it has a barrier inside of it.
     */
    record Spec(
            String name,
            int queue,
            boolean apart,
            boolean ahead,
            boolean global,
            boolean lean,
            boolean inner,
            List<Touch> touches) {
        /** Returns the same with one use in no group. */
        Spec ungrouped(int touch) {
            List<Touch> changed = new ArrayList<>(touches);
            Touch old = changed.get(touch);
            changed.set(touch, new Touch(old.resource, old.from, old.to, old.access, old.layout, -1));
            return with(changed);
        }

        /** Returns the same with other uses. */
        Spec with(List<Touch> others) {
            return new Spec(name, queue, apart, ahead, global, lean, inner, others);
        }
    }

    /** A use of a range of cells of a resource; writes of one group, if it is not negative, need no order. */
    record Touch(Cells resource, int from, int to, Access access, TextureLayout layout, int group) {
        Touch(Cells resource, int from, int to, Access access, int group) {
            this(resource, from, to, access, access.layout(), group);
        }
    }

    /** A submission. */
    static final class Batch {
        final int queue;
        /** Stages after which a point of its own is reached, before the one after everything; 0 for none. */
        int earlySignal;

        final List<BatchWait> waits = new ArrayList<>();
        /** Batches whose end the host has waited for before it submits this one. */
        final List<Integer> hostWaits = new ArrayList<>();
        /** Batches whose early point the host has waited for. */
        final List<Integer> earlyHostWaits = new ArrayList<>();

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
            copy.earlyHostWaits.addAll(earlyHostWaits);
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

    static Program of(List<Spec> specs) {
        Program program = new Program();
        ProgramBuilder builder = new ProgramBuilder(program.batches);
        specs.forEach(builder::add);
        return program;
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

    /** Makes the host wait for earlier batches here and there. */
    void addHostWaits(SplittableRandom random) {
        for (int i = 1; i < batches.size(); i++) {
            if (random.nextInt(4) == 0) {
                batches.get(i).hostWaits.add(random.nextInt(i));
            }
        }
    }

    /** Makes the host wait for early points here and there. */
    void addEarlyHostWaits(SplittableRandom random) {
        for (int i = 1; i < batches.size(); i++) {
            int seen = random.nextInt(i);
            if (batches.get(seen).earlySignal != 0 && random.nextInt(2) == 0) {
                batches.get(i).earlyHostWaits.add(seen);
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

    /** Returns whether the n-th barrier or wait is a barrier inside of a pass. */
    boolean isInner(int n) {
        int at = 0;
        for (Batch batch : batches) {
            at += batch.waits.size();
            for (int s = 0; s < batch.steps.size(); s++) {
                if (batch.steps.get(s) instanceof BarrierStep && at++ == n) {
                    return s + 1 < batch.steps.size()
                            && batch.steps.get(s + 1) instanceof PassStep pass
                            && pass.continued;
                }
            }
        }
        return false;
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
            for (int seen : batch.earlyHostWaits) {
                observer.hostWaited(new TimelinePoint(queues.get(batches.get(seen).queue), value(seen, true)));
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
                                            touch.layout,
                                            touch.group < 0 ? null : GROUPS.get(touch.group)))
                                    .toList(),
                            pass.continued,
                            List.of()));
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
            batch.earlyHostWaits.forEach(
                    seen -> text.append(" after the host has seen early ").append(seen));
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
