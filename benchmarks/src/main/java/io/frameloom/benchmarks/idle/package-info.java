/** Shape: nothing to do. Measures what a parked pool still costs. */
@NullMarked
package io.frameloom.benchmarks.idle;

import org.jspecify.annotations.NullMarked;
