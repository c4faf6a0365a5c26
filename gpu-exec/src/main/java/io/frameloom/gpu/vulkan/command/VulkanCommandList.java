package io.frameloom.gpu.vulkan.command;

import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.IndexType;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.Pipeline;
import io.frameloom.gpu.record.CommandLog;
import io.frameloom.gpu.record.DrawRules;
import io.frameloom.gpu.record.RecordingRules;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.FormatSupport;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.pipeline.DescriptorBinder;
import io.frameloom.gpu.vulkan.pipeline.PipelineInterface;
import io.frameloom.gpu.vulkan.pipeline.VulkanBindingSet;
import io.frameloom.gpu.vulkan.pipeline.VulkanPipeline;
import io.frameloom.gpu.vulkan.resource.Handles;
import io.frameloom.gpu.vulkan.resource.VulkanBuffer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VK13;

/** A command buffer being recorded: pipelines, bindings, draws and dispatches on top of render passes and transfers. */
public final class VulkanCommandList extends VulkanRenderingRecording {
    private final DescriptorBinder binder;
    private final DrawRules draws;
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
            @Nullable CommandLog log) {
        super(core, context, slot, queue, rules, formats, uses, log);
        this.binder = slot.binder();
        this.draws = new DrawRules(rules);
    }

    @Override
    void begin() {
        super.begin();
        binder.begin();
    }

    @Override
    void recycle() {
        super.recycle();
        pipeline = null;
        pushed = 0;
        draws.forget();
    }

    @Override
    void layoutsChanged() {
        binder.layoutsChanged();
    }

    @Override
    void forget() {
        super.forget();
        pipeline = null;
        pushed = 0;
        binder.begin();
        draws.forget();
    }

    @Override
    public void bindPipeline(Pipeline next) {
        rules.requireRecording("bindPipeline");
        if (!(next instanceof VulkanPipeline ours) || !ours.belongsTo(core)) {
            throw new IllegalArgumentException(
                    rules.where("bindPipeline") + ": pipeline '" + next.name() + "' is of another device");
        }
        if (ours.isClosed()) {
            throw new IllegalStateException(
                    rules.where("bindPipeline") + ": pipeline '" + next.name() + "' is closed; bind an open one");
        }
        rules.requireQueue(
                "bindPipeline", ours instanceof VulkanPipeline.Graphics ? QueueKind.GRAPHICS : QueueKind.COMPUTE);
        pipeline = ours;
        pushed = 0;
        if (ours instanceof VulkanPipeline.Graphics graphics) {
            dynamics.bound(graphics);
        }
        binder.bind(ours.layout());
        mentions.add(ours);
        VK13.vkCmdBindPipeline(handle, ours.layout().bindPoint(), ours.handle());
    }

    @Override
    public void bindTexture(String name, TextureView view, Sampler sampler) {
        bindTexture(name, 0, view, sampler);
    }

    @Override
    public void bindTexture(String name, int index, TextureView view, Sampler sampler) {
        rules.requireRecording("bindTexture");
        requirePipeline("bindTexture");
        binder.texture(name, index, view, sampler, layouts);
    }

    @Override
    public void bindTexture(String name, TextureView view) {
        bindTexture(name, 0, view);
    }

    @Override
    public void bindTexture(String name, int index, TextureView view) {
        rules.requireRecording("bindTexture");
        requirePipeline("bindTexture");
        binder.sampledImage(name, index, view, layouts);
    }

    @Override
    public void bindSampler(String name, Sampler sampler) {
        bindSampler(name, 0, sampler);
    }

    @Override
    public void bindSampler(String name, int index, Sampler sampler) {
        rules.requireRecording("bindSampler");
        requirePipeline("bindSampler");
        binder.sampler(name, index, sampler);
    }

    @Override
    public void bindStorageTexture(String name, TextureView view) {
        bindStorageTexture(name, 0, view);
    }

    @Override
    public void bindStorageTexture(String name, int index, TextureView view) {
        rules.requireRecording("bindStorageTexture");
        requirePipeline("bindStorageTexture");
        binder.storageTexture(name, index, view, layouts);
    }

    @Override
    public void bindBuffer(String name, Buffer buffer, long offset, long bytes) {
        bindBuffer(name, 0, buffer, offset, bytes);
    }

    @Override
    public void bindBuffer(String name, int index, Buffer buffer, long offset, long bytes) {
        rules.requireRecording("bindBuffer");
        requirePipeline("bindBuffer");
        binder.buffer(name, index, buffer, offset, bytes);
    }

    @Override
    public void bindSet(BindingSet set) {
        rules.requireRecording("bindSet");
        if (!(set instanceof VulkanBindingSet ours) || !ours.belongsTo(core)) {
            throw new IllegalArgumentException(
                    rules.where("bindSet") + ": binding set '" + set.name() + "' is of another device");
        }
        requirePipelineOpen("bindSet");
        binder.set(ours);
    }

    @Override
    public void pushConstants(ByteBuffer data) {
        rules.requireRecording("pushConstants");
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
    public void bindVertexBuffer(int binding, Buffer buffer, long offset) {
        VulkanBuffer ours = Handles.buffer(core, rules.list(), buffer);
        draws.bindVertexBuffer(binding, buffer, offset);
        long pair = scratch.zeroed(2 * Long.BYTES);
        MemoryUtil.memPutLong(pair, ours.handle());
        MemoryUtil.memPutLong(pair + Long.BYTES, offset);
        mentions.name(ours);
        VK13.nvkCmdBindVertexBuffers(handle, binding, 1, pair, pair + Long.BYTES);
    }

    @Override
    public void bindIndexBuffer(Buffer buffer, long offset, IndexType type) {
        VulkanBuffer ours = Handles.buffer(core, rules.list(), buffer);
        draws.bindIndexBuffer(buffer, offset, type);
        mentions.name(ours);
        VK13.vkCmdBindIndexBuffer(
                handle,
                ours.handle(),
                offset,
                type == IndexType.UINT16 ? VK13.VK_INDEX_TYPE_UINT16 : VK13.VK_INDEX_TYPE_UINT32);
    }

    @Override
    public void draw(int vertexCount, int instanceCount, int firstVertex, int firstInstance) {
        draws.draw(beforeDraw("draw"), vertexCount, instanceCount, firstVertex, firstInstance);
        flushDraw("draw");
        VK13.vkCmdDraw(handle, vertexCount, instanceCount, firstVertex, firstInstance);
    }

    @Override
    public void drawIndexed(int indexCount, int instanceCount, int firstIndex, int vertexOffset, int firstInstance) {
        draws.drawIndexed(beforeDraw("drawIndexed"), indexCount, instanceCount, firstIndex, firstInstance);
        flushDraw("drawIndexed");
        VK13.vkCmdDrawIndexed(handle, indexCount, instanceCount, firstIndex, vertexOffset, firstInstance);
    }

    @Override
    public void drawIndirect(Buffer arguments, long offset, int drawCount, int stride) {
        GraphicsPipelineDescription graphics = beforeDraw("drawIndirect");
        VulkanBuffer ours = Handles.buffer(core, rules.list(), arguments);
        draws.drawIndirect("drawIndirect", graphics, false, arguments, offset, drawCount, stride);
        flushDraw("drawIndirect");
        mentions.add(ours);
        VK13.vkCmdDrawIndirect(handle, ours.handle(), offset, drawCount, stride);
    }

    @Override
    public void drawIndexedIndirect(Buffer arguments, long offset, int drawCount, int stride) {
        GraphicsPipelineDescription graphics = beforeDraw("drawIndexedIndirect");
        VulkanBuffer ours = Handles.buffer(core, rules.list(), arguments);
        draws.drawIndirect("drawIndexedIndirect", graphics, true, arguments, offset, drawCount, stride);
        flushDraw("drawIndexedIndirect");
        mentions.add(ours);
        VK13.vkCmdDrawIndexedIndirect(handle, ours.handle(), offset, drawCount, stride);
    }

    @Override
    public void drawIndirectCount(
            Buffer arguments, long offset, Buffer count, long countOffset, int maxDraws, int stride) {
        String command = "drawIndirectCount";
        GraphicsPipelineDescription graphics = beforeDraw(command);
        VulkanBuffer ours = Handles.buffer(core, rules.list(), arguments);
        VulkanBuffer number = Handles.buffer(core, rules.list(), count);
        draws.drawIndirectCount(command, graphics, false, arguments, offset, count, countOffset, maxDraws, stride);
        flushDraw(command);
        mentions.add(ours);
        mentions.add(number);
        VK13.vkCmdDrawIndirectCount(handle, ours.handle(), offset, number.handle(), countOffset, maxDraws, stride);
    }

    @Override
    public void drawIndexedIndirectCount(
            Buffer arguments, long offset, Buffer count, long countOffset, int maxDraws, int stride) {
        String command = "drawIndexedIndirectCount";
        GraphicsPipelineDescription graphics = beforeDraw(command);
        VulkanBuffer ours = Handles.buffer(core, rules.list(), arguments);
        VulkanBuffer number = Handles.buffer(core, rules.list(), count);
        draws.drawIndirectCount(command, graphics, true, arguments, offset, count, countOffset, maxDraws, stride);
        flushDraw(command);
        mentions.add(ours);
        mentions.add(number);
        VK13.vkCmdDrawIndexedIndirectCount(
                handle, ours.handle(), offset, number.handle(), countOffset, maxDraws, stride);
    }

    private GraphicsPipelineDescription beforeDraw(String command) {
        rules.requireInside(command);
        VulkanPipeline bound = requirePipeline(command);
        if (!(bound instanceof VulkanPipeline.Graphics graphics)) {
            throw new IllegalStateException(
                    rules.where(command) + " needs a graphics pipeline, '" + bound.name() + "' is a compute pipeline");
        }
        return graphics.description();
    }

    private void flushDraw(String command) {
        flush(command);
        if (pipeline instanceof VulkanPipeline.Graphics graphics) {
            dynamics.flush(handle, scratch, graphics);
        }
    }

    private void flush(String command) {
        binder.flush(handle, mentions, layouts, rules.list(), command);
        VulkanPipeline bound = pipeline;
        if (bound != null && pushed < bound.layout().pushConstantBytes()) {
            throw new IllegalStateException(rules.where(command) + " of pipeline '" + bound.name() + "' needs "
                    + bound.layout().pushConstantBytes() + " bytes of push constants, " + pushed + " are set");
        }
    }

    @Override
    public void dispatch(int groupsX, int groupsY, int groupsZ) {
        requireCompute("dispatch");
        draws.dispatch(groupsX, groupsY, groupsZ);
        flush("dispatch");
        VK13.vkCmdDispatch(handle, groupsX, groupsY, groupsZ);
    }

    @Override
    public void dispatchIndirect(Buffer arguments, long offset) {
        requireCompute("dispatchIndirect");
        VulkanBuffer ours = Handles.buffer(core, rules.list(), arguments);
        draws.dispatchIndirect(arguments, offset);
        flush("dispatchIndirect");
        mentions.add(ours);
        VK13.vkCmdDispatchIndirect(handle, ours.handle(), offset);
    }

    private void requireCompute(String command) {
        draws.beforeDispatch(command);
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
}
