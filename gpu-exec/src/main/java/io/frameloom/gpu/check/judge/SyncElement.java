package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.check.UnneededSync;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.Submission;
import io.frameloom.gpu.command.SubmissionRecord;
import io.frameloom.gpu.resource.Resource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A wait or barrier of a submission, or one bit of its masks.
 *
 * @param command index of the command that has the barrier, -1 for a wait
 * @param index index of the wait, or of the barrier among those of its target in its command
 * @param bit the bit of the mask, 0 for the whole
 */
public record SyncElement(UnneededSync.Kind kind, int command, Target target, int index, int bit) {
    /** What a barrier is of. */
    enum Target {
        NONE,
        TEXTURE,
        BUFFER,
        ALL_MEMORY
    }

    /**
     * Gives the waits and barriers of a submission, whole; those inside of passes are left out, since the need for them
     * is unknown.
     */
    static void whole(SubmissionRecord record, Consumer<SyncElement> elements) {
        for (int i = 0; i < record.waits().size(); i++) {
            elements.accept(new SyncElement(UnneededSync.Kind.WAIT, -1, Target.NONE, i, 0));
        }
        for (int at = 0; at < record.commands().size(); at++) {
            BarrierBatch batch = batchOf(record.commands().get(at));
            if (batch != null && !isInsidePass(record, at)) {
                barriers(at, Target.TEXTURE, batch.textures().size(), elements);
                barriers(at, Target.BUFFER, batch.buffers().size(), elements);
                barriers(at, Target.ALL_MEMORY, batch.globals().size(), elements);
            }
        }
    }

    /** Returns the barriers of a command; those of a split barrier are at its second half, and null otherwise. */
    static @Nullable BarrierBatch batchOf(SubmissionRecord.Command command) {
        return command instanceof SubmissionRecord.Barrier barrier
                ? barrier.batch()
                : command instanceof SubmissionRecord.WaitEvent half ? half.batch() : null;
    }

    private static boolean isInsidePass(SubmissionRecord record, int barrier) {
        return barrier + 1 < record.commands().size()
                && record.commands().get(barrier + 1) instanceof SubmissionRecord.Pass pass
                && pass.continued();
    }

    private static void barriers(int at, Target target, int count, Consumer<SyncElement> elements) {
        for (int i = 0; i < count; i++) {
            elements.accept(new SyncElement(UnneededSync.Kind.BARRIER, at, target, i, 0));
        }
    }

    /**
     * Returns whether this may be for earlier work of the owner of an imported resource, which is unknown: whether such
     * a resource that it may concern is used after it and by no pass before it.
     */
    boolean mayServeOwners(SubmissionRecord record) {
        Resource own = resource(record);
        Set<Resource> usedBefore = new HashSet<>();
        for (int i = 0; i < record.commands().size(); i++) {
            if (record.commands().get(i) instanceof SubmissionRecord.Pass pass) {
                for (ResourceUse use : pass.uses()) {
                    Resource used = use.resource();
                    if (i < command) {
                        usedBefore.add(used);
                    } else if (used.imported() != null && (own == null || own == used) && !usedBefore.contains(used)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** Gives the bits of the masks of a whole wait or barrier. */
    void parts(SubmissionRecord record, Consumer<SyncElement> elements) {
        if (kind == UnneededSync.Kind.WAIT) {
            int stages = record.waits().get(index).stages();
            // A wait that holds back one stage is that stage.
            if (Integer.bitCount(stages) > 1) {
                bits(UnneededSync.Kind.WAIT_STAGE, stages, elements);
            }
            return;
        }
        BarrierBatch.Scope scope = scope(record);
        bits(UnneededSync.Kind.SOURCE_STAGE, scope.srcStages(), elements);
        bits(UnneededSync.Kind.SOURCE_ACCESS, scope.srcAccess(), elements);
        bits(UnneededSync.Kind.DESTINATION_STAGE, scope.dstStages(), elements);
        bits(UnneededSync.Kind.DESTINATION_ACCESS, scope.dstAccess(), elements);
    }

    private void bits(UnneededSync.Kind part, int mask, Consumer<SyncElement> elements) {
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            elements.accept(new SyncElement(part, command, target, index, Integer.lowestOneBit(rest)));
        }
    }

    /** Returns the resource of a barrier, null if it has none. */
    @Nullable
    Resource resource(SubmissionRecord record) {
        return switch (target) {
            case TEXTURE -> batch(record).textures().get(index).texture();
            case BUFFER -> batch(record).buffers().get(index).buffer();
            case NONE, ALL_MEMORY -> null;
        };
    }

    private BarrierBatch batch(SubmissionRecord record) {
        return Objects.requireNonNull(batchOf(record.commands().get(command)));
    }

    private BarrierBatch.Scope scope(SubmissionRecord record) {
        return switch (target) {
            case TEXTURE -> batch(record).textures().get(index).scope();
            case BUFFER -> batch(record).buffers().get(index).scope();
            case NONE, ALL_MEMORY -> batch(record).globals().get(index).scope();
        };
    }

    /** Returns the submission without this; its commands keep their places. */
    SubmissionRecord without(SubmissionRecord record) {
        List<Submission.Wait> waits = record.waits();
        List<SubmissionRecord.Command> commands = record.commands();
        if (target == Target.NONE) {
            waits = edited(waits, wait -> bit == 0 ? null : new Submission.Wait(wait.point(), wait.stages() & ~bit));
        } else {
            commands = new ArrayList<>(commands);
            BarrierBatch rest = without(batch(record));
            commands.set(
                    command,
                    commands.get(command) instanceof SubmissionRecord.WaitEvent half
                            ? new SubmissionRecord.WaitEvent(half.events(), half.index(), rest)
                            : new SubmissionRecord.Barrier(rest));
        }
        return record.with(waits, commands);
    }

    private BarrierBatch without(BarrierBatch batch) {
        return switch (target) {
            case TEXTURE ->
                new BarrierBatch(
                        edited(
                                batch.textures(),
                                barrier -> bit == 0
                                        ? null
                                        : new BarrierBatch.TextureBarrier(
                                                barrier.texture(),
                                                barrier.range(),
                                                narrowed(barrier.scope()),
                                                barrier.oldLayout(),
                                                barrier.newLayout(),
                                                barrier.ownership())),
                        batch.buffers(),
                        batch.globals());
            case BUFFER ->
                new BarrierBatch(
                        batch.textures(),
                        edited(
                                batch.buffers(),
                                barrier -> bit == 0
                                        ? null
                                        : new BarrierBatch.BufferBarrier(
                                                barrier.buffer(),
                                                barrier.offset(),
                                                barrier.bytes(),
                                                narrowed(barrier.scope()),
                                                barrier.ownership())),
                        batch.globals());
            case NONE, ALL_MEMORY ->
                new BarrierBatch(
                        batch.textures(),
                        batch.buffers(),
                        edited(
                                batch.globals(),
                                barrier ->
                                        bit == 0 ? null : new BarrierBatch.GlobalBarrier(narrowed(barrier.scope()))));
        };
    }

    /** Returns a list with one entry changed, or left out if it becomes null. */
    private <T> List<T> edited(List<T> list, UnaryOperator<@Nullable T> change) {
        List<T> copy = new ArrayList<>(list);
        T changed = change.apply(copy.get(index));
        if (changed == null) {
            copy.remove(index);
        } else {
            copy.set(index, changed);
        }
        return copy;
    }

    private BarrierBatch.Scope narrowed(BarrierBatch.Scope scope) {
        return new BarrierBatch.Scope(
                scope.srcStages() & ~(kind == UnneededSync.Kind.SOURCE_STAGE ? bit : 0),
                scope.srcAccess() & ~(kind == UnneededSync.Kind.SOURCE_ACCESS ? bit : 0),
                scope.dstStages() & ~(kind == UnneededSync.Kind.DESTINATION_STAGE ? bit : 0),
                scope.dstAccess() & ~(kind == UnneededSync.Kind.DESTINATION_ACCESS ? bit : 0));
    }

    /** Describes it without timeline values, so that every frame gives the same words. */
    String describe(SubmissionRecord record) {
        String part = bit == 0 ? "" : part() + " of ";
        if (target == Target.NONE) {
            return part + "the wait for queue '"
                    + record.waits().get(index).point().queue().name() + "'";
        }
        BarrierBatch.Scope scope = scope(record);
        return part + "the barrier of " + subject(record) + " from " + PipelineStage.describe(scope.srcStages()) + " / "
                + MemoryAccess.describe(scope.srcAccess()) + " to " + PipelineStage.describe(scope.dstStages()) + " / "
                + MemoryAccess.describe(scope.dstAccess()) + after(record);
    }

    private String subject(SubmissionRecord record) {
        if (target == Target.TEXTURE) {
            BarrierBatch.TextureBarrier barrier = batch(record).textures().get(index);
            String layouts = barrier.oldLayout() == barrier.newLayout()
                    ? ""
                    : ", " + barrier.oldLayout() + " to " + barrier.newLayout() + ",";
            return "'" + barrier.texture().name() + "' " + Box.of(barrier.range()) + layouts;
        }
        if (target == Target.BUFFER) {
            BarrierBatch.BufferBarrier barrier = batch(record).buffers().get(index);
            return "'" + barrier.buffer().name() + "' bytes " + barrier.offset() + " to "
                    + (barrier.offset() + barrier.bytes());
        }
        return "all memory";
    }

    private String part() {
        return switch (kind) {
            case WAIT_STAGE -> "stage " + PipelineStage.describe(bit);
            case SOURCE_STAGE -> "source stage " + PipelineStage.describe(bit);
            case DESTINATION_STAGE -> "destination stage " + PipelineStage.describe(bit);
            case SOURCE_ACCESS -> "source access " + MemoryAccess.describe(bit);
            case DESTINATION_ACCESS -> "destination access " + MemoryAccess.describe(bit);
            case WAIT, BARRIER -> "the whole";
        };
    }

    /** Says where the barrier stands. */
    private String after(SubmissionRecord record) {
        for (int i = command; i < record.commands().size(); i++) {
            if (record.commands().get(i) instanceof SubmissionRecord.Pass pass) {
                return ", before pass '" + pass.name() + "'";
            }
        }
        return ", at the end";
    }
}
