/** The virtual GPU: executes submissions on CPU threads, bound only by the waits and barriers that were emitted. */
@NullMarked
package io.frameloom.gpu.virtual;

import org.jspecify.annotations.NullMarked;
