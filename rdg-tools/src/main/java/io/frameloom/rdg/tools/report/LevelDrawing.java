package io.frameloom.rdg.tools.report;

import io.frameloom.rdg.FramePlan.PassPlan;

/** Draws how many passes each level has on each queue: what is left of a graph that is too large to be drawn. */
final class LevelDrawing {
    private static final int MAX_BARS = 200;
    private static final double BAR = 8;
    private static final double HEIGHT = 160;
    private static final double LEFT = 48;
    private static final double BOTTOM = 24;

    private final PlanIndex index;

    LevelDrawing(PlanIndex index) {
        this.index = index;
    }

    Markup draw() {
        int levels = 0;
        for (PassPlan pass : index.plan.passes()) {
            levels = Math.max(levels, pass.level() + 1);
        }
        int perBar = Math.max(1, (levels + MAX_BARS - 1) / MAX_BARS);
        int bars = (levels + perBar - 1) / perBar;
        int queues = index.plan.queues().queues().size();
        int[][] counts = new int[bars][queues];
        int most = 1;
        for (PassPlan pass : index.plan.passes()) {
            if (pass.level() >= 0) {
                counts[pass.level() / perBar][pass.queue()]++;
            }
        }
        for (int[] bar : counts) {
            int sum = 0;
            for (int count : bar) {
                sum += count;
            }
            most = Math.max(most, sum);
        }
        double width = LEFT + bars * BAR + 16;
        Markup svg = new Markup();
        svg.drawing("levels-svg", "levels", "Passes by level", 0, width, HEIGHT + BOTTOM);
        for (int bar = 0; bar < bars; bar++) {
            double y = HEIGHT;
            for (int q = 0; q < queues; q++) {
                double height = (HEIGHT - 16) * counts[bar][q] / most;
                y -= height;
                svg.open("g", "class", "level " + Palette.queueClass(q));
                svg.element(
                        "title",
                        "levels " + bar * perBar + " to " + Math.min(levels, (bar + 1) * perBar) + ": " + counts[bar][q]
                                + " passes on " + index.queueName(q));
                svg.rect("", LEFT + bar * BAR, y, BAR - 1, height).close("g");
            }
        }
        svg.label(String.valueOf(most), "", LEFT - 6, 16 + 4, "text-anchor", "end");
        svg.label("0", "", LEFT - 6, HEIGHT, "text-anchor", "end");
        svg.label("level 0", "", LEFT, HEIGHT + 16);
        if (bars > 16) {
            svg.label("level " + (levels - 1), "", LEFT + bars * BAR, HEIGHT + 16, "text-anchor", "end");
        }
        return svg.close("svg").line();
    }
}
