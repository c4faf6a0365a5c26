package io.frameloom.taskgraph.trace;

import io.frameloom.taskgraph.ExecutionTarget;
import io.frameloom.taskgraph.GraphEvent;
import io.frameloom.taskgraph.RunObserver;
import io.frameloom.taskgraph.RunProfile;
import io.frameloom.taskgraph.TaskObserver;
import io.frameloom.taskgraph.parts.Arguments;
import io.frameloom.taskgraph.task.Task;
import java.io.IOException;
import java.io.Writer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * Records what ran where and when, and why not earlier, for Perfetto and {@code chrome://tracing}.
 *
 * <p>Give it to {@code TaskGraphBuilder.observer}, and to the frame executor of a render graph; without it a graph pays
 * one branch per task. What it knows then:
 *
 * <ul>
 *   <li>each task on the row of its thread, with an arrow from each prerequisite, also through {@code
 *       TaskGraph.whenAll} and through events that a task triggers;
 *   <li>each time that a thread sleeps: {@code wait for X} in a task, with an arrow from what ended the wait, or {@code
 *       idle} if no task was ready for it. A gap in a row is a thread that looks for work, or does work of its own;
 *   <li>runs of compiled graphs; spans, counters and markers that the application adds.
 * </ul>
 *
 * <p>Every thread writes into its own bounded ring; when that is full the oldest spans are dropped. A task costs an
 * object and two readings of the clock. All methods may be called from any thread, also while the graph runs.
 */
public final class TraceRecorder implements TaskObserver {
    private static final int DEFAULT_SPANS = 1 << 16;
    private static final String NOTHING_READY = "idle";

    private final long originNanos = System.nanoTime();
    private final int capacity;
    private final Map<Thread, ThreadRow> threads = new ConcurrentHashMap<>();
    private final Map<ForeignRow, SpanRing> foreign = new ConcurrentSkipListMap<>();
    private final Map<ForeignRow, SpanRing> counters = new ConcurrentSkipListMap<>();
    private final SpanRing markers;

    /**
     * A row that is no CPU thread, or a counter.
     *
     * @param process group of rows
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
     * @param spansPerRow spans kept per row, and values per counter; 1 or more
     */
    public TraceRecorder(int spansPerRow) {
        if (spansPerRow < 1) {
            throw new IllegalArgumentException("spansPerRow must be at least 1, not " + spansPerRow);
        }
        this.capacity = spansPerRow;
        this.markers = new SpanRing(spansPerRow);
    }

    /**
     * Adds a span to a foreign row, such as work of a GPU queue.
     *
     * @param process group of rows, such as "GPU"
     * @param row row within the group, such as "graphics queue"
     * @param startNanos start on the clock of {@link System#nanoTime()}
     * @param durationNanos duration, 0 or more
     * @param args further values to show; numbers and booleans as such, everything else as text
     */
    public void span(
            String process, String row, String name, long startNanos, long durationNanos, Map<String, ?> args) {
        span(process, row, name, startNanos, durationNanos, args, null, null);
    }

    /**
     * Adds a span to a foreign row, with arrows.
     *
     * @param process group of rows, such as "GPU"
     * @param row row within the group, such as "graphics queue"
     * @param startNanos start on the clock of {@link System#nanoTime()}
     * @param durationNanos duration, 0 or more
     * @param args further values to show; numbers and booleans as such, everything else as text
     * @param after what it came after, such as the task that submitted it, or null
     * @param completes the event that completed with it, or null
     */
    public void span(
            String process,
            String row,
            String name,
            long startNanos,
            long durationNanos,
            Map<String, ?> args,
            @Nullable GraphEvent after,
            @Nullable GraphEvent completes) {
        String where = "TraceRecorder.span";
        Arguments.required(process, "process", where);
        Arguments.required(row, "row", where);
        Span span = new Span(
                Arguments.required(name, "name", where),
                process,
                startNanos,
                completes,
                after,
                Map.copyOf(Arguments.required(args, "args", "span", name)));
        ended(span, process + "/" + row, durationNanos);
        ring(foreign, process, row).add(span);
    }

    /**
     * Adds a span to the row of the calling thread, such as a part of a task.
     *
     * @param startNanos start on the clock of {@link System#nanoTime()}
     * @param durationNanos duration, 0 or more
     * @param args further values to show; numbers and booleans as such, everything else as text
     */
    public void span(String name, long startNanos, long durationNanos, Map<String, ?> args) {
        String where = "TraceRecorder.span";
        Map<String, ?> values = Map.copyOf(Arguments.required(args, "args", "span", name));
        Span span = new Span(Arguments.required(name, "name", where), "part", startNanos, null, null, values);
        ended(span, "this thread", durationNanos);
        row(-1).ring.add(span);
    }

    private static void ended(Span span, String where, long durationNanos) {
        if (durationNanos < 0) {
            throw new IllegalArgumentException(
                    "span '" + span.name + "' on " + where + " has a negative duration: " + durationNanos);
        }
        span.endNanos = span.startNanos + durationNanos;
        if (((Map<?, ?>) span.details).get("frame") instanceof Number number) {
            span.frame = number.longValue();
        }
    }

    /** Says which frame the task is for that runs on the calling thread. Does nothing outside of tasks. */
    public void frame(long number) {
        ThreadRow row = threads.get(Thread.currentThread());
        Span span = row == null ? null : row.innermost();
        if (span != null) {
            span.frame = number;
        }
    }

    /**
     * Adds a point in time that is marked over all rows, such as the beginning of a frame.
     *
     * @param name what is said there
     * @param nanos when, on the clock of {@link System#nanoTime()}
     */
    public void marker(String name, long nanos) {
        markers.add(new Span(
                Arguments.required(name, "name", "TraceRecorder.marker"), "marker", nanos, null, null, Map.of()));
    }

    /**
     * Says what a counter shows from now on.
     *
     * @param process group of rows, such as "GPU"
     * @param nanos since when, on the clock of {@link System#nanoTime()}
     */
    public void counter(String process, String name, long nanos, Map<String, ? extends Number> values) {
        String where = "TraceRecorder.counter";
        Arguments.required(process, "process", where);
        Arguments.required(name, "name", where);
        Map<String, ? extends Number> copy = Map.copyOf(Arguments.required(values, "values", "counter", name));
        ring(counters, process, name).add(new Span(name, "counter", nanos, null, null, copy));
    }

    private SpanRing ring(Map<ForeignRow, SpanRing> rings, String process, String row) {
        return rings.computeIfAbsent(new ForeignRow(process, row), r -> new SpanRing(capacity));
    }

    /** Forgets all that was recorded. Tasks that are running now are recorded when they end. */
    public void clear() {
        for (ThreadRow row : threads.values()) {
            row.ring.clear();
            row.links.clear();
        }
        foreign.clear();
        counters.clear();
        markers.clear();
    }

    /**
     * Spans that were dropped because a ring was full.
     *
     * @return the number since the last {@link #clear()}
     */
    public long dropped() {
        long sum = 0;
        for (ThreadRow row : threads.values()) {
            sum += row.ring.dropped();
        }
        for (SpanRing ring : foreign.values()) {
            sum += ring.dropped();
        }
        return sum;
    }

    /**
     * Writes everything recorded so far: see {@link #writeChromeJson(Writer, long, long)}.
     *
     * @param out receives the JSON; flushed, not closed
     * @throws IOException if the writer fails
     */
    public void writeChromeJson(Writer out) throws IOException {
        writeChromeJson(out, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /**
     * Writes what touches a stretch of time in the Chrome trace-event format (JSON object form). Task rows belong to
     * the process "CPU", foreign rows to theirs; time is in microseconds since this recorder was created. Spans of a
     * row that overlap without one being in the other get a row of their own below. "otherData" says how many older
     * spans are missing ({@link #dropped()}).
     *
     * @param out receives the JSON; flushed, not closed
     * @param fromNanos the beginning, on the clock of {@link System#nanoTime()}
     * @param toNanos the end
     * @throws IOException if the writer fails
     */
    public void writeChromeJson(Writer out, long fromNanos, long toNanos) throws IOException {
        Arguments.required(out, "out", "TraceRecorder.writeChromeJson");
        new ChromeTraceWriter(out, originNanos, fromNanos, toNanos)
                .write(threads.values(), foreign, counters, markers, dropped());
    }

    @Override
    public void taskStarted(GraphEvent task, ExecutionTarget target, int threadOrdinal) {
        Object after = task instanceof Task launched ? launched.prerequisites() : null;
        row(threadOrdinal).begin(new Span(task.name(), Span.TASK, System.nanoTime(), task, after, target));
    }

    @Override
    public void taskStarted(String task, ExecutionTarget target, int threadOrdinal) {
        row(threadOrdinal).begin(new Span(task, Span.TASK, System.nanoTime(), null, null, target));
    }

    @Override
    public void taskFinished(String task, ExecutionTarget target, int threadOrdinal, @Nullable Throwable failure) {
        long end = System.nanoTime();
        row(threadOrdinal).end(task, end, failure);
    }

    /** What a thread that runs no task triggers comes after nothing that is known. */
    @Override
    public void eventCompletes(GraphEvent event) {
        Object after = event instanceof Task join ? join.prerequisites() : innermost();
        if (after != null) {
            row(-1).links.add(new Span(event.name(), "link", System.nanoTime(), event, after, Map.of()));
        }
    }

    private @Nullable Span innermost() {
        ThreadRow known = threads.get(Thread.currentThread());
        return known == null ? null : known.innermost();
    }

    @Override
    public void threadWaits(int threadOrdinal, GraphEvent awaited) {
        park(threadOrdinal, awaited.name(), Span.WAIT, awaited);
    }

    @Override
    public void threadParked(int threadOrdinal, @Nullable String waitingFor) {
        park(
                threadOrdinal,
                waitingFor == null ? NOTHING_READY : waitingFor,
                waitingFor == null ? Span.IDLE : Span.BLOCKED,
                null);
    }

    private void park(int threadOrdinal, String name, String category, @Nullable GraphEvent awaited) {
        ThreadRow row = row(threadOrdinal);
        Span span = new Span(name, category, System.nanoTime(), null, awaited, Map.of());
        Span around = row.innermost();
        if (around != null) {
            span.frame = around.frame;
        }
        row.begin(span);
    }

    @Override
    public void threadUnparked(int threadOrdinal) {
        row(threadOrdinal).unpark(System.nanoTime());
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
        ThreadRow row = known != null
                ? known
                : threads.computeIfAbsent(current, t -> new ThreadRow(t.getName(), threadOrdinal, capacity));
        if (row.order < 0) {
            row.order = threadOrdinal;
        }
        return row;
    }
}
