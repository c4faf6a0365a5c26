/** Shape: random directed acyclic graph with irregular in-degrees. */
@NullMarked
package io.frameloom.benchmarks.randomdag;

import org.jspecify.annotations.NullMarked;
