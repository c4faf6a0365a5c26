package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.PrerequisiteFailedException;
import io.frameloom.taskgraph.RunFailedException;
import io.frameloom.taskgraph.TaskCancelledException;
import io.frameloom.taskgraph.TaskFailedException;
import io.frameloom.taskgraph.TaskGraphClosedException;
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Reports failures that no code has seen to the uncaught handler: when the graph closes, or when the collector finds
 * that no event can show them any more. Any thread may call any method.
 *
 * <p>A failure is what was thrown, whichever and how many events ended with it. It is reported once, and seen with the
 * first of them that code looks at. Seeing a failure includes its causes and what it suppresses. A task that throws
 * what it alone has seen passes it on, so it counts as unseen again. Cancellation and the closing of the graph are no
 * failures here.
 *
 * <p>All state is guarded by the lock of this object; under it no foreign code runs.
 */
public final class UnseenFailures {
    /** Longer chains of causes are circles. */
    private static final int MOST_CAUSES = 64;

    private final GraphCore graph;
    private final IdentityHashMap<Throwable, Fate> fates = new IdentityHashMap<>();
    private long failures;
    /** Made for the first failure: it has a thread. */
    private @Nullable Cleaner cleaner;

    /** What has become of a failure. Refers to no event, nor to what stands for the failure in events. */
    private static final class Fate {
        final long number;
        final String name;
        final Throwable thrown;

        @Nullable
        WeakReference<Failure> shared;
        /** Whether code has seen it, or it was reported. */
        boolean seen;
        /** The task that alone has seen it, or null. */
        @Nullable
        WeakReference<Task> seenBy;

        Fate(long number, String name, Throwable thrown) {
            this.number = number;
            this.name = name;
            this.thrown = thrown;
        }

        /** What stands for the failure in events, or null if the collector has found none. */
        @Nullable
        Failure shared() {
            WeakReference<Failure> known = shared;
            return known == null ? null : known.get();
        }
    }

    UnseenFailures(GraphCore graph) {
        this.graph = graph;
    }

    /**
     * Takes note of a failure, before any code can see it.
     *
     * @param name the event or run
     * @param by the task that has thrown it, or null
     * @return what the event has to hold on to: a {@link Failure}, or the failure itself if it is not to be reported
     */
    public Object failed(String name, Throwable thrown, @Nullable Task by) {
        boolean follows = thrown instanceof FollowingFailure further && further.hasOrigins();
        return follows || isCancellation(thrown) ? thrown : share(name, thrown, by);
    }

    private synchronized Failure share(String name, Throwable thrown, @Nullable Task by) {
        Fate fate = fates.get(thrown);
        if (fate == null) {
            fate = new Fate(failures++, name, thrown);
            fates.put(thrown, fate);
        }
        if (by != null && fate.seenBy != null && fate.seenBy.get() == by) {
            fate.seen = false;
            fate.seenBy = null;
        }
        Failure shared = fate.shared();
        if (shared == null) {
            shared = new Failure(thrown);
            fate.shared = new WeakReference<>(shared);
            watch(shared, fate);
        }
        return shared;
    }

    /** A scheduled program must not depend on the collector. */
    private void watch(Failure shared, Fate fate) {
        if (graph.scheduler() != null) {
            return;
        }
        Cleaner watching = cleaner;
        if (watching == null) {
            watching = Cleaner.create();
            cleaner = watching;
        }
        watching.register(shared, () -> collected(fate));
    }

    private static boolean isCancellation(Throwable thrown) {
        Throwable at = thrown;
        for (int i = 0; i < MOST_CAUSES; i++) {
            Throwable cause = isWrapper(at) ? at.getCause() : null;
            if (cause == null) {
                break;
            }
            at = cause;
        }
        return at instanceof TaskCancelledException
                || at instanceof TaskGraphClosedException
                || at instanceof CancellationException;
    }

    private static boolean isWrapper(Throwable thrown) {
        return thrown instanceof TaskFailedException
                || thrown instanceof PrerequisiteFailedException
                || thrown instanceof RunFailedException;
    }

    /** Code has got hold of a failure. */
    public void see(Throwable failure) {
        if (isEmpty()) {
            return;
        }
        Completer context = graph.currentContext();
        Task by = context == null ? null : context.currentTask();
        Set<Throwable> known = Collections.newSetFromMap(new IdentityHashMap<>());
        ArrayDeque<Throwable> open = new ArrayDeque<>();
        for (Throwable at = failure; at != null; at = open.poll()) {
            if (known.add(at)) {
                seeOne(at, by);
                open.addAll(Arrays.asList(at.getSuppressed()));
                Throwable cause = at.getCause();
                if (cause != null) {
                    open.add(cause);
                }
            }
        }
    }

    private synchronized boolean isEmpty() {
        return fates.isEmpty();
    }

    private synchronized void seeOne(Throwable thrown, @Nullable Task by) {
        Fate fate = fates.get(thrown);
        if (fate == null) {
            return;
        }
        boolean first = !fate.seen;
        boolean again = by != null && fate.seenBy != null && fate.seenBy.get() == by;
        fate.seen = true;
        if (!again) {
            fate.seenBy = first && by != null ? new WeakReference<>(by) : null;
        }
    }

    /** Reports what was not seen so far, in the order in which it was thrown. */
    public void reportAll() {
        List<Fate> all;
        synchronized (this) {
            all = new ArrayList<>(fates.values());
        }
        all.sort(Comparator.comparingLong(fate -> fate.number));
        all.forEach(this::report);
    }

    private void collected(Fate fate) {
        synchronized (this) {
            if (fate.shared() != null) {
                // Another event has failed with it meanwhile.
                return;
            }
            // Another one may stand for it by now.
            fates.remove(fate.thrown, fate);
        }
        report(fate);
    }

    private void report(Fate fate) {
        synchronized (this) {
            if (fate.seen) {
                return;
            }
            fate.seen = true;
        }
        graph.reportUncaught(fate.name, fate.thrown);
    }
}
