package io.frameloom.gpu.device;

import io.frameloom.gpu.command.PipelineStage;

/**
 * Masks of stages as synchronisation scopes. An execution scope reaches over the logically earlier (source) or later
 * (destination) stages of the pipeline ("Pipeline Stages" in the Vulkan specification). Work outside of the stages,
 * such as layout transitions, is of the pseudo stage {@link #OTHER}, which ALL_COMMANDS covers. Stateless.
 */
@SuppressWarnings("EnumOrdinal")
public final class StageScopes {
    /** Stage index of work that only ALL_COMMANDS covers: layout transitions, ownership transfers, timestamps. */
    public static final int OTHER = PipelineStage.values().length - 1;

    /** Number of stage indices, {@link #OTHER} included. */
    public static final int COUNT = OTHER + 1;

    private static final int INDIRECT = PipelineStage.DRAW_INDIRECT.bit();
    private static final int INPUT = PipelineStage.VERTEX_INPUT.bit();
    private static final int VERTEX = PipelineStage.VERTEX_SHADER.bit();
    private static final int FRAGMENT = PipelineStage.FRAGMENT_SHADER.bit();
    private static final int DEPTH = PipelineStage.DEPTH_TESTS.bit();
    private static final int COLOR = PipelineStage.COLOR_OUTPUT.bit();
    private static final int COMPUTE = PipelineStage.COMPUTE_SHADER.bit();
    private static final int RAYS = PipelineStage.RAY_TRACING_SHADER.bit();
    private static final int ALL = PipelineStage.ALL_COMMANDS.bit();
    private static final int HOST = PipelineStage.HOST.bit();
    private static final int DEVICE = ((1 << OTHER) - 1) & ~HOST;

    private StageScopes() {}

    /** Returns the stages named, ALL_COMMANDS resolved; for the source of access scopes other work included. */
    public static int namedSource(int mask) {
        return (mask & ALL) == 0 ? mask : mask | DEVICE | (1 << OTHER);
    }

    /** Returns the stages named, ALL_COMMANDS resolved. */
    public static int namedDestination(int mask) {
        return (mask & ALL) == 0 ? mask : (mask & ~ALL) | DEVICE;
    }

    /** Returns the stages that a source execution scope covers. */
    public static int source(int mask) {
        int all = namedSource(mask);
        if ((mask & COLOR) != 0) {
            all |= DEPTH | FRAGMENT | VERTEX | INPUT | INDIRECT;
        }
        if ((mask & DEPTH) != 0) {
            all |= FRAGMENT | VERTEX | INPUT | INDIRECT;
        }
        if ((mask & FRAGMENT) != 0) {
            all |= VERTEX | INPUT | INDIRECT;
        }
        if ((mask & VERTEX) != 0) {
            all |= INPUT | INDIRECT;
        }
        if ((mask & (INPUT | COMPUTE | RAYS)) != 0) {
            all |= INDIRECT;
        }
        return all;
    }

    /** Returns the stages that a destination execution scope covers. */
    public static int destination(int mask) {
        int all = namedDestination(mask);
        if ((mask & INDIRECT) != 0) {
            all |= INPUT | VERTEX | FRAGMENT | DEPTH | COLOR | COMPUTE | RAYS;
        }
        if ((mask & INPUT) != 0) {
            all |= VERTEX | FRAGMENT | DEPTH | COLOR;
        }
        if ((mask & VERTEX) != 0) {
            all |= FRAGMENT | DEPTH | COLOR;
        }
        if ((mask & DEPTH) != 0) {
            all |= FRAGMENT | COLOR;
        }
        if ((mask & FRAGMENT) != 0) {
            all |= COLOR;
        }
        return all;
    }
}
