package io.frameloom.taskgraph.deterministic;

import java.util.List;

/**
 * A program failed under one of its schedules. The cause is what went wrong; the message says how to
 * repeat exactly this run.
 */
public final class ScheduleFailure extends AssertionError {
    private static final long serialVersionUID = 1L;
    private static final int LINES_IN_MESSAGE = 40;

    private final long seed;
    private final int run;
    private final transient Schedule schedule;
    private final transient List<String> log;

    ScheduleFailure(String policy, long seed, int run, Schedule schedule, List<String> log, Throwable cause) {
        super(message(policy, seed, run, schedule, log, cause), cause);
        this.seed = seed;
        this.run = run;
        this.schedule = schedule;
        this.log = log;
    }

    private static String message(
            String policy, long seed, int run, Schedule schedule, List<String> log, Throwable cause) {
        StringBuilder text = new StringBuilder();
        text.append("run ")
                .append(run)
                .append(" of ")
                .append(policy)
                .append(", seed ")
                .append(seed);
        text.append(", failed: ");
        text.append(cause.toString().lines().findFirst().orElse(""))
                .append("\nrepeat it with\n  DeterministicScheduler.explore(");
        text.append("Exploration.replay(\"").append(schedule).append("\"), program);\n");
        int from = Math.max(0, log.size() - LINES_IN_MESSAGE);
        text.append("the last ").append(log.size() - from).append(" of ").append(log.size());
        text.append(" steps:\n");
        for (String line : log.subList(from, log.size())) {
            text.append("  ").append(line).append('\n');
        }
        return text.toString();
    }

    /**
     * The seed of the exploration.
     *
     * @return the seed; 0 for policies without one
     */
    public long seed() {
        return seed;
    }

    /**
     * Which run failed.
     *
     * @return index of the run, from 0
     */
    public int run() {
        return run;
    }

    /**
     * The schedule of the run until it failed.
     *
     * @return the schedule, for {@link Exploration#replay(Schedule)}
     */
    public Schedule schedule() {
        return schedule;
    }

    /**
     * What the threads did, step by step.
     *
     * @return one line per step
     */
    public List<String> log() {
        return log;
    }
}
