package io.frameloom.taskgraph;

/** What the queues of a named thread carry. */
sealed interface LaneItem permits Task, ReturnRequest {}
