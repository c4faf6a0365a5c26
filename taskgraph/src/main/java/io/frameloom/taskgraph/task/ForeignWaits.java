package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.parts.ThreadParker;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Blocked threads outside of the graph; for reports, and for its end by an error. Any thread may call any method. */
public final class ForeignWaits {
    /** One blocked thread. Identity matters: a thread can wait only once, but a record would compare. */
    public static final class Entry {
        public final Thread thread = Thread.currentThread();
        /** Null if the thread waits for the helpers of its loop. */
        public final @Nullable CoreEvent event;

        final ThreadParker parker;

        Entry(@Nullable CoreEvent event, ThreadParker parker) {
            this.event = event;
            this.parker = parker;
        }
    }

    private final Set<Entry> entries = ConcurrentHashMap.newKeySet();

    public Entry begin(@Nullable CoreEvent event, ThreadParker parker) {
        Entry entry = new Entry(event, parker);
        entries.add(entry);
        return entry;
    }

    public void end(Entry entry) {
        entries.remove(entry);
    }

    public Iterable<Entry> entries() {
        return entries;
    }

    /** Lets all of them go on, see {@link FailStop}. */
    public void releaseAll() {
        for (Entry entry : entries) {
            entry.parker.release();
        }
    }
}
