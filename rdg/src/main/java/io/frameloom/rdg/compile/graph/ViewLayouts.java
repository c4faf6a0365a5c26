package io.frameloom.rdg.compile.graph;

import io.frameloom.rdg.declare.DeclaredGraph;

/**
 * Brings the cells that one use reads into one layout, since a view has only one. Views that share a state must agree,
 * too, so the states form sets (R. E. Tarjan, "Efficiency of a good but not linear set union algorithm", 1975), each of
 * which gets the least layout that suits all of its states: the order of {@link ReadLayouts} has one. Nearly linear in
 * the cells of all uses.
 */
final class ViewLayouts {
    private final SubresourceMap map;
    private final int[] traits;
    /** By epoch another one of its set, or itself if it stands for the set. */
    private final int[] parent;
    /** Epochs for which another one stands. */
    private final IntList joined;

    private ViewLayouts(SubresourceMap map, int[] traits, Scratch scratch) {
        this.map = map;
        this.traits = traits;
        parent = scratch.identity(map.touches());
        joined = scratch.list();
    }

    /** Raises the layouts of epochs; {@code epochOfTouch} is that of {@link StateMerge}. */
    static void unify(
            DeclaredGraph graph,
            SubresourceMap map,
            boolean[] live,
            int[] epochOfTouch,
            int[] epochTraits,
            Scratch scratch) {
        if (map.cells() == graph.resources()) {
            return;
        }
        long mark = scratch.mark();
        ViewLayouts views = new ViewLayouts(map, epochTraits, scratch);
        int[] epochOfCell = scratch.ints(map.cells());
        int[] box = new int[6];
        for (int i = 0; i < map.partPasses.size(); i++) {
            int p = map.partPasses.get(i);
            if (!live[p]) {
                continue;
            }
            for (int t = map.touchBase[p]; t < map.touchBase[p + 1]; t++) {
                epochOfCell[map.touchCell[t]] = epochOfTouch[t];
            }
            for (int use = graph.firstUse(p), end = graph.firstUse(p + 1); use < end; use++) {
                int r = graph.resource(use);
                if (!graph.access(use).writes() && map.isTexture(r) && !map.isOneCell(r)) {
                    map.box(use, box);
                    views.join(r, box, epochOfCell);
                }
            }
        }
        for (int i = 0; i < views.joined.size(); i++) {
            int e = views.joined.get(i);
            epochTraits[e] = SubresourceMap.withLayout(epochTraits[e], views.layout(views.find(e)));
        }
        scratch.release(mark);
    }

    private void join(int resource, int[] box, int[] epochOfCell) {
        int first = find(epochOfCell[map.cell(resource, box[0], box[2], box[4])]);
        for (int z = box[4]; z < box[5]; z++) {
            for (int y = box[2]; y < box[3]; y++) {
                for (int x = box[0]; x < box[1]; x++) {
                    int other = find(epochOfCell[map.cell(resource, x, y, z)]);
                    if (other != first) {
                        parent[other] = first;
                        joined.add(other);
                        traits[first] = SubresourceMap.withLayout(traits[first], common(first, other, resource));
                    }
                }
            }
        }
    }

    private int layout(int epoch) {
        return SubresourceMap.layout(traits[epoch]);
    }

    private int common(int a, int b, int resource) {
        int common = ReadLayouts.common(layout(a), layout(b), map.isDepth(resource));
        if (common < 0) {
            throw new IllegalStateException("resource " + resource + " is read through one view in "
                    + SubresourceMap.LAYOUTS[layout(a)] + " and " + SubresourceMap.LAYOUTS[layout(b)]);
        }
        return common;
    }

    /** Halves the path on its way. */
    private int find(int epoch) {
        int e = epoch;
        while (parent[e] != e) {
            parent[e] = parent[parent[e]];
            e = parent[e];
        }
        return e;
    }
}
