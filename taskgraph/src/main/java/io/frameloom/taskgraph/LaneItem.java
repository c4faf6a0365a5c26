package io.frameloom.taskgraph;

/** What the queues of a named thread carry. */
interface LaneItem {}
