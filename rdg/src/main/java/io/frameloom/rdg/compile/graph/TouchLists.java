package io.frameloom.rdg.compile.graph;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.Lifetime;
import io.frameloom.rdg.declare.DeclaredGraph;

/** Collects what each pass does to each cell: uses of one cell by one pass become one touch. Filled pass by pass. */
final class TouchLists {
    /** Numbers of a cell: its last touch, and how many it has. */
    private static final int CELL = 2;

    final IntList pass;
    final IntList cell;
    final IntList scope;
    final IntList traits;
    /** Touches whose uses exclude each other, as pairs (touch, use). */
    final IntList conflicts;
    /** Whether the first to touch some cell of a resource without contents is a read. */
    boolean readsFirst;

    private int[] ofCell = {};
    /** By pass not 0 if a later one needs what it writes, as far as that is seen at first sight. */
    private int[] needed = {};

    // The items of the lists, with room for what was reserved.
    private int[] passes = {};
    private int[] cells = {};
    private int[] scopes = {};
    private int[] traitsOf = {};
    private int size;
    private int room;

    private final DeclaredGraph graph;
    private int firstOfPass;

    TouchLists(DeclaredGraph graph, Scratch scratch) {
        this.graph = graph;
        pass = scratch.list();
        cell = scratch.list();
        scope = scratch.list();
        traits = scratch.list();
        conflicts = scratch.list();
    }

    /** Begins with no touches; what is known of cells and passes may be taken back after the last one. */
    void start(int cells, Scratch scratch) {
        needed = scratch.ints(graph.passes(), 0);
        ofCell = scratch.ints(CELL * cells);
        for (int c = 0; c < cells; c++) {
            ofCell[CELL * c] = -1;
            ofCell[CELL * c + 1] = 0;
        }
    }

    /** Begins the next pass; returns its first touch. */
    int begin() {
        firstOfPass = size;
        return firstOfPass;
    }

    void reserve(int more) {
        if (size + more <= room) {
            return;
        }
        resize();
        int extra = Math.max(more, size);
        passes = pass.reserve(extra);
        cells = cell.reserve(extra);
        scopes = scope.reserve(extra);
        traitsOf = traits.reserve(extra);
        room = size + extra;
    }

    private void resize() {
        pass.resize(size);
        cell.resize(size);
        scope.resize(size);
        traits.resize(size);
    }

    /** Writes by cell the number of touches of those before it, and at the end that of all. */
    void count(int[] before, int cellCount) {
        before[0] = 0;
        for (int c = 0; c < cellCount; c++) {
            before[c + 1] = before[c] + ofCell[CELL * c + 1];
        }
    }

    /**
     * Returns whether each pass must run, or writes what a later one or the end of the frame needs: then none is culled.
     * If not, some may be.
     */
    boolean areAllNeeded(int cellCount, int[] resourceOfCell) {
        for (int c = 0; c < cellCount; c++) {
            int t = ofCell[CELL * c];
            if (graph.isOutput(resourceOfCell[c]) && t >= 0) {
                needed[passes[t]] |= traitsOf[t] & SubresourceMap.WRITES;
            }
        }
        for (int p = 0; p < graph.passes(); p++) {
            if (needed[p] == 0 && !Culling.isRoot(graph, p)) {
                return false;
            }
        }
        return true;
    }

    /** Adds a use of a cell with traits that say which layout it wants; there must be room for it. */
    void add(int ofPass, int use, int resource, int touched, int ofScope, int wanted) {
        int t = ofCell[CELL * touched];
        if (t < firstOfPass) {
            // Hardly ever, and so guessed right.
            if ((t >> 31 & ~wanted & SubresourceMap.WRITES) != 0) {
                readsFirst |= graph.lifetime(resource) != Lifetime.EXTERNAL;
            }
            ofCell[CELL * touched] = size;
            ofCell[CELL * touched + 1]++;
            passes[size] = ofPass;
            cells[size] = touched;
            scopes[size] = ofScope;
            traitsOf[size++] = wanted;
            // Without a branch, too. If this pass needs the contents, the pass that wrote them last is needed.
            int former = Math.max(0, t);
            int writes = traitsOf[former] & SubresourceMap.WRITES;
            needed[passes[former]] |= writes & -(wanted & SubresourceMap.NEEDS) & ~(t >> 31);
            return;
        }
        int known = traitsOf[t];
        int flags = (known | wanted) & (SubresourceMap.NEEDS | SubresourceMap.WRITES);
        int layout = SubresourceMap.layout(known);
        int other = SubresourceMap.layout(wanted);
        boolean reads = (flags & SubresourceMap.WRITES) == 0;
        int common = layout == other ? layout : -1;
        if (reads) {
            common = ReadLayouts.common(layout, other, graph.isDepth(resource));
            common = common < 0 ? apart(ofPass, use, resource, layout, other) : common;
        }
        if (common < 0) {
            conflicts.add(t);
            conflicts.add(use);
        }
        scopes[t] |= ofScope;
        int group = SubresourceMap.overlap(wanted);
        int overlap = SubresourceMap.overlap(known) == group ? group : DeclaredGraph.NO_GROUP;
        traitsOf[t] = SubresourceMap.traits(flags, common < 0 ? layout : common, overlap);
    }

    /**
     * Returns a layout for depth that a pass tests and samples, if others read it where it is attached and this one
     * does not; else -1. The pass then shares no render pass with those.
     */
    private int apart(int pass, int upTo, int resource, int layout, int other) {
        if (!graph.isLocal(resource)) {
            return -1;
        }
        for (int use = graph.firstUse(pass); use <= upTo; use++) {
            if (graph.resource(use) == resource && graph.access(use) == Access.INPUT_ATTACHMENT) {
                return -1;
            }
        }
        return ReadLayouts.common(tested(layout), tested(other), graph.isDepth(resource));
    }

    /** Returns the layout in which depth is tested that nobody reads where it is attached. */
    private static int tested(int layout) {
        boolean local = layout == ReadLayouts.code(TextureLayout.LOCAL_READ);
        return local ? ReadLayouts.code(TextureLayout.DEPTH_RO) : layout;
    }
}
