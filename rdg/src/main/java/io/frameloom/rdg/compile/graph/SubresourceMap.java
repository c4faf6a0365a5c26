package io.frameloom.rdg.compile.graph;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.rdg.declare.DeclaredGraph;

/**
 * The cells of a graph, and what each pass does to each of them. A <em>touch</em> is all that one pass does to one
 * cell: its uses merged. Lives in scratch memory, until that is reset, but for what {@link #forPlan} returns.
 */
public final class SubresourceMap extends Cells {
    /** The pass needs what was in the cell before. */
    public static final int NEEDS = 1;
    /** The pass writes the cell. */
    public static final int WRITES = 2;

    private static final int ACCESS_SHIFT = PipelineStage.values().length;
    private static final int STAGE_MASK = (1 << ACCESS_SHIFT) - 1;
    private static final int ACCESS_MASK = (1 << MemoryAccess.values().length) - 1;

    private static final int LAYOUT_SHIFT = 2;
    private static final int OVERLAP_SHIFT = 8;
    private static final int LAYOUT_MASK = (1 << (OVERLAP_SHIFT - LAYOUT_SHIFT)) - 1;

    public static final TextureLayout[] LAYOUTS = TextureLayout.values();

    private static final Access[] ACCESSES = Access.values();
    /** By number of an access its scope, of a buffer and a texture alike. */
    private static final int[] SCOPES = new int[ACCESSES.length];
    /** By number of an access its traits: of a buffer, then of a texture, then of one that is read where it is attached. */
    private static final int[] TRAITS = new int[3 * ACCESSES.length];

    static {
        if (ACCESS_SHIFT + MemoryAccess.values().length > Integer.SIZE) {
            throw new IllegalStateException("stages and accesses do not fit into one int");
        }
        for (int number = 0; number < ACCESSES.length; number++) {
            Access access = ACCESSES[number];
            int flags = access.writes() ? WRITES : 0;
            SCOPES[number] = scope(access.stages(), access.memoryAccess());
            TRAITS[number] = traits(flags, ReadLayouts.code(TextureLayout.UNDEFINED), 0);
            TRAITS[ACCESSES.length + number] = traits(flags, ReadLayouts.code(access.layout()), 0);
            TRAITS[2 * ACCESSES.length + number] = traits(flags, ReadLayouts.code(localLayout(access)), 0);
        }
    }

    /** First cell of each resource, and the number of cells at the end. */
    public final int[] cellBase;

    public final int[] cellResource;
    /** Which of the grids each resource has, -1 for none. */
    private final int[] gridOf;
    /** First touch of each pass, and the number of touches at the end. */
    public final int[] touchBase;

    public final int[] touchPass;
    public final int[] touchCell;
    /** Flags, layout and overlap group of each touch in one number, see {@link #layout} and {@link #overlap}. */
    public final int[] touchTraits;

    /** By cell the number of touches of those before it, and at the end that of all. */
    final int[] touchesBefore;
    /** {@linkplain #scope Stages and accesses} of each touch. */
    private final int[] touchScope;

    private final int touches;
    /** Passes that touch resources of more than one cell, in order. */
    final IntList partPasses;
    /** Touches whose uses exclude each other, as pairs (touch, use). */
    public final int[] conflicts;
    /** Whether it is seen at first sight that an output needs each pass, see {@link TouchLists#areAllNeeded}. */
    final boolean needsAll;
    /** Whether the first to touch some cell of a resource without contents is a read. */
    public final boolean readsFirst;

    /** A map of a graph all of whose uses lie within its resources, and which does not change any more. */
    public SubresourceMap(DeclaredGraph graph, Scratch scratch) {
        super(graph, scratch);
        cellBase = scratch.ints(graph.resources() + 1);
        cellResource = scratch.ints(cells());
        gridOf = scratch.ints(graph.resources());
        write(cellBase, cellResource, gridOf);
        int passes = graph.passes();
        touchBase = scratch.ints(passes + 1);
        touchesBefore = scratch.ints(cells() + 1);
        partPasses = scratch.list();
        TouchLists lists = new TouchLists(graph, scratch);
        long mark = scratch.mark();
        lists.start(cells(), scratch);
        int[] box = new int[6];
        for (int p = 0; p < passes; p++) {
            touchBase[p] = lists.begin();
            boolean parts = false;
            for (int u = graph.firstUse(p), end = graph.firstUse(p + 1); u < end; u++) {
                parts |= touch(lists, p, u, box);
            }
            if (parts) {
                partPasses.add(p);
            }
        }
        touches = lists.begin();
        touchBase[passes] = touches;
        touchPass = lists.pass.reserve(0);
        touchCell = lists.cell.reserve(0);
        touchTraits = lists.traits.reserve(0);
        touchScope = lists.scope.reserve(0);
        lists.count(touchesBefore, cells());
        conflicts = lists.conflicts.toArray();
        readsFirst = lists.readsFirst;
        needsAll = lists.areAllNeeded(cells(), cellResource);
        scratch.release(mark);
    }

    /** Returns the layout for an access of a texture that some pass reads where it is attached. */
    private static TextureLayout localLayout(Access access) {
        return switch (access) {
            case COLOR_WRITE,
                    COLOR_READ_WRITE,
                    DEPTH_WRITE,
                    DEPTH_READ_WRITE,
                    DEPTH_READ,
                    STENCIL_WRITE,
                    STENCIL_READ_WRITE,
                    STENCIL_READ -> TextureLayout.LOCAL_READ;
            default -> access.layout();
        };
    }

    /** Packs what a touch does ({@link #NEEDS}, {@link #WRITES}), wants and may overlap with. */
    static int traits(int flags, int layout, int overlap) {
        return overlap << OVERLAP_SHIFT | layout << LAYOUT_SHIFT | flags;
    }

    public static int layout(int traits) {
        return traits >> LAYOUT_SHIFT & LAYOUT_MASK;
    }

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

    public static int stages(int scope) {
        return scope & STAGE_MASK;
    }

    public static int access(int scope) {
        return scope >>> ACCESS_SHIFT & ACCESS_MASK;
    }

    public int scope(int touch) {
        return touchScope[touch];
    }

    public int touches() {
        return touches;
    }

    @Override
    public boolean isOneCell(int resource) {
        return cellBase[resource + 1] - cellBase[resource] == 1;
    }

    @Override
    int base(int resource) {
        return cellBase[resource];
    }

    @Override
    int gridOf(int resource) {
        return gridOf[resource];
    }

    @Override
    public int resource(int cell) {
        return cellResource[cell];
    }

    public Cells forPlan() {
        return new Cells(this);
    }

    /** Adds the touches of a use; returns whether its resource has more than one cell. */
    private boolean touch(TouchLists touches, int pass, int use, int[] box) {
        int resource = graph.resource(use);
        int access = graph.accessNumber(use);
        int scope = SCOPES[access];
        // Without branches, which would be guessed wrong.
        int ofShape = TRAITS[graph.kindOfLayout(resource) * ACCESSES.length + access];
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
}
