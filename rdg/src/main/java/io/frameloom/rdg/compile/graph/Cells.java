package io.frameloom.rdg.compile.graph;

import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cuts every resource into cells that all passes use homogeneously.
 *
 * <p>The cells of a texture are the boxes between the borders of all declared ranges in mips, layers and planes. Those
 * of a buffer are the byte ranges between all borders. A resource that is only used whole is one cell. A part of the
 * plan; immutable.
 */
public class Cells {
    private static final int[] NONE = {};
    private static final CellGrid[] NO_GRIDS = {};

    final DeclaredGraph graph;
    /** The resources of more than one cell, in order. */
    private int[] cut = NONE;
    /** The first cell of each of these. Between them are resources of one cell each. */
    private int[] firstOfCut = NONE;

    private CellGrid[] grids = NO_GRIDS;
    private int count;

    /** Cells of a graph all of whose uses lie within its resources, and which does not change any more. */
    Cells(DeclaredGraph graph, Scratch scratch) {
        this.graph = graph;
        count = graph.resources();
        cut(scratch);
    }

    /** The cells of others, and nothing that these know besides. */
    Cells(Cells others) {
        graph = others.graph;
        cut = others.cut;
        firstOfCut = others.firstOfCut;
        grids = others.grids;
        count = others.count;
    }

    /**
     * Writes the first cell of each resource, and the number of cells at the end, the resource of each cell, and which
     * of the grids each resource has, -1 for none.
     */
    final void write(int[] base, int[] resourceOf, int[] gridOf) {
        int next = 0;
        int cell = 0;
        for (int r = 0, resources = graph.resources(); r < resources; r++) {
            base[r] = cell;
            gridOf[r] = -1;
            int end = cell + 1;
            if (next < cut.length && cut[next] == r) {
                gridOf[r] = next;
                end = cell + grids[next++].count();
            }
            while (cell < end) {
                resourceOf[cell++] = r;
            }
        }
        base[graph.resources()] = cell;
    }

    /** Returns the grid of a resource that has more than one cell, else null. */
    private @Nullable CellGrid grid(int resource) {
        int at = gridOf(resource);
        return at < 0 ? null : grids[at];
    }

    /** Returns which of the grids a resource has, a negative number for none. */
    int gridOf(int resource) {
        return cut.length == 0 ? -1 : Arrays.binarySearch(cut, resource);
    }

    public int resource(int cell) {
        int at = Arrays.binarySearch(firstOfCut, cell);
        int last = at < 0 ? -2 - at : at;
        if (last < 0) {
            return cell;
        }
        return cut[last] + Math.max(0, cell - firstOfCut[last] - grids[last].count() + 1);
    }

    int base(int resource) {
        int at = Arrays.binarySearch(cut, resource);
        int last = at < 0 ? -2 - at : at;
        if (last < 0) {
            return resource;
        }
        int behind = resource - cut[last];
        return firstOfCut[last] + behind + (behind == 0 ? 0 : grids[last].count() - 1);
    }

    public final int cells() {
        return count;
    }

    public SubresourceRange range(int resource, int[] box) {
        CellGrid grid = grid(resource);
        return grid == null ? whole(resource) : grid.range(box);
    }

    public SubresourceRange whole(int resource) {
        if (graph.isSingle(resource)) {
            return SubresourceRange.mip(0);
        }
        TextureDescription texture = graph.texture(resource);
        if (texture == null) {
            throw new IllegalStateException("resource " + resource + " is no texture");
        }
        return SubresourceRange.all(texture);
    }

    /** Returns whether a resource is only used whole. */
    public boolean isOneCell(int resource) {
        return grid(resource) == null;
    }

    /** Returns how far a cell of a resource is from the farthest one before it that it touches. */
    public int reach(int resource) {
        CellGrid grid = grid(resource);
        return grid == null ? 1 : grid.reach();
    }

    /** Returns the first byte of a box of cells of a buffer. */
    public long offset(int resource, int[] box) {
        CellGrid grid = grid(resource);
        return grid == null ? 0 : grid.offset(box);
    }

    public long bytes(int resource, int[] box) {
        CellGrid grid = grid(resource);
        return grid == null ? bufferBytes(resource) : grid.bytes(box);
    }

    public long bufferBytes(int resource) {
        BufferDescription buffer = graph.buffer(resource);
        return buffer == null ? 0 : buffer.bytes();
    }

    public void boxOfCell(int cell, int[] box) {
        int resource = resource(cell);
        CellGrid grid = grid(resource);
        if (grid == null) {
            boxOfOne(box);
        } else {
            grid.boxOfCell(cell - base(resource), box);
        }
    }

    private static void boxOfOne(int[] box) {
        Arrays.fill(box, 0);
        box[1] = 1;
        box[3] = 1;
        box[5] = 1;
    }

    /** Fills {@code box} with the cells that a use covers: from and to of mips (or bytes), layers and planes. */
    public void box(int use, int[] box) {
        CellGrid grid = grid(graph.resource(use));
        if (grid == null) {
            boxOfOne(box);
        } else {
            grid.box(graph, use, box);
        }
    }

    public int firstCell(int use) {
        CellGrid grid = grid(graph.resource(use));
        int first = base(graph.resource(use));
        return grid == null ? first : first + grid.firstCell(graph, use);
    }

    public int cell(int resource, int x, int y, int z) {
        CellGrid grid = grid(resource);
        int first = base(resource);
        return grid == null ? first : first + grid.cell(x, y, z);
    }

    public boolean isTexture(int resource) {
        return graph.isTexture(resource);
    }

    boolean isDepth(int resource) {
        return graph.isDepth(resource);
    }

    /** Most resources are used whole: only those that are not get borders of their own. */
    private void cut(Scratch scratch) {
        long mark = scratch.mark();
        IntList partial = scratch.list();
        for (int use = 0, end = graph.uses(); use < end; use++) {
            if (graph.isPartial(use)) {
                partial.add(use);
            }
        }
        if (partial.size() > 0) {
            cut(partial, scratch);
        }
        scratch.release(mark);
    }

    /** Cuts the resources of which uses leave out a part. */
    private void cut(IntList partial, Scratch scratch) {
        // Of each use of a part the one of the same resource before it.
        IntList before = scratch.list();
        int[] last = scratch.ints(graph.resources(), -1);
        for (int at = 0; at < partial.size(); at++) {
            int r = graph.resource(partial.get(at));
            before.add(last[r]);
            last[r] = at;
        }
        int resources = graph.resources();
        int cuts = 0;
        for (int r = 0; r < resources; r++) {
            cuts += last[r] >= 0 ? 1 : 0;
        }
        cut = new int[cuts];
        firstOfCut = new int[cuts];
        grids = new CellGrid[cuts];
        CellGrid grid = null;
        for (int r = 0, at = 0; r < resources; r++) {
            if (last[r] >= 0) {
                grid = cut(r, partial, before, last[r], grid, scratch);
                cut[at] = r;
                firstOfCut[at] = r + count - resources;
                grids[at++] = grid;
                count += grid.count() - 1;
            }
        }
    }

    /** Cuts one resource at the borders of its uses of parts, from the last one on. */
    private CellGrid cut(
            int resource, IntList partial, IntList before, int lastUse, @Nullable CellGrid former, Scratch scratch) {
        int uses = 0;
        for (int at = lastUse; at >= 0; at = before.get(at)) {
            uses++;
        }
        long mark = scratch.mark();
        int length = 2 + 2 * uses;
        long[] x = scratch.longs(length);
        int[] y = scratch.ints(length, 0);
        int[] z = scratch.ints(length, 0);
        TextureDescription texture = graph.texture(resource);
        x[0] = 0;
        x[1] = texture == null ? bufferBytes(resource) : texture.mips();
        y[1] = texture == null ? 1 : texture.layers();
        z[1] = texture == null ? 1 : texture.format().planes();
        int end = 2;
        for (int at = lastUse; at >= 0; at = before.get(at)) {
            int use = partial.get(at);
            SubresourceRange range = graph.range(use);
            if (range != null) {
                x[end] = range.baseMip();
                x[end + 1] = (long) range.baseMip() + range.mipCount();
                y[end] = range.baseLayer();
                y[end + 1] = range.baseLayer() + range.layerCount();
                z[end] = range.basePlane();
                z[end + 1] = range.basePlane() + range.planeCount();
            } else {
                x[end] = graph.offset(use);
                x[end + 1] = graph.offset(use) + graph.bytes(use);
            }
            end += 2;
        }
        CellGrid grid = CellGrid.of(x, y, z, length, former);
        scratch.release(mark);
        return grid;
    }
}
