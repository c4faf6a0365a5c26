package io.frameloom.gpu.vulkan.command;

import io.frameloom.gpu.vulkan.driver.CommandScratch;
import io.frameloom.gpu.vulkan.pipeline.VulkanPipeline;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkCommandBuffer;

/**
 * The values that pipelines leave to the command list. They are written before the next draw: a pipeline with a value
 * of its own must not be bound when they are written, and leaves them undefined for the next one.
 */
final class DynamicValues {
    private int stencilReference;
    private float red;
    private float green;
    private float blue;
    private float alpha;
    private float biasConstant;
    private float biasSlope;
    private float biasClamp;
    /** A secondary list begins without a render pass of its own. */
    private float lineWidth = 1;

    /** Whether they may differ from those of a render pass that begins. */
    private boolean changed;

    private boolean stencilCurrent;
    private boolean blendCurrent;
    private boolean biasCurrent;
    private boolean widthCurrent;

    /** Begins a render pass: everything is zero, but lines are 1 wide. */
    void begin() {
        if (changed) {
            stencilReference(0);
            blendConstants(0, 0, 0, 0);
            depthBias(0, 0, 0);
            lineWidth(1);
            changed = false;
        }
    }

    void stencilReference(int reference) {
        changed = true;
        stencilCurrent &= reference == stencilReference;
        stencilReference = reference;
    }

    void blendConstants(float newRed, float newGreen, float newBlue, float newAlpha) {
        changed = true;
        blendCurrent &= newRed == red && newGreen == green && newBlue == blue && newAlpha == alpha;
        red = newRed;
        green = newGreen;
        blue = newBlue;
        alpha = newAlpha;
    }

    void depthBias(float constant, float slope, float clamp) {
        changed = true;
        biasCurrent &= constant == biasConstant && slope == biasSlope && clamp == biasClamp;
        biasConstant = constant;
        biasSlope = slope;
        biasClamp = clamp;
    }

    void lineWidth(float width) {
        changed = true;
        widthCurrent &= width == lineWidth;
        lineWidth = width;
    }

    /** Forgets what has been written: secondary lists leave it undefined. */
    void forget() {
        stencilCurrent = false;
        blendCurrent = false;
        biasCurrent = false;
        widthCurrent = false;
    }

    /** Writes the values that the drawing pipeline leaves to the list, if changed since they were last written. */
    void flush(VkCommandBuffer commands, CommandScratch scratch, VulkanPipeline.Graphics pipeline) {
        if (pipeline.stencilReferenceIsDynamic() && !stencilCurrent) {
            VK13.vkCmdSetStencilReference(commands, VK13.VK_STENCIL_FACE_FRONT_AND_BACK, stencilReference);
        }
        if (pipeline.blendConstantsAreDynamic() && !blendCurrent) {
            RenderingEncoder.blendConstants(commands, scratch, red, green, blue, alpha);
        }
        if (pipeline.depthBiasIsDynamic() && !biasCurrent) {
            VK13.vkCmdSetDepthBias(commands, biasConstant, biasClamp, biasSlope);
        }
        if (pipeline.lineWidthIsDynamic() && !widthCurrent) {
            VK13.vkCmdSetLineWidth(commands, lineWidth);
        }
        stencilCurrent = pipeline.stencilReferenceIsDynamic();
        blendCurrent = pipeline.blendConstantsAreDynamic();
        biasCurrent = pipeline.depthBiasIsDynamic();
        widthCurrent = pipeline.lineWidthIsDynamic();
    }

    /** Forgets what binding a pipeline with a value of its own leaves undefined. */
    void bound(VulkanPipeline.Graphics pipeline) {
        stencilCurrent &= pipeline.stencilReferenceIsDynamic();
        blendCurrent &= pipeline.blendConstantsAreDynamic();
        biasCurrent &= pipeline.depthBiasIsDynamic();
        widthCurrent &= pipeline.lineWidthIsDynamic();
    }
}
