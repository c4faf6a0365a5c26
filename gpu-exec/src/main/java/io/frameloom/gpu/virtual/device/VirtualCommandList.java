package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.command.IndexType;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.Pipeline;
import io.frameloom.gpu.record.DrawRules;
import io.frameloom.gpu.record.RecordingRules;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.virtual.memory.CostModel;
import io.frameloom.gpu.virtual.memory.Mix;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A command list of the virtual device: render passes, pipelines, bindings, draws and dispatches on top of transfers. */
final class VirtualCommandList extends VirtualTransferRecording {
    private final PipelineBindings bindings;
    private final DrawRules drawRules;
    /** Clears of attachments; they get the attachments when the render pass is known. */
    private final List<Consumer<RenderingInfo>> clears = new ArrayList<>();

    private long draws;
    private long vertices;
    private long digest;

    VirtualCommandList(
            SimulatedDevice device,
            VirtualFrameContext context,
            VirtualQueue queue,
            RecordingRules rules,
            List<ResourceUse> uses) {
        super(device, context, queue, rules, uses);
        this.bindings = new PipelineBindings(rules.list(), mentions, layouts);
        this.drawRules = new DrawRules(rules);
    }

    @Override
    void take(VirtualRecording secondary) {
        VirtualCommandList list = (VirtualCommandList) secondary;
        draws += list.draws;
        vertices = CostModel.sum(vertices, list.vertices);
        digest = Mix.mix(digest, list.digest);
        clears.addAll(list.clears);
    }

    @Override
    void forget() {
        bindings.forget();
        drawRules.forget();
    }

    @Override
    public void beginRendering(RenderingInfo info) {
        rules.requireOutside("beginRendering");
        for (RenderingInfo.ColorAttachment color : info.colors()) {
            own(color.view().texture());
            TextureView resolve = color.resolve();
            if (resolve != null) {
                own(resolve.texture());
            }
        }
        RenderingInfo.DepthAttachment depth = info.depth();
        if (depth != null) {
            own(depth.view().texture());
            own(depth.resolve());
        }
        RenderingInfo.StencilAttachment stencil = info.stencil();
        if (stencil != null) {
            own(stencil.view().texture());
            own(stencil.resolve());
        }
        renderingRules.begin(info);
        mention(info);
        draws = 0;
        vertices = 0;
        digest = 0;
        clears.clear();
    }

    private void own(RenderingInfo.@Nullable DepthResolve resolve) {
        if (resolve != null) {
            own(resolve.view().texture());
        }
    }

    private void mention(RenderingInfo info) {
        for (RenderingInfo.ColorAttachment color : info.colors()) {
            mentions.add((VirtualTexture) color.view().texture());
            TextureView resolve = color.resolve();
            if (resolve != null) {
                mentions.add((VirtualTexture) resolve.texture());
            }
        }
        RenderingInfo.DepthAttachment depth = info.depth();
        if (depth != null) {
            mentions.add((VirtualTexture) depth.view().texture());
            mention(depth.resolve());
        }
        RenderingInfo.StencilAttachment stencil = info.stencil();
        if (stencil != null) {
            mentions.add((VirtualTexture) stencil.view().texture());
            mention(stencil.resolve());
        }
    }

    private void mention(RenderingInfo.@Nullable DepthResolve resolve) {
        if (resolve != null) {
            mentions.add((VirtualTexture) resolve.view().texture());
        }
    }

    @Override
    public void endRendering() {
        RenderingInfo info = rules.rendering();
        boolean empty = rules.endRendering();
        noteRendered(info, empty);
        if (info != null) {
            List<Runnable> bound = new ArrayList<>();
            clears.forEach(clear -> bound.add(() -> clear.accept(info)));
            ops.add(new Op.Render(info, draws, vertices, digest, bound));
        }
    }

    @Override
    public void clearColorAttachment(
            int attachment, RenderingInfo.ClearColor color, int x, int y, int width, int height) {
        renderingRules.clearColor(attachment, x, y, width, height);
        digest = Mix.mix(digest, color.hashCode() * 31L + attachment);
        clears.add(info -> Attachments.clear(info, attachment, color, x, y, width, height));
    }

    @Override
    public void clearDepthStencilAttachment(
            boolean clearDepth, float depth, boolean clearStencil, int stencil, int x, int y, int width, int height) {
        renderingRules.clearDepthStencil(clearDepth, depth, clearStencil, stencil, x, y, width, height);
        digest = Mix.mix(digest, Float.floatToIntBits(depth) * 31L + stencil);
        RenderingInfo.ClearColor values = new RenderingInfo.ClearColor(depth, stencil, 0, 0);
        clears.add(info -> Attachments.clear(info, clearDepth, clearStencil, values, x, y, width, height));
    }

    @Override
    public void setViewport(float x, float y, float width, float height, float minDepth, float maxDepth) {
        renderingRules.viewport(x, y, width, height, minDepth, maxDepth);
        digest = Mix.mix(digest, Float.floatToIntBits(x) * 31L + Float.floatToIntBits(y));
        digest = Mix.mix(digest, Float.floatToIntBits(width) * 31L + Float.floatToIntBits(height));
        digest = Mix.mix(digest, Float.floatToIntBits(minDepth) * 31L + Float.floatToIntBits(maxDepth));
    }

    @Override
    public void setScissor(int x, int y, int width, int height) {
        renderingRules.scissor(x, y, width, height);
        digest = Mix.mix(digest, Mix.mix(x * 31L + y, width * 31L + height));
    }

    @Override
    public void setStencilReference(int reference) {
        renderingRules.stencilReference(reference);
        digest = Mix.mix(digest, reference);
    }

    @Override
    public void setBlendConstants(float red, float green, float blue, float alpha) {
        rules.requireRecording("setBlendConstants");
        digest = Mix.mix(digest, Float.floatToIntBits(red) * 31L + Float.floatToIntBits(green));
        digest = Mix.mix(digest, Float.floatToIntBits(blue) * 31L + Float.floatToIntBits(alpha));
    }

    @Override
    public void setDepthBias(float constant, float slope, float clamp) {
        renderingRules.depthBias(constant, slope, clamp);
        digest = Mix.mix(digest, Float.floatToIntBits(constant) * 31L + Float.floatToIntBits(slope));
        digest = Mix.mix(digest, Float.floatToIntBits(clamp));
    }

    @Override
    public void setLineWidth(float width) {
        renderingRules.lineWidth(width);
        digest = Mix.mix(digest, Float.floatToIntBits(width));
    }

    @Override
    public void bindPipeline(Pipeline newPipeline) {
        rules.requireRecording("bindPipeline");
        if (!(newPipeline instanceof VirtualPipeline own) || own.device() != device) {
            throw new IllegalArgumentException(
                    rules.where("bindPipeline") + ": pipeline '" + newPipeline.name() + "' is of another device");
        }
        if (own.isClosed()) {
            throw new IllegalStateException(
                    rules.where("bindPipeline") + ": pipeline '" + own.name() + "' is closed; bind an open one");
        }
        rules.requireQueue(
                "bindPipeline", newPipeline instanceof GraphicsPipeline ? QueueKind.GRAPHICS : QueueKind.COMPUTE);
        bindings.bind(own);
        mentions.add(own);
    }

    @Override
    public void bindTexture(String name, TextureView view, Sampler sampler) {
        bindTexture(name, 0, view, sampler);
    }

    @Override
    public void bindTexture(String name, int index, TextureView view, Sampler sampler) {
        rules.requireRecording("bindTexture");
        bindings.bind("bindTexture", name, index, new BoundResource.SampledTexture(view, sampler));
    }

    @Override
    public void bindTexture(String name, TextureView view) {
        bindTexture(name, 0, view);
    }

    @Override
    public void bindTexture(String name, int index, TextureView view) {
        rules.requireRecording("bindTexture");
        bindings.bind("bindTexture", name, index, new BoundResource.SampledImage(view));
    }

    @Override
    public void bindSampler(String name, Sampler sampler) {
        bindSampler(name, 0, sampler);
    }

    @Override
    public void bindSampler(String name, int index, Sampler sampler) {
        rules.requireRecording("bindSampler");
        bindings.bind("bindSampler", name, index, new BoundResource.SeparateSampler(sampler));
    }

    @Override
    public void bindStorageTexture(String name, TextureView view) {
        bindStorageTexture(name, 0, view);
    }

    @Override
    public void bindStorageTexture(String name, int index, TextureView view) {
        rules.requireRecording("bindStorageTexture");
        bindings.bind("bindStorageTexture", name, index, new BoundResource.StorageTexture(view));
    }

    @Override
    public void bindBuffer(String name, Buffer buffer, long offset, long bytes) {
        bindBuffer(name, 0, buffer, offset, bytes);
    }

    @Override
    public void bindBuffer(String name, int index, Buffer buffer, long offset, long bytes) {
        rules.requireRecording("bindBuffer");
        bindings.bind("bindBuffer", name, index, new BoundResource.BufferRange(buffer, offset, bytes));
    }

    @Override
    public void bindSet(BindingSet set) {
        rules.requireRecording("bindSet");
        if (!(set instanceof VirtualBindingSet own) || own.device() != device) {
            throw new IllegalArgumentException(
                    rules.where("bindSet") + ": binding set '" + set.name() + "' is of another device");
        }
        if (own.isClosed()) {
            throw new IllegalStateException(
                    rules.where("bindSet") + ": binding set '" + set.name() + "' is closed; bind an open one");
        }
        bindings.bind(own);
    }

    @Override
    public void pushConstants(ByteBuffer data) {
        rules.requireRecording("pushConstants");
        bindings.pushConstants(data);
    }

    @Override
    public void bindVertexBuffer(int binding, Buffer buffer, long offset) {
        VirtualBuffer own = own(buffer);
        drawRules.bindVertexBuffer(binding, buffer, offset);
        mentions.name(own);
    }

    @Override
    public void bindIndexBuffer(Buffer buffer, long offset, IndexType type) {
        VirtualBuffer own = own(buffer);
        drawRules.bindIndexBuffer(buffer, offset, type);
        mentions.name(own);
    }

    @Override
    public void draw(int vertexCount, int instanceCount, int firstVertex, int firstInstance) {
        drawRules.draw(graphics("draw"), vertexCount, instanceCount, firstVertex, firstInstance);
        drawn(vertexCount, instanceCount, Mix.mix(firstVertex, firstInstance));
    }

    @Override
    public void drawIndexed(int indexCount, int instanceCount, int firstIndex, int vertexOffset, int firstInstance) {
        drawRules.drawIndexed(graphics("drawIndexed"), indexCount, instanceCount, firstIndex, firstInstance);
        drawn(indexCount, instanceCount, Mix.mix(Mix.mix(firstIndex, vertexOffset), firstInstance));
    }

    @Override
    public void drawIndirect(Buffer arguments, long offset, int drawCount, int stride) {
        indirect("drawIndirect", false, arguments, offset, drawCount, stride);
    }

    @Override
    public void drawIndexedIndirect(Buffer arguments, long offset, int drawCount, int stride) {
        indirect("drawIndexedIndirect", true, arguments, offset, drawCount, stride);
    }

    private void indirect(String command, boolean indexed, Buffer arguments, long offset, int drawCount, int stride) {
        VirtualBuffer own = own(arguments);
        drawRules.drawIndirect(command, graphics(command), indexed, arguments, offset, drawCount, stride);
        mentions.add(own);
        drawn(drawCount, 1, Mix.mix(Mix.mix(offset, stride), arguments.name()));
    }

    @Override
    public void drawIndirectCount(
            Buffer arguments, long offset, Buffer count, long countOffset, int maxDraws, int stride) {
        indirectCount("drawIndirectCount", false, arguments, offset, count, countOffset, maxDraws, stride);
    }

    @Override
    public void drawIndexedIndirectCount(
            Buffer arguments, long offset, Buffer count, long countOffset, int maxDraws, int stride) {
        indirectCount("drawIndexedIndirectCount", true, arguments, offset, count, countOffset, maxDraws, stride);
    }

    private void indirectCount(
            String command,
            boolean indexed,
            Buffer arguments,
            long offset,
            Buffer count,
            long countOffset,
            int maxDraws,
            int stride) {
        VirtualBuffer own = own(arguments);
        VirtualBuffer number = own(count);
        drawRules.drawIndirectCount(
                command, graphics(command), indexed, arguments, offset, count, countOffset, maxDraws, stride);
        mentions.add(own);
        mentions.add(number);
        drawn(maxDraws, 1, digestOf(offset, stride, countOffset, arguments.name(), count.name()));
    }

    private static long digestOf(long offset, int stride, long countOffset, String arguments, String count) {
        return Mix.mix(Mix.mix(Mix.mix(Mix.mix(offset, stride), countOffset), arguments), count);
    }

    private GraphicsPipelineDescription graphics(String command) {
        rules.requireInside(command);
        return bindings.forDraw(command).description();
    }

    private void drawn(long count, long instances, long what) {
        if (count == 0 || instances == 0) {
            return;
        }
        draws++;
        vertices = CostModel.sum(vertices, count * instances);
        digest = Mix.mix(Mix.mix(digest, bindings.name()), Mix.mix(what, count * 31 + instances));
    }

    @Override
    public void dispatch(int groupsX, int groupsY, int groupsZ) {
        drawRules.beforeDispatch("dispatch");
        drawRules.dispatch(groupsX, groupsY, groupsZ);
        ops.add(bindings.forDispatch("dispatch", groupsX, groupsY, groupsZ, null));
    }

    @Override
    public void dispatchIndirect(Buffer arguments, long offset) {
        drawRules.beforeDispatch("dispatchIndirect");
        VirtualBuffer own = own(arguments);
        drawRules.dispatchIndirect(arguments, offset);
        ops.add(bindings.forDispatch("dispatchIndirect", 0, 0, 0, new Op.Groups(own, offset)));
        mentions.add(own);
    }
}
