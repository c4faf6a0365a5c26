package io.frameloom.rdg.tools.report;

import io.frameloom.rdg.FramePlan.HeapPlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Draws a heap: resources over the order of submission, at their offsets. */
final class HeapDrawing {
    /** Resources beyond which only the largest are drawn. */
    static final int MAX_DRAWN = 5_000;

    private static final double LEFT = 86;
    private static final double RIGHT = 16;
    private static final double TOP = 10;
    private static final double HEIGHT = 300;
    private static final double NARROWEST = 800;
    private static final double WIDEST = 16_000;
    private static final double PER_PASS = 36;
    private static final double TEXT_SIZE = 11;
    private static final double NAME_LENGTH = 120;
    /** Above this many passes their numbers are written instead of their names. */
    private static final int MOST_NAMES = 64;

    private final PlanIndex index;
    private final int heap;
    private final HeapPlan plan;
    private final double column;
    private final Markup svg = new Markup();

    HeapDrawing(PlanIndex index, int heap) {
        this.index = index;
        this.heap = heap;
        this.plan = index.plan.heaps().get(heap);
        int passes = Math.max(1, index.order.size());
        column = Math.max(NARROWEST, Math.min(WIDEST, PER_PASS * passes)) / passes;
    }

    Markup draw() {
        double chart = column * Math.max(1, index.order.size());
        double width = LEFT + chart + RIGHT;
        boolean named = index.order.size() <= MOST_NAMES;
        double height = TOP + HEIGHT + (named ? NAME_LENGTH * 0.75 + 14 : 22);
        svg.drawing("heap-" + heap, "heap", "Heap " + heap, 0, width, height);
        svg.rect("frame", LEFT, TOP, chart, HEIGHT);
        offsets(chart);
        passes(named);
        List<ResourcePlan> placed = new ArrayList<>();
        for (ResourcePlan resource : index.plan.resources()) {
            if (resource.heap() == heap && index.firstUse[resource.index()] >= 0) {
                placed.add(resource);
            }
        }
        placed.stream()
                .sorted(Comparator.comparingLong(ResourcePlan::bytes).reversed())
                .limit(MAX_DRAWN)
                .forEach(this::resource);
        if (plan.lowerBound() < plan.bytes()) {
            double y = y(plan.lowerBound());
            svg.open("g", "class", "bound");
            svg.element("title", "lower bound " + Units.bytes(plan.lowerBound()));
            svg.empty("line", "x1", LEFT, "y1", y, "x2", LEFT + chart, "y2", y).close("g");
        }
        return svg.close("svg").line();
    }

    /** Offset 0 is at the bottom. */
    private double y(long offset) {
        return TOP + HEIGHT * (1 - (double) offset / Math.max(1, plan.bytes()));
    }

    private void offsets(double chart) {
        long step = Units.byteStep(plan.bytes(), 6);
        for (long offset = 0; offset <= plan.bytes(); offset += step) {
            double y = y(offset);
            svg.empty("line", "class", "grid", "x1", LEFT, "y1", y, "x2", LEFT + chart, "y2", y);
            svg.label(Units.bytes(offset), "tick", LEFT - 6, y + 4, "text-anchor", "end");
        }
    }

    private void passes(boolean named) {
        int step = named ? 1 : (int) Units.step(index.order.size(), 20);
        for (int at = 0; at < index.order.size(); at += Math.max(1, step)) {
            double x = LEFT + column * (at + (named ? 0.5 : 0));
            if (named) {
                String name = Label.fit(index.passName(index.order.get(at)), NAME_LENGTH, TEXT_SIZE);
                double y = TOP + HEIGHT + 12;
                String turned = "rotate(-45 " + Markup.number(x) + " " + Markup.number(y) + ")";
                svg.label(name, "tick", x, y, "text-anchor", "end", "transform", turned);
            } else {
                svg.label("pass " + at, "tick", x, TOP + HEIGHT + 15);
            }
        }
    }

    private void resource(ResourcePlan resource) {
        int first = index.firstUse[resource.index()];
        int last = index.lastUse[resource.index()];
        double x = LEFT + column * first;
        double rectWidth = column * (last - first + 1);
        double top = y(resource.offset() + resource.bytes());
        double rectHeight = Math.max(0.5, y(resource.offset()) - top);
        String name = resource.name();
        String bytes = Units.bytes(resource.bytes());
        svg.item(
                "place " + Palette.resourceClass(resource.index()),
                name + ", " + bytes + " at " + resource.offset(),
                "resource",
                resource.index(),
                name + "\noffset " + resource.offset() + ", " + bytes + "\nfrom "
                        + index.passName(index.order.get(first)) + " to " + index.passName(index.order.get(last)));
        svg.rect("", x + 0.5, top, Math.max(0.5, rectWidth - 1), rectHeight);
        if (rectHeight >= TEXT_SIZE + 3) {
            String label = Label.fit(name, rectWidth - 6, TEXT_SIZE);
            svg.label(label, "", x + 4, top + Math.min(rectHeight / 2 + 4, 14));
        }
        svg.close("g").line();
    }
}
