package io.frameloom.gpu.record;

import io.frameloom.gpu.command.DeviceEventSet;

/** Events of a device for its command lists. Any thread. */
public interface RecordedEvents extends DeviceEventSet, Perishable {
    /** Returns the ledger of the lists that name the events. */
    EventLedger ledger();

    /**
     * Checks that the set is open.
     *
     * @param use what is about to be done with it, a participle
     */
    void requireOpen(String use);
}
