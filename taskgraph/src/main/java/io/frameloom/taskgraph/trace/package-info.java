/**
 * Recording of task execution and its export in the Chrome trace-event format (opens in Perfetto).
 */
@NullMarked
package io.frameloom.taskgraph.trace;

import org.jspecify.annotations.NullMarked;
