package io.frameloom.rdg.tools.report;

import io.frameloom.gpu.command.PipelineStatistic;
import io.frameloom.rdg.FrameStatistics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** What the pipeline did for the raster passes of a measured frame. */
final class CountsTable {
    /** Raster passes run no compute shaders. */
    private static final List<PipelineStatistic> SHOWN = Arrays.stream(PipelineStatistic.values())
            .filter(which -> which != PipelineStatistic.COMPUTE_INVOCATIONS)
            .toList();

    private final PlanIndex index;
    private final List<FrameStatistics.PassCounts> counts;
    private final Markup html = new Markup();

    CountsTable(PlanIndex index, List<FrameStatistics.PassCounts> counts) {
        this.index = index;
        this.counts = counts;
    }

    Markup write() {
        List<String> columns = new ArrayList<>(List.of("Pass"));
        List<String> numbers = SHOWN.stream().map(CountsTable::title).toList();
        columns.addAll(numbers);
        html.element("h3", "What the pipeline did");
        html.sortable("counts-table", columns, Set.copyOf(numbers));
        for (FrameStatistics.PassCounts pass : counts.subList(0, Math.min(counts.size(), TimesTable.MAX_ROWS))) {
            html.open("tr", "data-pass", pass.index());
            html.nameCell(index.passName(pass.index()), "pass", pass.index());
            for (PipelineStatistic which : SHOWN) {
                html.numberCell(Long.toString(pass.of(which)), pass.of(which));
            }
            html.close("tr").line();
        }
        return html.close("tbody").close("table").line();
    }

    private static String title(PipelineStatistic which) {
        return switch (which) {
            case VERTICES -> "Vertices";
            case PRIMITIVES -> "Primitives";
            case VERTEX_INVOCATIONS -> "Vertex runs";
            case CLIPPED_PRIMITIVES -> "Clipped";
            case DRAWN_PRIMITIVES -> "Drawn primitives";
            case FRAGMENT_INVOCATIONS -> "Fragment runs";
            case COMPUTE_INVOCATIONS -> "Compute runs";
        };
    }
}
