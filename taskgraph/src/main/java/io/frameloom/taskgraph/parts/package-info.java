/** Basics of the engine that know nothing of tasks: arguments, deadlines, parkers, counters. */
@NullMarked
package io.frameloom.taskgraph.parts;

import org.jspecify.annotations.NullMarked;
