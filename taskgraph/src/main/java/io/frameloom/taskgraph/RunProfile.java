package io.frameloom.taskgraph;

import io.frameloom.taskgraph.parts.Arguments;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one run of a compiled graph did. Immutable.
 *
 * <p>The critical path is the chain of nodes, each a prerequisite of the next, whose bodies took longest together. With
 * any number of threads the run could not have been shorter. If the path is about as long as the run, more threads will
 * not help; shorter bodies on the path, or fewer edges, will. (The "span" of Blumofe and Leiserson, "Scheduling
 * Multithreaded Computations by Work Stealing".) The time of a body includes its waits.
 *
 * @param graph name of the compiled graph
 * @param nodesRun nodes whose bodies ran: neither switched off nor skipped
 * @param threads threads that ran bodies
 * @param startNanos the beginning, on the clock of {@link System#nanoTime()}
 * @param durationNanos nanoseconds from the beginning to the end of the run
 * @param busyNanos nanoseconds in bodies, summed over all threads
 * @param criticalPathNanos length of the critical path in nanoseconds
 * @param criticalPath names of the nodes on it that ran, in order
 * @param failure how the run failed, or null
 */
public record RunProfile(
        String graph,
        int nodes,
        int nodesRun,
        int threads,
        long startNanos,
        long durationNanos,
        long busyNanos,
        long criticalPathNanos,
        List<String> criticalPath,
        @Nullable RunFailedException failure) {
    public RunProfile {
        Arguments.required(graph, "graph", "RunProfile");
        criticalPath = List.copyOf(Arguments.required(criticalPath, "criticalPath", "RunProfile"));
    }
}
