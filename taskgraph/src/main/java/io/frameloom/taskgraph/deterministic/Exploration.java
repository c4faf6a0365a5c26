package io.frameloom.taskgraph.deterministic;

import io.frameloom.taskgraph.parts.Arguments;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Which schedules to try, how many, and how long a run may be. Immutable.
 *
 * <p>Begin with {@link #mixed}, which finds most bugs soonest. Then {@link #pct} with a small depth finds bugs that
 * need a few preemptions at the right places in a long program. {@link #delaying} shows what happens when one task is
 * late.
 */
public final class Exploration {
    /** A first guess for how many decisions a run makes. */
    private static final int FIRST_EXPECTATION = 200;

    private static final int DEFAULT_MAX_STEPS = 100_000;
    private static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(20);

    /** Makes the policy of one run. */
    private interface PolicyOfRun {
        Policy policy(long seed, int run, int expectedSteps);
    }

    private final String name;
    private final long seed;
    private final int runs;
    private final int maxSteps;
    private final boolean timePasses;
    private final Duration patience;
    private final PolicyOfRun policies;

    private Exploration(
            String name,
            long seed,
            int runs,
            int maxSteps,
            boolean timePasses,
            Duration patience,
            PolicyOfRun policies) {
        if (runs < 1) {
            throw new IllegalArgumentException("an exploration needs at least one run, not " + runs);
        }
        if (maxSteps < 1) {
            throw new IllegalArgumentException("a run needs at least one step, not " + maxSteps);
        }
        this.name = name;
        this.seed = seed;
        this.runs = runs;
        this.maxSteps = maxSteps;
        this.timePasses = timePasses;
        this.patience = patience;
        this.policies = policies;
    }

    private static Exploration of(String name, long seed, int runs, PolicyOfRun policies) {
        return new Exploration(name, seed, runs, DEFAULT_MAX_STEPS, false, DEFAULT_PATIENCE, policies);
    }

    /**
     * At every point each thread that can run is equally likely.
     *
     * @param runs number of runs, 1 or more
     */
    public static Exploration random(long seed, int runs) {
        return of("random schedules", seed, runs, (s, run, steps) -> random(s, 0.0));
    }

    /**
     * Random strict priorities, with {@code depth - 1} random places at which the running thread falls behind
     * all others (Burckhardt, Kothari, Musuvathi, Nagarakatte: "A Randomized Scheduler with Probabilistic
     * Guarantees of Finding Bugs"). The places are drawn from the length of the longest run so far.
     *
     * @param runs number of runs, 1 or more
     * @param depth how many events have to come in a certain order for the bug to show, 1 or more
     */
    public static Exploration pct(long seed, int runs, int depth) {
        if (depth < 1) {
            throw new IllegalArgumentException("the depth of a bug is at least 1, not " + depth);
        }
        return of("PCT schedules of depth " + depth, seed, runs, (s, run, steps) -> new PctPolicy(s, depth, steps));
    }

    /** One run in which the newest thread that can run always goes first. */
    public static Exploration newestFirst() {
        return of("newest thread first", 0L, 1, (s, run, steps) -> newest());
    }

    /** One run in which the oldest thread that can run always goes first. */
    public static Exploration oldestFirst() {
        return of("oldest thread first", 0L, 1, (s, run, steps) -> oldest());
    }

    /**
     * The named thread, and each thread that is about to do something with the named task or event, go on only when no
     * other can; otherwise random.
     *
     * @param runs number of runs, 1 or more
     */
    public static Exploration delaying(String name, long seed, int runs) {
        Arguments.required(name, "name", "Exploration.delaying");
        return of("schedules that delay '" + name + "'", seed, runs, (s, run, steps) -> delaying(s, name));
    }

    /**
     * Oldest first, newest first, and then three kinds by turns: random schedules, PCT schedules of depth 2 to 4, and
     * random schedules with few changes of thread. In the last kind one thread gets far while others stand still.
     *
     * @param runs number of runs, 1 or more
     */
    public static Exploration mixed(long seed, int runs) {
        return of("mixed schedules", seed, runs, (s, run, steps) -> switch (run) {
            case 0 -> oldest();
            case 1 -> newest();
            default ->
                switch (run % 3) {
                    case 0 -> random(s, 0.0);
                    case 1 -> new PctPolicy(s, 2 + run / 3 % 3, steps);
                    default -> random(s, 0.8);
                };
        });
    }

    /** One run that repeats another. */
    public static Exploration replay(Schedule schedule) {
        Arguments.required(schedule, "schedule", "Exploration.replay");
        // The recorded choices say when time passed.
        return of("replay", 0L, 1, (s, run, steps) -> schedule::choose).timePasses();
    }

    /**
     * As {@link #replay(Schedule)}.
     *
     * @throws IllegalArgumentException if the text is malformed
     */
    public static Exploration replay(String schedule) {
        return replay(Schedule.parse(Arguments.required(schedule, "schedule", "Exploration.replay")));
    }

    /**
     * Sets after how many decisions a run counts as a livelock; 100,000 unless set.
     *
     * @param limit 1 or more
     * @return a changed copy
     */
    public Exploration maxSteps(int limit) {
        return new Exploration(name, seed, runs, limit, timePasses, patience, policies);
    }

    /**
     * Lets time pass at any point instead of only when no thread can run. So a wait with a deadline may end by it
     * however busy the others are. Tests of timeouts want this.
     *
     * @return a changed copy
     */
    public Exploration timePasses() {
        return new Exploration(name, seed, runs, maxSteps, true, patience, policies);
    }

    /**
     * Sets how long, in real time, a run may go without a step before it counts as blocked where the scheduler cannot
     * see it. 20 s unless set; a day for a replay, which may stand in a debugger.
     *
     * @param limit the time, more than none
     * @return a changed copy
     * @throws IllegalArgumentException if the time is zero or negative
     */
    public Exploration patience(Duration limit) {
        Arguments.required(limit, "limit", "Exploration.patience");
        if (limit.isZero() || limit.isNegative()) {
            throw new IllegalArgumentException(
                    "the patience of an exploration must be positive, but limit is " + limit);
        }
        return new Exploration(name, seed, runs, maxSteps, timePasses, limit, policies);
    }

    Duration patience() {
        return patience;
    }

    String name() {
        return name;
    }

    long seed() {
        return seed;
    }

    int runs() {
        return runs;
    }

    int maxSteps() {
        return maxSteps;
    }

    boolean isTimePassing() {
        return timePasses;
    }

    /** The policy of one run; the same for the same arguments. */
    Policy policy(int run, int expectedSteps) {
        // The odd constant of SplitMix64 keeps the streams of neighbouring runs apart.
        return policies.policy(seed + run * 0x9E3779B97F4A7C15L, run, expectedSteps);
    }

    /** The current thread goes on with a given probability, else any thread that can run. */
    private static Policy random(long seed, double stay) {
        SplittableRandom random = new SplittableRandom(seed);
        return (ready, current, step) -> stay > 0.0 && random.nextDouble() < stay && ready.contains(current)
                ? current
                : ready.get(random.nextInt(ready.size()));
    }

    /** A thread, or each thread that is about to do something with a task or event, goes on only when no other can. */
    private static Policy delaying(long seed, String delayed) {
        SplittableRandom random = new SplittableRandom(seed);
        return (ready, current, step) -> {
            List<ControlledThread> others = new ArrayList<>(ready);
            others.removeIf(thread -> delayed.equals(thread.subject) || delayed.equals(thread.name()));
            List<ControlledThread> from = others.isEmpty() ? ready : others;
            return from.get(random.nextInt(from.size()));
        };
    }

    /** Makes the runs, one after the other, and watches them; on the exploring thread. */
    Explored explore(ScheduledProgram program) {
        Set<Schedule> distinct = new HashSet<>();
        long decisions = 0;
        int longest = 0;
        for (int run = 0; run < runs; run++) {
            int expected = longest == 0 ? FIRST_EXPECTATION : longest;
            DeterministicScheduler scheduler = new DeterministicScheduler(this, policy(run, expected));
            Throwable failure = run(scheduler, program);
            RunLog log = scheduler.runLog();
            Schedule schedule = log.schedule();
            if (failure != null) {
                throw new ScheduleFailure(name, seed, run, schedule, log.lines(), failure);
            }
            distinct.add(schedule);
            decisions += schedule.length();
            longest = Math.max(longest, schedule.length());
        }
        return new Explored(runs, distinct.size(), decisions);
    }

    private @Nullable Throwable run(DeterministicScheduler scheduler, ScheduledProgram program) {
        scheduler.launch(scheduler.program("main", () -> program.run(scheduler)));
        // A longer patience does not fit into a long.
        long nanos = patience.compareTo(Duration.ofNanos(Long.MAX_VALUE)) > 0 ? Long.MAX_VALUE : patience.toNanos();
        boolean interrupted = false;
        int seen = -1;
        while (true) {
            try {
                if (scheduler.finished().await(nanos, TimeUnit.NANOSECONDS)) {
                    break;
                }
                int progress = scheduler.progress();
                if (progress == seen) {
                    return blockedOutside(scheduler);
                }
                seen = progress;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        scheduler.joinAll();
        return scheduler.failure();
    }

    private Throwable blockedOutside(DeterministicScheduler scheduler) {
        ControlledThread holder = scheduler.baton();
        Throwable earlier = scheduler.failure();
        IllegalStateException failure = new IllegalStateException(
                "thread '" + (holder == null ? "?" : holder.name()) + "' has the turn and did not pass a scheduling "
                        + "point for " + patience
                        + ": it waits for another thread by means that the scheduler does not see (a lock held across "
                        + "a point, a latch, a sleep), or it computes without end; use events, DeterministicScheduler."
                        + "join, sleep or point instead",
                earlier);
        if (holder != null) {
            failure.setStackTrace(holder.thread.getStackTrace());
        }
        return failure;
    }

    private static Policy newest() {
        return (ready, current, step) -> ready.get(ready.size() - 1);
    }

    private static Policy oldest() {
        return (ready, current, step) -> ready.get(0);
    }

    @Override
    public String toString() {
        return runs + " " + name + ", seed " + seed;
    }
}
