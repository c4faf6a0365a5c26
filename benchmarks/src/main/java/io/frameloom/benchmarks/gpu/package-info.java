/** How long the host takes to learn that the GPU is done. */
@NullMarked
package io.frameloom.benchmarks.gpu;

import org.jspecify.annotations.NullMarked;
