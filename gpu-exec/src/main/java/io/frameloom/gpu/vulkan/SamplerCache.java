package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.VulkanResults.check;

import io.frameloom.gpu.Filter;
import io.frameloom.gpu.Sampler;
import io.frameloom.gpu.SamplerDescription;
import io.frameloom.gpu.SamplerDescription.Address;
import io.frameloom.gpu.SamplerDescription.Border;
import io.frameloom.gpu.SamplerDescription.Compare;
import io.frameloom.gpu.SamplerDescription.Reduction;
import java.util.concurrent.ConcurrentHashMap;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkSamplerCreateInfo;
import org.lwjgl.vulkan.VkSamplerReductionModeCreateInfo;

/** The samplers of a device, one for each description. Any thread. */
final class SamplerCache implements AutoCloseable {
    private final DeviceCore core;
    private final ConcurrentHashMap<SamplerDescription, VulkanSampler> samplers = new ConcurrentHashMap<>();

    private final boolean reduces;

    SamplerCache(DeviceCore core) {
        this.core = core;
        reduces = core.features().v12().samplerFilterMinmax();
    }

    /**
     * A sampler.
     *
     * @param owner cache it comes from
     * @param description description
     * @param handle VkSampler
     */
    record VulkanSampler(SamplerCache owner, SamplerDescription description, long handle) implements Sampler {}

    DeviceCore core() {
        return core;
    }

    VulkanSampler get(SamplerDescription description) {
        return samplers.computeIfAbsent(description, this::create);
    }

    private VulkanSampler create(SamplerDescription description) {
        int anisotropy = Math.min(description.anisotropy(), core.capabilities().maxAnisotropy());
        Compare compare = description.compare();
        if (description.reduction() != Reduction.WEIGHTED_AVERAGE && !reduces) {
            throw new IllegalArgumentException("device '" + core.capabilities().name() + "' has no samplers that take"
                    + " the " + description.reduction() + " of texels; take WEIGHTED_AVERAGE");
        }
        try (MemoryStack stack = MemoryStack.stackPush()) {
            var out = stack.mallocLong(1);
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
            check(VK13.vkCreateSampler(core.handle(), info, null, out), "create sampler " + description);
            core.names().name(VK13.VK_OBJECT_TYPE_SAMPLER, out.get(0), description.toString());
            return new VulkanSampler(this, description, out.get(0));
        }
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
    public void close() {
        samplers.values().forEach(sampler -> VK13.vkDestroySampler(core.handle(), sampler.handle(), null));
    }
}
