/** Shapes with bodies of one microsecond over the number of workers: how much of the machine becomes work. */
@NullMarked
package io.frameloom.benchmarks.efficiency;

import org.jspecify.annotations.NullMarked;
