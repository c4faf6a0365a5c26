/** Shape: a graph that is built but not run. Measures what a task and what an edge costs. */
@NullMarked
package io.frameloom.benchmarks.buildcost;

import org.jspecify.annotations.NullMarked;
