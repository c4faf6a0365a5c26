package io.frameloom.rdg.tools.report;

import io.frameloom.rdg.AsyncGains;
import java.util.List;
import java.util.Set;

/** What each region beside the graphics queue gains, or would gain. */
final class AsyncTable {
    /** Regions beyond which only the first ones are listed. */
    static final int MAX_ROWS = 1_000;

    private static final List<String> COLUMNS = List.of(
            "Passes", "Queue", "After", "Before", "Alone", "Overlapped", "Predicted gain", "Measured gain", "Decision");
    private static final Set<String> NUMBERS = Set.of("Alone", "Overlapped", "Predicted gain", "Measured gain");

    private final AsyncGains gains;
    private final Markup html = new Markup();

    AsyncTable(AsyncGains gains) {
        this.gains = gains;
    }

    Markup write() {
        html.captioned("async-table", "Passes beside the graphics queue", COLUMNS, NUMBERS);
        gains.regions().stream().limit(MAX_ROWS).forEach(this::row);
        return html.close("tbody").close("table").line();
    }

    private void row(AsyncGains.Region region) {
        html.open("tr");
        html.element("td", String.join(", ", region.passes()), "class", "name");
        html.element("td", region.queue());
        html.element("td", region.fork().isEmpty() ? "the start" : region.fork());
        html.element("td", region.join().isEmpty() ? "the end" : region.join());
        html.element("td", Units.time(region.serialNanos()), "class", "number");
        html.element("td", Units.time(region.overlappedNanos()), "class", "number");
        html.element("td", gain(region.predictedNanos()), "class", "number");
        html.element(
                "td",
                region.measuredNanos().isPresent() ? gain(region.measuredNanos().getAsLong()) : "not measured",
                "class",
                "number");
        html.element("td", region.decision().isEmpty() ? "as declared" : region.decision());
        html.close("tr").line();
    }

    private static String gain(long nanos) {
        return (nanos < 0 ? "−" : "") + Units.time(Math.abs(nanos));
    }
}
