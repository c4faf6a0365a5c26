package io.frameloom.rdg.compile;

import io.frameloom.gpu.Access;
import io.frameloom.gpu.BufferDescription;
import io.frameloom.gpu.SubresourceRange;
import io.frameloom.gpu.TextureDescription;
import io.frameloom.gpu.TextureLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Cuts every resource into cells that all passes use homogeneously, and lists what each pass does to each cell.
 *
 * <p>The cells of a texture are the boxes between the borders of all declared ranges in mips, layers and planes; those of
 * a buffer the byte ranges between all borders. A resource that is only used whole is one cell. A <em>touch</em> is all
 * that one pass does to one cell: its uses merged.
 */
final class SubresourceMap {
    /** The pass needs what was in the cell before. */
    static final int NEEDS = 1;
    /** The pass writes the cell. */
    static final int WRITES = 2;

    static final TextureLayout[] LAYOUTS = TextureLayout.values();

    /** First cell of each resource, and the number of cells at the end. */
    final int[] cellBase;
    /** Resource of each cell. */
    final int[] cellResource;
    /** First touch of each pass, and the number of touches at the end. */
    final int[] touchBase;

    final int[] touchPass;
    final int[] touchCell;
    final int[] touchStages;
    final int[] touchAccess;
    final int[] touchLayout;
    final int[] touchFlags;
    /** Group whose writes may overlap, -1 for none. */
    final int[] touchOverlap;
    /** Touches whose uses exclude each other, as pairs (touch, index of the use in its pass). */
    final int[] conflicts;

    private final DeclaredGraph graph;
    private final long[][] mipCuts;
    private final int[][] layerCuts;
    private final int[][] planeCuts;

    SubresourceMap(DeclaredGraph graph) {
        this.graph = graph;
        int resources = graph.resources().size();
        mipCuts = new long[resources][];
        layerCuts = new int[resources][];
        planeCuts = new int[resources][];
        cut();
        cellBase = new int[resources + 1];
        for (int r = 0; r < resources; r++) {
            cellBase[r + 1] = cellBase[r] + mips(r) * layers(r) * planes(r);
        }
        cellResource = new int[cellBase[resources]];
        for (int r = 0; r < resources; r++) {
            Arrays.fill(cellResource, cellBase[r], cellBase[r + 1], r);
        }

        int passes = graph.passes().size();
        touchBase = new int[passes + 1];
        IntList pass = new IntList(passes * 4);
        IntList cell = new IntList(passes * 4);
        IntList stages = new IntList(passes * 4);
        IntList access = new IntList(passes * 4);
        IntList layout = new IntList(passes * 4);
        IntList flags = new IntList(passes * 4);
        IntList overlap = new IntList(passes * 4);
        IntList clash = new IntList(4);
        int[] touchOfCell = new int[cellResource.length];
        Arrays.fill(touchOfCell, -1);
        int[] box = new int[6];
        for (int p = 0; p < passes; p++) {
            touchBase[p] = pass.size();
            int useIndex = 0;
            for (DeclaredGraph.Use use : graph.passes().get(p).uses()) {
                box(use, box);
                int flag = (use.needsContents() ? NEEDS : 0) | (use.access().writes() ? WRITES : 0);
                int wanted = graph.resources().get(use.resource()).isTexture()
                        ? layoutOf(use.access())
                        : ReadLayouts.code(TextureLayout.UNDEFINED);
                boolean depth = isDepth(use.resource());
                for (int z = box[4]; z < box[5]; z++) {
                    for (int y = box[2]; y < box[3]; y++) {
                        for (int x = box[0]; x < box[1]; x++) {
                            int c = cell(use.resource(), x, y, z);
                            int t = touchOfCell[c];
                            if (t < touchBase[p]) {
                                touchOfCell[c] = pass.size();
                                pass.add(p);
                                cell.add(c);
                                stages.add(use.access().stages());
                                access.add(use.access().memoryAccess());
                                layout.add(wanted);
                                flags.add(flag);
                                overlap.add(use.overlap());
                            } else {
                                boolean reads = ((flags.get(t) | flag) & WRITES) == 0;
                                int common = reads
                                        ? ReadLayouts.common(layout.get(t), wanted, depth)
                                        : (layout.get(t) == wanted ? wanted : -1);
                                if (common < 0) {
                                    clash.add(t);
                                    clash.add(useIndex);
                                } else {
                                    layout.set(t, common);
                                }
                                stages.set(t, stages.get(t) | use.access().stages());
                                access.set(t, access.get(t) | use.access().memoryAccess());
                                flags.set(t, flags.get(t) | flag);
                                overlap.set(t, overlap.get(t) == use.overlap() ? use.overlap() : -1);
                            }
                        }
                    }
                }
                useIndex++;
            }
        }
        touchBase[passes] = pass.size();
        touchPass = pass.toArray();
        touchCell = cell.toArray();
        touchStages = stages.toArray();
        touchAccess = access.toArray();
        touchLayout = layout.toArray();
        touchFlags = flags.toArray();
        touchOverlap = overlap.toArray();
        conflicts = clash.toArray();
    }

    /** Returns the number of cells. */
    int cells() {
        return cellResource.length;
    }

    /** Returns the range of texture that a box of cells covers. */
    SubresourceRange range(int resource, int[] box) {
        long[] mip = mipCuts[resource];
        int[] layer = layerCuts[resource];
        int[] plane = planeCuts[resource];
        return new SubresourceRange(
                (int) mip[box[0]],
                (int) (mip[box[1]] - mip[box[0]]),
                layer[box[2]],
                layer[box[3]] - layer[box[2]],
                plane[box[4]],
                plane[box[5]] - plane[box[4]]);
    }

    /** Returns the first byte of a box of cells of a buffer. */
    long offset(int resource, int[] box) {
        return mipCuts[resource][box[0]];
    }

    /** Returns the bytes of a box of cells of a buffer. */
    long bytes(int resource, int[] box) {
        return mipCuts[resource][box[1]] - mipCuts[resource][box[0]];
    }

    /** Fills {@code box} with the coordinates of one cell. */
    void boxOfCell(int cell, int[] box) {
        int resource = cellResource[cell];
        int local = cell - cellBase[resource];
        int m = mips(resource);
        int l = layers(resource);
        box[0] = local % m;
        box[1] = box[0] + 1;
        box[2] = local / m % l;
        box[3] = box[2] + 1;
        box[4] = local / (m * l);
        box[5] = box[4] + 1;
    }

    /** Fills {@code box} with the cells that a use covers: from and to of mips (or bytes), layers and planes. */
    void box(DeclaredGraph.Use use, int[] box) {
        int r = use.resource();
        box[2] = 0;
        box[3] = layers(r);
        box[4] = 0;
        box[5] = planes(r);
        SubresourceRange range = use.range();
        if (range != null) {
            box[0] = Arrays.binarySearch(mipCuts[r], range.baseMip());
            box[1] = Arrays.binarySearch(mipCuts[r], range.baseMip() + range.mipCount());
            box[2] = Arrays.binarySearch(layerCuts[r], range.baseLayer());
            box[3] = Arrays.binarySearch(layerCuts[r], range.baseLayer() + range.layerCount());
            box[4] = Arrays.binarySearch(planeCuts[r], range.basePlane());
            box[5] = Arrays.binarySearch(planeCuts[r], range.basePlane() + range.planeCount());
        } else if (use.bytes() >= 0) {
            box[0] = Arrays.binarySearch(mipCuts[r], use.offset());
            box[1] = Arrays.binarySearch(mipCuts[r], use.offset() + use.bytes());
        } else {
            box[0] = 0;
            box[1] = mips(r);
        }
    }

    int cell(int resource, int x, int y, int z) {
        return cellBase[resource] + (z * layers(resource) + y) * mips(resource) + x;
    }

    boolean isTexture(int resource) {
        return graph.resources().get(resource).isTexture();
    }

    boolean isDepth(int resource) {
        TextureDescription texture = graph.resources().get(resource).texture();
        return texture != null && texture.format().isDepth();
    }

    private int mips(int resource) {
        return mipCuts[resource].length - 1;
    }

    private int layers(int resource) {
        return layerCuts[resource].length - 1;
    }

    private int planes(int resource) {
        return planeCuts[resource].length - 1;
    }

    /** A texture can only be read through a layout; accesses without one (buffer accesses) never reach a texture. */
    private static int layoutOf(Access access) {
        return ReadLayouts.code(access.layout());
    }

    private void cut() {
        List<List<DeclaredGraph.Use>> ranged = new ArrayList<>();
        for (int r = 0; r < graph.resources().size(); r++) {
            ranged.add(new ArrayList<>(0));
        }
        for (DeclaredGraph.Pass pass : graph.passes()) {
            for (DeclaredGraph.Use use : pass.uses()) {
                if (use.range() != null || use.bytes() >= 0) {
                    ranged.get(use.resource()).add(use);
                }
            }
        }
        for (int r = 0; r < ranged.size(); r++) {
            cut(r, ranged.get(r));
        }
    }

    private void cut(int resource, List<DeclaredGraph.Use> ranged) {
        TextureDescription texture = graph.resources().get(resource).texture();
        BufferDescription buffer = graph.resources().get(resource).buffer();
        int length = 2 + 2 * ranged.size();
        long[] x = new long[length];
        int[] y = new int[length];
        int[] z = new int[length];
        x[1] = texture != null ? texture.mips() : buffer == null ? 1 : buffer.bytes();
        y[1] = texture != null ? texture.layers() : 1;
        z[1] = texture != null ? texture.format().planes() : 1;
        int at = 2;
        for (DeclaredGraph.Use use : ranged) {
            SubresourceRange range = use.range();
            if (range != null) {
                x[at] = range.baseMip();
                x[at + 1] = (long) range.baseMip() + range.mipCount();
                y[at] = range.baseLayer();
                y[at + 1] = range.baseLayer() + range.layerCount();
                z[at] = range.basePlane();
                z[at + 1] = range.basePlane() + range.planeCount();
            } else {
                x[at] = use.offset();
                x[at + 1] = use.offset() + use.bytes();
            }
            at += 2;
        }
        mipCuts[resource] = Arrays.stream(x).sorted().distinct().toArray();
        layerCuts[resource] = Arrays.stream(y).sorted().distinct().toArray();
        planeCuts[resource] = Arrays.stream(z).sorted().distinct().toArray();
    }
}
