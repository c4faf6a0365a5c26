package io.frameloom.gpu.check.judge;

import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;

/** The pairs of a stage and a memory access that can occur, numbered: visibility is a matter of such pairs. */
@SuppressWarnings("EnumOrdinal")
final class Visibility {
    private static final int ACCESSES = MemoryAccess.values().length;
    private static final int[] NUMBER = new int[Scopes.STAGES * ACCESSES];

    static final int PAIRS = number();

    private Visibility() {}

    /** Returns the number of a pair, or -1 if the stage cannot perform the access. */
    static int pair(int stage, int access) {
        return NUMBER[stage * ACCESSES + access];
    }

    /** Returns the number of accesses. */
    static int accesses() {
        return ACCESSES;
    }

    private static int number() {
        int next = 0;
        for (int stage = 0; stage < Scopes.STAGES; stage++) {
            int mask = stage == Scopes.TRANSITION ? 0 : possible(PipelineStage.values()[stage]);
            for (int access = 0; access < ACCESSES; access++) {
                NUMBER[stage * ACCESSES + access] = (mask & (1 << access)) != 0 ? next++ : -1;
            }
        }
        return next;
    }

    private static int possible(PipelineStage stage) {
        return switch (stage) {
            case DRAW_INDIRECT -> MemoryAccess.INDIRECT_READ.bit();
            case VERTEX_INPUT -> MemoryAccess.mask(MemoryAccess.INDEX_READ, MemoryAccess.VERTEX_READ);
            case VERTEX_SHADER, FRAGMENT_SHADER, COMPUTE_SHADER ->
                MemoryAccess.mask(
                        MemoryAccess.UNIFORM_READ,
                        MemoryAccess.SAMPLED_READ,
                        MemoryAccess.STORAGE_READ,
                        MemoryAccess.STORAGE_WRITE);
            case DEPTH_TESTS -> MemoryAccess.mask(MemoryAccess.DEPTH_READ, MemoryAccess.DEPTH_WRITE);
            case COLOR_OUTPUT -> MemoryAccess.mask(MemoryAccess.COLOR_READ, MemoryAccess.COLOR_WRITE);
            case COPY -> MemoryAccess.mask(MemoryAccess.COPY_READ, MemoryAccess.COPY_WRITE);
            case HOST -> MemoryAccess.mask(MemoryAccess.HOST_READ, MemoryAccess.HOST_WRITE);
            case ALL_COMMANDS -> MemoryAccess.NONE;
        };
    }
}
