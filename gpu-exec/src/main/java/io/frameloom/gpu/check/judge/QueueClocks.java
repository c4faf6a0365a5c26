package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.device.StageScopes;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The earlier work that later work of one queue is ordered after: per stage of later work, and for visibility per pair
 * of stage and access.
 *
 * <p>The host is no stage of a queue: barriers that name it order nothing on the device. Its column of a clock is the
 * last sequence number up to which a reached point shows that everything is done. Only a host that has seen such a
 * point, or a later one, has done its own part.
 */
final class QueueClocks {
    private static final int HOST = Integer.numberOfTrailingZeros(PipelineStage.HOST.bit());

    private final int queue;
    private final Past[] stages;
    /** What has executed before an operation on all memory that made the writes visible to a pair. */
    private final Past[] visible;
    /** The same for the host. */
    private final Shown shown;

    private final TreeMap<Long, Signal> signals = new TreeMap<>();
    /** The clocks that this is a copy of, which have the signals up to a value; null if it is none. */
    private final @Nullable QueueClocks original;

    private final long copiedAt;
    private Signal newest;
    private long sequence;
    private long lastSignal;

    QueueClocks(int queue) {
        this.queue = queue;
        this.stages = Past.ofNothing(Scopes.TRANSITION);
        this.visible = Past.ofNothing(Scopes.PAIRS);
        this.shown = new Shown();
        this.original = null;
        this.copiedAt = 0;
        this.newest = new Signal(new Past(), new Shown(), 0);
    }

    private QueueClocks(QueueClocks from) {
        this.queue = from.queue;
        this.stages = Past.copies(from.stages);
        this.visible = Past.copies(from.visible);
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
        if (!Past.sameAbove(host.past(), stages, other.stages)
                || !Past.sameAbove(host.past(), visible, other.visible)
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

    int queue() {
        return queue;
    }

    long next() {
        return ++sequence;
    }

    Past past(int stage) {
        return stages[stage];
    }

    /** Returns the writes that are visible to a pair of stage and access, and what came before. */
    Past visible(int pair) {
        return visible[pair];
    }

    /** Returns whether any later work follows a write of another queue, after which it is available. */
    boolean waitedFor(MemoryWrite write) {
        for (Past past : stages) {
            if (past.available().covers(write)) {
                return true;
            }
        }
        return false;
    }

    /** Returns what is visible and available to the host when the queue is done with what comes next. */
    Shown shown() {
        return shown;
    }

    void waitFor(Signal signal, int waiting) {
        raise(StageScopes.destination(waiting), signal.past());
        see(StageScopes.namedDestination(waiting), -1, signal.past());
        shown.raise(signal.shown());
    }

    private void raise(int scope, Past past) {
        for (int rest = scope & ((1 << Scopes.TRANSITION) - 1); rest != 0; rest &= rest - 1) {
            stages[Integer.numberOfTrailingZeros(rest)].raise(past);
        }
    }

    /** Returns what a barrier at {@code at} follows, as it is before any barrier of the same command. */
    FirstHalf half(long at, HostView host) {
        return new FirstHalf(queue, at, stages, host);
    }

    /** Orders later work after a barrier. */
    void close(BarrierScope barrier) {
        raise(barrier.destinationExecution(), barrier.before());
    }

    /** Makes all memory in the scopes of a barrier available and visible; the host has waited so often before. */
    void closeGlobal(BarrierScope barrier, long hostWaits) {
        Past past = barrier.before().copy();
        for (int stage = 0; stage < Scopes.STAGES; stage++) {
            if (barrier.makesAvailable(stage)) {
                past.available().raise(Clock.column(queue, stage), barrier.at() - 1);
            }
        }
        raise(barrier.destinationExecution(), past);
        see(barrier.destinationStages(), barrier.destinationAccess(), past);
        shown.raise(barrier, past, hostWaits);
    }

    /**
     * Ends a submission: {@code value} is reached after {@code done} of everything so far, and if that is not all, the
     * next value after everything. Signals of a queue happen in order.
     *
     * @return what follows everything
     */
    Signal signal(long value, int done) {
        // A number of its own: a submission without commands ends later than the one before it, too.
        sequence++;
        boolean early = (done & PipelineStage.ALL_COMMANDS.bit()) == 0;
        if (early) {
            put(value, signalAfter(done));
        }
        put(early ? value + 1 : value, signalAfter(PipelineStage.ALL_COMMANDS.bit()));
        return newest;
    }

    private void put(long value, Signal signal) {
        newest = newest.with(signal);
        signals.put(value, newest);
        lastSignal = value;
    }

    /** Returns what a signal after {@code done} of everything up to the end of the last submission follows. */
    Signal signalAfter(int done) {
        boolean everything = (done & PipelineStage.ALL_COMMANDS.bit()) != 0;
        int executed = StageScopes.source(everything ? PipelineStage.ALL_COMMANDS.bit() : done);
        int made = everything ? -1 : done;
        Past before = new Past();
        Shown toHost = everything ? shown.copy() : new Shown();
        if (everything) {
            before.executed().raise(Clock.column(queue, HOST), sequence);
            toHost.reached(queue, sequence);
        }
        for (int stage = 0; stage < Scopes.STAGES; stage++) {
            int bit = 1 << stage;
            if ((executed & bit) != 0) {
                before.executed().raise(Clock.column(queue, stage), sequence);
            }
            if ((made & bit) != 0) {
                before.available().raise(Clock.column(queue, stage), sequence);
            }
            if (stage != Scopes.TRANSITION && ((executed | made) & bit) != 0) {
                before.raise(stages[stage]);
            }
        }
        return new Signal(before, toHost, sequence);
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
        long seen = host.past().executed().get(Clock.column(queue, Scopes.TRANSITION));
        while (!signals.isEmpty() && signals.firstEntry().getValue().sequence() <= seen) {
            signals.pollFirstEntry();
        }
    }

    private void see(int scope, int accesses, Past past) {
        for (int stage = 0; stage < Scopes.TRANSITION; stage++) {
            if (stage == HOST || (scope & (1 << stage)) == 0) {
                continue;
            }
            for (int access = 0; access < Scopes.ACCESSES; access++) {
                int pair = Scopes.pair(stage, access);
                if (pair >= 0 && (accesses & (1 << access)) != 0) {
                    visible[pair].raise(past);
                }
            }
        }
    }
}
