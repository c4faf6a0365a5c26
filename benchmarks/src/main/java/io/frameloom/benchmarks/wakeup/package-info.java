/** Shape: one task for a pool that has fallen idle, timed from submission to start. */
@NullMarked
package io.frameloom.benchmarks.wakeup;

import org.jspecify.annotations.NullMarked;
