package io.frameloom.gpu.vulkan.command;

import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.record.CommandLog;
import io.frameloom.gpu.record.Perishable;
import io.frameloom.gpu.record.RecordingRules;
import io.frameloom.gpu.record.RenderingRules;
import io.frameloom.gpu.record.TransferRules;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.FormatSupport;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.VulkanMasks;
import io.frameloom.gpu.vulkan.resource.Handles;
import io.frameloom.gpu.vulkan.resource.VulkanBuffer;
import io.frameloom.gpu.vulkan.resource.VulkanTexture;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lwjgl.vulkan.VK13;

/** The copies, blits, resolves, fills and clears of a command list. */
abstract class VulkanTransferRecording extends VulkanPassRecording {
    final RenderingRules renderingRules;
    private final TransferRules transfers;

    VulkanTransferRecording(
            DeviceCore core,
            VulkanFrameContext context,
            RecordingSlot slot,
            GpuQueue queue,
            RecordingRules rules,
            Function<Format, FormatSupport> formats,
            List<ResourceUse> uses,
            @Nullable CommandLog log) {
        super(core, context, slot, queue, rules, uses, log);
        renderingRules = new RenderingRules(rules, formats, layouts);
        transfers = new TransferRules(rules, formats);
    }

    private VulkanBuffer buffer(Buffer given) {
        return Handles.buffer(core, rules.list(), given);
    }

    private VulkanTexture texture(Texture given) {
        return Handles.texture(core, rules.list(), given);
    }

    private void name(Perishable source, Perishable destination) {
        mentions.add(source);
        mentions.add(destination);
    }

    private int layout(String command, Texture texture, TextureRegion region, TextureLayout natural) {
        return VulkanMasks.layout(layouts.copied(rules, command, texture, region, natural));
    }

    private int layout(String command, Texture texture, int mip, int layer, TextureLayout natural) {
        return VulkanMasks.layout(layouts.copied(rules, command, texture, mip, layer, natural));
    }

    private int sourceLayout(
            String command, Texture source, TextureRegion from, Texture destination, TextureRegion to) {
        return VulkanMasks.layout(layouts.copied(rules, command, source, from, destination, to, false));
    }

    private int destinationLayout(
            String command, Texture source, TextureRegion from, Texture destination, TextureRegion to) {
        return VulkanMasks.layout(layouts.copied(rules, command, source, from, destination, to, true));
    }

    private void requireGranularity(String command, VulkanTexture texture, TextureRegion region) {
        if (!family().granularity().isTexel()) {
            family().granularity()
                    .check(rules.where(command), queue().name(), texture.name(), texture.description(), region);
        }
    }

    @Override
    public void copyBuffer(Buffer source, long sourceOffset, Buffer destination, long destinationOffset, long bytes) {
        rules.requireOutside("copyBuffer");
        VulkanBuffer from = buffer(source);
        VulkanBuffer to = buffer(destination);
        transfers.copyBuffer(source, sourceOffset, destination, destinationOffset, bytes);
        name(from, to);
        CopyEncoder.buffer(handle, scratch, from, sourceOffset, to, destinationOffset, bytes);
    }

    @Override
    public void copyBufferToTexture(Buffer source, TexelLayout layout, Texture destination, TextureRegion region) {
        rules.requireOutside("copyBufferToTexture");
        VulkanBuffer from = buffer(source);
        VulkanTexture to = texture(destination);
        transfers.copyBufferToTexture(source, layout, destination, region);
        requireGranularity("copyBufferToTexture", to, region);
        int current = layout("copyBufferToTexture", destination, region, TextureLayout.TRANSFER_DST);
        name(from, to);
        CopyEncoder.bufferToTexture(handle, scratch, from, layout, to, region, current);
    }

    @Override
    public void copyBufferToTexture(Buffer source, long sourceOffset, Texture destination, int mip, int layer) {
        rules.requireOutside("copyBufferToTexture");
        VulkanBuffer from = buffer(source);
        VulkanTexture to = texture(destination);
        transfers.copyMipFromBuffer(source, sourceOffset, destination, mip, layer);
        int current = layout("copyBufferToTexture", destination, mip, layer, TextureLayout.TRANSFER_DST);
        long region = CopyEncoder.wholeMip(scratch, to, mip, layer, sourceOffset);
        name(from, to);
        VK13.nvkCmdCopyBufferToImage(handle, from.handle(), to.handle(), current, 1, region);
    }

    @Override
    public void copyTextureToBuffer(Texture source, TextureRegion region, Buffer destination, TexelLayout layout) {
        rules.requireOutside("copyTextureToBuffer");
        VulkanTexture from = texture(source);
        VulkanBuffer to = buffer(destination);
        transfers.copyTextureToBuffer(source, region, destination, layout);
        requireGranularity("copyTextureToBuffer", from, region);
        int current = layout("copyTextureToBuffer", source, region, TextureLayout.TRANSFER_SRC);
        name(from, to);
        CopyEncoder.textureToBuffer(handle, scratch, from, region, current, to, layout);
    }

    @Override
    public void copyTextureToBuffer(Texture source, int mip, int layer, Buffer destination, long destinationOffset) {
        rules.requireOutside("copyTextureToBuffer");
        VulkanTexture from = texture(source);
        VulkanBuffer to = buffer(destination);
        transfers.copyMipToBuffer(source, mip, layer, destination, destinationOffset);
        int current = layout("copyTextureToBuffer", source, mip, layer, TextureLayout.TRANSFER_SRC);
        long region = CopyEncoder.wholeMip(scratch, from, mip, layer, destinationOffset);
        name(from, to);
        VK13.nvkCmdCopyImageToBuffer(handle, from.handle(), current, to.handle(), 1, region);
    }

    @Override
    public void copyTexture(Texture source, TextureRegion from, Texture destination, TextureRegion to) {
        rules.requireOutside("copyTexture");
        VulkanTexture read = texture(source);
        VulkanTexture written = texture(destination);
        transfers.copyTexture(source, from, destination, to);
        requireGranularity("copyTexture", read, from);
        requireGranularity("copyTexture", written, to);
        int current = sourceLayout("copyTexture", source, from, destination, to);
        int target = destinationLayout("copyTexture", source, from, destination, to);
        name(read, written);
        CopyEncoder.texture(handle, scratch, read, from, current, written, to, target);
    }

    @Override
    public void copyTexture(Texture source, Texture destination) {
        rules.requireOutside("copyTexture");
        TextureRegion from = texture(source).first();
        TextureRegion to = texture(destination).first();
        transfers.requireEqualFormats(source, destination);
        copyTexture(source, from, destination, to);
    }

    @Override
    public void blitTexture(Texture source, TextureRegion from, Texture destination, TextureRegion to, Filter filter) {
        rules.requireOutside("blitTexture");
        VulkanTexture read = texture(source);
        VulkanTexture written = texture(destination);
        transfers.blitTexture(source, from, destination, to, filter);
        int current = sourceLayout("blitTexture", source, from, destination, to);
        int target = destinationLayout("blitTexture", source, from, destination, to);
        name(read, written);
        CopyEncoder.blit(handle, scratch, read, from, current, written, to, target, filter);
    }

    @Override
    public void resolveTexture(Texture source, TextureRegion from, Texture destination, TextureRegion to) {
        rules.requireOutside("resolveTexture");
        VulkanTexture read = texture(source);
        VulkanTexture written = texture(destination);
        transfers.resolveTexture(source, from, destination, to);
        int current = sourceLayout("resolveTexture", source, from, destination, to);
        int target = destinationLayout("resolveTexture", source, from, destination, to);
        name(read, written);
        CopyEncoder.resolve(handle, scratch, read, from, current, written, to, target);
    }

    @Override
    public void fillBuffer(Buffer destination, long offset, long bytes, int word) {
        rules.requireOutside("fillBuffer");
        VulkanBuffer to = buffer(destination);
        transfers.fillBuffer(destination, offset, bytes);
        mentions.add(to);
        VK13.vkCmdFillBuffer(handle, to.handle(), offset, bytes, word);
    }

    @Override
    public void updateBuffer(Buffer destination, long offset, ByteBuffer data) {
        rules.requireOutside("updateBuffer");
        VulkanBuffer to = buffer(destination);
        int bytes = data.remaining();
        transfers.updateBuffer(destination, offset, bytes);
        mentions.add(to);
        VK13.nvkCmdUpdateBuffer(handle, to.handle(), offset, bytes, addressOf(data));
    }

    @Override
    public void clearTexture(Texture destination, SubresourceRange range, RenderingInfo.ClearColor color) {
        rules.requireOutside("clearTexture");
        VulkanTexture to = texture(destination);
        transfers.clearTexture(destination, range);
        int current = VulkanMasks.layout(layouts.cleared(rules, "clearTexture", destination, range));
        mentions.add(to);
        ClearEncoder.color(handle, scratch, to, current, range, color);
    }

    @Override
    public void clearDepthStencil(Texture destination, SubresourceRange range, float depth, int stencil) {
        rules.requireOutside("clearDepthStencil");
        VulkanTexture to = texture(destination);
        transfers.clearDepthStencil(renderingRules, destination, range, depth, stencil);
        int current = VulkanMasks.layout(layouts.cleared(rules, "clearDepthStencil", destination, range));
        mentions.add(to);
        ClearEncoder.depthStencil(handle, scratch, to, current, range, depth, stencil);
    }
}
