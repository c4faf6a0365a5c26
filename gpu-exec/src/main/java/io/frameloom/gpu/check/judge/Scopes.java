package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.device.StageScopes;

/**
 * Masks as scopes of memory accesses, and the pairs of a stage and an access, numbered. Unlike an execution scope
 * ({@link StageScopes}), an access scope has only the named stages ("Access Scopes" in the Vulkan specification).
 */
@SuppressWarnings("EnumOrdinal")
final class Scopes {
    /** Stage index of layout transitions and ownership transfers. */
    static final int TRANSITION = StageScopes.OTHER;

    /** Number of stage indices, {@link #TRANSITION} included. */
    static final int STAGES = StageScopes.COUNT;

    static final int ACCESSES = MemoryAccess.values().length;

    private static final int ALL_WRITES = MemoryAccess.writesOf(-1);
    private static final int[] PAIR = new int[STAGES * ACCESSES];

    /** Number of pairs of a stage and a memory access that can occur: visibility is a matter of such pairs. */
    static final int PAIRS = numberPairs();

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

    static String describe(int stages) {
        return stages == 1 << TRANSITION ? "its layout transition" : PipelineStage.describe(stages);
    }

    /** Returns the write access that a stage can perform; transitions are always made available. */
    static int writeOf(int stage) {
        if (stage == TRANSITION) {
            return 0;
        }
        MemoryAccess access = switch (PipelineStage.values()[stage]) {
            case VERTEX_SHADER, FRAGMENT_SHADER, COMPUTE_SHADER, RAY_TRACING_SHADER -> MemoryAccess.STORAGE_WRITE;
            case DEPTH_TESTS -> MemoryAccess.DEPTH_WRITE;
            case COLOR_OUTPUT -> MemoryAccess.COLOR_WRITE;
            case COPY -> MemoryAccess.COPY_WRITE;
            case ACCELERATION_STRUCTURE_BUILD -> MemoryAccess.ACCELERATION_STRUCTURE_WRITE;
            case HOST -> MemoryAccess.HOST_WRITE;
            case DRAW_INDIRECT, VERTEX_INPUT, ALL_COMMANDS -> MemoryAccess.MEMORY_WRITE;
        };
        return access.bit();
    }

    /** Returns the number of a pair, or -1 if the stage cannot perform the access. */
    static int pair(int stage, int access) {
        return PAIR[stage * ACCESSES + access];
    }

    private static int numberPairs() {
        int next = 0;
        for (int stage = 0; stage < Scopes.STAGES; stage++) {
            int mask = stage == Scopes.TRANSITION ? 0 : possible(PipelineStage.values()[stage]);
            for (int access = 0; access < ACCESSES; access++) {
                PAIR[stage * ACCESSES + access] = (mask & (1 << access)) != 0 ? next++ : -1;
            }
        }
        return next;
    }

    private static int possible(PipelineStage stage) {
        return switch (stage) {
            case DRAW_INDIRECT -> MemoryAccess.INDIRECT_READ.bit();
            case VERTEX_INPUT -> MemoryAccess.mask(MemoryAccess.INDEX_READ, MemoryAccess.VERTEX_READ);
            case VERTEX_SHADER, FRAGMENT_SHADER, COMPUTE_SHADER, RAY_TRACING_SHADER ->
                MemoryAccess.mask(
                        MemoryAccess.UNIFORM_READ,
                        MemoryAccess.SAMPLED_READ,
                        MemoryAccess.STORAGE_READ,
                        MemoryAccess.STORAGE_WRITE,
                        MemoryAccess.ACCELERATION_STRUCTURE_READ);
            case DEPTH_TESTS -> MemoryAccess.mask(MemoryAccess.DEPTH_READ, MemoryAccess.DEPTH_WRITE);
            case COLOR_OUTPUT -> MemoryAccess.mask(MemoryAccess.COLOR_READ, MemoryAccess.COLOR_WRITE);
            case COPY -> MemoryAccess.mask(MemoryAccess.COPY_READ, MemoryAccess.COPY_WRITE);
            case ACCELERATION_STRUCTURE_BUILD ->
                MemoryAccess.mask(
                        MemoryAccess.STORAGE_READ,
                        MemoryAccess.ACCELERATION_STRUCTURE_READ,
                        MemoryAccess.ACCELERATION_STRUCTURE_WRITE);
            case HOST -> MemoryAccess.mask(MemoryAccess.HOST_READ, MemoryAccess.HOST_WRITE);
            case ALL_COMMANDS -> MemoryAccess.NONE;
        };
    }
}
