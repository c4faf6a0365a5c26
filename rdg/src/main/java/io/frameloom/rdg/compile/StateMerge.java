package io.frameloom.rdg.compile;

import io.frameloom.gpu.TextureLayout;
import java.util.Arrays;

/**
 * Merges the touches of each cell into epochs: runs of passes with no barrier in between.
 *
 * <p>A write is an epoch of its own, but for consecutive writes of one overlap group, which share one; consecutive reads share one as long as a layout suits them all
 * ({@link ReadLayouts}), looking ahead, so that one barrier with the union of stages serves them. All cells that one use
 * reads through one view end up in one layout ({@link ViewLayouts}). An epoch of a resource that belongs to one queue family at a time has
 * passes of one family.
 */
final class StateMerge {
    /** Touches of live passes sorted by cell, then by pass. */
    final int[] sorted;
    /** First epoch of each cell, and the number of epochs at the end. */
    final int[] epochBase;
    /** First position in {@link #sorted} of each epoch, and its length at the end. */
    final int[] epochStart;

    final int[] epochLayout;
    final boolean[] epochWrites;
    final int[] epochCell;
    /** Epoch of each touch, -1 for culled passes. */
    final int[] epochOfTouch;

    private final SubresourceMap map;

    private final Ownership ownership;

    StateMerge(
            DeclaredGraph graph,
            SubresourceMap map,
            boolean[] live,
            Ownership ownership,
            boolean overlapWrites,
            Scratch scratch) {
        this.map = map;
        this.ownership = ownership;
        sorted = sortByCell(live, scratch);
        epochBase = new int[map.cells() + 1];
        epochOfTouch = new int[map.touchPass.length];
        Arrays.fill(epochOfTouch, -1);
        long mark = scratch.mark();
        IntList start = scratch.list();
        IntList layout = scratch.list();
        IntList writes = scratch.list();
        IntList cells = scratch.list();
        int cell = -1;
        boolean open = false;
        int openGroup = -1;
        int owner = Ownership.NOBODY;
        for (int i = 0; i < sorted.length; i++) {
            int t = sorted[i];
            while (cell < map.touchCell[t]) {
                epochBase[++cell] = start.size();
                open = false;
                openGroup = -1;
            }
            boolean write = (map.touchFlags[t] & SubresourceMap.WRITES) != 0;
            int group = write && overlapWrites ? map.touchOverlap[t] : -1;
            int last = layout.size() - 1;
            int common = -1;
            boolean alone = map.touchOverlap[t] == DeclaredGraph.Use.ALONE;
            int user = ownership.owner(map.cellResource[cell], map.touchPass[t]);
            if (user != owner) {
                open = false;
                openGroup = -1;
                owner = user;
            }
            if (open && !write && !alone) {
                common = ReadLayouts.common(layout.get(last), map.touchLayout[t], map.isDepth(map.cellResource[cell]));
            } else if (group >= 0 && group == openGroup && layout.get(last) == map.touchLayout[t]) {
                common = map.touchLayout[t];
            }
            if (common >= 0) {
                layout.set(last, common);
            } else {
                start.add(i);
                layout.add(map.touchLayout[t]);
                writes.add(write ? 1 : 0);
                cells.add(cell);
            }
            epochOfTouch[t] = layout.size() - 1;
            open = !write && !alone;
            openGroup = group;
        }
        while (cell < map.cells()) {
            epochBase[++cell] = start.size();
        }
        start.add(sorted.length);
        epochStart = start.toArray();
        epochLayout = layout.toArray();
        epochCell = cells.toArray();
        epochWrites = new boolean[writes.size()];
        for (int e = 0; e < epochWrites.length; e++) {
            epochWrites[e] = writes.get(e) != 0;
        }
        scratch.release(mark);
        ViewLayouts.unify(graph, map, live, epochOfTouch, epochLayout, scratch);
    }

    int epochs() {
        return epochLayout.length;
    }

    /** Returns whether an epoch consists of writes that do not need the old contents. */
    boolean discards(int epoch) {
        for (int i = epochStart[epoch]; i < epochStart[epoch + 1]; i++) {
            int flags = map.touchFlags[sorted[i]];
            if ((flags & SubresourceMap.WRITES) == 0 || (flags & SubresourceMap.NEEDS) != 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns the family that has the resource of an epoch meanwhile, {@link Ownership#NOBODY} if all share it. */
    int owner(int epoch) {
        return ownership.owner(map.cellResource[epochCell[epoch]], map.touchPass[sorted[epochStart[epoch]]]);
    }

    TextureLayout layout(int epoch) {
        return SubresourceMap.LAYOUTS[epochLayout[epoch]];
    }

    private int[] sortByCell(boolean[] live, Scratch scratch) {
        long mark = scratch.mark();
        int[] offset = scratch.ints(map.cells() + 1, 0);
        int count = 0;
        for (int t = 0; t < map.touchPass.length; t++) {
            if (live[map.touchPass[t]]) {
                offset[map.touchCell[t] + 1]++;
                count++;
            }
        }
        for (int c = 0; c < map.cells(); c++) {
            offset[c + 1] += offset[c];
        }
        int[] result = new int[count];
        for (int t = 0; t < map.touchPass.length; t++) {
            if (live[map.touchPass[t]]) {
                result[offset[map.touchCell[t]]++] = t;
            }
        }
        scratch.release(mark);
        return result;
    }

    /** Returns the epoch in which a pass touches a cell. */
    int epochOf(int pass, int cell) {
        for (int t = map.touchBase[pass]; t < map.touchBase[pass + 1]; t++) {
            if (map.touchCell[t] == cell) {
                return epochOfTouch[t];
            }
        }
        throw new IllegalStateException("pass " + pass + " does not touch cell " + cell);
    }
}
