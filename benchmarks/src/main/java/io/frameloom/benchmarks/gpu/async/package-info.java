/** What a frame gains by builds of acceleration structures and traces of rays beside raster passes. */
@NullMarked
package io.frameloom.benchmarks.gpu.async;

import org.jspecify.annotations.NullMarked;
