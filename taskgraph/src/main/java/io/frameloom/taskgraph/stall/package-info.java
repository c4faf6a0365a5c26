/** Explains in words who waits for what. */
@NullMarked
package io.frameloom.taskgraph.stall;

import org.jspecify.annotations.NullMarked;
