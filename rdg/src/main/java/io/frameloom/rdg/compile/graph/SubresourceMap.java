package io.frameloom.rdg.compile.graph;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.declare.DeclaredGraph;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cuts every resource into cells that all passes use homogeneously, and lists what each pass does to each cell.
 *
 * <p>The cells of a texture are the boxes between the borders of all declared ranges in mips, layers and planes. Those
 * of a buffer are the byte ranges between all borders. A resource that is only used whole is one cell. A <em>touch</em>
 * is all that one pass does to one cell: its uses merged.
 */
public final class SubresourceMap {
    /** The pass needs what was in the cell before. */
    public static final int NEEDS = 1;
    /** The pass writes the cell. */
    public static final int WRITES = 2;

    private static final int ACCESS_SHIFT = PipelineStage.values().length;
    private static final int STAGE_MASK = (1 << ACCESS_SHIFT) - 1;
    private static final int ACCESS_MASK = (1 << MemoryAccess.values().length) - 1;
    /** A scope takes the lowest of these bits. */
    public static final int SCOPE_BITS = ACCESS_SHIFT + MemoryAccess.values().length;

    private static final int[] NO_SCOPES = {};

    private static final int LAYOUT_SHIFT = 2;
    private static final int OVERLAP_SHIFT = 8;
    private static final int LAYOUT_MASK = (1 << (OVERLAP_SHIFT - LAYOUT_SHIFT)) - 1;

    public static final TextureLayout[] LAYOUTS = TextureLayout.values();

    private static final Access[] ACCESSES = Access.values();
    /** By number of an access its scope, of a buffer and a texture alike. */
    private static final int[] SCOPES = new int[ACCESSES.length];
    /** By number of an access its traits: of a buffer, and after these of a texture. */
    private static final int[] TRAITS = new int[2 * ACCESSES.length];

    static {
        for (int number = 0; number < ACCESSES.length; number++) {
            Access access = ACCESSES[number];
            int flags = access.writes() ? WRITES : 0;
            SCOPES[number] = scope(access.stages(), access.memoryAccess());
            TRAITS[number] = traits(flags, ReadLayouts.code(TextureLayout.UNDEFINED), 0);
            TRAITS[ACCESSES.length + number] = traits(flags, ReadLayouts.code(access.layout()), 0);
        }
    }

    /** First cell of each resource, and the number of cells at the end. */
    public final int[] cellBase;
    /** Resource of each cell. */
    public final int[] cellResource;
    /** First touch of each pass, and the number of touches at the end. */
    public final int[] touchBase;

    public final int[] touchPass;
    public final int[] touchCell;
    /** Flags, layout and overlap group of each touch in one number, see {@link #layout} and {@link #overlap}. */
    public final int[] touchTraits;

    /** By cell the number of touches of those before it, and at the end that of all. */
    final int[] touchesBefore;
    /** {@linkplain #scope Stages and accesses} of each touch, in scratch memory. */
    private int[] touchScope;

    /** Passes that touch resources of more than one cell, in order. */
    final int[] partPasses;
    /** Touches whose uses exclude each other, as pairs (touch, use). */
    public final int[] conflicts;
    /** Whether the first to touch some cell of a resource without contents is a read. */
    public final boolean readsFirst;

    private final DeclaredGraph graph;
    /** The cells of resources of which parts are used; null for the others, which are one cell. */
    private final @Nullable CellGrid[] grids;

    /** A map of a graph all of whose uses lie within its resources, and which does not change any more. */
    public SubresourceMap(DeclaredGraph graph, Scratch scratch) {
        this.graph = graph;
        int resources = graph.resources();
        grids = new CellGrid[resources];
        cut(scratch);
        cellBase = new int[resources + 1];
        for (int r = 0; r < resources; r++) {
            CellGrid grid = grids[r];
            cellBase[r + 1] = cellBase[r] + (grid == null ? 1 : grid.count());
        }
        cellResource = new int[cellBase[resources]];
        for (int r = 0; r < resources; r++) {
            for (int cell = cellBase[r], end = cellBase[r + 1]; cell < end; cell++) {
                cellResource[cell] = r;
            }
        }

        int passes = graph.passes();
        touchBase = new int[passes + 1];
        IntList scopes = scratch.list();
        long mark = scratch.mark();
        TouchLists touches = new TouchLists(graph, scopes, cellResource.length, scratch);
        IntList touchingParts = scratch.list();
        int[] box = new int[6];
        for (int p = 0; p < passes; p++) {
            touchBase[p] = touches.begin();
            boolean parts = false;
            for (int u = graph.firstUse(p), end = graph.firstUse(p + 1); u < end; u++) {
                parts |= touch(touches, p, u, box);
            }
            if (parts) {
                touchingParts.add(p);
            }
        }
        touchBase[passes] = touches.begin();
        touches.resize();
        touchPass = touches.pass.toArray();
        touchCell = touches.cell.toArray();
        touchTraits = touches.traits.toArray();
        touchScope = scopes.reserve(0);
        touchesBefore = touches.touchesBefore(cellResource.length);
        partPasses = touchingParts.toArray();
        conflicts = touches.conflicts.toArray();
        readsFirst = touches.readsFirst;
        scratch.release(mark);
    }

    /** Packs what a touch does ({@link #NEEDS}, {@link #WRITES}), wants and may overlap with. */
    static int traits(int flags, int layout, int overlap) {
        return overlap << OVERLAP_SHIFT | layout << LAYOUT_SHIFT | flags;
    }

    /** Returns the layout that a touch with such traits wants. */
    public static int layout(int traits) {
        return traits >> LAYOUT_SHIFT & LAYOUT_MASK;
    }

    /** Returns traits with another layout. */
    static int withLayout(int traits, int layout) {
        return (traits & ~(LAYOUT_MASK << LAYOUT_SHIFT)) | layout << LAYOUT_SHIFT;
    }

    /** Returns the group whose writes may overlap of a touch with such traits, -1 for none. */
    static int overlap(int traits) {
        return traits >> OVERLAP_SHIFT;
    }

    /** Packs stages and accesses. */
    public static int scope(int stages, int access) {
        return stages | access << ACCESS_SHIFT;
    }

    /** Returns the stages of a scope; further bits may be set. */
    public static int stages(int scope) {
        return scope & STAGE_MASK;
    }

    /** Returns the accesses of a scope; further bits may be set. */
    public static int access(int scope) {
        return scope >>> ACCESS_SHIFT & ACCESS_MASK;
    }

    /** Returns the stages and accesses of a touch; while compiling. */
    public int scope(int touch) {
        return touchScope[touch];
    }

    /** Lets go of what only the compiler asks for. */
    public void keepForPlan() {
        touchScope = NO_SCOPES;
    }

    /** Adds the touches of a use; returns whether its resource has more than one cell. */
    private boolean touch(TouchLists touches, int pass, int use, int[] box) {
        int resource = graph.resource(use);
        int access = graph.accessNumber(use);
        int scope = SCOPES[access];
        // Without branches, which would be guessed wrong.
        int ofShape = TRAITS[(graph.kindOfShape(resource) & 1) * ACCESSES.length + access];
        int wanted = ofShape | (graph.needsContents(use) ? NEEDS : 0) | graph.overlap(use) << OVERLAP_SHIFT;
        if (isOneCell(resource)) {
            touches.reserve(1);
            touches.add(pass, use, resource, cellBase[resource], scope, wanted);
            return false;
        }
        box(use, box);
        touches.reserve((box[1] - box[0]) * (box[3] - box[2]) * (box[5] - box[4]));
        for (int z = box[4]; z < box[5]; z++) {
            for (int y = box[2]; y < box[3]; y++) {
                for (int x = box[0]; x < box[1]; x++) {
                    touches.add(pass, use, resource, cell(resource, x, y, z), scope, wanted);
                }
            }
        }
        return true;
    }

    /** Returns the number of cells. */
    public int cells() {
        return cellResource.length;
    }

    /** Returns the range of texture that a box of cells covers. */
    public SubresourceRange range(int resource, int[] box) {
        CellGrid grid = grids[resource];
        return grid == null ? whole(resource) : grid.range(box);
    }

    /** Returns the range of everything of a texture. */
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
        return grids[resource] == null;
    }

    /** Returns how far a cell of a resource is from the farthest one before it that it touches. */
    public int reach(int resource) {
        CellGrid grid = grids[resource];
        return grid == null ? 1 : grid.reach();
    }

    /** Returns the first byte of a box of cells of a buffer. */
    public long offset(int resource, int[] box) {
        CellGrid grid = grids[resource];
        return grid == null ? 0 : grid.offset(box);
    }

    /** Returns the bytes of a box of cells of a buffer. */
    public long bytes(int resource, int[] box) {
        CellGrid grid = grids[resource];
        return grid == null ? bufferBytes(resource) : grid.bytes(box);
    }

    /** Returns the bytes of a buffer. */
    public long bufferBytes(int resource) {
        BufferDescription buffer = graph.buffer(resource);
        return buffer == null ? 0 : buffer.bytes();
    }

    /** Fills {@code box} with the coordinates of one cell. */
    public void boxOfCell(int cell, int[] box) {
        int resource = cellResource[cell];
        CellGrid grid = grids[resource];
        if (grid == null) {
            boxOfOne(box);
        } else {
            grid.boxOfCell(cell - cellBase[resource], box);
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
        CellGrid grid = grids[graph.resource(use)];
        if (grid == null) {
            boxOfOne(box);
        } else {
            grid.box(graph, use, box);
        }
    }

    /** Returns the first cell that a use covers. */
    public int firstCell(int use) {
        CellGrid grid = grids[graph.resource(use)];
        int first = cellBase[graph.resource(use)];
        return grid == null ? first : first + grid.firstCell(graph, use);
    }

    public int cell(int resource, int x, int y, int z) {
        CellGrid grid = grids[resource];
        int first = cellBase[resource];
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
        int[] last = scratch.ints(grids.length, -1);
        for (int at = 0; at < partial.size(); at++) {
            int r = graph.resource(partial.get(at));
            before.add(last[r]);
            last[r] = at;
        }
        for (int r = 0; r < grids.length; r++) {
            if (last[r] >= 0) {
                cut(r, partial, before, last[r], scratch);
            }
        }
    }

    /** Cuts one resource at the borders of its uses of parts, from the last one on. */
    private void cut(int resource, IntList partial, IntList before, int lastUse, Scratch scratch) {
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
        CellGrid grid = new CellGrid(x, y, z, length);
        grids[resource] = grid.count() == 1 ? null : grid;
        scratch.release(mark);
    }
}
