/** Shape: wavefront. Every inner task waits for its left and its upper neighbour. */
@NullMarked
package io.frameloom.benchmarks.wavefront;

import org.jspecify.annotations.NullMarked;
