package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.command.AccelerationStructureBuild;
import io.frameloom.gpu.command.AccelerationStructureDescription;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.PipelineStatistic;
import io.frameloom.gpu.command.QueryKind;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.device.PassTrail;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BindlessTable;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.CullMode;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.DepthState;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexAttribute;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription.VertexBuffer;
import io.frameloom.gpu.pipeline.Pipeline;
import io.frameloom.gpu.pipeline.RasterState.FrontFace;
import io.frameloom.gpu.pipeline.RasterState.Topology;
import io.frameloom.gpu.pipeline.ShaderBindingTable;
import io.frameloom.gpu.pipeline.StencilState;
import io.frameloom.gpu.record.CheckedCommandList;
import io.frameloom.gpu.record.DrawRules;
import io.frameloom.gpu.record.RecordedEvents;
import io.frameloom.gpu.record.RecordedQueries;
import io.frameloom.gpu.record.RecordingRules;
import io.frameloom.gpu.record.SlotHandle;
import io.frameloom.gpu.record.StructureRules;
import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureView;
import io.frameloom.gpu.virtual.memory.CostModel;
import io.frameloom.gpu.virtual.memory.Mix;
import io.frameloom.gpu.virtual.memory.Pattern;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Keeps commands for the virtual GPU: operations, and number and digest of the draws of a render pass. */
final class VirtualCommandList extends CheckedCommandList<VirtualTexture, VirtualBuffer> {
    private final VirtualFrameContext context;
    private final List<Op> ops;
    private final PipelineBindings bindings;
    private final VirtualMarks marks = new VirtualMarks();
    /** Clears of attachments; they get the attachments when the render pass is known. */
    private final List<Consumer<RenderingInfo>> clears = new ArrayList<>();

    /** Whether a barrier lies between the begin of the render pass and the next draws. */
    private boolean goesOn;
    /** Attachments that the draws read, a bit for each colour and one after them for depth. */
    private int inputs;
    /** Attachments that the draws may write, likewise. */
    private int outputs;

    /** Draws and clears of the open render pass under conditions. */
    private final List<Op.ConditionalDraw> conditional = new ArrayList<>();

    /** The open condition, or null. */
    private @Nullable Condition condition;

    private long draws;
    private long vertices;
    private long digest;
    /** What direct draws of this list have had, by {@link PipelineStatistic}; starts of open queries hold former ones. */
    private final long[] drawn = new long[QueryKind.STATISTICS.numbers()];

    /** The {@link #drawn} when the open query of statistics began; only one is open. */
    private long[] drawnBefore = {};

    VirtualCommandList(
            SimulatedDevice device,
            VirtualFrameContext context,
            GpuQueue queue,
            RecordingRules rules,
            List<ResourceUse> uses,
            PassTrail trail,
            int room) {
        super(
                device,
                queue,
                rules,
                device::formatSupport,
                device.closings(),
                context.generation(),
                uses,
                trail,
                device.queuing().feed().newLog(rules.list()),
                true);
        this.context = context;
        this.ops = new ArrayList<>(room);
        trail.begin(rules.list(), marks, 0, 0);
        this.bindings = new PipelineBindings(rules.list(), mentions, layouts);
    }

    List<Op> ops() {
        return ops;
    }

    VirtualMarks marks() {
        return marks;
    }

    @Override
    protected int turn() {
        return context.generation();
    }

    @Override
    protected void noteUse(GpuQueue by, long value) {
        context.submitted(by, value);
    }

    @Override
    protected void forget() {
        super.forget();
        bindings.forget();
    }

    @Override
    protected void encodeBeginPass(String name, List<ResourceUse> uses) {
        int mark = rules.isSecondary() ? Op.PassBegin.NO_MARK : trail.last();
        ops.add(new Op.PassBegin(name, List.copyOf(uses), mark));
    }

    @Override
    protected void encodeEndPass() {
        ops.add(Op.PassEnd.LAST);
    }

    @Override
    protected void encodeBarrier(BarrierBatch batch) {
        ops.add(new Op.Barriers(batch));
    }

    /** Draws before the barrier leave their attachments to those after it. */
    @Override
    protected void encodeLocalBarrier(BarrierBatch batch) {
        render(Objects.requireNonNull(rules.rendering()), false);
        encodeBarrier(batch);
        begin();
        goesOn = true;
    }

    @Override
    protected void encodeSetEvent(RecordedEvents set, int index, BarrierBatch batch) {
        ops.add(new Op.SetEvent((VirtualDeviceEventSet) set, index, batch));
    }

    @Override
    protected void encodeWaitEvent(RecordedEvents set, int index, BarrierBatch batch) {
        ops.add(new Op.WaitEvent((VirtualDeviceEventSet) set, index, batch));
    }

    @Override
    protected void encodeTimestamp(TimestampSet timestamps, int index) {
        VirtualTimestampSet own = (VirtualTimestampSet) timestamps;
        own.record(label(), index);
        ops.add(new Op.Timestamp(own, index));
    }

    @Override
    protected void encodeBeginQuery(RecordedQueries set, int index) {
        if (set.kind() == QueryKind.STATISTICS) {
            drawnBefore = drawn.clone();
        }
    }

    @Override
    protected void encodeEndQuery(RecordedQueries set, int index) {
        long[] numbers = new long[set.kind().numbers()];
        for (int i = 0; i < numbers.length && set.kind() == QueryKind.STATISTICS; i++) {
            numbers[i] = drawn[i] - drawnBefore[i];
        }
        VirtualQuerySet own = (VirtualQuerySet) set;
        own.record(index, numbers);
        ops.add(new Op.Query(own, index));
    }

    @Override
    protected void encodeCopyQueries(
            RecordedQueries set, int first, int count, VirtualBuffer destination, long offset) {
        ByteBuffer bytes = ByteBuffer.allocate(count * set.kind().bytes()).order(ByteOrder.nativeOrder());
        bytes.asLongBuffer().put(((VirtualQuerySet) set).recorded(first, count));
        encodeUpdate(destination, offset, bytes);
    }

    @Override
    protected void encodeBeginConditionalRendering(VirtualBuffer buffer, long offset, boolean inverted) {
        Condition begun = new Condition(buffer, offset, inverted);
        ops.add(new Op.ReadCondition(begun));
        condition = begun;
    }

    @Override
    protected void encodeEndConditionalRendering() {
        condition = null;
    }

    @Override
    protected AccelerationStructure.Sizes sizes(AccelerationStructureDescription description) {
        return context.device().sizes(description);
    }

    /** What it leaves is a function of all that it reads, so that a wrong order gives other contents. */
    @Override
    protected void encodeBuild(AccelerationStructureBuild build) {
        AccelerationStructureDescription description = build.description();
        structureWork("build", build.destination(), () -> {
            // A set has another order in each run.
            int flags = 0;
            for (AccelerationStructureDescription.Flag flag : description.flags()) {
                flags |= 1 << flag.ordinal();
            }
            long stamp = Mix.mix(flags, description.geometries().toString());
            if (build.updated() != null) {
                stamp = Mix.mix(stamp, hash(build.updated()));
            }
            for (int i = 0; i < build.inputs().size(); i++) {
                AccelerationStructureBuild.Input input = build.inputs().get(i);
                AccelerationStructureDescription.Geometry geometry =
                        description.geometries().get(i);
                stamp = Mix.mix(stamp, hash(input.buffer(), input.offset(), StructureRules.inputBytes(geometry)));
                if (input.indices() != null) {
                    stamp = Mix.mix(
                            stamp, hash(input.indices(), input.indexOffset(), StructureRules.indexBytes(geometry)));
                }
                for (AccelerationStructure bottom : input.bottoms()) {
                    stamp = Mix.mix(stamp, hash(bottom));
                }
            }
            VirtualBuffer built = (VirtualBuffer) build.destination();
            built.memory().set(0, built.description().bytes(), Pattern.ofWork(stamp, 0));
            VirtualBuffer scratch = (VirtualBuffer) build.scratch();
            long start = scratch.base() + build.scratchOffset();
            long bytes = sizes(description).buildScratchBytes();
            scratch.memory().set(start, bytes, Pattern.ofWork(Mix.mix(stamp, 1), start));
        });
    }

    private static long hash(AccelerationStructure structure) {
        return hash(structure, 0, structure.description().bytes());
    }

    /** Returns a hash of bytes of a buffer, of which there may be none. */
    private static long hash(Buffer buffer, long offset, long bytes) {
        VirtualBuffer ours = (VirtualBuffer) buffer;
        return bytes > 0 ? ours.memory().hash(ours.base() + offset, bytes) : 0;
    }

    private void structureWork(String what, AccelerationStructure of, WorkNode.Action action) {
        long cost = CostModel.copy(of.description().bytes());
        ops.add(new Op.Transfer(what, PipelineStage.ACCELERATION_STRUCTURE_BUILD.bit(), cost, action));
    }

    @Override
    protected void encodeCopy(
            AccelerationStructure source, AccelerationStructure destination, AccelerationStructure.CopyMode mode) {
        copyStructure("copy structure", source, (VirtualBuffer) source, 0, (VirtualBuffer) destination, 0);
    }

    @Override
    protected void encodeSerialize(AccelerationStructure source, VirtualBuffer destination, long offset) {
        copyStructure("serialize", source, (VirtualBuffer) source, 0, destination, offset);
    }

    @Override
    protected void encodeDeserialize(VirtualBuffer source, long offset, AccelerationStructure destination) {
        copyStructure("deserialize", destination, source, offset, (VirtualBuffer) destination, 0);
    }

    /** Copies as much as both have. */
    private void copyStructure(
            String what,
            AccelerationStructure of,
            VirtualBuffer source,
            long from,
            VirtualBuffer destination,
            long to) {
        long bytes = Math.min(
                source.description().bytes() - from, destination.description().bytes() - to);
        structureWork(
                what,
                of,
                () -> destination
                        .memory()
                        .copyFrom(source.memory(), source.base() + from, destination.base() + to, bytes));
    }

    @Override
    protected void encodeMeasure(AccelerationStructure structure, RecordedQueries set, int index) {
        VirtualQuerySet own = (VirtualQuerySet) set;
        own.record(index, new long[] {VirtualAccelerationStructure.measured(structure, set.kind())});
        ops.add(new Op.Query(own, index));
    }

    /** Takes over the commands of secondary lists, and their raster work. */
    @Override
    protected void encodeExecute(List<CommandList> secondaries) {
        for (CommandList secondary : secondaries) {
            VirtualCommandList list = (VirtualCommandList) secondary;
            ops.addAll(list.ops);
            draws += list.draws;
            outputs |= list.outputs;
            vertices = CostModel.sum(vertices, list.vertices);
            digest = Mix.mix(digest, list.digest);
            clears.addAll(list.clears);
            conditional.addAll(list.conditional);
        }
    }

    @Override
    protected void refusedEnd() {
        context.ended(this);
    }

    @Override
    protected void encodeEnd() {
        context.ended(this);
    }

    private void transfer(String what, long bytes, WorkNode.Action action) {
        ops.add(new Op.Transfer(what, PipelineStage.COPY.bit(), CostModel.copy(bytes), action));
    }

    @Override
    protected void encodeCopy(VirtualBuffer source, long from, VirtualBuffer destination, long to, long bytes) {
        transfer("copy", bytes, () -> {
            boolean simulated = destination
                    .memory()
                    .copyFrom(source.memory(), source.base() + from, destination.base() + to, bytes);
            if (simulated) {
                source.device().readBackSimulated(source);
            }
        });
    }

    @Override
    protected void encodeCopy(
            VirtualBuffer source,
            TexelLayout layout,
            VirtualTexture destination,
            TextureRegion region,
            TextureLayout current) {
        transfer(
                "copy",
                TexelCopies.bytes(destination, region),
                () -> TexelCopies.fromBuffer(source, layout, destination, region));
    }

    @Override
    protected void encodeCopyMip(
            VirtualBuffer source, long offset, VirtualTexture destination, int mip, int layer, TextureLayout current) {
        encodeCopy(source, TexelLayout.tight(offset), destination, mip(destination, mip, layer), current);
    }

    @Override
    protected void encodeCopy(
            VirtualTexture source,
            TextureRegion region,
            TextureLayout current,
            VirtualBuffer destination,
            TexelLayout layout) {
        transfer(
                "copy",
                TexelCopies.bytes(source, region),
                () -> TexelCopies.toBuffer(source, region, destination, layout));
    }

    @Override
    protected void encodeCopyMip(
            VirtualTexture source, int mip, int layer, TextureLayout current, VirtualBuffer destination, long offset) {
        encodeCopy(source, mip(source, mip, layer), current, destination, TexelLayout.tight(offset));
    }

    private static TextureRegion mip(VirtualTexture texture, int mip, int layer) {
        return TextureRegion.mip(texture.description(), mip).withLayers(layer, 1);
    }

    @Override
    protected TextureRegion first(VirtualTexture texture) {
        return mip(texture, 0, 0);
    }

    @Override
    protected void encodeCopy(
            VirtualTexture source,
            TextureRegion from,
            TextureLayout current,
            VirtualTexture destination,
            TextureRegion to,
            TextureLayout target) {
        transfer("copy", TexelCopies.bytes(source, from), () -> TexelCopies.copy(source, from, destination, to));
    }

    @Override
    protected void encodeBlit(
            VirtualTexture source,
            TextureRegion from,
            TextureLayout current,
            VirtualTexture destination,
            TextureRegion to,
            TextureLayout target,
            Filter filter) {
        transfer(
                "blit",
                TexelCopies.bytes(destination, to),
                () -> TexelCopies.blit(source, from, destination, to, filter));
    }

    @Override
    protected void encodeResolve(
            VirtualTexture source,
            TextureRegion from,
            TextureLayout current,
            VirtualTexture destination,
            TextureRegion to,
            TextureLayout target) {
        transfer(
                "resolve",
                TexelCopies.bytes(source, from),
                () -> TexelCopies.resolve(
                        source, from, destination, to, source.description().format()));
    }

    @Override
    protected void encodeFill(VirtualBuffer destination, long offset, long bytes, int word) {
        long start = destination.base() + offset;
        transfer("fill", bytes, () -> destination.memory().set(start, bytes, Pattern.ofWord(word, start)));
    }

    @Override
    protected void encodeUpdate(VirtualBuffer destination, long offset, ByteBuffer data) {
        byte[] bytes = new byte[data.remaining()];
        data.duplicate().get(bytes);
        long start = destination.base() + offset;
        transfer(
                "update",
                bytes.length,
                () -> destination.memory().set(start, bytes.length, Pattern.ofUnit(bytes, start)));
    }

    @Override
    protected void encodeClear(
            VirtualTexture destination, TextureLayout current, SubresourceRange range, RenderingInfo.ClearColor color) {
        transfer("clear", 1, () -> Contents.clear(destination, range, color));
    }

    @Override
    protected void encodeClear(
            VirtualTexture destination, TextureLayout current, SubresourceRange range, float depth, int stencil) {
        transfer("clear", 1, () -> Contents.clear(destination, range, depth, stencil));
    }

    @Override
    protected void encodeBeginRendering(RenderingInfo info, long described) {
        begin();
        goesOn = false;
    }

    private void begin() {
        draws = 0;
        vertices = 0;
        digest = 0;
        inputs = 0;
        outputs = 0;
        clears.clear();
        conditional.clear();
    }

    @Override
    protected void encodeEndRendering(RenderingInfo info) {
        render(info, true);
    }

    private void render(RenderingInfo info, boolean last) {
        RenderingInfo part = RenderingParts.of(info, !goesOn, last, inputs & ~outputs);
        List<Runnable> bound = clears.isEmpty() ? List.of() : new ArrayList<>(clears.size());
        clears.forEach(clear -> bound.add(() -> clear.accept(info)));
        ops.add(new Op.Render(part, draws, vertices, digest, bound, conditional));
    }

    @Override
    protected void encodeClearColor(
            int attachment, RenderingInfo.ClearColor color, int x, int y, int width, int height) {
        digest = Mix.mix(digest, color.hashCode() * 31L + attachment);
        Attached.Area area = new Attached.Area(x, y, width, height);
        clear(info -> Attached.clear(info, attachment, color, area));
    }

    private void clear(Consumer<RenderingInfo> clear) {
        Condition deciding = condition;
        if (deciding == null) {
            clears.add(clear);
            return;
        }
        conditional.add(new Op.ConditionalDraw(deciding, 0, 0, digest));
        clears.add(info -> {
            if (deciding.holds()) {
                clear.accept(info);
            }
        });
    }

    @Override
    protected void encodeClearDepthStencil(
            boolean clearDepth, float depth, boolean clearStencil, int stencil, int x, int y, int width, int height) {
        digest = Mix.mix(digest, Float.floatToIntBits(depth) * 31L + stencil);
        Attached.Area area = new Attached.Area(x, y, width, height);
        if (clearDepth) {
            clear(info -> Attached.clearDepth(info, depth, area));
        }
        if (clearStencil) {
            clear(info -> Attached.clearStencil(info, stencil, area));
        }
    }

    @Override
    protected void encodeViewport(
            int index, float x, float y, float width, float height, float minDepth, float maxDepth) {
        digest(x, y);
        digest(width, height);
        digest(minDepth, maxDepth);
        digest = Mix.mix(digest, index);
    }

    private void digest(float first, float second) {
        digest = Mix.mix(digest, Float.floatToIntBits(first) * 31L + Float.floatToIntBits(second));
    }

    @Override
    protected void encodeScissor(int index, int x, int y, int width, int height) {
        digest = Mix.mix(digest, Mix.mix(x * 31L + y, width * 31L + height) + index);
    }

    @Override
    protected void encodeStencilReference(int reference) {
        digest = Mix.mix(digest, reference);
    }

    @Override
    protected void encodeBlendConstants(float red, float green, float blue, float alpha) {
        digest(red, green);
        digest(blue, alpha);
    }

    @Override
    protected void encodeDepthBias(float constant, float slope, float clamp) {
        digest(constant, slope);
        digest = Mix.mix(digest, Float.floatToIntBits(clamp));
    }

    @Override
    protected void encodeLineWidth(float width) {
        digest = Mix.mix(digest, Float.floatToIntBits(width));
    }

    @Override
    protected void encodeCullMode(CullMode cull) {
        digest = Mix.mix(digest, cull.ordinal());
    }

    @Override
    protected void encodeFrontFace(FrontFace front) {
        digest = Mix.mix(digest, front.ordinal());
    }

    @Override
    protected void encodeTopology(Topology topology) {
        digest = Mix.mix(digest, topology.ordinal());
    }

    @Override
    protected void encodeDepthTest(@Nullable DepthState test) {
        digest = Mix.mix(digest, test == null ? -1 : test.compare().ordinal() * 2L + (test.write() ? 1 : 0));
    }

    @Override
    protected void encodeStencilTest(@Nullable StencilState test) {
        digest = Mix.mix(digest, test == null ? -1 : digest(test.front()) * 31 + digest(test.back()));
    }

    @Override
    protected void encodeVertexInput(List<VertexBuffer> buffers) {
        for (VertexBuffer buffer : buffers) {
            digest = Mix.mix(digest, buffer.stride() * 2L + (buffer.perInstance() ? 1 : 0));
            for (VertexAttribute attribute : buffer.attributes()) {
                long what = attribute.location() * 1024L + attribute.format().ordinal();
                digest = Mix.mix(digest, Mix.mix(what, attribute.offset()));
            }
        }
    }

    private static long digest(StencilState.Face face) {
        long operations = (face.fail().ordinal() * 8L + face.depthFail().ordinal()) * 8
                + face.pass().ordinal();
        long numbers = (face.compareMask() * 256L + face.writeMask()) * 256 + face.reference();
        return Mix.mix(operations * 8 + face.compare().ordinal(), numbers);
    }

    @Override
    protected void encodePipeline(Pipeline pipeline) {
        bindings.bind((VirtualPipeline) pipeline);
    }

    @Override
    protected void takeTexture(SlotHandle slot, TextureView view, @Nullable Sampler sampler) {
        bindings.bind(
                slot,
                sampler == null
                        ? new BoundResource.SampledImage(view)
                        : new BoundResource.SampledTexture(view, sampler));
    }

    @Override
    protected void forgetAttachments() {
        bindings.forgetAttachments();
    }

    @Override
    protected void takeSampler(SlotHandle slot, Sampler sampler) {
        bindings.bind(slot, new BoundResource.SeparateSampler(sampler));
    }

    @Override
    protected void takeStorageTexture(SlotHandle slot, TextureView view) {
        bindings.bind(slot, new BoundResource.StorageTexture(view));
    }

    @Override
    protected void takeBuffer(SlotHandle slot, VirtualBuffer buffer, long offset, long bytes) {
        bindings.bind(slot, new BoundResource.BufferRange(buffer, offset, bytes));
    }

    @Override
    protected void takeStructure(SlotHandle slot, AccelerationStructure structure) {
        bindings.bind(slot, VirtualAccelerationStructure.range(structure));
    }

    @Override
    protected void takeSet(BindingSet set) {
        bindings.bind((VirtualBindingSet) set);
    }

    @Override
    protected void takeTable(BindlessTable table) {
        bindings.table((VirtualBindlessTable) table);
    }

    @Override
    protected void takeConstants(ByteBuffer data) {
        bindings.pushConstants(data);
    }

    @Override
    protected void encodeBindings(String command) {
        bindings.flush(command);
    }

    @Override
    protected void encodeDraw(int vertexCount, int instanceCount, int firstVertex, int firstInstance) {
        drawn(vertexCount, instanceCount, Mix.mix(firstVertex, firstInstance));
        count(vertexCount, instanceCount);
    }

    @Override
    protected void encodeDrawIndexed(
            int indexCount, int instanceCount, int firstIndex, int vertexOffset, int firstInstance) {
        drawn(indexCount, instanceCount, Mix.mix(Mix.mix(firstIndex, vertexOffset), firstInstance));
        count(indexCount, instanceCount);
    }

    /** The statistics that are counted here are of vertices, which no query counts with mesh tasks. */
    @Override
    protected void encodeDrawMeshTasks(int groupsX, int groupsY, int groupsZ) {
        drawn((long) groupsX * groupsY * groupsZ, 1, Mix.mix(Mix.mix(groupsX, groupsY), groupsZ));
    }

    @Override
    protected void encodeDrawIndirect(
            DrawRules.Source source, VirtualBuffer arguments, long offset, int drawCount, int stride) {
        drawn(drawCount, 1, Mix.mix(Mix.mix(offset, stride), arguments.name()));
    }

    @Override
    protected void encodeDrawIndirectCount(
            DrawRules.Source source,
            VirtualBuffer arguments,
            long offset,
            VirtualBuffer count,
            long countOffset,
            int maxDraws,
            int stride) {
        long what = Mix.mix(Mix.mix(Mix.mix(offset, stride), countOffset), arguments.name());
        drawn(maxDraws, 1, Mix.mix(what, count.name()));
    }

    private void drawn(long count, long instances, long what) {
        if (count == 0 || instances == 0) {
            return;
        }
        long drawing = Mix.mix(Mix.mix(digest, bindings.name()), Mix.mix(what, count * 31 + instances));
        if (bindings.pipeline() instanceof VirtualPipeline.Graphics graphics) {
            inputs |= graphics.inputs();
            outputs |= graphics.outputs();
        }
        if (condition != null) {
            conditional.add(new Op.ConditionalDraw(condition, 1, count * instances, drawing));
            return;
        }
        draws++;
        vertices = CostModel.sum(vertices, count * instances);
        digest = drawing;
    }

    /** Counts what a draw has that no condition decides about; restarts of strips are not looked for. */
    private void count(long vertexCount, long instances) {
        if (condition != null || !(bindings.pipeline() instanceof VirtualPipeline.Graphics graphics)) {
            return;
        }
        long primitives = switch (rules.topology(graphics.description())) {
            case POINT_LIST -> vertexCount;
            case LINE_LIST -> vertexCount / 2;
            case LINE_STRIP -> Math.max(0, vertexCount - 1);
            case TRIANGLE_LIST -> vertexCount / 3;
            case TRIANGLE_STRIP, TRIANGLE_FAN -> Math.max(0, vertexCount - 2);
        };
        drawn[PipelineStatistic.VERTICES.ordinal()] += vertexCount * instances;
        drawn[PipelineStatistic.PRIMITIVES.ordinal()] += primitives * instances;
        drawn[PipelineStatistic.VERTEX_INVOCATIONS.ordinal()] += vertexCount * instances;
    }

    @Override
    protected void encodeDispatch(int groupsX, int groupsY, int groupsZ) {
        ops.add(bindings.dispatch(groupsX, groupsY, groupsZ, null, condition, null));
    }

    @Override
    protected void encodeDispatchIndirect(VirtualBuffer arguments, long offset) {
        ops.add(bindings.dispatch(0, 0, 0, new Op.Groups(arguments, offset), condition, null));
    }

    @Override
    protected void encodeTrace(
            ShaderBindingTable table, VirtualBuffer memory, long offset, int width, int height, int depth) {
        ops.add(bindings.dispatch(width, height, depth, null, null, records(table, memory, offset)));
    }

    @Override
    protected void encodeTraceIndirect(
            ShaderBindingTable table, VirtualBuffer memory, long offset, VirtualBuffer arguments, long argumentOffset) {
        Op.Groups rays = new Op.Groups(arguments, argumentOffset);
        ops.add(bindings.dispatch(0, 0, 0, rays, null, records(table, memory, offset)));
    }

    private static BoundResource.BufferRange records(ShaderBindingTable table, VirtualBuffer memory, long offset) {
        return new BoundResource.BufferRange(memory, offset, table.bytes());
    }
}
