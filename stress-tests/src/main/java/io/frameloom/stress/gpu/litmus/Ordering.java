package io.frameloom.stress.gpu.litmus;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.BarrierBatch.BufferBarrier;
import io.frameloom.gpu.command.BarrierBatch.GlobalBarrier;
import io.frameloom.gpu.command.BarrierBatch.Scope;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.resource.Buffer;
import java.util.List;

/** What stands between the two pieces of work. */
enum Ordering {
    /** Nothing: the control, which shows whether the hazard can be seen on the device at all. */
    NONE,
    /** A barrier of the buffer with exactly the stages and writes that are needed. */
    BUFFER,
    /** As {@link #BUFFER}, and what the first work reads is named as well: no promise more, by the specification. */
    BUFFER_NAMING_READS,
    /** A barrier of all memory with exactly the stages and writes that are needed. */
    GLOBAL,
    /** A barrier of everything. */
    FULL;

    /** Returns whether the specification says that the second work stays behind the first. */
    boolean orders() {
        return this != NONE;
    }

    BarrierBatch barrier(Buffer buffer, long offset, long bytes, Access first, Access second) {
        int writes = MemoryAccess.writesOf(first.memoryAccess());
        Scope exact = new Scope(first.stages(), writes, second.stages(), second.memoryAccess());
        Scope reads = new Scope(first.stages(), first.memoryAccess(), second.stages(), second.memoryAccess());
        return switch (this) {
            case NONE -> new BarrierBatch(List.of(), List.of(), List.of());
            case BUFFER -> ofBuffer(new BufferBarrier(buffer, offset, bytes, exact, null));
            case BUFFER_NAMING_READS -> ofBuffer(new BufferBarrier(buffer, offset, bytes, reads, null));
            case GLOBAL -> new BarrierBatch(List.of(), List.of(), List.of(new GlobalBarrier(exact)));
            case FULL -> new BarrierBatch(List.of(), List.of(), List.of(GlobalBarrier.FULL));
        };
    }

    private static BarrierBatch ofBuffer(BufferBarrier barrier) {
        return new BarrierBatch(List.of(), List.of(barrier), List.of());
    }
}
