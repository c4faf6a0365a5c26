package io.frameloom.taskgraph.trace;

import io.frameloom.taskgraph.trace.TraceRecorder.ForeignRow;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows of spans as Chrome trace events ("Trace Event Format", the document of the Catapult project): complete
 * events ("X"), flow events ("s", "f") for arrows, counters ("C"), instants ("i"), and metadata events ("M") for names
 * and order.
 *
 * <p>A span of a thread has at least a nanosecond, since a flow event binds to the span around its time. Devices measure
 * spans without a length at the same time, which would lie in each other if they had one.
 */
final class ChromeTraceWriter {
    private static final int CPU_PROCESS = 1;

    private final Writer out;
    private final long originNanos;
    private final long fromNanos;
    private final long toNanos;
    private final Arrows arrows = new Arrows();
    private boolean first = true;
    private int processes = CPU_PROCESS;
    private int rows;

    /** A writer of what touches a stretch of time. */
    ChromeTraceWriter(Writer out, long originNanos, long fromNanos, long toNanos) {
        this.out = out;
        this.originNanos = originNanos;
        this.fromNanos = fromNanos;
        this.toNanos = toNanos;
    }

    /**
     * Writes the rows.
     *
     * @param dropped spans that the rows had no room for, written into the file's "otherData"
     */
    void write(
            Collection<ThreadRow> threads,
            Map<ForeignRow, SpanRing> foreign,
            Map<ForeignRow, SpanRing> counters,
            SpanRing markers,
            long dropped)
            throws IOException {
        out.write("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[");
        processName(CPU_PROCESS, "CPU");
        List<ThreadRow> ordered = threads.stream()
                .sorted(Comparator.comparingInt((ThreadRow row) -> row.order).thenComparing(row -> row.name))
                .toList();
        for (ThreadRow row : ordered) {
            row(CPU_PROCESS, row.name, row.order, row.ring);
            spans(row.links).forEach(arrows::link);
        }
        Map<String, Integer> groups = new HashMap<>(Map.of("CPU", CPU_PROCESS));
        for (Map.Entry<ForeignRow, SpanRing> entry : foreign.entrySet()) {
            row(process(groups, entry.getKey()), entry.getKey().row(), rows, entry.getValue());
        }
        for (Map.Entry<ForeignRow, SpanRing> entry : counters.entrySet()) {
            counter(process(groups, entry.getKey()), entry.getValue());
        }
        for (Span marker : spans(markers)) {
            point("i", CPU_PROCESS, marker);
            out.write(",\"s\":\"g\"}");
        }
        arrows.write(this::arrow);
        out.write("\n],\"otherData\":{\"droppedSpans\":" + dropped + "}}\n");
        out.flush();
    }

    private int process(Map<String, Integer> groups, ForeignRow row) throws IOException {
        Integer known = groups.get(row.process());
        if (known != null) {
            return known;
        }
        processes++;
        processName(processes, row.process());
        groups.put(row.process(), processes);
        return processes;
    }

    private List<Span> spans(SpanRing ring) {
        List<Span> spans = fromNanos == Long.MIN_VALUE ? ring.spans() : ring.since(fromNanos);
        spans.removeIf(span -> span.startNanos > toNanos);
        return spans;
    }

    /** Writes a row, and one more for each further lane. */
    private void row(int process, String name, int order, SpanRing ring) throws IOException {
        List<Integer> lanes = new ArrayList<>();
        List<Span> spans = spans(ring);
        for (Lanes.Placed placed : new Lanes().place(spans)) {
            if (placed.lane() == lanes.size()) {
                rows++;
                lanes.add(rows);
                String lane = lanes.size() == 1 ? name : name + " (" + lanes.size() + ")";
                metadata("thread_name", process, rows, "name", lane);
                metadata("thread_sort_index", process, rows, "sort_index", order);
            }
            int row = lanes.get(placed.lane());
            span(process, row, placed.span());
            if (length(placed.span(), process) > 0) {
                arrows.span(placed.span(), process, row);
            }
        }
    }

    private void span(int process, int row, Span span) throws IOException {
        begin("X", process, row, span.category.equals(Span.WAIT) ? "wait for " + span.name : span.name);
        out.write(",\"cat\":");
        string(span.category);
        out.write(",\"ts\":" + micros(span.startNanos - originNanos) + ",\"dur\":" + micros(length(span, process)));
        out.write(",\"args\":{");
        String separator = "";
        if (span.details instanceof Map<?, ?> values) {
            for (Map.Entry<?, ?> value : values.entrySet()) {
                arg(separator, value.getKey().toString(), value.getValue());
                separator = ",";
            }
        } else {
            arg("", "target", span.details);
            separator = ",";
        }
        if (span.frame != Span.NO_FRAME && !(span.details instanceof Map<?, ?> values && values.containsKey("frame"))) {
            arg(separator, "frame", span.frame);
            separator = ",";
        }
        String reason = reason(span);
        if (reason != null) {
            arg(separator, "reason", reason);
            separator = ",";
        }
        if (span.failure != null) {
            arg(separator, "failure", span.failure);
        }
        out.write("}}");
    }

    private static long length(Span span, int process) {
        return Math.max(process == CPU_PROCESS ? 1 : 0, span.durationNanos());
    }

    private static @Nullable String reason(Span span) {
        return switch (span.category) {
            case Span.WAIT -> "'" + span.name + "' was not complete, and nothing that it needs could run here";
            case Span.IDLE -> "no task was ready for this thread";
            case Span.BLOCKED -> "a task blocks outside of the graph";
            default -> null;
        };
    }

    private void arg(String separator, String key, Object value) throws IOException {
        out.write(separator);
        string(key);
        out.write(':');
        value(value);
    }

    private void counter(int process, SpanRing ring) throws IOException {
        for (Span span : spans(ring)) {
            point("C", process, span);
            out.write(",\"args\":{");
            String separator = "";
            for (Map.Entry<?, ?> value : ((Map<?, ?>) span.details).entrySet()) {
                arg(separator, value.getKey().toString(), value.getValue());
                separator = ",";
            }
            out.write("}}");
        }
    }

    private void point(String phase, int process, Span at) throws IOException {
        begin(phase, process, 0, at.name);
        out.write(",\"ts\":" + micros(at.startNanos - originNanos));
    }

    private void arrow(int id, Arrows.End from, long fromNanos, Arrows.End to, long toNanos) throws IOException {
        end("s", id, from, fromNanos);
        out.write('}');
        end("f", id, to, toNanos);
        out.write(",\"bp\":\"e\"}");
    }

    private void end(String phase, int id, Arrows.End end, long nanos) throws IOException {
        begin(phase, end.process(), end.row(), "after");
        out.write(",\"cat\":\"after\",\"id\":" + id + ",\"ts\":" + micros(nanos - originNanos));
    }

    private void processName(int process, String name) throws IOException {
        metadata("process_name", process, 0, "name", name);
        metadata("process_sort_index", process, 0, "sort_index", process);
    }

    private void metadata(String kind, int process, int row, String key, Object value) throws IOException {
        begin("M", process, row, kind);
        out.write(",\"args\":{");
        arg("", key, value);
        out.write("}}");
    }

    private void begin(String phase, int process, int row, String name) throws IOException {
        out.write(first ? "\n" : ",\n");
        first = false;
        out.write("{\"ph\":\"" + phase + "\",\"pid\":" + process + ",\"tid\":" + row + ",\"name\":");
        string(name);
    }

    private void value(Object value) throws IOException {
        boolean finite = !(value instanceof Double d && !Double.isFinite(d))
                && !(value instanceof Float f && !Float.isFinite(f));
        if (value instanceof Boolean || (value instanceof Number && finite)) {
            out.write(value.toString());
        } else {
            string(value.toString());
        }
    }

    /** Microseconds with three decimals, without going through a floating-point number. */
    private static String micros(long nanos) {
        long magnitude = Math.abs(nanos);
        long fraction = magnitude % 1000;
        return (nanos < 0 ? "-" : "")
                + magnitude / 1000
                + '.'
                + (fraction < 10 ? "00" : fraction < 100 ? "0" : "")
                + fraction;
    }

    private void string(String text) throws IOException {
        out.write('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.write("\\\"");
                case '\\' -> out.write("\\\\");
                case '\n' -> out.write("\\n");
                case '\r' -> out.write("\\r");
                case '\t' -> out.write("\\t");
                default -> {
                    if (c < 0x20 || Character.isSurrogate(c) || c == 0x2028 || c == 0x2029) {
                        out.write(String.format("\\u%04x", (int) c));
                    } else {
                        out.write(c);
                    }
                }
            }
        }
        out.write('"');
    }
}
