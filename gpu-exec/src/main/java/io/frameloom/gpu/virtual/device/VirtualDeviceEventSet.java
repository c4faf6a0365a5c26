package io.frameloom.gpu.virtual.device;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.record.EventLedger;
import io.frameloom.gpu.record.RecordedEvents;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Events of the virtual GPU. */
final class VirtualDeviceEventSet extends VirtualObject implements RecordedEvents {
    private final EventLedger ledger;
    /** The setting of each event by source half; touched by the thread of the virtual GPU alone. */
    private final List<Map<BarrierBatch.Scope, WorkNode>> nodes;

    VirtualDeviceEventSet(SimulatedDevice device, String name, int count) {
        super(device, name);
        this.ledger = new EventLedger(name, count);
        this.nodes = new ArrayList<>(Collections.nCopies(count, Map.of()));
    }

    @Override
    public EventLedger ledger() {
        return ledger;
    }

    void set(int index, Map<BarrierBatch.Scope, WorkNode> setting) {
        nodes.set(index, setting);
    }

    Map<BarrierBatch.Scope, WorkNode> take(int index) {
        return nodes.set(index, Map.of());
    }

    @Override
    public int count() {
        return ledger.count();
    }

    @Override
    public void reset() {
        requireOpen("reset");
        ledger.requireComplete(
                (queue, value) -> ((VirtualQueue) queue).timeline().hasReached(value)
                        || device().queuing().isLost());
        ledger.reset();
        device().queuing().feed().takenBack(this);
    }

    @Override
    void retire() {
        super.retire();
        device().queuing().feed().takenBack(this);
    }
}
