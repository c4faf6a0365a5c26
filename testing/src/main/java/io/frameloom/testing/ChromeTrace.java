package io.frameloom.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A trace in Chrome's JSON, judged by what its document ("Trace Event Format") says and viewers rely on: spans of a row
 * nest, each arrow begins and ends in a span and does not go back in time, counters are numbers, rows have names and
 * numbers of their own, and all that is of a row names its process. Viewers pass over what they do not know, so members
 * and phases beside those here are refused.
 */
public final class ChromeTrace {
    /** Of the times that are compared here, which are microseconds in doubles. */
    private static final double EXACT = 0.0001;

    private final List<Span> spans = new ArrayList<>();
    private final List<Arrow> arrows = new ArrayList<>();
    private final Map<String, List<Map<String, Object>>> counters = new TreeMap<>();
    private final List<String> markers = new ArrayList<>();
    private final Map<Integer, String> processes = new HashMap<>();
    private final Map<Integer, String> rows = new HashMap<>();
    private final Map<Integer, Integer> processOfRow = new HashMap<>();

    /**
     * A span.
     *
     * @param process name of the group of rows
     * @param row name of the row
     * @param start in microseconds
     * @param end in microseconds
     * @param around name of the innermost span around it, empty if there is none
     */
    public record Span(
            String process,
            String row,
            String name,
            String category,
            double start,
            double end,
            Map<String, Object> args,
            String around) {}

    /** An arrow, by the innermost spans that it begins and ends in. */
    public record Arrow(Span from, Span to) {
        /** Returns it in words. */
        public String names() {
            return from.name + " -> " + to.name;
        }
    }

    /** One end of an arrow. */
    private record End(int process, int row, double time) {}

    private ChromeTrace() {}

    /**
     * Reads a trace.
     *
     * @throws AssertionError if it is not what the document says
     */
    public static ChromeTrace of(String json) {
        ChromeTrace trace = new ChromeTrace();
        Map<String, Object> file = object(parse(json));
        require(Set.of("displayTimeUnit", "traceEvents", "otherData").containsAll(file.keySet()), "is known", file);
        require(Set.of("ms", "ns").contains(text(file, "displayTimeUnit")), "has a unit", Map.of());
        object(file.get("otherData"));
        List<Map<String, Object>> events = new ArrayList<>();
        for (Object event : (List<?>) Objects.requireNonNull(file.get("traceEvents"), "traceEvents")) {
            events.add(object(event));
        }
        trace.read(events);
        return trace;
    }

    private static Object parse(String json) {
        try {
            return JsonMapper.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build()
                    .readValue(json, Object.class);
        } catch (JsonProcessingException e) {
            throw new AssertionError("no JSON: " + e.getMessage(), e);
        }
    }

    /** Returns the spans by row and start, those around others first. */
    public List<Span> spans() {
        return spans;
    }

    /** Returns the spans of a name. */
    public List<Span> spans(String name) {
        return spans.stream().filter(span -> span.name.equals(name)).toList();
    }

    /** Returns the arrows. */
    public List<Arrow> arrows() {
        return arrows;
    }

    /** Returns the values of counters, by "process/name", in the order of the file. */
    public Map<String, List<Map<String, Object>>> counters() {
        return counters;
    }

    /** Returns the names of what is marked over all rows. */
    public List<String> markers() {
        return markers;
    }

    private void read(List<Map<String, Object>> events) {
        Map<Integer, List<Map<String, Object>>> byRow = new TreeMap<>();
        Map<Integer, End> begins = new TreeMap<>();
        Map<Integer, End> ends = new TreeMap<>();
        for (Map<String, Object> event : events) {
            int row = whole(event, "tid");
            int process = whole(event, "pid");
            switch (text(event, "ph")) {
                case "M" -> name(event, row);
                case "X" -> byRow.computeIfAbsent(row, r -> new ArrayList<>()).add(event);
                case "s" -> end(begins, event, process, row);
                case "f" -> {
                    require(text(event, "bp").equals("e"), "ends in the span around it", event);
                    end(ends, event, process, row);
                }
                case "C" -> count(event);
                case "i" -> {
                    require(text(event, "s").equals("g"), "is global", event);
                    number(event, "ts");
                    require(processes.containsKey(process), "belongs to a process with a name", event);
                    markers.add(text(event, "name"));
                }
                default -> require(false, "has a known phase", event);
            }
        }
        Map<Integer, List<Span>> placed = new HashMap<>();
        byRow.forEach((row, found) -> placed.put(row, nest(row, found)));
        require(begins.keySet().equals(ends.keySet()), "arrows have two ends", Map.of());
        begins.forEach((id, from) -> {
            End to = Objects.requireNonNull(ends.get(id));
            require(from.time <= to.time + EXACT, "arrow " + id + " does not go back in time", Map.of());
            for (End end : List.of(from, to)) {
                require(
                        Objects.equals(processOfRow.get(end.row), end.process),
                        "arrow " + id + " is of a row",
                        Map.of());
            }
            arrows.add(new Arrow(at(placed, from, id), at(placed, to, id)));
        });
    }

    private void name(Map<String, Object> event, int row) {
        int process = whole(event, "pid");
        Map<String, Object> args = object(event.get("args"));
        switch (text(event, "name")) {
            case "process_name" ->
                require(processes.put(process, text(args, "name")) == null, "process has one name", event);
            case "thread_name" -> {
                require(rows.put(row, text(args, "name")) == null, "rows have numbers of their own", event);
                processOfRow.put(row, process);
            }
            case "process_sort_index", "thread_sort_index" -> number(args, "sort_index");
            default -> require(false, "is known", event);
        }
    }

    private static void end(Map<Integer, End> known, Map<String, Object> event, int process, int row) {
        require(text(event, "cat").equals("after") && text(event, "name").equals("after"), "is an arrow", event);
        int id = whole(event, "id");
        require(known.put(id, new End(process, row, number(event, "ts"))) == null, "id is used once", event);
    }

    private void count(Map<String, Object> event) {
        Map<String, Object> args = object(event.get("args"));
        require(!args.isEmpty(), "has values", event);
        args.keySet().forEach(key -> number(args, key));
        number(event, "ts");
        String process = processes.get(whole(event, "pid"));
        require(process != null, "belongs to a process with a name", event);
        counters.computeIfAbsent(process + "/" + text(event, "name"), name -> new ArrayList<>())
                .add(args);
    }

    private List<Span> nest(int row, List<Map<String, Object>> events) {
        String name = rows.get(row);
        List<Map<String, Object>> ordered = new ArrayList<>(events);
        ordered.sort(Comparator.comparingDouble((Map<String, Object> event) -> number(event, "ts"))
                .thenComparingDouble(event -> -number(event, "dur")));
        Deque<Span> open = new ArrayDeque<>();
        List<Span> placed = new ArrayList<>();
        for (Map<String, Object> event : ordered) {
            require(
                    name != null && Objects.equals(processOfRow.get(row), whole(event, "pid")),
                    "row has a name",
                    event);
            double start = number(event, "ts");
            double duration = number(event, "dur");
            require(duration >= 0, "does not end before it begins", event);
            while (!open.isEmpty() && open.getLast().end <= start + EXACT) {
                open.removeLast();
            }
            require(open.isEmpty() || open.getLast().end >= start + duration - EXACT, "nests", event);
            Span span = new Span(
                    Objects.requireNonNull(processes.get(whole(event, "pid"))),
                    Objects.requireNonNull(name),
                    text(event, "name"),
                    text(event, "cat"),
                    start,
                    start + duration,
                    object(event.get("args")),
                    open.isEmpty() ? "" : open.getLast().name);
            open.addLast(span);
            placed.add(span);
        }
        spans.addAll(placed);
        return placed;
    }

    /** Returns the innermost span at one end of an arrow: the last that begins before it and has not ended. */
    private static Span at(Map<Integer, List<Span>> placed, End end, int id) {
        Span found = null;
        for (Span span : placed.getOrDefault(end.row, List.of())) {
            if (span.start <= end.time + EXACT && span.end > end.time + EXACT) {
                found = span;
            }
        }
        if (found == null) {
            throw new AssertionError("arrow " + id + " is in no span at " + end);
        }
        return found;
    }

    /** Returns the members of an object, its numbers as doubles. */
    private static Map<String, Object> object(@Nullable Object value) {
        if (!(value instanceof Map<?, ?> members)) {
            throw new AssertionError("no object: " + value);
        }
        Map<String, Object> object = new LinkedHashMap<>();
        members.forEach((name, member) ->
                object.put((String) name, member instanceof Number number ? number.doubleValue() : member));
        return object;
    }

    private static String text(Map<String, Object> event, String key) {
        if (event.get(key) instanceof String text) {
            return text;
        }
        throw new AssertionError(key + " is no text: " + event);
    }

    private static double number(Map<String, Object> event, String key) {
        if (event.get(key) instanceof Double number) {
            return number;
        }
        throw new AssertionError(key + " is no number: " + event);
    }

    private static int whole(Map<String, Object> event, String key) {
        double number = number(event, key);
        require(number == Math.rint(number), key + " is whole", event);
        return (int) number;
    }

    private static void require(boolean holds, String what, Map<String, Object> event) {
        if (!holds) {
            throw new AssertionError("not so: " + what + ": " + event);
        }
    }
}
