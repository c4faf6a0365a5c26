package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.WorkerLevel;

/** How urgent tasks are: a number for each level and priority, 0 for what runs on no worker. */
public final class Urgency {
    /**
     * The least urgency that is inherited: that of NORMAL work with high priority. If ordinary work raised a BACKGROUND
     * task that it waits for, loads of many seconds would get at the workers that are reserved for frames.
     */
    public static final int LEAST = of(WorkerLevel.NORMAL, true);

    private static final int HIGHEST = 6;

    private Urgency() {}

    /** From 1, for BACKGROUND tasks of normal priority, to 6; 0 is for what runs on no worker. */
    public static int of(WorkerLevel level, boolean high) {
        return HIGHEST - 2 * level.ordinal() - (high ? 0 : 1);
    }

    /** The place of an urgency other than 0 in the order of {@code WorkerQueues}. */
    public static int rank(int urgency) {
        return HIGHEST - urgency;
    }

    /** The level of an urgency other than 0. */
    public static WorkerLevel level(int urgency) {
        return switch (rank(urgency) >> 1) {
            case 0 -> WorkerLevel.HIGH;
            case 1 -> WorkerLevel.NORMAL;
            default -> WorkerLevel.BACKGROUND;
        };
    }
}
