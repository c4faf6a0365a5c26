package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.VulkanResults.check;

import io.frameloom.gpu.Sampler;
import io.frameloom.gpu.SamplerDescription;
import java.util.concurrent.ConcurrentHashMap;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkSamplerCreateInfo;

/** The samplers of a device, one for each description. Any thread. */
final class SamplerCache implements AutoCloseable {
    private final DeviceCore core;
    private final ConcurrentHashMap<SamplerDescription, VulkanSampler> samplers = new ConcurrentHashMap<>();

    SamplerCache(DeviceCore core) {
        this.core = core;
    }

    /**
     * A sampler.
     *
     * @param description description
     * @param handle VkSampler
     */
    record VulkanSampler(SamplerDescription description, long handle) implements Sampler {}

    VulkanSampler get(SamplerDescription description) {
        return samplers.computeIfAbsent(description, this::create);
    }

    private VulkanSampler create(SamplerDescription description) {
        int limit = core.capabilities().maxAnisotropy();
        if (description.anisotropy() < 1) {
            throw new IllegalArgumentException("anisotropy must be at least 1, got " + description.anisotropy());
        }
        int anisotropy = Math.min(description.anisotropy(), limit);
        int filter = description.linear() ? VK13.VK_FILTER_LINEAR : VK13.VK_FILTER_NEAREST;
        int address =
                description.repeat() ? VK13.VK_SAMPLER_ADDRESS_MODE_REPEAT : VK13.VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
            check(
                    VK13.vkCreateSampler(
                            core.handle(),
                            VkSamplerCreateInfo.calloc(stack)
                                    .sType$Default()
                                    .magFilter(filter)
                                    .minFilter(filter)
                                    .mipmapMode(
                                            description.linear()
                                                    ? VK13.VK_SAMPLER_MIPMAP_MODE_LINEAR
                                                    : VK13.VK_SAMPLER_MIPMAP_MODE_NEAREST)
                                    .addressModeU(address)
                                    .addressModeV(address)
                                    .addressModeW(address)
                                    .anisotropyEnable(anisotropy > 1)
                                    .maxAnisotropy(anisotropy)
                                    .compareEnable(description.compareLess())
                                    .compareOp(VK13.VK_COMPARE_OP_LESS_OR_EQUAL)
                                    .maxLod(VK13.VK_LOD_CLAMP_NONE),
                            null,
                            out),
                    "create sampler " + description);
            core.names().name(VK13.VK_OBJECT_TYPE_SAMPLER, out.get(0), description.toString());
            return new VulkanSampler(description, out.get(0));
        }
    }

    @Override
    public void close() {
        samplers.values().forEach(sampler -> VK13.vkDestroySampler(core.handle(), sampler.handle(), null));
    }
}
