/** Graphs as data, and the two interfaces between a graph, the code that runs it and the driver that times it. */
@NullMarked
package io.frameloom.benchmarks.dag;

import org.jspecify.annotations.NullMarked;
