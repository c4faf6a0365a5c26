/** What declaring, compiling and executing a render graph costs the processor; needs no device. */
@NullMarked
package io.frameloom.benchmarks.rendergraph;

import org.jspecify.annotations.NullMarked;
