/** Shape: independent tasks. Many at once, no edge. */
@NullMarked
package io.frameloom.benchmarks.flood;

import org.jspecify.annotations.NullMarked;
