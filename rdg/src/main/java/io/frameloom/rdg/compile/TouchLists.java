package io.frameloom.rdg.compile;

/** Collects what each pass does to each cell: uses of one cell by one pass become one touch. Filled pass by pass. */
final class TouchLists {
    final IntList pass;
    final IntList cell;
    final IntList stages;
    final IntList access;
    final IntList layout;
    final IntList flags;
    final IntList overlap;
    /** Touches whose uses exclude each other, as pairs (touch, index of the use in its pass). */
    final IntList conflicts;
    /** Last touch of each cell. */
    private final int[] touchOfCell;

    private int firstOfPass;

    TouchLists(Scratch scratch, int cells) {
        pass = scratch.list();
        cell = scratch.list();
        stages = scratch.list();
        access = scratch.list();
        layout = scratch.list();
        flags = scratch.list();
        overlap = scratch.list();
        conflicts = scratch.list();
        touchOfCell = scratch.ints(cells, -1);
    }

    /** Begins the next pass; returns its first touch. */
    int begin() {
        firstOfPass = pass.size();
        return firstOfPass;
    }

    /** Adds a use of a cell, whose layout is the one that the use wants. */
    void add(int ofPass, int useIndex, DeclaredGraph.Use use, int ofCell, int wanted, boolean ofDepth) {
        int flag =
                (use.needsContents() ? SubresourceMap.NEEDS : 0) | (use.access().writes() ? SubresourceMap.WRITES : 0);
        int t = touchOfCell[ofCell];
        if (t < firstOfPass) {
            touchOfCell[ofCell] = pass.size();
            pass.add(ofPass);
            cell.add(ofCell);
            stages.add(use.access().stages());
            access.add(use.access().memoryAccess());
            layout.add(wanted);
            flags.add(flag);
            overlap.add(use.overlap());
            return;
        }
        boolean reads = ((flags.get(t) | flag) & SubresourceMap.WRITES) == 0;
        int common =
                reads ? ReadLayouts.common(layout.get(t), wanted, ofDepth) : (layout.get(t) == wanted ? wanted : -1);
        if (common < 0) {
            conflicts.add(t);
            conflicts.add(useIndex);
        } else {
            layout.set(t, common);
        }
        stages.set(t, stages.get(t) | use.access().stages());
        access.set(t, access.get(t) | use.access().memoryAccess());
        flags.set(t, flags.get(t) | flag);
        overlap.set(t, overlap.get(t) == use.overlap() ? use.overlap() : -1);
    }
}
