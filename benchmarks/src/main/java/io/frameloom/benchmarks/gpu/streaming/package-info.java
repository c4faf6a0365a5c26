/** How many bytes of textures a streamer makes resident, next to a bare copy of them. */
@NullMarked
package io.frameloom.benchmarks.gpu.streaming;

import org.jspecify.annotations.NullMarked;
