package io.frameloom.rdg.tools.range;

import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.TaskGraph;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Hands pieces of work to several devices: blocks of a {@link FrameRange}, or parts of one picture.
 *
 * <p>Each device has a named thread of the task graph. On it the device works at one piece at a time, and takes the next
 * when that is done. So a faster device does more, and chance decides which one does a piece: it must come out the same
 * on each. A device that throws an exception gets no more; another one does its piece from the beginning.
 * An {@link Error} stops all work: no other device does better where memory is short or the program is wrong.
 *
 * @param <P> what a piece is
 */
public final class SharedWork<P> {
    private final TaskGraph tasks;
    /** The thread that the caller is attached to, and pumps until nobody is at work. */
    private final NamedThread own;
    // The rest is guarded by this.
    private final Deque<P> waiting;
    private final Deque<Lane<P>> idle = new ArrayDeque<>();
    private final Map<NamedThread, Exception> failures = new LinkedHashMap<>();
    private @Nullable Error error;
    /** Devices at work, and the caller until all have begun: when nobody is left, nobody can begin again. */
    private int working = 1;

    private boolean stopped;

    /**
     * What does pieces of work, one at a time.
     *
     * @param <P> what a piece is
     */
    @FunctionalInterface
    public interface Device<P> {
        /**
         * Does a piece of work.
         *
         * @return whether it is done; false if all work is to stop, and then no piece is handed out any more
         */
        boolean work(P piece) throws Exception;
    }

    /**
     * How it went.
     *
     * @param complete whether all pieces are done; they are unless a device has stopped the work, or the graph was
     *     closed meanwhile
     * @param failures what the devices threw that have failed, by their threads, in the order in which it happened
     */
    public record Outcome(boolean complete, Map<NamedThread, Exception> failures) {
        /** Copies the map. */
        public Outcome {
            failures = Collections.unmodifiableMap(new LinkedHashMap<>(failures));
        }
    }

    /** A device and its thread. */
    private record Lane<P>(NamedThread thread, Device<P> device) {}

    private SharedWork(TaskGraph tasks, NamedThread own, List<P> pieces) {
        this.tasks = tasks;
        this.own = own;
        waiting = new ArrayDeque<>(pieces);
    }

    /**
     * Does all pieces, the first ones first, and returns when no device is at work. The caller works for the device of
     * the thread that it is attached to.
     *
     * @param devices the devices by their threads; others pump all but the caller's. The first ones get the first pieces
     * @throws IllegalArgumentException if the caller is attached to none of the threads
     * @throws Exception what the first device threw, if all have failed; what the others threw is suppressed. An {@link
     *     Error} of one device is thrown as well, when none is at work any more
     */
    public static <P> Outcome run(TaskGraph tasks, List<P> pieces, Map<NamedThread, Device<P>> devices)
            throws Exception {
        NamedThread own = devices.keySet().stream()
                .filter(thread -> tasks.attachedThread(thread) == Thread.currentThread())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the caller is attached to none of the threads "
                        + devices.keySet() + " of the devices; attach it to one, which it then works for"));
        SharedWork<P> work = new SharedWork<>(tasks, own, pieces);
        devices.forEach((thread, device) -> work.idle.add(new Lane<>(thread, device)));
        return work.run(devices.size());
    }

    private Outcome run(int lanes) throws Exception {
        try {
            for (int i = 0; i < lanes; i++) {
                employ();
            }
        } finally {
            leave();
        }
        tasks.processUntilReturnRequested(own);
        synchronized (this) {
            Error fatal = error;
            if (fatal != null) {
                failures.values().forEach(fatal::addSuppressed);
                throw fatal;
            }
            if (failures.size() == lanes) {
                throw all(failures.values());
            }
            return new Outcome(!stopped && working == 0, failures);
        }
    }

    /** Lets an idle device begin, if there are both a piece and a device. */
    private void employ() {
        Lane<P> lane;
        P piece;
        synchronized (this) {
            if (stopped || waiting.isEmpty() || idle.isEmpty()) {
                return;
            }
            lane = idle.remove();
            piece = waiting.remove();
            working++;
        }
        tasks.task("share of " + lane.thread, () -> work(lane, piece))
                .on(lane.thread)
                .dispatch();
    }

    private void work(Lane<P> lane, P first) {
        try {
            @Nullable P piece = first;
            while (piece != null) {
                piece = workAt(lane, piece) ? next(lane) : null;
            }
        } finally {
            leave();
        }
    }

    /** Returns whether the device may take another piece. */
    private boolean workAt(Lane<P> lane, P piece) {
        try {
            boolean done = lane.device.work(piece);
            synchronized (this) {
                stopped |= !done;
            }
            return done;
        } catch (Exception failure) {
            synchronized (this) {
                waiting.addFirst(piece);
                failures.put(lane.thread, failure);
            }
            employ();
            return false;
        } catch (Error failure) {
            synchronized (this) {
                stopped = true;
                error = error == null ? failure : error;
            }
            return false;
        }
    }

    private synchronized @Nullable P next(Lane<P> lane) {
        if (stopped) {
            return null;
        }
        P piece = waiting.poll();
        if (piece == null) {
            idle.add(lane);
        }
        return piece;
    }

    private void leave() {
        boolean last;
        synchronized (this) {
            working--;
            last = working == 0;
        }
        if (last) {
            tasks.requestReturn(own);
        }
    }

    private static Exception all(Iterable<Exception> failures) {
        Exception first = failures.iterator().next();
        for (Exception other : failures) {
            if (other != first) {
                first.addSuppressed(other);
            }
        }
        return first;
    }
}
