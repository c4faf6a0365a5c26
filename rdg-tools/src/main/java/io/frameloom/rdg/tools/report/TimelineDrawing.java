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
        svg.drawing(id, "timeline", "Queue timeline", 0, width, height);
        String arrow = id + "-arrow";
        svg.open("defs").arrow(arrow, "sync").close("defs");
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
            svg.label(Units.time(tick * step), "tick", x, 12, "text-anchor", "middle");
        }
    }

    private void lane(int queue) {
        double height = ROW * Math.max(1, rows[queue]);
        double top = laneTop[queue];
        svg.rect("lane " + Palette.queueClass(queue), LEFT, top - 3, width - LEFT - RIGHT, height + 6);
        svg.label(Label.fit(index.queueName(queue), LEFT - 12, TEXT_SIZE), "queue", 4, top + 16);
    }

    private void stall(Stall stall) {
        svg.open("g", "class", "stall");
        svg.element(
                "title",
                index.queueName(stall.queue()) + " waits " + Units.time(stall.end() - stall.start())
                        + " with nothing to do");
        double top = laneTop[stall.queue()] + 8;
        svg.rect("", x(stall.start()), top, (stall.end() - stall.start()) * scale, 8);
        svg.close("g");
    }

    private void bar(Span span, int row) {
        String name = index.passName(span.pass());
        double barWidth = Math.max(0.5, (span.end() - span.start()) * scale);
        double y = laneTop[span.queue()] + ROW * row;
        String time = Units.time(span.end() - span.start());
        svg.item(
                "bar " + Palette.queueClass(span.queue()),
                name + ", " + time,
                "pass",
                span.pass(),
                name + "\n" + Units.time(span.start()) + " to " + Units.time(span.end()) + ", " + time);
        svg.rect("", x(span.start()), y, barWidth, ROW - 2);
        String label = Label.fit(name, barWidth - 6, TEXT_SIZE);
        if (!label.isEmpty()) {
            svg.label(label, "", x(span.start()) + 3, y + 15);
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
