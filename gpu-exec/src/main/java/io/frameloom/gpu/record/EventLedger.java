package io.frameloom.gpu.record;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.GpuQueue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lists that set the events of a set and wait for them since the last reset, with which barriers, and the progress
 * of their submission. Lists are recorded in any order by any threads, so the half of a split barrier that is recorded
 * last is checked against the other. That the set comes before the wait is checked when lists are submitted. Any
 * thread. Allocates nothing when the queues have been seen once.
 */
public final class EventLedger {
    private final String set;
    private final Event[] events;
    private final List<Pending> pending = new ArrayList<>(1);

    /** One half of a split barrier. */
    private static final class Half {
        private @Nullable EventUses by;
        private @Nullable GpuQueue queue;
        private @Nullable BarrierBatch batch;
        private String list = "";
        private boolean submitted;

        private void clear() {
            by = null;
            queue = null;
            batch = null;
            list = "";
            submitted = false;
        }
    }

    private static final class Event {
        private final Half first = new Half();
        private final Half second = new Half();
    }

    /** The newest submission to a queue that names an event of the set. */
    private static final class Pending {
        private final GpuQueue queue;
        private long value;

        private Pending(GpuQueue queue) {
            this.queue = queue;
        }
    }

    /** The progress of a queue. */
    @FunctionalInterface
    public interface Progress {
        /** Returns whether the device has finished a submission, or is lost. */
        boolean isComplete(GpuQueue queue, long value);
    }

    /** The events of a set of that name, which no list names. */
    public EventLedger(String set, int count) {
        this.set = set;
        events = new Event[count];
        for (int i = 0; i < count; i++) {
            events[i] = new Event();
        }
    }

    /** Returns the number of events. */
    public int count() {
        return events.length;
    }

    /**
     * Notes that a list that is being recorded sets an event, in place of one that did and was not submitted.
     *
     * @param uses the list's uses of events
     * @throws IllegalArgumentException if there is no such event, or the list that waits for it does not fit
     * @throws IllegalStateException if this list, or one that was submitted, sets it already
     */
    public void set(EventUses uses, RecordingRules rules, int index, BarrierBatch batch) {
        record(uses, rules, "setEvent", index, batch, true);
    }

    /**
     * Notes that a list that is being recorded waits for an event, in place of one that did and was not submitted.
     *
     * @param uses the list's uses of events
     * @throws IllegalArgumentException if there is no such event, or the list that sets it does not fit
     * @throws IllegalStateException if this list, or one that was submitted, waits for it already
     */
    public void await(EventUses uses, RecordingRules rules, int index, BarrierBatch batch) {
        record(uses, rules, "waitEvent", index, batch, false);
    }

    private synchronized void record(
            EventUses uses, RecordingRules rules, String command, int index, BarrierBatch batch, boolean sets) {
        if (index < 0 || index >= events.length) {
            throw new IllegalArgumentException(rules.where(command) + ": device event set '" + set + "' has "
                    + events.length + " events, index " + index + " is not one");
        }
        Half own = sets ? events[index].first : events[index].second;
        Half other = sets ? events[index].second : events[index].first;
        if (own.by == uses || own.submitted) {
            throw new IllegalStateException(where(rules, command, index) + " is " + (sets ? "set" : "waited for")
                    + " already by list '" + own.list + "'; take another one, or reset the set before recording");
        }
        GpuQueue theirs = other.queue;
        if (theirs != null && theirs != rules.queue()) {
            throw new IllegalArgumentException(where(rules, command, index) + " is "
                    + (sets ? "waited for" : "set") + " by list '" + other.list + "' on queue '" + theirs.name()
                    + "', and this list is for queue '" + rules.queue().name()
                    + "'; an event orders the work of one queue, let a submission wait for another");
        }
        BarrierBatch known = other.batch;
        if (known != null && !known.equals(batch)) {
            throw new IllegalArgumentException(where(rules, command, index) + " has other barriers than list '"
                    + other.list + "' " + (sets ? "waits for it with" : "sets it with")
                    + "; give both halves the same batch");
        }
        own.by = uses;
        own.queue = rules.queue();
        own.batch = batch;
        own.list = rules.list();
        uses.add(this, index, sets);
    }

    private String where(RecordingRules rules, String command, int index) {
        return rules.where(command) + ": event " + index + " of set '" + set + "'";
    }

    /** Notes that a half is about to be submitted; throws unless it may. */
    synchronized void enter(EventUses uses, String submission, String list, int index, boolean sets) {
        Event event = events[index];
        Half own = sets ? event.first : event.second;
        if (own.by != uses) {
            throw new IllegalStateException("submission '" + submission + "' has command list '" + list + "', which "
                    + (sets ? "sets" : "waits for") + " event " + index + " of set '" + set
                    + (own.by == null
                            ? "', and the set was reset since"
                            : "', and list '" + own.list + "' does so since")
                    + "; record the list anew");
        }
        if (!sets && !event.first.submitted) {
            throw new IllegalStateException("submission '" + submission + "' has command list '" + list
                    + "', which waits for event " + index + " of set '" + set + "', but "
                    + (event.first.by == null
                            ? "no list sets it"
                            : "list '" + event.first.list + "', which sets it, is not submitted before")
                    + "; submit what sets an event to the same queue before what waits for it");
        }
        own.submitted = true;
    }

    /** Notes that a half was not submitted after all. */
    synchronized void leave(int index, boolean sets) {
        (sets ? events[index].first : events[index].second).submitted = false;
    }

    /** Notes which submission has a half. */
    synchronized void submitted(GpuQueue queue, long value) {
        for (int i = 0; i < pending.size(); i++) {
            if (pending.get(i).queue == queue) {
                pending.get(i).value = value;
                return;
            }
        }
        Pending first = new Pending(queue);
        first.value = value;
        pending.add(first);
    }

    /**
     * Throws unless the device has finished everything that names an event.
     *
     * @throws IllegalStateException naming the queue and the value to wait for
     */
    public synchronized void requireComplete(Progress progress) {
        for (int i = 0; i < pending.size(); i++) {
            Pending newest = pending.get(i);
            if (!progress.isComplete(newest.queue, newest.value)) {
                throw new IllegalStateException("device event set '" + set + "' cannot be reset: queue '"
                        + newest.queue.name() + "' has not completed its submission " + newest.value
                        + "; wait for that first");
            }
        }
    }

    /** Forgets the lists that name the events. */
    public synchronized void reset() {
        for (Event event : events) {
            event.first.clear();
            event.second.clear();
        }
    }
}
