package io.frameloom.gpu.vulkan.resource;

import io.frameloom.gpu.error.GpuException;
import io.frameloom.gpu.record.OwnedSampler;
import io.frameloom.gpu.record.ResourceLimits;
import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.SamplerDescription.Address;
import io.frameloom.gpu.resource.SamplerDescription.Border;
import io.frameloom.gpu.resource.SamplerDescription.Compare;
import io.frameloom.gpu.resource.SamplerDescription.Reduction;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.VulkanMasks;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkPhysicalDeviceProperties;
import org.lwjgl.vulkan.VkSamplerCreateInfo;
import org.lwjgl.vulkan.VkSamplerReductionModeCreateInfo;

/**
 * The samplers of a device, one for each description. A device has room for few thousand of them. So when there are
 * many, those that no descriptor set names are destroyed, the least recently requested first; binding one of these
 * again makes it again. Any thread.
 */
public final class SamplerCache implements AutoCloseable {
    private static final int MOST_UNUSED = 1024;

    private final DeviceCore core;
    private final Limits limits;
    /** In the order of use, the longest unused first. With the lock, as all calls that make or destroy samplers. */
    private final Map<SamplerDescription, Live> samplers = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * How many samplers there may be.
     *
     * @param kept from how many on unused ones are destroyed
     * @param most how many the device has room for
     */
    public record Limits(int kept, int most) {}

    public SamplerCache(DeviceCore core) {
        this(core, limits(core));
    }

    public SamplerCache(DeviceCore core, Limits limits) {
        this.core = core;
        this.limits = limits;
    }

    private static Limits limits(DeviceCore core) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkPhysicalDeviceProperties properties = VkPhysicalDeviceProperties.calloc(stack);
            VK13.vkGetPhysicalDeviceProperties(core.adapter().handle(), properties);
            int most = properties.limits().maxSamplerAllocationCount();
            most = most < 0 ? Integer.MAX_VALUE : most;
            // An engine that lends its device has samplers of its own.
            return new Limits(Math.min(MOST_UNUSED, most / 2), most);
        }
    }

    /** The application's object: it stays usable when its VkSampler has been destroyed meanwhile. */
    public static final class VulkanSampler implements OwnedSampler {
        private final SamplerCache cache;
        private final SamplerDescription description;
        /** Its last VkSampler; destroyed perhaps, unless it is retained. */
        private volatile Live live;

        private VulkanSampler(SamplerCache cache, SamplerDescription description, Live live) {
            this.cache = cache;
            this.description = description;
            this.live = live;
        }

        public SamplerCache cache() {
            return cache;
        }

        public Live live() {
            return live;
        }

        @Override
        public DeviceCore device() {
            return cache.core;
        }

        @Override
        public SamplerDescription description() {
            return description;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof VulkanSampler sampler
                    && cache == sampler.cache
                    && description.equals(sampler.description);
        }

        @Override
        public int hashCode() {
            return description.hashCode();
        }

        @Override
        public String toString() {
            return description.toString();
        }
    }

    /** A VkSampler that has not been destroyed, as long as it is in the map or retained. */
    public static final class Live {
        private final VulkanSampler sampler;
        private final long handle;
        /** With the lock. */
        private int uses;
        /** Whether one of the uses is the application's, which does not end. With the lock. */
        private boolean handedOut;

        private Live(SamplerCache cache, SamplerDescription description, long handle) {
            this.sampler = new VulkanSampler(cache, description, this);
            this.handle = handle;
        }

        public long handle() {
            return handle;
        }

        /** Begins another use of a VkSampler that the caller knows to be in use. */
        public void retain() {
            synchronized (sampler.cache) {
                uses++;
            }
        }

        /** Begins another use if there is one, as there is while a descriptor set names it; returns whether it did. */
        public boolean retainIfUsed() {
            synchronized (sampler.cache) {
                uses += uses > 0 ? 1 : 0;
                return uses > 0;
            }
        }

        /** Ends a use that this or {@link SamplerCache#retain} has begun. */
        public void release() {
            synchronized (sampler.cache) {
                uses--;
            }
        }
    }

    public synchronized VulkanSampler get(SamplerDescription description) {
        return live(description).sampler;
    }

    /** Returns the VkSampler of a sampler, which is not destroyed until it is released. */
    public synchronized Live retain(VulkanSampler sampler) {
        Live live = live(sampler.description);
        live.uses++;
        sampler.live = live;
        return live;
    }

    /** Returns a VkSampler for the application, which keeps it as long as the device. */
    public synchronized long handOut(VulkanSampler sampler) {
        Live live = live(sampler.description);
        if (!live.handedOut) {
            live.handedOut = true;
            live.uses++;
        }
        sampler.live = live;
        return live.handle;
    }

    private Live live(SamplerDescription description) {
        Live live = samplers.get(description);
        if (live == null) {
            if (samplers.size() >= limits.kept) {
                destroyUnused(samplers.size() - limits.kept + 1);
            }
            if (samplers.size() >= limits.most) {
                throw new GpuException(
                        "sampler " + description + ": device '"
                                + core.capabilities().name() + "' has room for " + limits.most
                                + " samplers, and binding sets, frames and VulkanHandles.sampler use them all; close or reset some of these");
            }
            live = new Live(this, description, create(description));
            samplers.put(description, live);
        }
        return live;
    }

    private void destroyUnused(int count) {
        int left = count;
        Iterator<Live> oldest = samplers.values().iterator();
        while (left > 0 && oldest.hasNext()) {
            Live live = oldest.next();
            if (live.uses == 0) {
                VK13.vkDestroySampler(core.handle(), live.handle, null);
                oldest.remove();
                left--;
            }
        }
    }

    public synchronized int size() {
        return samplers.size();
    }

    private long create(SamplerDescription description) {
        ResourceLimits.check(description, core.capabilities());
        int anisotropy = Math.min(description.anisotropy(), core.capabilities().maxAnisotropy());
        Compare compare = description.compare();
        String words = description.toString();
        return core.create(VK13.VK_OBJECT_TYPE_SAMPLER, words, "sampler " + words, (stack, out) -> {
            VkSamplerCreateInfo info = VkSamplerCreateInfo.calloc(stack)
                    .sType$Default()
                    .magFilter(VulkanMasks.filter(description.magnification()))
                    .minFilter(VulkanMasks.filter(description.minification()))
                    .mipmapMode(
                            description.mips() == Filter.LINEAR
                                    ? VK13.VK_SAMPLER_MIPMAP_MODE_LINEAR
                                    : VK13.VK_SAMPLER_MIPMAP_MODE_NEAREST)
                    .addressModeU(address(description.addressU()))
                    .addressModeV(address(description.addressV()))
                    .addressModeW(address(description.addressW()))
                    .anisotropyEnable(anisotropy > 1)
                    .maxAnisotropy(anisotropy)
                    .compareEnable(compare != null)
                    .compareOp(compare == null ? VK13.VK_COMPARE_OP_NEVER : compare(compare))
                    .minLod(description.minLod())
                    .maxLod(description.maxLod())
                    .mipLodBias(description.lodBias())
                    .borderColor(border(description.border()));
            if (description.reduction() != Reduction.WEIGHTED_AVERAGE) {
                info.pNext(VkSamplerReductionModeCreateInfo.calloc(stack)
                        .sType$Default()
                        .reductionMode(
                                description.reduction() == Reduction.MIN
                                        ? VK13.VK_SAMPLER_REDUCTION_MODE_MIN
                                        : VK13.VK_SAMPLER_REDUCTION_MODE_MAX));
            }
            return VK13.vkCreateSampler(core.handle(), info, null, out);
        });
    }

    private static int address(Address address) {
        return switch (address) {
            case REPEAT -> VK13.VK_SAMPLER_ADDRESS_MODE_REPEAT;
            case MIRRORED_REPEAT -> VK13.VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT;
            case CLAMP_TO_EDGE -> VK13.VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
            case CLAMP_TO_BORDER -> VK13.VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
        };
    }

    private static int compare(Compare compare) {
        return switch (compare) {
            case NEVER -> VK13.VK_COMPARE_OP_NEVER;
            case LESS -> VK13.VK_COMPARE_OP_LESS;
            case EQUAL -> VK13.VK_COMPARE_OP_EQUAL;
            case LESS_OR_EQUAL -> VK13.VK_COMPARE_OP_LESS_OR_EQUAL;
            case GREATER -> VK13.VK_COMPARE_OP_GREATER;
            case NOT_EQUAL -> VK13.VK_COMPARE_OP_NOT_EQUAL;
            case GREATER_OR_EQUAL -> VK13.VK_COMPARE_OP_GREATER_OR_EQUAL;
            case ALWAYS -> VK13.VK_COMPARE_OP_ALWAYS;
        };
    }

    private static int border(Border border) {
        return switch (border) {
            case TRANSPARENT_BLACK -> VK13.VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK;
            case OPAQUE_BLACK -> VK13.VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK;
            case OPAQUE_WHITE -> VK13.VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE;
            case TRANSPARENT_BLACK_INT -> VK13.VK_BORDER_COLOR_INT_TRANSPARENT_BLACK;
            case OPAQUE_BLACK_INT -> VK13.VK_BORDER_COLOR_INT_OPAQUE_BLACK;
            case OPAQUE_WHITE_INT -> VK13.VK_BORDER_COLOR_INT_OPAQUE_WHITE;
        };
    }

    @Override
    public synchronized void close() {
        samplers.values().forEach(live -> VK13.vkDestroySampler(core.handle(), live.handle, null));
        samplers.clear();
    }
}
