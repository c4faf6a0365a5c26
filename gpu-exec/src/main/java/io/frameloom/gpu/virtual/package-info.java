/**
 * The virtual GPU: executes submissions on the CPU, bound only by the waits and barriers that were emitted.
 * {@link io.frameloom.gpu.virtual.VirtualDevice#open} opens one that behaves as its
 * {@link io.frameloom.gpu.virtual.VirtualGpuOptions} say.
 */
@NullMarked
package io.frameloom.gpu.virtual;

import org.jspecify.annotations.NullMarked;
