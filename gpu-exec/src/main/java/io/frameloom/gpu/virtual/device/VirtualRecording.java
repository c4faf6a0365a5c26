package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.DeviceEventSet;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.device.Usages;
import io.frameloom.gpu.internal.PassParts;
import io.frameloom.gpu.record.BarrierRules;
import io.frameloom.gpu.record.CommandLog;
import io.frameloom.gpu.record.EventUses;
import io.frameloom.gpu.record.Mentions;
import io.frameloom.gpu.record.PassLayouts;
import io.frameloom.gpu.record.RecordingRules;
import io.frameloom.gpu.record.SplitBarrierRules;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Texture;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The life of a command list of the virtual device: passes, labels, barriers, timestamps, end; it keeps the commands. */
abstract class VirtualRecording implements CommandList, PassParts {
    final SimulatedDevice device;
    final RecordingRules rules;
    /** What the commands name: it has no memory any more when it is closed. */
    final Mentions mentions;

    /** In which textures are taken to be. */
    final PassLayouts layouts;

    final List<Op> ops = new ArrayList<>();
    private final VirtualFrameContext context;
    /** That of the context while the list may be used. */
    private final int generation;

    private final VirtualQueue queue;
    /** Null if nobody observes. */
    private final @Nullable CommandLog log;

    /** What the commands do with events. */
    final EventUses events = new EventUses();

    /** The secondary lists that this one executes. */
    private final List<VirtualRecording> executed = new ArrayList<>();

    VirtualRecording(
            SimulatedDevice device,
            VirtualFrameContext context,
            VirtualQueue queue,
            RecordingRules rules,
            List<ResourceUse> uses) {
        this.device = device;
        this.context = context;
        this.generation = context.generation();
        this.queue = queue;
        this.rules = rules;
        this.layouts = new PassLayouts(rules.isSecondary());
        layouts.begin(uses);
        this.log = device.queuing().newLog(rules.list());
        this.mentions = new Mentions(device.closings(), log);
        rules.told().to(log);
    }

    @Override
    public String label() {
        return rules.list();
    }

    @Override
    public VirtualQueue queue() {
        return queue;
    }

    List<Op> ops() {
        return ops;
    }

    @Nullable
    CommandLog log() {
        return log;
    }

    /** Throws unless the list has ended, was not submitted yet, and names nothing that was closed. */
    void requireSubmittable(String submission) {
        noteRecycling();
        rules.requireSubmittable(submission);
        requireValid("submission '" + submission + "' has command list '" + label() + "', which");
    }

    /** Throws if something that this list or one that it executes names was closed, or such a list recycled. */
    private void requireValid(String refused) {
        String closed = mentions.firstClosed();
        if (closed != null) {
            throw Mentions.refusal(refused, closed);
        }
        for (VirtualRecording list : executed) {
            if (list.isRecycled()) {
                throw new IllegalStateException(refused + " executes list '" + list.label()
                        + "', which was recycled by its frame context; record both anew");
            }
            String part = list.mentions.firstClosed();
            if (part != null) {
                throw Mentions.refusal(refused + " executes list '" + list.label() + "', which", part);
            }
        }
    }

    private boolean isRecycled() {
        return context.generation() != generation;
    }

    private void noteRecycling() {
        if (isRecycled()) {
            rules.abandon();
        }
    }

    /** Notes that the list was submitted; everything is done when its queue has reached {@code value}. */
    void submitted(long value) {
        rules.submitted();
        events.submitted(queue, value);
        context.submitted(queue, value);
        executed.forEach(list -> list.context.submitted(queue, value));
    }

    /** Makes the list unusable: its frame context was reset before it ended. */
    void abandon() {
        rules.abandon();
    }

    @Override
    public void beginPass(String name, List<ResourceUse> uses) {
        Usages.check(name, uses);
        rules.requireBeginPass(name);
        for (int i = 0; i < uses.size(); i++) {
            ResourceUse use = uses.get(i);
            if (!(use.resource() instanceof VirtualResource own) || own.device() != device) {
                throw new IllegalArgumentException(
                        "pass '" + name + "' uses '" + use.resource().name() + "' of another device");
            }
            if (own.isClosed()) {
                own.checkOpen("used by pass '" + name + "'");
            }
        }
        rules.beginPass(name);
        for (int i = 0; i < uses.size(); i++) {
            mentions.name((VirtualResource) uses.get(i).resource());
        }
        layouts.take(uses);
        if (log != null) {
            log.beginPass(name, uses);
        }
        ops.add(new Op.PassBegin(name, List.copyOf(uses)));
    }

    @Override
    public void endPass() {
        rules.endPass();
        layouts.take(List.of());
        if (log != null) {
            log.endPass();
        }
        ops.add(Op.PassEnd.LAST);
    }

    @Override
    public void beginPart() {
        rules.beginPart();
    }

    @Override
    public void endPart() {
        rules.endPart();
        forget();
    }

    @Override
    public void beginLabel(String label) {
        rules.beginLabel(label);
    }

    @Override
    public void endLabel() {
        rules.endLabel();
    }

    @Override
    public void insertLabel(String label) {
        rules.requireRecording("insertLabel");
    }

    @Override
    public void barrier(BarrierBatch batch) {
        rules.requireOutside("barrier");
        if (batch.isEmpty()) {
            return;
        }
        BarrierRules.check(rules, batch);
        requireOwn(batch);
        name(batch);
        if (log != null) {
            log.barrier(batch);
        }
        ops.add(new Op.Barriers(batch));
    }

    @Override
    public void setEvent(DeviceEventSet set, int index, BarrierBatch batch) {
        VirtualDeviceEventSet own = half("setEvent", set, batch);
        own.ledger().set(events, rules, index, batch);
        named(own, batch);
        if (log != null) {
            log.setEvent(set, index, batch);
        }
        ops.add(new Op.SetEvent(own, index, batch));
    }

    @Override
    public void waitEvent(DeviceEventSet set, int index, BarrierBatch batch) {
        VirtualDeviceEventSet own = half("waitEvent", set, batch);
        own.ledger().await(events, rules, index, batch);
        named(own, batch);
        if (log != null) {
            log.waitEvent(set, index, batch);
        }
        ops.add(new Op.WaitEvent(own, index, batch));
    }

    private VirtualDeviceEventSet half(String command, DeviceEventSet set, BarrierBatch batch) {
        if (!(set instanceof VirtualDeviceEventSet own) || !own.belongsTo(device)) {
            throw new IllegalArgumentException(rules.where(command) + ": the device event set is of another device");
        }
        own.requireOpen(command.equals("setEvent") ? "set" : "waited for");
        SplitBarrierRules.check(rules, command, batch);
        requireOwn(batch);
        return own;
    }

    private void named(VirtualDeviceEventSet set, BarrierBatch batch) {
        mentions.add(set);
        name(batch);
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
            mentions.name((VirtualTexture) batch.textures().get(i).texture());
        }
        for (int i = 0; i < batch.buffers().size(); i++) {
            mentions.name((VirtualBuffer) batch.buffers().get(i).buffer());
        }
    }

    @Override
    public void writeTimestamp(TimestampSet timestamps, int index) {
        rules.requireRecording("writeTimestamp");
        if (!(timestamps instanceof VirtualTimestampSet set) || !set.belongsTo(device)) {
            throw new IllegalArgumentException(
                    rules.where("writeTimestamp") + ": the timestamp set is of another device");
        }
        set.record(label(), index);
        mentions.add(set);
        ops.add(new Op.Timestamp(set, index));
    }

    @Override
    public void execute(List<CommandList> secondaries) {
        rules.requireExecutes();
        for (VirtualRecording own : executable(secondaries)) {
            own.rules.execute(rules);
            executed.add(own);
            if (log != null && own.log != null) {
                log.append(own.log);
            }
            ops.addAll(own.ops);
            take(own);
        }
        if (!secondaries.isEmpty()) {
            forget();
        }
    }

    /** Notes what a render pass that has ended leaves in its attachments. */
    final void noteRendered(@Nullable RenderingInfo info, boolean empty) {
        if (log != null && info != null) {
            log.rendered(info, empty);
        }
    }

    /** Looks at all lists before anything is done with one. */
    private Set<VirtualRecording> executable(List<CommandList> secondaries) {
        Set<VirtualRecording> lists = new LinkedHashSet<>();
        for (CommandList list : secondaries) {
            if (!(list instanceof VirtualRecording own) || own.device != device) {
                throw new IllegalArgumentException(
                        rules.where("execute") + ": list '" + list.label() + "' is of another device");
            }
            own.noteRecycling();
            own.rules.requireExecutable(rules);
            own.layouts.requireExecutable(own.rules, rules, layouts);
            String closed = own.mentions.firstClosed();
            if (closed != null) {
                throw Mentions.refusal(rules.where("execute") + ": list '" + list.label() + "'", closed);
            }
            if (!lists.add(own)) {
                throw new IllegalStateException(
                        rules.where("execute") + " has list '" + list.label() + "' twice; record another");
            }
        }
        return lists;
    }

    /** Takes over the raster work of a secondary list. */
    abstract void take(VirtualRecording secondary);

    /** Forgets what is bound: it ends with a part of a pass, and secondary lists leave it undefined. */
    abstract void forget();

    @Override
    public void end() {
        rules.end();
        context.ended(this);
        try {
            requireValid(rules.where("end") + ": it");
        } catch (IllegalStateException e) {
            rules.abandon();
            throw e;
        }
    }

    final VirtualTexture own(Texture texture) {
        if (texture instanceof VirtualTexture own && own.device() == device) {
            if (own.isClosed()) {
                own.checkOpen("used by command list '" + label() + "'");
            }
            return own;
        }
        throw new IllegalArgumentException(
                "texture '" + texture.name() + "' used by command list '" + label() + "' is of another device");
    }

    final VirtualBuffer own(Buffer buffer) {
        if (buffer instanceof VirtualBuffer own && own.device() == device) {
            if (own.isClosed()) {
                own.checkOpen("used by command list '" + label() + "'");
            }
            return own;
        }
        throw new IllegalArgumentException(
                "buffer '" + buffer.name() + "' used by command list '" + label() + "' is of another device");
    }
}
