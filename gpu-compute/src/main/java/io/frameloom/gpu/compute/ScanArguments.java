package io.frameloom.gpu.compute;

import io.frameloom.gpu.pipeline.BoundResource.BufferRange;
import org.jspecify.annotations.Nullable;

/**
 * One prefix scan. Buffers need usage {@link io.frameloom.gpu.resource.BufferUsage#STORAGE}. Offsets are multiples of 4
 * bytes; that of {@code scratch} is a multiple of the device's {@link
 * io.frameloom.gpu.DeviceCapabilities#storageAlignment}.
 *
 * @param kind inclusive or exclusive
 * @param length number of elements, from 0
 * @param input elements, at least {@code length} of them
 * @param output results; the very range of {@code input} or one that does not touch it
 * @param scratch memory for the scan itself, at least {@link PrefixScan#scratchBytes}
 * @param heads where segments begin, for a segmented scan: bit {@code i % 32} of word {@code i / 32} is 1 if element
 *     {@code i} begins one (element 0 always does); null for a plain scan
 */
public record ScanArguments(
        ScanKind kind,
        long length,
        BufferRange input,
        BufferRange output,
        BufferRange scratch,
        @Nullable BufferRange heads) {
    /** A plain scan. */
    public ScanArguments(ScanKind kind, long length, BufferRange input, BufferRange output, BufferRange scratch) {
        this(kind, length, input, output, scratch, null);
    }

    /** Whether the results replace the elements; other ranges that touch are refused. */
    boolean isInPlace() {
        return input.buffer() == output.buffer() && input.offset() == output.offset();
    }
}
