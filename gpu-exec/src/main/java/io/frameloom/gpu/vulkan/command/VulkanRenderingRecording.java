package io.frameloom.gpu.vulkan.command;

import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.RenderingFormats;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.record.CommandLog;
import io.frameloom.gpu.record.RecordingRules;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.FormatSupport;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.resource.Handles;
import io.frameloom.gpu.vulkan.resource.VulkanTexture;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lwjgl.vulkan.VK13;

/** The render passes of a command list: their attachments, what is cleared of them, and the dynamic states of draws. */
abstract class VulkanRenderingRecording extends VulkanTransferRecording {
    /** For draws, which write them. */
    final DynamicValues dynamics = new DynamicValues();

    VulkanRenderingRecording(
            DeviceCore core,
            VulkanFrameContext context,
            RecordingSlot slot,
            GpuQueue queue,
            RecordingRules rules,
            Function<Format, FormatSupport> formats,
            List<ResourceUse> uses,
            @Nullable CommandLog log) {
        super(core, context, slot, queue, rules, formats, uses, log);
    }

    @Override
    void recycle() {
        super.recycle();
        dynamics.begin();
        dynamics.forget();
    }

    @Override
    void forget() {
        dynamics.forget();
    }

    @Override
    public void endPart() {
        super.endPart();
        dynamics.begin();
    }

    @Override
    public void beginRendering(RenderingInfo info) {
        rules.requireOutside("beginRendering");
        requireOpen(info);
        renderingRules.check(info);
        long description = RenderingEncoder.describe(core, rules.list(), scratch, info, layouts);
        rules.beginRendering(info);
        RenderingEncoder.begin(handle, scratch, info, description);
        nameAttachments(info);
        dynamics.begin();
    }

    /** Finds attachments that are closed or of another device, before anything of them is looked at. */
    private void requireOpen(RenderingInfo info) {
        for (int i = 0; i < info.colors().size(); i++) {
            Handles.view(core, rules.list(), info.colors().get(i).view());
            TextureView resolve = info.colors().get(i).resolve();
            if (resolve != null) {
                Handles.view(core, rules.list(), resolve);
            }
        }
        RenderingInfo.DepthAttachment depth = info.depth();
        if (depth != null) {
            Handles.view(core, rules.list(), depth.view());
            requireOpen(depth.resolve());
        }
        RenderingInfo.StencilAttachment stencil = info.stencil();
        if (stencil != null) {
            Handles.view(core, rules.list(), stencil.view());
            requireOpen(stencil.resolve());
        }
    }

    private void requireOpen(RenderingInfo.@Nullable DepthResolve resolve) {
        if (resolve != null) {
            Handles.view(core, rules.list(), resolve.view());
        }
    }

    private void nameAttachments(RenderingInfo info) {
        for (int i = 0; i < info.colors().size(); i++) {
            mentions.add((VulkanTexture) info.colors().get(i).view().texture());
            TextureView resolve = info.colors().get(i).resolve();
            if (resolve != null) {
                mentions.add((VulkanTexture) resolve.texture());
            }
        }
        RenderingInfo.DepthAttachment depth = info.depth();
        if (depth != null) {
            mentions.add((VulkanTexture) depth.view().texture());
            nameResolve(depth.resolve());
        }
        RenderingInfo.StencilAttachment stencil = info.stencil();
        if (stencil != null) {
            mentions.add((VulkanTexture) stencil.view().texture());
            nameResolve(stencil.resolve());
        }
    }

    private void nameResolve(RenderingInfo.@Nullable DepthResolve resolve) {
        if (resolve != null) {
            mentions.add((VulkanTexture) resolve.view().texture());
        }
    }

    @Override
    public void endRendering() {
        RenderingInfo info = rules.rendering();
        boolean empty = rules.endRendering();
        noteRendered(info, empty);
        VK13.vkCmdEndRendering(handle);
    }

    @Override
    public void clearColorAttachment(
            int attachment, RenderingInfo.ClearColor color, int x, int y, int width, int height) {
        renderingRules.clearColor(attachment, x, y, width, height);
        ClearEncoder.colorAttachment(
                handle, scratch, attachment, colorFormat(attachment), color, layers(), x, y, width, height);
    }

    private Format colorFormat(int attachment) {
        RenderingInfo open = rules.rendering();
        if (open != null) {
            return open.colors().get(attachment).view().format();
        }
        var inherited = rules.inherited();
        if (inherited == null) {
            throw new IllegalStateException(rules.where("clearColorAttachment") + " is outside of a render pass");
        }
        return inherited.colors().get(attachment);
    }

    private int layers() {
        RenderingInfo open = rules.rendering();
        if (open != null) {
            return open.layers();
        }
        RenderingFormats inherited = rules.inherited();
        return inherited == null ? 1 : inherited.layers();
    }

    @Override
    public void clearDepthStencilAttachment(
            boolean clearDepth, float depth, boolean clearStencil, int stencil, int x, int y, int width, int height) {
        renderingRules.clearDepthStencil(clearDepth, depth, clearStencil, stencil, x, y, width, height);
        int aspects = (clearDepth ? VK13.VK_IMAGE_ASPECT_DEPTH_BIT : 0)
                | (clearStencil ? VK13.VK_IMAGE_ASPECT_STENCIL_BIT : 0);
        ClearEncoder.depthStencilAttachment(handle, scratch, aspects, depth, stencil, layers(), x, y, width, height);
    }

    @Override
    public void setViewport(float x, float y, float width, float height, float minDepth, float maxDepth) {
        renderingRules.viewport(x, y, width, height, minDepth, maxDepth);
        RenderingEncoder.viewport(handle, scratch, x, y, width, height, minDepth, maxDepth);
    }

    @Override
    public void setScissor(int x, int y, int width, int height) {
        renderingRules.scissor(x, y, width, height);
        RenderingEncoder.scissor(handle, scratch, x, y, width, height);
    }

    @Override
    public void setStencilReference(int reference) {
        renderingRules.stencilReference(reference);
        dynamics.stencilReference(reference);
    }

    @Override
    public void setBlendConstants(float red, float green, float blue, float alpha) {
        rules.requireRecording("setBlendConstants");
        dynamics.blendConstants(red, green, blue, alpha);
    }

    @Override
    public void setDepthBias(float constant, float slope, float clamp) {
        renderingRules.depthBias(constant, slope, clamp);
        dynamics.depthBias(constant, slope, clamp);
    }

    @Override
    public void setLineWidth(float width) {
        renderingRules.lineWidth(width);
        dynamics.lineWidth(width);
    }
}
