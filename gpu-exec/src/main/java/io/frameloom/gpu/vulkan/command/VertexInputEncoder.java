package io.frameloom.gpu.vulkan.command;

import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexAttribute;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.vulkan.driver.CommandScratch;
import java.util.List;
import org.lwjgl.vulkan.EXTVertexInputDynamicState;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkVertexInputAttributeDescription2EXT;
import org.lwjgl.vulkan.VkVertexInputBindingDescription2EXT;

/** Writes where vertex attributes lie. Allocates nothing. */
final class VertexInputEncoder {
    private VertexInputEncoder() {}

    static void set(VkCommandBuffer commands, CommandScratch scratch, List<VertexBuffer> buffers) {
        int count = 0;
        for (int i = 0; i < buffers.size(); i++) {
            count += buffers.get(i).attributes().size();
        }
        int bindingBytes = buffers.size() * VkVertexInputBindingDescription2EXT.SIZEOF;
        long bindings = scratch.zeroed(bindingBytes + count * VkVertexInputAttributeDescription2EXT.SIZEOF);
        long attributes = bindings + bindingBytes;
        long at = attributes;
        for (int i = 0; i < buffers.size(); i++) {
            VertexBuffer buffer = buffers.get(i);
            binding(bindings + (long) i * VkVertexInputBindingDescription2EXT.SIZEOF, i, buffer);
            for (int k = 0; k < buffer.attributes().size(); k++) {
                attribute(at, i, buffer.attributes().get(k));
                at += VkVertexInputAttributeDescription2EXT.SIZEOF;
            }
        }
        EXTVertexInputDynamicState.nvkCmdSetVertexInputEXT(commands, buffers.size(), bindings, count, attributes);
    }

    private static void binding(long at, int number, VertexBuffer buffer) {
        VkVertexInputBindingDescription2EXT.nsType(
                at, EXTVertexInputDynamicState.VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT);
        VkVertexInputBindingDescription2EXT.nbinding(at, number);
        VkVertexInputBindingDescription2EXT.nstride(at, buffer.stride());
        VkVertexInputBindingDescription2EXT.ninputRate(
                at, buffer.perInstance() ? VK13.VK_VERTEX_INPUT_RATE_INSTANCE : VK13.VK_VERTEX_INPUT_RATE_VERTEX);
        VkVertexInputBindingDescription2EXT.ndivisor(at, 1);
    }

    private static void attribute(long at, int binding, VertexAttribute attribute) {
        VkVertexInputAttributeDescription2EXT.nsType(
                at, EXTVertexInputDynamicState.VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT);
        VkVertexInputAttributeDescription2EXT.nlocation(at, attribute.location());
        VkVertexInputAttributeDescription2EXT.nbinding(at, binding);
        VkVertexInputAttributeDescription2EXT.nformat(at, attribute.format().vulkan());
        VkVertexInputAttributeDescription2EXT.noffset(at, attribute.offset());
    }
}
