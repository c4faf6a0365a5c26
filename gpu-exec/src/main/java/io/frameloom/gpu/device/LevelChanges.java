package io.frameloom.gpu.device;

import io.frameloom.gpu.command.LevelBinding;
import io.frameloom.gpu.resource.Texture;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A binding of levels on its way to a queue: checked, and with the memory that it takes. One at a time for a device.
 *
 * <p>Levels change before the driver is called. So what is closed meanwhile finds the memory that it has to free.
 *
 * @param <M> a piece of memory
 */
public final class LevelChanges<M> {
    private final LevelBinding binding;
    private final List<Step<M>> steps = new ArrayList<>();

    /**
     * A level that changes.
     *
     * @param before its memory so far, if it has any
     * @param after its memory from now on, if it has any
     */
    public record Step<M>(
            LevelBinding.Change change,
            ResidentLevels<M> levels,
            @Nullable M before,
            @Nullable M after) {}

    private LevelChanges(LevelBinding binding) {
        this.binding = binding;
    }

    /**
     * Checks a binding, and allocates what it takes.
     *
     * @param of returns the levels of a texture, or null for one that is not sparse or of another device
     * @throws IllegalArgumentException naming binding, texture and level that do not fit
     */
    public static <M> LevelChanges<M> take(
            LevelBinding binding, Function<? super Texture, ? extends @Nullable ResidentLevels<M>> of) {
        LevelChanges<M> changes = new LevelChanges<>(binding);
        try {
            for (LevelBinding.Change change : binding.changes()) {
                changes.steps.add(changes.step(change, of.apply(change.texture())));
            }
            return changes;
        } catch (RuntimeException | Error e) {
            changes.giveBack();
            throw e;
        }
    }

    private Step<M> step(LevelBinding.Change change, @Nullable ResidentLevels<M> levels) {
        String what = "binding '" + binding.label() + "' names level " + change.level() + " of texture '"
                + change.texture().name() + "', ";
        if (levels == null) {
            throw new IllegalArgumentException(what
                    + (change.texture().sparse() == null
                            ? "which is not sparse; make it by createSparseTexture"
                            : "which is of another device"));
        }
        int last = levels.levels().tail();
        if (change.level() < 0 || change.level() > last) {
            throw new IllegalArgumentException(
                    what + "whose levels get memory as 0 to " + last + ", where " + last + " has all coarser ones");
        }
        for (Step<M> other : steps) {
            if (other.levels == levels && other.change.level() == change.level()) {
                throw new IllegalArgumentException(what + "twice; name each level once");
            }
        }
        // First of all: its levels may be gone.
        requireOpen(change.texture());
        M before = levels.get(change.level());
        if (change.isResident() == (before != null)) {
            throw new IllegalArgumentException(
                    what + (before == null ? "which has no memory to lose" : "which has memory already"));
        }
        return new Step<>(
                change, levels, before, before == null ? levels.pages().allocate(change.level()) : null);
    }

    private void requireOpen(Texture texture) {
        if (texture.isClosed()) {
            throw new IllegalStateException(
                    "texture '" + texture.name() + "' is bound by '" + binding.label() + "' after it was closed");
        }
    }

    public List<Step<M>> steps() {
        return steps;
    }

    /**
     * Lets the levels have what the binding gives them, once its value is claimed: what is closed from then on is kept
     * until that is reached.
     *
     * @throws IllegalStateException if a texture is closed
     */
    public void commit() {
        steps.forEach(step -> requireOpen(step.change.texture()));
        steps.forEach(step -> step.levels.set(step.change.level(), step.after));
    }

    /** Undoes {@link #commit}: the driver has refused the binding. */
    public void undo() {
        steps.forEach(step -> step.levels.set(step.change.level(), step.before));
    }

    /** Takes back what was allocated for a binding that was refused. */
    public void giveBack() {
        steps.forEach(step -> free(step.levels, step.after));
    }

    /** Takes back what levels have lost, when the device no longer uses it. */
    public void release() {
        steps.forEach(step -> free(step.levels, step.before));
    }

    private void free(ResidentLevels<M> levels, @Nullable M memory) {
        if (memory != null) {
            levels.pages().free(memory);
        }
    }
}
