package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.VulkanResults.check;

import io.frameloom.gpu.BarrierBatch;
import io.frameloom.gpu.BindingSet;
import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.CommandList;
import io.frameloom.gpu.CommandLog;
import io.frameloom.gpu.GpuQueue;
import io.frameloom.gpu.IndexType;
import io.frameloom.gpu.Pipeline;
import io.frameloom.gpu.RenderingInfo;
import io.frameloom.gpu.ResourceUse;
import io.frameloom.gpu.Sampler;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureLayout;
import io.frameloom.gpu.TextureView;
import io.frameloom.gpu.TimestampSet;
import io.frameloom.gpu.internal.Usages;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkCommandBufferBeginInfo;

/**
 * A command buffer being recorded. Textures are taken to be in the layouts that the open pass declares for them, else in
 * the layout natural to the command.
 */
final class VulkanCommandList implements CommandList {
    private final DeviceCore core;
    private final VulkanFrameContext context;
    private final RecordingSlot slot;
    private final VulkanQueue queue;
    private final String label;
    private final VkCommandBuffer handle;
    private final @Nullable CommandLog log;
    private final DescriptorBinder binder;
    private final RecordingState state;
    private List<ResourceUse> uses = List.of();
    private @Nullable VulkanPipeline pipeline;

    VulkanCommandList(
            DeviceCore core,
            VulkanFrameContext context,
            RecordingSlot slot,
            VulkanQueue queue,
            String label,
            VkCommandBuffer handle,
            @Nullable CommandLog log) {
        this.core = core;
        this.context = context;
        this.slot = slot;
        this.queue = queue;
        this.label = label;
        this.handle = handle;
        this.log = log;
        this.binder = slot.binder();
        this.state = new RecordingState(label);
    }

    void begin() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            check(
                    VK13.vkBeginCommandBuffer(
                            handle,
                            VkCommandBufferBeginInfo.calloc(stack)
                                    .sType$Default()
                                    .flags(VK13.VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT)),
                    "begin command list '" + label + "'");
        }
        core.names().name(VK13.VK_OBJECT_TYPE_COMMAND_BUFFER, handle.address(), label);
        binder.begin();
    }

    VkCommandBuffer handle() {
        return handle;
    }

    @Nullable
    CommandLog log() {
        return log;
    }

    /** Throws unless the list has ended and was not submitted yet. */
    void requireSubmittable(String submission) {
        state.requireSubmittable(submission);
    }

    void submitted(long value) {
        state.submitted();
        context.submitted(queue, value);
    }

    /** Makes the list unusable: its frame context was reset before it ended. */
    void abandon() {
        state.abandon();
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public GpuQueue queue() {
        return queue;
    }

    @Override
    public void beginPass(String name, List<ResourceUse> passUses) {
        Usages.check(name, passUses);
        state.beginPass(name);
        if (log != null) {
            log.beginPass(name, passUses);
        }
        uses = passUses;
        core.names().beginLabel(handle, name);
    }

    @Override
    public void endPass() {
        state.endPass();
        if (log != null) {
            log.endPass();
        }
        uses = List.of();
        core.names().endLabel(handle);
    }

    @Override
    public void barrier(BarrierBatch batch) {
        state.requireOutside("barrier");
        if (batch.isEmpty()) {
            return;
        }
        BarrierEncoder.record(handle, core, batch);
        if (log != null) {
            log.barrier(batch);
        }
    }

    @Override
    public void beginRendering(RenderingInfo info) {
        state.requireOutside("beginRendering");
        RenderingEncoder.begin(handle, core, info);
        state.rendering(true);
    }

    @Override
    public void endRendering() {
        state.requireInside("endRendering");
        VK13.vkCmdEndRendering(handle);
        state.rendering(false);
    }

    @Override
    public void setViewport(float x, float y, float width, float height) {
        state.requireRecording();
        RenderingEncoder.viewport(handle, x, y, width, height);
    }

    @Override
    public void setScissor(int x, int y, int width, int height) {
        state.requireRecording();
        RenderingEncoder.scissor(handle, x, y, width, height);
    }

    @Override
    public void bindPipeline(Pipeline next) {
        state.requireRecording();
        if (!(next instanceof VulkanPipeline ours) || !ours.belongsTo(core)) {
            throw new IllegalArgumentException("pipeline '" + next.name() + "' is of another device");
        }
        if (ours.isClosed()) {
            throw new IllegalStateException("pipeline '" + next.name() + "' is closed");
        }
        pipeline = ours;
        binder.bind(ours.layout());
        VK13.vkCmdBindPipeline(handle, ours.layout().bindPoint(), ours.handle());
    }

    @Override
    public void bindTexture(String name, TextureView view, Sampler sampler) {
        state.requireRecording();
        binder.texture(name, view, sampler, layout(view.texture(), view.range(), TextureLayout.SHADER_RO));
    }

    @Override
    public void bindStorageTexture(String name, TextureView view) {
        state.requireRecording();
        binder.storageTexture(name, view, VK13.VK_IMAGE_LAYOUT_GENERAL);
    }

    @Override
    public void bindBuffer(String name, Buffer buffer, long offset, long bytes) {
        state.requireRecording();
        binder.buffer(name, buffer, offset, bytes);
    }

    @Override
    public void bindSet(BindingSet set) {
        state.requireRecording();
        if (!(set instanceof VulkanBindingSet ours)) {
            throw new IllegalArgumentException("binding set '" + set.name() + "' is of another device");
        }
        binder.set(ours);
    }

    @Override
    public void pushConstants(ByteBuffer data) {
        state.requireRecording();
        PipelineInterface layout = requirePipeline("pushConstants").layout();
        int bytes = data.remaining();
        if (bytes == 0 || bytes % 4 != 0 || bytes > layout.pushConstantBytes()) {
            throw new IllegalArgumentException("pipeline '" + layout.pipeline() + "' has "
                    + layout.pushConstantBytes() + " bytes of push constants; got " + bytes
                    + ", which must be a multiple of 4 and fit");
        }
        if (data.isDirect()) {
            push(layout, bytes, MemoryUtil.memAddress(data));
        } else {
            try (MemoryStack stack = MemoryStack.stackPush()) {
                ByteBuffer copy = stack.malloc(bytes).put(data.duplicate());
                push(layout, bytes, MemoryUtil.memAddress0(copy));
            }
        }
    }

    private void push(PipelineInterface layout, int bytes, long address) {
        VK13.nvkCmdPushConstants(handle, layout.layout(), layout.pushConstantStages(), 0, bytes, address);
    }

    @Override
    public void bindVertexBuffer(int binding, Buffer buffer, long offset) {
        state.requireRecording();
        try (MemoryStack stack = MemoryStack.stackPush()) {
            VK13.nvkCmdBindVertexBuffers(
                    handle, binding, 1, stack.nlong(Handles.buffer(core, buffer).handle()), stack.nlong(offset));
        }
    }

    @Override
    public void bindIndexBuffer(Buffer buffer, long offset, IndexType type) {
        state.requireRecording();
        VK13.vkCmdBindIndexBuffer(
                handle,
                Handles.buffer(core, buffer).handle(),
                offset,
                type == IndexType.UINT16 ? VK13.VK_INDEX_TYPE_UINT16 : VK13.VK_INDEX_TYPE_UINT32);
    }

    @Override
    public void draw(int vertexCount, int instanceCount, int firstVertex, int firstInstance) {
        beforeDraw("draw");
        VK13.vkCmdDraw(handle, vertexCount, instanceCount, firstVertex, firstInstance);
    }

    @Override
    public void drawIndexed(int indexCount, int instanceCount, int firstIndex, int vertexOffset, int firstInstance) {
        beforeDraw("drawIndexed");
        VK13.vkCmdDrawIndexed(handle, indexCount, instanceCount, firstIndex, vertexOffset, firstInstance);
    }

    private void beforeDraw(String command) {
        state.requireInside(command);
        if (!(requirePipeline(command) instanceof VulkanPipeline.Graphics)) {
            throw new IllegalStateException(state.where(command) + " needs a graphics pipeline, '" + name(pipeline)
                    + "' is a compute pipeline");
        }
        binder.flush(handle, label, command);
    }

    @Override
    public void dispatch(int groupsX, int groupsY, int groupsZ) {
        state.requireOutside("dispatch");
        if (!(requirePipeline("dispatch") instanceof VulkanPipeline.Compute)) {
            throw new IllegalStateException(state.where("dispatch") + " needs a compute pipeline, '" + name(pipeline)
                    + "' is a graphics pipeline");
        }
        binder.flush(handle, label, "dispatch");
        VK13.vkCmdDispatch(handle, groupsX, groupsY, groupsZ);
    }

    @Override
    public void copyBuffer(Buffer source, long sourceOffset, Buffer destination, long destinationOffset, long bytes) {
        state.requireOutside("copyBuffer");
        CopyEncoder.buffer(
                handle,
                Handles.buffer(core, source),
                sourceOffset,
                Handles.buffer(core, destination),
                destinationOffset,
                bytes);
    }

    @Override
    public void copyBufferToTexture(Buffer source, long sourceOffset, Texture destination, int mip, int layer) {
        state.requireOutside("copyBufferToTexture");
        VulkanTexture target = Handles.texture(core, destination);
        int layout = layout(destination, mip, layer, TextureLayout.TRANSFER_DST);
        CopyEncoder.bufferToTexture(handle, Handles.buffer(core, source), sourceOffset, target, mip, layer, layout);
    }

    @Override
    public void copyTextureToBuffer(Texture source, int mip, int layer, Buffer destination, long destinationOffset) {
        state.requireOutside("copyTextureToBuffer");
        VulkanTexture from = Handles.texture(core, source);
        int layout = layout(source, mip, layer, TextureLayout.TRANSFER_SRC);
        CopyEncoder.textureToBuffer(
                handle, from, mip, layer, layout, Handles.buffer(core, destination), destinationOffset);
    }

    @Override
    public void copyTexture(Texture source, Texture destination) {
        state.requireOutside("copyTexture");
        CopyEncoder.texture(
                handle,
                Handles.texture(core, source),
                layout(source, 0, 0, TextureLayout.TRANSFER_SRC),
                Handles.texture(core, destination),
                layout(destination, 0, 0, TextureLayout.TRANSFER_DST));
    }

    @Override
    public void fillBuffer(Buffer destination, long offset, long bytes, int word) {
        state.requireOutside("fillBuffer");
        CopyEncoder.fill(handle, Handles.buffer(core, destination), offset, bytes, word);
    }

    @Override
    public void clearTexture(Texture destination, SubresourceRange range, RenderingInfo.ClearColor color) {
        state.requireOutside("clearTexture");
        CopyEncoder.clear(
                handle,
                Handles.texture(core, destination),
                layout(destination, range, TextureLayout.TRANSFER_DST),
                range,
                color);
    }

    @Override
    public void writeTimestamp(TimestampSet timestamps, int index) {
        state.requireRecording();
        if (!(timestamps instanceof VulkanTimestampSet ours) || !ours.belongsTo(core)) {
            throw new IllegalArgumentException("the timestamp set written by '" + label + "' is of another device");
        }
        ours.write(handle, index, queue.timestampBits());
    }

    @Override
    public void end() {
        state.requireEndable();
        check(VK13.vkEndCommandBuffer(handle), "end command list '" + label + "'");
        state.ended();
        context.release(slot);
    }

    private int layout(Texture texture, int mip, int layer, TextureLayout natural) {
        return uses.isEmpty()
                ? VulkanMasks.layout(natural)
                : layout(texture, new SubresourceRange(mip, 1, layer, 1, 0, 1), natural);
    }

    /** Returns the layout that the open pass declares for a range, else the given one. */
    private int layout(Texture texture, SubresourceRange range, TextureLayout natural) {
        for (int i = 0; i < uses.size(); i++) {
            if (uses.get(i) instanceof ResourceUse.OfTexture use
                    && use.resource() == texture
                    && use.range().overlaps(range)
                    && use.layout() != TextureLayout.UNDEFINED) {
                return VulkanMasks.layout(use.layout());
            }
        }
        return VulkanMasks.layout(natural);
    }

    private VulkanPipeline requirePipeline(String command) {
        if (pipeline == null) {
            throw new IllegalStateException(
                    state.where(command) + " comes before any bindPipeline; bind a pipeline first");
        }
        return pipeline;
    }

    private static String name(@Nullable VulkanPipeline pipeline) {
        return pipeline == null ? "" : pipeline.name();
    }
}
