package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.testing.TestEffort;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tasks and foreign threads that use the graph in the last frames of their stacks, so that stacks end at every place
 * inside of the engine. Each end fails a task or stops the graph; no wait hangs. Compiled by the first compiler, whose
 * frames are small, or as the JVM likes.
 */
@Timeout(300)
final class TaskStackEndTest {
    private static final Duration LIMIT = Duration.ofSeconds(290);

    @ParameterizedTest
    @CsvSource({
        "worker, false, -XX:TieredStopAtLevel=1",
        "worker, true, -XX:TieredStopAtLevel=1",
        "worker, true, -XX:+UseSerialGC",
        "foreign, true, -XX:TieredStopAtLevel=1"
    })
    void noWaitHangsBecauseAStackEnds(String who, boolean waits, String flag) throws IOException, InterruptedException {
        // Nobody reads the traces of so many deep stacks.
        String traces = "-XX:MaxJavaStackTraceDepth=8";
        String rounds = "-Drounds=" + TestEffort.of(30, 60);
        assertThat(ChildJvm.run(LIMIT, Program.class, flag, traces, rounds, "-Dwho=" + who, "-Dwaits=" + waits))
                .contains("nothing hangs");
    }

    /** Code that the JVM links when it first runs stays broken for all graphs if a stack ends while it is linked. */
    @Test
    void messagesAreMadeByCodeThatNeedsNoLinking() throws IOException, URISyntaxException {
        Path classes = Path.of(TaskGraph.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        List<Path> all;
        try (Stream<Path> files = Files.walk(classes)) {
            all = files.filter(file -> file.toString().endsWith(".class")).toList();
        }
        assertThat(all).isNotEmpty();
        for (Path file : all) {
            assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                    .as("%s, which javac compiles with -XDstringConcat=inline", file)
                    .doesNotContain("makeConcatWithConstants");
        }
    }

    /** What a stack that ends leaves uninitialised would stay so for all graphs. */
    @Test
    void aRecursionThatIsTooDeepLeavesOtherGraphsWhole() throws IOException, InterruptedException {
        assertThat(ChildJvm.run(LIMIT, Recursion.class, "-XX:MaxJavaStackTraceDepth=8"))
                .contains("the second graph works");
    }

    /** Forks until the stack ends, then uses another graph. */
    static final class Recursion {
        private Recursion() {}

        private static int deeper(TaskGraph graph) {
            ResultEvent<Integer> part = graph.fork("part", () -> deeper(graph));
            return part.await() + 1;
        }

        public static void main(String[] args) {
            try (TaskGraph first = Program.newGraph()) {
                first.task("root", () -> deeper(first)).dispatch().await();
                throw new IllegalStateException("the stack did not end");
            } catch (TaskGraphStoppedException | TaskFailedException e) {
                System.out.println("ended by " + e.getCause());
            }
            try (TaskGraph second = Program.newGraph()) {
                GraphEvent event = second.event("event");
                GraphEvent task = second.task("task", () -> {}).after(event).dispatch();
                event.trigger();
                task.await();
                try (TaskGroup group = second.group("group")) {
                    for (int i = 0; i < 10; i++) {
                        group.fork("part", () -> {});
                    }
                }
                ResultEvent<?> failing = second.fork("failing", () -> {
                    throw new IOException("on purpose");
                });
                try {
                    failing.await();
                } catch (TaskFailedException e) {
                    System.out.println("the second graph works");
                }
            }
        }
    }

    /** Uses graphs at the ends of stacks, a new graph whenever one has stopped. */
    static final class Program {
        private static final int DEEPEST = 400;

        private final boolean waits = Boolean.getBoolean("waits");
        private final List<GraphEvent> launched = new ArrayList<>();
        private TaskGraph graph = newGraph();
        private int overflows;
        private int stops;
        private int frames;

        private Program() {}

        public static void main(String[] args) throws InterruptedException {
            new Program().run();
            System.out.println("nothing hangs");
        }

        private void run() throws InterruptedException {
            for (int round = 0; round < Integer.getInteger("rounds", 60); round++) {
                int pad = round;
                if (System.getProperty("who", "").equals("foreign")) {
                    Thread thread = new Thread(null, () -> callBelow(pad), "deep", 300_000);
                    thread.start();
                    thread.join();
                } else {
                    AtomicBoolean taken = new AtomicBoolean();
                    CountDownLatch returned = new CountDownLatch(1);
                    GraphEvent deep = graph.task("deep", () -> {
                                if (taken.compareAndSet(false, true)) {
                                    try {
                                        callBelow(pad);
                                    } finally {
                                        returned.countDown();
                                    }
                                }
                            })
                            .dispatch();
                    require(ends(deep), round + ": the deep task");
                    // A graph that has stopped ends waits before bodies end.
                    if (!taken.compareAndSet(false, true)) {
                        returned.await();
                    }
                }
                for (GraphEvent event : launched) {
                    require(ends(event), round + ": " + event);
                }
                launched.clear();
                renewIfStopped(round);
            }
            require(overflows > 0, "no stack ended");
            require(stops > 0, "no stack ended inside of the engine");
        }

        private void renewIfStopped(int round) {
            try {
                require(ends(graph.task("plain", () -> {}).dispatch()), round + ": a plain task");
            } catch (TaskGraphStoppedException e) {
                require(e.getCause() instanceof StackOverflowError, "stopped by " + e.getCause());
                stops++;
                graph = newGraph();
            }
        }

        static TaskGraph newGraph() {
            return TaskGraph.builder()
                    .workers(2)
                    .uncaughtHandler((task, failure) -> {})
                    .build();
        }

        /** Small frames first, so that the end of the stack lies elsewhere in each round. */
        private void callBelow(int pad) {
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
            } catch (StackOverflowError | TaskFailedException | TaskGraphStoppedException e) {
                overflows++;
            }
        }

        private static boolean ends(GraphEvent event) {
            try {
                return event.await(Duration.ofSeconds(20));
            } catch (TaskFailedException | TaskGraphStoppedException e) {
                return true;
            }
        }

        private static void require(boolean condition, String otherwise) {
            if (!condition) {
                System.out.println(otherwise + " does not end as it should");
                Runtime.getRuntime().halt(1);
            }
        }
    }
}
