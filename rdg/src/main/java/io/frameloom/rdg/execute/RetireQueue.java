package io.frameloom.rdg.execute;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Objects that are out of use but may still be read by frames in flight. RENDER thread only.
 *
 * <p>Objects retired together are destroyed in the order given, so that placed resources go before their heap.
 */
final class RetireQueue {
    private record Entry(AutoCloseable object, String what, long lastFrame) {}

    private final Deque<Entry> entries = new ArrayDeque<>();

    /**
     * Takes over {@code object}.
     *
     * @param lastFrame the newest frame that may use it
     */
    void retire(AutoCloseable object, String what, long lastFrame) {
        entries.addLast(new Entry(object, what, lastFrame));
    }

    /**
     * Destroys what no frame after {@code completedFrame} uses. An entry waits for those retired before it: a heap is
     * retired after its resources and never with an older frame than they were.
     */
    void release(long completedFrame) {
        if (entries.isEmpty()) {
            return;
        }
        List<Exception> failures = new ArrayList<>(0);
        while (!entries.isEmpty() && entries.peekFirst().lastFrame() <= completedFrame) {
            Entry entry = entries.removeFirst();
            try {
                entry.object().close();
            } catch (Exception failure) {
                failures.add(new IllegalStateException("cannot destroy " + entry.what(), failure));
            }
        }
        Failures.throwAll(failures);
    }

    int size() {
        return entries.size();
    }
}
