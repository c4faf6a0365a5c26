package io.frameloom.gpu.compute;

import io.frameloom.gpu.pipeline.BoundResource.BufferRange;

/**
 * One compaction. Buffers need usage {@link io.frameloom.gpu.resource.BufferUsage#STORAGE}. Offsets are multiples of 4
 * bytes; that of {@code scratch} is a multiple of the device's {@link
 * io.frameloom.gpu.DeviceCapabilities#storageAlignment}. No two ranges may touch.
 *
 * @param length number of elements, from 0 to {@link StreamCompaction#maxLength}
 * @param input elements
 * @param keep which of them stay: bit {@code i % 32} of word {@code i / 32} is 1 if element {@code i} does
 * @param output elements that stay, in their order; room for {@code length} of them
 * @param count a word for their number, 0 for length 0
 * @param scratch memory for the compaction itself, at least {@link StreamCompaction#scratchBytes}
 */
public record CompactArguments(
        long length, BufferRange input, BufferRange keep, BufferRange output, BufferRange count, BufferRange scratch) {}
