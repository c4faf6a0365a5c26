package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.record.RecordingRules;
import io.frameloom.gpu.record.RenderingRules;
import io.frameloom.gpu.record.TransferRules;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.virtual.memory.CostModel;
import io.frameloom.gpu.virtual.memory.Pattern;
import java.nio.ByteBuffer;
import java.util.List;

/** The copies, blits, resolves, fills and clears of a command list of the virtual device. */
abstract class VirtualTransferRecording extends VirtualRecording {
    final RenderingRules renderingRules;
    private final TransferRules transfers;

    VirtualTransferRecording(
            SimulatedDevice device,
            VirtualFrameContext context,
            VirtualQueue queue,
            RecordingRules rules,
            List<ResourceUse> uses) {
        super(device, context, queue, rules, uses);
        renderingRules = new RenderingRules(rules, device::formatSupport, layouts);
        transfers = new TransferRules(rules, device::formatSupport);
    }

    private void transfer(
            VirtualResource source, VirtualResource destination, String what, long bytes, WorkNode.Action action) {
        mentions.add(source);
        transfer(destination, what, bytes, action);
    }

    private void requireLayouts(
            String command, Texture source, TextureRegion from, Texture destination, TextureRegion to) {
        layouts.copied(rules, command, source, from, destination, to, false);
        layouts.copied(rules, command, source, from, destination, to, true);
    }

    private void transfer(VirtualResource destination, String what, long bytes, WorkNode.Action action) {
        mentions.add(destination);
        ops.add(new Op.Transfer(what, CostModel.copy(bytes), action));
    }

    @Override
    public void copyBuffer(Buffer source, long sourceOffset, Buffer destination, long destinationOffset, long bytes) {
        rules.requireOutside("copyBuffer");
        VirtualBuffer from = own(source);
        VirtualBuffer to = own(destination);
        transfers.copyBuffer(source, sourceOffset, destination, destinationOffset, bytes);
        transfer(from, to, "copy", bytes, () -> {
            if (to.memory().copyFrom(from.memory(), from.base() + sourceOffset, to.base() + destinationOffset, bytes)) {
                from.device().readBackSimulated(from);
            }
        });
    }

    @Override
    public void copyBufferToTexture(Buffer source, TexelLayout layout, Texture destination, TextureRegion region) {
        rules.requireOutside("copyBufferToTexture");
        VirtualBuffer from = own(source);
        VirtualTexture to = own(destination);
        transfers.copyBufferToTexture(source, layout, destination, region);
        layouts.copied(rules, "copyBufferToTexture", destination, region, TextureLayout.TRANSFER_DST);
        transfer(
                from,
                to,
                "copy",
                TexelCopies.bytes(to, region),
                () -> TexelCopies.fromBuffer(from, layout, to, region));
    }

    @Override
    public void copyBufferToTexture(Buffer source, long sourceOffset, Texture destination, int mip, int layer) {
        rules.requireOutside("copyBufferToTexture");
        own(source);
        own(destination);
        transfers.copyMipFromBuffer(source, sourceOffset, destination, mip, layer);
        TextureRegion region = TextureRegion.mip(destination.description(), mip).withLayers(layer, 1);
        copyBufferToTexture(source, TexelLayout.tight(sourceOffset), destination, region);
    }

    @Override
    public void copyTextureToBuffer(Texture source, TextureRegion region, Buffer destination, TexelLayout layout) {
        rules.requireOutside("copyTextureToBuffer");
        VirtualTexture from = own(source);
        VirtualBuffer to = own(destination);
        transfers.copyTextureToBuffer(source, region, destination, layout);
        layouts.copied(rules, "copyTextureToBuffer", source, region, TextureLayout.TRANSFER_SRC);
        transfer(
                from,
                to,
                "copy",
                TexelCopies.bytes(from, region),
                () -> TexelCopies.toBuffer(from, region, to, layout));
    }

    @Override
    public void copyTextureToBuffer(Texture source, int mip, int layer, Buffer destination, long destinationOffset) {
        rules.requireOutside("copyTextureToBuffer");
        own(source);
        own(destination);
        transfers.copyMipToBuffer(source, mip, layer, destination, destinationOffset);
        TextureRegion region = TextureRegion.mip(source.description(), mip).withLayers(layer, 1);
        copyTextureToBuffer(source, region, destination, TexelLayout.tight(destinationOffset));
    }

    @Override
    public void copyTexture(Texture source, TextureRegion from, Texture destination, TextureRegion to) {
        rules.requireOutside("copyTexture");
        VirtualTexture read = own(source);
        VirtualTexture written = own(destination);
        transfers.copyTexture(source, from, destination, to);
        requireLayouts("copyTexture", source, from, destination, to);
        transfer(read, written, "copy", TexelCopies.bytes(read, from), () -> TexelCopies.copy(read, from, written, to));
    }

    @Override
    public void copyTexture(Texture source, Texture destination) {
        rules.requireOutside("copyTexture");
        own(source);
        own(destination);
        transfers.requireEqualFormats(source, destination);
        copyTexture(
                source,
                TextureRegion.mip(source.description(), 0).withLayers(0, 1),
                destination,
                TextureRegion.mip(destination.description(), 0).withLayers(0, 1));
    }

    @Override
    public void blitTexture(Texture source, TextureRegion from, Texture destination, TextureRegion to, Filter filter) {
        rules.requireOutside("blitTexture");
        VirtualTexture read = own(source);
        VirtualTexture written = own(destination);
        transfers.blitTexture(source, from, destination, to, filter);
        requireLayouts("blitTexture", source, from, destination, to);
        transfer(
                read,
                written,
                "blit",
                TexelCopies.bytes(written, to),
                () -> TexelCopies.blit(read, from, written, to, filter));
    }

    @Override
    public void resolveTexture(Texture source, TextureRegion from, Texture destination, TextureRegion to) {
        rules.requireOutside("resolveTexture");
        VirtualTexture read = own(source);
        VirtualTexture written = own(destination);
        transfers.resolveTexture(source, from, destination, to);
        requireLayouts("resolveTexture", source, from, destination, to);
        transfer(
                read,
                written,
                "resolve",
                TexelCopies.bytes(read, from),
                () -> TexelCopies.resolve(
                        read, from, written, to, source.description().format()));
    }

    @Override
    public void fillBuffer(Buffer destination, long offset, long bytes, int word) {
        rules.requireOutside("fillBuffer");
        VirtualBuffer to = own(destination);
        transfers.fillBuffer(destination, offset, bytes);
        long start = to.base() + offset;
        transfer(to, "fill", bytes, () -> to.memory().set(start, bytes, Pattern.ofWord(word, start)));
    }

    @Override
    public void updateBuffer(Buffer destination, long offset, ByteBuffer data) {
        rules.requireOutside("updateBuffer");
        VirtualBuffer to = own(destination);
        byte[] bytes = new byte[data.remaining()];
        transfers.updateBuffer(destination, offset, bytes.length);
        data.duplicate().get(bytes);
        long start = to.base() + offset;
        transfer(to, "update", bytes.length, () -> to.memory().set(start, bytes.length, Pattern.ofUnit(bytes, start)));
    }

    @Override
    public void clearTexture(Texture destination, SubresourceRange range, RenderingInfo.ClearColor color) {
        rules.requireOutside("clearTexture");
        VirtualTexture to = own(destination);
        transfers.clearTexture(destination, range);
        layouts.cleared(rules, "clearTexture", destination, range);
        transfer(to, "clear", 1, () -> Contents.clear(to, range, color));
    }

    @Override
    public void clearDepthStencil(Texture destination, SubresourceRange range, float depth, int stencil) {
        rules.requireOutside("clearDepthStencil");
        VirtualTexture to = own(destination);
        transfers.clearDepthStencil(renderingRules, destination, range, depth, stencil);
        layouts.cleared(rules, "clearDepthStencil", destination, range);
        transfer(to, "clear", 1, () -> Contents.clear(to, range, depth, stencil));
    }
}
