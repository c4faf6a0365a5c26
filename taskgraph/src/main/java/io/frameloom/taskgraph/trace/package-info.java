/**
 * Recording of task execution and its export in the Chrome trace-event format (opens in Perfetto): give a
 * {@link io.frameloom.taskgraph.trace.TraceRecorder} to {@link io.frameloom.taskgraph.TaskGraphBuilder#observer}.
 */
@NullMarked
package io.frameloom.taskgraph.trace;

import org.jspecify.annotations.NullMarked;
