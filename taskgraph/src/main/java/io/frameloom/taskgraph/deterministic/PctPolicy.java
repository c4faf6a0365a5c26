package io.frameloom.taskgraph.deterministic;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Strict random priorities with a few random places at which the running thread falls behind all others
 * (Burckhardt, Kothari, Musuvathi, Nagarakatte: "A Randomized Scheduler with Probabilistic Guarantees of
 * Finding Bugs").
 *
 * <p>A bug that needs {@code depth} ordered events is found by one run with probability at least
 * {@code 1 / (n * k^(depth - 1))} for {@code n} threads and {@code k} steps, whatever the program.
 */
final class PctPolicy implements Policy {
    private final SplittableRandom random;
    /** By thread id. First priorities are positive, those of fallen threads negative and ever lower. */
    private final List<Long> priorities = new ArrayList<>();

    private final int[] changes;
    private long lowest;

    /** @param expectedSteps how many decisions the run will make, about */
    PctPolicy(long seed, int depth, int expectedSteps) {
        random = new SplittableRandom(seed);
        changes = random.ints(depth - 1L, 0, Math.max(1, expectedSteps)).toArray();
    }

    @Override
    public ControlledThread choose(List<ControlledThread> ready, ControlledThread current, int step) {
        int newest = Math.max(current.id, ready.get(ready.size() - 1).id);
        while (priorities.size() <= newest) {
            priorities.add(random.nextLong(1, Long.MAX_VALUE));
        }
        for (int change : changes) {
            if (change == step) {
                priorities.set(current.id, --lowest);
            }
        }
        ControlledThread best = ready.get(0);
        for (ControlledThread thread : ready) {
            if (priorities.get(thread.id) > priorities.get(best.id)) {
                best = thread;
            }
        }
        return best;
    }
}
