package io.frameloom.rdg.compile.graph;

import io.frameloom.gpu.command.Access;
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
 *
 * <p>The touches of live passes {@linkplain #enter enter} in order, and {@link #finish} follows the last one. In
 * between holds for each cell, and for its epochs so far:
 *
 * <ul>
 *   <li>They are numbered in order of time from {@link #firstEpoch} to {@link #endEpoch}. Only the last one can get
 *       further touches. There is room for an epoch for each touch, so not every number is one.
 *   <li>An epoch has the {@linkplain SubresourceMap#touchTraits traits} of its touches. All of these write, or none
 *       does. It needs the old contents if one of them does. One layout suits them all; it may still grow.
 *   <li>Its touches are linked in the order of their passes.
 *   <li>Its row has the last of them, the union of their stages and accesses, and their queue if that is one.
 * </ul>
 *
 * <p>Lives in scratch memory, until that is reset.
 */
public final class StateMerge {
    /** In place of a queue: the passes of an epoch are on several. */
    public static final int SEVERAL = -1;

    /** What stores attachments of colour, and of depth and stencil. */
    private static final int COLOR_STORE =
            SubresourceMap.scope(Access.COLOR_WRITE.stages(), Access.COLOR_WRITE.memoryAccess());

    private static final int DEPTH_STORE =
            SubresourceMap.scope(Access.DEPTH_WRITE.stages(), Access.DEPTH_WRITE.memoryAccess());
    private static final int LOCAL_READ = ReadLayouts.code(TextureLayout.LOCAL_READ);

    private static final int NONE = -1;
    private static final int LAST = 0;
    private static final int SCOPE = 1;
    private static final int QUEUE = 2;
    private static final int ROW = 3;

    /** First epoch of each cell, and the number of epochs that there is room for at the end. */
    public final int[] firstEpoch;
    /** The number after the last epoch of each cell. */
    public final int[] endEpoch;

    public final int[] firstTouch;
    /** The touch after each one in its epoch, -1 for the last one. */
    public final int[] nextTouch;
    /** Epoch of each touch, -1 for culled passes. */
    public final int[] epochOfTouch;

    private final int[] traits;
    private final int[] rows;

    private final DeclaredGraph graph;
    private final SubresourceMap map;
    private final boolean[] live;
    private final Ownership ownership;
    private final boolean owned;
    private final boolean overlapWrites;

    /** No epochs, but room for one for each touch. */
    public StateMerge(
            DeclaredGraph graph,
            SubresourceMap map,
            boolean[] live,
            Ownership ownership,
            boolean overlapWrites,
            Scratch scratch) {
        this.graph = graph;
        this.map = map;
        this.live = live;
        this.ownership = ownership;
        this.owned = ownership.any();
        this.overlapWrites = overlapWrites;
        int touches = map.touches();
        epochOfTouch = scratch.ints(touches);
        nextTouch = scratch.ints(touches);
        for (int p = 0; p < live.length; p++) {
            if (!live[p]) {
                Arrays.fill(epochOfTouch, map.touchBase[p], map.touchBase[p + 1], NONE);
            }
        }
        firstEpoch = map.touchesBefore;
        endEpoch = scratch.ints(map.cells());
        System.arraycopy(firstEpoch, 0, endEpoch, 0, map.cells());
        firstTouch = scratch.ints(touches);
        traits = scratch.ints(touches);
        rows = scratch.ints(ROW * touches);
    }

    /** Adds a touch of a live pass to the last epoch of its cell or a new one; returns that. */
    public int enter(int touch, int pass, int queue) {
        int cell = map.touchCell[touch];
        int wanted = map.touchTraits[touch];
        int epoch = endEpoch[cell] - 1;
        int layout = epoch < firstEpoch[cell] ? NONE : common(epoch, wanted, cell, pass);
        nextTouch[touch] = NONE;
        if (layout < 0) {
            epoch++;
            endEpoch[cell] = epoch + 1;
            firstTouch[epoch] = touch;
            traits[epoch] = wanted;
            int row = ROW * epoch;
            rows[row + LAST] = touch;
            rows[row + SCOPE] = map.scope(touch);
            rows[row + QUEUE] = queue;
        } else {
            traits[epoch] = SubresourceMap.withLayout(traits[epoch] | (wanted & SubresourceMap.NEEDS), layout);
            int row = ROW * epoch;
            nextTouch[rows[row + LAST]] = touch;
            rows[row + LAST] = touch;
            rows[row + SCOPE] |= map.scope(touch);
            rows[row + QUEUE] = rows[row + QUEUE] == queue ? queue : SEVERAL;
        }
        epochOfTouch[touch] = epoch;
        return epoch;
    }

    /** Returns the layout of an epoch that a pass joins with a touch, -1 if it begins another one. */
    private int common(int epoch, int wanted, int cell, int pass) {
        int known = traits[epoch];
        int layout = SubresourceMap.layout(known);
        int group = SubresourceMap.overlap(wanted);
        boolean writes = (wanted & SubresourceMap.WRITES) != 0;
        boolean wrote = (known & SubresourceMap.WRITES) != 0;
        if (writes != wrote
                || (owned && ownership.owner(map.cellResource[cell], pass) != owner(epoch))
                || (writes && !(overlapWrites && group >= 0))) {
            return NONE;
        }
        if (writes) {
            return group == SubresourceMap.overlap(known) && layout == SubresourceMap.layout(wanted) ? layout : NONE;
        }
        return group == DeclaredGraph.ALONE || SubresourceMap.overlap(known) == DeclaredGraph.ALONE
                ? NONE
                : ReadLayouts.common(layout, SubresourceMap.layout(wanted), map.isDepth(map.cellResource[cell]));
    }

    public void finish(Scratch scratch) {
        ViewLayouts.unify(graph, map, live, epochOfTouch, traits, scratch);
    }

    /** Returns the layout of each use by a live pass, as {@link ReadLayouts#code} numbers it. */
    public byte[] layouts(Scratch scratch) {
        byte[] layouts = new byte[graph.uses()];
        long mark = scratch.mark();
        int[] epochOfCell = scratch.ints(map.cells());
        IntList parts = map.partPasses;
        int begin = 0;
        for (int i = 0; i < parts.size(); i++) {
            layouts(begin, parts.get(i), layouts, epochOfCell);
            layoutsOf(parts.get(i), layouts, epochOfCell);
            begin = parts.get(i) + 1;
        }
        layouts(begin, graph.passes(), layouts, epochOfCell);
        scratch.release(mark);
        return layouts;
    }

    /** As {@link #layoutsOf}, of passes that touch each resource whole. */
    private void layouts(int begin, int end, byte[] layouts, int[] epochOfCell) {
        int first = graph.firstUse(begin);
        int ahead = map.touchBase[begin] - first;
        int behind = graph.firstUse(end);
        if (map.touchBase[end] - behind == ahead) {
            // None uses a resource twice, so each use is a touch, in the same order.
            for (int use = first; use < behind; use++) {
                layouts[use] = (byte) layoutCode(Math.max(0, epochOfTouch[use + ahead]));
            }
            return;
        }
        for (int p = begin; p < end; p++) {
            layoutsOf(p, layouts, epochOfCell);
        }
    }

    private void layoutsOf(int pass, byte[] layouts, int[] epochOfCell) {
        for (int t = map.touchBase[pass]; live[pass] && t < map.touchBase[pass + 1]; t++) {
            epochOfCell[map.touchCell[t]] = epochOfTouch[t];
        }
        for (int use = graph.firstUse(pass), end = graph.firstUse(pass + 1); live[pass] && use < end; use++) {
            layouts[use] = (byte) layoutCode(epochOfCell[map.firstCell(use)]);
        }
    }

    public int cell(int epoch) {
        return map.touchCell[firstTouch[epoch]];
    }

    public boolean isFirst(int epoch) {
        return epoch == firstEpoch[cell(epoch)];
    }

    public boolean writes(int epoch) {
        return (traits[epoch] & SubresourceMap.WRITES) != 0;
    }

    /** Returns whether an epoch consists of writes that do not need the old contents. */
    public boolean discards(int epoch) {
        return (traits[epoch] & (SubresourceMap.WRITES | SubresourceMap.NEEDS)) == SubresourceMap.WRITES;
    }

    /** Returns the layout as {@link ReadLayouts#code} numbers it. */
    public int layoutCode(int epoch) {
        return SubresourceMap.layout(traits[epoch]);
    }

    public TextureLayout layout(int epoch) {
        return SubresourceMap.LAYOUTS[layoutCode(epoch)];
    }

    public int firstPass(int epoch) {
        return map.touchPass[firstTouch[epoch]];
    }

    public int lastPass(int epoch) {
        return map.touchPass[rows[ROW * epoch + LAST]];
    }

    /** Returns the union of the {@linkplain SubresourceMap#scope scopes} of all touches. */
    public int scope(int epoch) {
        return rows[ROW * epoch + SCOPE];
    }

    /**
     * Returns the scope of the stores that come behind the reads of an epoch, mostly 0. A render pass stores its
     * attachments when it ends, also those that were drawn in a former epoch and then read where they are attached.
     */
    public int stores(int epoch) {
        if (layoutCode(epoch) != LOCAL_READ || writes(epoch)) {
            return 0;
        }
        return map.isDepth(map.cellResource[cell(epoch)]) ? DEPTH_STORE : COLOR_STORE;
    }

    /** Returns the queue of all passes, or {@link #SEVERAL}. */
    public int queue(int epoch) {
        return rows[ROW * epoch + QUEUE];
    }

    /** Returns the family that has the resource during an epoch, {@link Ownership#NOBODY} if all share it. */
    public int owner(int epoch) {
        return owned ? ownership.owner(map.cellResource[cell(epoch)], firstPass(epoch)) : Ownership.NOBODY;
    }

    /** Returns what a pass does to a cell, which it must touch and of which a use is. */
    public int touchOf(int pass, int cell, int use) {
        // Mostly each use is a touch, in the same order.
        int guess = map.touchBase[pass] + use - graph.firstUse(pass);
        if (guess < map.touchBase[pass + 1] && map.touchCell[guess] == cell) {
            return guess;
        }
        for (int t = map.touchBase[pass]; t < map.touchBase[pass + 1]; t++) {
            if (map.touchCell[t] == cell) {
                return t;
            }
        }
        throw new IllegalStateException("pass " + pass + " does not touch cell " + cell);
    }

    public int[] passes(int epoch) {
        IntList passes = new IntList(4);
        for (int t = firstTouch[epoch]; t >= 0; t = nextTouch[t]) {
            passes.add(map.touchPass[t]);
        }
        return passes.toArray();
    }
}
