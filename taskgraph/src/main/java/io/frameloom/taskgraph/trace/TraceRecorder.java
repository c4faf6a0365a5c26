package io.frameloom.taskgraph.trace;

import io.frameloom.taskgraph.ExecutionTarget;
import io.frameloom.taskgraph.TaskObserver;
import java.io.IOException;
import java.io.Writer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Records what ran where and when, for {@code chrome://tracing} and Perfetto.
 *
 * <p>Give it to {@code TaskGraph.Builder.observer}; without it a graph pays one branch per task. Every
 * thread writes into its own bounded ring; when it is full the oldest spans are dropped. Spans that did
 * not run on a CPU thread (GPU queues) are added with {@link #span}. All methods may be called from any
 * thread, also while the graph runs.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class TraceRecorder implements TaskObserver {
    /** A recorder that keeps the last 65,536 spans per thread and as many foreign spans. */
    public TraceRecorder() {
        this(1 << 16);
    }

    /**
     * A recorder.
     *
     * @param spansPerThread spans kept per thread, and foreign spans kept in all; 1 or more
     */
    public TraceRecorder(int spansPerThread) {
        if (spansPerThread < 1) {
            throw new IllegalArgumentException("spansPerThread must be at least 1, not " + spansPerThread);
        }
    }

    /**
     * Adds a span to a foreign row.
     *
     * @param process group of rows, such as "GPU"
     * @param row row within the group, such as "graphics queue"
     * @param name name of the span
     * @param startNanos start on the clock of {@link System#nanoTime()}
     * @param durationNanos duration, 0 or more
     * @param args further values to show; numbers and booleans as such, everything else as text
     */
    public void span(
            String process, String row, String name, long startNanos, long durationNanos, Map<String, ?> args) {
        throw new UnsupportedOperationException();
    }

    /** Forgets all recorded spans. */
    public void clear() {
        throw new UnsupportedOperationException();
    }

    /**
     * Writes everything recorded so far in the Chrome trace-event format (JSON object form). Task rows
     * belong to the process "CPU"; time is in microseconds since this recorder was created.
     *
     * @param out receives the JSON; not closed
     * @throws IOException if the writer fails
     */
    public void writeChromeJson(Writer out) throws IOException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void taskStarted(String task, ExecutionTarget target, int threadOrdinal) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void taskFinished(String task, ExecutionTarget target, int threadOrdinal, @Nullable Throwable failure) {
        throw new UnsupportedOperationException();
    }
}
