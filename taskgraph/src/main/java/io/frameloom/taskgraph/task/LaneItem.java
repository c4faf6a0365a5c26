package io.frameloom.taskgraph.task;

/** What the queues of a named thread carry. */
public interface LaneItem {}
