package io.frameloom.gpu.device;

import io.frameloom.gpu.resource.SparseLevels;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a sparse texture, by level. Any thread; {@link LevelChanges} alone changes it.
 *
 * @param <M> a piece of memory
 */
public final class ResidentLevels<M> {
    private final SparseLevels levels;
    private final Pages<M> pages;
    private final List<@Nullable M> held;

    /** Where memory comes from. */
    public interface Pages<M> {
        /** Returns memory for a level, or throws that there is none. */
        M allocate(int level);

        /** Takes memory back that the device no longer uses. */
        void free(M memory);
    }

    /** No level has memory. */
    public ResidentLevels(SparseLevels levels, Pages<M> pages) {
        this.levels = levels;
        this.pages = pages;
        this.held = new ArrayList<>(Collections.nCopies(levels.bytes().size(), null));
    }

    public SparseLevels levels() {
        return levels;
    }

    Pages<M> pages() {
        return pages;
    }

    synchronized @Nullable M get(int level) {
        return held.get(level);
    }

    synchronized void set(int level, @Nullable M memory) {
        held.set(level, memory);
    }

    /** Takes all memory back, when the device no longer uses the texture. */
    public synchronized void free() {
        for (M each : held) {
            if (each != null) {
                pages.free(each);
            }
        }
        held.replaceAll(each -> null);
    }
}
