package io.frameloom.gpu.vulkan.command;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.command.AccelerationStructureBuild;
import io.frameloom.gpu.command.AccelerationStructureDescription;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.IndexType;
import io.frameloom.gpu.command.RenderingFormats;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.device.PassTrail;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BindlessTable;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.CullMode;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthState;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.pipeline.Pipeline;
import io.frameloom.gpu.pipeline.RasterState.FrontFace;
import io.frameloom.gpu.pipeline.RasterState.Topology;
import io.frameloom.gpu.pipeline.ShaderBindingTable;
import io.frameloom.gpu.pipeline.StencilState;
import io.frameloom.gpu.record.CheckedCommandList;
import io.frameloom.gpu.record.CommandLog;
import io.frameloom.gpu.record.DrawRules;
import io.frameloom.gpu.record.RecordedEvents;
import io.frameloom.gpu.record.RecordedQueries;
import io.frameloom.gpu.record.RecordingRules;
import io.frameloom.gpu.record.SlotHandle;
import io.frameloom.gpu.record.StructureRules;
import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.FormatSupport;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.vulkan.VulkanHandles;
import io.frameloom.gpu.vulkan.driver.CommandScratch;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.QueueFamily;
import io.frameloom.gpu.vulkan.driver.Vulkan13;
import io.frameloom.gpu.vulkan.driver.VulkanFormats;
import io.frameloom.gpu.vulkan.driver.VulkanMasks;
import io.frameloom.gpu.vulkan.pipeline.DescriptorBinder;
import io.frameloom.gpu.vulkan.pipeline.PipelineInterface;
import io.frameloom.gpu.vulkan.pipeline.VulkanBindingSet;
import io.frameloom.gpu.vulkan.pipeline.VulkanBindlessTable;
import io.frameloom.gpu.vulkan.pipeline.VulkanPipeline;
import io.frameloom.gpu.vulkan.resource.StructureBuilds;
import io.frameloom.gpu.vulkan.resource.VulkanAccelerationStructure;
import io.frameloom.gpu.vulkan.resource.VulkanBuffer;
import io.frameloom.gpu.vulkan.resource.VulkanDeviceEventSet;
import io.frameloom.gpu.vulkan.resource.VulkanQuerySet;
import io.frameloom.gpu.vulkan.resource.VulkanTexture;
import io.frameloom.gpu.vulkan.resource.VulkanTimestampSet;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.EXTConditionalRendering;
import org.lwjgl.vulkan.EXTMeshShader;
import org.lwjgl.vulkan.KHRAccelerationStructure;
import org.lwjgl.vulkan.KHRRayTracingPipeline;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkBufferCopy;
import org.lwjgl.vulkan.VkClearAttachment;
import org.lwjgl.vulkan.VkClearRect;
import org.lwjgl.vulkan.VkClearValue;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkConditionalRenderingBeginInfoEXT;
import org.lwjgl.vulkan.VkCopyAccelerationStructureInfoKHR;
import org.lwjgl.vulkan.VkCopyAccelerationStructureToMemoryInfoKHR;
import org.lwjgl.vulkan.VkCopyMemoryToAccelerationStructureInfoKHR;
import org.lwjgl.vulkan.VkImageBlit;
import org.lwjgl.vulkan.VkImageCopy;
import org.lwjgl.vulkan.VkImageResolve;
import org.lwjgl.vulkan.VkImageSubresourceRange;
import org.lwjgl.vulkan.VkStridedDeviceAddressRegionKHR;

/** Encodes commands into a command buffer. */
public final class VulkanCommandList extends CheckedCommandList<VulkanTexture, VulkanBuffer> {
    /** Input attachments read no depth: what a render pass begins with. */
    private static final int DEFAULT_INPUTS = -1;
    /** Native commands may have changed what they read. */
    private static final int UNKNOWN_INPUTS = -2;
    /** Bytes that say where the records of one kind lie. */
    private static final long REGION = VkStridedDeviceAddressRegionKHR.SIZEOF;

    private final DeviceCore core;
    private final CommandScratch scratch;
    private final VulkanFrameContext context;
    private final RecordingSlot slot;
    /** For the report of a lost device; null without, and in lists that others execute. */
    private final @Nullable SlotMarks marks;

    private final DescriptorBinder binder;
    /** For draws, which write them. */
    private final DynamicValues dynamics = new DynamicValues();
    /** That of the slot's next turn whenever the list is. */
    private VkCommandBuffer handle;

    private QueueFamily family;
    private @Nullable VulkanPipeline pipeline;
    /** Colours before the depth that input attachments of the open render pass read, or {@link #DEFAULT_INPUTS}. */
    private int inputs = DEFAULT_INPUTS;

    // What viewport 0 and scissor 0 are set to; the width is 0 where they may be other than one whole area.
    private int areaX;
    private int areaY;
    private int areaWidth;
    private int areaHeight;

    VulkanCommandList(
            DeviceCore core,
            VulkanFrameContext context,
            RecordingSlot slot,
            GpuQueue queue,
            RecordingRules rules,
            Function<Format, FormatSupport> formats,
            List<ResourceUse> uses,
            @Nullable CommandLog log,
            boolean checks) {
        super(core, queue, rules, formats, core.closings(), slot.generation(), uses, new PassTrail(), log, checks);
        this.core = core;
        this.context = context;
        this.slot = slot;
        this.scratch = slot.scratch();
        this.marks = rules.isSecondary() ? null : slot.marks();
        this.binder = slot.binder();
        this.family = core.adapter().familyOf(queue);
        this.handle = slot.level(rules.isSecondary()).next();
    }

    void begin() {
        int result = rules.isSecondary()
                ? BeginEncoder.secondary(handle, scratch, rules.inherited())
                : BeginEncoder.primary(handle, scratch);
        areaWidth = 0;
        if (result != VK13.VK_SUCCESS) {
            core.check(result, "begin command list '" + label() + "'");
        }
        slot.level(rules.isSecondary()).name(label());
        binder.begin();
        if (marks == null) {
            trail.begin(label(), PassTrail.Marks.NONE, 0, 0);
        } else {
            marks.begin(trail, label(), handle, scratch);
        }
    }

    private void mark(boolean end) {
        if (marks != null) {
            marks.mark(trail, handle, scratch, end);
        }
    }

    /** Takes another list of the same level, before it is begun. */
    void renew(String label, GpuQueue queue, @Nullable RenderingFormats inherited, List<ResourceUse> inheritedUses) {
        begin(label, queue, inherited, inheritedUses);
        family = core.adapter().familyOf(queue);
        handle = slot.level(rules.isSecondary()).next();
    }

    @Override
    public void recycle() {
        super.recycle();
        dynamics.begin();
        dynamics.forget();
        pipeline = null;
        inputs = DEFAULT_INPUTS;
    }

    @Override
    protected int turn() {
        return slot.generation();
    }

    @Override
    protected void noteUse(GpuQueue by, long value) {
        context.submitted(by, value);
    }

    public VkCommandBuffer handle() {
        return handle;
    }

    /** As {@link VulkanHandles#recordNative}. */
    public void recordNative(Consumer<? super VkCommandBuffer> commands) {
        beginNative();
        try {
            commands.accept(handle);
        } finally {
            endNative();
            areaWidth = 0;
            // In a secondary list they are those of the primary one, which no draw of it may change.
            if (rules.rendering() != null && core.capabilities().has(Capability.DYNAMIC_RENDERING_LOCAL_READ)) {
                inputs = UNKNOWN_INPUTS;
            }
        }
    }

    @Override
    protected void forget() {
        super.forget();
        dynamics.forget();
        pipeline = null;
        binder.begin();
    }

    @Override
    public void endPart() {
        super.endPart();
        dynamics.begin();
    }

    @Override
    protected void encodeBeginPass(String name, List<ResourceUse> uses) {
        binder.layoutsChanged();
        core.names().beginLabel(handle, scratch, name);
        mark(false);
    }

    @Override
    protected void encodeEndPass() {
        mark(true);
        binder.layoutsChanged();
        core.names().endLabel(handle);
    }

    @Override
    protected void encodeBeginLabel(String label) {
        core.names().beginLabel(handle, scratch, label);
        if (marks != null && marks.marksLabels()) {
            trail.enter(label);
            mark(false);
        }
    }

    @Override
    protected void encodeEndLabel() {
        if (marks != null && marks.marksLabels()) {
            trail.leave();
            mark(true);
        }
        core.names().endLabel(handle);
    }

    @Override
    protected void encodeInsertLabel(String label) {
        core.names().insertLabel(handle, scratch, label);
    }

    @Override
    protected void encodeBarrier(BarrierBatch batch) {
        BarrierEncoder.record(handle, scratch, core.masks(), batch);
    }

    @Override
    protected void encodeLocalBarrier(BarrierBatch batch) {
        RenderingInfo open = Objects.requireNonNull(rules.rendering());
        BarrierEncoder.recordLocal(handle, scratch, core.masks(), batch, open.views() > 1);
    }

    @Override
    protected void encodeBarrier(BarrierBatch batch, long[] structures) {
        BarrierEncoder.record(handle, scratch, batch, structures);
    }

    @Override
    protected long[] structures(BarrierBatch batch) {
        return BarrierEncoder.structures(scratch, core.masks(), batch);
    }

    @Override
    protected void encodeSetEvent(RecordedEvents set, int index, BarrierBatch batch) {
        BarrierEncoder.set(handle, scratch, core.masks(), ((VulkanDeviceEventSet) set).event(index), batch);
    }

    @Override
    protected void encodeWaitEvent(RecordedEvents set, int index, BarrierBatch batch) {
        BarrierEncoder.await(handle, scratch, core.masks(), ((VulkanDeviceEventSet) set).event(index), batch);
    }

    @Override
    protected void encodeTimestamp(TimestampSet timestamps, int index) {
        ((VulkanTimestampSet) timestamps).write(handle, label(), index, family.timestampBits());
    }

    @Override
    protected void encodeBeginQuery(RecordedQueries set, int index) {
        ((VulkanQuerySet) set).begin(handle, index);
    }

    @Override
    protected void encodeEndQuery(RecordedQueries set, int index) {
        ((VulkanQuerySet) set).end(handle, index);
    }

    @Override
    protected void encodeCopyQueries(RecordedQueries set, int first, int count, VulkanBuffer destination, long offset) {
        ((VulkanQuerySet) set).copy(handle, first, count, destination, offset);
    }

    @Override
    protected void encodeBeginConditionalRendering(VulkanBuffer condition, long offset, boolean inverted) {
        long info = scratch.zeroed(VkConditionalRenderingBeginInfoEXT.SIZEOF);
        VkConditionalRenderingBeginInfoEXT.nsType(
                info, EXTConditionalRendering.VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT);
        VkConditionalRenderingBeginInfoEXT.nbuffer(info, condition.handle());
        VkConditionalRenderingBeginInfoEXT.noffset(info, offset);
        VkConditionalRenderingBeginInfoEXT.nflags(
                info, inverted ? EXTConditionalRendering.VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT : 0);
        EXTConditionalRendering.nvkCmdBeginConditionalRenderingEXT(handle, info);
    }

    @Override
    protected void encodeEndConditionalRendering() {
        EXTConditionalRendering.vkCmdEndConditionalRenderingEXT(handle);
    }

    @Override
    protected AccelerationStructure.Sizes sizes(AccelerationStructureDescription description) {
        StructureRules.check(description, core.capabilities());
        return StructureBuilds.sizes(core, description);
    }

    @Override
    protected void encodeBuild(AccelerationStructureBuild build) {
        StructureBuilds.record(handle, build);
    }

    @Override
    protected void encodeCopy(
            AccelerationStructure source, AccelerationStructure destination, AccelerationStructure.CopyMode mode) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            KHRAccelerationStructure.vkCmdCopyAccelerationStructureKHR(
                    handle,
                    VkCopyAccelerationStructureInfoKHR.calloc(stack)
                            .sType$Default()
                            .src(((VulkanAccelerationStructure) source).structure())
                            .dst(((VulkanAccelerationStructure) destination).structure())
                            .mode(
                                    mode == AccelerationStructure.CopyMode.COMPACT
                                            ? KHRAccelerationStructure.VK_COPY_ACCELERATION_STRUCTURE_MODE_COMPACT_KHR
                                            : KHRAccelerationStructure.VK_COPY_ACCELERATION_STRUCTURE_MODE_CLONE_KHR));
        }
    }

    @Override
    protected void encodeSerialize(AccelerationStructure source, VulkanBuffer destination, long offset) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkCopyAccelerationStructureToMemoryInfoKHR info = VkCopyAccelerationStructureToMemoryInfoKHR.calloc(stack)
                    .sType$Default()
                    .src(((VulkanAccelerationStructure) source).structure())
                    .mode(KHRAccelerationStructure.VK_COPY_ACCELERATION_STRUCTURE_MODE_SERIALIZE_KHR);
            info.dst().deviceAddress(destination.address() + offset);
            KHRAccelerationStructure.vkCmdCopyAccelerationStructureToMemoryKHR(handle, info);
        }
    }

    @Override
    protected void encodeDeserialize(VulkanBuffer source, long offset, AccelerationStructure destination) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VkCopyMemoryToAccelerationStructureInfoKHR info = VkCopyMemoryToAccelerationStructureInfoKHR.calloc(stack)
                    .sType$Default()
                    .dst(((VulkanAccelerationStructure) destination).structure())
                    .mode(KHRAccelerationStructure.VK_COPY_ACCELERATION_STRUCTURE_MODE_DESERIALIZE_KHR);
            info.src().deviceAddress(source.address() + offset);
            KHRAccelerationStructure.vkCmdCopyMemoryToAccelerationStructureKHR(handle, info);
        }
    }

    @Override
    protected void encodeMeasure(AccelerationStructure structure, RecordedQueries set, int index) {
        ((VulkanQuerySet) set).measure(handle, ((VulkanAccelerationStructure) structure).structure(), index);
    }

    @Override
    protected void encodeExecute(List<CommandList> secondaries) {
        long handles = scratch.zeroed(secondaries.size() * Long.BYTES);
        for (int i = 0; i < secondaries.size(); i++) {
            MemoryUtil.memPutAddress(
                    handles + (long) i * Long.BYTES, ((VulkanCommandList) secondaries.get(i)).handle.address());
        }
        VK13.nvkCmdExecuteCommands(handle, secondaries.size(), handles);
        areaWidth = 0;
    }

    @Override
    protected void refusedEnd() {
        context.release(slot);
    }

    @Override
    protected void encodeEnd() {
        mark(true);
        int result = endCommandBuffer();
        context.release(slot);
        if (result != VK13.VK_SUCCESS) {
            abandon();
            core.check(result, "end command list '" + label() + "'");
        }
    }

    private int endCommandBuffer() {
        core.gate().enter();
        try {
            return VK13.vkEndCommandBuffer(handle);
        } finally {
            core.gate().leave();
        }
    }

    @Override
    protected void encodeCopy(VulkanBuffer source, long from, VulkanBuffer destination, long to, long bytes) {
        long region = scratch.unset(VkBufferCopy.SIZEOF);
        VkBufferCopy.nsrcOffset(region, from);
        VkBufferCopy.ndstOffset(region, to);
        VkBufferCopy.nsize(region, bytes);
        VK13.nvkCmdCopyBuffer(handle, source.handle(), destination.handle(), 1, region);
    }

    @Override
    protected void encodeCopy(
            VulkanBuffer source,
            TexelLayout layout,
            VulkanTexture destination,
            TextureRegion region,
            TextureLayout current) {
        copy(source, destination, current, CopyRegions.texels(scratch, destination, layout, region));
    }

    @Override
    protected void encodeCopyMip(
            VulkanBuffer source, long offset, VulkanTexture destination, int mip, int layer, TextureLayout current) {
        copy(source, destination, current, CopyRegions.wholeMip(scratch, destination, mip, layer, offset));
    }

    private void copy(VulkanBuffer source, VulkanTexture destination, TextureLayout current, long region) {
        VK13.nvkCmdCopyBufferToImage(
                handle, source.handle(), destination.handle(), VulkanMasks.layout(current), 1, region);
    }

    @Override
    protected void encodeCopy(
            VulkanTexture source,
            TextureRegion region,
            TextureLayout current,
            VulkanBuffer destination,
            TexelLayout layout) {
        copy(source, current, destination, CopyRegions.texels(scratch, source, layout, region));
    }

    @Override
    protected void encodeCopyMip(
            VulkanTexture source, int mip, int layer, TextureLayout current, VulkanBuffer destination, long offset) {
        copy(source, current, destination, CopyRegions.wholeMip(scratch, source, mip, layer, offset));
    }

    private void copy(VulkanTexture source, TextureLayout current, VulkanBuffer destination, long region) {
        VK13.nvkCmdCopyImageToBuffer(
                handle, source.handle(), VulkanMasks.layout(current), destination.handle(), 1, region);
    }

    @Override
    protected void encodeCopy(
            VulkanTexture source,
            TextureRegion from,
            TextureLayout current,
            VulkanTexture destination,
            TextureRegion to,
            TextureLayout target) {
        long copy = scratch.zeroed(VkImageCopy.SIZEOF);
        CopyRegions.subresource(copy + VkImageCopy.SRCSUBRESOURCE, source, from);
        CopyRegions.subresource(copy + VkImageCopy.DSTSUBRESOURCE, destination, to);
        CopyRegions.offset(copy + VkImageCopy.SRCOFFSET, from);
        CopyRegions.offset(copy + VkImageCopy.DSTOFFSET, to);
        CopyRegions.extent(copy + VkImageCopy.EXTENT, from);
        int layout = VulkanMasks.layout(target);
        VK13.nvkCmdCopyImage(
                handle, source.handle(), VulkanMasks.layout(current), destination.handle(), layout, 1, copy);
    }

    @Override
    protected TextureRegion first(VulkanTexture texture) {
        return texture.first();
    }

    @Override
    protected void encodeBlit(
            VulkanTexture source,
            TextureRegion from,
            TextureLayout current,
            VulkanTexture destination,
            TextureRegion to,
            TextureLayout target,
            Filter filter) {
        long blit = scratch.zeroed(VkImageBlit.SIZEOF);
        CopyRegions.subresource(blit + VkImageBlit.SRCSUBRESOURCE, source, from);
        CopyRegions.subresource(blit + VkImageBlit.DSTSUBRESOURCE, destination, to);
        CopyRegions.corners(blit + VkImageBlit.SRCOFFSETS, from);
        CopyRegions.corners(blit + VkImageBlit.DSTOFFSETS, to);
        VK13.nvkCmdBlitImage(
                handle,
                source.handle(),
                VulkanMasks.layout(current),
                destination.handle(),
                VulkanMasks.layout(target),
                1,
                blit,
                VulkanMasks.filter(filter));
    }

    @Override
    protected void encodeResolve(
            VulkanTexture source,
            TextureRegion from,
            TextureLayout current,
            VulkanTexture destination,
            TextureRegion to,
            TextureLayout target) {
        long resolve = scratch.zeroed(VkImageResolve.SIZEOF);
        CopyRegions.subresource(resolve + VkImageResolve.SRCSUBRESOURCE, source, from);
        CopyRegions.subresource(resolve + VkImageResolve.DSTSUBRESOURCE, destination, to);
        CopyRegions.offset(resolve + VkImageResolve.SRCOFFSET, from);
        CopyRegions.offset(resolve + VkImageResolve.DSTOFFSET, to);
        CopyRegions.extent(resolve + VkImageResolve.EXTENT, from);
        int layout = VulkanMasks.layout(target);
        VK13.nvkCmdResolveImage(
                handle, source.handle(), VulkanMasks.layout(current), destination.handle(), layout, 1, resolve);
    }

    @Override
    protected void encodeFill(VulkanBuffer destination, long offset, long bytes, int word) {
        VK13.vkCmdFillBuffer(handle, destination.handle(), offset, bytes, word);
    }

    @Override
    protected void encodeUpdate(VulkanBuffer destination, long offset, ByteBuffer data) {
        VK13.nvkCmdUpdateBuffer(handle, destination.handle(), offset, data.remaining(), addressOf(data));
    }

    @Override
    protected void encodeClear(
            VulkanTexture destination, TextureLayout current, SubresourceRange range, RenderingInfo.ClearColor color) {
        long value = clearedRange(destination, range);
        ClearEncoder.value(value, destination.description().format(), color);
        VK13.nvkCmdClearColorImage(
                handle, destination.handle(), VulkanMasks.layout(current), value, 1, value + VkClearValue.SIZEOF);
    }

    @Override
    protected void encodeClear(
            VulkanTexture destination, TextureLayout current, SubresourceRange range, float depth, int stencil) {
        long value = clearedRange(destination, range);
        ClearEncoder.value(value, depth, stencil);
        VK13.nvkCmdClearDepthStencilImage(
                handle, destination.handle(), VulkanMasks.layout(current), value, 1, value + VkClearValue.SIZEOF);
    }

    /** Writes the range of a clear; returns the address of its value, which is before it. */
    private long clearedRange(VulkanTexture texture, SubresourceRange range) {
        long value = scratch.zeroed(VkClearValue.SIZEOF + VkImageSubresourceRange.SIZEOF);
        long target = value + VkClearValue.SIZEOF;
        VkImageSubresourceRange.naspectMask(
                target, VulkanFormats.aspects(texture.description().format(), range));
        VkImageSubresourceRange.nbaseMipLevel(target, range.baseMip());
        VkImageSubresourceRange.nlevelCount(target, range.mipCount());
        VkImageSubresourceRange.nbaseArrayLayer(target, range.baseLayer());
        VkImageSubresourceRange.nlayerCount(target, range.layerCount());
        return value;
    }

    /** Returns the address of a buffer's remaining bytes, copied to the scratch memory if they are on the heap. */
    private long addressOf(ByteBuffer data) {
        if (data.isDirect()) {
            return MemoryUtil.memAddress(data);
        }
        int bytes = data.remaining();
        long copy = scratch.zeroed(bytes);
        for (int i = 0; i < bytes; i++) {
            MemoryUtil.memPutByte(copy + i, data.get(data.position() + i));
        }
        return copy;
    }

    @Override
    protected long describe(RenderingInfo info) {
        return RenderingEncoder.describe(core, rules.list(), scratch, info, layouts);
    }

    @Override
    protected long describe(RenderingInfo info, long[] structures) {
        return RenderingEncoder.describe(scratch, info, structures);
    }

    @Override
    protected long[] structures(RenderingInfo info) {
        return RenderingEncoder.structures(core, rules.list(), scratch, info, layouts);
    }

    @Override
    protected void encodeBeginRendering(RenderingInfo info, long described) {
        Vulkan13.beginRendering(handle, described);
        if (!info.secondaries()) {
            setArea(info.x(), info.y(), info.width(), info.height());
        }
        dynamics.begin();
        inputs = DEFAULT_INPUTS;
    }

    /** Sets viewport and scissor to the area of a render pass, if the one before it has left another. */
    private void setArea(int x, int y, int width, int height) {
        if (areaWidth == width && areaHeight == height && areaX == x && areaY == y) {
            return;
        }
        RenderingEncoder.viewport(handle, scratch, 0, x, y, width, height, 0, 1);
        RenderingEncoder.scissor(handle, scratch, 0, x, y, width, height);
        areaX = x;
        areaY = y;
        areaWidth = width;
        areaHeight = height;
    }

    @Override
    protected void encodeEndRendering(RenderingInfo info) {
        Vulkan13.endRendering(handle);
        if (info.multiview() && core.adapter().info().name().startsWith("llvmpipe")) {
            RenderingEncoder.emptyPass(handle, scratch);
        }
    }

    @Override
    protected void encodeClearColor(
            int attachment, RenderingInfo.ClearColor color, int x, int y, int width, int height) {
        long clear = scratch.zeroed(VkClearAttachment.SIZEOF + VkClearRect.SIZEOF);
        VkClearAttachment.naspectMask(clear, VK13.VK_IMAGE_ASPECT_COLOR_BIT);
        VkClearAttachment.ncolorAttachment(clear, attachment);
        ClearEncoder.value(clear + VkClearAttachment.CLEARVALUE, colorFormat(attachment), color);
        clearAttachments(clear, x, y, width, height);
    }

    private void clearAttachments(long clear, int x, int y, int width, int height) {
        long rectangle = clear + VkClearAttachment.SIZEOF;
        ClearEncoder.rectangle(rectangle + VkClearRect.RECT, x, y, width, height);
        VkClearRect.nlayerCount(rectangle, layers());
        VK13.nvkCmdClearAttachments(handle, 1, clear, 1, rectangle);
    }

    private Format colorFormat(int attachment) {
        RenderingInfo open = rules.rendering();
        if (open != null) {
            return open.colors().get(attachment).view().format();
        }
        RenderingFormats inherited = rules.inherited();
        if (inherited == null) {
            throw new IllegalStateException(rules.where("clearColorAttachment") + " is outside of a render pass");
        }
        return inherited.colors().get(attachment);
    }

    /** With multiview a clear of one layer is one of all. */
    private int layers() {
        RenderingInfo open = rules.rendering();
        if (open != null) {
            return open.multiview() ? 1 : open.layers();
        }
        RenderingFormats inherited = rules.inherited();
        return inherited == null || inherited.multiview() ? 1 : inherited.layers();
    }

    @Override
    protected void encodeClearDepthStencil(
            boolean clearDepth, float depth, boolean clearStencil, int stencil, int x, int y, int width, int height) {
        int aspects = (clearDepth ? VK13.VK_IMAGE_ASPECT_DEPTH_BIT : 0)
                | (clearStencil ? VK13.VK_IMAGE_ASPECT_STENCIL_BIT : 0);
        long clear = scratch.zeroed(VkClearAttachment.SIZEOF + VkClearRect.SIZEOF);
        VkClearAttachment.naspectMask(clear, aspects);
        ClearEncoder.value(clear + VkClearAttachment.CLEARVALUE, depth, stencil);
        clearAttachments(clear, x, y, width, height);
    }

    @Override
    protected void encodeViewport(
            int index, float x, float y, float width, float height, float minDepth, float maxDepth) {
        areaWidth = 0;
        RenderingEncoder.viewport(handle, scratch, index, x, y, width, height, minDepth, maxDepth);
    }

    @Override
    protected void encodeScissor(int index, int x, int y, int width, int height) {
        areaWidth = 0;
        RenderingEncoder.scissor(handle, scratch, index, x, y, width, height);
    }

    @Override
    protected void encodeStencilReference(int reference) {
        dynamics.stencilReference(reference);
    }

    @Override
    protected void encodeBlendConstants(float red, float green, float blue, float alpha) {
        dynamics.blendConstants(red, green, blue, alpha);
    }

    @Override
    protected void encodeDepthBias(float constant, float slope, float clamp) {
        dynamics.depthBias(constant, slope, clamp);
    }

    @Override
    protected void encodeLineWidth(float width) {
        dynamics.lineWidth(width);
    }

    @Override
    protected void encodeCullMode(CullMode cull) {
        dynamics.cullMode(cull);
    }

    @Override
    protected void encodeFrontFace(FrontFace front) {
        dynamics.frontFace(front);
    }

    @Override
    protected void encodeTopology(Topology topology) {
        dynamics.topology(topology);
    }

    @Override
    protected void encodeDepthTest(@Nullable DepthState test) {
        dynamics.depthTest(test);
    }

    @Override
    protected void encodeStencilTest(@Nullable StencilState test) {
        dynamics.stencilTest(test);
    }

    @Override
    protected void encodeVertexInput(List<VertexBuffer> buffers) {
        dynamics.vertexInput(buffers);
    }

    @Override
    protected void encodePipeline(Pipeline next) {
        VulkanPipeline ours = (VulkanPipeline) next;
        pipeline = ours;
        if (ours instanceof VulkanPipeline.Graphics graphics) {
            dynamics.bound(graphics);
        }
        binder.bind(ours.layout());
        VK13.vkCmdBindPipeline(handle, ours.layout().bindPoint(), ours.handle());
    }

    @Override
    protected void takeTexture(SlotHandle slot, TextureView view, @Nullable Sampler sampler) {
        binder.texture(slot, view, sampler, layouts);
    }

    @Override
    protected void forgetAttachments() {
        binder.forgetAttachments();
    }

    @Override
    protected void takeSampler(SlotHandle slot, Sampler sampler) {
        binder.sampler(slot, sampler);
    }

    @Override
    protected void takeStorageTexture(SlotHandle slot, TextureView view) {
        binder.storageTexture(slot, view, layouts);
    }

    @Override
    protected void takeBuffer(SlotHandle slot, VulkanBuffer buffer, long offset, long bytes) {
        binder.buffer(slot, buffer, offset, bytes);
    }

    @Override
    protected void takeStructure(SlotHandle slot, AccelerationStructure structure) {
        binder.structure(slot, (VulkanAccelerationStructure) structure);
    }

    @Override
    protected void takeSet(BindingSet set) {
        binder.set((VulkanBindingSet) set);
    }

    @Override
    protected void takeTable(BindlessTable table) {
        binder.table((VulkanBindlessTable) table);
    }

    @Override
    protected void takeConstants(ByteBuffer data) {
        PipelineInterface layout = Objects.requireNonNull(pipeline).layout();
        VK13.nvkCmdPushConstants(
                handle, layout.layout(), layout.pushConstantStages(), 0, data.remaining(), addressOf(data));
    }

    @Override
    protected void encodeVertexBuffer(int binding, VulkanBuffer buffer, long offset) {
        long pair = scratch.zeroed(2 * Long.BYTES);
        MemoryUtil.memPutLong(pair, buffer.handle());
        MemoryUtil.memPutLong(pair + Long.BYTES, offset);
        VK13.nvkCmdBindVertexBuffers(handle, binding, 1, pair, pair + Long.BYTES);
    }

    @Override
    protected void encodeIndexBuffer(VulkanBuffer buffer, long offset, IndexType type) {
        VK13.vkCmdBindIndexBuffer(
                handle,
                buffer.handle(),
                offset,
                type == IndexType.UINT16 ? VK13.VK_INDEX_TYPE_UINT16 : VK13.VK_INDEX_TYPE_UINT32);
    }

    @Override
    protected void encodeBindings(String command) {
        binder.flush(handle, mentions, layouts, rules.list(), command);
        if (pipeline instanceof VulkanPipeline.Graphics graphics) {
            dynamics.flush(handle, scratch, graphics);
            int needed = graphics.layout().readsAttachments()
                    ? graphics.description().colorFormats().size()
                    : DEFAULT_INPUTS;
            if (inputs != needed) {
                RenderingEncoder.inputs(
                        handle, scratch, graphics.description().colorFormats().size(), needed >= 0);
                inputs = needed;
            }
        }
    }

    @Override
    protected void encodeDraw(int vertexCount, int instanceCount, int firstVertex, int firstInstance) {
        VK13.vkCmdDraw(handle, vertexCount, instanceCount, firstVertex, firstInstance);
    }

    @Override
    protected void encodeDrawIndexed(
            int indexCount, int instanceCount, int firstIndex, int vertexOffset, int firstInstance) {
        VK13.vkCmdDrawIndexed(handle, indexCount, instanceCount, firstIndex, vertexOffset, firstInstance);
    }

    @Override
    protected void encodeDrawMeshTasks(int groupsX, int groupsY, int groupsZ) {
        EXTMeshShader.vkCmdDrawMeshTasksEXT(handle, groupsX, groupsY, groupsZ);
    }

    @Override
    protected void encodeDrawIndirect(
            DrawRules.Source source, VulkanBuffer arguments, long offset, int drawCount, int stride) {
        long buffer = arguments.handle();
        switch (source) {
            case VERTICES -> VK13.vkCmdDrawIndirect(handle, buffer, offset, drawCount, stride);
            case INDICES -> VK13.vkCmdDrawIndexedIndirect(handle, buffer, offset, drawCount, stride);
            case MESHES -> EXTMeshShader.vkCmdDrawMeshTasksIndirectEXT(handle, buffer, offset, drawCount, stride);
        }
    }

    @Override
    protected void encodeDrawIndirectCount(
            DrawRules.Source source,
            VulkanBuffer arguments,
            long offset,
            VulkanBuffer count,
            long countOffset,
            int maxDraws,
            int stride) {
        long buffer = arguments.handle();
        long number = count.handle();
        switch (source) {
            case VERTICES -> VK13.vkCmdDrawIndirectCount(handle, buffer, offset, number, countOffset, maxDraws, stride);
            case INDICES ->
                VK13.vkCmdDrawIndexedIndirectCount(handle, buffer, offset, number, countOffset, maxDraws, stride);
            case MESHES ->
                EXTMeshShader.vkCmdDrawMeshTasksIndirectCountEXT(
                        handle, buffer, offset, number, countOffset, maxDraws, stride);
        }
    }

    @Override
    protected void encodeDispatch(int groupsX, int groupsY, int groupsZ) {
        VK13.vkCmdDispatch(handle, groupsX, groupsY, groupsZ);
    }

    @Override
    protected void encodeDispatchIndirect(VulkanBuffer arguments, long offset) {
        VK13.vkCmdDispatchIndirect(handle, arguments.handle(), offset);
    }

    @Override
    protected void encodeTrace(
            ShaderBindingTable table, VulkanBuffer memory, long offset, int width, int height, int depth) {
        long at = regions(table, memory, offset);
        KHRRayTracingPipeline.nvkCmdTraceRaysKHR(
                handle, at, at + REGION, at + 2 * REGION, at + 3 * REGION, width, height, depth);
    }

    @Override
    protected void encodeTraceIndirect(
            ShaderBindingTable table, VulkanBuffer memory, long offset, VulkanBuffer arguments, long argumentOffset) {
        long numbers = arguments.address() + argumentOffset;
        long at = regions(table, memory, offset);
        KHRRayTracingPipeline.nvkCmdTraceRaysIndirectKHR(
                handle, at, at + REGION, at + 2 * REGION, at + 3 * REGION, numbers);
    }

    /** Writes where the records of each kind lie, nowhere those of which there are none; returns the address. */
    private long regions(ShaderBindingTable table, VulkanBuffer memory, long offset) {
        long base = memory.address() + offset;
        List<ShaderBindingTable.Region> regions = table.regions();
        long at = scratch.zeroed(regions.size() * (int) REGION);
        for (int i = 0; i < regions.size(); i++) {
            ShaderBindingTable.Region region = regions.get(i);
            if (region.bytes() > 0) {
                VkStridedDeviceAddressRegionKHR.ndeviceAddress(at + i * REGION, base + region.offset());
                VkStridedDeviceAddressRegionKHR.nstride(at + i * REGION, region.stride());
                VkStridedDeviceAddressRegionKHR.nsize(at + i * REGION, region.bytes());
            }
        }
        return at;
    }
}
