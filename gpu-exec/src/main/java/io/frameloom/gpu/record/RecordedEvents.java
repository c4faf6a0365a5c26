package io.frameloom.gpu.record;

import io.frameloom.gpu.command.DeviceEventSet;

/** Events of a device as its command lists see them. Any thread. */
public interface RecordedEvents extends DeviceEventSet, Perishable {
    /** Returns who names the events. */
    EventLedger ledger();

    /**
     * Checks that the set is open.
     *
     * @param use what is about to be done with it, a participle
     */
    void requireOpen(String use);
}
