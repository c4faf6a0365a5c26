package io.frameloom.taskgraph.compiled;

import java.util.Arrays;

/**
 * Finds by trying how many helpers make the runs of a compiled graph fastest. It keeps a current choice among 0, 1, 2,
 * 4, ... helpers and tries the others in turn, for a run or two; one that is an eighth faster becomes the current one.
 *
 * <p>Trials are paid from a budget, a share of the time of runs that begins at a half and halves with every round
 * through the choices. So the loss by trying is bounded, however bad the other choices are (the question of Auer,
 * Cesa-Bianchi, Fischer, "Finite-time analysis of the multiarmed bandit problem", with the bound made the rule).
 *
 * <p>Used by one thread at a time.
 */
final class HelperTrials {
    private static final int NONE = -1;
    /** Runs of the current choice between two trials, so that its time is that of now. */
    private static final int SETTLING_RUNS = 8;
    /** Ratios are kept in units of this. */
    private static final long ONE = 256L;
    /** What a choice that was not tried is taken to need, through what the current one needs. */
    private static final long UNKNOWN_RATIO = 2 * ONE;
    /** Twice in a row so many times slower is no disturbance but a change. */
    private static final long CHANGE = 4L;

    private static final int ROUNDS_AFTER_CHANGE = 2;
    private static final int ROUNDS_LIMIT = 32;

    private final int[] helpers;
    /** Per choice, its time through that of the current one. */
    private final long[] ratios;

    private int current;
    private long currentNanos;
    private int slowRuns;
    private int settled;
    private int rounds;
    private long budget;

    private int trial = NONE;
    private int trialRuns;
    private long trialNanos;
    private int lastTrial;

    HelperTrials(int limit) {
        int choices = 2;
        while (1 << (choices - 2) < limit) {
            choices++;
        }
        helpers = new int[choices];
        for (int choice = 1; choice < choices; choice++) {
            helpers[choice] = Math.min(limit, 1 << (choice - 1));
        }
        ratios = new long[choices];
        startFrom(0);
    }

    /** Forgets everything and begins with a number of helpers, or what is nearest below. */
    void startFrom(int number) {
        current = 0;
        while (current + 1 < helpers.length && helpers[current + 1] <= number) {
            current++;
        }
        lastTrial = helpers.length - 1;
        rounds = 0;
        budget = 0L;
        forgetTimes();
    }

    private void forgetTimes() {
        currentNanos = 0L;
        slowRuns = 0;
        settled = 0;
        trial = NONE;
        Arrays.fill(ratios, UNKNOWN_RATIO);
    }

    /** The current choice: a number of helpers. */
    int current() {
        return helpers[current];
    }

    /**
     * How many helpers the next run should have.
     *
     * @param mayBeAlone whether a run without helpers belongs to one thread, which can share it later, or has to count
     * @param leastWork least time of the bodies of a run altogether, or 0 if that is not known
     */
    int next(boolean mayBeAlone, long leastWork) {
        if (trial == NONE && settled >= SETTLING_RUNS) {
            chooseTrial(mayBeAlone, leastWork);
        }
        return helpers[trial == NONE ? current : trial];
    }

    private void chooseTrial(boolean mayBeAlone, long leastWork) {
        int candidate = (lastTrial + 1) % helpers.length;
        if (candidate == current) {
            candidate = (candidate + 1) % helpers.length;
        }
        boolean changesItsMind = candidate == 0 && mayBeAlone;
        if (!changesItsMind && leastWork / (helpers[candidate] + 1) > currentNanos + HelperChoice.HITCH_NANOS) {
            pass(candidate);
            return;
        }
        long extra = currentNanos * (ratios[candidate] - ONE) / ONE;
        if (extra > HelperChoice.HITCH_NANOS && ratios[candidate] != UNKNOWN_RATIO) {
            // Not now; but what made it slow may have been the compiler, so it is not ruled out for good.
            ratios[candidate] -= ratios[candidate] / 8;
            pass(candidate);
            return;
        }
        if (changesItsMind) {
            extra = Math.min(extra, HelperChoice.HITCH_NANOS);
        }
        if (runsOf(candidate) * extra <= budget) {
            pass(candidate);
            trial = candidate;
            trialRuns = 0;
            trialNanos = Long.MAX_VALUE;
        }
    }

    /** The first run with other helpers pays for waking them. */
    private static int runsOf(int candidate) {
        return candidate == 0 ? 1 : 2;
    }

    private void pass(int candidate) {
        if (candidate <= lastTrial) {
            rounds = Math.min(rounds + 1, ROUNDS_LIMIT);
        }
        lastTrial = candidate;
    }

    /** After how many nanoseconds the next run, if it has no helpers, has taken too long to go on so. */
    long patienceNanos() {
        return trial == 0 ? currentNanos + HelperChoice.HITCH_NANOS : Long.MAX_VALUE;
    }

    /** A run with the helpers of {@link #next} took so long. Returns true if the load has changed. */
    boolean ran(long elapsed) {
        if (trial != NONE) {
            endTrialRun(elapsed);
            return false;
        }
        long share = Math.min(HelperChoice.TRIAL_SHARE, 2L << rounds);
        budget = Math.min(budget + elapsed / share, 4 * Math.max(currentNanos, HelperChoice.HITCH_NANOS));
        settled++;
        if (currentNanos == 0L) {
            currentNanos = Math.max(1L, elapsed);
            return false;
        }
        slowRuns = elapsed > CHANGE * currentNanos ? slowRuns + 1 : 0;
        if (slowRuns == 2) {
            forgetTimes();
            currentNanos = elapsed;
            rounds = Math.min(rounds, ROUNDS_AFTER_CHANGE);
            return true;
        }
        currentNanos = Math.max(1L, currentNanos + (Math.min(elapsed, 2 * currentNanos) - currentNanos) / 4);
        return false;
    }

    private void endTrialRun(long elapsed) {
        budget -= elapsed - currentNanos;
        trialNanos = Math.min(trialNanos, elapsed);
        if (++trialRuns < runsOf(trial)) {
            return;
        }
        long ratio = Math.max(1L, trialNanos * ONE / currentNanos);
        ratios[trial] = ratio;
        if (trialNanos < currentNanos - currentNanos / 8) {
            for (int choice = 0; choice < ratios.length; choice++) {
                ratios[choice] = Math.max(1L, ratios[choice] * ONE / ratio);
            }
            ratios[current] = Math.max(1L, ONE * ONE / ratio);
            current = trial;
            currentNanos = Math.max(1L, trialNanos);
        }
        trial = NONE;
        settled = 0;
    }
}
