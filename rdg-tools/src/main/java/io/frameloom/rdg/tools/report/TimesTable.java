package io.frameloom.rdg.tools.report;

import io.frameloom.rdg.tools.report.Schedule.Span;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Predicted times of passes beside measured ones; their shares of the frame can be compared. */
final class TimesTable {
    /** Passes beyond which only the first ones are listed. */
    static final int MAX_ROWS = 5_000;

    private final PlanIndex index;
    private final Schedule predicted;
    private final @Nullable Schedule measured;
    private final Markup html = new Markup();

    TimesTable(PlanIndex index, Schedule predicted, @Nullable Schedule measured) {
        this.index = index;
        this.predicted = predicted;
        this.measured = measured;
    }

    Markup write() {
        Map<Integer, Span> measuredSpans = new HashMap<>();
        double predictedSum = sum(predicted);
        double measuredSum = measured == null ? 0 : sum(measured);
        if (measured != null) {
            measured.spans().forEach(span -> measuredSpans.put(span.pass(), span));
        }
        html.sortable(
                "times-table",
                List.of("Pass", "Queue", "Predicted", "Share", "Measured", "Share", "Difference"),
                Set.of("Predicted", "Share", "Measured", "Difference"));
        predicted.spans().stream()
                .filter(span -> !PlanIndex.isAdded(index.pass(span.pass())))
                .limit(MAX_ROWS)
                .forEach(span -> row(span, predictedSum, measuredSpans.get(span.pass()), measuredSum));
        return html.close("tbody").close("table").line();
    }

    private static double sum(Schedule schedule) {
        return Math.max(
                1,
                schedule.spans().stream()
                        .mapToDouble(span -> span.end() - span.start())
                        .sum());
    }

    private void row(Span span, double predictedSum, @Nullable Span found, double measuredSum) {
        html.open("tr", "data-pass", span.pass());
        html.nameCell(index.passName(span.pass()), "pass", span.pass());
        html.element("td", index.queueName(span.queue()));
        double share = time(span, predictedSum);
        if (found == null) {
            html.numberCell("not measured", -1);
            html.numberCell("–", -1);
            html.numberCell("–", 0);
        } else {
            double difference = time(found, measuredSum) - share;
            String text = (difference < 0 ? "−" : "+") + Units.percent(Math.abs(difference));
            html.numberCell(text, Double.toString(difference));
        }
        html.close("tr").line();
    }

    private double time(Span span, double sum) {
        double nanos = span.end() - span.start();
        double share = nanos / sum;
        html.numberCell(Units.time(nanos), nanos);
        html.open("td", "class", "number", "data-sort", Double.toString(share));
        html.open("svg", "class", "share", "width", 60, "height", 10, "aria-hidden", "true");
        html.empty("rect", "x", 0, "y", 0, "width", Math.max(0.5, 60 * share), "height", 10)
                .close("svg");
        html.element("span", Units.percent(share), "class", "percent").close("td");
        return share;
    }
}
