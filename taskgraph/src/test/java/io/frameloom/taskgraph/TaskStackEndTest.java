package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tasks and foreign threads that use the graph in the last frames of their stacks, so that stacks end at every place
 * inside of the engine. Compiled by the first compiler, whose frames are small: so the end comes late, inside of what
 * little the engine does between two of its steps.
 */
@Timeout(300)
final class TaskStackEndTest {
    private static final Duration LIMIT = Duration.ofSeconds(290);

    private static final String FIRST_COMPILER = "-XX:TieredStopAtLevel=1";

    @ParameterizedTest
    @ValueSource(strings = {"worker", "foreign"})
    void aWakeUpThatRunsOutOfStackLeavesNoPhantomSearcher(String who) throws IOException, InterruptedException {
        assertThat(ChildJvm.run(LIMIT, WakeProgram.class, FIRST_COMPILER, "-Dwho=" + who))
                .contains("nobody searched at rest");
    }

    @ParameterizedTest
    @ValueSource(strings = {FIRST_COMPILER, "-XX:+UseSerialGC"})
    void aWaitThatRunsOutOfStackLeavesNothingUndone(String compiler) throws IOException, InterruptedException {
        assertThat(ChildJvm.run(LIMIT, WaitProgram.class, compiler)).contains("nothing left undone");
    }

    /** Calls itself until the stack ends; the deepest frames then use the graph. */
    private static final class DeepCalls {
        private static final int DEEPEST = 400;

        final TaskGraph graph;
        private final boolean waits;
        final List<GraphEvent> launched = new ArrayList<>();
        int overflows;
        private int frames;

        DeepCalls(TaskGraph graph, boolean waits) {
            this.graph = graph;
            this.waits = waits;
        }

        /** Small frames first, so that the end of the stack lies elsewhere in each round. */
        void callBelow(int pad) {
            if (pad == 0) {
                frames = 0;
                call();
            } else {
                callBelow(pad - 1);
            }
        }

        @SuppressWarnings("InfiniteRecursion") // on purpose
        private void call() {
            try {
                call();
            } catch (StackOverflowError e) {
                overflows++;
            }
            if (frames++ > DEEPEST) {
                return;
            }
            try {
                GraphEvent child = graph.task("child", () -> {}).dispatch();
                launched.add(child);
                if (waits) {
                    child.await();
                }
            } catch (StackOverflowError | TaskFailedException e) {
                overflows++;
            }
        }
    }

    /** Dispatches at the end of a stack, then a plain task; prints the number of searchers at rest. */
    static final class WakeProgram {
        private WakeProgram() {}

        public static void main(String[] args) throws InterruptedException {
            TaskGraph graph = TaskGraph.builder().workers(2).build();
            DeepCalls calls = new DeepCalls(graph, false);
            for (int round = 0; round < 60; round++) {
                int pad = round;
                if (System.getProperty("who", "").equals("foreign")) {
                    Thread thread = new Thread(null, () -> calls.callBelow(pad), "deep", 300_000);
                    thread.start();
                    thread.join();
                } else {
                    graph.task("deep", () -> calls.callBelow(pad)).dispatch().await();
                }
                requireAllComplete(calls, round);
                awaitRest(graph, round);
            }
            require(calls.overflows > 0, "no stack ended");
            graph.close();
            System.out.println("nobody searched at rest");
        }
    }

    /** Waits at the end of a stack for what nobody has started; prints whether all of that has completed. */
    static final class WaitProgram {
        private WaitProgram() {}

        public static void main(String[] args) throws InterruptedException {
            TaskGraph graph = TaskGraph.builder().workers(1).build();
            DeepCalls calls = new DeepCalls(graph, true);
            for (int round = 0; round < 120; round++) {
                int pad = round;
                graph.task("deep", () -> calls.callBelow(pad)).dispatch().await();
                requireAllComplete(calls, round);
            }
            require(calls.overflows > 0, "no stack ended");
            graph.close();
            System.out.println("nothing left undone");
        }
    }

    /** Each of these wakes a worker or finds one awake; none hangs. */
    private static void requireAllComplete(DeepCalls calls, int round) {
        GraphEvent plain = calls.graph.task("plain", () -> {}).dispatch();
        require(plain.await(Duration.ofSeconds(20)), "round " + round + ": a plain task is not run");
        for (GraphEvent event : calls.launched) {
            require(endsInTime(event), "round " + round + ": " + event + " never completes");
        }
        calls.launched.clear();
    }

    private static boolean endsInTime(GraphEvent event) {
        try {
            return event.await(Duration.ofSeconds(20));
        } catch (TaskFailedException e) {
            return true;
        }
    }

    /** All workers sleep, and nobody is announced as searching. */
    private static void awaitRest(TaskGraph graph, int round) {
        long start = System.nanoTime();
        while (graph.runnable().valueVolatile() != 0 || graph.workers().searching() != 0) {
            require(
                    System.nanoTime() - start < Duration.ofSeconds(20).toNanos(),
                    "round " + round + ": " + graph.workers().searching() + " search though nobody has work");
            Thread.onSpinWait();
        }
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            System.out.println(otherwise);
            Runtime.getRuntime().halt(1);
        }
    }
}
