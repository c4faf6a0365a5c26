package io.frameloom.gpu.virtual;

import io.frameloom.gpu.BarrierBatch;
import io.frameloom.gpu.Buffer;
import io.frameloom.gpu.CommandList;
import io.frameloom.gpu.CommandLog;
import io.frameloom.gpu.ResourceUse;
import io.frameloom.gpu.Texture;
import io.frameloom.gpu.TimestampSet;
import io.frameloom.gpu.internal.Usages;
import io.frameloom.gpu.record.BarrierRules;
import io.frameloom.gpu.record.RecordingRules;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The life of a command list of the virtual device: passes, labels, barriers, timestamps, end; it keeps the commands. */
abstract class VirtualRecording implements CommandList {
    final VirtualDevice device;
    final RecordingRules rules;
    final List<Op> ops = new ArrayList<>();
    private final VirtualFrameContext context;
    /** That of the context while the list may be used. */
    private final int generation;

    private final VirtualQueue queue;
    private final CommandLog log;
    /** The secondary lists that this one executes. */
    private final List<VirtualRecording> executed = new ArrayList<>();

    VirtualRecording(VirtualDevice device, VirtualFrameContext context, VirtualQueue queue, RecordingRules rules) {
        this.device = device;
        this.context = context;
        this.generation = context.generation();
        this.queue = queue;
        this.rules = rules;
        this.log = new CommandLog(rules.list());
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

    CommandLog log() {
        return log;
    }

    /** Throws unless the list has ended and was not submitted yet. */
    void requireSubmittable(String submission) {
        noteRecycling();
        rules.requireSubmittable(submission);
        for (VirtualRecording list : executed) {
            if (list.isRecycled()) {
                throw new IllegalStateException("submission '" + submission + "' has command list '" + label()
                        + "', which executes list '" + list.label()
                        + "', which was recycled by its frame context; record both anew");
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
        for (ResourceUse use : uses) {
            if (!(use.resource() instanceof VirtualResource own) || own.device() != device) {
                throw new IllegalArgumentException(
                        "pass '" + name + "' uses '" + use.resource().name() + "' of another device");
            }
            own.checkOpen("used by pass '" + name + "'");
        }
        rules.beginPass(name);
        log.beginPass(name, uses);
        ops.add(new Op.PassBegin(name, List.copyOf(uses)));
    }

    @Override
    public void endPass() {
        rules.endPass();
        log.endPass();
        ops.add(new Op.PassEnd());
    }

    @Override
    public void beginLabel(String label) {
        rules.beginLabel();
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
        batch.textures().forEach(barrier -> own(barrier.texture()));
        batch.buffers().forEach(barrier -> own(barrier.buffer()));
        log.barrier(batch);
        ops.add(new Op.Barriers(batch));
    }

    @Override
    public void writeTimestamp(TimestampSet timestamps, int index) {
        rules.requireRecording("writeTimestamp");
        if (!(timestamps instanceof VirtualTimestampSet set) || !set.belongsTo(device)) {
            throw new IllegalArgumentException(
                    rules.where("writeTimestamp") + ": the timestamp set is of another device");
        }
        set.record(label(), index);
        ops.add(new Op.Timestamp(set, index));
    }

    @Override
    public void execute(List<CommandList> secondaries) {
        rules.requireExecutes();
        for (VirtualRecording own : executable(secondaries)) {
            own.rules.execute(rules);
            executed.add(own);
            log.append(own.log);
            ops.addAll(own.ops);
            take(own);
        }
        if (!secondaries.isEmpty()) {
            forget();
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
            if (!lists.add(own)) {
                throw new IllegalStateException(
                        rules.where("execute") + " has list '" + list.label() + "' twice; record another");
            }
        }
        return lists;
    }

    /** Takes over the raster work of a secondary list. */
    abstract void take(VirtualRecording secondary);

    /** Forgets what is bound: the execution of secondary lists leaves it undefined. */
    abstract void forget();

    @Override
    public void end() {
        rules.end();
        context.ended(this);
    }

    final VirtualTexture own(Texture texture) {
        if (texture instanceof VirtualTexture own && own.device() == device) {
            own.checkOpen("used by command list '" + label() + "'");
            return own;
        }
        throw new IllegalArgumentException(
                "texture '" + texture.name() + "' used by command list '" + label() + "' is of another device");
    }

    final VirtualBuffer own(Buffer buffer) {
        if (buffer instanceof VirtualBuffer own && own.device() == device) {
            own.checkOpen("used by command list '" + label() + "'");
            return own;
        }
        throw new IllegalArgumentException(
                "buffer '" + buffer.name() + "' used by command list '" + label() + "' is of another device");
    }
}
