package io.frameloom.taskgraph.task;

import io.frameloom.taskgraph.TaskBody;

/** The body of a task that outlives its run: the task keeps it, and may be queued or run again. */
public abstract class RepeatedBody implements TaskBody {
    /** What it is to the code that runs in it, in a few words. */
    public abstract String kind();
}
