package io.frameloom.taskgraph.compiled;

/**
 * How many helpers the next run of a compiled graph should have, from how long those before took.
 *
 * <p>A run that is <em>short</em> as a whole needs none. Where bodies are <em>long</em> there are as many as there is
 * work for. In between, a transfer of a cache line costs as much as a node, and more helpers can be slower than fewer:
 * by how much depends on the machine and on the edges, so there {@linkplain HelperTrials trials} decide.
 *
 * <p>Runs that one thread had to itself show best how long bodies take: a shared run counts the transfers, too, so that
 * short bodies shared by many look like long ones. Therefore runs of long bodies begin alone now and then, ever more
 * rarely. That costs the first few nodes if the bodies are long indeed.
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
    /** What arrivals, deques and cache misses add to a node of a shared run, at least. */
    private static final long OVERHEAD_NANOS = 50L;
    /** The slowdown of a single run that a trial of another number of helpers may cost. */
    static final long HITCH_NANOS = 250_000L;
    /** At most one part in so many of the time of runs is spent on such trials in the long run. */
    static final long TRIAL_SHARE = 64L;

    private static final int FIRST_CHECK = 8;
    private static final int LAST_CHECK = 1 << 16;

    private final int nodes;
    private final int limit;
    private final HelperTrials trials;

    private Load load = Load.UNKNOWN;
    /** What the bodies of a run take altogether. */
    private long workNanos;
    /** Whether that was measured in runs that one thread had to itself. */
    private boolean undisturbed;

    private int helpers;
    /** Runs of long bodies since they were found to be long, and the next of them to be looked at alone. */
    private int longRuns;

    private int nextCheck = FIRST_CHECK;

    HelperChoice(int nodes, int limit) {
        this.nodes = nodes;
        this.limit = limit;
        trials = new HelperTrials(limit);
    }

    /** Whether every ready node should be published before a body is run. */
    boolean expectsLongBodies() {
        return load == Load.UNKNOWN || load == Load.LONG;
    }

    /**
     * How many helpers the next run should have.
     *
     * @param mayBeAlone whether one thread can run all of it in the order of the numbers
     */
    int next(boolean mayBeAlone) {
        helpers = switch (load) {
            case UNKNOWN -> limit;
            case SHORT -> 0;
            case FINE -> trials.next(mayBeAlone, undisturbed ? workNanos : 0L);
            case LONG -> nextOfLong(mayBeAlone);
        };
        return helpers;
    }

    private int nextOfLong(boolean mayBeAlone) {
        if (++longRuns < nextCheck || !(mayBeAlone || workNanos < HITCH_NANOS)) {
            return helpersPaid();
        }
        longRuns = 0;
        nextCheck = Math.min(2 * nextCheck, LAST_CHECK);
        return 0;
    }

    private int helpersPaid() {
        return (int) Math.min(limit, workNanos / HELP_NANOS);
    }

    /** After how many nanoseconds the next run, if it has no helpers, has taken too long to go on so. */
    long patienceNanos() {
        return load == Load.FINE ? trials.patienceNanos() : Long.MAX_VALUE;
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
        boolean changed = load == Load.FINE && trials.ran(elapsed);
        long net = Math.max(0L, busy - OVERHEAD_NANOS * nodes);
        switch (course) {
            case ALONE -> measured(busy, true);
            case LONG_BODIES -> {
                workNanos = net;
                undisturbed = false;
            }
            case OVERDUE -> measured(busy, true);
            case SHARED -> {
                if (helpers == 0 || !undisturbed || changed || load != Load.FINE) {
                    measured(helpers == 0 ? busy : net, helpers == 0);
                }
            }
        }
        enter(workNanos < HELP_NANOS ? Load.SHORT : isLong() ? Load.LONG : Load.FINE);
    }

    private void measured(long work, boolean byOne) {
        workNanos = load == Load.UNKNOWN || byOne != undisturbed ? work : workNanos + (work - workNanos) / 4;
        undisturbed = byOne;
    }

    private boolean isLong() {
        return workNanos > LONG_NANOS * nodes;
    }

    private void enter(Load now) {
        if (now == load) {
            return;
        }
        if (now == Load.LONG) {
            longRuns = 0;
            nextCheck = FIRST_CHECK;
        } else if (now == Load.FINE && load != Load.SHORT) {
            trials.startFrom(helpersPaid());
        } else if (trials.current() != 0) {
            trials.startFrom(0);
        }
        load = now;
    }
}
