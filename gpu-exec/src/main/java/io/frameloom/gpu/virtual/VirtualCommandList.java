package io.frameloom.gpu.virtual;

import io.frameloom.gpu.BarrierBatch;
import io.frameloom.gpu.BindingSet;
import io.frameloom.gpu.BoundResource;
import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.BufferUsage;
import io.frameloom.gpu.CommandList;
import io.frameloom.gpu.CommandLog;
import io.frameloom.gpu.GraphicsPipeline;
import io.frameloom.gpu.IndexType;
import io.frameloom.gpu.Pipeline;
import io.frameloom.gpu.QueueKind;
import io.frameloom.gpu.RenderingInfo;
import io.frameloom.gpu.ResourceUse;
import io.frameloom.gpu.Sampler;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TextureUsage;
import io.frameloom.gpu.TextureView;
import io.frameloom.gpu.TimestampSet;
import io.frameloom.gpu.internal.Usages;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A command list of the virtual device: checks what a driver would not forgive, and keeps the commands. */
final class VirtualCommandList implements CommandList {
    private final VirtualDevice device;
    private final VirtualQueue queue;
    private final String label;
    private final CommandLog log;
    private final List<Op> ops = new ArrayList<>();
    private final PipelineBindings bindings;
    private @Nullable RenderingInfo rendering;
    private boolean indexed;
    private long draws;
    private long vertices;
    private long digest;
    private State state = State.RECORDING;

    private enum State {
        RECORDING,
        ENDED,
        SUBMITTED
    }

    VirtualCommandList(VirtualDevice device, VirtualQueue queue, String label) {
        this.device = device;
        this.queue = queue;
        this.label = label;
        this.log = new CommandLog(label);
        this.bindings = new PipelineBindings(label);
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public VirtualQueue queue() {
        return queue;
    }

    List<Op> ops() {
        return ops;
    }

    CommandLog log() {
        return log;
    }

    void takeForSubmission() {
        if (state != State.ENDED) {
            throw new IllegalStateException("command list '" + label + "' is "
                    + (state == State.RECORDING ? "still being recorded; end it first" : "submitted a second time"));
        }
        state = State.SUBMITTED;
    }

    @Override
    public void beginPass(String name, List<ResourceUse> uses) {
        Usages.check(name, uses);
        checkOutsideRendering("beginPass");
        for (ResourceUse use : uses) {
            if (!(use.resource() instanceof VirtualResource own) || own.device() != device) {
                throw new IllegalArgumentException(
                        "pass '" + name + "' uses '" + use.resource().name() + "' of another device");
            }
        }
        log.beginPass(name, uses);
        ops.add(new Op.PassBegin(name, List.copyOf(uses)));
    }

    @Override
    public void endPass() {
        checkOutsideRendering("endPass");
        log.endPass();
        ops.add(new Op.PassEnd());
    }

    @Override
    public void barrier(BarrierBatch batch) {
        checkOutsideRendering("barrier");
        batch.textures().forEach(barrier -> own(barrier.texture()).checkRange(barrier.range()));
        batch.buffers()
                .forEach(barrier -> own(barrier.buffer())
                        .checkRange(barrier.offset(), barrier.bytes(), "named by a barrier of '" + label + "'"));
        if (!batch.isEmpty()) {
            log.barrier(batch);
            ops.add(new Op.Barriers(batch));
        }
    }

    @Override
    public void beginRendering(RenderingInfo info) {
        checkOutsideRendering("beginRendering");
        require(QueueKind.GRAPHICS, "beginRendering");
        info.colors().forEach(color -> attachment(color.view(), TextureUsage.COLOR_ATTACHMENT));
        RenderingInfo.DepthAttachment depth = info.depth();
        if (depth != null) {
            attachment(depth.view(), TextureUsage.DEPTH_ATTACHMENT);
        }
        rendering = info;
        draws = 0;
        vertices = 0;
        digest = 0;
    }

    @Override
    public void endRendering() {
        ops.add(new Op.Render(inRendering("endRendering"), draws, vertices, digest));
        rendering = null;
    }

    @Override
    public void setViewport(float x, float y, float width, float height) {
        checkRecording("setViewport");
        digest = Mix.mix(digest, Float.floatToIntBits(x) * 31L + Float.floatToIntBits(y));
        digest = Mix.mix(digest, Float.floatToIntBits(width) * 31L + Float.floatToIntBits(height));
    }

    @Override
    public void setScissor(int x, int y, int width, int height) {
        checkRecording("setScissor");
        digest = Mix.mix(digest, Mix.mix(x * 31L + y, width * 31L + height));
    }

    @Override
    public void bindPipeline(Pipeline newPipeline) {
        checkRecording("bindPipeline");
        if (!(newPipeline instanceof VirtualPipeline own) || own.device() != device) {
            throw new IllegalArgumentException(
                    "command list '" + label + "' binds pipeline '" + newPipeline.name() + "' of another device");
        }
        if (own.isClosed()) {
            throw new IllegalStateException(
                    "command list '" + label + "' binds pipeline '" + own.name() + "' after it was closed");
        }
        require(newPipeline instanceof GraphicsPipeline ? QueueKind.GRAPHICS : QueueKind.COMPUTE, "bindPipeline");
        bindings.bind(own);
    }

    @Override
    public void bindTexture(String name, TextureView view, Sampler sampler) {
        bind(name, new BoundResource.SampledTexture(view, sampler));
    }

    @Override
    public void bindStorageTexture(String name, TextureView view) {
        bind(name, new BoundResource.StorageTexture(view));
    }

    @Override
    public void bindBuffer(String name, Buffer buffer, long offset, long bytes) {
        if (offset % VirtualDevice.ALIGNMENT != 0) {
            throw new IllegalArgumentException("buffer '" + buffer.name() + "' is bound to '" + name + "' at offset "
                    + offset + ", which is not a multiple of " + VirtualDevice.ALIGNMENT);
        }
        bind(name, new BoundResource.BufferRange(buffer, offset, bytes));
    }

    private void bind(String name, BoundResource resource) {
        checkRecording("bind");
        bindings.bind(name, resource);
    }

    @Override
    public void bindSet(BindingSet set) {
        checkRecording("bindSet");
        if (!(set instanceof VirtualBindingSet own) || own.device() != device) {
            throw new IllegalArgumentException(
                    "command list '" + label + "' binds set '" + set.name() + "' of another device");
        }
        if (own.isClosed()) {
            throw new IllegalStateException(
                    "command list '" + label + "' binds set '" + set.name() + "' after it was closed");
        }
        bindings.bind(own);
    }

    @Override
    public void pushConstants(ByteBuffer data) {
        checkRecording("pushConstants");
        bindings.pushConstants(data);
    }

    @Override
    public void bindVertexBuffer(int binding, Buffer buffer, long offset) {
        checkRecording("bindVertexBuffer");
        checkUsage(buffer, BufferUsage.VERTEX);
        own(buffer).checkRange(offset, 0, "bound as vertices");
    }

    @Override
    public void bindIndexBuffer(Buffer buffer, long offset, IndexType type) {
        checkRecording("bindIndexBuffer");
        checkUsage(buffer, BufferUsage.INDEX);
        own(buffer).checkRange(offset, 0, "bound as indices");
        indexed = true;
    }

    @Override
    public void draw(int vertexCount, int instanceCount, int firstVertex, int firstInstance) {
        drawn("draw", vertexCount, instanceCount, Mix.mix(firstVertex, firstInstance));
    }

    @Override
    public void drawIndexed(int indexCount, int instanceCount, int firstIndex, int vertexOffset, int firstInstance) {
        if (!indexed) {
            throw new IllegalStateException("command list '" + label + "' draws by indices without an index buffer");
        }
        drawn("drawIndexed", indexCount, instanceCount, Mix.mix(Mix.mix(firstIndex, vertexOffset), firstInstance));
    }

    private void drawn(String command, long count, long instances, long what) {
        inRendering(command);
        VirtualPipeline current = bindings.forDraw(command);
        draws++;
        vertices += count * instances;
        digest = Mix.mix(Mix.mix(digest, current.name()), Mix.mix(what, count * 31 + instances));
    }

    @Override
    public void dispatch(int groupsX, int groupsY, int groupsZ) {
        checkOutsideRendering("dispatch");
        ops.add(bindings.forDispatch(groupsX, groupsY, groupsZ));
    }

    @Override
    public void copyBuffer(Buffer source, long sourceOffset, Buffer destination, long destinationOffset, long bytes) {
        checkOutsideRendering("copyBuffer");
        checkUsage(source, BufferUsage.COPY_SRC);
        checkUsage(destination, BufferUsage.COPY_DST);
        own(source).checkRange(sourceOffset, bytes, "copied");
        own(destination).checkRange(destinationOffset, bytes, "copied to");
        ops.add(new Op.CopyBuffer(own(source), sourceOffset, own(destination), destinationOffset, bytes));
    }

    @Override
    public void copyBufferToTexture(Buffer source, long sourceOffset, Texture destination, int mip, int layer) {
        checkOutsideRendering("copyBufferToTexture");
        checkUsage(source, BufferUsage.COPY_SRC);
        checkUsage(destination, TextureUsage.COPY_DST);
        own(destination).checkRange(new SubresourceRange(mip, 1, layer, 1, 0, 1));
        own(source).checkRange(sourceOffset, own(destination).mipBytes(mip), "copied");
        ops.add(new Op.CopyToTexture(own(source), sourceOffset, own(destination), mip, layer));
    }

    @Override
    public void copyTextureToBuffer(Texture source, int mip, int layer, Buffer destination, long destinationOffset) {
        checkOutsideRendering("copyTextureToBuffer");
        checkUsage(source, TextureUsage.COPY_SRC);
        checkUsage(destination, BufferUsage.COPY_DST);
        own(source).checkRange(new SubresourceRange(mip, 1, layer, 1, 0, 1));
        own(destination).checkRange(destinationOffset, own(source).mipBytes(mip), "copied to");
        ops.add(new Op.CopyToBuffer(own(source), mip, layer, own(destination), destinationOffset));
    }

    @Override
    public void copyTexture(Texture source, Texture destination) {
        checkOutsideRendering("copyTexture");
        checkUsage(source, TextureUsage.COPY_SRC);
        checkUsage(destination, TextureUsage.COPY_DST);
        var from = source.description();
        var to = destination.description();
        if (from.width() != to.width() || from.height() != to.height() || from.format() != to.format()) {
            throw new IllegalArgumentException("textures '" + source.name() + "' and '" + destination.name()
                    + "' differ in extent or format and cannot be copied");
        }
        ops.add(new Op.CopyTexture(own(source), own(destination)));
    }

    @Override
    public void fillBuffer(Buffer destination, long offset, long bytes, int word) {
        checkOutsideRendering("fillBuffer");
        checkUsage(destination, BufferUsage.COPY_DST);
        own(destination).checkRange(offset, bytes, "filled");
        if (((offset | bytes) & 3) != 0) {
            throw new IllegalArgumentException("fill of buffer '" + destination.name() + "' needs multiples of 4, got "
                    + bytes + " bytes at " + offset);
        }
        ops.add(new Op.Fill(own(destination), offset, bytes, word));
    }

    @Override
    public void clearTexture(Texture destination, SubresourceRange range, RenderingInfo.ClearColor color) {
        checkOutsideRendering("clearTexture");
        checkUsage(destination, TextureUsage.COPY_DST);
        own(destination).checkRange(range);
        ops.add(new Op.Clear(own(destination), range, color));
    }

    @Override
    public void writeTimestamp(TimestampSet timestamps, int index) {
        checkRecording("writeTimestamp");
        VirtualTimestampSet set = (VirtualTimestampSet) timestamps;
        set.checkIndex(index);
        ops.add(new Op.Timestamp(set, index));
    }

    @Override
    public void end() {
        checkOutsideRendering("end");
        state = State.ENDED;
    }

    private void checkRecording(String command) {
        if (state != State.RECORDING) {
            throw new IllegalStateException(command + " on command list '" + label + "' after it was ended");
        }
    }

    private void checkOutsideRendering(String command) {
        checkRecording(command);
        if (rendering != null) {
            throw new IllegalStateException(
                    command + " in command list '" + label + "' inside a render pass; call endRendering first");
        }
    }

    private RenderingInfo inRendering(String command) {
        checkRecording(command);
        if (rendering == null) {
            throw new IllegalStateException(
                    command + " in command list '" + label + "' outside of a render pass; call beginRendering first");
        }
        return rendering;
    }

    private void require(QueueKind kind, String command) {
        if (!queue.kind().supports(kind)) {
            throw new IllegalStateException(command + " in command list '" + label + "' needs a " + kind + " queue, '"
                    + queue.name() + "' is a " + queue.kind() + " queue");
        }
    }

    private void attachment(TextureView view, TextureUsage usage) {
        checkUsage(view.texture(), usage);
        own(view.texture()).checkOpen("rendered to in '" + label + "'");
    }

    private static void checkUsage(Texture texture, TextureUsage usage) {
        if (!texture.description().usage().contains(usage)) {
            throw new IllegalArgumentException("texture '" + texture.name() + "' was created without usage " + usage
                    + ", which the command needs");
        }
    }

    private static void checkUsage(Buffer buffer, BufferUsage usage) {
        if (!buffer.description().usage().contains(usage)) {
            throw new IllegalArgumentException(
                    "buffer '" + buffer.name() + "' was created without usage " + usage + ", which the command needs");
        }
    }

    private VirtualTexture own(Texture texture) {
        if (texture instanceof VirtualTexture own && own.device() == device) {
            return own;
        }
        throw new IllegalArgumentException("texture '" + texture.name() + "' belongs to another device");
    }

    private VirtualBuffer own(Buffer buffer) {
        if (buffer instanceof VirtualBuffer own && own.device() == device) {
            return own;
        }
        throw new IllegalArgumentException("buffer '" + buffer.name() + "' belongs to another device");
    }
}
