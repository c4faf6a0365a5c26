package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A virtual thread that waits for an event gives its carrier away. */
@Timeout(60)
final class VirtualThreadAwaitTest {
    /** Two hundred virtual threads on a single carrier: if one kept it, the triggering one would never run. */
    static final class Program {
        private Program() {}

        public static void main(String[] args) throws Exception {
            Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
            try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
                GraphEvent event = graph.event("event");
                GraphEvent delayed = graph.delay("delay", java.time.Duration.ofMillis(1));
                CountDownLatch waiting = new CountDownLatch(200);
                List<Thread> threads = new ArrayList<>();
                for (int i = 0; i < 200; i++) {
                    threads.add(start(start, () -> {
                        waiting.countDown();
                        delayed.await();
                        event.await();
                    }));
                }
                threads.add(start(start, () -> {
                    try {
                        waiting.await();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                    event.trigger();
                }));
                for (Thread thread : threads) {
                    thread.join();
                }
            }
            System.out.println("all woke");
        }

        private static Thread start(Method start, Runnable body)
                throws InvocationTargetException, IllegalAccessException {
            return (Thread) start.invoke(null, body);
        }
    }

    @Test
    void aWaitingVirtualThreadUnmounts() throws IOException, InterruptedException {
        Assumptions.assumeTrue(Runtime.version().feature() >= 21, "virtual threads exist from JDK 21 on");
        List<String> lines = ChildJvm.run(
                Program.class,
                "-Djdk.virtualThreadScheduler.parallelism=1",
                "-Djdk.virtualThreadScheduler.maxPoolSize=1");
        assertThat(lines).contains("all woke");
    }
}
