package io.frameloom.rdg.tools.report;

import io.frameloom.rdg.diagnostics.CompilePhase;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** How long each phase of the compiler took. */
final class CompileTable {
    private static final double NANOS_PER_MICRO = 1000;

    private final Map<CompilePhase, Long> nanos;

    CompileTable(Map<CompilePhase, Long> nanos) {
        this.nanos = nanos;
    }

    Markup write() {
        long all = nanos.values().stream().mapToLong(Long::longValue).sum();
        Markup html = new Markup();
        html.captioned(
                "compile-table", "Phases of the compiler", List.of("phase", "µs", "share"), Set.of("µs", "share"));
        nanos.forEach((phase, time) -> row(html, name(phase), time, all));
        row(html, "all", all, all);
        return html.close("tbody").close("table");
    }

    private static String name(CompilePhase phase) {
        return phase.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static void row(Markup html, String phase, long nanos, long all) {
        html.open("tr").element("th", phase, "scope", "row");
        html.element("td", String.format(Locale.ROOT, "%.1f", nanos / NANOS_PER_MICRO), "class", "number");
        String share = String.format(Locale.ROOT, "%.1f %%", all == 0 ? 0 : 100.0 * nanos / all);
        html.element("td", share, "class", "number");
        html.close("tr");
    }
}
