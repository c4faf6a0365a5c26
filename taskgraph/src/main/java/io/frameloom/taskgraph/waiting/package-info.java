/** Waits for events, and what a waiting thread runs meanwhile; waits for time and for futures. */
@NullMarked
package io.frameloom.taskgraph.waiting;

import org.jspecify.annotations.NullMarked;
