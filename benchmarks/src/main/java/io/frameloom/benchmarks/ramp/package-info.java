/** Shape: as many tasks as workers for a parked pool, timed until all of them run at once. */
@NullMarked
package io.frameloom.benchmarks.ramp;

import org.jspecify.annotations.NullMarked;
