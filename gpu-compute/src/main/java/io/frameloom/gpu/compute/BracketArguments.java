package io.frameloom.gpu.compute;

import io.frameloom.gpu.pipeline.BoundResource.BufferRange;

/**
 * One matching of brackets. Buffers need usage {@link io.frameloom.gpu.resource.BufferUsage#STORAGE}. Offsets are
 * multiples of 4 bytes; that of {@code scratch} is a multiple of the device's {@link
 * io.frameloom.gpu.DeviceCapabilities#storageAlignment}. No two ranges may touch.
 *
 * @param length number of elements, from 0 to {@link BracketMatch#maxLength}
 * @param input elements, at least {@link BracketInput#bytes} of them
 * @param links results, a word for each element
 * @param scratch memory for the matching itself, at least {@link BracketMatch#scratchBytes}
 */
public record BracketArguments(long length, BufferRange input, BufferRange links, BufferRange scratch) {}
