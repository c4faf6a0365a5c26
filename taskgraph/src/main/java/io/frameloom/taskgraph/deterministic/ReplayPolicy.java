package io.frameloom.taskgraph.deterministic;

import java.util.List;

/** Follows a recorded schedule; beyond its end the current thread goes on, else the oldest. */
final class ReplayPolicy implements Policy {
    private final Schedule schedule;

    ReplayPolicy(Schedule schedule) {
        this.schedule = schedule;
    }

    @Override
    public ControlledThread choose(List<ControlledThread> ready, ControlledThread current, int step) {
        if (step >= schedule.length()) {
            return ready.contains(current) ? current : ready.get(0);
        }
        int wanted = schedule.thread(step);
        for (ControlledThread thread : ready) {
            if (thread.id == wanted) {
                return thread;
            }
        }
        StringBuilder names = new StringBuilder();
        for (ControlledThread thread : ready) {
            names.append(names.length() == 0 ? "" : ", ")
                    .append(thread.id)
                    .append(' ')
                    .append(thread.name());
        }
        throw new IllegalStateException("the program does not follow the schedule: at decision " + step + " thread "
                + wanted + " cannot run, only " + names
                + "; the program has changed, or it depends on something that is not under control (real time, "
                + "unseeded random numbers, identity hash codes, state of an earlier run)");
    }
}
