/** Shape: one loop over many numbers, cut into pieces of a given grain. */
@NullMarked
package io.frameloom.benchmarks.parallelfor;

import org.jspecify.annotations.NullMarked;
