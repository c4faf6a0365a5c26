package io.frameloom.gpu.record;

import io.frameloom.gpu.command.DeviceEventSet;

/** Events of a device for its command lists, which are {@link Perishable}. Any thread. */
public interface RecordedEvents extends DeviceEventSet {
    EventLedger ledger();
}
