package io.frameloom.gpu.command;

/**
 * A pipeline stage that a barrier or a wait can name. Sets of stages are {@code int} masks of {@link #bit()}.
 */
@SuppressWarnings("EnumOrdinal") // the declaration order is the definition
public enum PipelineStage {
    /** Reading of indirect draw, dispatch and trace arguments, and of conditions. */
    DRAW_INDIRECT,
    /** Fetching of vertices and indices. */
    VERTEX_INPUT,
    /** Vertex shaders, or task and mesh shaders in their place. */
    VERTEX_SHADER,
    /** Fragment shaders. */
    FRAGMENT_SHADER,
    /** Early and late depth and stencil tests, with the loads and stores of the depth attachment. */
    DEPTH_TESTS,
    /** Colour attachment output: blending, loads, stores and resolves. */
    COLOR_OUTPUT,
    /** Compute shaders. */
    COMPUTE_SHADER,
    /** Copies, blits, clears and fills outside of a render pass. */
    COPY,
    /** Builds and copies of acceleration structures. */
    ACCELERATION_STRUCTURE_BUILD,
    /** Shaders of ray-tracing pipelines. */
    RAY_TRACING_SHADER,
    /** Reads and writes of mapped memory by the host. */
    HOST,
    /** Every stage of every command of the queue. */
    ALL_COMMANDS;

    /** The mask without any stage: nothing to wait for, nothing that waits. */
    public static final int NONE = 0;

    private static final int COPY_STAGES = mask(COPY, HOST, ALL_COMMANDS);
    private static final int COMPUTE_STAGES =
            COPY_STAGES | mask(COMPUTE_SHADER, DRAW_INDIRECT, ACCELERATION_STRUCTURE_BUILD, RAY_TRACING_SHADER);
    private static final int GRAPHICS_STAGES = mask(values());

    /** Returns the stages that barriers on a queue of a kind may name; waits and signals name no {@link #HOST}. */
    public static int of(QueueKind kind) {
        return switch (kind) {
            case GRAPHICS -> GRAPHICS_STAGES;
            case COMPUTE -> COMPUTE_STAGES;
            case COPY -> COPY_STAGES;
        };
    }

    /** Returns the bit of this stage in a mask. */
    public int bit() {
        return 1 << ordinal();
    }

    /** Returns the mask of the given stages. */
    public static int mask(PipelineStage... stages) {
        int mask = NONE;
        for (PipelineStage stage : stages) {
            mask |= stage.bit();
        }
        return mask;
    }

    /** Returns whether every stage of {@code stages} is covered by {@code mask}; {@link #ALL_COMMANDS} covers all. */
    public static boolean covers(int mask, int stages) {
        int device = stages & ~HOST.bit();
        boolean deviceCovered = (mask & ALL_COMMANDS.bit()) != 0 || (device & ~mask) == 0;
        boolean hostCovered = (stages & HOST.bit()) == 0 || (mask & HOST.bit()) != 0;
        return deviceCovered && hostCovered;
    }

    /** Returns the names of the stages in {@code mask}, joined by {@code |}; {@code NONE} for the empty mask. */
    public static String describe(int mask) {
        return Masks.describe(mask, values());
    }
}
