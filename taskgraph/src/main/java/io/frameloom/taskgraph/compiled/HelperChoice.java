package io.frameloom.taskgraph.compiled;

import java.util.Arrays;

/**
 * How many helpers the next run of a compiled graph should have, from how long those before took.
 *
 * <p>A run that is <em>short</em> as a whole needs none. Where bodies are <em>long</em> there are as many as there is
 * work for. In between, a transfer of a cache line costs as much as a node, and more helpers can be slower than fewer:
 * by how much depends on the machine and on the edges. So 0, 1, 2, 4, ... helpers are tried in turn, each for 8
 * to 512 runs: the fewer nodes, the more. More helpers win if most of these are an eighth faster than those of the current number, fewer if most are
 * about as fast.
 *
 * <p><b>A fair trial.</b> A trial begins with parked helpers and code that may not be compiled, and another program can
 * take a thread's processor for milliseconds. So no single run decides, and slow ones do not count while helpers wake.
 * Everything becomes faster while a program warms up, so what has lost its place is tried again soon.
 *
 * <p><b>No choice is final.</b> A shared run counts the transfers, too, so short bodies shared by many look like long
 * ones. Code that is not compiled yet, or another program on the cores, makes any run look long. So whatever lost a
 * trial is tried again once some times what it lost has passed. That factor doubles, but only up to a limit: trials
 * cost a bounded part of the time, and a mistake ends in a bounded time.
 *
 * <p><b>Known weakness.</b> A run that never belongs to one thread, because of its named threads or levels, is never
 * looked at alone if it might take long: where sharing alone makes its bodies look long it stays shared by all.
 *
 * <p>Used by one thread at a time: {@link #next} by the thread that begins a run, {@link #ran} by its last participant.
 */
final class HelperChoice {
    private enum Load {
        UNKNOWN,
        SHORT,
        FINE,
        LONG
    }

    /** How a run went. */
    enum Course {
        /** One thread ran all of it in the order of the numbers. */
        ALONE,
        /** Prerequisites were counted from the first node. */
        SHARED,
        /** One thread began it and shared it later, because it took too long or had to give way. */
        OVERDUE,
        /** One thread began it and shared it later, because bodies were long. */
        LONG_BODIES
    }

    /** Work that a helper must take over to pay for its wake-up. */
    static final long HELP_NANOS = 20_000L;
    /**
     * Bodies that take longer than this on average are worth any helper. As many threads as have work share their runs,
     * and every ready node is published before a body is run.
     */
    static final long LONG_NANOS = 200L;
    /** Bodies that take less than this on average are cheaper than an arrival, so no helper pays. */
    private static final long SHORT_NANOS = 10L;
    /** What arrivals, deques and cache misses add to a node of a shared run, at least. */
    private static final long OVERHEAD_NANOS = 50L;
    /** By how much a trial of another number of helpers may slow down a single run, as far as that is known before. */
    static final long HITCH_NANOS = 250_000L;
    /** For so long a trial's slow runs do not count: its helpers wake, and its code and data come into the caches. */
    private static final long WAKING_NANOS = 250_000L;

    private static final int LEAST_RUNS = 8;

    private static final int MOST_RUNS = 512;
    /** The most of the last runs by which the current choice is judged. */
    private static final int MOST_RECENT = 32;
    /** After so many nodes code is compiled; what is measured before says little. */
    private static final int WARM_NODES = 8_192;

    private static final int LEAST_PATIENCE = 16;
    private static final int MOST_PATIENCE = 512;

    private final int nodes;
    private final int limit;
    /** Runs of the current choice between two trials, and runs that decide a trial. */
    private final int enough;
    /** The choices: numbers of helpers, from none to the limit. */
    private final int[] helpers;
    /** Per choice, the time of runs at which it may be tried again. */
    private final long[] dueNanos;
    /** Per choice, after how many times what its next trial loses it may be tried again. */
    private final int[] patience;

    private Load load = Load.UNKNOWN;
    /** What the bodies of a run take altogether. */
    private long workNanos;
    /** Whether that was measured in runs that one thread had to itself. */
    private boolean undisturbed;
    /** The time of all runs so far. */
    private long clock;

    private int current;
    /** The last runs of the current choice. */
    private final long[] recent;

    private final long[] sorted;
    /** Their median, found anew when all of them are new. */
    private long currentNanos;

    /** The average of runs of the current choice, of late four times as many as decide a trial. */
    private long averageNanos;

    /** Runs since it became the current one. */
    private long settled;
    /** The choice of the run in progress or, between two runs of a trial, of the next one. */
    private int chosen;

    private int lastTrial;
    private int trialRuns;
    private int fasterRuns;
    private int slowerRuns;
    private long trialNanos;

    HelperChoice(int nodes, int limit) {
        this.nodes = nodes;
        this.limit = limit;
        enough = Math.min(Math.max(LEAST_RUNS, WARM_NODES / nodes), MOST_RUNS);
        recent = new long[Math.min(enough, MOST_RECENT)];
        sorted = new long[recent.length];
        int choices = 2;
        while (1 << (choices - 2) < limit) {
            choices++;
        }
        helpers = new int[choices];
        for (int choice = 1; choice < choices; choice++) {
            helpers[choice] = Math.min(limit, 1 << (choice - 1));
        }
        dueNanos = new long[choices];
        patience = new int[choices];
        startFrom(choices - 1);
    }

    /** Whether every ready node should be published before a body is run. */
    boolean expectsLongBodies() {
        return load == Load.UNKNOWN || load == Load.LONG;
    }

    /**
     * How many helpers the next run should have.
     *
     * @param mayBeAlone whether one thread can run all of it in the order of the numbers, and share it later
     */
    int next(boolean mayBeAlone) {
        if (trialRuns == 0) {
            chosen = settled >= enough && load != Load.SHORT ? dueChoice(mayBeAlone) : current;
        }
        return load == Load.LONG && chosen > 0 ? helpersPaid() : helpers[chosen];
    }

    private int dueChoice(boolean mayBeAlone) {
        for (int step = 1; step <= helpers.length; step++) {
            int choice = (lastTrial + step) % helpers.length;
            boolean alone = choice == 0 && mayBeAlone;
            if (choice != current && dueNanos[choice] <= clock && isBearable(choice, alone)) {
                lastTrial = choice;
                return choice;
            }
        }
        return current;
    }

    /** Whether a trial is worth it, and no hitch as far as that is known. */
    private boolean isBearable(int choice, boolean alone) {
        if (alone) {
            long firstLook = SequentialRun.FIRST_TURN * (workNanos / nodes);
            return load == Load.FINE || firstLook < Math.max(HITCH_NANOS, currentNanos / 8);
        }
        if (load == Load.LONG && choice != 0 && (current != 0 || choice < helpers.length - 1)) {
            // All of these are the same number then.
            return false;
        }
        boolean known = undisturbed || load == Load.LONG;
        return !known || workNanos / (helpers[choice] + 1) < currentNanos + HITCH_NANOS;
    }

    private int helpersPaid() {
        return (int) Math.min(limit, workNanos / HELP_NANOS);
    }

    /**
     * How long the next run may take to be faster than those before, if it has no helpers and tries just that; else 0:
     * then it goes on until bodies are found to be long.
     */
    long nanosToBeat() {
        return chosen == 0 && (current != 0 || load == Load.LONG) ? currentNanos : 0L;
    }

    /**
     * A run is over.
     *
     * @param elapsed nanoseconds that it took
     * @param busy nanoseconds that all its participants worked; of an overdue run, the time that one thread would have
     *     taken
     * @param course how it went
     */
    void ran(long elapsed, long busy, Course course) {
        clock += elapsed;
        boolean byOne =
                course == Course.ALONE || course == Course.OVERDUE || (course == Course.SHARED && helpers[chosen] == 0);
        if (chosen == current) {
            ranAsBefore(elapsed);
        } else {
            endTrialRun(elapsed, course);
        }
        if (byOne || course == Course.LONG_BODIES || !undisturbed || load != Load.FINE) {
            // Other courses end early where bodies are longer than before; this one takes all the time they need.
            boolean tookAll = byOne && course == Course.SHARED;
            measured(byOne ? busy : Math.max(0L, busy - OVERHEAD_NANOS * nodes), byOne, tookAll);
        }
        if (workNanos < Math.max(HELP_NANOS, SHORT_NANOS * nodes)) {
            enter(Load.SHORT);
        } else {
            enter(workNanos > LONG_NANOS * nodes ? Load.LONG : Load.FINE);
        }
    }

    private void measured(long work, boolean byOne, boolean tookAll) {
        boolean first = load == Load.UNKNOWN || byOne != undisturbed;
        long most = tookAll ? work : 2 * workNanos;
        workNanos = Math.max(1L, first ? work : Math.min(work, smoothed(workNanos, work, most)));
        undisturbed = byOne;
    }

    /** Disturbances only lengthen, and can do so by much. */
    private static long smoothed(long known, long now, long most) {
        return known + (Math.min(now, most) - known + 3) / 4;
    }

    private void ranAsBefore(long elapsed) {
        if (load == Load.SHORT) {
            return;
        }
        recent[(int) (settled++ % recent.length)] = Math.max(1L, elapsed);
        averageNanos += (elapsed - averageNanos) / Math.min(settled, 4L * enough);
        if (settled <= recent.length || settled % recent.length == 0) {
            int runs = (int) Math.min(settled, recent.length);
            System.arraycopy(recent, 0, sorted, 0, runs);
            Arrays.sort(sorted, 0, runs);
            currentNanos = sorted[runs / 2];
        }
    }

    private void endTrialRun(long elapsed, Course course) {
        // More helpers have to pay; fewer leave processors to others.
        long atMost = currentNanos + (chosen > current ? -currentNanos / 8 : currentNanos / 16);
        if (elapsed < atMost && course != Course.OVERDUE) {
            fasterRuns++;
        } else if (trialNanos >= WAKING_NANOS) {
            slowerRuns++;
        }
        trialRuns++;
        trialNanos += elapsed;
        long saved = trialRuns * averageNanos - trialNanos;
        boolean over = fasterRuns == enough
                || slowerRuns == enough
                || trialNanos - WAKING_NANOS > (trialRuns + enough) * currentNanos;
        // Threads that other programs stop now and then are as fast as ever in most runs, but not on average.
        boolean won = chosen > current
                ? fasterRuns == enough && saved > -WAKING_NANOS
                : fasterRuns == enough || (saved > trialNanos / 8 && course != Course.OVERDUE);
        if (over && won) {
            patience[current] = LEAST_PATIENCE;
            dueNanos[current] = clock;
            settle(chosen);
            ranAsBefore(elapsed);
        } else if (over) {
            long loss = trialNanos - trialRuns * currentNanos;
            dueNanos[chosen] = clock + patience[chosen] * Math.max(loss, currentNanos / 8);
            patience[chosen] = Math.min(2 * patience[chosen], MOST_PATIENCE);
            settle(current);
        }
    }

    private void enter(Load now) {
        if (now == load) {
            return;
        }
        if (now == Load.SHORT) {
            settle(0);
        } else if (load == Load.UNKNOWN || (now == Load.LONG && current == 0)) {
            int choice = 0;
            while (choice + 1 < helpers.length && helpers[choice + 1] <= helpersPaid()) {
                choice++;
            }
            startFrom(choice);
        }
        load = now;
    }

    /** Forgets all trials and begins with a choice. */
    private void startFrom(int choice) {
        settle(choice);
        Arrays.fill(dueNanos, 0L);
        Arrays.fill(patience, LEAST_PATIENCE);
    }

    /** Makes a choice the current one; a trial that has not ended is forgotten. */
    private void settle(int choice) {
        current = choice;
        settled = 0;
        trialRuns = 0;
        fasterRuns = 0;
        slowerRuns = 0;
        trialNanos = 0L;
    }
}
