/**
 * Backend-neutral contracts of the GPU executor: devices, queues, timelines, resources, accesses, barriers, command
 * lists and submissions.
 *
 * <p>Nothing in this package knows Vulkan. {@code io.frameloom.gpu.vulkan} implements the contracts on Vulkan 1.3,
 * {@code io.frameloom.gpu.virtual} on CPU threads, and {@code io.frameloom.gpu.check} judges what was submitted to
 * either. Offsets, sizes and strides are in bytes unless a name says otherwise; texture extents are in texels; times
 * are in nanoseconds.
 */
@NullMarked
package io.frameloom.gpu;

import org.jspecify.annotations.NullMarked;
