package io.frameloom.taskgraph.named;

import org.jspecify.annotations.Nullable;

/**
 * One active call of {@code processUntilReturnRequested}. Its fields belong to the pumping thread; other
 * threads only hold the reference, as the address of a {@link ReturnRequest}.
 */
final class Pump {
    final @Nullable Pump outer;
    boolean active = true;
    int returns;

    Pump(@Nullable Pump outer) {
        this.outer = outer;
    }
}
