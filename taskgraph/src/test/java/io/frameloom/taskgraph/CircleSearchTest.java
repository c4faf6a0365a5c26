package io.frameloom.taskgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.taskgraph.task.CircleSearch;
import io.frameloom.taskgraph.task.CoreEvent;
import io.frameloom.taskgraph.task.ManualEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The search from both ends finds what a walk from one end does, through needs of every kind. */
@Timeout(60)
final class CircleSearchTest {
    @Test
    void findsEveryWayThatThereIs() {
        Random random = new Random(16);
        for (int round = 0; round < 40; round++) {
            try (TaskGraph graph = TaskGraph.builder()
                    .workers(1)
                    .uncaughtHandler((task, failure) -> {})
                    .build()) {
                List<GraphEvent> events = randomEvents(graph, random);
                for (GraphEvent from : events) {
                    for (GraphEvent wanted : events) {
                        if (from != wanted) {
                            assertThat(CircleSearch.needs((CoreEvent) from, (CoreEvent) wanted))
                                    .as("round %d: '%s' needs '%s'", round, from.name(), wanted.name())
                                    .isEqualTo(needsByWalk(from, wanted));
                        }
                    }
                }
            }
        }
    }

    @Test
    void aCircleOfAnyLengthIsRefusedAtWhicheverLinkItCloses() {
        try (TaskGraph graph = TaskGraph.builder().workers(1).build()) {
            GraphEvent first = graph.event("first");
            GraphEvent last = first;
            for (int i = 0; i < 1_000; i++) {
                GraphEvent event = graph.event("event " + i);
                if (i % 2 == 0) {
                    event.dontCompleteUntil(last);
                } else {
                    event.dontCompleteUntil(graph.whenAll("join " + i, last));
                }
                last = event;
            }
            GraphEvent end = last;
            assertThatThrownBy(() -> first.dontCompleteUntil(end))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("event 'first' cannot wait for event 'event 999' to complete: that one waits for "
                            + "'first'; remove one of the two");
        }
    }

    private static List<GraphEvent> randomEvents(TaskGraph graph, Random random) {
        List<GraphEvent> events = new ArrayList<>();
        Pipe pipe = graph.pipe("pipe");
        ConcurrencyLimiter limiter = graph.limiter("limiter", 1);
        events.add(graph.event("root"));
        for (int i = 1; i < 30; i++) {
            GraphEvent one = events.get(random.nextInt(events.size()));
            GraphEvent other = events.get(random.nextInt(events.size()));
            String name = "event " + i;
            TaskBody body = () -> {};
            switch (random.nextInt(8)) {
                case 0 ->
                    events.add(graph.task(name, body)
                            .on(NamedThread.RENDER)
                            .after(one, other)
                            .dispatch());
                case 1 ->
                    events.add(graph.task(name, body)
                            .after(FailurePolicy.RUN_ANYWAY, one)
                            .after(other)
                            .hold()
                            .event());
                case 2 -> events.add(graph.whenAll(name, one, other));
                case 3 ->
                    events.add(pipe.task(name, body)
                            .on(NamedThread.RENDER)
                            .after(one)
                            .dispatch());
                case 4 ->
                    events.add(limiter.task(name, slot -> {})
                            .on(NamedThread.RENDER)
                            .after(one)
                            .dispatch());
                case 5 -> events.add(graph.broadcast(name, body, one, other));
                case 6 -> events.add(graph.whenAny(name, one, other).event());
                default -> {
                    GraphEvent manual = graph.event(name);
                    manual.dontCompleteUntil(one);
                    manual.dontCompleteUntil(other);
                    events.add(manual);
                }
            }
            if (one instanceof ManualEvent && one != other && !needsByWalk(other, one)) {
                one.dontCompleteUntil(other);
            }
        }
        return events;
    }

    private static boolean needsByWalk(GraphEvent from, GraphEvent wanted) {
        Set<GraphEvent> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        ArrayDeque<GraphEvent> open = new ArrayDeque<>(List.of(from));
        for (GraphEvent event = open.poll(); event != null; event = open.poll()) {
            if (event == wanted) {
                return true;
            }
            if (seen.add(event)) {
                for (@Nullable GraphEvent input : ((CoreEvent) event).inputs()) {
                    if (input != null && !input.isComplete()) {
                        open.add(input);
                    }
                }
            }
        }
        return false;
    }
}
