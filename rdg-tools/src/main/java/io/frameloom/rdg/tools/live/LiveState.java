package io.frameloom.rdg.tools.live;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.frameloom.gpu.resource.MemoryStatistics;
import io.frameloom.rdg.FrameStatistics;
import io.frameloom.rdg.tools.PlanDiff;
import io.frameloom.taskgraph.trace.TraceRecorder;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * What a page shows, and the pages that look. The view's thread writes; a page that begins to look gets what is known
 * and then what follows, and misses nothing between. Bounded: the times of the last frames, one text of each other kind,
 * the worst frames.
 */
final class LiveState {
    /** Frames whose times a page that begins to look gets. */
    static final int HISTORY = 600;

    /** Of the text of one frame's trace that all pages get. */
    private static final int MOST_LANES = 1 << 20;
    /** Of the compressed trace of one of the worst frames. */
    private static final int MOST_TRACE = 1 << 20;

    private static final int MOST_CHANGES = 200;
    private static final int MOST_WORDS = 1000;

    private final TraceRecorder trace;
    private final JsonFactory json = new JsonFactory();
    private final WorstFrames worst = new WorstFrames();
    private final List<LiveClient> clients = new CopyOnWriteArrayList<>();
    /** Guarded by this. */
    private final Deque<String> history = new ArrayDeque<>();
    /** The newest message of each other kind. Guarded by this. */
    private final Map<String, String> latest = new LinkedHashMap<>();

    /** Writes the members of an object. */
    @FunctionalInterface
    private interface Members {
        void write(JsonGenerator out) throws IOException;
    }

    LiveState(TraceRecorder trace, String device) throws IOException {
        this.trace = trace;
        latest.put("device", object(out -> out.writeStringField("name", device)));
    }

    /** Returns the worst frames. */
    WorstFrames worst() {
        return worst;
    }

    /** Returns how many pages look. */
    int clients() {
        return clients.size();
    }

    /** Adds a page, which gets what is known. */
    synchronized void add(LiveClient client) {
        List<String> known = new ArrayList<>();
        known.add(message("history", "[" + String.join(",", history) + "]"));
        latest.forEach((kind, data) -> known.add(message(kind, data)));
        client.offer(String.join("", known).getBytes(StandardCharsets.UTF_8));
        clients.add(client);
    }

    void remove(LiveClient client) {
        clients.remove(client);
    }

    /**
     * A frame has ended. A failure of one before it is no news any more.
     *
     * @param fromNanos when the frame before was launched
     * @param launchedNanos when it was launched
     * @param endNanos when it had ended
     * @param leftOut frames that were not shown until now
     */
    void frame(FrameStatistics statistics, long fromNanos, long launchedNanos, long endNanos, long leftOut)
            throws IOException {
        double millis = (launchedNanos - fromNanos) * 1e-6;
        String data = object(out -> {
            out.writeNumberField("frame", statistics.frame());
            out.writeNumberField("millis", millis);
            out.writeNumberField("record", statistics.recordNanos() * 1e-6);
            out.writeNumberField("submit", statistics.submitNanos() * 1e-6);
            out.writeNumberField("gpu", statistics.gpuNanos() * 1e-6);
            out.writeNumberField("passes", statistics.passes());
            out.writeNumberField("barriers", statistics.barriers());
            out.writeNumberField("leftOut", leftOut);
        });
        synchronized (this) {
            history.addLast(data);
            if (history.size() > HISTORY) {
                history.removeFirst();
            }
            latest.remove("failure");
            send("frame", data);
        }
        if (worst.admits(millis)) {
            worst.add(new WorstFrames.Frame(statistics.frame(), millis, compressed(fromNanos, endNanos)));
            publish("worst", object(out -> {
                out.writeArrayFieldStart("frames");
                for (WorstFrames.Frame frame : worst.frames()) {
                    out.writeStartObject();
                    out.writeNumberField("frame", frame.number());
                    out.writeNumberField("millis", frame.millis());
                    out.writeBooleanField("trace", frame.trace() != null);
                    out.writeEndObject();
                }
                out.writeEndArray();
            }));
        }
    }

    private byte @Nullable [] compressed(long fromNanos, long toNanos) throws IOException {
        Bounded bytes = new Bounded(MOST_TRACE);
        try (OutputStream zip = new GZIPOutputStream(bytes) {
                    @Override
                    public void close() throws IOException {
                        try {
                            super.close();
                        } finally {
                            // What is full leaves it open.
                            def.end();
                        }
                    }
                };
                Writer out = new OutputStreamWriter(zip, StandardCharsets.UTF_8)) {
            trace.writeChromeJson(out, fromNanos, toNanos);
        } catch (Bounded.FullException full) {
            return null;
        }
        return bytes.toByteArray();
    }

    /** Shows what threads and queues did meanwhile. */
    void lanes(long frame, long fromNanos, long toNanos) throws IOException {
        Bounded bytes = new Bounded(MOST_LANES);
        String spans;
        try (Writer out = new OutputStreamWriter(bytes, StandardCharsets.UTF_8)) {
            trace.writeChromeJson(out, fromNanos, toNanos);
            spans = new String(bytes.toByteArray(), StandardCharsets.UTF_8);
        } catch (Bounded.FullException full) {
            spans = "null";
        }
        // The writer's text is JSON; what has line breaks would end a message.
        String oneLine = spans.replace("\n", "");
        publish("lanes", "{\"frame\":" + frame + ",\"trace\":" + oneLine + "}");
    }

    /** Shows memory. */
    void memory(MemoryStatistics memory, long transientBytes) throws IOException {
        publish("memory", object(out -> {
            out.writeNumberField("transient", transientBytes);
            out.writeObjectFieldStart("kinds");
            for (Map.Entry<MemoryStatistics.Kind, Long> kind : memory.byKind().entrySet()) {
                out.writeNumberField(kind.getKey().name().toLowerCase(Locale.ROOT), kind.getValue());
            }
            out.writeEndObject();
            out.writeArrayFieldStart("heaps");
            for (MemoryStatistics.Heap heap : memory.heaps()) {
                out.writeStartObject();
                out.writeBooleanField("local", heap.deviceLocal());
                out.writeNumberField("occupied", heap.occupied());
                out.writeNumberField("used", heap.used());
                out.writeNumberField("budget", heap.budget());
                out.writeEndObject();
            }
            out.writeEndArray();
        }));
    }

    /** Shows what is different in a plan. */
    void planChanged(long frame, List<PlanDiff.Change> changes) throws IOException {
        publish("plan", object(out -> {
            out.writeNumberField("frame", frame);
            out.writeNumberField("changes", changes.size());
            out.writeArrayFieldStart("lines");
            for (PlanDiff.Change change : changes.subList(0, Math.min(MOST_CHANGES, changes.size()))) {
                out.writeString(change.toString());
            }
            out.writeEndArray();
        }));
    }

    /** Shows why a frame is not shown. */
    void failed(String message) {
        try {
            publish(
                    "failure",
                    object(out -> out.writeStringField(
                            "message", message.substring(0, Math.min(MOST_WORDS, message.length())))));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private synchronized void publish(String kind, String data) {
        latest.put(kind, data);
        send(kind, data);
    }

    private void send(String kind, String data) {
        if (!clients.isEmpty()) {
            byte[] message = message(kind, data).getBytes(StandardCharsets.UTF_8);
            clients.forEach(client -> client.offer(message));
        }
    }

    private static String message(String kind, String data) {
        return "event: " + kind + "\ndata: " + data + "\n\n";
    }

    private String object(Members members) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = json.createGenerator(text)) {
            out.writeStartObject();
            members.write(out);
            out.writeEndObject();
        }
        return text.toString();
    }
}
