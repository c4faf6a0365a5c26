package io.frameloom.benchmarks;

/**
 * One measured line.
 *
 * @param shape what was run
 * @param body kind of work of each task, in lower case
 * @param workers number of threads that execute tasks
 * @param contender who ran it
 * @param reruns true when the graph was built once before the measurement
 * @param nsPerTask median over the samples, in nanoseconds per task (per hop for hops)
 * @param bytesPerTask heap bytes allocated by all threads, per task
 * @param error half the interquartile range of the samples, in nanoseconds per task
 * @param minNsPerTask the fastest sample, in nanoseconds per task
 * @param cpuNsPerTask processor time of the whole process, all threads together, per task, over all samples:
 *     other processes on the machine disturb it much less than the elapsed time
 */
public record Row(
        String shape,
        String body,
        int workers,
        String contender,
        boolean reruns,
        double nsPerTask,
        double bytesPerTask,
        double error,
        double minNsPerTask,
        double cpuNsPerTask) {
    /** True for the project's own contenders. */
    public boolean ours() {
        return contender.startsWith("frameloom-");
    }

    /** True for a rival that schedules: the sequential loop is a floor, not a rival. */
    public boolean rival() {
        return !ours() && !contender.equals("sequential");
    }
}
