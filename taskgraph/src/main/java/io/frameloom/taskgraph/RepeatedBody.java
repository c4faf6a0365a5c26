package io.frameloom.taskgraph;

/** The body of a task that outlives its run: the task keeps it, and may be queued or run again. */
abstract sealed class RepeatedBody implements TaskBody permits ReusableTask, ParallelForJob, HelperTicket {}
