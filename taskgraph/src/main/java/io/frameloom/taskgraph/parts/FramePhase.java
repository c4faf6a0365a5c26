package io.frameloom.taskgraph.parts;

/** Counts the frames in progress: frame scopes, and runs of compiled graphs. Any thread may call any method. */
public final class FramePhase {
    private final PaddedLong inProgress = new PaddedLong(0);

    public void begin() {
        inProgress.getAndAdd(1L);
    }

    public void end() {
        inProgress.getAndAdd(-1L);
    }

    public int inProgress() {
        return (int) inProgress.valueOpaque();
    }
}
