package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.device.StageScopes;

/**
 * Masks as scopes of memory accesses. Unlike an execution scope ({@link StageScopes}), an access scope has only the
 * named stages ("Access Scopes" in the Vulkan specification).
 */
@SuppressWarnings("EnumOrdinal")
final class Scopes {
    /** Stage index of layout transitions and ownership transfers. */
    static final int TRANSITION = StageScopes.OTHER;

    /** Number of stage indices, {@link #TRANSITION} included. */
    static final int STAGES = StageScopes.COUNT;

    private static final int ALL_WRITES = MemoryAccess.writesOf(-1);

    private Scopes() {}

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

    /** Returns a mask of stages of an access in words. */
    static String describe(int stages) {
        return stages == 1 << TRANSITION ? "its layout transition" : PipelineStage.describe(stages);
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
