package io.frameloom.taskgraph;

import io.frameloom.taskgraph.internal.PaddedLong;

/** Counts the frames in progress: frame scopes, and runs of compiled graphs. Any thread may call any method. */
final class FramePhase {
    private final PaddedLong inProgress = new PaddedLong(0);

    void begin() {
        inProgress.getAndAdd(1L);
    }

    void end() {
        inProgress.getAndAdd(-1L);
    }

    int inProgress() {
        return (int) inProgress.valueOpaque();
    }
}
