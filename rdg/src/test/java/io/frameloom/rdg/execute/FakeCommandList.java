package io.frameloom.rdg.execute;

import io.frameloom.gpu.command.AccelerationStructureBuild;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.DeviceEventSet;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.IndexType;
import io.frameloom.gpu.command.QuerySet;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.internal.PassParts;
import io.frameloom.gpu.internal.RepeatedCommand;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BindlessTable;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.Pipeline;
import io.frameloom.gpu.pipeline.RasterState;
import io.frameloom.gpu.pipeline.ShaderBindingTable;
import io.frameloom.gpu.pipeline.ShaderSlot;
import io.frameloom.gpu.pipeline.StencilState;
import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureView;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A command list that keeps its commands as text and refuses commands in the wrong place. */
final class FakeCommandList implements CommandList, PassParts {
    private record Stamp(FakeDevice.FakeTimestamps set, int index) {}

    private final GpuQueue queue;
    private final String label;
    private final List<String> operations = new ArrayList<>();
    private final List<BarrierBatch.Scope> globals = new ArrayList<>();
    private final List<Stamp> stamps = new ArrayList<>();
    private boolean inPass;
    private boolean inRendering;
    private boolean ended;
    private volatile boolean pending;

    FakeCommandList(GpuQueue queue, String label) {
        this.queue = queue;
        this.label = label;
    }

    List<String> operations() {
        return operations;
    }

    /** Returns the scopes of the barriers of all memory. */
    List<BarrierBatch.Scope> globals() {
        return globals;
    }

    boolean isPending() {
        return pending;
    }

    void submit(FakeDevice device) {
        if (!ended || pending) {
            throw new IllegalStateException("'" + label + "' is submitted twice or before its end");
        }
        pending = true;
        stamps.forEach(stamp -> stamp.set.set(stamp.index, device.tick()));
    }

    void complete() {
        pending = false;
    }

    private void check(boolean right, String what) {
        if (!right || ended) {
            throw new IllegalStateException(what + " in the wrong place of '" + label + "'");
        }
    }

    private void add(String operation) {
        check(true, operation);
        operations.add(operation);
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
    public void beginPass(String name, List<ResourceUse> uses) {
        check(!inPass, "beginPass");
        inPass = true;
        add("pass " + name);
    }

    @Override
    public void endPass() {
        check(inPass && !inRendering, "endPass");
        inPass = false;
        add("end");
    }

    @Override
    public void keep(int attachments) {}

    @Override
    public void beginPart() {
        check(inPass, "beginPart");
    }

    @Override
    public void discard(List<ResourceUse> uses) {
        check(!inPass, "discard");
    }

    @Override
    public void endPart() {
        check(inPass, "endPart");
    }

    @Override
    public void barrier(BarrierBatch batch) {
        check(!inPass, "barrier");
        for (BarrierBatch.GlobalBarrier global : batch.globals()) {
            globals.add(global.scope());
            add(global.equals(BarrierBatch.GlobalBarrier.FULL) ? "full barrier" : "global barrier");
        }
        for (BarrierBatch.TextureBarrier texture : batch.textures()) {
            add("barrier " + texture.texture().name() + " " + texture.oldLayout() + "->" + texture.newLayout());
        }
        for (BarrierBatch.BufferBarrier buffer : batch.buffers()) {
            add("barrier " + buffer.buffer().name());
        }
    }

    @Override
    public void setEvent(DeviceEventSet events, int index, BarrierBatch batch) {
        half("set", index, batch);
    }

    @Override
    public void waitEvent(DeviceEventSet events, int index, BarrierBatch batch) {
        half("wait", index, batch);
    }

    private void half(String what, int index, BarrierBatch batch) {
        check(!inPass && !batch.isEmpty(), what);
        for (BarrierBatch.TextureBarrier texture : batch.textures()) {
            add(what + " " + index + " " + texture.texture().name() + " " + texture.oldLayout() + "->"
                    + texture.newLayout());
        }
        for (BarrierBatch.BufferBarrier buffer : batch.buffers()) {
            add(what + " " + index + " " + buffer.buffer().name());
        }
    }

    @Override
    public void beginRendering(RenderingInfo info) {
        check(inPass && !inRendering, "beginRendering");
        inRendering = true;
        add("rendering " + info.width() + "x" + info.height());
    }

    @Override
    public void barrier(RepeatedCommand<BarrierBatch> barriers) {
        barrier(barriers.command());
    }

    @Override
    public void beginPass(String name, RepeatedCommand<List<ResourceUse>> uses) {
        beginPass(name, uses.command());
    }

    @Override
    public void beginRendering(RepeatedCommand<RenderingInfo> rendering) {
        beginRendering(rendering.command());
    }

    @Override
    public void endRendering() {
        check(inRendering, "endRendering");
        inRendering = false;
        add("end rendering");
    }

    @Override
    public void setViewport(int index, float x, float y, float width, float height, float minDepth, float maxDepth) {
        add("viewport");
    }

    @Override
    public void setScissor(int index, int x, int y, int width, int height) {
        add("scissor");
    }

    @Override
    public void bindPipeline(Pipeline pipeline) {
        add("pipeline");
    }

    @Override
    public void bindTexture(String name, TextureView view, Sampler sampler) {
        add("texture " + name);
    }

    @Override
    public void bindTexture(String name, TextureView view) {
        add("texture " + name);
    }

    @Override
    public void bindTexture(String name, int index, TextureView view) {
        add("texture " + name + index);
    }

    @Override
    public void bindSampler(String name, Sampler sampler) {
        add("sampler " + name);
    }

    @Override
    public void bindSampler(String name, int index, Sampler sampler) {
        add("sampler " + name + index);
    }

    @Override
    public void bindStorageTexture(String name, TextureView view) {
        add("storage texture " + name);
    }

    @Override
    public void bindBuffer(String name, Buffer buffer, long offset, long bytes) {
        add("buffer " + name);
    }

    @Override
    public void bindTexture(ShaderSlot slot, TextureView view, Sampler sampler) {
        bindTexture(slot.binding().name(), view, sampler);
    }

    @Override
    public void bindTexture(ShaderSlot slot, TextureView view) {
        bindTexture(slot.binding().name(), view);
    }

    @Override
    public void bindSampler(ShaderSlot slot, Sampler sampler) {
        bindSampler(slot.binding().name(), sampler);
    }

    @Override
    public void bindStorageTexture(ShaderSlot slot, TextureView view) {
        bindStorageTexture(slot.binding().name(), view);
    }

    @Override
    public void bindBuffer(ShaderSlot slot, Buffer buffer, long offset, long bytes) {
        bindBuffer(slot.binding().name(), buffer, offset, bytes);
    }

    @Override
    public void bindSet(BindingSet set) {
        add("set " + set.name());
    }

    @Override
    public void bindTable(BindlessTable table) {
        add("table " + table.name());
    }

    @Override
    public void pushConstants(ByteBuffer data) {
        add("push " + data.remaining());
    }

    @Override
    public void bindVertexBuffer(int binding, Buffer buffer, long offset) {
        add("vertices");
    }

    @Override
    public void bindIndexBuffer(Buffer buffer, long offset, IndexType type) {
        add("indices");
    }

    @Override
    public void draw(int vertexCount, int instanceCount, int firstVertex, int firstInstance) {
        check(inRendering, "draw");
        add("draw " + vertexCount);
    }

    @Override
    public void drawIndexed(int indexCount, int instanceCount, int firstIndex, int vertexOffset, int firstInstance) {
        check(inRendering, "drawIndexed");
        add("draw indexed " + indexCount);
    }

    @Override
    public void dispatch(int groupsX, int groupsY, int groupsZ) {
        check(inPass && !inRendering, "dispatch");
        add("dispatch " + groupsX);
    }

    @Override
    public void copyBuffer(Buffer source, long sourceOffset, Buffer destination, long destinationOffset, long bytes) {
        add("copy " + source.name() + (sourceOffset == 0 ? "" : " from " + sourceOffset) + " to " + destination.name());
    }

    @Override
    public void copyBufferToTexture(Buffer source, long sourceOffset, Texture destination, int mip, int layer) {
        add("copy " + source.name() + " to " + destination.name());
    }

    @Override
    public void copyTextureToBuffer(Texture source, int mip, int layer, Buffer destination, long destinationOffset) {
        add("copy " + source.name() + " to " + destination.name());
    }

    @Override
    public void copyTexture(Texture source, Texture destination) {
        add("copy " + source.name() + " to " + destination.name());
    }

    @Override
    public void fillBuffer(Buffer destination, long offset, long bytes, int word) {
        add("fill " + destination.name() + " " + word);
    }

    @Override
    public void clearTexture(Texture destination, SubresourceRange range, RenderingInfo.ClearColor color) {
        add("clear " + destination.name());
    }

    @Override
    public void writeTimestamp(TimestampSet timestamps, int index) {
        check(!inRendering, "writeTimestamp");
        stamps.add(new Stamp((FakeDevice.FakeTimestamps) timestamps, index));
    }

    @Override
    public void beginConditionalRendering(Buffer condition, long offset, boolean inverted) {
        throw new UnsupportedOperationException("the fake device has no conditions");
    }

    @Override
    public void endConditionalRendering() {
        throw new UnsupportedOperationException("the fake device has no conditions");
    }

    @Override
    public void beginQuery(QuerySet queries, int index) {
        throw new UnsupportedOperationException("the fake device has no queries");
    }

    @Override
    public void endQuery(QuerySet queries) {
        throw new UnsupportedOperationException("the fake device has no queries");
    }

    @Override
    public void bindAccelerationStructure(String name, AccelerationStructure structure) {
        throw noStructures();
    }

    @Override
    public void bindAccelerationStructure(String name, int index, AccelerationStructure structure) {
        throw noStructures();
    }

    @Override
    public void bindAccelerationStructure(ShaderSlot slot, AccelerationStructure structure) {
        throw noStructures();
    }

    @Override
    public void buildAccelerationStructure(AccelerationStructureBuild build) {
        throw noStructures();
    }

    @Override
    public void copyAccelerationStructure(
            AccelerationStructure source, AccelerationStructure destination, AccelerationStructure.CopyMode mode) {
        throw noStructures();
    }

    @Override
    public void serializeAccelerationStructure(AccelerationStructure source, Buffer destination, long offset) {
        throw noStructures();
    }

    @Override
    public void deserializeAccelerationStructure(Buffer source, long offset, AccelerationStructure destination) {
        throw noStructures();
    }

    @Override
    public void measureAccelerationStructure(AccelerationStructure structure, QuerySet queries, int index) {
        throw noStructures();
    }

    private static UnsupportedOperationException noStructures() {
        return new UnsupportedOperationException("the fake device has no acceleration structures");
    }

    @Override
    public void copyQueries(QuerySet queries, int first, int count, Buffer destination, long offset) {
        throw new UnsupportedOperationException("the fake device has no queries");
    }

    @Override
    public void beginLabel(String name) {
        add("label " + name);
    }

    @Override
    public void endLabel() {
        add("end label");
    }

    @Override
    public void insertLabel(String name) {
        add("mark " + name);
    }

    @Override
    public void clearColorAttachment(
            int attachment, RenderingInfo.ClearColor color, int x, int y, int width, int height) {
        add("clear attachment " + attachment);
    }

    @Override
    public void clearDepthStencilAttachment(
            boolean clearDepth, float depth, boolean clearStencil, int stencil, int x, int y, int width, int height) {
        add("clear depth");
    }

    @Override
    public void execute(List<CommandList> secondaries) {
        add("execute " + secondaries.size());
    }

    @Override
    public void setStencilReference(int reference) {
        add("stencil reference " + reference);
    }

    @Override
    public void setBlendConstants(float red, float green, float blue, float alpha) {
        add("blend constants");
    }

    @Override
    public void setDepthBias(float constant, float slope, float clamp) {
        add("depth bias " + constant + " " + slope + " " + clamp);
    }

    @Override
    public void setLineWidth(float width) {
        add("line width " + width);
    }

    @Override
    public void setCullMode(GraphicsPipelineDescription.CullMode cull) {
        add("cull " + cull);
    }

    @Override
    public void setFrontFace(RasterState.FrontFace front) {
        add("front " + front);
    }

    @Override
    public void setTopology(RasterState.Topology topology) {
        add("topology " + topology);
    }

    @Override
    public void setDepthTest(GraphicsPipelineDescription.@Nullable DepthState test) {
        add("depth test");
    }

    @Override
    public void setVertexInput(List<GraphicsPipelineDescription.VertexBuffer> buffers) {
        add("vertex input");
    }

    @Override
    public void setStencilTest(@Nullable StencilState test) {
        add("stencil test");
    }

    @Override
    public void bindTexture(String name, int index, TextureView view, Sampler sampler) {
        add("texture " + name + index);
    }

    @Override
    public void bindStorageTexture(String name, int index, TextureView view) {
        add("storage texture " + name + index);
    }

    @Override
    public void bindBuffer(String name, int index, Buffer buffer, long offset, long bytes) {
        add("buffer " + name + index);
    }

    @Override
    public void drawIndirect(Buffer arguments, long offset, int draws, int stride) {
        add("draw indirect " + draws);
    }

    @Override
    public void drawIndexedIndirect(Buffer arguments, long offset, int draws, int stride) {
        add("draw indexed indirect " + draws);
    }

    @Override
    public void drawIndirectCount(
            Buffer arguments, long offset, Buffer count, long countOffset, int maxDraws, int stride) {
        add("draw indirect count " + maxDraws);
    }

    @Override
    public void drawIndexedIndirectCount(
            Buffer arguments, long offset, Buffer count, long countOffset, int maxDraws, int stride) {
        add("draw indexed indirect count " + maxDraws);
    }

    @Override
    public void drawMeshTasks(int groupsX, int groupsY, int groupsZ) {
        add("draw mesh tasks " + groupsX);
    }

    @Override
    public void drawMeshTasksIndirect(Buffer arguments, long offset, int draws, int stride) {
        add("draw mesh tasks indirect " + draws);
    }

    @Override
    public void drawMeshTasksIndirectCount(
            Buffer arguments, long offset, Buffer count, long countOffset, int maxDraws, int stride) {
        add("draw mesh tasks indirect count " + maxDraws);
    }

    @Override
    public void dispatchIndirect(Buffer arguments, long offset) {
        add("dispatch indirect " + arguments.name());
    }

    @Override
    public void traceRays(ShaderBindingTable table, Buffer memory, long offset, int width, int height, int depth) {
        add("trace " + memory.name());
    }

    @Override
    public void traceRaysIndirect(
            ShaderBindingTable table, Buffer memory, long offset, Buffer arguments, long argumentOffset) {
        add("trace indirect " + arguments.name());
    }

    @Override
    public void copyBufferToTexture(Buffer source, TexelLayout layout, Texture destination, TextureRegion region) {
        add("copy " + source.name() + " to " + destination.name());
    }

    @Override
    public void copyTextureToBuffer(Texture source, TextureRegion region, Buffer destination, TexelLayout layout) {
        add("copy " + source.name() + " to " + destination.name());
    }

    @Override
    public void copyTexture(Texture source, TextureRegion from, Texture destination, TextureRegion to) {
        add("copy " + source.name() + " to " + destination.name());
    }

    @Override
    public void blitTexture(Texture source, TextureRegion from, Texture destination, TextureRegion to, Filter filter) {
        add("blit " + source.name() + " to " + destination.name());
    }

    @Override
    public void resolveTexture(Texture source, TextureRegion from, Texture destination, TextureRegion to) {
        add("resolve " + source.name() + " to " + destination.name());
    }

    @Override
    public void updateBuffer(Buffer destination, long offset, ByteBuffer data) {
        add("update " + destination.name());
    }

    @Override
    public void clearDepthStencil(Texture destination, SubresourceRange range, float depth, int stencil) {
        add("clear " + destination.name());
    }

    @Override
    public void end() {
        check(!inPass && !inRendering, "end");
        ended = true;
    }
}
