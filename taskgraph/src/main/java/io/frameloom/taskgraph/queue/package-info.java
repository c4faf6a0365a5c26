/** Lists and queues between threads. */
@NullMarked
package io.frameloom.taskgraph.queue;

import org.jspecify.annotations.NullMarked;
