package io.frameloom.taskgraph.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.taskgraph.GraphBuilder;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.GraphNode;
import io.frameloom.taskgraph.IdlePolicy;
import io.frameloom.taskgraph.NamedThread;
import io.frameloom.taskgraph.RunFailedException;
import io.frameloom.taskgraph.TaskGraph;
import io.frameloom.taskgraph.deterministic.DeterministicScheduler;
import io.frameloom.taskgraph.deterministic.Exploration;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The events of a graph, read back from recordings. */
@Timeout(100)
final class JfrObserverTest {
    @TempDir
    Path folder;

    private List<RecordedEvent> eventsOf(Recording recording, String type) throws IOException {
        Path file = folder.resolve("recording.jfr");
        recording.stop();
        recording.dump(file);
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(type))
                .toList();
    }

    private static long millis(long n) {
        return Duration.ofMillis(n).toNanos();
    }

    /** On the clock of a scheduler, so that the times are exact; a serial graph, so that it is not stolen from. */
    @Test
    void aRunIsWrittenWithItsCriticalPath() throws IOException {
        try (Recording recording = new Recording()) {
            recording.enable("frameloom.GraphRun");
            recording.start();
            DeterministicScheduler.explore(Exploration.oldestFirst(), scheduler -> {
                try (TaskGraph graph = TaskGraph.builder()
                        .workers(1)
                        .scheduler(scheduler)
                        .observer(new JfrObserver())
                        .build()) {
                    GraphBuilder b = graph.graphBuilder("diamond").maxHelpers(0);
                    GraphNode top = b.node("top", () -> scheduler.sleep(Duration.ofMillis(1)));
                    GraphNode shorter = b.node("short", () -> scheduler.sleep(Duration.ofMillis(2)))
                            .after(top);
                    GraphNode longer = b.node("long", () -> scheduler.sleep(Duration.ofMillis(5)))
                            .after(top);
                    b.node("bottom", () -> scheduler.sleep(Duration.ofMillis(3)))
                            .after(shorter, longer);
                    b.node("debug view", () -> scheduler.sleep(Duration.ofMillis(90)))
                            .after(top)
                            .enabledBy(0);
                    b.build().execute(0L);
                }
            });
            List<RecordedEvent> events = eventsOf(recording, "frameloom.GraphRun");
            assertThat(events).hasSize(1);
            RecordedEvent run = events.get(0);
            assertThat(run.getString("name")).isEqualTo("diamond");
            assertThat(run.getInt("nodes")).isEqualTo(5);
            assertThat(run.getInt("nodesRun")).isEqualTo(4);
            assertThat(run.getInt("threads")).isEqualTo(1);
            assertThat(run.getLong("runTime")).isEqualTo(millis(11));
            assertThat(run.getLong("busyTime")).isEqualTo(millis(11));
            assertThat(run.getLong("criticalPathLength")).isEqualTo(millis(9));
            assertThat(run.getString("criticalPath")).isEqualTo("top > long > bottom");
            assertThat(run.getString("failure")).isEmpty();
        }
    }

    @Test
    void aSharedRunCountsItsThreadsAndTellsItsFailure() throws IOException {
        try (Recording recording = new Recording();
                TaskGraph graph = TaskGraph.builder()
                        .workers(1)
                        .observer(new JfrObserver())
                        .build()) {
            recording.enable("frameloom.GraphRun");
            recording.start();
            GraphBuilder b = graph.graphBuilder("pair");
            CountDownLatch both = new CountDownLatch(2);
            for (String name : List.of("left", "right")) {
                b.node(name, () -> {
                    both.countDown();
                    both.await();
                    throw new IOException("from " + name);
                });
            }
            assertThatThrownBy(b.build()::execute).isInstanceOf(RunFailedException.class);
            List<RecordedEvent> events = eventsOf(recording, "frameloom.GraphRun");
            assertThat(events).hasSize(1);
            assertThat(events.get(0).getInt("threads")).isEqualTo(2);
            assertThat(events.get(0).getString("failure")).contains("pair");
        }
    }

    @Test
    void tasksAndNodesAreWrittenOnlyWhenAskedFor() throws IOException {
        try (Recording recording = new Recording();
                TaskGraph graph = TaskGraph.builder()
                        .workers(1)
                        .observer(new JfrObserver())
                        .build()) {
            recording.start();
            graph.task("before", () -> {}).dispatch().await();
            recording.enable("frameloom.TaskRun");
            GraphEvent inner = graph.task("inner", () -> {}).dispatch();
            inner.await();
            GraphEvent outer = graph.task("outer", () -> {
                        graph.task("nested", () -> {}).dispatch().await();
                        throw new IOException("torn");
                    })
                    .dispatch();
            assertThatThrownBy(outer::await).hasRootCauseMessage("torn");
            GraphBuilder b = graph.graphBuilder("compiled");
            b.node("node", () -> {});
            b.build().execute();
            List<RecordedEvent> events = eventsOf(recording, "frameloom.TaskRun");
            assertThat(events)
                    .extracting(event -> event.getString("name"))
                    .containsExactlyInAnyOrder("inner", "nested", "outer", "node");
            assertThat(events).allMatch(event -> event.getString("target").equals("NORMAL"));
            assertThat(events)
                    .filteredOn(event -> !event.getString("inside").isEmpty())
                    .singleElement()
                    .matches(event -> event.getString("name").equals("nested")
                            && event.getString("inside").equals("outer"));
            assertThat(events)
                    .filteredOn(event -> !event.getString("failure").isEmpty())
                    .singleElement()
                    .matches(event -> event.getString("name").equals("outer")
                            && event.getString("failure").contains("torn"));
        }
    }

    /** The latch lets the run end only when the worker helps. */
    @Test
    void nodesThatAHelperRunsAreWrittenOnce() throws IOException {
        try (Recording recording = new Recording()) {
            recording.enable("frameloom.TaskRun");
            recording.start();
            TaskGraph graph =
                    TaskGraph.builder().workers(1).observer(new JfrObserver()).build();
            GraphBuilder b = graph.graphBuilder("pair");
            CountDownLatch both = new CountDownLatch(2);
            for (String name : List.of("left", "right")) {
                b.node(name, () -> {
                    both.countDown();
                    both.await();
                });
            }
            b.node("bound", () -> {}).on(NamedThread.RENDER);
            graph.start(NamedThread.RENDER);
            b.build().execute();
            graph.close();
            List<RecordedEvent> events = eventsOf(recording, "frameloom.TaskRun");
            assertThat(events)
                    .extracting(event -> event.getString("name"))
                    .containsExactlyInAnyOrder("left", "right", "bound");
            assertThat(events).allMatch(event -> event.getString("inside").isEmpty());
        }
    }

    @Test
    void parksAreWrittenWithWhatIsWaitedFor() throws IOException {
        try (Recording recording = new Recording()) {
            recording.enable("frameloom.WorkerPark").withoutThreshold();
            recording.start();
            TaskGraph graph = TaskGraph.builder()
                    .name("parking")
                    .workers(1)
                    .idlePolicy(IdlePolicy.parking())
                    .observer(new JfrObserver())
                    .build();
            GraphEvent gate = graph.event("gate");
            GraphEvent waiter = graph.task("waiter", gate::await).dispatch();
            while (!graph.describeWaits().contains("gate")) {
                Thread.onSpinWait();
            }
            gate.trigger();
            waiter.await();
            graph.close();
            List<RecordedEvent> events = eventsOf(recording, "frameloom.WorkerPark");
            assertThat(events)
                    .allMatch(event -> event.getThread().getJavaName().equals("parking-worker-0"))
                    .extracting(event -> event.getString("waitingFor"))
                    .contains("gate");
        }
    }

    @Test
    void aStallIsWrittenWithItsExplanation() throws IOException, InterruptedException {
        CountDownLatch stalled = new CountDownLatch(1);
        JfrObserver jfr = new JfrObserver();
        try (Recording recording = new Recording();
                TaskGraph graph = TaskGraph.builder()
                        .workers(1)
                        .observer(jfr)
                        .stallWatchdog(Duration.ofMillis(2), (thread, waited, why) -> {
                            jfr.stalled(thread, waited, why);
                            stalled.countDown();
                        })
                        .build()) {
            recording.start();
            GraphEvent gate = graph.event("gate");
            GraphEvent waiter = graph.task("waiter", gate::await).dispatch();
            stalled.await();
            gate.trigger();
            waiter.await();
            List<RecordedEvent> events = eventsOf(recording, "frameloom.Stall");
            // On a busy machine the wait of this thread takes long, too.
            RecordedEvent stall = events.stream()
                    .filter(event -> event.getString("name").equals("gate"))
                    .findFirst()
                    .orElseThrow();
            assertThat(stall.getThread("waiting").getJavaName()).contains("worker-0");
            assertThat(stall.getString("explanation")).contains("'gate' was never triggered");
            assertThat(stall.getBoolean("cycle")).isFalse();
        }
    }
}
