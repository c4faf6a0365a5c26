package io.frameloom.gpu.command;

import io.frameloom.gpu.resource.SparseLevels;
import io.frameloom.gpu.resource.Texture;
import java.util.List;
import java.util.Objects;

/**
 * Levels of sparse textures that get memory and lose it, for {@link GpuQueue#bind}.
 *
 * @param label name for messages and traces
 * @param changes changes, each level once
 * @param waits points to wait for, at any stages of the queue: all of the binding waits
 */
public record LevelBinding(String label, List<Change> changes, List<Submission.Wait> waits) {
    /** Copies the lists. */
    public LevelBinding {
        Objects.requireNonNull(label, "label must not be null");
        changes = List.copyOf(changes);
        waits = List.copyOf(waits);
    }

    /**
     * A level that changes.
     *
     * @param texture a sparse texture
     * @param level at most {@link SparseLevels#tail}, which stands for all from there on
     * @param isResident whether it has memory from now on
     */
    public record Change(Texture texture, int level, boolean isResident) {
        /** Checks that there is a texture. */
        public Change {
            Objects.requireNonNull(texture, "texture must not be null");
        }
    }
}
