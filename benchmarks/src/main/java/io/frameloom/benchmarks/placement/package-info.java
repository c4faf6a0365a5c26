/** Binding our workers to cores, to measure what that is worth. */
@NullMarked
package io.frameloom.benchmarks.placement;

import org.jspecify.annotations.NullMarked;
