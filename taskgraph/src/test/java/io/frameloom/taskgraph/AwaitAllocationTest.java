package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker that waits for what it has just dispatched runs that and allocates nothing, counted in a JVM of its own. */
@Timeout(60)
final class AwaitAllocationTest {
    /** Prints the bytes of 10,000 waits. It reads the counter reflectively, as {@link AllocationTest} does. */
    static final class Program {
        private static final int WAITS = 10_000;

        private Program() {}

        public static void main(String[] args) throws ReflectiveOperationException {
            Object bean = Class.forName("java.lang.management.ManagementFactory")
                    .getMethod("getThreadMXBean")
                    .invoke(null);
            Method counter =
                    Class.forName("com.sun.management.ThreadMXBean").getMethod("getThreadAllocatedBytes", long.class);
            try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
                graph.task("waits", () -> System.out.println("bytes=" + leastOfWaits(graph, bean, counter)))
                        .dispatch()
                        .await();
            }
        }

        private static long leastOfWaits(TaskGraph graph, Object bean, Method counter)
                throws ReflectiveOperationException {
            long self = Thread.currentThread().getId();
            long least = Long.MAX_VALUE;
            GraphEvent[] events = new GraphEvent[WAITS];
            for (int i = 0; i < 20; i++) {
                for (int k = 0; k < WAITS; k++) {
                    events[k] = graph.task("task", () -> {}).dispatch();
                }
                long before = (long) counter.invoke(bean, self);
                for (int k = WAITS - 1; k >= WAITS / 2; k--) {
                    events[k].await();
                }
                graph.awaitAll(events);
                least = Math.min(least, (long) counter.invoke(bean, self) - before);
            }
            return least;
        }
    }

    @Test
    void aWaitThatRunsItsTaskAllocatesNothing() throws IOException, InterruptedException {
        assertThat(ChildJvm.run(Program.class))
                .anySatisfy(line -> assertThat(Long.parseLong(line.substring("bytes=".length())))
                        .as("bytes of 10,000 waits")
                        .isLessThan(2_000));
    }
}
