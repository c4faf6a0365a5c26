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
    /** By event: the half that sets it, and the half that waits for it. */
    private final Half[] first;

    private final Half[] second;
    private final List<Pending> pending = new ArrayList<>(1);

    /** One half of a split barrier. */
    final class Half {
        private final int index;
        private final boolean sets;
        private @Nullable EventUses by;
        private @Nullable GpuQueue queue;
        private @Nullable BarrierBatch batch;
        private String list = "";
        private boolean submitted;

        private Half(int index, boolean sets) {
            this.index = index;
            this.sets = sets;
        }

        private void clear() {
            by = null;
            queue = null;
            batch = null;
            list = "";
            submitted = false;
        }

        /** Notes that this is about to be submitted; throws unless it may. */
        void enter(EventUses uses, String submission, String named) {
            synchronized (EventLedger.this) {
                if (by != uses) {
                    throw new IllegalStateException("submission '" + submission + "' has command list '" + named
                            + "', which " + (sets ? "sets" : "waits for") + " event " + index + " of set '" + set
                            + (by == null
                                    ? "', and the set was reset since"
                                    : "', and list '" + list + "' does so since")
                            + "; record the list anew");
                }
                Half setting = first[index];
                if (!sets && !setting.submitted) {
                    throw new IllegalStateException("submission '" + submission + "' has command list '" + named
                            + "', which waits for event " + index + " of set '" + set + "', but "
                            + (setting.by == null
                                    ? "no list sets it"
                                    : "list '" + setting.list + "', which sets it, is not submitted before")
                            + "; submit what sets an event to the same queue before what waits for it");
                }
                submitted = true;
            }
        }

        /** Notes that this was not submitted after all. */
        void leave() {
            synchronized (EventLedger.this) {
                submitted = false;
            }
        }

        void submitted(GpuQueue submittedTo, long value) {
            note(submittedTo, value);
        }
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
        boolean isComplete(GpuQueue queue, long value);
    }

    /** The events of a set of that name, which no list names. */
    public EventLedger(String set, int count) {
        this.set = set;
        first = new Half[count];
        second = new Half[count];
        for (int i = 0; i < count; i++) {
            first[i] = new Half(i, true);
            second[i] = new Half(i, false);
        }
    }

    public int count() {
        return first.length;
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
        if (index < 0 || index >= first.length) {
            throw new IllegalArgumentException(rules.where(command) + ": device event set '" + set + "' has "
                    + first.length + " events, index " + index + " is not one");
        }
        Half own = sets ? first[index] : second[index];
        Half other = sets ? second[index] : first[index];
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
        uses.add(own);
    }

    private String where(RecordingRules rules, String command, int index) {
        return rules.where(command) + ": event " + index + " of set '" + set + "'";
    }

    private synchronized void note(GpuQueue queue, long value) {
        for (int i = 0; i < pending.size(); i++) {
            if (pending.get(i).queue == queue) {
                pending.get(i).value = value;
                return;
            }
        }
        Pending newest = new Pending(queue);
        newest.value = value;
        pending.add(newest);
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
        for (int i = 0; i < first.length; i++) {
            first[i].clear();
            second[i].clear();
        }
    }
}
