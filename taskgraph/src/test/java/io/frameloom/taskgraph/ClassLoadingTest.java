package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The module stays clear of {@code sun.misc.Unsafe}, checked in a JVM of its own. */
@Timeout(60)
final class ClassLoadingTest {
    /** Uses every kind of queue once. */
    static final class Program {
        private Program() {}

        public static void main(String[] args) {
            try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
                graph.start(NamedThread.RENDER);
                GraphEvent a = graph.task("a", () -> {}).dispatch();
                graph.task("b", () -> {})
                        .after(a)
                        .on(NamedThread.RENDER)
                        .dispatch()
                        .await();
                graph.parallelFor("c", 1000, 10, (from, to, slot) -> {});
            }
        }
    }

    @Test
    void neverLoadsSunMiscUnsafe() throws IOException, InterruptedException {
        List<String> lines = ChildJvm.run(Program.class, "-Xlog:class+load=info:stdout");
        assertThat(lines).anyMatch(l -> l.contains("io.frameloom.taskgraph.TaskGraph "));
        assertThat(lines).noneMatch(l -> l.contains("sun.misc.Unsafe"));
    }
}
