package io.frameloom.gpu.vulkan.command;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.DeviceEventSet;
import io.frameloom.gpu.command.GpuQueue;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.command.TimestampSet;
import io.frameloom.gpu.device.Usages;
import io.frameloom.gpu.record.BarrierRules;
import io.frameloom.gpu.record.CommandLog;
import io.frameloom.gpu.record.Perishable;
import io.frameloom.gpu.record.RecordingRules;
import io.frameloom.gpu.record.SplitBarrierRules;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.vulkan.driver.DeviceCore;
import io.frameloom.gpu.vulkan.resource.Handles;
import io.frameloom.gpu.vulkan.resource.VulkanBuffer;
import io.frameloom.gpu.vulkan.resource.VulkanDeviceEventSet;
import io.frameloom.gpu.vulkan.resource.VulkanTexture;
import io.frameloom.gpu.vulkan.resource.VulkanTimestampSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What stands between the commands of a list: passes, labels, barriers and their halves, timestamps. */
abstract class VulkanPassRecording extends VulkanRecording {
    VulkanPassRecording(
            DeviceCore core,
            VulkanFrameContext context,
            RecordingSlot slot,
            GpuQueue queue,
            RecordingRules rules,
            List<ResourceUse> uses,
            @Nullable CommandLog log) {
        super(core, context, slot, queue, rules, uses, log);
    }

    /** Notes that what is bound may be in other layouts than before. */
    abstract void layoutsChanged();

    @Override
    public void beginPass(String name, List<ResourceUse> passUses) {
        Usages.check(name, passUses);
        rules.requireBeginPass(name);
        for (int i = 0; i < passUses.size(); i++) {
            if (passUses.get(i).resource() instanceof Texture texture) {
                Handles.texture(core, rules.list(), texture);
            } else {
                Handles.buffer(core, rules.list(), (io.frameloom.gpu.resource.Buffer)
                        passUses.get(i).resource());
            }
        }
        rules.beginPass(name);
        for (int i = 0; i < passUses.size(); i++) {
            mentions.name((Perishable) passUses.get(i).resource());
        }
        if (log != null) {
            log.beginPass(name, passUses);
        }
        layouts.take(passUses);
        layoutsChanged();
        core.names().beginLabel(handle, name);
    }

    @Override
    public void endPass() {
        rules.endPass();
        if (log != null) {
            log.endPass();
        }
        layouts.take(List.of());
        layoutsChanged();
        core.names().endLabel(handle);
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
    public void beginLabel(String name) {
        rules.beginLabel(name);
        core.names().beginLabel(handle, name);
    }

    @Override
    public void endLabel() {
        rules.endLabel();
        core.names().endLabel(handle);
    }

    @Override
    public void insertLabel(String name) {
        rules.requireRecording("insertLabel");
        core.names().insertLabel(handle, name);
    }

    @Override
    public void barrier(BarrierBatch batch) {
        rules.requireOutside("barrier");
        if (batch.isEmpty()) {
            return;
        }
        BarrierRules.check(rules, batch);
        BarrierEncoder.record(handle, core, rules.list(), scratch, batch);
        name(batch);
        if (log != null) {
            log.barrier(batch);
        }
    }

    @Override
    public void setEvent(DeviceEventSet set, int index, BarrierBatch batch) {
        VulkanDeviceEventSet ours = half("setEvent", set, batch);
        ours.ledger().set(events, rules, index, batch);
        BarrierEncoder.set(handle, core, rules.list(), scratch, ours.event(index), batch);
        mentions.add(ours);
        name(batch);
        if (log != null) {
            log.setEvent(set, index, batch);
        }
    }

    @Override
    public void waitEvent(DeviceEventSet set, int index, BarrierBatch batch) {
        VulkanDeviceEventSet ours = half("waitEvent", set, batch);
        ours.ledger().await(events, rules, index, batch);
        BarrierEncoder.await(handle, core, rules.list(), scratch, ours.event(index), batch);
        mentions.add(ours);
        name(batch);
        if (log != null) {
            log.waitEvent(set, index, batch);
        }
    }

    private VulkanDeviceEventSet half(String command, DeviceEventSet set, BarrierBatch batch) {
        if (!(set instanceof VulkanDeviceEventSet ours) || !ours.belongsTo(core)) {
            throw new IllegalArgumentException(rules.where(command) + ": the device event set is of another device");
        }
        ours.requireOpen(command.equals("setEvent") ? "set" : "waited for");
        SplitBarrierRules.check(rules, command, batch);
        for (int i = 0; i < batch.textures().size(); i++) {
            Handles.texture(core, rules.list(), batch.textures().get(i).texture());
        }
        for (int i = 0; i < batch.buffers().size(); i++) {
            Handles.buffer(core, rules.list(), batch.buffers().get(i).buffer());
        }
        return ours;
    }

    private void name(BarrierBatch batch) {
        for (int i = 0; i < batch.textures().size(); i++) {
            mentions.name((VulkanTexture) batch.textures().get(i).texture());
        }
        for (int i = 0; i < batch.buffers().size(); i++) {
            mentions.name((VulkanBuffer) batch.buffers().get(i).buffer());
        }
    }

    @Override
    public void writeTimestamp(TimestampSet timestamps, int index) {
        rules.requireRecording("writeTimestamp");
        if (!(timestamps instanceof VulkanTimestampSet ours) || !ours.belongsTo(core)) {
            throw new IllegalArgumentException(
                    rules.where("writeTimestamp") + ": the timestamp set is of another device");
        }
        ours.write(handle, label(), index, family().timestampBits());
        mentions.add(ours);
    }

    /** Notes what a render pass that has ended leaves in its attachments. */
    final void noteRendered(@Nullable RenderingInfo info, boolean empty) {
        if (log != null && info != null) {
            log.rendered(info, empty);
        }
    }
}
