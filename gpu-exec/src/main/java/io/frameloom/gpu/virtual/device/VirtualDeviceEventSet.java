package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.device.ObjectKind;
import io.frameloom.gpu.device.SetLife;
import io.frameloom.gpu.record.EventLedger;
import io.frameloom.gpu.record.RecordedEvents;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Events of the virtual GPU. */
final class VirtualDeviceEventSet implements RecordedEvents, VirtualObject {
    private final SimulatedDevice device;
    private final String name;
    private final EventLedger ledger;
    /** The setting of each event by source half; touched by the thread of the virtual GPU alone. */
    private final List<Map<BarrierBatch.Scope, WorkNode>> nodes;

    private final SetLife life;

    VirtualDeviceEventSet(SimulatedDevice device, String name, int count) {
        this.device = device;
        this.name = name;
        this.life = new SetLife(ObjectKind.DEVICE_EVENTS, name);
        this.ledger = new EventLedger(name, count);
        this.nodes = new ArrayList<>(Collections.nCopies(count, Map.of()));
    }

    boolean belongsTo(SimulatedDevice other) {
        return device == other;
    }

    @Override
    public EventLedger ledger() {
        return ledger;
    }

    @Override
    public void requireOpen(String use) {
        life.requireOpen(use);
    }

    void set(int index, Map<BarrierBatch.Scope, WorkNode> setting) {
        nodes.set(index, setting);
    }

    Map<BarrierBatch.Scope, WorkNode> take(int index) {
        return nodes.set(index, Map.of());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int count() {
        return ledger.count();
    }

    @Override
    public void reset() {
        life.requireOpen("reset");
        ledger.requireComplete(
                (queue, value) -> ((VirtualQueue) queue).timeline().hasReached(value)
                        || device.queuing().isLost());
        ledger.reset();
        device.queuing().takenBack(this);
    }

    @Override
    public @Nullable String closedPart() {
        return life.closedPart();
    }

    @Override
    public void close() {
        if (life.close()) {
            device.closed(this);
            device.queuing().takenBack(this);
        }
    }
}
