package io.frameloom.rdg.compile.graph;

import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The cells of one resource of which parts are used: the boxes between borders in mips, layers and planes, or, of a
 * buffer, in bytes. Immutable; any thread.
 */
final class CellGrid {
    /** The borders of a single layer or plane. */
    private static final int[] UNCUT = {0, 1};

    /** Borders in mips, or bytes. */
    private final long[] mips;

    private final int[] layers;
    private final int[] planes;

    private CellGrid(long[] mips, int[] layers, int[] planes) {
        this.mips = mips;
        this.layers = layers;
        this.planes = planes;
    }

    /**
     * Returns the grid of borders at the first {@code length} numbers of each axis, in any order and repeated. Sorts
     * them. Many resources are cut alike, so an equal grid of another one is returned in place of a new one.
     */
    static CellGrid of(long[] mips, int[] layers, int[] planes, int length, @Nullable CellGrid other) {
        int x = distinct(mips, length);
        int y = distinct(layers, length);
        int z = distinct(planes, length);
        if (other != null
                && Arrays.equals(mips, 0, x, other.mips, 0, other.mips.length)
                && Arrays.equals(layers, 0, y, other.layers, 0, other.layers.length)
                && Arrays.equals(planes, 0, z, other.planes, 0, other.planes.length)) {
            return other;
        }
        return new CellGrid(Arrays.copyOf(mips, x), cutAt(layers, y), cutAt(planes, z));
    }

    int count() {
        return width() * height() * (planes.length - 1);
    }

    private int width() {
        return mips.length - 1;
    }

    private int height() {
        return layers.length - 1;
    }

    /** Returns how far a cell is from the farthest one before it that it touches. */
    int reach() {
        return planes.length > 2 ? width() * height() : height() > 1 ? width() : 1;
    }

    /** Returns a cell by its coordinates, counted from the first one of the resource. */
    int cell(int x, int y, int z) {
        return (z * height() + y) * width() + x;
    }

    /** Fills {@code box} with the coordinates of one cell: from and to of mips (or bytes), layers and planes. */
    void boxOfCell(int cell, int[] box) {
        int m = width();
        int l = height();
        box[0] = cell % m;
        box[1] = box[0] + 1;
        box[2] = cell / m % l;
        box[3] = box[2] + 1;
        box[4] = cell / (m * l);
        box[5] = box[4] + 1;
    }

    void box(DeclaredGraph graph, int use, int[] box) {
        box[2] = 0;
        box[3] = height();
        box[4] = 0;
        box[5] = planes.length - 1;
        SubresourceRange range = graph.range(use);
        if (range != null) {
            box[0] = at(mips, range.baseMip());
            box[1] = at(mips, range.baseMip() + range.mipCount());
            box[2] = at(layers, range.baseLayer());
            box[3] = at(layers, range.baseLayer() + range.layerCount());
            box[4] = at(planes, range.basePlane());
            box[5] = at(planes, range.basePlane() + range.planeCount());
        } else if (graph.bytes(use) >= 0) {
            box[0] = Arrays.binarySearch(mips, graph.offset(use));
            box[1] = Arrays.binarySearch(mips, graph.offset(use) + graph.bytes(use));
        } else {
            box[0] = 0;
            box[1] = width();
        }
    }

    int firstCell(DeclaredGraph graph, int use) {
        SubresourceRange range = graph.range(use);
        if (range == null) {
            return graph.bytes(use) < 0 ? 0 : Arrays.binarySearch(mips, graph.offset(use));
        }
        return cell(at(mips, range.baseMip()), at(layers, range.baseLayer()), at(planes, range.basePlane()));
    }

    /** Returns which border of mips a number is. Mostly each mip up to it is one, so it is its own place. */
    private static int at(long[] borders, int border) {
        int guess = Math.min(border, borders.length - 1);
        return borders[guess] == border ? guess : Arrays.binarySearch(borders, border);
    }

    /** The same of layers and planes. */
    private static int at(int[] borders, int border) {
        int guess = Math.min(border, borders.length - 1);
        return borders[guess] == border ? guess : Arrays.binarySearch(borders, border);
    }

    SubresourceRange range(int[] box) {
        return new SubresourceRange(
                (int) mips[box[0]],
                (int) (mips[box[1]] - mips[box[0]]),
                layers[box[2]],
                layers[box[3]] - layers[box[2]],
                planes[box[4]],
                planes[box[5]] - planes[box[4]]);
    }

    /** Returns the first byte of a box of cells of a buffer. */
    long offset(int[] box) {
        return mips[box[0]];
    }

    long bytes(int[] box) {
        return mips[box[1]] - mips[box[0]];
    }

    /** Leaves each number once and returns how many there are. */
    private static int distinct(long[] values, int length) {
        Arrays.sort(values, 0, length);
        int count = 1;
        for (int i = 1; i < length; i++) {
            if (values[i] != values[count - 1]) {
                values[count++] = values[i];
            }
        }
        return count;
    }

    private static int distinct(int[] values, int length) {
        Arrays.sort(values, 0, length);
        int count = 1;
        for (int i = 1; i < length; i++) {
            if (values[i] != values[count - 1]) {
                values[count++] = values[i];
            }
        }
        return count;
    }

    private static int[] cutAt(int[] borders, int count) {
        return count == 2 && borders[1] == 1 ? UNCUT : Arrays.copyOf(borders, count);
    }
}
