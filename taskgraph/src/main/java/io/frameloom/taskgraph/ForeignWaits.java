package io.frameloom.taskgraph;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Threads outside the graph that block on its events; for reports. Any thread may call any method. */
final class ForeignWaits {
    /** One blocked thread. Identity matters: a thread can wait only once, but a record would compare. */
    static final class Entry {
        final Thread thread;
        final GraphEvent event;

        Entry(Thread thread, GraphEvent event) {
            this.thread = thread;
            this.event = event;
        }
    }

    private final Set<Entry> entries = ConcurrentHashMap.newKeySet();

    Entry begin(GraphEvent event) {
        Entry entry = new Entry(Thread.currentThread(), event);
        entries.add(entry);
        return entry;
    }

    void end(Entry entry) {
        entries.remove(entry);
    }

    Iterable<Entry> entries() {
        return entries;
    }
}
