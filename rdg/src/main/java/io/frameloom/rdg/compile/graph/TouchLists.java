package io.frameloom.rdg.compile.graph;

import io.frameloom.gpu.command.Access;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.declare.DeclaredGraph;

/** Collects what each pass does to each cell: uses of one cell by one pass become one touch. Filled pass by pass. */
final class TouchLists {
    final IntList pass;
    final IntList cell;
    final IntList stages;
    final IntList access;
    final IntList traits;
    /** Touches whose uses exclude each other, as pairs (touch, use). */
    final IntList conflicts;
    /** Whether the first to touch some cell of a resource without contents is a read. */
    boolean readsFirst;

    /** Last touch of each cell. */
    private final int[] touchOfCell;

    // The items of the lists, with room for what was reserved.
    private int[] passes = {};
    private int[] cells = {};
    private int[] stageMasks = {};
    private int[] accessMasks = {};
    private int[] traitsOf = {};
    private int size;
    private int room;

    private final DeclaredGraph graph;
    private int firstOfPass;

    TouchLists(DeclaredGraph graph, Scratch scratch, int cells) {
        this.graph = graph;
        pass = scratch.list();
        cell = scratch.list();
        stages = scratch.list();
        access = scratch.list();
        traits = scratch.list();
        conflicts = scratch.list();
        touchOfCell = scratch.ints(cells, -1);
    }

    /** Begins the next pass; returns its first touch. */
    int begin() {
        firstOfPass = size;
        return firstOfPass;
    }

    /** Makes room for a number of further touches. */
    void reserve(int more) {
        if (size + more <= room) {
            return;
        }
        resize();
        int extra = Math.max(more, size);
        passes = pass.reserve(extra);
        cells = cell.reserve(extra);
        stageMasks = stages.reserve(extra);
        accessMasks = access.reserve(extra);
        traitsOf = traits.reserve(extra);
        room = size + extra;
    }

    /** Ends the lists after the last touch. */
    void resize() {
        pass.resize(size);
        cell.resize(size);
        stages.resize(size);
        access.resize(size);
        traits.resize(size);
    }

    /** Adds a use of a cell, whose layout is the one that the use wants; there must be room for it. */
    void add(int ofPass, int use, int ofCell, int wanted, boolean ofDepth) {
        Access used = graph.access(use);
        int group = graph.overlap(use);
        int flag = (graph.needsContents(use) ? SubresourceMap.NEEDS : 0) | (used.writes() ? SubresourceMap.WRITES : 0);
        int t = touchOfCell[ofCell];
        if (t < firstOfPass) {
            readsFirst |= t < 0 && !used.writes() && graph.lifetime(graph.resource(use)) != Lifetime.EXTERNAL;
            touchOfCell[ofCell] = size;
            passes[size] = ofPass;
            cells[size] = ofCell;
            stageMasks[size] = used.stages();
            accessMasks[size] = used.memoryAccess();
            traitsOf[size++] = SubresourceMap.traits(flag, wanted, group);
            return;
        }
        int known = traitsOf[t];
        int flags = (known | flag) & (SubresourceMap.NEEDS | SubresourceMap.WRITES);
        int layout = SubresourceMap.layout(known);
        boolean reads = (flags & SubresourceMap.WRITES) == 0;
        int common = reads ? ReadLayouts.common(layout, wanted, ofDepth) : (layout == wanted ? wanted : -1);
        if (common < 0) {
            conflicts.add(t);
            conflicts.add(use);
        }
        stageMasks[t] |= used.stages();
        accessMasks[t] |= used.memoryAccess();
        int overlap = SubresourceMap.overlap(known) == group ? group : DeclaredGraph.NO_GROUP;
        traitsOf[t] = SubresourceMap.traits(flags, common < 0 ? layout : common, overlap);
    }
}
