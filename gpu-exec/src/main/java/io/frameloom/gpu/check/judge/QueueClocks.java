package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.device.StageScopes;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The earlier work that later work of one queue is ordered after.
 *
 * <p>Per stage of later work: what has executed ({@link #ordered}) and which writes were made available by barriers of
 * all memory and by signals, with that operation executed ({@code available}). Per stage and access: which of these
 * writes are visible, and which earlier execution the visibility operation followed, for writes that a barrier of one
 * resource had made available.
 *
 * <p>The host is no stage of a queue: barriers that name it order nothing on the device. Its column of a clock is the
 * last sequence number up to which a reached point shows that everything is done. Only a host that has seen such a
 * point, or a later one, has done its own part.
 */
final class QueueClocks {
    private static final int HOST = Integer.numberOfTrailingZeros(PipelineStage.HOST.bit());

    private final int queue;
    private final Clock[] ordered;
    private final Clock[] available;
    private final Clock[] visibleOrder;
    private final Clock[] visibleWrites;
    /** As these two, of the host. */
    private final Shown shown;

    private final TreeMap<Long, Signal> signals = new TreeMap<>();
    /** The clocks that this is a copy of, which have the signals up to a value; null if it is none. */
    private final @Nullable QueueClocks original;

    private final long copiedAt;
    private Signal newest;
    private long sequence;
    private long lastSignal;

    /**
     * What a timeline point follows.
     *
     * @param ordered executed before
     * @param available writes made available
     * @param shown what was made visible and available to the host
     * @param sequence sequence number of the queue at the signal
     */
    record Signal(Clock ordered, Clock available, Shown shown, long sequence) {
        /** Returns whether both order the same, given what the host has seen. */
        boolean sameAbove(HostView host, Signal other) {
            return ordered.sameAbove(host.executed(), other.ordered)
                    && available.sameAbove(host.available(), other.available)
                    && shown.sameAbove(host.shown(), other.shown);
        }
    }

    QueueClocks(int queue) {
        this.queue = queue;
        this.ordered = clocks(Scopes.TRANSITION);
        this.available = clocks(Scopes.TRANSITION);
        this.visibleOrder = clocks(Visibility.PAIRS);
        this.visibleWrites = clocks(Visibility.PAIRS);
        this.shown = Shown.nothing();
        this.original = null;
        this.copiedAt = 0;
        this.newest = new Signal(new Clock(), new Clock(), Shown.nothing(), 0);
    }

    private QueueClocks(QueueClocks from) {
        this.queue = from.queue;
        this.ordered = copies(from.ordered);
        this.available = copies(from.available);
        this.visibleOrder = copies(from.visibleOrder);
        this.visibleWrites = copies(from.visibleWrites);
        this.shown = from.shown.copy();
        this.original = from.original == null ? from : from.original;
        this.copiedAt = from.original == null ? from.lastSignal : from.copiedAt;
        this.newest = from.newest;
        this.sequence = from.sequence;
        this.lastSignal = from.lastSignal;
    }

    /**
     * Returns equal clocks that later changes do not share. Signals so far are found here until they are forgotten
     * here. A copy without signals of its own returns another copy of its original.
     */
    QueueClocks copy() {
        return new QueueClocks(this);
    }

    /** Returns whether this copy judges later work as its original does, given what the host has seen. */
    boolean sameAbove(HostView host, QueueClocks other) {
        if (!same(host.executed(), ordered, other.ordered)
                || !same(host.available(), available, other.available)
                || !same(host.executed(), visibleOrder, other.visibleOrder)
                || !same(host.available(), visibleWrites, other.visibleWrites)
                || !shown.sameAbove(host.shown(), other.shown)
                || !newest.sameAbove(host, other.newest)) {
            return false;
        }
        // Those from before are the original's in any case.
        Map<Long, Signal> since = other.signals.tailMap(copiedAt, false);
        if (!signals.tailMap(copiedAt, false).keySet().equals(since.keySet())) {
            return false;
        }
        for (Map.Entry<Long, Signal> signal : since.entrySet()) {
            if (!Objects.requireNonNull(signals.get(signal.getKey())).sameAbove(host, signal.getValue())) {
                return false;
            }
        }
        return true;
    }

    private static boolean same(Clock host, Clock[] first, Clock[] second) {
        for (int i = 0; i < first.length; i++) {
            if (!first[i].sameAbove(host, second[i])) {
                return false;
            }
        }
        return true;
    }

    private static Clock[] copies(Clock[] from) {
        Clock[] all = new Clock[from.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = from[i].copy();
        }
        return all;
    }

    int queue() {
        return queue;
    }

    /** Returns the sequence number of the next command. */
    long next() {
        return ++sequence;
    }

    /** Returns what later work of a stage is executed after. */
    Clock ordered(int stage) {
        return ordered[stage];
    }

    /** Returns the writes that were made available by operations on all memory which later work of a stage follows. */
    Clock available(int stage) {
        return available[stage];
    }

    /** Returns whether any later work follows a write of another queue, after which it is available. */
    boolean waitedFor(MemoryWrite write) {
        for (int stage = 0; stage < Scopes.TRANSITION; stage++) {
            if (available[stage].covers(write.queue(), write.stages(), write.sequence())) {
                return true;
            }
        }
        return false;
    }

    /** Returns what is visible and available to the host when the queue is done with what comes next. */
    Shown shown() {
        return shown;
    }

    Clock visibleOrder(int pair) {
        return visibleOrder[pair];
    }

    Clock visibleWrites(int pair) {
        return visibleWrites[pair];
    }

    void waitFor(Signal signal, int stages) {
        int scope = StageScopes.destination(stages);
        for (int stage = 0; stage < Scopes.TRANSITION; stage++) {
            if ((scope & (1 << stage)) != 0) {
                ordered[stage].raise(signal.ordered);
                available[stage].raise(signal.available);
            }
        }
        see(StageScopes.namedDestination(stages), -1, signal.ordered, signal.available);
        shown.raise(signal.shown);
    }

    /** Returns the source half of a barrier at {@code at}, as it is before any barrier of the same command. */
    BarrierScope open(BarrierBatch.Scope scope, long at) {
        return new SplitSource(queue, at, ordered, available).open(scope, at);
    }

    /** Returns the source halves of the barriers of an event that is set at {@code at}. */
    SplitSource split(long at) {
        return new SplitSource(queue, at, copies(ordered), copies(available));
    }

    /** Orders later work after a barrier. */
    void close(BarrierScope barrier) {
        for (int stage = 0; stage < Scopes.TRANSITION; stage++) {
            if ((barrier.destinationExecution() & (1 << stage)) != 0) {
                ordered[stage].raise(barrier.before());
                available[stage].raise(barrier.availableBefore());
            }
        }
    }

    /** Makes all memory in the scopes of a barrier available and visible; the host has waited so often before. */
    void closeGlobal(BarrierScope barrier, long hostWaits) {
        Clock writes = new Clock();
        writes.raise(barrier.availableBefore());
        for (int stage = 0; stage < Scopes.STAGES; stage++) {
            if (barrier.makesAvailable(stage)) {
                writes.raise(Clock.column(queue, stage), barrier.at() - 1);
            }
        }
        for (int stage = 0; stage < Scopes.TRANSITION; stage++) {
            if ((barrier.destinationExecution() & (1 << stage)) != 0) {
                available[stage].raise(writes);
            }
        }
        see(barrier.destinationStages(), barrier.destinationAccess(), barrier.before(), writes);
        shown.raise(barrier, writes, hostWaits);
    }

    /**
     * Ends a submission: {@code value} is reached after {@code stages} of everything so far, and if that is not all,
     * the next value after everything. Signals of a queue happen in order.
     *
     * @return what follows everything
     */
    Signal signal(long value, int stages) {
        // A number of its own: a submission without commands ends later than the one before it, too.
        sequence++;
        boolean early = (stages & PipelineStage.ALL_COMMANDS.bit()) == 0;
        if (early) {
            put(value, signalAfter(stages));
        }
        put(early ? value + 1 : value, signalAfter(PipelineStage.ALL_COMMANDS.bit()));
        return newest;
    }

    private void put(long value, Signal signal) {
        signal.ordered.raise(newest.ordered);
        signal.available.raise(newest.available);
        signal.shown.raise(newest.shown);
        newest = signal;
        signals.put(value, newest);
        lastSignal = value;
    }

    /** Returns what a signal after {@code stages} of everything up to the end of the last submission follows. */
    Signal signalAfter(int stages) {
        boolean everything = (stages & PipelineStage.ALL_COMMANDS.bit()) != 0;
        int executed = StageScopes.source(everything ? PipelineStage.ALL_COMMANDS.bit() : stages);
        int made = everything ? -1 : stages;
        Clock before = new Clock();
        Clock writes = new Clock();
        Shown toHost = everything ? shown.copy() : Shown.nothing();
        if (everything) {
            before.raise(Clock.column(queue, HOST), sequence);
            toHost.reached(queue, sequence);
        }
        for (int stage = 0; stage < Scopes.STAGES; stage++) {
            int bit = 1 << stage;
            if ((executed & bit) != 0) {
                before.raise(Clock.column(queue, stage), sequence);
            }
            if ((made & bit) != 0) {
                writes.raise(Clock.column(queue, stage), sequence);
            }
            if (stage != Scopes.TRANSITION && ((executed | made) & bit) != 0) {
                before.raise(ordered[stage]);
                writes.raise(available[stage]);
            }
        }
        return new Signal(before, writes, toHost, sequence);
    }

    /** Takes into this copy the signals of its original, which may forget them next. */
    void keepSignals() {
        if (original != null) {
            original.signals.headMap(copiedAt, true).forEach(signals::putIfAbsent);
        }
    }

    @Nullable
    Signal signalOf(long value) {
        Signal own = signals.get(value);
        return own != null || original == null || value > copiedAt ? own : original.signals.get(value);
    }

    /** Gives a host that has seen {@code value} the knowledge of what that follows. */
    void hostWaited(long value, HostView host) {
        Signal signal = signalOf(value);
        if (signal != null) {
            host.sees(signal);
        }
    }

    /** Forgets the signals that order nothing any more, because the host has seen them. */
    void forgetSeen(HostView host) {
        long seen = host.executed().get(Clock.column(queue, Scopes.TRANSITION));
        while (!signals.isEmpty() && signals.firstEntry().getValue().sequence <= seen) {
            signals.pollFirstEntry();
        }
    }

    private void see(int stages, int accesses, Clock order, Clock writes) {
        for (int stage = 0; stage < Scopes.TRANSITION; stage++) {
            if (stage == HOST || (stages & (1 << stage)) == 0) {
                continue;
            }
            for (int access = 0; access < Visibility.accesses(); access++) {
                int pair = Visibility.pair(stage, access);
                if (pair >= 0 && (accesses & (1 << access)) != 0) {
                    visibleOrder[pair].raise(order);
                    visibleWrites[pair].raise(writes);
                }
            }
        }
    }

    private static Clock[] clocks(int count) {
        Clock[] all = new Clock[count];
        for (int i = 0; i < count; i++) {
            all[i] = new Clock();
        }
        return all;
    }
}
