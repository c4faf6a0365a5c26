/** One file per way to run a graph: ours and its rivals. */
@NullMarked
package io.frameloom.benchmarks.contender;

import org.jspecify.annotations.NullMarked;
