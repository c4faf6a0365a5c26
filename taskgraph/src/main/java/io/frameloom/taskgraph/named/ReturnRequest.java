package io.frameloom.taskgraph.named;

import io.frameloom.taskgraph.task.LaneItem;
import org.jspecify.annotations.Nullable;

/**
 * A request that a pump return, queued after the work that the requester dispatched before.
 *
 * @param addressee the innermost pump that was active at the time of the request, or null if there was none
 */
record ReturnRequest(@Nullable Pump addressee) implements LaneItem {}
