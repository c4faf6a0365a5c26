package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.testing.TestEffort;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tasks that become ready while the heap is full: every event completes, or the graph stops, and every wait says so. In a
 * JVM of its own, where the first of the tasks fills the heap and the main thread empties it.
 */
@Timeout(300)
final class HeapEndTest {
    private static final Duration LIMIT = Duration.ofSeconds(290);

    @ParameterizedTest
    @ValueSource(strings = {"CHAIN", "FAN_OUT", "WIDE_FAN_OUT"})
    void noWaitHangsBecauseTheHeapIsFull(String shape) throws IOException, InterruptedException {
        assertThat(ChildJvm.run(
                        LIMIT,
                        FullHeap.class,
                        // A full heap is collected again and again, so it is as small as the shape allows.
                        shape.equals("WIDE_FAN_OUT") ? "-Xmx48m" : "-Xmx16m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Dshape=" + shape,
                        "-DfullMillis=" + TestEffort.of(300, 5_000)))
                .contains("nothing hangs");
    }

    private enum Shape {
        /** Longer than the holder of the current task serves. */
        CHAIN,
        FAN_OUT,
        /** More than a deque holds: it has to grow. */
        WIDE_FAN_OUT
    }

    /** Fills the heap inside of a task and prints whether everything behind it completes. */
    static final class FullHeap {
        private static final int WIDE = 300_000;
        private static final long FULL_NANOS = TimeUnit.MILLISECONDS.toNanos(Long.getLong("fullMillis", 5_000));

        private volatile boolean triggered;
        private volatile boolean filled;
        private final GraphEvent[] events = new GraphEvent[WIDE];

        @SuppressWarnings("UnusedVariable") // keeps the heap full
        private volatile Object @Nullable [] hog;

        private int launched;

        private FullHeap() {}

        public static void main(String[] args) {
            TaskGraph graph = TaskGraph.builder()
                    .workers(1)
                    .uncaughtHandler((name, failure) -> {})
                    .build();
            new FullHeap().run(graph, Shape.valueOf(System.getProperty("shape", "")));
            System.out.println("nothing hangs");
        }

        private void run(TaskGraph graph, Shape shape) {
            GraphEvent gate = graph.event("gate");
            GraphEvent fill = graph.task("fill", () -> fill(shape)).after(gate).dispatch();
            launch(graph, shape, fill);
            gate.trigger();
            triggered = true;
            while (!filled) {
                Thread.onSpinWait();
            }
            awaitProgress();
            hog = null;
            for (int i = 0; i < launched; i++) {
                GraphEvent event = events[i];
                require(endsInTime(event), event + " of " + launched + " never completes");
            }
            try {
                GraphEvent plain = graph.task("plain", () -> {}).dispatch();
                require(endsInTime(plain), "the worker has ended");
                graph.close();
            } catch (TaskGraphStoppedException e) {
                require(e.getCause() instanceof OutOfMemoryError, "stopped by " + e.getCause());
            }
        }

        /** Leaves the heap full until the last event is complete, or for some time. Allocates nothing. */
        private void awaitProgress() {
            long start = System.nanoTime();
            while (!events[launched - 1].isComplete() && System.nanoTime() - start < FULL_NANOS) {
                Thread.onSpinWait();
            }
        }

        private void launch(TaskGraph graph, Shape shape, GraphEvent fill) {
            int count = switch (shape) {
                case CHAIN -> 6_000;
                case WIDE_FAN_OUT -> WIDE;
                default -> 3_000;
            };
            GraphEvent previous = fill;
            for (int i = 0; i < count; i++) {
                previous = graph.task("next", () -> {})
                        .after(shape == Shape.CHAIN ? previous : fill)
                        .dispatch();
                events[i] = previous;
            }
            launched = count;
        }

        private void fill(Shape shape) {
            while (!triggered) {
                // The trigger itself needs memory.
                Thread.onSpinWait();
            }
            Object[] head = null;
            // A wide fan-out needs some memory to begin with, and none for a longer deque.
            int least = shape == Shape.WIDE_FAN_OUT ? 1 << 16 : 16;
            int size = 1 << 20;
            while (size >= least) {
                try {
                    Object[] more = new Object[size / 8 + 1];
                    more[0] = head;
                    head = more;
                } catch (OutOfMemoryError e) {
                    size /= 2;
                }
            }
            hog = head;
            filled = true;
        }

        private static boolean endsInTime(GraphEvent event) {
            try {
                return event.await(Duration.ofSeconds(20));
            } catch (TaskFailedException e) {
                return true;
            } catch (TaskGraphStoppedException e) {
                return e.getCause() instanceof OutOfMemoryError;
            }
        }

        private static void require(boolean condition, String otherwise) {
            if (!condition) {
                System.out.println(otherwise);
                Runtime.getRuntime().halt(1);
            }
        }
    }
}
