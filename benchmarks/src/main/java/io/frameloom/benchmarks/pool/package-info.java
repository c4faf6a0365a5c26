/** Ours and its rivals as plain pools that take single tasks, for what is measured without a graph. */
@NullMarked
package io.frameloom.benchmarks.pool;

import org.jspecify.annotations.NullMarked;
