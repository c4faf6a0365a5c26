package io.frameloom.stress.soak;

import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.TaskFailedException;
import io.frameloom.taskgraph.TaskGraph;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** The broadcasts of a round, and who ran them. Any thread may call any method, {@link #check} when all is over. */
final class SoakBroadcasts {
    private static final class Entry {
        final String name;
        final boolean fails;
        final List<GraphEvent> after;
        final Map<Thread, Integer> runs = new ConcurrentHashMap<>();

        volatile @Nullable GraphEvent event;

        Entry(String name, boolean fails, List<GraphEvent> after) {
            this.name = name;
            this.fails = fails;
            this.after = after;
        }

        GraphEvent event() {
            GraphEvent own = event;
            if (own == null) {
                throw new AssertionError(name + " was not launched");
            }
            return own;
        }

        void run() {
            runs.merge(Thread.currentThread(), 1, Integer::sum);
            if (fails) {
                throw new IllegalArgumentException("meant to fail");
            }
        }
    }

    private final TaskGraph graph;
    /** Threads that are there from the beginning to the end. */
    private final Set<String> everybody;

    private final ConcurrentLinkedQueue<Entry> launched = new ConcurrentLinkedQueue<>();

    SoakBroadcasts(TaskGraph graph, Set<String> everybody) {
        this.graph = graph;
        this.everybody = everybody;
    }

    /** Launches one behind the given events. */
    GraphEvent launch(String name, boolean fails, List<GraphEvent> after) {
        Entry entry = new Entry(name, fails, after);
        GraphEvent event = graph.broadcast(name, entry::run, after.toArray(new GraphEvent[0]));
        entry.event = event;
        launched.add(entry);
        return event;
    }

    /** Launches one and waits for it. Returns what is wrong with that, or an empty text. */
    String launchAndAwait(String name) {
        GraphEvent event = launch(name, false, List.of());
        try {
            event.await();
            return "";
        } catch (TaskFailedException e) {
            return "awaited broadcast threw " + e;
        }
    }

    List<GraphEvent> events() {
        return launched.stream().map(Entry::event).toList();
    }

    void check(List<String> problems) {
        for (Entry entry : launched) {
            boolean skipped = entry.after.stream().anyMatch(GraphEvent::isFailed);
            if (!entry.event().isComplete() || entry.event().isFailed() != (skipped || entry.fails)) {
                problems.add("broadcast " + entry.name + " is " + entry.event() + ", skipped=" + skipped);
            }
            Set<String> missing = ConcurrentHashMap.newKeySet();
            missing.addAll(everybody);
            entry.runs.forEach((thread, count) -> {
                missing.remove(thread.getName());
                if (count != 1 || skipped) {
                    problems.add("broadcast " + entry.name + " ran " + count + " times on " + thread.getName());
                }
            });
            if (!skipped && !missing.isEmpty()) {
                problems.add("broadcast " + entry.name + " did not run on " + missing);
            }
        }
    }
}
