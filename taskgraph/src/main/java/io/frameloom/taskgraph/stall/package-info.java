/** Explains in words which thread or event waits for which. */
@NullMarked
package io.frameloom.taskgraph.stall;

import org.jspecify.annotations.NullMarked;
