package io.frameloom.gpu.vulkan.pipeline;

import io.frameloom.gpu.pipeline.ShaderBinding.Kind;
import io.frameloom.gpu.vulkan.driver.CommandScratch;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.resource.VulkanTexture;
import org.jspecify.annotations.Nullable;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkDescriptorBufferInfo;
import org.lwjgl.vulkan.VkDescriptorImageInfo;

/**
 * Writes the {@link BindingValues} of a set into descriptor sets, by the set layout's template. One thread at a time.
 */
final class DescriptorWriter implements AutoCloseable {
    private final DeviceCore core;
    private final CommandScratch scratch = new CommandScratch();

    DescriptorWriter(DeviceCore core) {
        this.core = core;
    }

    /**
     * Writes a set.
     *
     * @param values of all elements of the pipeline
     * @param views by element: the view of a texture
     * @param target VkDescriptorSet
     */
    void write(PipelineInterface pipeline, int set, long[] values, VulkanTexture.@Nullable View[] views, long target) {
        long infos = scratch.unset(pipeline.elements(set) * SetLayout.INFO_BYTES);
        long info = infos;
        for (int slot = pipeline.setStart(set); slot < pipeline.setStart(set + 1); slot++) {
            boolean samplers = pipeline.bindings().get(slot).kind() == Kind.SAMPLER;
            for (int element = pipeline.elementStart(slot); element < pipeline.elementStart(slot + 1); element++) {
                int at = element * BindingValues.WIDTH;
                if (samplers) {
                    image(info, VK13.VK_NULL_HANDLE, values[at], VK13.VK_IMAGE_LAYOUT_UNDEFINED);
                } else if (views[element] != null) {
                    image(info, values[at], values[at + 1], (int) values[at + BindingValues.LAYOUT]);
                } else {
                    VkDescriptorBufferInfo.nbuffer(info, values[at]);
                    VkDescriptorBufferInfo.noffset(info, values[at + 1]);
                    VkDescriptorBufferInfo.nrange(info, values[at + 2]);
                }
                info += SetLayout.INFO_BYTES;
            }
        }
        long template = pipeline.setLayout(set).template();
        VK13.vkUpdateDescriptorSetWithTemplate(core.handle(), target, template, infos);
    }

    private static void image(long info, long view, long sampler, int layout) {
        VkDescriptorImageInfo.nimageView(info, view);
        VkDescriptorImageInfo.nsampler(info, sampler);
        VkDescriptorImageInfo.nimageLayout(info, layout);
    }

    @Override
    public void close() {
        scratch.close();
    }
}
