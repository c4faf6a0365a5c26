/** The parts of a graph, put together, and its end. */
@NullMarked
package io.frameloom.taskgraph.graph;

import org.jspecify.annotations.NullMarked;
