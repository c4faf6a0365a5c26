package io.frameloom.taskgraph.deterministic;

import java.util.List;
import java.util.SplittableRandom;

/** Lets the current thread go on with a given probability, else picks any thread that can run. */
final class RandomPolicy implements Policy {
    private final SplittableRandom random;
    private final double stay;

    RandomPolicy(long seed, double stay) {
        this.random = new SplittableRandom(seed);
        this.stay = stay;
    }

    @Override
    public ControlledThread choose(List<ControlledThread> ready, ControlledThread current, int step) {
        if (stay > 0.0 && random.nextDouble() < stay && ready.contains(current)) {
            return current;
        }
        return ready.get(random.nextInt(ready.size()));
    }
}
