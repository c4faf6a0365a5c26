/** How fast command lists are recorded, next to the same commands written by hand in plain LWJGL. */
@NullMarked
package io.frameloom.benchmarks.gpu.recording;

import org.jspecify.annotations.NullMarked;
