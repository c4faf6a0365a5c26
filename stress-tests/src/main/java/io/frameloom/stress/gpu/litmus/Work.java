package io.frameloom.stress.gpu.litmus;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.QueueKind;

/** A kind of command that can write words, and read words unless it is a fill. */
enum Work {
    FILL(Access.COPY_DST, Access.COPY_DST, QueueKind.COPY),
    COPY(Access.COPY_SRC, Access.COPY_DST, QueueKind.COPY),
    DISPATCH(Access.STORAGE_READ_COMPUTE, Access.STORAGE_WRITE_COMPUTE, QueueKind.COMPUTE);

    private final Access reading;
    private final Access writing;
    private final QueueKind queue;

    Work(Access reading, Access writing, QueueKind queue) {
        this.reading = reading;
        this.writing = writing;
        this.queue = queue;
    }

    boolean canRead() {
        return this != FILL;
    }

    Access access(boolean writes) {
        return writes ? writing : reading;
    }

    boolean runsOn(QueueKind kind) {
        return kind.supports(queue);
    }
}
