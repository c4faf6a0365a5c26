/** Shape: linear chain. One ready task at any time, so it measures the cost of one edge. */
@NullMarked
package io.frameloom.benchmarks.chain;

import org.jspecify.annotations.NullMarked;
