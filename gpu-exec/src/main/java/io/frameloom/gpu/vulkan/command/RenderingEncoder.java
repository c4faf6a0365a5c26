package io.frameloom.gpu.vulkan.command;

import static org.lwjgl.system.MemoryUtil.memPutAddress;
import static org.lwjgl.system.MemoryUtil.memPutFloat;

import io.frameloom.gpu.command.LoadOp;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.RenderingInfo.ColorAttachment;
import io.frameloom.gpu.command.RenderingInfo.DepthAttachment;
import io.frameloom.gpu.command.RenderingInfo.DepthResolve;
import io.frameloom.gpu.command.RenderingInfo.StencilAttachment;
import io.frameloom.gpu.command.StoreOp;
import io.frameloom.gpu.record.PassLayouts;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.vulkan.driver.CommandScratch;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.Vulkan13;
import io.frameloom.gpu.vulkan.driver.VulkanMasks;
import io.frameloom.gpu.vulkan.resource.Handles;
import org.jspecify.annotations.Nullable;
import org.lwjgl.vulkan.KHRDynamicRenderingLocalRead;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkRect2D;
import org.lwjgl.vulkan.VkRenderingAttachmentInfo;
import org.lwjgl.vulkan.VkRenderingInfo;
import org.lwjgl.vulkan.VkRenderingInputAttachmentIndexInfoKHR;
import org.lwjgl.vulkan.VkViewport;

/** Writes the begin of a render pass that has been checked, viewports, scissors and blend constants. */
public final class RenderingEncoder {
    private static final int CHANNELS = 4;
    private static final int DEPTH_AND_STENCIL = 2;

    private RenderingEncoder() {}

    /**
     * Writes the description of a render pass, for which the view of depth and stencil together may have to be made.
     *
     * @param layouts in which the open pass has textures
     * @return its address, good until the scratch memory is used again
     */
    public static long describe(
            DeviceCore core, String list, CommandScratch scratch, RenderingInfo rendering, PassLayouts layouts) {
        int count = rendering.colors().size();
        long info = scratch.zeroed(bytes(rendering));
        long colors = info + VkRenderingInfo.SIZEOF;
        long depth = colors + (long) count * VkRenderingAttachmentInfo.SIZEOF;
        long stencil = depth + (rendering.depth() == null ? 0 : VkRenderingAttachmentInfo.SIZEOF);
        for (int i = 0; i < count; i++) {
            color(
                    colors + (long) i * VkRenderingAttachmentInfo.SIZEOF,
                    core,
                    list,
                    rendering.colors().get(i),
                    layouts);
        }
        VkRenderingInfo.nsType(info, VK13.VK_STRUCTURE_TYPE_RENDERING_INFO);
        VkRenderingInfo.nflags(
                info, rendering.secondaries() ? VK13.VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT : 0);
        VkRenderingInfo.nlayerCount(info, rendering.layers());
        VkRenderingInfo.nviewMask(info, (1 << rendering.views()) - 1);
        VkRenderingInfo.ncolorAttachmentCount(info, count);
        link(info, rendering);
        ClearEncoder.rectangle(
                info + VkRenderingInfo.RENDERAREA, rendering.x(), rendering.y(), rendering.width(), rendering.height());
        DepthAttachment depthTarget = rendering.depth();
        StencilAttachment stencilTarget = rendering.stencil();
        if (depthTarget != null) {
            attachment(
                    depth,
                    core,
                    list,
                    stencilTarget == null ? depthTarget.view() : common(depthTarget.view(), stencilTarget.view()),
                    layout(layouts, depthTarget.view(), 0, depthTarget.readOnly()),
                    depthTarget.load(),
                    depthTarget.readOnly() ? VK13.VK_ATTACHMENT_STORE_OP_NONE : store(depthTarget.store()));
            ClearEncoder.value(depth + VkRenderingAttachmentInfo.CLEARVALUE, depthTarget.clearDepth(), 0);
            resolve(depth, core, list, depthTarget.resolve());
        }
        if (stencilTarget != null) {
            attachment(
                    stencil,
                    core,
                    list,
                    depthTarget == null ? stencilTarget.view() : common(depthTarget.view(), stencilTarget.view()),
                    layout(layouts, stencilTarget.view(), lastPlane(stencilTarget.view()), stencilTarget.readOnly()),
                    stencilTarget.load(),
                    stencilTarget.readOnly() ? VK13.VK_ATTACHMENT_STORE_OP_NONE : store(stencilTarget.store()));
            ClearEncoder.value(stencil + VkRenderingAttachmentInfo.CLEARVALUE, 0, stencilTarget.clearStencil());
            resolve(stencil, core, list, stencilTarget.resolve());
        }
        return info;
    }

    /** Does the same with the {@link #structures} of the render pass. */
    static long describe(CommandScratch scratch, RenderingInfo rendering, long[] structures) {
        long info = scratch.filled(structures);
        link(info, rendering);
        return info;
    }

    /** Returns what {@link #describe} writes, for later lists whose open pass has textures in the same layouts. */
    static long[] structures(
            DeviceCore core, String list, CommandScratch scratch, RenderingInfo rendering, PassLayouts layouts) {
        describe(core, list, scratch, rendering, layouts);
        return scratch.words(bytes(rendering));
    }

    /**
     * Writes a render pass of nothing. Mesa's software driver 25.0 knows the views of a render pass until another one
     * begins. Meanwhile it takes each timestamp and query as many times, past the end of the pool as well.
     */
    static void emptyPass(VkCommandBuffer commands, CommandScratch scratch) {
        long info = scratch.zeroed(VkRenderingInfo.SIZEOF);
        VkRenderingInfo.nsType(info, VK13.VK_STRUCTURE_TYPE_RENDERING_INFO);
        VkRenderingInfo.nlayerCount(info, 1);
        ClearEncoder.rectangle(info + VkRenderingInfo.RENDERAREA, 0, 0, 1, 1);
        Vulkan13.beginRendering(commands, info);
        Vulkan13.endRendering(commands);
    }

    private static int bytes(RenderingInfo rendering) {
        int attachments =
                rendering.colors().size() + (rendering.depth() == null ? 0 : 1) + (rendering.stencil() == null ? 0 : 1);
        return VkRenderingInfo.SIZEOF + attachments * VkRenderingAttachmentInfo.SIZEOF;
    }

    /** Writes where the attachments lie: after the structure, first colours, then depth and stencil. */
    private static void link(long info, RenderingInfo rendering) {
        long colors = info + VkRenderingInfo.SIZEOF;
        long next = colors + (long) rendering.colors().size() * VkRenderingAttachmentInfo.SIZEOF;
        memPutAddress(info + VkRenderingInfo.PCOLORATTACHMENTS, colors);
        if (rendering.depth() != null) {
            memPutAddress(info + VkRenderingInfo.PDEPTHATTACHMENT, next);
            next += VkRenderingAttachmentInfo.SIZEOF;
        }
        if (rendering.stencil() != null) {
            memPutAddress(info + VkRenderingInfo.PSTENCILATTACHMENT, next);
        }
    }

    private static TextureLayout layout(PassLayouts layouts, TextureView view, int plane, boolean readOnly) {
        return readOnly
                ? layouts.tested(view.texture(), view.range(), plane)
                : layouts.written(view.texture(), view.range(), plane, TextureLayout.DEPTH);
    }

    private static int lastPlane(TextureView view) {
        return view.range().basePlane() + view.range().planeCount() - 1;
    }

    /** Returns the one view that the attachments of depth and stencil must have, which may be given by their planes. */
    private static TextureView common(TextureView depth, TextureView stencil) {
        if (depth == stencil) {
            return depth;
        }
        SubresourceRange range = depth.range();
        return depth.texture()
                .view(new SubresourceRange(
                        range.baseMip(),
                        range.mipCount(),
                        range.baseLayer(),
                        range.layerCount(),
                        0,
                        DEPTH_AND_STENCIL));
    }

    private static void resolve(long at, DeviceCore core, String list, @Nullable DepthResolve resolve) {
        if (resolve != null) {
            VkRenderingAttachmentInfo.nresolveMode(at, VulkanMasks.resolve(resolve.mode()));
            VkRenderingAttachmentInfo.nresolveImageView(
                    at, Handles.view(core, list, resolve.view()).handle());
            VkRenderingAttachmentInfo.nresolveImageLayout(at, VulkanMasks.layout(TextureLayout.DEPTH));
        }
    }

    private static void color(long at, DeviceCore core, String list, ColorAttachment color, PassLayouts layouts) {
        attachment(
                at,
                core,
                list,
                color.view(),
                layouts.written(color.view().texture(), color.view().range(), 0, TextureLayout.COLOR),
                color.load(),
                color.readOnly() ? VK13.VK_ATTACHMENT_STORE_OP_NONE : store(color.store()));
        Format format = color.view().format();
        ClearEncoder.value(at + VkRenderingAttachmentInfo.CLEARVALUE, format, color.clear());
        TextureView resolve = color.resolve();
        if (resolve != null) {
            VkRenderingAttachmentInfo.nresolveMode(
                    at,
                    format.kind() == Format.NumericKind.FLOAT
                            ? VK13.VK_RESOLVE_MODE_AVERAGE_BIT
                            : VK13.VK_RESOLVE_MODE_SAMPLE_ZERO_BIT);
            VkRenderingAttachmentInfo.nresolveImageView(
                    at, Handles.view(core, list, resolve).handle());
            VkRenderingAttachmentInfo.nresolveImageLayout(at, VulkanMasks.layout(TextureLayout.COLOR));
        }
    }

    private static void attachment(
            long at, DeviceCore core, String list, TextureView view, TextureLayout layout, LoadOp load, int store) {
        VkRenderingAttachmentInfo.nsType(at, VK13.VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
        VkRenderingAttachmentInfo.nimageView(at, Handles.view(core, list, view).handle());
        VkRenderingAttachmentInfo.nimageLayout(at, VulkanMasks.layout(layout));
        VkRenderingAttachmentInfo.nloadOp(at, load(load));
        VkRenderingAttachmentInfo.nstoreOp(at, store);
    }

    private static int load(LoadOp load) {
        return switch (load) {
            case LOAD -> VK13.VK_ATTACHMENT_LOAD_OP_LOAD;
            case CLEAR -> VK13.VK_ATTACHMENT_LOAD_OP_CLEAR;
            case DONT_CARE -> VK13.VK_ATTACHMENT_LOAD_OP_DONT_CARE;
        };
    }

    public static int store(StoreOp store) {
        return switch (store) {
            case STORE -> VK13.VK_ATTACHMENT_STORE_OP_STORE;
            case DONT_CARE -> VK13.VK_ATTACHMENT_STORE_OP_DONT_CARE;
        };
    }

    static void viewport(
            VkCommandBuffer commands,
            CommandScratch scratch,
            int index,
            float x,
            float y,
            float width,
            float height,
            float minDepth,
            float maxDepth) {
        long viewport = scratch.zeroed(VkViewport.SIZEOF);
        VkViewport.nx(viewport, x);
        VkViewport.ny(viewport, y);
        VkViewport.nwidth(viewport, width);
        VkViewport.nheight(viewport, height);
        VkViewport.nminDepth(viewport, minDepth);
        VkViewport.nmaxDepth(viewport, maxDepth);
        VK13.nvkCmdSetViewport(commands, index, 1, viewport);
    }

    static void scissor(
            VkCommandBuffer commands, CommandScratch scratch, int index, int x, int y, int width, int height) {
        long rectangle = scratch.zeroed(VkRect2D.SIZEOF);
        ClearEncoder.rectangle(rectangle, x, y, width, height);
        VK13.nvkCmdSetScissor(commands, index, 1, rectangle);
    }

    /** Says which attachments the next draws read: colours by their number and depth after them, or colours alone. */
    static void inputs(VkCommandBuffer commands, CommandScratch scratch, int colors, boolean depth) {
        // The validation layer 1.4.309 keeps the addresses until the next such command, and dies of null ones.
        long indices = scratch.numbers();
        long info = scratch.zeroed(VkRenderingInputAttachmentIndexInfoKHR.SIZEOF);
        VkRenderingInputAttachmentIndexInfoKHR.nsType(
                info, KHRDynamicRenderingLocalRead.VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO_KHR);
        VkRenderingInputAttachmentIndexInfoKHR.ncolorAttachmentCount(info, colors);
        memPutAddress(info + VkRenderingInputAttachmentIndexInfoKHR.PCOLORATTACHMENTINPUTINDICES, indices);
        if (depth) {
            memPutAddress(
                    info + VkRenderingInputAttachmentIndexInfoKHR.PDEPTHINPUTATTACHMENTINDEX,
                    indices + (long) colors * Integer.BYTES);
        }
        KHRDynamicRenderingLocalRead.nvkCmdSetRenderingInputAttachmentIndicesKHR(commands, info);
    }

    static void blendConstants(
            VkCommandBuffer commands, CommandScratch scratch, float red, float green, float blue, float alpha) {
        long constants = scratch.zeroed(CHANNELS * Float.BYTES);
        memPutFloat(constants, red);
        memPutFloat(constants + Float.BYTES, green);
        memPutFloat(constants + 2 * Float.BYTES, blue);
        memPutFloat(constants + 3 * Float.BYTES, alpha);
        VK13.nvkCmdSetBlendConstants(commands, constants);
    }
}
