/** Whole frames: a render graph of many passes, next to the same frame in plain LWJGL. */
@NullMarked
package io.frameloom.benchmarks.gpu.frame;

import org.jspecify.annotations.NullMarked;
