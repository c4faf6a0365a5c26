package io.frameloom.taskgraph.deterministic;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Lets a thread, or each thread that is about to do something with a task or event, go on only when no other can. */
final class DelayPolicy implements Policy {
    private final SplittableRandom random;
    private final String delayed;
    private final List<ControlledThread> others = new ArrayList<>();

    DelayPolicy(long seed, String delayed) {
        this.random = new SplittableRandom(seed);
        this.delayed = delayed;
    }

    @Override
    public ControlledThread choose(List<ControlledThread> ready, ControlledThread current, int step) {
        others.clear();
        for (ControlledThread thread : ready) {
            if (!delayed.equals(thread.subject) && !delayed.equals(thread.name())) {
                others.add(thread);
            }
        }
        List<ControlledThread> from = others.isEmpty() ? ready : others;
        return from.get(random.nextInt(from.size()));
    }
}
