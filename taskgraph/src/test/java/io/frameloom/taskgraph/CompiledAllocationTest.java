package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.testing.TestEffort;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A run allocates nothing, and a graph that runs once little, measured by the JVM's per-thread counters in a JVM of its
 * own.
 */
@Timeout(60)
final class CompiledAllocationTest {
    /** Prints the bytes that a number of runs allocated, for every way to run. Reads the counters reflectively,
     * because the module under test does not read java.management. */
    static final class Program {
        private static final int RUNS = Integer.getInteger("runs", 500);

        private Program() {}

        public static void main(String[] args) throws ReflectiveOperationException {
            try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
                graph.start(NamedThread.RENDER);
                print("short", frame(graph, 0, false));
                print("long", frame(graph, 200, false));
                print("lanes", frame(graph, 200, true));
                System.out.println("node once:" + bytesPerNode(graph, 0));
                System.out.println("node and three edges once:" + bytesPerNode(graph, 3));
                GraphBuilder small = graph.graphBuilder("small");
                System.out.println("graph once:" + perRun(() -> once(small, 3, 0)));
            }
        }

        /** What a node more costs in a graph that is described and run once, by one thread. */
        private static long bytesPerNode(TaskGraph graph, int edges) throws ReflectiveOperationException {
            GraphBuilder few = graph.graphBuilder("few").maxHelpers(0);
            GraphBuilder many = graph.graphBuilder("many").maxHelpers(0);
            long least = Long.MAX_VALUE;
            long most = Long.MAX_VALUE;
            for (int round = 0; round < 8; round++) {
                least = Math.min(least, allocated(1, () -> once(few, 1_000, edges)));
                most = Math.min(most, allocated(1, () -> once(many, 3_000, edges)));
            }
            return (most - least) / 2_000;
        }

        private static void once(GraphBuilder b, int nodes, int edges) {
            GraphNode first = b.node("first", () -> {});
            GraphNode second = b.node("second", () -> {});
            GraphNode third = b.node("third", () -> {});
            for (int i = 3; i < nodes; i++) {
                GraphNode node = b.node("node", () -> {});
                if (edges > 0) {
                    node.after(first).after(second).after(third);
                }
            }
            b.executeOnce();
        }

        private static CompiledGraph frame(TaskGraph graph, int spin, boolean lanes) {
            GraphBuilder b = graph.graphBuilder("frame");
            GraphNode last = b.node("root", () -> {});
            for (int i = 0; i < 50; i++) {
                GraphNode node = b.node("node", () -> {
                    for (int turn = 0; turn < spin; turn++) {
                        Thread.onSpinWait();
                    }
                });
                node.after(last);
                if (lanes && i % 5 == 0) {
                    node.on(NamedThread.RENDER);
                }
                last = i % 7 == 0 ? node : last;
            }
            return b.build();
        }

        private static void print(String what, CompiledGraph frame) throws ReflectiveOperationException {
            System.out.println(what + " execute=" + perRun(frame::execute));
            System.out.println(what + " run=" + perRun(() -> frame.run().await()));
        }

        /** What many runs allocate more than none, over their number: the counting itself allocates. */
        private static long perRun(Runnable once) throws ReflectiveOperationException {
            long none = Long.MAX_VALUE;
            long many = Long.MAX_VALUE;
            for (int round = 0; round < 8; round++) {
                none = Math.min(none, allocated(0, once));
                many = Math.min(many, allocated(RUNS, once));
            }
            return (many - none) / RUNS;
        }

        private static long allocated(int runs, Runnable once) throws ReflectiveOperationException {
            long before = bytes();
            for (int i = 0; i < runs; i++) {
                once.run();
            }
            return bytes() - before;
        }

        /** Of the caller and the workers. A named thread's pump allocates when it goes idle, run or not. */
        private static long bytes() throws ReflectiveOperationException {
            Object bean = Class.forName("java.lang.management.ManagementFactory")
                    .getMethod("getThreadMXBean")
                    .invoke(null);
            Method counter =
                    Class.forName("com.sun.management.ThreadMXBean").getMethod("getThreadAllocatedBytes", long.class);
            long sum = 0;
            for (Thread thread : Thread.getAllStackTraces().keySet()) {
                if (thread == Thread.currentThread() || thread.getName().startsWith("frameloom-worker")) {
                    sum += (long) counter.invoke(bean, thread.getId());
                }
            }
            return sum;
        }
    }

    @Test
    void runsAllocateNothing() throws IOException, InterruptedException {
        List<String> printed = ChildJvm.run(Program.class, "-Druns=" + TestEffort.of(100, 500));
        // A handle of 24 bytes, a body, and where the edges begin. The compiler may leave out the handle.
        assertThat(bytes(printed, "node once:")).isLessThanOrEqualTo(32);
        assertThat(bytes(printed, "node and three edges once:")).isLessThanOrEqualTo(32 + 3 * Integer.BYTES);
        assertThat(bytes(printed, "graph once:"))
                .as("with its three nodes; a helper and its deque would add 1,100, each padded number 280")
                .isLessThanOrEqualTo(2_900);
        List<String> lines = printed.stream().filter(l -> l.contains("=")).toList();
        assertThat(lines).hasSize(6);
        assertThat(lines)
                .allSatisfy(line -> assertThat(Long.parseLong(line.substring(line.indexOf('=') + 1)))
                        .as("bytes per run, the smallest object having 16: " + line)
                        .isLessThan(16));
    }

    private static int bytes(List<String> printed, String what) {
        return printed.stream()
                .filter(line -> line.startsWith(what))
                .mapToInt(line -> Integer.parseInt(line.substring(what.length())))
                .findFirst()
                .orElseThrow();
    }
}
