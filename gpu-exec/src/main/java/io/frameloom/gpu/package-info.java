/**
 * Devices of the GPU executor, their options and limits, and the library of their pipelines. The contracts name no
 * backend.
 *
 * <p>Start at {@link io.frameloom.gpu.backend.GpuDevices#open}, which returns a {@link io.frameloom.gpu.GpuDevice}. It
 * makes {@linkplain io.frameloom.gpu.resource resources}, {@linkplain io.frameloom.gpu.pipeline pipelines} and {@link
 * io.frameloom.gpu.command.FrameContext}s. A frame context begins {@link io.frameloom.gpu.command.CommandList}s, which
 * a {@link io.frameloom.gpu.command.GpuQueue} executes as a {@link io.frameloom.gpu.command.Submission}. Its completion
 * is a {@link io.frameloom.gpu.command.TimelinePoint}, and so an event of the task graph. {@link
 * io.frameloom.gpu.DeviceOptions} lists the system properties.
 *
 * <p>{@code io.frameloom.gpu.vulkan} implements the contracts on Vulkan 1.3, {@code io.frameloom.gpu.virtual} on CPU
 * threads, and {@code io.frameloom.gpu.check} judges what was submitted to either. Offsets, sizes and strides are in
 * bytes unless a name says otherwise; texture extents are in texels; times are in nanoseconds.
 */
@NullMarked
package io.frameloom.gpu;

import org.jspecify.annotations.NullMarked;
