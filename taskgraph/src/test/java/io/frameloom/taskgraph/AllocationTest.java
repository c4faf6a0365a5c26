package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.taskgraph.task.CoreEvent;
import io.frameloom.taskgraph.task.Task;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is said to allocate nothing, measured by the JVM's per-thread counter in a JVM of its own. */
@Timeout(60)
final class AllocationTest {
    private static final int FORKS = 10_000;
    private static final int PAIRS = 2_000;

    /**
     * Prints bytes that calls of the graph allocate. It reads the counter reflectively, because the module under test
     * does not read java.management.
     */
    static final class Program {
        private final Object bean;
        private final Method counter;

        private Program() throws ReflectiveOperationException {
            bean = Class.forName("java.lang.management.ManagementFactory")
                    .getMethod("getThreadMXBean")
                    .invoke(null);
            counter = Class.forName("com.sun.management.ThreadMXBean").getMethod("getThreadAllocatedBytes", long.class);
        }

        public static void main(String[] args) throws ReflectiveOperationException {
            try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
                new Program().print(graph);
            }
        }

        private void print(TaskGraph graph) {
            RangeBody nothing = (from, to, slot) -> {};
            print(
                    "pieces",
                    allocated(() -> graph.parallelFor("pieces", 200_000, 1, nothing))
                            - allocated(() -> graph.parallelFor("pieces", 1_000, 1, nothing)));
            RangeReducer.ScannerToLong scanner = (from, to, before, write) -> before + 1;
            print(
                    "scanned",
                    allocated(() -> graph.parallelScanToLong("many", 2_000_000, 2_000, 0, scanner, Long::sum))
                            - allocated(() -> graph.parallelScanToLong("few", 10_000, 2_000, 0, scanner, Long::sum)));
            RangeReducer.ToLong sum = (from, to) -> to;
            print(
                    "reduced",
                    allocated(() -> graph.parallelReduceToLong("many", 2_000_000, 2_000, 0, sum, Long::sum))
                            - allocated(() -> graph.parallelReduceToLong("few", 10_000, 2_000, 0, sum, Long::sum)));
            TaskBody body = () -> {};
            GraphEvent open = graph.event("open");
            TaskBuilder[] builder = new TaskBuilder[1];
            print("prerequisites", allocated(() -> {
                builder[0] = graph.task("many", body);
                for (int i = 0; i < PAIRS; i++) {
                    builder[0].after(open, open);
                }
            }));
            CoreEvent parent = (CoreEvent) graph.event("parent");
            CoreEvent child = (CoreEvent) graph.event("child");
            parent.dontCompleteUntil(child);
            GraphEvent other = graph.event("other");
            other.dontCompleteUntil(child);
            boolean[] only = new boolean[1];
            print("looks at waiters", allocated(() -> {
                for (int i = 0; i < FORKS; i++) {
                    only[0] |= parent.isOnlyWaiterFor(child);
                }
            }));
            assertThat(only[0]).isFalse();
            parent.trigger();
            other.trigger();
            child.trigger();
            open.trigger();
            graph.fork("forks", () -> {
                        Task[] kept = new Task[1];
                        long task = allocated(() -> {
                            for (int i = 0; i < FORKS; i++) {
                                kept[0] = new Task(graph.parts, "fork", body);
                            }
                        });
                        long fork = allocated(() -> {
                            for (int i = 0; i < FORKS; i++) {
                                graph.fork("fork", body).await();
                            }
                        });
                        print("forked", fork - task);
                        assertThat(kept).doesNotContainNull();
                    })
                    .await();
        }

        private static void print(String name, long bytes) {
            System.out.println(name + '=' + bytes);
        }

        /** By the calling thread, the least of several times. */
        private long allocated(Runnable body) {
            long least = Long.MAX_VALUE;
            for (int i = 0; i < 20; i++) {
                long before = read();
                body.run();
                least = Math.min(least, read() - before);
            }
            return least;
        }

        private long read() {
            try {
                return (long) counter.invoke(bean, Thread.currentThread().getId());
            } catch (ReflectiveOperationException e) {
                throw new LinkageError(e.getMessage(), e);
            }
        }
    }

    @Test
    void onlyTasksAreAllocated() throws IOException, InterruptedException {
        // Escape analysis hides an allocation where the compiler inlines all that uses it.
        List<String> lines = ChildJvm.run(Program.class, "-XX:-DoEscapeAnalysis");
        assertThat(bytes(lines, "pieces")).as("for 199,000 more pieces").isLessThan(2_000);
        assertThat(bytes(lines, "scanned"))
                .as("for 995 more pieces, a long each")
                .isLessThan(10_000);
        assertThat(bytes(lines, "reduced"))
                .as("for 995 more pieces, a long each")
                .isLessThan(10_000);
        assertThat(bytes(lines, "prerequisites") / PAIRS)
                .as("for two prerequisites more")
                .isLessThan(100);
        assertThat(bytes(lines, "looks at waiters") / FORKS)
                .as("for whether an event with two waiters has one")
                .isZero();
        assertThat(bytes(lines, "forked") / FORKS)
                .as("a fork and its wait, besides the task")
                .isZero();
    }

    private static long bytes(List<String> lines, String name) {
        String line =
                lines.stream().filter(l -> l.startsWith(name + '=')).findFirst().orElseThrow();
        return Long.parseLong(line.substring(name.length() + 1));
    }
}
