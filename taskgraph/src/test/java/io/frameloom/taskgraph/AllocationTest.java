package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is said to allocate nothing, measured by the JVM's per-thread counter in a JVM of its own. */
@Timeout(60)
final class AllocationTest {
    /** Prints how many bytes more 200,000 pieces allocate than 1,000 pieces. Main reads the counter reflectively,
     * because the module under test does not read java.management. */
    static final class Program {
        private Program() {}

        public static void main(String[] args) throws ReflectiveOperationException {
            Object bean = Class.forName("java.lang.management.ManagementFactory")
                    .getMethod("getThreadMXBean")
                    .invoke(null);
            Method counter =
                    Class.forName("com.sun.management.ThreadMXBean").getMethod("getThreadAllocatedBytes", long.class);
            try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
                long few = allocated(graph, bean, counter, 1_000);
                long many = allocated(graph, bean, counter, 200_000);
                System.out.println("difference=" + (many - few));
            }
        }

        private static long allocated(TaskGraph graph, Object bean, Method counter, int pieces)
                throws ReflectiveOperationException {
            RangeBody body = (from, to, slot) -> {};
            long least = Long.MAX_VALUE;
            for (int i = 0; i < 20; i++) {
                long before = read(bean, counter);
                graph.parallelFor("pieces", pieces, 1, body);
                least = Math.min(least, read(bean, counter) - before);
            }
            return least;
        }

        private static long read(Object bean, Method counter) throws ReflectiveOperationException {
            return (long) counter.invoke(bean, Thread.currentThread().getId());
        }
    }

    @Test
    void parallelForAllocatesNothingPerPiece() throws IOException, InterruptedException {
        List<String> lines = ChildJvm.run(Program.class);
        String line = lines.stream()
                .filter(l -> l.startsWith("difference="))
                .findFirst()
                .orElseThrow();
        assertThat(Long.parseLong(line.substring("difference=".length())))
                .as("bytes for 199,000 more pieces")
                .isLessThan(2_000);
    }
}
