package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which classes the module loads and when, checked in a JVM of its own. */
@Timeout(60)
final class ClassLoadingTest {
    private static final String BUILT = "the first graph is built";

    /** Uses every kind of queue and of work once. */
    static final class Program {
        private Program() {}

        public static void main(String[] args) {
            try (TaskGraph graph = TaskGraph.builder().workers(2).build()) {
                System.out.println(BUILT);
                graph.start(NamedThread.RENDER);
                GraphEvent a = graph.task("a", () -> {}).dispatch();
                graph.task("b", () -> {})
                        .after(a)
                        .on(NamedThread.RENDER)
                        .dispatch()
                        .await();
                graph.parallelFor("c", 1000, 10, (from, to, slot) -> {});
                graph.parallelScanToLong("d", 1000, 10, 0, (from, to, before, write) -> before, Long::sum);
                graph.delay("e", Duration.ofNanos(1)).await();
                graph.beginFrame().close();
                graph.beginBlocking("blocking").close();
                graph.broadcast("f", () -> {}).await();
                graph.whenAny("g", graph.fork("h", () -> {})).await();
                graph.pipe("pipe").task("i", () -> {}).dispatch().await();
                graph.limiter("limiter", 1).task("j", slot -> {}).dispatch().await();
                graph.fromFuture("k", CompletableFuture.completedFuture(1))
                        .toCompletableFuture()
                        .join();
                useNodes(graph);
                useFailure(graph);
            }
        }

        private static void useNodes(TaskGraph graph) {
            GraphBuilder builder = graph.graphBuilder("nodes");
            for (boolean once : new boolean[] {true, false}) {
                GraphNode first = builder.node("first", () -> {});
                builder.node("second", () -> {}).on(NamedThread.RENDER).after(first);
                if (once) {
                    builder.executeOnce();
                }
            }
            CompiledGraph compiled = builder.build();
            compiled.execute();
            compiled.run().await();
        }

        private static void useFailure(TaskGraph graph) {
            try (TaskGroup group = graph.group("group")) {
                group.fork("fine", () -> {});
                group.fork("failing", () -> {
                    throw new IOException("on purpose");
                });
            } catch (TaskFailedException expected) {
                System.out.println(expected.getMessage());
            }
        }
    }

    @Test
    void neverLoadsSunMiscUnsafe() throws IOException, InterruptedException {
        List<String> lines = ChildJvm.run(Program.class, "-Xlog:class+load=info:stdout");
        assertThat(lines).anyMatch(l -> l.contains("io.frameloom.taskgraph.TaskGraph "));
        assertThat(lines).noneMatch(l -> l.contains("sun.misc.Unsafe"));
    }

    /** If a stack ended in the code that sets static fields, the class would be unusable for all graphs of the JVM. */
    @Test
    void codeThatSetsStaticFieldsRunsBeforeTheFirstTask() throws IOException, InterruptedException {
        List<String> lines = ChildJvm.run(Program.class, "-Xlog:class+init=info:stdout");
        int built = lines.indexOf(BUILT);
        assertThat(built).isPositive();
        assertThat(lines.subList(0, built)).anyMatch(line -> line.matches(".*Initializing '.*/task/GraphCore' .*"));
        assertThat(lines.subList(built, lines.size()))
                .noneMatch(line -> line.matches(".*Initializing 'io/frameloom/taskgraph/[^']*' .*"));
    }
}
