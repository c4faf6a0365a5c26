package io.frameloom.gpu.vulkan;

import io.frameloom.gpu.ComputePipelineDescription;
import io.frameloom.gpu.DeviceLimits;
import io.frameloom.gpu.Format;
import io.frameloom.gpu.GraphicsPipelineDescription;
import io.frameloom.gpu.GraphicsPipelineDescription.DepthState;
import io.frameloom.gpu.GraphicsPipelineDescription.VertexAttribute;
import io.frameloom.gpu.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.RasterState.PolygonMode;
import io.frameloom.gpu.ShaderBinding;
import io.frameloom.gpu.shader.PipelineShaders;
import io.frameloom.gpu.shader.WorkgroupAxis;
import java.util.List;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkFormatProperties;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures;
import org.lwjgl.vulkan.VkPhysicalDeviceLimits;
import org.lwjgl.vulkan.VkPhysicalDeviceProperties;

/**
 * What a device allows a pipeline; what exceeds it is refused by name before the driver is called. Immutable.
 *
 * @param device is asked for what its formats can do
 * @param maxGroupSize largest workgroup in x, y and z
 * @param maxInvocations most invocations of a workgroup
 * @param maxColorTargets most colour attachments
 * @param colorSamples numbers of samples of colour attachments, as bits
 * @param depthSamples numbers of samples of depth and stencil attachments, as bits
 * @param maxAttributes most vertex attributes, and one more than the largest location
 * @param maxStride largest stride of vertices
 * @param maxAttributeOffset largest offset of a vertex attribute
 * @param maxVertexBindings most vertex buffers
 * @param maxSets most descriptor sets, and one more than the largest number of one
 * @param independentBlend whether colour attachments may be blended differently
 * @param lines whether polygons may be drawn as lines and points
 * @param depthClamp whether depth may be clamped
 * @param depthBiasClamp whether a depth bias may be clamped
 * @param sampleShading whether fragment shaders may run for each sample
 */
record PipelineLimits(
        VkPhysicalDevice device,
        List<Integer> maxGroupSize,
        int maxInvocations,
        int maxColorTargets,
        int colorSamples,
        int depthSamples,
        int maxAttributes,
        int maxStride,
        int maxAttributeOffset,
        int maxVertexBindings,
        int maxSets,
        boolean independentBlend,
        boolean lines,
        boolean depthClamp,
        boolean depthBiasClamp,
        boolean sampleShading) {

    /** As many as a mask of them holds. */
    private static final int MOST_VERTEX_BINDINGS = Long.SIZE - 1;

    /** Asks what the device allows, as far as the features that are on open it. */
    static PipelineLimits of(DeviceCore core) {
        VkPhysicalDevice device = core.adapter().handle();
        VkPhysicalDeviceFeatures features = core.features().all().features();
        DeviceLimits.Drawing drawing = core.capabilities().limits().drawing();
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkPhysicalDeviceProperties properties = VkPhysicalDeviceProperties.calloc(stack);
            VK13.vkGetPhysicalDeviceProperties(device, properties);
            VkPhysicalDeviceLimits limits = properties.limits();
            return new PipelineLimits(
                    device,
                    List.of(
                            limits.maxComputeWorkGroupSize(0),
                            limits.maxComputeWorkGroupSize(1),
                            limits.maxComputeWorkGroupSize(2)),
                    limits.maxComputeWorkGroupInvocations(),
                    limits.maxColorAttachments(),
                    limits.framebufferColorSampleCounts(),
                    limits.framebufferDepthSampleCounts() & limits.framebufferStencilSampleCounts(),
                    limits.maxVertexInputAttributes(),
                    limits.maxVertexInputBindingStride(),
                    limits.maxVertexInputAttributeOffset(),
                    Math.min(drawing.maxVertexBindings(), MOST_VERTEX_BINDINGS),
                    Math.min(drawing.maxBindingSets(), DescriptorBinder.MAX_SETS),
                    features.independentBlend(),
                    features.fillModeNonSolid(),
                    features.depthClamp(),
                    features.depthBiasClamp(),
                    features.sampleRateShading());
        }
    }

    void check(ComputePipelineDescription description, PipelineShaders shaders) {
        PipelineShaders.Stage stage = shaders.stages().get(0);
        long invocations = 1;
        for (int i = 0; i < maxGroupSize.size(); i++) {
            WorkgroupAxis axis = stage.shader().reflection().workgroup().get(i);
            long size = Integer.toUnsignedLong(axis.specialized(stage.constants()));
            invocations *= Math.max(1, size);
            require(
                    size >= 1 && size <= maxGroupSize.get(i),
                    "compute pipeline '" + description.name() + "': the workgroup of shader '"
                            + stage.shader().name() + "' has " + size + " invocations in " + "xyz".charAt(i)
                            + ", the device allows 1 to " + maxGroupSize.get(i));
        }
        require(
                invocations <= maxInvocations,
                "compute pipeline '" + description.name() + "': the workgroup of shader '"
                        + stage.shader().name() + "' has " + invocations + " invocations, the device allows "
                        + maxInvocations);
    }

    void check(GraphicsPipelineDescription description) {
        String where = "graphics pipeline '" + description.name() + "'";
        int targets = description.colorFormats().size();
        require(
                targets <= maxColorTargets,
                where + " has " + targets + " colour attachments, the device allows " + maxColorTargets);
        boolean alike = description.blends().stream().distinct().count() <= 1;
        require(alike || independentBlend, where + " blends its attachments differently, which the device cannot");
        for (int i = 0; i < targets; i++) {
            Format format = description.colorFormats().get(i);
            int features = features(format).optimalTilingFeatures();
            require(
                    (features & VK13.VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT) != 0,
                    where + " has colour attachment " + i + " of format " + format
                            + ", which the device cannot draw to");
            require(
                    !description.blends().get(i).enabled()
                            || (features & VK13.VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT) != 0,
                    where + " blends colour attachment " + i + " of format " + format + ", which the device cannot");
        }
        int samples = description.multisample().samples();
        int allowed = (targets > 0 ? colorSamples : -1)
                & (description.depthFormat() != null || description.stencilFormat() != null ? depthSamples : -1);
        require(
                (samples & allowed) != 0,
                where + " has " + samples + " samples, the device allows those of the mask 0x"
                        + Integer.toHexString(allowed));
        require(
                description.multisample().minSampleShading() == 0 || sampleShading,
                where + " runs its fragment shader for samples, which the device cannot");
        require(
                description.raster().polygonMode() == PolygonMode.FILL || lines,
                where + " draws polygons as " + description.raster().polygonMode() + ", which the device cannot");
        require(!description.raster().depthClamp() || depthClamp, where + " clamps depth, which the device cannot");
        DepthState depth = description.depth();
        require(
                depth == null || depth.biasClamp() == 0 || depthBiasClamp,
                where + " clamps its depth bias, which the device cannot");
        int buffers = description.vertexBuffers().size();
        require(
                buffers <= maxVertexBindings,
                where + " has " + buffers + " vertex buffers, the device allows " + maxVertexBindings
                        + "; put more attributes into one");
        for (VertexBuffer buffer : description.vertexBuffers()) {
            require(
                    buffer.stride() >= 0 && buffer.stride() <= maxStride,
                    where + " has vertices " + buffer.stride() + " bytes apart, the device allows 0 to " + maxStride);
            for (VertexAttribute attribute : buffer.attributes()) {
                require(
                        attribute.location() >= 0 && attribute.location() < maxAttributes,
                        where + " has a vertex attribute at location " + attribute.location()
                                + ", the device allows 0 to " + (maxAttributes - 1));
                require(
                        (features(attribute.format()).bufferFeatures() & VK13.VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT) != 0,
                        where + " has a vertex attribute of format " + attribute.format() + " at location "
                                + attribute.location() + ", which the device cannot read from vertices");
                require(
                        attribute.offset() >= 0 && attribute.offset() <= maxAttributeOffset,
                        where + " has a vertex attribute at byte " + attribute.offset() + ", the device allows 0 to "
                                + maxAttributeOffset);
            }
        }
    }

    /** Checks the numbers of the sets that the shaders of a pipeline name. */
    void checkSets(String pipeline, List<ShaderBinding> bindings) {
        for (ShaderBinding binding : bindings) {
            require(
                    binding.set() < maxSets,
                    pipeline + " has " + PipelineInterface.describe(binding) + ", the device allows sets 0 to "
                            + (maxSets - 1));
        }
    }

    private FormatFeatures features(Format format) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkFormatProperties properties = VkFormatProperties.calloc(stack);
            VK13.vkGetPhysicalDeviceFormatProperties(device, VulkanFormats.of(format), properties);
            return new FormatFeatures(properties.optimalTilingFeatures(), properties.bufferFeatures());
        }
    }

    private record FormatFeatures(int optimalTilingFeatures, int bufferFeatures) {}

    private static void require(boolean allowed, String words) {
        if (!allowed) {
            throw new IllegalArgumentException(words);
        }
    }
}
