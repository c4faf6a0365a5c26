package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.vulkan.resource.SamplerCache.Live;
import io.frameloom.gpu.vulkan.resource.SamplerCache.VulkanSampler;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The samplers of descriptor sets that end together: none of them is destroyed before {@link #release}, which comes
 * when the sets are gone. One thread at a time.
 */
public final class SamplerUses {
    private final IdentityHashMap<Live, Live> used = new IdentityHashMap<>();
    /** The one that was asked for last, which is among them. */
    private @Nullable Live last;

    /** Returns the VkSampler of a sampler, which stays valid. Allocates nothing for one that is used already. */
    public Live use(VulkanSampler sampler) {
        Live live = sampler.live();
        if (live != last && !used.containsKey(live)) {
            live = live.retainIfUsed() ? live : sampler.cache().retain(sampler);
            if (used.put(live, live) != null) {
                // Another handle of the same sampler had brought it, and one use is released.
                live.release();
            }
        }
        last = live;
        return live;
    }

    public void release() {
        used.forEach((live, same) -> live.release());
        used.clear();
        last = null;
    }
}
