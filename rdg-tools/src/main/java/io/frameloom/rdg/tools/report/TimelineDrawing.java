package io.frameloom.rdg.tools.report;

import io.frameloom.rdg.tools.report.Schedule.Span;
import io.frameloom.rdg.tools.report.Schedule.Stall;
import io.frameloom.rdg.tools.report.Schedule.Wait;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Draws a schedule: a lane for each queue, a bar for each pass, an arrow for each wait. */
final class TimelineDrawing {
    /** Passes, and waits, beyond which only the first ones are drawn. */
    static final int MAX_DRAWN = 5_000;

    private static final double LEFT = 110;
    private static final double RIGHT = 24;
    private static final double TOP = 26;
    private static final double ROW = 24;
    private static final double GAP = 30;
    private static final double TEXT_SIZE = 11;
    private static final double NARROWEST = 900;
    private static final double WIDEST = 24_000;
    private static final double PER_PASS = 64;
    /** Lanes have that many rows at most for passes that run at the same time on one queue. */
    private static final int MAX_ROWS = 4;

    private final PlanIndex index;
    private final Schedule schedule;
    private final String id;
    private final double scale;
    private final double width;
    private final int[] rows;
    private final int[] rowOf;
    private final double[] laneTop;
    private final Markup svg = new Markup();

    TimelineDrawing(PlanIndex index, Schedule schedule, String id) {
        this.index = index;
        this.schedule = schedule;
        this.id = id;
        int queues = index.plan.queues().queues().size();
        double chart =
                Math.max(NARROWEST, Math.min(WIDEST, PER_PASS * schedule.spans().size()));
        scale = chart / Math.max(1, schedule.nanos());
        width = LEFT + chart + RIGHT;
        rows = new int[queues];
        rowOf = new int[schedule.spans().size()];
        assignRows(queues);
        laneTop = new double[queues + 1];
        laneTop[0] = TOP;
        for (int q = 0; q < queues; q++) {
            laneTop[q + 1] = laneTop[q] + ROW * Math.max(1, rows[q]) + GAP;
        }
    }

    /** Passes of a queue that overlap in time lie in rows below each other. */
    private void assignRows(int queues) {
        List<double[]> free = new ArrayList<>();
        for (int q = 0; q < queues; q++) {
            double[] ends = new double[MAX_ROWS];
            Arrays.fill(ends, Double.NEGATIVE_INFINITY);
            free.add(ends);
        }
        for (int s = 0; s < rowOf.length; s++) {
            Span span = schedule.spans().get(s);
            double[] ends = free.get(span.queue());
            int row = 0;
            while (row < MAX_ROWS - 1 && ends[row] > span.start()) {
                row++;
            }
            ends[row] = Math.max(ends[row], span.end());
            rowOf[s] = row;
            rows[span.queue()] = Math.max(rows[span.queue()], row + 1);
        }
    }

    boolean isCut() {
        return schedule.spans().size() > MAX_DRAWN || schedule.waits().size() > MAX_DRAWN;
    }

    Markup draw() {
        double height = laneTop[laneTop.length - 1];
        svg.open(
                "svg",
                "id",
                id,
                "class",
                "timeline",
                "role",
                "group",
                "aria-label",
                "Queue timeline",
                "viewBox",
                "0 0 " + Markup.number(width) + " " + Markup.number(height),
                "width",
                width,
                "height",
                height,
                "data-width",
                width,
                "data-height",
                height);
        String arrow = id + "-arrow";
        svg.open("defs");
        svg.open(
                "marker",
                "id",
                arrow,
                "viewBox",
                "0 0 8 8",
                "refX",
                7,
                "refY",
                4,
                "markerWidth",
                7,
                "markerHeight",
                7,
                "markerUnits",
                "userSpaceOnUse",
                "orient",
                "auto");
        svg.empty("path", "d", "M0 0 8 4 0 8z", "class", "head sync")
                .close("marker")
                .close("defs");
        axis(height);
        for (int q = 0; q < rows.length; q++) {
            lane(q);
        }
        schedule.stalls().forEach(this::stall);
        for (int s = 0; s < Math.min(MAX_DRAWN, rowOf.length); s++) {
            bar(schedule.spans().get(s), rowOf[s]);
        }
        schedule.waits().stream().limit(MAX_DRAWN).forEach(wait -> wait(wait, arrow));
        return svg.close("svg").line();
    }

    private double x(double nanos) {
        return LEFT + nanos * scale;
    }

    private void axis(double height) {
        double step = Units.step(schedule.nanos(), (int) ((width - LEFT) / 110));
        for (int tick = 0; tick * step <= schedule.nanos() * 1.0001; tick++) {
            double x = x(tick * step);
            svg.empty("line", "class", "grid", "x1", x, "y1", TOP - 8, "x2", x, "y2", height - GAP / 2);
            svg.element("text", Units.time(tick * step), "class", "tick", "x", x, "y", 12, "text-anchor", "middle");
        }
    }

    private void lane(int queue) {
        double height = ROW * Math.max(1, rows[queue]);
        svg.empty(
                "rect",
                "class",
                "lane " + Palette.queueClass(queue),
                "x",
                LEFT,
                "y",
                laneTop[queue] - 3,
                "width",
                width - LEFT - RIGHT,
                "height",
                height + 6);
        svg.element(
                "text",
                Label.fit(index.queueName(queue), LEFT - 12, TEXT_SIZE),
                "class",
                "queue",
                "x",
                4,
                "y",
                laneTop[queue] + 16);
    }

    private void stall(Stall stall) {
        svg.open("g", "class", "stall");
        svg.element(
                "title",
                index.queueName(stall.queue()) + " waits " + Units.time(stall.end() - stall.start())
                        + " with nothing to do");
        svg.empty(
                "rect",
                "x",
                x(stall.start()),
                "y",
                laneTop[stall.queue()] + 8,
                "width",
                (stall.end() - stall.start()) * scale,
                "height",
                8);
        svg.close("g");
    }

    private void bar(Span span, int row) {
        String name = index.passName(span.pass());
        double barWidth = Math.max(0.5, (span.end() - span.start()) * scale);
        double y = laneTop[span.queue()] + ROW * row;
        svg.open(
                "g",
                "class",
                "bar " + Palette.queueClass(span.queue()),
                "tabindex",
                0,
                "role",
                "button",
                "aria-label",
                name + ", " + Units.time(span.end() - span.start()),
                "data-pass",
                span.pass());
        svg.element(
                "title",
                name + "\n" + Units.time(span.start()) + " to " + Units.time(span.end()) + ", "
                        + Units.time(span.end() - span.start()));
        svg.empty("rect", "x", x(span.start()), "y", y, "width", barWidth, "height", ROW - 2);
        String label = Label.fit(name, barWidth - 6, TEXT_SIZE);
        if (!label.isEmpty()) {
            svg.element("text", label, "x", x(span.start()) + 3, "y", y + 15);
        }
        svg.close("g").line();
    }

    /** Leaves a lane at the side of the other one and bends in the gap, so that arrows do not cross bars' names. */
    private void wait(Wait wait, String arrow) {
        boolean down = wait.toQueue() > wait.fromQueue();
        double from = down
                ? laneTop[wait.fromQueue()] + ROW * Math.max(1, rows[wait.fromQueue()])
                : laneTop[wait.fromQueue()] - 2;
        double to =
                down ? laneTop[wait.toQueue()] - 3 : laneTop[wait.toQueue()] + ROW * Math.max(1, rows[wait.toQueue()]);
        double middle = (from + to) / 2;
        svg.open("g", "class", "wait");
        svg.element("title", wait.reason());
        svg.empty(
                "path",
                "d",
                "M" + Markup.number(x(wait.at())) + " " + Markup.number(from) + " C" + Markup.number(x(wait.at())) + " "
                        + Markup.number(middle) + " " + Markup.number(x(wait.until())) + " " + Markup.number(middle)
                        + " "
                        + Markup.number(x(wait.until())) + " " + Markup.number(to),
                "marker-end",
                "url(#" + arrow + ")");
        svg.close("g").line();
    }
}
