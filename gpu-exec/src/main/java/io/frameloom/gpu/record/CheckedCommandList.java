package io.frameloom.gpu.record;

import io.frameloom.gpu.command.AccelerationStructureBuild;
import io.frameloom.gpu.command.AccelerationStructureDescription;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.DeviceEventSet;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.IndexType;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.command.QuerySet;
import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.command.RenderingFormats;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.device.PassTrail;
import io.frameloom.gpu.device.Usages;
import io.frameloom.gpu.internal.PassParts;
import io.frameloom.gpu.internal.RepeatedCommand;
import io.frameloom.gpu.pipeline.BindingSet;
import io.frameloom.gpu.pipeline.BindlessTable;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.GraphicsPipeline;
import io.frameloom.gpu.pipeline.GraphicsPipelineDescription;
import io.frameloom.gpu.pipeline.Pipeline;
import io.frameloom.gpu.pipeline.RasterState;
import io.frameloom.gpu.pipeline.RayTracingPipeline;
import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.pipeline.ShaderBindingTable;
import io.frameloom.gpu.pipeline.ShaderSlot;
import io.frameloom.gpu.pipeline.StencilState;
import io.frameloom.gpu.record.DrawRules.Source;
import io.frameloom.gpu.resource.AccelerationStructure;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Filter;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.FormatSupport;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TexelLayout;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureRegion;
import io.frameloom.gpu.resource.TextureView;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A command list that checks each command, notes what it names, and then lets a backend encode it. An {@code encode}
 * method is called when the command is allowed; nothing after it fails. Without {@link #checks} arguments are not looked
 * at, and nothing is noted but what the encoding itself needs.
 *
 * @param <T> textures of the backend
 * @param <B> buffers of the backend
 */
public abstract class CheckedCommandList<T extends Perishable & Texture, B extends Perishable & Buffer>
        implements CommandList, PassParts, PassTrail.Of {
    private static final long[] NO_STRUCTURES = {};

    protected final RecordingRules rules;
    /** The objects that the commands name: a list is unusable when any of them is closed. */
    protected final Mentions mentions;

    protected final PassLayouts layouts;
    /** The passes, for the report of a lost device. */
    protected final PassTrail trail;

    private final RenderingRules renderingRules;
    private final TransferRules transfers;
    private final DrawRules draws;
    private final EventUses events = new EventUses();

    private final QueryRules queries;
    private final ConditionRules conditions;
    private final StructureRules structures;
    private final TraceRules traces;
    private final VertexInputs vertexInputs;
    /** The receiver of the commands' uses, or null. */
    private final @Nullable CommandLog log;

    /** Whether commands are checked and noted. */
    private final boolean checks;

    private final Closings closings;
    /** What the objects of the device belong to. */
    private final BindingRules.Owner device;

    private @Nullable RecordedPipeline pipeline;
    /** Bytes of push constants set since the pipeline was bound. */
    private int pushed;
    /** Grows with everything that draws and dispatches find bound or set, push constants excepted. */
    private int bound = 1;
    /**
     * The {@link #state} in which draws were found to be allowed, and that of dispatches. While it lasts and nothing is
     * closed, the next ones are allowed. One of the two is older than the state, since a pipeline is of one kind.
     */
    private int drawable;

    /** Whether these were draws of mesh tasks. */
    private boolean drawsMeshes;

    private int dispatchable;
    /** The number of closings up to which nothing bound was closed. */
    private long open;

    private final ExecutedLists executed = new ExecutedLists();
    private GpuQueue queue;
    /** {@link #turn} while the list may be used. */
    private int validTurn;
    /** The collector of this list into a batch, and the number of the batch: shows a list that is in it twice. */
    private @Nullable Object collector;

    private long collection;
    private long executions;

    protected CheckedCommandList(
            BindingRules.Owner device,
            GpuQueue queue,
            RecordingRules rules,
            Function<Format, FormatSupport> formats,
            Closings closings,
            int turn,
            List<ResourceUse> uses,
            PassTrail trail,
            @Nullable CommandLog log,
            boolean checks) {
        this.device = device;
        this.queue = queue;
        this.rules = rules;
        this.checks = checks;
        this.validTurn = turn;
        this.trail = trail;
        this.log = log;
        this.closings = closings;
        this.mentions = new Mentions(closings, log);
        rules.reports().to(log);
        this.layouts = new PassLayouts(rules.isSecondary());
        layouts.begin(uses);
        rules.explainBy(layouts);
        this.renderingRules = new RenderingRules(rules, formats, layouts);
        this.transfers = new TransferRules(rules, formats);
        this.draws = new DrawRules(rules);
        this.queries = new QueryRules(rules);
        this.conditions = new ConditionRules(rules);
        this.structures = new StructureRules(rules);
        this.traces = new TraceRules(rules);
        this.vertexInputs = new VertexInputs(rules, formats);
    }

    /** Takes another list of the same level: as a new object that keeps its grown memory. */
    protected final void begin(
            String label, GpuQueue newQueue, @Nullable RenderingFormats inherited, List<ResourceUse> inheritedUses) {
        rules.renew(label, newQueue, inherited);
        mentions.begin();
        queries.clear();
        conditions.clear();
        validTurn = turn();
        queue = newQueue;
        layouts.begin(inheritedUses);
    }

    /** Forgets what the list named, with the reset of its context. */
    public void recycle() {
        rules.abandon();
        trail.forget();
        mentions.clear();
        events.clear();
        queries.clear();
        executed.clear();
        layouts.begin(List.of());
        draws.forget();
        pipeline = null;
        pushed = 0;
    }

    /** Makes the list unusable: its frame context was reset before it ended. */
    public final void abandon() {
        rules.abandon();
    }

    /** Returns a number that changes when the context of the list takes it back. */
    protected abstract int turn();

    @Override
    public final String label() {
        return rules.list();
    }

    @Override
    public final GpuQueue queue() {
        return queue;
    }

    public final @Nullable CommandLog log() {
        return log;
    }

    public final EventUses events() {
        return events;
    }

    @Override
    public final PassTrail trail() {
        return trail;
    }

    @SuppressWarnings("unchecked") // the textures of the device are those of its backend
    private T own(Texture texture) {
        requireOwn("texture", texture);
        return (T) texture;
    }

    @SuppressWarnings("unchecked") // the buffers of the device are those of its backend
    private B own(Buffer buffer) {
        requireOwn("buffer", buffer);
        return (B) buffer;
    }

    private void requireOwn(String kind, Resource resource) {
        if (!(resource instanceof Perishable ours) || !ours.belongsTo(device)) {
            Objects.requireNonNull(resource, () -> "a " + kind + " of command list '" + label() + "' must not be null");
            throw new IllegalArgumentException(kind + " '" + resource.name() + "' used by command list '" + label()
                    + "' is of another device; create it on the device of the list");
        }
        if (ours.isClosed()) {
            throw new IllegalStateException(
                    "'" + resource.name() + "' used by command list '" + label() + "' is closed; use an open one");
        }
    }

    /** Returns an object of this device, which may be closed. */
    private Perishable ours(String command, Object thing) {
        if (thing instanceof Perishable ours && ours.belongsTo(device)) {
            return ours;
        }
        throw new IllegalArgumentException(rules.where(command) + ": "
                + (thing instanceof Perishable other ? other.describe() : thing) + " is of another device");
    }

    @SuppressWarnings("unchecked") // unchecked is what was asked for
    private T given(Texture texture) {
        return checks ? own(texture) : (T) texture;
    }

    @SuppressWarnings("unchecked") // unchecked is what was asked for
    private B given(Buffer buffer) {
        return checks ? own(buffer) : (B) buffer;
    }

    // Submission

    /** Throws unless the list has ended, was not submitted yet, and names nothing that was closed. */
    public final void requireSubmittable(String submission) {
        noteRecycling();
        rules.requireSubmittable(submission);
        requireValid(submission);
    }

    /**
     * Throws if something that this list or one that it executes names was closed, or such a list recycled: a driver
     * has invalidated its commands then.
     *
     * @param submission that is refused then, or null for the end of the list
     */
    private void requireValid(@Nullable String submission) {
        String closed = mentions.firstClosed();
        if (closed != null) {
            throw Mentions.refusal(refused(submission), closed);
        }
        for (int i = 0; i < executed.count(); i++) {
            if (executed.isRecycled(i)) {
                throw new IllegalStateException(refused(submission) + " executes list '" + executed.label(i)
                        + "', which was recycled by its frame context; record both anew");
            }
            String part = executed.get(i).mentions.firstClosed();
            if (part != null) {
                throw Mentions.refusal(refused(submission) + " executes list '" + executed.label(i) + "', which", part);
            }
        }
    }

    private String refused(@Nullable String submission) {
        return submission == null
                ? rules.where("end") + ": it"
                : "submission '" + submission + "' has command list '" + label() + "', which";
    }

    private void noteRecycling() {
        if (turn() != validTurn) {
            rules.abandon();
        }
    }

    /** Returns false if {@code by} has taken this list into the batch of that number before. */
    public final boolean collect(Object by, long batch) {
        if (collector == by && collection == batch) {
            return false;
        }
        collector = by;
        collection = batch;
        return true;
    }

    /** Notes that the list was submitted; everything is done when its queue has reached {@code value}. */
    public final void submitted(long value) {
        rules.submitted();
        events.submitted(queue, value);
        noteUse(queue, value);
        for (int i = 0; i < executed.count(); i++) {
            executed.get(i).noteUse(queue, value);
        }
    }

    /** Notes in the context that its list is in use until a queue has reached a value. */
    protected abstract void noteUse(GpuQueue by, long value);

    // Passes

    @Override
    public final void beginPass(String name, List<ResourceUse> uses) {
        if (checks) {
            requireUses(name, uses);
        }
        rules.beginPass(name);
        for (int i = 0; checks && i < uses.size(); i++) {
            mentions.name((Perishable) uses.get(i).resource());
        }
        if (log != null) {
            log.beginPass(name, uses);
        }
        layouts.take(uses);
        bound++;
        trail.enter(name);
        encodeBeginPass(name, uses);
    }

    @Override
    public final void beginPass(String name, RepeatedCommand<List<ResourceUse>> repeated) {
        List<ResourceUse> uses = repeated.command();
        long closed = closings.count();
        KnownCommand known = allowed(repeated, closed);
        if (known == null) {
            beginPass(name, uses);
            if (isNew(repeated, closed)) {
                repeated.know(new KnownCommand(queue, null, named(uses), NO_STRUCTURES, closed));
            }
            return;
        }
        conditions.requireNone("beginPass");
        rules.beginPass(name);
        name(known);
        layouts.take(uses);
        bound++;
        trail.enter(name);
        encodeBeginPass(name, uses);
    }

    private static List<Perishable> named(List<ResourceUse> uses) {
        List<Perishable> named = new ArrayList<>(uses.size());
        for (ResourceUse use : uses) {
            named.add((Perishable) use.resource());
        }
        return named;
    }

    private void requireUses(String name, List<ResourceUse> uses) {
        Usages.check(name, uses);
        rules.requireBeginPass(name);
        conditions.requireNone("beginPass");
        for (int i = 0; i < uses.size(); i++) {
            Resource resource = uses.get(i).resource();
            requireOwn(resource instanceof Texture ? "texture" : "buffer", resource);
        }
    }

    protected abstract void encodeBeginPass(String name, List<ResourceUse> uses);

    @Override
    public final void endPass() {
        queries.requireEndedPass();
        conditions.requireNone("endPass");
        rules.endPass();
        if (log != null) {
            log.endPass();
        }
        layouts.take(List.of());
        bound++;
        trail.leave();
        encodeEndPass();
    }

    protected abstract void encodeEndPass();

    @Override
    public final void discard(List<ResourceUse> uses) {
        rules.requireBeginPass("discard");
        if (log != null) {
            log.discard(uses);
        }
    }

    @Override
    public final void beginPart() {
        rules.beginPart();
    }

    @Override
    public final void keep(int attachments) {
        rules.keep(attachments);
    }

    @Override
    public void endPart() {
        queries.requireEndedPart();
        conditions.requireEndedPart();
        rules.endPart();
        forget();
    }

    @Override
    public final void beginLabel(String label) {
        rules.beginLabel(label);
        encodeBeginLabel(label);
    }

    protected void encodeBeginLabel(String label) {}

    @Override
    public final void endLabel() {
        rules.endLabel();
        encodeEndLabel();
    }

    protected void encodeEndLabel() {}

    @Override
    public final void insertLabel(String label) {
        rules.requireRecording("insertLabel");
        encodeInsertLabel(label);
    }

    protected void encodeInsertLabel(String label) {}

    // Barriers

    @Override
    public final void barrier(BarrierBatch batch) {
        if (rules.rendering() != null) {
            localBarrier(batch);
            return;
        }
        rules.requireOutside("barrier");
        if (batch.isEmpty()) {
            return;
        }
        if (!checks) {
            encodeBarrier(batch);
            return;
        }
        BarrierRules.check(rules, batch);
        requireOwn(batch);
        encodeBarrier(batch);
        name(batch);
        if (log != null) {
            log.barrier(batch);
        }
    }

    /** A barrier inside of a render pass, between draws that write attachments and draws that read them. */
    private void localBarrier(BarrierBatch batch) {
        if (checks) {
            BarrierRules.checkLocal(rules, batch);
        }
        if (batch.isEmpty()) {
            return;
        }
        if (checks) {
            requireOwn(batch);
        }
        encodeLocalBarrier(batch);
        name(batch);
        if (log != null) {
            log.barrier(batch);
        }
    }

    /** As {@link #encodeBarrier}, by region. */
    protected abstract void encodeLocalBarrier(BarrierBatch batch);

    @Override
    public final void barrier(RepeatedCommand<BarrierBatch> repeated) {
        BarrierBatch batch = repeated.command();
        if (batch.isEmpty() || rules.rendering() != null) {
            barrier(batch);
            return;
        }
        long closed = closings.count();
        KnownCommand known = allowed(repeated, closed);
        if (known == null) {
            barrier(batch);
            if (isNew(repeated, closed)) {
                repeated.know(new KnownCommand(queue, null, named(batch), structures(batch), closed));
            }
            return;
        }
        rules.requireOutside("barrier");
        rules.barrier();
        encodeBarrier(batch, known.structures());
        name(known);
    }

    private static List<Perishable> named(BarrierBatch batch) {
        List<Perishable> named = new ArrayList<>(batch.size());
        for (BarrierBatch.TextureBarrier barrier : batch.textures()) {
            named.add((Perishable) barrier.texture());
        }
        for (BarrierBatch.BufferBarrier barrier : batch.buffers()) {
            named.add((Perishable) barrier.buffer());
        }
        return named;
    }

    protected abstract void encodeBarrier(BarrierBatch batch);

    /** Does the same with the {@link #structures} of the batch. */
    protected void encodeBarrier(BarrierBatch batch, long[] structures) {
        encodeBarrier(batch);
    }

    /** Returns the structures of barriers that are allowed, for later lists. */
    protected long[] structures(BarrierBatch batch) {
        return NO_STRUCTURES;
    }

    /** Returns what is known of a command if that makes it allowed here, else null. */
    private @Nullable KnownCommand allowed(RepeatedCommand<?> repeated, long closed) {
        KnownCommand known = known(repeated);
        return known != null && known.wasOpen(closed) ? known : null;
    }

    /**
     * A log must learn of everything that is named, and a secondary list has part of its state from the list that
     * executes it.
     */
    private @Nullable KnownCommand known(RepeatedCommand<?> repeated) {
        return log == null
                        && !rules.isSecondary()
                        && repeated.known() instanceof KnownCommand known
                        && known.isFor(queue, layouts)
                ? known
                : null;
    }

    /**
     * Returns whether something is to be learnt of a command that was allowed; else notes that it was.
     *
     * @param closed the number of closings before that was found out
     */
    private boolean isNew(RepeatedCommand<?> repeated, long closed) {
        KnownCommand known = known(repeated);
        if (known != null) {
            known.open(closed);
        }
        return known == null && log == null && !rules.isSecondary();
    }

    private void name(KnownCommand known) {
        if (checks) {
            mentions.name(known);
        }
    }

    @Override
    public final void setEvent(DeviceEventSet set, int index, BarrierBatch batch) {
        RecordedEvents ours = half("setEvent", "set", set, batch);
        ours.ledger().set(events, rules, index, batch);
        encodeSetEvent(ours, index, batch);
        mentions.add((Perishable) set);
        name(batch);
        if (log != null) {
            log.setEvent(set, index, batch);
        }
    }

    protected abstract void encodeSetEvent(RecordedEvents set, int index, BarrierBatch batch);

    @Override
    public final void waitEvent(DeviceEventSet set, int index, BarrierBatch batch) {
        RecordedEvents ours = half("waitEvent", "waited for", set, batch);
        ours.ledger().await(events, rules, index, batch);
        encodeWaitEvent(ours, index, batch);
        mentions.add((Perishable) set);
        name(batch);
        if (log != null) {
            log.waitEvent(set, index, batch);
        }
    }

    protected abstract void encodeWaitEvent(RecordedEvents set, int index, BarrierBatch batch);

    private RecordedEvents half(String command, String use, DeviceEventSet set, BarrierBatch batch) {
        ours(command, set).requireOpen(use);
        BarrierRules.checkHalf(rules, command, batch);
        requireOwn(batch);
        return (RecordedEvents) set;
    }

    private void requireOwn(BarrierBatch batch) {
        for (int i = 0; i < batch.textures().size(); i++) {
            own(batch.textures().get(i).texture());
        }
        for (int i = 0; i < batch.buffers().size(); i++) {
            own(batch.buffers().get(i).buffer());
        }
    }

    private void name(BarrierBatch batch) {
        for (int i = 0; i < batch.textures().size(); i++) {
            mentions.name((Perishable) batch.textures().get(i).texture());
        }
        for (int i = 0; i < batch.buffers().size(); i++) {
            mentions.name((Perishable) batch.buffers().get(i).buffer());
        }
    }

    @Override
    public final void writeTimestamp(TimestampSet timestamps, int index) {
        rules.requireRecording("writeTimestamp");
        queries.requireOneView("writeTimestamp", "write it before the render pass or after it");
        Perishable ours = ours("writeTimestamp", timestamps);
        encodeTimestamp(timestamps, index);
        mentions.add(ours);
    }

    /** Writes a timestamp, unless the set is closed or a list writes it already. */
    protected abstract void encodeTimestamp(TimestampSet timestamps, int index);

    @Override
    public final void beginQuery(QuerySet set, int index) {
        RecordedQueries ours = queries("beginQuery", set);
        queries.begin(ours, index);
        mentions.add((Perishable) ours);
        encodeBeginQuery(ours, index);
    }

    protected abstract void encodeBeginQuery(RecordedQueries set, int index);

    @Override
    public final void endQuery(QuerySet set) {
        RecordedQueries ours = queries("endQuery", set);
        encodeEndQuery(ours, queries.end(ours));
    }

    protected abstract void encodeEndQuery(RecordedQueries set, int index);

    private RecordedQueries queries(String command, QuerySet set) {
        ours(command, set).requireOpen("used");
        return (RecordedQueries) set;
    }

    @Override
    public final void copyQueries(QuerySet set, int first, int count, Buffer destination, long offset) {
        Objects.requireNonNull(destination, "destination must not be null");
        rules.requireOutside("copyQueries");
        RecordedQueries ours = queries("copyQueries", set);
        B to = given(destination);
        queries.copy(ours, first, count, destination, offset);
        name((Perishable) ours, to);
        BitSet counted = queries.of(ours);
        int bytes = ours.kind().bytes();
        for (int from = first, end = first + count; from < end; ) {
            boolean known = counted.get(from);
            int next = Math.min(end, known ? counted.nextClearBit(from) : after(counted, from, end));
            long at = offset + (long) (from - first) * bytes;
            if (known) {
                encodeCopyQueries(ours, from, next - from, to, at);
            } else {
                encodeFill(to, at, (long) (next - from) * bytes, 0);
            }
            from = next;
        }
    }

    private static int after(BitSet counted, int from, int end) {
        int next = counted.nextSetBit(from);
        return next < 0 ? end : next;
    }

    /** Copies results of queries that this list has counted, or a list that it executes. */
    protected abstract void encodeCopyQueries(RecordedQueries set, int first, int count, B destination, long offset);

    @Override
    public final void beginConditionalRendering(Buffer condition, long offset, boolean inverted) {
        Objects.requireNonNull(condition, "condition must not be null");
        B ours = given(condition);
        conditions.begin(condition, offset);
        name(ours);
        encodeBeginConditionalRendering(ours, offset, inverted);
    }

    protected abstract void encodeBeginConditionalRendering(B condition, long offset, boolean inverted);

    @Override
    public final void endConditionalRendering() {
        conditions.end();
        encodeEndConditionalRendering();
    }

    protected abstract void encodeEndConditionalRendering();

    // Acceleration structures

    @Override
    public final void buildAccelerationStructure(AccelerationStructureBuild build) {
        Objects.requireNonNull(build, "build must not be null");
        structures.requirePlace("buildAccelerationStructure");
        if (checks) {
            requireOwn(build);
            structures.build(build, sizes(build.description()));
        }
        nameAll(build);
        encodeBuild(build);
        // A buffer of which a build has no address is found while it is encoded.
        StructureRules.built(build.destination()).build(build.description(), StructureRules.bottoms(build));
    }

    private void requireOwn(AccelerationStructureBuild build) {
        own(build.destination());
        own(build.scratch());
        if (build.updated() != null) {
            own(build.updated());
        }
        for (AccelerationStructureBuild.Input input : build.inputs()) {
            own(input.buffer());
            if (input.indices() != null) {
                own(input.indices());
            }
            input.bottoms().forEach(this::own);
        }
    }

    /** The bottom levels are named by the top level. */
    private void nameAll(AccelerationStructureBuild build) {
        nameUsed(build.destination());
        nameUsed(build.scratch());
        if (build.updated() != null) {
            nameUsed(build.updated());
        }
        for (AccelerationStructureBuild.Input input : build.inputs()) {
            nameUsed(input.buffer());
            if (input.indices() != null) {
                nameUsed(input.indices());
            }
        }
    }

    /** Names a buffer of which the rules have reported the use. */
    private void nameUsed(Buffer buffer) {
        if (checks) {
            mentions.name((Perishable) buffer);
        }
    }

    /** Returns what a description takes, which is within the limits of the device. */
    protected abstract AccelerationStructure.Sizes sizes(AccelerationStructureDescription description);

    protected abstract void encodeBuild(AccelerationStructureBuild build);

    @Override
    public final void copyAccelerationStructure(
            AccelerationStructure source, AccelerationStructure destination, AccelerationStructure.CopyMode mode) {
        Objects.requireNonNull(mode, "mode must not be null");
        structures.requirePlace("copyAccelerationStructure");
        given(source);
        given(destination);
        if (checks) {
            structures.copy(source, destination, mode);
        }
        nameUsed(source);
        nameUsed(destination);
        encodeCopy(source, destination, mode);
        StructureRules.built(destination).copy(StructureRules.built(source));
    }

    protected abstract void encodeCopy(
            AccelerationStructure source, AccelerationStructure destination, AccelerationStructure.CopyMode mode);

    @Override
    public final void serializeAccelerationStructure(AccelerationStructure source, Buffer destination, long offset) {
        structures.requirePlace("serializeAccelerationStructure");
        given(source);
        B to = given(destination);
        if (checks) {
            structures.serialize(source, destination, offset);
        }
        nameUsed(source);
        nameUsed(destination);
        encodeSerialize(source, to, offset);
    }

    protected abstract void encodeSerialize(AccelerationStructure source, B destination, long offset);

    @Override
    public final void deserializeAccelerationStructure(Buffer source, long offset, AccelerationStructure destination) {
        structures.requirePlace("deserializeAccelerationStructure");
        B from = given(source);
        given(destination);
        if (checks) {
            structures.deserialize(source, offset, destination);
        }
        nameUsed(source);
        nameUsed(destination);
        encodeDeserialize(from, offset, destination);
        StructureRules.built(destination).forget();
    }

    protected abstract void encodeDeserialize(B source, long offset, AccelerationStructure destination);

    @Override
    public final void measureAccelerationStructure(AccelerationStructure structure, QuerySet set, int index) {
        structures.requirePlace("measureAccelerationStructure");
        given(structure);
        RecordedQueries ours = queries("measureAccelerationStructure", set);
        if (checks) {
            structures.measure(structure, set.kind());
        }
        queries.measure(ours, index);
        nameUsed(structure);
        mentions.add((Perishable) ours);
        encodeMeasure(structure, ours, index);
    }

    protected abstract void encodeMeasure(AccelerationStructure structure, RecordedQueries set, int index);

    // Secondary lists and the end

    @Override
    public final void execute(List<CommandList> secondaries) {
        rules.requireExecutes();
        queries.requireNone("execute");
        conditions.requireNone("execute");
        requireExecutable(secondaries);
        for (int i = 0; i < secondaries.size(); i++) {
            CheckedCommandList<?, ?> ours = (CheckedCommandList<?, ?>) secondaries.get(i);
            ours.rules.execute(rules);
            executed.add(ours, ours.turn());
            trail.include(ours.trail);
            queries.addAll(ours.queries);
            if (log != null && ours.log != null) {
                log.append(ours.log);
            }
        }
        if (!secondaries.isEmpty()) {
            encodeExecute(secondaries);
            forget();
        }
    }

    protected abstract void encodeExecute(List<CommandList> secondaries);

    /** Looks at all lists before anything is done with one. */
    private void requireExecutable(List<CommandList> secondaries) {
        executions++;
        for (int i = 0; i < secondaries.size(); i++) {
            CommandList list = secondaries.get(i);
            if (!(list instanceof CheckedCommandList<?, ?> ours) || ours.device != device) {
                throw new IllegalArgumentException(
                        rules.where("execute") + ": list '" + list.label() + "' is of another device");
            }
            ours.noteRecycling();
            ours.rules.requireExecutable(rules);
            ours.layouts.requireExecutable(ours.rules, rules, layouts);
            String closed = ours.mentions.firstClosed();
            if (closed != null) {
                throw Mentions.refusal(rules.where("execute") + ": list '" + list.label() + "'", closed);
            }
            if (!ours.collect(this, executions)) {
                throw new IllegalStateException(
                        rules.where("execute") + " has list '" + list.label() + "' twice; record another");
            }
        }
    }

    /** Forgets the bindings: they end with a part of a pass, and secondary lists leave them undefined. */
    protected void forget() {
        bound++;
        draws.forget();
        pipeline = null;
        pushed = 0;
    }

    /** Gives the list to commands that the backend lets the application encode itself; {@link #endNative} follows. */
    protected final void beginNative() {
        rules.beginNative();
    }

    /** Takes the list back as its render pass begins, or outside of one as the list does: nothing is known of them. */
    protected final void endNative() {
        if (!rules.endNative()) {
            return;
        }
        forget();
        RenderingInfo open = rules.rendering();
        if (open != null) {
            encodeViewport(0, open.x(), open.y(), open.width(), open.height(), 0, 1);
            encodeScissor(0, open.x(), open.y(), open.width(), open.height());
        }
    }

    @Override
    public final void end() {
        queries.requireNone("end");
        conditions.requireNone("end");
        rules.end();
        try {
            requireValid(null);
        } catch (IllegalStateException e) {
            rules.abandon();
            refusedEnd();
            throw e;
        }
        trail.end();
        encodeEnd();
    }

    /** The list has ended, but can no longer be used. */
    protected abstract void refusedEnd();

    protected abstract void encodeEnd();

    // Transfers

    private void name(Perishable used) {
        if (checks) {
            mentions.add(used);
        }
    }

    private void name(Perishable source, Perishable destination) {
        name(source);
        name(destination);
    }

    @Override
    public final void copyBuffer(
            Buffer source, long sourceOffset, Buffer destination, long destinationOffset, long bytes) {
        rules.requireOutside("copyBuffer");
        B from = given(source);
        B to = given(destination);
        if (checks) {
            transfers.copyBuffer(source, sourceOffset, destination, destinationOffset, bytes);
        }
        name(from, to);
        encodeCopy(from, sourceOffset, to, destinationOffset, bytes);
    }

    protected abstract void encodeCopy(B source, long from, B destination, long to, long bytes);

    @Override
    public final void copyBufferToTexture(
            Buffer source, TexelLayout layout, Texture destination, TextureRegion region) {
        String command = "copyBufferToTexture";
        rules.requireOutside(command);
        B from = given(source);
        T to = given(destination);
        if (checks) {
            transfers.copyBufferToTexture(source, layout, destination, region);
        }
        TextureLayout current = layouts.copied(rules, command, destination, region, TextureLayout.TRANSFER_DST);
        name(from, to);
        encodeCopy(from, layout, to, region, current);
    }

    protected abstract void encodeCopy(
            B source, TexelLayout layout, T destination, TextureRegion region, TextureLayout current);

    @Override
    public final void copyBufferToTexture(Buffer source, long sourceOffset, Texture destination, int mip, int layer) {
        String command = "copyBufferToTexture";
        rules.requireOutside(command);
        B from = given(source);
        T to = given(destination);
        if (checks) {
            transfers.copyMipFromBuffer(source, sourceOffset, destination, mip, layer);
        }
        TextureLayout current = layouts.copied(rules, command, destination, mip, layer, TextureLayout.TRANSFER_DST);
        name(from, to);
        encodeCopyMip(from, sourceOffset, to, mip, layer, current);
    }

    protected abstract void encodeCopyMip(
            B source, long offset, T destination, int mip, int layer, TextureLayout current);

    @Override
    public final void copyTextureToBuffer(
            Texture source, TextureRegion region, Buffer destination, TexelLayout layout) {
        String command = "copyTextureToBuffer";
        rules.requireOutside(command);
        T from = given(source);
        B to = given(destination);
        if (checks) {
            transfers.copyTextureToBuffer(source, region, destination, layout);
        }
        TextureLayout current = layouts.copied(rules, command, source, region, TextureLayout.TRANSFER_SRC);
        name(from, to);
        encodeCopy(from, region, current, to, layout);
    }

    protected abstract void encodeCopy(
            T source, TextureRegion region, TextureLayout current, B destination, TexelLayout layout);

    @Override
    public final void copyTextureToBuffer(
            Texture source, int mip, int layer, Buffer destination, long destinationOffset) {
        String command = "copyTextureToBuffer";
        rules.requireOutside(command);
        T from = given(source);
        B to = given(destination);
        if (checks) {
            transfers.copyMipToBuffer(source, mip, layer, destination, destinationOffset);
        }
        TextureLayout current = layouts.copied(rules, command, source, mip, layer, TextureLayout.TRANSFER_SRC);
        name(from, to);
        encodeCopyMip(from, mip, layer, current, to, destinationOffset);
    }

    protected abstract void encodeCopyMip(
            T source, int mip, int layer, TextureLayout current, B destination, long offset);

    @Override
    public final void copyTexture(Texture source, TextureRegion from, Texture destination, TextureRegion to) {
        String command = "copyTexture";
        rules.requireOutside(command);
        T read = given(source);
        T written = given(destination);
        if (checks) {
            transfers.copyTexture(source, from, destination, to);
        }
        TextureLayout current = layouts.copied(rules, command, source, from, destination, to, false);
        TextureLayout target = layouts.copied(rules, command, source, from, destination, to, true);
        name(read, written);
        encodeCopy(read, from, current, written, to, target);
    }

    protected abstract void encodeCopy(
            T source, TextureRegion from, TextureLayout current, T destination, TextureRegion to, TextureLayout target);

    @Override
    public final void copyTexture(Texture source, Texture destination) {
        rules.requireOutside("copyTexture");
        TextureRegion from = first(given(source));
        TextureRegion to = first(given(destination));
        transfers.requireEqualFormats(source, destination);
        copyTexture(source, from, destination, to);
    }

    /** Returns the region of mip 0 of layer 0. */
    protected abstract TextureRegion first(T texture);

    @Override
    public final void blitTexture(
            Texture source, TextureRegion from, Texture destination, TextureRegion to, Filter filter) {
        String command = "blitTexture";
        rules.requireOutside(command);
        T read = given(source);
        T written = given(destination);
        if (checks) {
            transfers.blitTexture(source, from, destination, to, filter);
        }
        TextureLayout current = layouts.copied(rules, command, source, from, destination, to, false);
        TextureLayout target = layouts.copied(rules, command, source, from, destination, to, true);
        name(read, written);
        encodeBlit(read, from, current, written, to, target, filter);
    }

    protected abstract void encodeBlit(
            T source,
            TextureRegion from,
            TextureLayout current,
            T destination,
            TextureRegion to,
            TextureLayout target,
            Filter filter);

    @Override
    public final void resolveTexture(Texture source, TextureRegion from, Texture destination, TextureRegion to) {
        String command = "resolveTexture";
        rules.requireOutside(command);
        T read = given(source);
        T written = given(destination);
        if (checks) {
            transfers.resolveTexture(source, from, destination, to);
        }
        TextureLayout current = layouts.copied(rules, command, source, from, destination, to, false);
        TextureLayout target = layouts.copied(rules, command, source, from, destination, to, true);
        name(read, written);
        encodeResolve(read, from, current, written, to, target);
    }

    protected abstract void encodeResolve(
            T source, TextureRegion from, TextureLayout current, T destination, TextureRegion to, TextureLayout target);

    @Override
    public final void fillBuffer(Buffer destination, long offset, long bytes, int word) {
        rules.requireOutside("fillBuffer");
        B to = given(destination);
        if (checks) {
            transfers.fillBuffer(destination, offset, bytes);
        }
        name(to);
        encodeFill(to, offset, bytes, word);
    }

    protected abstract void encodeFill(B destination, long offset, long bytes, int word);

    @Override
    public final void updateBuffer(Buffer destination, long offset, ByteBuffer data) {
        rules.requireOutside("updateBuffer");
        B to = given(destination);
        if (checks) {
            transfers.updateBuffer(destination, offset, data.remaining());
        }
        name(to);
        encodeUpdate(to, offset, data);
    }

    protected abstract void encodeUpdate(B destination, long offset, ByteBuffer data);

    @Override
    public final void clearTexture(Texture destination, SubresourceRange range, RenderingInfo.ClearColor color) {
        rules.requireOutside("clearTexture");
        T to = given(destination);
        if (checks) {
            transfers.clearTexture(destination, range);
        }
        TextureLayout current = layouts.cleared(rules, "clearTexture", destination, range);
        name(to);
        encodeClear(to, current, range, color);
    }

    protected abstract void encodeClear(
            T destination, TextureLayout current, SubresourceRange range, RenderingInfo.ClearColor color);

    @Override
    public final void clearDepthStencil(Texture destination, SubresourceRange range, float depth, int stencil) {
        rules.requireOutside("clearDepthStencil");
        T to = given(destination);
        if (checks) {
            transfers.clearDepthStencil(renderingRules, destination, range, depth, stencil);
        }
        TextureLayout current = layouts.cleared(rules, "clearDepthStencil", destination, range);
        name(to);
        encodeClear(to, current, range, depth, stencil);
    }

    protected abstract void encodeClear(
            T destination, TextureLayout current, SubresourceRange range, float depth, int stencil);

    // Render passes

    @Override
    public final void beginRendering(RenderingInfo info) {
        Objects.requireNonNull(info, "info must not be null");
        rules.requireOutside("beginRendering");
        queries.requireNoneAround(info);
        if (checks) {
            requireOwn(info);
            renderingRules.check(info);
        }
        long described = describe(info);
        rules.beginRendering(info);
        encodeBeginRendering(info, described);
        if (checks) {
            nameAttachments(info);
        }
    }

    /**
     * Does everything of the beginning of a render pass that can still fail; the result goes to {@link
     * #encodeBeginRendering}.
     */
    protected long describe(RenderingInfo info) {
        return 0;
    }

    @Override
    public final void beginRendering(RepeatedCommand<RenderingInfo> repeated) {
        RenderingInfo info = repeated.command();
        long closed = closings.count();
        KnownCommand known = allowed(repeated, closed);
        if (known == null) {
            beginRendering(info);
            if (isNew(repeated, closed)) {
                repeated.know(new KnownCommand(queue, layouts.declared(), named(info), structures(info), closed));
            }
            return;
        }
        rules.requireOutside("beginRendering");
        queries.requireNoneAround(info);
        long described = describe(info, known.structures());
        rules.beginRendering(info);
        encodeBeginRendering(info, described);
        name(known);
    }

    private static List<Perishable> named(RenderingInfo info) {
        List<Perishable> named = new ArrayList<>();
        for (RenderingInfo.ColorAttachment color : info.colors()) {
            add(named, color.view());
            add(named, color.resolve());
        }
        RenderingInfo.DepthAttachment depth = info.depth();
        if (depth != null) {
            add(named, depth.view());
            add(named, depth.resolve());
        }
        RenderingInfo.StencilAttachment stencil = info.stencil();
        if (stencil != null) {
            add(named, stencil.view());
            add(named, stencil.resolve());
        }
        return named;
    }

    private static void add(List<Perishable> named, RenderingInfo.@Nullable DepthResolve resolve) {
        add(named, resolve == null ? null : resolve.view());
    }

    private static void add(List<Perishable> named, @Nullable TextureView view) {
        if (view != null) {
            named.add((Perishable) view.texture());
        }
    }

    /** As {@link #describe(RenderingInfo)}, with the {@link #structures} of the render pass. */
    protected long describe(RenderingInfo info, long[] structures) {
        return describe(info);
    }

    /** Returns the structures of a render pass that is allowed in the open pass, for later lists. */
    protected long[] structures(RenderingInfo info) {
        return NO_STRUCTURES;
    }

    protected abstract void encodeBeginRendering(RenderingInfo info, long described);

    /** Finds attachments that are closed or of another device, before any other look at them. */
    private void requireOwn(RenderingInfo info) {
        for (int i = 0; i < info.colors().size(); i++) {
            requireOwn(info.colors().get(i).view());
            requireOwn(info.colors().get(i).resolve());
        }
        RenderingInfo.DepthAttachment depth = info.depth();
        if (depth != null) {
            requireOwn(depth.view());
            requireOwn(viewOf(depth.resolve()));
        }
        RenderingInfo.StencilAttachment stencil = info.stencil();
        if (stencil != null) {
            requireOwn(stencil.view());
            requireOwn(viewOf(stencil.resolve()));
        }
    }

    private void requireOwn(@Nullable TextureView view) {
        if (view != null) {
            requireOwn("texture", view.texture());
            if (!(view instanceof OwnedView)) {
                throw new IllegalArgumentException("texture '" + view.texture().name() + "' used by command list '"
                        + label() + "' " + OwnedView.REFUSAL);
            }
        }
    }

    private static @Nullable TextureView viewOf(RenderingInfo.@Nullable DepthResolve resolve) {
        return resolve == null ? null : resolve.view();
    }

    private void nameAttachments(RenderingInfo info) {
        for (int i = 0; i < info.colors().size(); i++) {
            nameAttachment(info.colors().get(i).view());
            nameAttachment(info.colors().get(i).resolve());
        }
        RenderingInfo.DepthAttachment depth = info.depth();
        if (depth != null) {
            nameAttachment(depth.view());
            nameAttachment(viewOf(depth.resolve()));
        }
        RenderingInfo.StencilAttachment stencil = info.stencil();
        if (stencil != null) {
            nameAttachment(stencil.view());
            nameAttachment(viewOf(stencil.resolve()));
        }
    }

    private void nameAttachment(@Nullable TextureView view) {
        if (view != null) {
            mentions.add((Perishable) view.texture());
        }
    }

    @Override
    public final void endRendering() {
        RenderingInfo info = rules.rendering();
        queries.requireEndedRendering();
        conditions.requireEndedRendering();
        boolean empty = rules.endRendering();
        if (info == null) {
            throw new IllegalStateException(rules.where("endRendering") + " is outside of a render pass");
        }
        if (log != null) {
            log.rendered(info, empty);
        }
        encodeEndRendering(info);
        RecordedPipeline current = pipeline;
        if (current != null && current.rules().readsAttachments()) {
            bound++;
            forgetAttachments();
        }
    }

    /** Forgets the input attachments that are bound: another render pass has others. */
    protected abstract void forgetAttachments();

    protected abstract void encodeEndRendering(RenderingInfo info);

    @Override
    public final void clearColorAttachment(
            int attachment, RenderingInfo.ClearColor color, int x, int y, int width, int height) {
        if (checks) {
            renderingRules.clearColor(attachment, x, y, width, height);
        }
        encodeClearColor(attachment, color, x, y, width, height);
    }

    protected abstract void encodeClearColor(
            int attachment, RenderingInfo.ClearColor color, int x, int y, int width, int height);

    @Override
    public final void clearDepthStencilAttachment(
            boolean clearDepth, float depth, boolean clearStencil, int stencil, int x, int y, int width, int height) {
        if (checks) {
            renderingRules.clearDepthStencil(clearDepth, depth, clearStencil, stencil, x, y, width, height);
        }
        encodeClearDepthStencil(clearDepth, depth, clearStencil, stencil, x, y, width, height);
    }

    protected abstract void encodeClearDepthStencil(
            boolean clearDepth, float depth, boolean clearStencil, int stencil, int x, int y, int width, int height);

    @Override
    public final void setViewport(
            int index, float x, float y, float width, float height, float minDepth, float maxDepth) {
        if (checks) {
            renderingRules.viewport(index, x, y, width, height, minDepth, maxDepth);
        }
        encodeViewport(index, x, y, width, height, minDepth, maxDepth);
    }

    protected abstract void encodeViewport(
            int index, float x, float y, float width, float height, float minDepth, float maxDepth);

    @Override
    public final void setScissor(int index, int x, int y, int width, int height) {
        if (checks) {
            renderingRules.scissor(index, x, y, width, height);
        }
        encodeScissor(index, x, y, width, height);
    }

    protected abstract void encodeScissor(int index, int x, int y, int width, int height);

    @Override
    public final void setStencilReference(int reference) {
        if (checks) {
            renderingRules.stencilReference(reference);
        }
        bound++;
        encodeStencilReference(reference);
    }

    protected abstract void encodeStencilReference(int reference);

    @Override
    public final void setBlendConstants(float red, float green, float blue, float alpha) {
        if (checks) {
            rules.requireRecording("setBlendConstants");
        }
        bound++;
        encodeBlendConstants(red, green, blue, alpha);
    }

    protected abstract void encodeBlendConstants(float red, float green, float blue, float alpha);

    @Override
    public final void setDepthBias(float constant, float slope, float clamp) {
        if (checks) {
            renderingRules.depthBias(constant, slope, clamp);
        }
        bound++;
        encodeDepthBias(constant, slope, clamp);
    }

    protected abstract void encodeDepthBias(float constant, float slope, float clamp);

    @Override
    public final void setLineWidth(float width) {
        if (checks) {
            renderingRules.lineWidth(width);
        }
        bound++;
        encodeLineWidth(width);
    }

    protected abstract void encodeLineWidth(float width);

    @Override
    public final void setCullMode(GraphicsPipelineDescription.CullMode cull) {
        Objects.requireNonNull(cull, "cull must not be null");
        if (checks) {
            rules.requireRecording("setCullMode");
        }
        bound++;
        encodeCullMode(cull);
    }

    protected abstract void encodeCullMode(GraphicsPipelineDescription.CullMode cull);

    @Override
    public final void setFrontFace(RasterState.FrontFace front) {
        Objects.requireNonNull(front, "front must not be null");
        if (checks) {
            rules.requireRecording("setFrontFace");
        }
        bound++;
        encodeFrontFace(front);
    }

    protected abstract void encodeFrontFace(RasterState.FrontFace front);

    @Override
    public final void setTopology(RasterState.Topology topology) {
        Objects.requireNonNull(topology, "topology must not be null");
        if (checks) {
            rules.topology(topology);
        }
        bound++;
        encodeTopology(topology);
    }

    protected abstract void encodeTopology(RasterState.Topology topology);

    @Override
    public final void setDepthTest(GraphicsPipelineDescription.@Nullable DepthState test) {
        if (checks) {
            rules.depthTest(test);
        }
        bound++;
        encodeDepthTest(test);
    }

    protected abstract void encodeDepthTest(GraphicsPipelineDescription.@Nullable DepthState test);

    @Override
    public final void setStencilTest(@Nullable StencilState test) {
        if (checks) {
            rules.stencilTest(test);
        }
        bound++;
        encodeStencilTest(test);
    }

    protected abstract void encodeStencilTest(@Nullable StencilState test);

    @Override
    public final void setVertexInput(List<GraphicsPipelineDescription.VertexBuffer> buffers) {
        Objects.requireNonNull(buffers, "buffers must not be null");
        List<GraphicsPipelineDescription.VertexBuffer> fixed =
                checks ? vertexInputs.checked(buffers) : List.copyOf(buffers);
        if (checks) {
            rules.vertexInput(fixed);
        }
        bound++;
        encodeVertexInput(fixed);
    }

    protected abstract void encodeVertexInput(List<GraphicsPipelineDescription.VertexBuffer> buffers);

    // Bindings: the backend knows what is bound, and checks it when a draw or dispatch needs it.

    @Override
    public final void bindPipeline(Pipeline next) {
        if (checks) {
            requireBindable(next);
        }
        bound++;
        pipeline = (RecordedPipeline) next;
        pushed = 0;
        encodePipeline(next);
    }

    private void requireBindable(Pipeline next) {
        rules.requireRecording("bindPipeline");
        Perishable ours = ours("bindPipeline", next);
        if (ours.isClosed()) {
            throw new IllegalStateException(
                    rules.where("bindPipeline") + ": pipeline '" + next.name() + "' is closed; bind an open one");
        }
        rules.requireQueue("bindPipeline", next instanceof GraphicsPipeline ? QueueKind.GRAPHICS : QueueKind.COMPUTE);
        mentions.add(ours);
    }

    protected abstract void encodePipeline(Pipeline pipeline);

    /** Returns the bound pipeline; throws if there is none, or it was closed since. */
    private RecordedPipeline pipeline(String command) {
        RecordedPipeline current = pipeline;
        if (current == null) {
            throw new IllegalStateException(
                    rules.where(command) + " comes before any bindPipeline; bind the pipeline first");
        }
        if (((Perishable) current).isClosed()) {
            throw new IllegalStateException(rules.where(command) + ": pipeline '"
                    + current.rules().pipeline() + "' was closed after it was bound; close it when the list was"
                    + " submitted");
        }
        return current;
    }

    private SlotHandle slot(String command, String name, int index) {
        if (checks) {
            rules.requireRecording(command);
        }
        return pipeline(command).rules().handle(name, index);
    }

    private SlotHandle slot(String command, ShaderSlot slot) {
        if (!checks) {
            return (SlotHandle) slot;
        }
        rules.requireRecording(command);
        BindingRules current = pipeline(command).rules();
        if (slot instanceof SlotHandle ours && ours.rules() == current) {
            return ours;
        }
        throw current.foreign(rules.where(command), slot);
    }

    @Override
    public final void bindTexture(String name, TextureView view, Sampler sampler) {
        bindTexture(slot("bindTexture", name, 0), view, sampler);
    }

    @Override
    public final void bindTexture(String name, int index, TextureView view, Sampler sampler) {
        bindTexture(slot("bindTexture", name, index), view, sampler);
    }

    @Override
    public final void bindTexture(ShaderSlot slot, TextureView view, Sampler sampler) {
        bindTexture(slot("bindTexture", slot), view, sampler);
    }

    private void bindTexture(SlotHandle slot, TextureView view, Sampler sampler) {
        if (checks) {
            slot.rules().texture(slot, view, sampler);
        }
        bound++;
        takeTexture(slot, view, sampler);
    }

    protected abstract void takeTexture(SlotHandle slot, TextureView view, @Nullable Sampler sampler);

    @Override
    public final void bindTexture(String name, TextureView view) {
        bindTexture(slot("bindTexture", name, 0), view);
    }

    @Override
    public final void bindTexture(String name, int index, TextureView view) {
        bindTexture(slot("bindTexture", name, index), view);
    }

    @Override
    public final void bindTexture(ShaderSlot slot, TextureView view) {
        bindTexture(slot("bindTexture", slot), view);
    }

    private void bindTexture(SlotHandle slot, TextureView view) {
        if (checks) {
            if (slot.binding().kind() == ShaderBinding.Kind.INPUT_ATTACHMENT) {
                slot.rules().inputAttachment(slot, view, rules, !layouts.isEmpty());
            } else {
                slot.rules().sampledImage(slot, view);
            }
        }
        bound++;
        takeTexture(slot, view, null);
    }

    @Override
    public final void bindSampler(String name, Sampler sampler) {
        bindSampler(slot("bindSampler", name, 0), sampler);
    }

    @Override
    public final void bindSampler(String name, int index, Sampler sampler) {
        bindSampler(slot("bindSampler", name, index), sampler);
    }

    @Override
    public final void bindSampler(ShaderSlot slot, Sampler sampler) {
        bindSampler(slot("bindSampler", slot), sampler);
    }

    private void bindSampler(SlotHandle slot, Sampler sampler) {
        if (checks) {
            slot.rules().sampler(slot, sampler);
        }
        bound++;
        takeSampler(slot, sampler);
    }

    protected abstract void takeSampler(SlotHandle slot, Sampler sampler);

    @Override
    public final void bindStorageTexture(String name, TextureView view) {
        bindStorageTexture(slot("bindStorageTexture", name, 0), view);
    }

    @Override
    public final void bindStorageTexture(String name, int index, TextureView view) {
        bindStorageTexture(slot("bindStorageTexture", name, index), view);
    }

    @Override
    public final void bindStorageTexture(ShaderSlot slot, TextureView view) {
        bindStorageTexture(slot("bindStorageTexture", slot), view);
    }

    private void bindStorageTexture(SlotHandle slot, TextureView view) {
        if (checks) {
            slot.rules().storageTexture(slot, view);
        }
        bound++;
        takeStorageTexture(slot, view);
    }

    protected abstract void takeStorageTexture(SlotHandle slot, TextureView view);

    @Override
    public final void bindBuffer(String name, Buffer buffer, long offset, long bytes) {
        bindBuffer(slot("bindBuffer", name, 0), buffer, offset, bytes);
    }

    @Override
    public final void bindBuffer(String name, int index, Buffer buffer, long offset, long bytes) {
        bindBuffer(slot("bindBuffer", name, index), buffer, offset, bytes);
    }

    @Override
    public final void bindBuffer(ShaderSlot slot, Buffer buffer, long offset, long bytes) {
        bindBuffer(slot("bindBuffer", slot), buffer, offset, bytes);
    }

    @SuppressWarnings("unchecked") // checked by the rules, if at all
    private void bindBuffer(SlotHandle slot, Buffer buffer, long offset, long bytes) {
        if (checks) {
            slot.rules().buffer(slot, buffer, offset, bytes);
        }
        bound++;
        takeBuffer(slot, (B) buffer, offset, bytes);
    }

    protected abstract void takeBuffer(SlotHandle slot, B buffer, long offset, long bytes);

    @Override
    public final void bindAccelerationStructure(String name, AccelerationStructure structure) {
        bindStructure(slot("bindAccelerationStructure", name, 0), structure);
    }

    @Override
    public final void bindAccelerationStructure(String name, int index, AccelerationStructure structure) {
        bindStructure(slot("bindAccelerationStructure", name, index), structure);
    }

    @Override
    public final void bindAccelerationStructure(ShaderSlot slot, AccelerationStructure structure) {
        bindStructure(slot("bindAccelerationStructure", slot), structure);
    }

    private void bindStructure(SlotHandle slot, AccelerationStructure structure) {
        Objects.requireNonNull(structure, "structure must not be null");
        if (checks) {
            slot.rules().structure(slot, structure);
        }
        bound++;
        takeStructure(slot, structure);
    }

    protected abstract void takeStructure(SlotHandle slot, AccelerationStructure structure);

    @Override
    public final void bindSet(BindingSet set) {
        rules.requireRecording("bindSet");
        requireBindable(set);
        bound++;
        takeSet(set);
    }

    private void requireBindable(BindingSet given) {
        Perishable ours = ours("bindSet", given);
        if (pipeline == null) {
            throw new IllegalStateException(rules.where("bindSet") + ": " + ours.describe()
                    + " is bound before any pipeline; bind the pipeline first");
        }
        RecordedPipeline current = pipeline("bindSet");
        if (checks) {
            requireOpen(ours);
        }
        RecordedSet set = (RecordedSet) given;
        if (set.set() == current.rules().pushedSet()) {
            throw new IllegalArgumentException(rules.where("bindSet") + ": " + ours.describe() + " is for set "
                    + set.set() + ", which pipeline '" + current.rules().pipeline()
                    + "' pushes; bind its resources by name or slot");
        }
        if (!set.fits(current)) {
            throw new IllegalArgumentException(rules.where("bindSet") + ": " + ours.describe() + " does not fit set "
                    + set.set() + " of pipeline '" + current.rules().pipeline()
                    + "'; make it for a pipeline with the same bindings there: "
                    + current.rules().bindings());
        }
        if (checks) {
            current.rules().checkRanges(set.name(), set.set(), set.ranges());
        }
    }

    private void requireOpen(Perishable set) {
        if (set.isClosed()) {
            throw new IllegalStateException(
                    rules.where("bindSet") + ": " + set.describe() + " is closed; bind an open one");
        }
        Resource gone = set.firstClosed();
        if (gone != null) {
            throw new IllegalStateException(rules.where("bindSet") + ": " + set.describe() + " has '" + gone.name()
                    + "', which is closed; make another set, and close the resource after both");
        }
    }

    protected abstract void takeSet(BindingSet set);

    @Override
    public final void bindTable(BindlessTable table) {
        rules.requireRecording("bindTable");
        Perishable ours = ours("bindTable", table);
        String closed = checks ? ours.closedPart() : null;
        if (closed != null) {
            throw new IllegalStateException(rules.where("bindTable") + ": " + closed
                    + " is closed; close the slot of a resource before the resource, and a table after the last use");
        }
        bound++;
        takeTable(table);
    }

    protected abstract void takeTable(BindlessTable table);

    @Override
    public final void pushConstants(ByteBuffer data) {
        int bytes = data.remaining();
        BindingRules current = pipeline("pushConstants").rules();
        if (checks) {
            rules.requireRecording("pushConstants");
            if (bytes == 0 || bytes % 4 != 0 || bytes > current.pushConstantBytes()) {
                throw new IllegalArgumentException(rules.where("pushConstants") + ": pipeline '" + current.pipeline()
                        + "' has " + current.pushConstantBytes() + " bytes of push constants; got " + bytes
                        + ", which must be a multiple of 4 and fit");
            }
        }
        pushed = Math.max(pushed, bytes);
        takeConstants(data);
    }

    protected abstract void takeConstants(ByteBuffer data);

    @Override
    public final void bindVertexBuffer(int binding, Buffer buffer, long offset) {
        B ours = given(buffer);
        if (checks) {
            draws.bindVertexBuffer(binding, buffer, offset);
            mentions.name(ours);
        }
        bound++;
        encodeVertexBuffer(binding, ours, offset);
    }

    protected void encodeVertexBuffer(int binding, B buffer, long offset) {}

    @Override
    public final void bindIndexBuffer(Buffer buffer, long offset, IndexType type) {
        B ours = given(buffer);
        if (checks) {
            draws.bindIndexBuffer(buffer, offset, type);
            mentions.name(ours);
        }
        encodeIndexBuffer(ours, offset, type);
    }

    protected void encodeIndexBuffer(B buffer, long offset, IndexType type) {}

    // Draws and dispatches

    private GraphicsPipelineDescription graphics(String command) {
        RecordedPipeline current = pipeline(command);
        if (!(current instanceof GraphicsPipeline graphics)) {
            throw otherKind(command, "graphics", current);
        }
        return graphics.description();
    }

    private IllegalStateException otherKind(String command, String needed, RecordedPipeline bound) {
        return new IllegalStateException(rules.where(command) + " needs a " + needed + " pipeline, '"
                + bound.rules().pipeline() + "' is a " + TraceRules.kind(bound) + " pipeline");
    }

    private void requireCompute(String command) {
        RecordedPipeline current = pipeline(command);
        if (!(current instanceof ComputePipeline)) {
            throw otherKind(command, "compute", current);
        }
    }

    private void flush(String command, int shaders) {
        mentions.shaders(shaders);
        encodeBindings(command);
        RecordedPipeline current = pipeline;
        if (current != null && pushed < current.rules().pushConstantBytes()) {
            throw new IllegalStateException(rules.where(command) + " of pipeline '"
                    + current.rules().pipeline() + "' needs " + current.rules().pushConstantBytes()
                    + " bytes of push constants, " + pushed + " are set");
        }
    }

    /**
     * Checks all resources that a draw or dispatch needs bound, and binds them.
     *
     * @throws IllegalStateException naming what is missing or closed
     */
    protected abstract void encodeBindings(String command);

    /** Returns a number that grows with everything that a draw or dispatch depends on. */
    private int state() {
        return rules.changes() + bound;
    }

    /** Returns whether what was checked for a draw before holds still; if not, {@link #bindForDraw} follows. */
    private boolean allowsDraw(String command, Source source) {
        boolean meshes = source == Source.MESHES;
        boolean known = drawable == state() && drawsMeshes == meshes && open == closings.count();
        if (!known && checks) {
            rules.requireInside(command);
            draws.beforeDraw(command, source, graphics(command));
        }
        if (meshes && checks) {
            queries.requireNoStatistics(command);
        }
        drawsMeshes = meshes;
        return known;
    }

    private void bindForDraw(String command) {
        long closed = closings.count();
        flush(command, 0);
        open = closed;
        drawable = state();
        dispatchable = drawable - 1;
    }

    @Override
    public final void draw(int vertexCount, int instanceCount, int firstVertex, int firstInstance) {
        boolean allowed = allowsDraw("draw", Source.VERTICES);
        if (checks) {
            draws.draw(vertexCount, instanceCount, firstVertex, firstInstance);
        }
        if (!allowed) {
            bindForDraw("draw");
        }
        encodeDraw(vertexCount, instanceCount, firstVertex, firstInstance);
    }

    protected abstract void encodeDraw(int vertexCount, int instanceCount, int firstVertex, int firstInstance);

    @Override
    public final void drawIndexed(
            int indexCount, int instanceCount, int firstIndex, int vertexOffset, int firstInstance) {
        boolean allowed = allowsDraw("drawIndexed", Source.INDICES);
        if (checks) {
            draws.drawIndexed(indexCount, instanceCount, firstIndex, firstInstance);
        }
        if (!allowed) {
            bindForDraw("drawIndexed");
        }
        encodeDrawIndexed(indexCount, instanceCount, firstIndex, vertexOffset, firstInstance);
    }

    protected abstract void encodeDrawIndexed(
            int indexCount, int instanceCount, int firstIndex, int vertexOffset, int firstInstance);

    @Override
    public final void drawMeshTasks(int groupsX, int groupsY, int groupsZ) {
        boolean allowed = allowsDraw("drawMeshTasks", Source.MESHES);
        if (checks) {
            draws.drawMeshTasks(graphics("drawMeshTasks"), groupsX, groupsY, groupsZ);
        }
        if (!allowed) {
            bindForDraw("drawMeshTasks");
        }
        encodeDrawMeshTasks(groupsX, groupsY, groupsZ);
    }

    protected abstract void encodeDrawMeshTasks(int groupsX, int groupsY, int groupsZ);

    @Override
    public final void drawIndirect(Buffer arguments, long offset, int drawCount, int stride) {
        indirect("drawIndirect", Source.VERTICES, arguments, offset, drawCount, stride);
    }

    @Override
    public final void drawIndexedIndirect(Buffer arguments, long offset, int drawCount, int stride) {
        indirect("drawIndexedIndirect", Source.INDICES, arguments, offset, drawCount, stride);
    }

    @Override
    public final void drawMeshTasksIndirect(Buffer arguments, long offset, int drawCount, int stride) {
        indirect("drawMeshTasksIndirect", Source.MESHES, arguments, offset, drawCount, stride);
    }

    private void indirect(String command, Source source, Buffer arguments, long offset, int drawCount, int stride) {
        boolean allowed = allowsDraw(command, source);
        B ours = given(arguments);
        if (checks) {
            draws.drawIndirect(command, source, arguments, offset, drawCount, stride);
        }
        if (!allowed) {
            bindForDraw(command);
        }
        name(ours);
        encodeDrawIndirect(source, ours, offset, drawCount, stride);
    }

    protected abstract void encodeDrawIndirect(Source source, B arguments, long offset, int drawCount, int stride);

    @Override
    public final void drawIndirectCount(
            Buffer arguments, long offset, Buffer count, long countOffset, int maxDraws, int stride) {
        indirectCount("drawIndirectCount", Source.VERTICES, arguments, offset, count, countOffset, maxDraws, stride);
    }

    @Override
    public final void drawIndexedIndirectCount(
            Buffer arguments, long offset, Buffer count, long countOffset, int maxDraws, int stride) {
        indirectCount(
                "drawIndexedIndirectCount", Source.INDICES, arguments, offset, count, countOffset, maxDraws, stride);
    }

    @Override
    public final void drawMeshTasksIndirectCount(
            Buffer arguments, long offset, Buffer count, long countOffset, int maxDraws, int stride) {
        indirectCount(
                "drawMeshTasksIndirectCount", Source.MESHES, arguments, offset, count, countOffset, maxDraws, stride);
    }

    private void indirectCount(
            String command,
            Source source,
            Buffer arguments,
            long offset,
            Buffer count,
            long countOffset,
            int maxDraws,
            int stride) {
        boolean allowed = allowsDraw(command, source);
        B ours = given(arguments);
        B number = given(count);
        if (checks) {
            draws.drawIndirectCount(command, source, arguments, offset, count, countOffset, maxDraws, stride);
        }
        if (!allowed) {
            bindForDraw(command);
        }
        name(ours);
        name(number);
        encodeDrawIndirectCount(source, ours, offset, number, countOffset, maxDraws, stride);
    }

    protected abstract void encodeDrawIndirectCount(
            Source source, B arguments, long offset, B count, long countOffset, int maxDraws, int stride);

    /** As {@link #allowsDraw}, of dispatches. */
    private boolean allowsDispatch(String command) {
        boolean known = dispatchable == state() && open == closings.count();
        if (!known && checks) {
            draws.beforeDispatch(command);
            requireCompute(command);
        }
        return known;
    }

    private void bindForDispatch(String command) {
        long closed = closings.count();
        flush(command, 0);
        open = closed;
        dispatchable = state();
        drawable = dispatchable - 1;
    }

    @Override
    public final void dispatch(int groupsX, int groupsY, int groupsZ) {
        boolean allowed = allowsDispatch("dispatch");
        if (checks) {
            draws.dispatch(groupsX, groupsY, groupsZ);
        }
        if (!allowed) {
            bindForDispatch("dispatch");
        }
        encodeDispatch(groupsX, groupsY, groupsZ);
    }

    protected abstract void encodeDispatch(int groupsX, int groupsY, int groupsZ);

    @Override
    public final void dispatchIndirect(Buffer arguments, long offset) {
        boolean allowed = allowsDispatch("dispatchIndirect");
        B ours = given(arguments);
        if (checks) {
            draws.dispatchIndirect(arguments, offset);
        }
        if (!allowed) {
            bindForDispatch("dispatchIndirect");
        }
        name(ours);
        encodeDispatchIndirect(ours, offset);
    }

    protected abstract void encodeDispatchIndirect(B arguments, long offset);

    @Override
    public final void traceRays(
            ShaderBindingTable table, Buffer memory, long offset, int width, int height, int depth) {
        B ours = table("traceRays", table, memory, offset);
        if (checks) {
            traces.rays(width, height, depth);
        }
        flush("traceRays", PipelineStage.RAY_TRACING_SHADER.bit());
        nameUsed(memory);
        encodeTrace(table, ours, offset, width, height, depth);
    }

    protected abstract void encodeTrace(
            ShaderBindingTable table, B memory, long offset, int width, int height, int depth);

    @Override
    public final void traceRaysIndirect(
            ShaderBindingTable table, Buffer memory, long offset, Buffer arguments, long argumentOffset) {
        B ours = table("traceRaysIndirect", table, memory, offset);
        B numbers = given(arguments);
        if (checks) {
            traces.arguments(arguments, argumentOffset);
        }
        flush("traceRaysIndirect", PipelineStage.RAY_TRACING_SHADER.bit());
        nameUsed(memory);
        nameUsed(arguments);
        encodeTraceIndirect(table, ours, offset, numbers, argumentOffset);
    }

    protected abstract void encodeTraceIndirect(
            ShaderBindingTable table, B memory, long offset, B arguments, long argumentOffset);

    private B table(String command, ShaderBindingTable table, Buffer memory, long offset) {
        Objects.requireNonNull(table, "table must not be null");
        RecordedPipeline current = pipeline(command);
        if (!(current instanceof RayTracingPipeline)) {
            throw otherKind(command, "ray-tracing", current);
        }
        B ours = given(memory);
        if (checks) {
            traces.requirePlace(command);
            // Whether conditions decide about traces depends on the driver.
            conditions.requireNone(command);
            traces.table(command, table, current, memory, offset);
        }
        return ours;
    }
}
