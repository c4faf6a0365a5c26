package io.frameloom.gpu.vulkan.command;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The list objects of one level of a slot, which are handed out again when they have rested for a round: a call on a
 * list of the round before fails with the reason that it was recycled. One thread at a time.
 */
final class ReusedLists {
    private List<VulkanCommandList> current = new ArrayList<>();
    private List<VulkanCommandList> resting = new ArrayList<>();
    private int used;

    /** Returns an object that was not in use since the last reset but one, or null if there is none. */
    @Nullable
    VulkanCommandList next() {
        return used < current.size() ? current.get(used++) : null;
    }

    /** Takes an object that was made because there was none. */
    void add(VulkanCommandList list) {
        current.add(list);
        used++;
    }

    /** Begins another round: those of this one can no longer be used. */
    void reset() {
        for (; used > 0; used--) {
            current.get(used - 1).recycle();
        }
        List<VulkanCommandList> rested = resting;
        resting = current;
        current = rested;
    }
}
