package io.frameloom.gpu.vulkan.command;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The secondary lists that a list executes, as they were when it did: their objects may be other lists' by now. Used for one
 * list after another. One thread at a time.
 */
final class ExecutedLists {
    private static final int FIRST = 4;

    private @Nullable VulkanRecording[] lists = new @Nullable VulkanRecording[FIRST];
    private int[] generations = new int[FIRST];
    private String[] labels = new String[FIRST];
    private int count;

    void add(VulkanRecording list) {
        if (count == lists.length) {
            lists = Arrays.copyOf(lists, 2 * count);
            generations = Arrays.copyOf(generations, 2 * count);
            labels = Arrays.copyOf(labels, 2 * count);
        }
        lists[count] = list;
        generations[count] = list.slotGeneration();
        labels[count] = list.label();
        count++;
    }

    int count() {
        return count;
    }

    VulkanRecording get(int index) {
        VulkanRecording list = lists[index];
        if (list == null) {
            throw new IndexOutOfBoundsException(index);
        }
        return list;
    }

    String label(int index) {
        return labels[index];
    }

    boolean isRecycled(int index) {
        return get(index).slotGeneration() != generations[index];
    }

    void clear() {
        Arrays.fill(lists, 0, count, null);
        count = 0;
    }
}
