package io.frameloom.gpu.virtual;

import io.frameloom.gpu.PipelineStage;

/**
 * Stage masks as execution scopes: a source scope reaches back over the logically earlier stages of the pipeline, a
 * destination scope forward over the later ones ("Pipeline Stages" in the Vulkan specification). Bit {@link #OTHER}
 * stands for work outside of the listed stages: transitions and timestamps.
 */
@SuppressWarnings("EnumOrdinal")
final class Stages {
    /** Index of work that only ALL_COMMANDS covers. */
    static final int OTHER = PipelineStage.values().length - 1;

    /** Number of stage indices. */
    static final int COUNT = OTHER + 1;

    private static final int INDIRECT = PipelineStage.DRAW_INDIRECT.bit();
    private static final int INPUT = PipelineStage.VERTEX_INPUT.bit();
    private static final int VERTEX = PipelineStage.VERTEX_SHADER.bit();
    private static final int FRAGMENT = PipelineStage.FRAGMENT_SHADER.bit();
    private static final int DEPTH = PipelineStage.DEPTH_TESTS.bit();
    private static final int COLOR = PipelineStage.COLOR_OUTPUT.bit();
    private static final int COMPUTE = PipelineStage.COMPUTE_SHADER.bit();
    private static final int ALL = PipelineStage.ALL_COMMANDS.bit();
    private static final int EVERY_DEVICE_STAGE = ((1 << OTHER) - 1) & ~PipelineStage.HOST.bit();

    private Stages() {}

    static int source(int mask) {
        int all = mask;
        if ((mask & ALL) != 0) {
            all |= EVERY_DEVICE_STAGE | (1 << OTHER);
        }
        if ((mask & COLOR) != 0) {
            all |= DEPTH | FRAGMENT | VERTEX | INPUT | INDIRECT;
        }
        if ((mask & (DEPTH | FRAGMENT)) != 0) {
            all |= VERTEX | INPUT | INDIRECT;
        }
        if ((mask & DEPTH) != 0) {
            all |= FRAGMENT;
        }
        if ((mask & VERTEX) != 0) {
            all |= INPUT | INDIRECT;
        }
        if ((mask & (INPUT | COMPUTE)) != 0) {
            all |= INDIRECT;
        }
        return all;
    }

    static int destination(int mask) {
        int all = mask & ~ALL;
        if ((mask & ALL) != 0) {
            all |= EVERY_DEVICE_STAGE;
        }
        if ((mask & INDIRECT) != 0) {
            all |= INPUT | VERTEX | FRAGMENT | DEPTH | COLOR | COMPUTE;
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
