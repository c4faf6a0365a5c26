package io.frameloom.taskgraph.trace;

import java.io.IOException;
import java.io.Writer;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Writes rows of spans as Chrome trace events ("Trace Event Format", the document of the Catapult
 * project): complete events ("X") and metadata events ("M") for names and order.
 */
final class ChromeTraceWriter {
    private static final int CPU_PROCESS = 1;

    private final Writer out;
    private final long originNanos;
    private boolean first = true;

    ChromeTraceWriter(Writer out, long originNanos) {
        this.out = out;
        this.originNanos = originNanos;
    }

    /**
     * Writes the rows.
     *
     * @param dropped spans that the rows had no room for, written into the file's "otherData"
     */
    void write(
            Collection<TraceRecorder.ThreadRow> threads, Map<TraceRecorder.ForeignRow, SpanRing> foreign, long dropped)
            throws IOException {
        out.write("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[");
        processName(CPU_PROCESS, "CPU");
        List<TraceRecorder.ThreadRow> ordered = threads.stream()
                .sorted(Comparator.comparingInt(TraceRecorder.ThreadRow::id))
                .toList();
        for (TraceRecorder.ThreadRow row : ordered) {
            rowName(CPU_PROCESS, row.id(), row.name(), row.order());
            spans(CPU_PROCESS, row.id(), row.ring());
        }
        int process = CPU_PROCESS;
        int rowId = 0;
        String group = "";
        for (Map.Entry<TraceRecorder.ForeignRow, SpanRing> entry : foreign.entrySet()) {
            TraceRecorder.ForeignRow row = entry.getKey();
            if (process == CPU_PROCESS || !row.process().equals(group)) {
                group = row.process();
                process++;
                rowId = 0;
                processName(process, group);
            }
            rowId++;
            rowName(process, rowId, row.row(), rowId);
            spans(process, rowId, entry.getValue());
        }
        out.write("\n],\"otherData\":{\"droppedSpans\":" + dropped + "}}\n");
        out.flush();
    }

    private void spans(int process, int row, SpanRing ring) throws IOException {
        for (SpanRing.Span span : ring.spans()) {
            span(process, row, span);
        }
    }

    private void span(int process, int row, SpanRing.Span span) throws IOException {
        begin("X", process, row, span.name());
        out.write(",\"cat\":");
        string(span.category());
        out.write(",\"ts\":" + micros(span.startNanos() - originNanos) + ",\"dur\":" + micros(span.durationNanos()));
        out.write(",\"args\":{");
        String separator = "";
        for (Map.Entry<String, ?> arg : span.args().entrySet()) {
            out.write(separator);
            string(arg.getKey());
            out.write(':');
            value(arg.getValue());
            separator = ",";
        }
        out.write("}}");
    }

    private void processName(int process, String name) throws IOException {
        metadata("process_name", process, 0, "name", name);
        metadata("process_sort_index", process, 0, "sort_index", process);
    }

    private void rowName(int process, int row, String name, int order) throws IOException {
        metadata("thread_name", process, row, "name", name);
        metadata("thread_sort_index", process, row, "sort_index", order);
    }

    private void metadata(String kind, int process, int row, String key, Object value) throws IOException {
        begin("M", process, row, kind);
        out.write(",\"args\":{");
        string(key);
        out.write(':');
        value(value);
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
