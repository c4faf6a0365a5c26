package io.frameloom.gpu.vulkan.command;

import static io.frameloom.gpu.vulkan.driver.VulkanResults.check;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.DeviceEventSet;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.IndexType;
import io.frameloom.gpu.command.RenderingFormats;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.Pipeline;
import io.frameloom.gpu.record.BindingRules;
import io.frameloom.gpu.record.CheckedCommandList;
import io.frameloom.gpu.record.CommandLog;
import io.frameloom.gpu.record.Perishable;
import io.frameloom.gpu.record.RecordedEvents;
import io.frameloom.gpu.record.RecordingRules;
import io.frameloom.gpu.record.SlotHandle;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.FormatSupport;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.vulkan.driver.CommandScratch;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.driver.QueueFamily;
import io.frameloom.gpu.vulkan.driver.VulkanMasks;
import io.frameloom.gpu.vulkan.pipeline.DescriptorBinder;
import io.frameloom.gpu.vulkan.pipeline.PipelineInterface;
import io.frameloom.gpu.vulkan.pipeline.VulkanBindingSet;
import io.frameloom.gpu.vulkan.pipeline.VulkanPipeline;
import io.frameloom.gpu.vulkan.resource.Handles;
import io.frameloom.gpu.vulkan.resource.VulkanBuffer;
import io.frameloom.gpu.vulkan.resource.VulkanDeviceEventSet;
import io.frameloom.gpu.vulkan.resource.VulkanTexture;
import io.frameloom.gpu.vulkan.resource.VulkanTimestampSet;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkCommandBuffer;

/** Encodes commands into a command buffer. */
public final class VulkanCommandList extends CheckedCommandList<VulkanTexture, VulkanBuffer> {
    private final DeviceCore core;
    private final CommandScratch scratch;
    private final VulkanFrameContext context;
    private final RecordingSlot slot;
    private final DescriptorBinder binder;
    /** For draws, which write them. */
    private final DynamicValues dynamics = new DynamicValues();
    /** That of the slot's next turn whenever the list is. */
    private VkCommandBuffer handle;

    private QueueFamily family;
    private @Nullable VulkanPipeline pipeline;
    /** Bytes of push constants set since the pipeline was bound. */
    private int pushed;

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
        super(queue, rules, formats, core.closings(), slot.generation(), uses, log, checks);
        this.core = core;
        this.context = context;
        this.slot = slot;
        this.scratch = slot.scratch();
        this.binder = slot.binder();
        this.family = core.adapter().familyOf(queue);
        this.handle = slot.next(rules.isSecondary());
    }

    void begin() {
        int result = rules.isSecondary()
                ? BeginEncoder.secondary(handle, scratch, rules.inherited())
                : BeginEncoder.primary(handle, scratch);
        if (result != VK13.VK_SUCCESS) {
            check(result, "begin command list '" + label() + "'");
        }
        slot.name(rules.isSecondary(), label());
        binder.begin();
    }

    /** Takes another list of the same level, before it is begun. */
    void renew(String label, GpuQueue queue, @Nullable RenderingFormats inherited, List<ResourceUse> inheritedUses) {
        begin(label, queue, inherited, inheritedUses);
        family = core.adapter().familyOf(queue);
        handle = slot.next(rules.isSecondary());
    }

    @Override
    public void recycle() {
        super.recycle();
        dynamics.begin();
        dynamics.forget();
        pipeline = null;
        pushed = 0;
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

    @Override
    protected void forget() {
        super.forget();
        dynamics.forget();
        pipeline = null;
        pushed = 0;
        binder.begin();
    }

    @Override
    public void endPart() {
        super.endPart();
        dynamics.begin();
    }

    @Override
    protected VulkanTexture own(Texture texture) {
        return Handles.texture(core, rules.list(), texture);
    }

    @Override
    protected VulkanBuffer own(Buffer buffer) {
        return Handles.buffer(core, rules.list(), buffer);
    }

    @Override
    protected VulkanTexture own(TextureView view) {
        return Handles.view(core, rules.list(), view).texture();
    }

    @Override
    protected @Nullable RecordedEvents own(DeviceEventSet set) {
        return set instanceof VulkanDeviceEventSet ours && ours.belongsTo(core) ? ours : null;
    }

    @Override
    protected @Nullable Perishable own(TimestampSet timestamps) {
        return timestamps instanceof VulkanTimestampSet ours && ours.belongsTo(core) ? ours : null;
    }

    @Override
    protected @Nullable Perishable own(Pipeline given) {
        return given instanceof VulkanPipeline ours && ours.belongsTo(core) ? ours : null;
    }

    @Override
    protected boolean isOfDevice(BindingSet set) {
        return set instanceof VulkanBindingSet ours && ours.belongsTo(core);
    }

    @Override
    protected boolean isOfDevice(CheckedCommandList<?, ?> list) {
        return list instanceof VulkanCommandList ours && ours.core == core;
    }

    @Override
    protected void encodeBeginPass(String name, List<ResourceUse> uses) {
        binder.layoutsChanged();
        core.names().beginLabel(handle, name);
    }

    @Override
    protected void encodeEndPass() {
        binder.layoutsChanged();
        core.names().endLabel(handle);
    }

    @Override
    protected void encodeBeginLabel(String label) {
        core.names().beginLabel(handle, label);
    }

    @Override
    protected void encodeEndLabel() {
        core.names().endLabel(handle);
    }

    @Override
    protected void encodeInsertLabel(String label) {
        core.names().insertLabel(handle, label);
    }

    @Override
    protected void encodeBarrier(BarrierBatch batch) {
        BarrierEncoder.record(handle, scratch, batch);
    }

    @Override
    protected void encodeBarrier(BarrierBatch batch, long[] structures) {
        BarrierEncoder.record(handle, scratch, batch, structures);
    }

    @Override
    protected long[] structures(BarrierBatch batch) {
        return BarrierEncoder.structures(scratch, batch);
    }

    @Override
    protected void encodeSetEvent(RecordedEvents set, int index, BarrierBatch batch) {
        BarrierEncoder.set(handle, scratch, ((VulkanDeviceEventSet) set).event(index), batch);
    }

    @Override
    protected void encodeWaitEvent(RecordedEvents set, int index, BarrierBatch batch) {
        BarrierEncoder.await(handle, scratch, ((VulkanDeviceEventSet) set).event(index), batch);
    }

    @Override
    protected void encodeTimestamp(TimestampSet timestamps, int index) {
        ((VulkanTimestampSet) timestamps).write(handle, label(), index, family.timestampBits());
    }

    @Override
    protected void encodeExecute(List<CommandList> secondaries) {
        long handles = scratch.zeroed(secondaries.size() * Long.BYTES);
        for (int i = 0; i < secondaries.size(); i++) {
            MemoryUtil.memPutAddress(
                    handles + (long) i * Long.BYTES, ((VulkanCommandList) secondaries.get(i)).handle.address());
        }
        VK13.nvkCmdExecuteCommands(handle, secondaries.size(), handles);
    }

    @Override
    protected void refusedEnd() {
        context.release(slot);
    }

    @Override
    protected void encodeEnd() {
        int result = endCommandBuffer();
        context.release(slot);
        if (result != VK13.VK_SUCCESS) {
            abandon();
            check(result, "end command list '" + label() + "'");
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
    protected void requireUnits(String command, VulkanTexture texture, TextureRegion region) {
        if (!family.granularity().isTexel()) {
            family.granularity()
                    .check(rules.where(command), queue().name(), texture.name(), texture.description(), region);
        }
    }

    @Override
    protected void encodeCopy(VulkanBuffer source, long from, VulkanBuffer destination, long to, long bytes) {
        CopyEncoder.buffer(handle, scratch, source, from, destination, to, bytes);
    }

    @Override
    protected void encodeCopy(
            VulkanBuffer source,
            TexelLayout layout,
            VulkanTexture destination,
            TextureRegion region,
            TextureLayout current) {
        CopyEncoder.bufferToTexture(handle, scratch, source, layout, destination, region, VulkanMasks.layout(current));
    }

    @Override
    protected void encodeCopyMip(
            VulkanBuffer source, long offset, VulkanTexture destination, int mip, int layer, TextureLayout current) {
        long region = CopyEncoder.wholeMip(scratch, destination, mip, layer, offset);
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
        CopyEncoder.textureToBuffer(handle, scratch, source, region, VulkanMasks.layout(current), destination, layout);
    }

    @Override
    protected void encodeCopyMip(
            VulkanTexture source, int mip, int layer, TextureLayout current, VulkanBuffer destination, long offset) {
        long region = CopyEncoder.wholeMip(scratch, source, mip, layer, offset);
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
        CopyEncoder.texture(
                handle,
                scratch,
                source,
                from,
                VulkanMasks.layout(current),
                destination,
                to,
                VulkanMasks.layout(target));
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
        CopyEncoder.blit(
                handle,
                scratch,
                source,
                from,
                VulkanMasks.layout(current),
                destination,
                to,
                VulkanMasks.layout(target),
                filter);
    }

    @Override
    protected void encodeResolve(
            VulkanTexture source,
            TextureRegion from,
            TextureLayout current,
            VulkanTexture destination,
            TextureRegion to,
            TextureLayout target) {
        CopyEncoder.resolve(
                handle,
                scratch,
                source,
                from,
                VulkanMasks.layout(current),
                destination,
                to,
                VulkanMasks.layout(target));
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
        ClearEncoder.color(handle, scratch, destination, VulkanMasks.layout(current), range, color);
    }

    @Override
    protected void encodeClear(
            VulkanTexture destination, TextureLayout current, SubresourceRange range, float depth, int stencil) {
        ClearEncoder.depthStencil(handle, scratch, destination, VulkanMasks.layout(current), range, depth, stencil);
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
        RenderingEncoder.begin(handle, scratch, info, described);
        dynamics.begin();
    }

    @Override
    protected void encodeEndRendering(RenderingInfo info) {
        VK13.vkCmdEndRendering(handle);
    }

    @Override
    protected void encodeClearColor(
            int attachment, RenderingInfo.ClearColor color, int x, int y, int width, int height) {
        ClearEncoder.colorAttachment(
                handle, scratch, attachment, colorFormat(attachment), color, layers(), x, y, width, height);
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

    private int layers() {
        RenderingInfo open = rules.rendering();
        if (open != null) {
            return open.layers();
        }
        RenderingFormats inherited = rules.inherited();
        return inherited == null ? 1 : inherited.layers();
    }

    @Override
    protected void encodeClearDepthStencil(
            boolean clearDepth, float depth, boolean clearStencil, int stencil, int x, int y, int width, int height) {
        int aspects = (clearDepth ? VK13.VK_IMAGE_ASPECT_DEPTH_BIT : 0)
                | (clearStencil ? VK13.VK_IMAGE_ASPECT_STENCIL_BIT : 0);
        ClearEncoder.depthStencilAttachment(handle, scratch, aspects, depth, stencil, layers(), x, y, width, height);
    }

    @Override
    protected void encodeViewport(float x, float y, float width, float height, float minDepth, float maxDepth) {
        RenderingEncoder.viewport(handle, scratch, x, y, width, height, minDepth, maxDepth);
    }

    @Override
    protected void encodeScissor(int x, int y, int width, int height) {
        RenderingEncoder.scissor(handle, scratch, x, y, width, height);
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
    protected void encodePipeline(Pipeline next) {
        VulkanPipeline ours = (VulkanPipeline) next;
        pipeline = ours;
        pushed = 0;
        if (ours instanceof VulkanPipeline.Graphics graphics) {
            dynamics.bound(graphics);
        }
        binder.bind(ours.layout());
        VK13.vkCmdBindPipeline(handle, ours.layout().bindPoint(), ours.handle());
    }

    @Override
    protected BindingRules bindings(String command) {
        return requirePipeline(command).layout().rules();
    }

    @Override
    protected void takeTexture(SlotHandle slot, TextureView view, Sampler sampler) {
        binder.texture(slot, view, sampler, layouts);
    }

    @Override
    protected void takeImage(SlotHandle slot, TextureView view) {
        binder.texture(slot, view, null, layouts);
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
    protected void takeSet(BindingSet set) {
        requirePipelineOpen("bindSet");
        binder.set((VulkanBindingSet) set);
    }

    @Override
    protected void takeConstants(ByteBuffer data) {
        PipelineInterface layout = requirePipeline("pushConstants").layout();
        int bytes = data.remaining();
        if (bytes == 0 || bytes % 4 != 0 || bytes > layout.pushConstantBytes()) {
            throw new IllegalArgumentException(rules.where("pushConstants") + ": pipeline '" + layout.pipeline()
                    + "' has " + layout.pushConstantBytes() + " bytes of push constants; got " + bytes
                    + ", which must be a multiple of 4 and fit");
        }
        VK13.nvkCmdPushConstants(handle, layout.layout(), layout.pushConstantStages(), 0, bytes, addressOf(data));
        pushed = Math.max(pushed, bytes);
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
    protected GraphicsPipelineDescription graphics(String command) {
        VulkanPipeline bound = requirePipeline(command);
        if (!(bound instanceof VulkanPipeline.Graphics graphics)) {
            throw new IllegalStateException(
                    rules.where(command) + " needs a graphics pipeline, '" + bound.name() + "' is a compute pipeline");
        }
        return graphics.description();
    }

    @Override
    protected void requireCompute(String command) {
        VulkanPipeline bound = requirePipeline(command);
        if (!(bound instanceof VulkanPipeline.Compute)) {
            throw new IllegalStateException(
                    rules.where(command) + " needs a compute pipeline, '" + bound.name() + "' is a graphics pipeline");
        }
    }

    private VulkanPipeline requirePipeline(String command) {
        if (pipeline == null) {
            throw new IllegalStateException(
                    rules.where(command) + " comes before any bindPipeline; bind the pipeline first");
        }
        requirePipelineOpen(command);
        return pipeline;
    }

    /** Finds a bound pipeline that was closed since: the driver has destroyed it, and its set layouts perhaps. */
    private void requirePipelineOpen(String command) {
        if (pipeline != null && pipeline.isClosed()) {
            throw new IllegalStateException(rules.where(command) + ": pipeline '" + pipeline.name()
                    + "' was closed after it was bound; close it when the list was submitted");
        }
    }

    @Override
    protected void flush(String command) {
        binder.flush(handle, mentions, layouts, rules.list(), command);
        VulkanPipeline bound = pipeline;
        if (bound != null && pushed < bound.layout().pushConstantBytes()) {
            throw new IllegalStateException(rules.where(command) + " of pipeline '" + bound.name() + "' needs "
                    + bound.layout().pushConstantBytes() + " bytes of push constants, " + pushed + " are set");
        }
        if (bound instanceof VulkanPipeline.Graphics graphics) {
            dynamics.flush(handle, scratch, graphics);
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
    protected void encodeDrawIndirect(boolean indexed, VulkanBuffer arguments, long offset, int drawCount, int stride) {
        if (indexed) {
            VK13.vkCmdDrawIndexedIndirect(handle, arguments.handle(), offset, drawCount, stride);
        } else {
            VK13.vkCmdDrawIndirect(handle, arguments.handle(), offset, drawCount, stride);
        }
    }

    @Override
    protected void encodeDrawIndirectCount(
            boolean indexed,
            VulkanBuffer arguments,
            long offset,
            VulkanBuffer count,
            long countOffset,
            int maxDraws,
            int stride) {
        if (indexed) {
            VK13.vkCmdDrawIndexedIndirectCount(
                    handle, arguments.handle(), offset, count.handle(), countOffset, maxDraws, stride);
        } else {
            VK13.vkCmdDrawIndirectCount(
                    handle, arguments.handle(), offset, count.handle(), countOffset, maxDraws, stride);
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
}
