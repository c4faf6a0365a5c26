package io.frameloom.taskgraph;

import io.frameloom.taskgraph.internal.ThreadParker;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Threads outside the graph that block in it; for reports, and for its end by an error. Any thread may call any method. */
final class ForeignWaits {
    /** One blocked thread. Identity matters: a thread can wait only once, but a record would compare. */
    static final class Entry {
        final Thread thread = Thread.currentThread();
        /** Null if the thread waits for the helpers of its loop. */
        final @Nullable CoreEvent event;

        final ThreadParker parker;

        Entry(@Nullable CoreEvent event, ThreadParker parker) {
            this.event = event;
            this.parker = parker;
        }
    }

    private final Set<Entry> entries = ConcurrentHashMap.newKeySet();

    Entry begin(@Nullable CoreEvent event, ThreadParker parker) {
        Entry entry = new Entry(event, parker);
        entries.add(entry);
        return entry;
    }

    void end(Entry entry) {
        entries.remove(entry);
    }

    Iterable<Entry> entries() {
        return entries;
    }

    /** Lets all of them go on, see {@link FailStop}. */
    void releaseAll() {
        for (Entry entry : entries) {
            entry.parker.release();
        }
    }
}
