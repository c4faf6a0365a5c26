/** Shape: a frame of a hundred tasks, run again and again, each awaited before the next. */
@NullMarked
package io.frameloom.benchmarks.frame;

import org.jspecify.annotations.NullMarked;
