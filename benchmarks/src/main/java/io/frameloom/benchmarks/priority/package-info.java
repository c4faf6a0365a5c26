/** Shape: one urgent task while the workers are flooded with background work. */
@NullMarked
package io.frameloom.benchmarks.priority;

import org.jspecify.annotations.NullMarked;
