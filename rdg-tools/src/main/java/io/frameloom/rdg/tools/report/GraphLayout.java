package io.frameloom.rdg.tools.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.elk.alg.layered.LayeredLayoutProvider;
import org.eclipse.elk.alg.layered.options.LayeredOptions;
import org.eclipse.elk.alg.layered.options.LayeringStrategy;
import org.eclipse.elk.alg.layered.options.NodePlacementStrategy;
import org.eclipse.elk.core.data.LayoutMetaDataService;
import org.eclipse.elk.core.math.ElkPadding;
import org.eclipse.elk.core.options.Direction;
import org.eclipse.elk.core.options.EdgeRouting;
import org.eclipse.elk.core.options.HierarchyHandling;
import org.eclipse.elk.core.util.BasicProgressMonitor;
import org.eclipse.elk.graph.ElkBendPoint;
import org.eclipse.elk.graph.ElkEdge;
import org.eclipse.elk.graph.ElkEdgeSection;
import org.eclipse.elk.graph.ElkNode;
import org.eclipse.elk.graph.util.ElkGraphUtil;
import org.jspecify.annotations.Nullable;

/**
 * Where nodes and edges lie, from top to bottom: the layered method of "Methods for Visual Understanding of
 * Hierarchical System Structures", by the Eclipse Layout Kernel. Nodes of one box lie together. Equal graphs give equal
 * layouts.
 */
final class GraphLayout {
    private static final double BETWEEN_NODES = 18;
    private static final double BETWEEN_LAYERS = 30;
    private static final double BETWEEN_EDGES = 9;
    private static final double BOX_TOP = 20;
    private static final double BOX_SIDE = 10;
    private static final int SEED = 1;

    /**
     * A rectangle.
     *
     * @param x left
     * @param y top
     * @param width width
     * @param height height
     */
    record Box(double x, double y, double width, double height) {}

    /** A point. */
    record Point(double x, double y) {}

    private final ElkNode root = ElkGraphUtil.createGraph();
    private final Map<Integer, ElkNode> groups = new TreeMap<>();
    private final List<ElkNode> nodes = new ArrayList<>();
    private final List<ElkEdge> edges = new ArrayList<>();
    private final Map<ElkNode, Point> origins = new HashMap<>();

    GraphLayout() {
        // Creating the service tells the library's properties how to copy their values.
        LayoutMetaDataService.getInstance();
        configure(root);
    }

    private static void configure(ElkNode node) {
        node.setProperty(LayeredOptions.HIERARCHY_HANDLING, HierarchyHandling.INCLUDE_CHILDREN);
        node.setProperty(LayeredOptions.DIRECTION, Direction.DOWN);
        node.setProperty(LayeredOptions.RANDOM_SEED, SEED);
        node.setProperty(LayeredOptions.EDGE_ROUTING, EdgeRouting.ORTHOGONAL);
        node.setProperty(LayeredOptions.LAYERING_STRATEGY, LayeringStrategy.NETWORK_SIMPLEX);
        node.setProperty(LayeredOptions.NODE_PLACEMENT_STRATEGY, NodePlacementStrategy.BRANDES_KOEPF);
        node.setProperty(LayeredOptions.SPACING_NODE_NODE, BETWEEN_NODES);
        node.setProperty(LayeredOptions.SPACING_NODE_NODE_BETWEEN_LAYERS, BETWEEN_LAYERS);
        node.setProperty(LayeredOptions.SPACING_EDGE_EDGE, BETWEEN_EDGES);
        node.setProperty(LayeredOptions.SPACING_EDGE_NODE, BETWEEN_EDGES);
        node.setProperty(LayeredOptions.SPACING_EDGE_EDGE_BETWEEN_LAYERS, BETWEEN_EDGES);
        node.setProperty(LayeredOptions.SPACING_EDGE_NODE_BETWEEN_LAYERS, BETWEEN_EDGES);
    }

    /**
     * Adds a node.
     *
     * @param group box in which it lies, or -1
     */
    void node(int group, double width, double height) {
        ElkNode parent = group < 0 ? root : groups.computeIfAbsent(group, unused -> newGroup());
        ElkNode node = ElkGraphUtil.createNode(parent);
        node.setDimensions(width, height);
        nodes.add(node);
    }

    private ElkNode newGroup() {
        ElkNode group = ElkGraphUtil.createNode(root);
        configure(group);
        group.setProperty(LayeredOptions.PADDING, new ElkPadding(BOX_TOP, BOX_SIDE, BOX_SIDE, BOX_SIDE));
        return group;
    }

    /** Adds an edge between nodes, which are counted from 0 in the order of {@link #node}. */
    void edge(int from, int to) {
        edges.add(ElkGraphUtil.createSimpleEdge(nodes.get(from), nodes.get(to)));
    }

    void run() {
        new LayeredLayoutProvider().layout(root, new BasicProgressMonitor());
    }

    double width() {
        return root.getWidth();
    }

    double height() {
        return root.getHeight();
    }

    Box box(int node) {
        return box(nodes.get(node));
    }

    /** Returns the boxes by group. */
    Map<Integer, Box> groups() {
        Map<Integer, Box> boxes = new TreeMap<>();
        groups.forEach((group, node) -> boxes.put(group, box(node)));
        return boxes;
    }

    private Box box(ElkNode node) {
        Point at = origin(node);
        return new Box(at.x, at.y, node.getWidth(), node.getHeight());
    }

    /** Returns the points of an edge. */
    List<Point> path(int edge) {
        ElkEdge found = edges.get(edge);
        Point origin = origin(found.getContainingNode());
        List<Point> points = new ArrayList<>();
        for (ElkEdgeSection section : found.getSections()) {
            points.add(new Point(origin.x + section.getStartX(), origin.y + section.getStartY()));
            for (ElkBendPoint bend : section.getBendPoints()) {
                points.add(new Point(origin.x + bend.getX(), origin.y + bend.getY()));
            }
            points.add(new Point(origin.x + section.getEndX(), origin.y + section.getEndY()));
        }
        return points;
    }

    private Point origin(@Nullable ElkNode node) {
        if (node == null || node == root) {
            return new Point(0, 0);
        }
        Point known = origins.get(node);
        if (known != null) {
            return known;
        }
        Point parent = origin(node.getParent());
        Point here = new Point(parent.x + node.getX(), parent.y + node.getY());
        origins.put(node, here);
        return here;
    }
}
