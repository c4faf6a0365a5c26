package io.frameloom.taskgraph.deterministic;

/** A program to be run under many schedules. It must do the same in every run but for the schedule. */
@FunctionalInterface
public interface ScheduledProgram {
    /**
     * Runs the program on a thread of its own, which the scheduler controls.
     *
     * @param scheduler the scheduler of this run, to be given to every graph
     * @throws Exception any failure; it ends the exploration
     */
    void run(DeterministicScheduler scheduler) throws Exception;
}
