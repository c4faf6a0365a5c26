package io.frameloom.taskgraph.trace;

import io.frameloom.taskgraph.ExecutionTarget;
import io.frameloom.taskgraph.RunObserver;
import io.frameloom.taskgraph.RunProfile;
import io.frameloom.taskgraph.TaskObserver;
import io.frameloom.taskgraph.parts.Arguments;
import java.io.IOException;
import java.io.Writer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Records what ran where and when, for {@code chrome://tracing} and Perfetto.
 *
 * <p>Give it to {@code TaskGraphBuilder.observer}; without it a graph pays one branch per task. Every thread writes
 * into its own bounded ring; when that is full the oldest spans are dropped. Spans that did not run on a CPU thread
 * (GPU queues) are added with {@link #span}. All methods may be called from any thread, also while the graph runs.
 */
public final class TraceRecorder implements TaskObserver {
    private static final int DEFAULT_SPANS = 1 << 16;

    private final long originNanos = System.nanoTime();
    private final int capacity;
    private final Map<Thread, ThreadRow> threads = new ConcurrentHashMap<>();
    private final Map<ForeignRow, SpanRing> foreign = new ConcurrentSkipListMap<>();
    private final AtomicInteger rowIds = new AtomicInteger(1);

    /**
     * The row of a CPU thread.
     *
     * @param id row number in the trace
     * @param name name of the thread
     * @param order place among the rows
     * @param ring its spans
     */
    record ThreadRow(int id, String name, int order, SpanRing ring) {}

    /**
     * A row that is no CPU thread.
     *
     * @param process group of rows
     * @param row the row
     */
    record ForeignRow(String process, String row) implements Comparable<ForeignRow> {
        @Override
        public int compareTo(ForeignRow other) {
            int byProcess = process.compareTo(other.process);
            return byProcess != 0 ? byProcess : row.compareTo(other.row);
        }
    }

    /** A recorder that keeps the last 65,536 spans per row. */
    public TraceRecorder() {
        this(DEFAULT_SPANS);
    }

    /**
     * A recorder.
     *
     * @param spansPerRow spans kept per row; 1 or more
     */
    public TraceRecorder(int spansPerRow) {
        if (spansPerRow < 1) {
            throw new IllegalArgumentException("spansPerRow must be at least 1, not " + spansPerRow);
        }
        this.capacity = spansPerRow;
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
        String where = "TraceRecorder.span";
        Arguments.required(process, "process", where);
        Arguments.required(row, "row", where);
        Arguments.required(name, "name", where);
        Arguments.required(args, "args", "span", name);
        if (durationNanos < 0) {
            throw new IllegalArgumentException(
                    "span '" + name + "' on " + process + "/" + row + " has a negative duration: " + durationNanos);
        }
        foreign.computeIfAbsent(new ForeignRow(process, row), r -> new SpanRing(capacity))
                .add(new SpanRing.Span(name, process, startNanos, durationNanos, Map.copyOf(args)));
    }

    /** Forgets all recorded spans. Tasks that are running now are recorded when they end. */
    public void clear() {
        threads.values().forEach(row -> row.ring().clear());
        foreign.clear();
    }

    /**
     * Spans that were dropped because a ring was full.
     *
     * @return the number since the last {@link #clear()}
     */
    public long dropped() {
        long sum = 0;
        for (ThreadRow row : threads.values()) {
            sum += row.ring().dropped();
        }
        for (SpanRing ring : foreign.values()) {
            sum += ring.dropped();
        }
        return sum;
    }

    /**
     * Writes everything recorded so far in the Chrome trace-event format (JSON object form). Task rows
     * belong to the process "CPU", foreign rows to theirs; time is in microseconds since this recorder was
     * created. "otherData" says how many older spans are missing ({@link #dropped()}).
     *
     * @param out receives the JSON; flushed, not closed
     * @throws IOException if the writer fails
     */
    public void writeChromeJson(Writer out) throws IOException {
        Arguments.required(out, "out", "TraceRecorder.writeChromeJson");
        new ChromeTraceWriter(out, originNanos).write(threads.values(), foreign, dropped());
    }

    @Override
    public void taskStarted(String task, ExecutionTarget target, int threadOrdinal) {
        row(threadOrdinal).ring().begin(task, System.nanoTime());
    }

    @Override
    public void taskFinished(String task, ExecutionTarget target, int threadOrdinal, @Nullable Throwable failure) {
        long end = System.nanoTime();
        SpanRing ring = row(threadOrdinal).ring();
        Long start = ring.end(task);
        if (start != null) {
            Map<String, String> args = failure == null
                    ? Map.of("target", target.toString())
                    : Map.of("target", target.toString(), "failure", failure.toString());
            ring.add(new SpanRing.Span(task, "task", start, end - start, args));
        }
    }

    /** Runs of compiled graphs are foreign rows, one per graph. */
    @Override
    public RunObserver runStarted(String graph, int nodes) {
        return this::run;
    }

    private void run(RunProfile run) {
        span(
                "Runs",
                run.graph(),
                run.graph(),
                run.startNanos(),
                run.durationNanos(),
                Map.of(
                        "nodes", run.nodesRun(),
                        "threads", run.threads(),
                        "busyNanos", run.busyNanos(),
                        "criticalPathNanos", run.criticalPathNanos(),
                        "criticalPath", String.join(" > ", run.criticalPath())));
    }

    private ThreadRow row(int threadOrdinal) {
        Thread current = Thread.currentThread();
        ThreadRow known = threads.get(current);
        return known != null
                ? known
                : threads.computeIfAbsent(
                        current,
                        t -> new ThreadRow(
                                rowIds.getAndIncrement(), t.getName(), threadOrdinal, new SpanRing(capacity)));
    }
}
