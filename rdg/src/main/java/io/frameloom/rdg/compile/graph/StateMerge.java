package io.frameloom.rdg.compile.graph;

import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.Arrays;

/**
 * Merges the touches of each cell into epochs: runs of passes with no barrier in between.
 *
 * <p>A write is an epoch of its own, but consecutive writes of one overlap group share one. Consecutive reads share one
 * as long as a layout suits them all ({@link ReadLayouts}), looking ahead. So one barrier with the union of stages
 * serves them. All cells that one use reads through one view end up in one layout ({@link ViewLayouts}). An epoch of a
 * resource that belongs to one queue family at a time has passes of one family.
 */
public final class StateMerge {
    /** Touches of live passes sorted by cell, then by pass. */
    public final int[] sorted;
    /** First epoch of each cell, and the number of epochs at the end. */
    public final int[] epochBase;
    /** First position in {@link #sorted} of each epoch, and its length at the end. */
    public final int[] epochStart;

    public final int[] epochLayout;
    public final boolean[] epochWrites;
    public final int[] epochCell;
    /** Epoch of each touch, -1 for culled passes. */
    public final int[] epochOfTouch;

    private final SubresourceMap map;

    private final Ownership ownership;

    public StateMerge(
            DeclaredGraph graph,
            SubresourceMap map,
            boolean[] live,
            Ownership ownership,
            boolean overlapWrites,
            Scratch scratch) {
        this.map = map;
        this.ownership = ownership;
        sorted = sortByCell(live, scratch);
        int[] touchCell = map.touchCell;
        int[] touchTraits = map.touchTraits;
        boolean owned = ownership.any();
        int[] base = new int[map.cells() + 1];
        int[] ofTouch = new int[map.touchPass.length];
        if (sorted.length < ofTouch.length) {
            Arrays.fill(ofTouch, -1);
        }
        long mark = scratch.mark();
        int[] start = scratch.ints(sorted.length + 1);
        int[] layout = scratch.ints(sorted.length);
        int[] cells = scratch.ints(sorted.length);
        int last = -1;
        int cell = -1;
        boolean open = false;
        int openGroup = -1;
        int owner = Ownership.NOBODY;
        for (int i = 0; i < sorted.length; i++) {
            int t = sorted[i];
            int cellOfTouch = touchCell[t];
            while (cell < cellOfTouch) {
                base[++cell] = last + 1;
                open = false;
                openGroup = -1;
            }
            int traits = touchTraits[t];
            boolean write = (traits & SubresourceMap.WRITES) != 0;
            int overlap = SubresourceMap.overlap(traits);
            int group = write && overlapWrites ? overlap : -1;
            int wanted = SubresourceMap.layout(traits);
            int common = -1;
            boolean alone = overlap == DeclaredGraph.ALONE;
            if (owned) {
                int user = ownership.owner(map.cellResource[cell], map.touchPass[t]);
                if (user != owner) {
                    open = false;
                    openGroup = -1;
                    owner = user;
                }
            }
            if (open && !write && !alone) {
                common = layout[last] == wanted
                        ? wanted
                        : ReadLayouts.common(layout[last], wanted, map.isDepth(map.cellResource[cell]));
            } else if (group >= 0 && group == openGroup && layout[last] == wanted) {
                common = wanted;
            }
            if (common >= 0) {
                layout[last] = common;
            } else {
                last++;
                start[last] = i;
                layout[last] = wanted;
                cells[last] = cell;
            }
            ofTouch[t] = last;
            open = !write && !alone;
            openGroup = group;
        }
        int epochs = last + 1;
        while (cell < map.cells()) {
            base[++cell] = epochs;
        }
        start[epochs] = sorted.length;
        epochBase = base;
        epochOfTouch = ofTouch;
        epochStart = Arrays.copyOf(start, epochs + 1);
        epochLayout = Arrays.copyOf(layout, epochs);
        epochCell = Arrays.copyOf(cells, epochs);
        epochWrites = new boolean[epochs];
        for (int e = 0; e < epochs; e++) {
            epochWrites[e] = (touchTraits[sorted[start[e]]] & SubresourceMap.WRITES) != 0;
        }
        scratch.release(mark);
        ViewLayouts.unify(graph, map, live, epochOfTouch, epochLayout, scratch);
    }

    public int epochs() {
        return epochLayout.length;
    }

    /** Returns whether an epoch consists of writes that do not need the old contents. */
    public boolean discards(int epoch) {
        for (int i = epochStart[epoch]; i < epochStart[epoch + 1]; i++) {
            int flags = map.touchTraits[sorted[i]];
            if ((flags & SubresourceMap.WRITES) == 0 || (flags & SubresourceMap.NEEDS) != 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns the family that has the resource during an epoch, {@link Ownership#NOBODY} if all share it. */
    public int owner(int epoch) {
        return ownership.any()
                ? ownership.owner(map.cellResource[epochCell[epoch]], map.touchPass[sorted[epochStart[epoch]]])
                : Ownership.NOBODY;
    }

    public TextureLayout layout(int epoch) {
        return SubresourceMap.LAYOUTS[epochLayout[epoch]];
    }

    private int[] sortByCell(boolean[] live, Scratch scratch) {
        long mark = scratch.mark();
        int[] touchCell = map.touchCell;
        int[] touchPass = map.touchPass;
        int cells = map.cells();
        int[] offset = scratch.ints(cells + 1, 0);
        int count = 0;
        for (int t = 0; t < touchPass.length; t++) {
            if (live[touchPass[t]]) {
                offset[touchCell[t] + 1]++;
                count++;
            }
        }
        for (int c = 0; c < cells; c++) {
            offset[c + 1] += offset[c];
        }
        int[] result = new int[count];
        for (int t = 0; t < touchPass.length; t++) {
            if (live[touchPass[t]]) {
                result[offset[touchCell[t]]++] = t;
            }
        }
        scratch.release(mark);
        return result;
    }

    /** Returns the epoch in which a pass touches a cell. */
    public int epochOf(int pass, int cell) {
        for (int t = map.touchBase[pass]; t < map.touchBase[pass + 1]; t++) {
            if (map.touchCell[t] == cell) {
                return epochOfTouch[t];
            }
        }
        throw new IllegalStateException("pass " + pass + " does not touch cell " + cell);
    }
}
