package io.frameloom.gpu.check;

import io.frameloom.gpu.MemoryAccess;
import io.frameloom.gpu.PipelineStage;

/**
 * Masks as synchronisation scopes. An execution scope reaches over the logically earlier (source) or later (destination)
 * stages of the pipeline, an access scope only over the stages named ("Pipeline Stages" and "Access Scopes" in the Vulkan
 * specification). Layout transitions are work of the pseudo stage {@link #TRANSITION}, which ALL_COMMANDS covers.
 */
@SuppressWarnings("EnumOrdinal")
final class Scopes {
    /** Stage index of layout transitions and ownership transfers. */
    static final int TRANSITION = PipelineStage.values().length - 1;

    /** Number of stage indices, {@link #TRANSITION} included. */
    static final int STAGES = TRANSITION + 1;

    private static final int INDIRECT = PipelineStage.DRAW_INDIRECT.bit();
    private static final int INPUT = PipelineStage.VERTEX_INPUT.bit();
    private static final int VERTEX = PipelineStage.VERTEX_SHADER.bit();
    private static final int FRAGMENT = PipelineStage.FRAGMENT_SHADER.bit();
    private static final int DEPTH = PipelineStage.DEPTH_TESTS.bit();
    private static final int COLOR = PipelineStage.COLOR_OUTPUT.bit();
    private static final int COMPUTE = PipelineStage.COMPUTE_SHADER.bit();
    private static final int ALL = PipelineStage.ALL_COMMANDS.bit();
    private static final int HOST = PipelineStage.HOST.bit();
    private static final int DEVICE = ((1 << TRANSITION) - 1) & ~HOST;
    private static final int ALL_WRITES = MemoryAccess.writesOf(-1);

    private Scopes() {}

    /** Returns the stages named, ALL_COMMANDS resolved; for the source of access scopes transitions included. */
    static int namedSource(int mask) {
        return (mask & ALL) == 0 ? mask : mask | DEVICE | (1 << TRANSITION);
    }

    /** Returns the stages named, ALL_COMMANDS resolved. */
    static int namedDestination(int mask) {
        return (mask & ALL) == 0 ? mask : (mask & ~ALL) | DEVICE;
    }

    /** Returns the stages that a source execution scope covers. */
    static int source(int mask) {
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
        if ((mask & (INPUT | COMPUTE)) != 0) {
            all |= INDIRECT;
        }
        return all;
    }

    /** Returns the stages that a destination execution scope covers. */
    static int destination(int mask) {
        int all = namedDestination(mask);
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

    /** Returns {@code accesses} with the two generic ones resolved. */
    static int accesses(int accesses) {
        int all = accesses;
        if ((accesses & MemoryAccess.MEMORY_WRITE.bit()) != 0) {
            all |= ALL_WRITES;
        }
        if ((accesses & MemoryAccess.MEMORY_READ.bit()) != 0) {
            all |= ~ALL_WRITES;
        }
        return all;
    }

    /** Returns the write access that a stage can perform; transitions are always made available. */
    static int writeOf(int stage) {
        if (stage == TRANSITION) {
            return 0;
        }
        MemoryAccess access = switch (PipelineStage.values()[stage]) {
            case VERTEX_SHADER, FRAGMENT_SHADER, COMPUTE_SHADER -> MemoryAccess.STORAGE_WRITE;
            case DEPTH_TESTS -> MemoryAccess.DEPTH_WRITE;
            case COLOR_OUTPUT -> MemoryAccess.COLOR_WRITE;
            case COPY -> MemoryAccess.COPY_WRITE;
            case HOST -> MemoryAccess.HOST_WRITE;
            case DRAW_INDIRECT, VERTEX_INPUT, ALL_COMMANDS -> MemoryAccess.MEMORY_WRITE;
        };
        return access.bit();
    }
}
