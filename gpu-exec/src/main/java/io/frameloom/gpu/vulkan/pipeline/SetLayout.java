package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.record.BindingSlot;
import java.util.List;
import org.lwjgl.vulkan.VkDescriptorBufferInfo;
import org.lwjgl.vulkan.VkDescriptorImageInfo;

/**
 * A descriptor set layout; equal definitions in use at the same time share one. It goes with the last of the pipelines
 * and persistent sets that have it. Compare layouts, not handles: a driver reuses the handles of destroyed objects. Any
 * thread.
 */
public final class SetLayout {
    /** What the template takes for an element: a VkDescriptorImageInfo, a VkDescriptorBufferInfo or a handle. */
    static final int INFO_BYTES = Math.max(VkDescriptorImageInfo.SIZEOF, VkDescriptorBufferInfo.SIZEOF);

    private final SetLayoutCache cache;
    private final List<BindingSlot> slots;
    private final long handle;
    private final long template;
    private final boolean pushed;
    /** With the lock of the cache. */
    private int uses;

    SetLayout(SetLayoutCache cache, List<BindingSlot> slots, boolean pushed, long handle, long template) {
        this.cache = cache;
        this.slots = slots;
        this.pushed = pushed;
        this.handle = handle;
        this.template = template;
    }

    List<BindingSlot> slots() {
        return slots;
    }

    /** Returns whether the bindings are written into command lists. */
    boolean pushed() {
        return pushed;
    }

    public long handle() {
        return handle;
    }

    /**
     * Returns the VkDescriptorUpdateTemplate that writes all elements of a set, {@link #INFO_BYTES} each; null without
     * any, and for sets that are pushed, whose template is of a pipeline layout.
     */
    long template() {
        return template;
    }

    /** Counts one more use of a layout that the caller knows to be in use. */
    void retain() {
        synchronized (cache) {
            uses++;
        }
    }

    /** Ends a use; the last one destroys the layout. */
    void release() {
        synchronized (cache) {
            uses--;
            if (uses == 0) {
                cache.destroy(this);
            }
        }
    }
}
