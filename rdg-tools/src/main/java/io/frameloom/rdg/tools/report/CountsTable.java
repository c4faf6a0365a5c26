package io.frameloom.rdg.tools.report;

import io.frameloom.gpu.command.PipelineStatistic;
import io.frameloom.rdg.FrameStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What the pipeline did for the raster passes of a measured frame. */
final class CountsTable {
    private static final List<String> STATISTICS = List.of(
            "Vertices", "Primitives", "Vertex runs", "Clipped", "Drawn primitives", "Fragment runs", "Compute runs");

    private final PlanIndex index;
    private final List<FrameStatistics.PassCounts> counts;
    private final Markup html = new Markup();

    CountsTable(PlanIndex index, List<FrameStatistics.PassCounts> counts) {
        this.index = index;
        this.counts = counts;
    }

    Markup write() {
        List<String> columns = new ArrayList<>(List.of("Pass"));
        columns.addAll(STATISTICS);
        html.element("h3", "What the pipeline did");
        html.sortable("counts-table", columns, Set.copyOf(STATISTICS));
        for (FrameStatistics.PassCounts pass : counts.subList(0, Math.min(counts.size(), TimesTable.MAX_ROWS))) {
            html.open("tr", "data-pass", pass.index());
            html.nameCell(index.passName(pass.index()), "pass", pass.index());
            for (PipelineStatistic which : PipelineStatistic.values()) {
                html.numberCell(Long.toString(pass.of(which)), pass.of(which));
            }
            html.close("tr").line();
        }
        return html.close("tbody").close("table").line();
    }
}
