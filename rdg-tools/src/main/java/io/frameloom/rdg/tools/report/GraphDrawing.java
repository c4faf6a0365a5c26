package io.frameloom.rdg.tools.report;

import io.frameloom.rdg.FramePlan.PassPlan;
import io.frameloom.rdg.FramePlan.ResourcePlan;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.tools.report.GraphLayout.Box;
import io.frameloom.rdg.tools.report.GraphLayout.Point;
import io.frameloom.rdg.tools.report.PassGraph.Edge;
import io.frameloom.rdg.tools.report.PassGraph.EdgeKind;
import io.frameloom.rdg.tools.report.PassGraph.Node;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Draws passes, versions of resources, and edges; passes that share a render pass lie in one box. */
final class GraphDrawing {
    /** Nodes and edges together beyond which there is no such drawing: layouts of more take too long. */
    static final int MAX_ELEMENTS = 12_000;

    private static final double NAME_SIZE = 12;
    private static final double DETAIL_SIZE = 10;
    private static final double PASS_HEIGHT = 38;
    private static final double VERSION_HEIGHT = 20;
    private static final double STRIPE = 6;
    private static final double PADDING = 8;
    private static final double LONGEST_NAME = 230;
    private static final double MARGIN = 8;

    private final PlanIndex index;
    private final PassGraph graph;
    private final GraphLayout layout = new GraphLayout();
    private final Markup svg = new Markup();

    GraphDrawing(PlanIndex index, PassGraph graph) {
        this.index = index;
        this.graph = graph;
    }

    static boolean fits(PassGraph graph) {
        return graph.nodes().size() + graph.edges().size() <= MAX_ELEMENTS;
    }

    Markup draw() {
        int[] groups = groups();
        for (Node node : graph.nodes()) {
            layout.node(groups[node.index()], width(node), node.pass() >= 0 ? PASS_HEIGHT : VERSION_HEIGHT);
        }
        graph.edges().forEach(edge -> layout.edge(edge.from(), edge.to()));
        layout.run();
        double width = layout.width() + 2 * MARGIN;
        double height = layout.height() + 2 * MARGIN;
        svg.drawing("graph-svg", "graph", "Graph of passes and resources", -MARGIN, width, height);
        svg.raw("<defs>");
        for (EdgeKind kind : EdgeKind.values()) {
            svg.arrow("arrow-" + className(kind), className(kind));
        }
        svg.raw("</defs>").line();
        boxes();
        edges();
        boxNames();
        graph.nodes().forEach(this::node);
        return svg.close("svg").line();
    }

    private static String className(EdgeKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /** A version that one pass of a shared render pass writes and another one reads lies in their box. */
    private int[] groups() {
        int[] groups = new int[graph.nodes().size()];
        Arrays.fill(groups, -1);
        for (Node node : graph.nodes()) {
            if (node.pass() >= 0) {
                groups[node.index()] = index.sharedRenderPass[node.pass()];
            }
        }
        int[] writer = new int[groups.length];
        Arrays.fill(writer, -1);
        for (Edge edge : graph.edges()) {
            if (edge.kind() == EdgeKind.WRITE) {
                writer[edge.to()] = groups[edge.from()];
            }
        }
        for (Edge edge : graph.edges()) {
            if (edge.kind() == EdgeKind.READ && writer[edge.from()] >= 0 && writer[edge.from()] == groups[edge.to()]) {
                groups[edge.from()] = groups[edge.to()];
            }
        }
        return groups;
    }

    private double width(Node node) {
        String name = name(node);
        double text = Math.min(LONGEST_NAME, Label.width(name, NAME_SIZE));
        if (node.pass() >= 0) {
            text = Math.max(text, Label.width(detail(index.pass(node.pass())), DETAIL_SIZE));
            return Math.ceil(text + STRIPE + 2 * PADDING);
        }
        return Math.ceil(text + 2 * PADDING + VERSION_HEIGHT / 2);
    }

    private String name(Node node) {
        if (node.pass() >= 0) {
            return index.passName(node.pass());
        }
        String name = index.resourceName(node.resource());
        return graph.versionCount(node.resource()) == 1 && node.version() == 1 ? name : name + "@" + node.version();
    }

    private String detail(PassPlan pass) {
        String kind = pass.kind().name().toLowerCase(Locale.ROOT);
        if (pass.culled()) {
            return "culled " + kind;
        }
        return index.queueName(pass.queue()) + " · "
                + (PlanIndex.isAdded(pass) ? "barriers only" : kind + " · level " + pass.level());
    }

    private void boxes() {
        Map<Integer, Box> boxes = layout.groups();
        boxes.forEach((renderPass, box) -> {
            svg.open("g", "class", "box");
            svg.rect("", box.x(), box.y(), box.width(), box.height(), "rx", 6);
            svg.close("g").line();
        });
    }

    /** Over the edges, which would cross them. */
    private void boxNames() {
        layout.groups().forEach((renderPass, box) -> {
            int passes = index.plan.renderPasses().get(renderPass).passes().size();
            svg.label("render pass of " + passes, "box-name", box.x() + PADDING, box.y() + 13)
                    .line();
        });
    }

    private void edges() {
        for (int e = 0; e < graph.edges().size(); e++) {
            Edge edge = graph.edges().get(e);
            List<Point> points = layout.path(e);
            if (points.isEmpty()) {
                continue;
            }
            StringBuilder path = new StringBuilder();
            for (Point point : points) {
                path.append(path.isEmpty() ? "M" : " L")
                        .append(Markup.number(point.x()))
                        .append(' ')
                        .append(Markup.number(point.y()));
            }
            String name = className(edge.kind());
            Set<Integer> passes = new HashSet<>();
            Set<Integer> resources = new HashSet<>();
            for (Node end :
                    List.of(graph.nodes().get(edge.from()), graph.nodes().get(edge.to()))) {
                if (end.pass() >= 0) {
                    passes.add(end.pass());
                } else {
                    resources.add(end.resource());
                }
            }
            svg.open(
                    "g",
                    "class",
                    "edge " + name,
                    "data-passes",
                    Ids.list(passes),
                    "data-resources",
                    Ids.list(resources));
            svg.element("title", sentence(edge));
            svg.empty("path", "d", path, "marker-end", "url(#arrow-" + name + ")");
            svg.close("g").line();
        }
    }

    private String sentence(Edge edge) {
        String from = name(graph.nodes().get(edge.from()));
        String to = name(graph.nodes().get(edge.to()));
        return switch (edge.kind()) {
            case READ -> to + " reads " + from + ": " + edge.label();
            case WRITE -> from + " writes " + to + ": " + edge.label();
            case ORDER -> to + " comes after " + from + ": " + edge.label();
            case SYNC -> "queue wait: " + edge.label();
        };
    }

    private void node(Node node) {
        if (node.pass() >= 0) {
            pass(index.pass(node.pass()), layout.box(node.index()));
        } else {
            version(node, layout.box(node.index()));
        }
    }

    private void pass(PassPlan pass, Box box) {
        String state = pass.culled() ? "culled" : PlanIndex.isAdded(pass) ? "added" : "runs";
        svg.item(
                "pass " + state + " " + Palette.queueClass(pass.queue()),
                "pass " + pass.name() + ", " + detail(pass),
                "pass",
                pass.index(),
                pass.name() + (pass.culled() ? "\nculled: " + pass.cullReason() : ""));
        svg.rect("body", box.x(), box.y(), box.width(), box.height(), "rx", 3);
        svg.rect("stripe", box.x(), box.y(), STRIPE, box.height());
        double x = box.x() + STRIPE + PADDING;
        String name = Label.fit(pass.name(), box.width() - STRIPE - 2 * PADDING + 1, NAME_SIZE);
        svg.label(name, "name", x, box.y() + 16);
        svg.label(detail(pass), "detail", x, box.y() + 30);
        svg.close("g").line();
    }

    private void version(Node node, Box box) {
        ResourcePlan resource = index.plan.resources().get(node.resource());
        String state = resource.lifetime() == Lifetime.TRANSIENT ? "transient" : "outlives";
        String kind = resource.texture() ? "texture" : "buffer";
        String name = name(node);
        String lifetime = resource.lifetime().name().toLowerCase(Locale.ROOT);
        svg.item(
                "version " + state + " " + kind,
                kind + " " + name,
                "resource",
                node.resource(),
                name + ": " + lifetime + " " + kind);
        double corner = resource.texture() ? VERSION_HEIGHT / 2 : 0;
        svg.rect("", box.x(), box.y(), box.width(), box.height(), "rx", corner);
        String label = Label.fit(name, box.width() - PADDING, NAME_SIZE);
        svg.label(label, "", box.x() + box.width() / 2, box.y() + 14, "text-anchor", "middle");
        svg.close("g").line();
    }
}
